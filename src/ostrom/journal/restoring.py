"""What a game that was left needs to go on: its decisions and its calls, with their prompts whole again."""

from typing import Any

from sqlalchemy import Connection, Row, func, select

from ostrom.core import Answer, Call, Fault, Line, Provenance, QuestionKey, RecordError, Usage
from ostrom.journal.damage import from_json, object_from_json
from ostrom.journal.schema import answers, calls, events
from ostrom.journal.texts import texts_of


def decisions_of(connection: Connection, game: int, name: str) -> dict[QuestionKey, Answer]:
    """What is decided in a game, in the order of its questions."""
    whose = f"the game {name}"
    wanted = select(answers).where(answers.c.game == game).order_by(answers.c.number)
    return {
        (row.turn, row.phase, row.seat): Answer(
            from_json(row.value, whose, f"answers.{row.number}.value"),
            _one_of(Provenance, row.provenance, whose, f"answers.{row.number}.provenance"),
            bool(row.cut),
            None if row.fault is None else _one_of(Fault, row.fault, whose, f"answers.{row.number}.fault"),
        )
        for row in connection.execute(wanted)
    }


def events_of(connection: Connection, game: int) -> int:
    """How many events are kept of a game."""
    return int(connection.execute(select(func.count()).where(events.c.game == game)).scalar_one())


def calls_of(connection: Connection, game: int, name: str) -> list[tuple[QuestionKey, Call]]:
    """The calls of a game, in the order of its questions and then of the attempts."""
    whose = f"the game {name}"
    wanted = select(calls).where(calls.c.game == game).order_by(calls.c.place, calls.c.attempt)
    rows = connection.execute(wanted).all()
    prompts = [_prompt(row, whose) for row in rows]
    digests = [digest for prompt in prompts for _, digest in prompt] + [row.settings for row in rows]
    texts = texts_of(connection, digests, whose)
    lines: dict[tuple[str, str], Line] = {}
    return [
        (
            (row.turn, row.phase, row.seat),
            # The same line of many calls is one object.
            _call(row, tuple(lines.setdefault(one, Line(one[0], texts[one[1]])) for one in prompt), texts, whose),
        )
        for row, prompt in zip(rows, prompts, strict=True)
    ]


def _call(row: Row[Any], prompt: tuple[Line, ...], texts: dict[str, str], whose: str) -> Call:
    where = _where(row)
    usage = None if row.input_tokens is None else Usage(row.input_tokens, row.output_tokens or 0)
    return Call(
        attempt=row.attempt,
        at=row.at,
        model=row.model,
        settings=object_from_json(texts[row.settings], whose, f"{where}.settings"),
        prompt=prompt,
        reply=_text(row.reply, whose, f"{where}.reply"),
        usage=usage,
        latency=row.latency,
        cost=row.cost,
        reserved=row.reserved,
        finish_reason=_text(row.finish_reason, whose, f"{where}.finish_reason"),
        fault=None if row.fault is None else _one_of(Fault, row.fault, whose, f"{where}.fault"),
        error=_text(row.error, whose, f"{where}.error"),
        extra=object_from_json(row.extra, whose, f"{where}.extra"),
    )


def _where(row: Row[Any]) -> str:
    return f"calls.{row.place}.{row.attempt}"


def _prompt(row: Row[Any], whose: str) -> list[tuple[str, str]]:
    try:
        return [(str(role), str(digest)) for role, digest in from_json(row.prompt, whose, f"{_where(row)}.prompt")]
    except (TypeError, ValueError):
        raise RecordError(f"{whose} of the journal cannot be read: {_where(row)}.prompt: it is no prompt") from None


def _text(stored: str | None, whose: str, where: str) -> str | None:
    return None if stored is None else str(from_json(stored, whose, where))


def _one_of(kinds: Any, value: str, whose: str, where: str) -> Any:
    try:
        return kinds(value)
    except ValueError:
        raise RecordError(f"{whose} of the journal cannot be read: {where}: {value!r} is unknown") from None
