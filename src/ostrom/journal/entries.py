"""What a ledger hands to the journal's writer, as rows that are ready to be stored: decisions, calls, events, ends of
games."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from ostrom.core import Answer, Call, Event, InputError, QuestionKey
from ostrom.journal.schema import answers, calls, events
from ostrom.journal.texts import Known, digest_of
from ostrom.journal.writing import as_json, storable

Row: TypeAlias = tuple[Any, ...]
"""The columns of a table, in its own order."""

ANSWERS: Final = tuple(answers.c.keys())
CALLS: Final = tuple(calls.c.keys())
EVENTS: Final = tuple(events.c.keys())
ENDS: Final = ("state", "finished", "rounds", "reason", "serial")
"""What is said of a game when it is over, and at last which game it is."""

_ROW: Final = 500
"""About so many characters a row has besides its long texts."""


@dataclass(slots=True)
class Entry:
    """What is stored together or not at all, and the future of the one who waits for it."""

    what: str
    """What it is in words, for an error."""
    done: "asyncio.Future[Any]"
    texts: dict[str, str] = field(default_factory=dict)
    """By digest, as JSON; only those that may be missing from the journal."""
    answers: Sequence[Row] = ()
    calls: Sequence[Row] = ()
    events: Sequence[Row] = ()
    ends: Sequence[Row] = ()
    size: int = _ROW
    """About how many characters it has."""


def answer_row(game: int, place: int, key: QuestionKey, answer: Answer) -> Row:
    """A decision, at the place of its question."""
    turn, phase, seat = key
    value = as_json(answer.value, "an answer")
    fault = None if answer.fault is None else answer.fault.value
    return (game, place, turn, storable(phase, "a phase"), seat, value, answer.provenance.value, int(answer.cut), fault)


def call_row(game: int, place: int, key: QuestionKey, call: Call, known: Known, new: dict[str, str]) -> Row:
    """A call; texts that the journal may not have yet are added to `new`."""
    turn, phase, seat = key
    settings = as_json(call.settings, "the settings of a call")
    prompt = [(line.role, _named(line.text, known, new)) for line in call.prompt]
    usage = call.usage
    return (
        game,
        place,
        call.attempt,
        turn,
        storable(phase, "a phase"),
        seat,
        storable(call.at, "the moment of a call"),
        storable(call.model, "the name of a model"),
        None if call.fault is None else call.fault.value,
        None if usage is None else usage.input_tokens,
        None if usage is None else usage.output_tokens,
        _figure(call.latency, "the latency of a call"),
        None if call.cost is None else _figure(call.cost, "the cost of a call"),
        _figure(call.reserved, "what is reserved for a call"),
        _named(settings, known, new),
        as_json(prompt, "a prompt"),
        None if call.finish_reason is None else as_json(call.finish_reason, "why a reply ended"),
        None if call.error is None else as_json(call.error, "the error of a call"),
        as_json(call.extra, "what came along with a reply") if call.extra else "{}",
        None if call.reply is None else as_json(call.reply, "a reply"),
    )


def event_rows(game: int, first: int, happened: Sequence[Event]) -> list[Row]:
    """Events, numbered from the first on."""
    return [
        (
            game,
            first + index,
            storable(event.tag, "the name of an event"),
            event.version,
            as_json(event.model_dump(mode="json"), event.tag),
        )
        for index, event in enumerate(happened)
    ]


def size_of(rows: Sequence[Row], new: Mapping[str, str]) -> int:
    """About how many characters these are; the longest of a row, where it has one, stands at its end."""
    return sum(_ROW + len(row[-1] or "") for row in rows) + sum(map(len, new.values()))


def _named(text: str, known: Known, new: dict[str, str]) -> str:
    digest = digest_of(text)
    if digest not in known:
        new[digest] = as_json(text, "a text")
    return digest


def _figure(value: float, what: str) -> float:
    # Neither a NaN nor an infinity: SQLite would make nothing of the one, and sums of the other are no sums.
    if not -1e300 < value < 1e300:
        raise InputError(f"{what} cannot be kept: {value} is no number")
    return value
