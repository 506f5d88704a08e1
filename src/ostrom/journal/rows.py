"""Rows that are ready to be stored: games, answers, calls, events, ends of games. What a database cannot hold is
refused here, before it complains."""

import json
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, Self, TypeAlias

from ostrom.core import Answer, Call, InputError, Provenance, QuestionKey, RecordError
from ostrom.journal.record import GameRecord, Origin, RecordedAnswer
from ostrom.journal.schema import FINISHED, PLAYING, VOID

Row: TypeAlias = tuple[Any, ...]
"""The columns of a table, in its own order."""

ENDS: Final = (
    *("state", "finished", "rounds", "reason", "reason_code", "reason_seat"),
    *("finals", "tallies", "decisions", "serial"),
)
"""What is said of a game when it is over, and at last which game it is."""
KNOWN: Final = 16_384
"""So many digests are remembered at most: those of games under way are asked for, and of all others none."""
MOST_TOKENS: Final = 10**12
"""No call uses so many; sums of such figures fit any database."""
MOST_DOLLARS: Final = 1e9
"""No call costs so much."""
_ROW: Final = 500
"""About so many characters a row has besides its long texts."""


@dataclass(slots=True)
class Rows:
    """What is stored together or not at all."""

    texts: dict[str, str] = field(default_factory=dict)
    """By digest, as JSON; only those that may be missing from the journal."""
    answers: Sequence[Row] = ()
    calls: Sequence[Row] = ()
    events: Sequence[Row] = ()
    ends: Sequence[Row] = ()
    sent: Sequence[Row] = ()
    """Calls that are about to be sent."""
    back: Sequence[int] = ()
    """The serial numbers of those of them that are out no more."""

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All of these, in their order."""
        return cls(
            {digest: text for one in several for digest, text in one.texts.items()},
            [row for one in several for row in one.answers],
            [row for one in several for row in one.calls],
            [row for one in several for row in one.events],
            [row for one in several for row in one.ends],
            [row for one in several for row in one.sent],
            [serial for one in several for serial in one.back],
        )

    @property
    def size(self) -> int:
        """About how many characters they have; the longest of a row, where it has one, stands at its end."""
        long = sum(_ROW + len(row[-1] or "") for rows in (self.calls, self.events) for row in rows)
        return _ROW + long + sum(map(len, self.texts.values()))


class Known(OrderedDict[str, None]):
    """Digests that are stored for certain. The oldest are forgotten, and then stored again, which changes nothing."""

    def __init__(self, most: int = KNOWN) -> None:
        super().__init__()
        self._most = most

    def add(self, digest: str) -> None:
        """Remember a digest whose text is stored."""
        self[digest] = None
        if len(self) > self._most:
            self.popitem(last=False)


def digest_of(text: str) -> str:
    """What a text is called: the first 128 bits of its SHA-256, in hexadecimal."""
    # Half a character has no UTF-8; it gets what UTF-8 would make of it.
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def game_row(
    experiment: int, record: GameRecord, key: str, origin: Origin, known: Known, new: dict[str, str]
) -> dict[str, Any]:
    """A game that is begun, but for its id and its place; its scene is added to `new` where the journal may not have
    it yet."""
    head = record.model_dump(mode="json", include={"seats", "orders"})
    scene = None if origin.scene is None else as_json(origin.scene, "the scene of a game")
    return {
        "experiment": experiment,
        "key": storable(key, "the key of a game"),
        "state": PLAYING,
        "started": now(),
        "ostrom": storable(record.ostrom, "the version of a game's record"),
        "game": storable(record.game, "the name of a game"),
        "seed": None if record.seed is None else str(record.seed),
        "number": record.number,
        "source": None if record.source is None else storable(record.source, "the source of a game"),
        "rules": as_json(record.rules, "the rules of a game"),
        "seats": as_json(head["seats"], "the seats of a game"),
        "orders": as_json(head["orders"], "the orders of a game"),
        "package": None if origin.package is None else storable(origin.package, "the package of a game"),
        "game_version": None if origin.version is None else storable(origin.version, "the version of a game"),
        "scene": None if scene is None else text_digest(scene, known, new),
    }


def answer_row(game: int, place: int, key: QuestionKey, answer: Answer | RecordedAnswer) -> Row:
    """A decision, at the place of its question."""
    turn, phase, seat = key
    value = as_json(answer.value, "an answer")
    fault = None if answer.fault is None else answer.fault.value
    return (game, place, turn, storable(phase, "a phase"), seat, value, answer.provenance.value, int(answer.cut), fault)


def event_row(game: int, number: int, event: Mapping[str, Any]) -> Row:
    """An event as a record has it."""
    content = dict(event)
    tag, version = content.pop("event", None), content.pop("version", None)
    if not isinstance(tag, str) or type(version) is not int:
        raise RecordError(f"event {number + 1} of the game has no name or no version; it cannot be stored")
    return (game, number, storable(tag, "the name of an event"), version, as_json(content, tag))


def event_rows(game: int, first: int, happened: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Events, numbered from the first on."""
    return [event_row(game, number, event) for number, event in enumerate(happened, first)]


def call_row(game: int, place: int, key: QuestionKey, call: Call, known: Known, new: dict[str, str]) -> Row:
    """A call; texts that the journal may not have yet are added to `new`."""
    turn, phase, seat = key
    settings = as_json(call.settings, "the settings of a call")
    prompt = [(line.role, text_digest(line.text, known, new)) for line in call.prompt]
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
        None if usage is None else _tokens(usage.input_tokens),
        None if usage is None else _tokens(usage.output_tokens),
        _figure(call.latency, "the latency of a call"),
        None if call.cost is None else _figure(call.cost, "the cost of a call"),
        _figure(call.reserved, "what is reserved for a call"),
        text_digest(settings, known, new),
        as_json(prompt, "a prompt"),
        None if call.finish_reason is None else as_json(call.finish_reason, "why a reply ended"),
        None if call.error is None else as_json(call.error, "the error of a call"),
        as_json(call.extra, "what came along with a reply") if call.extra else "{}",
        None if call.reply is None else as_json(call.reply, "a reply"),
    )


def sent_row(
    game: int, place: int, key: QuestionKey, attempt: int, at: str, model: str, dollars: float, tokens: int
) -> Row:
    """A call that is about to be sent, and the most that it can come to."""
    turn, phase, seat = key
    return (
        # Positive, and short of what any database or JSON reader would round.
        secrets.randbits(52),
        game,
        place,
        attempt,
        turn,
        storable(phase, "a phase"),
        seat,
        storable(at, "the moment of a call"),
        storable(model, "the name of a model"),
        _figure(dollars, "what a call may cost"),
        tokens,
        None,
    )


def whole_game(game: int, record: GameRecord, finals: Sequence[float | None] | None) -> Rows:
    """All that happened in a game, with its end."""
    keys = [(one.turn, one.phase, one.seat) for one in record.answers]
    given = [answer_row(game, place, keys[place], one) for place, one in enumerate(record.answers)]
    ended = finished_row(game, max((turn for turn, _, _ in keys), default=None), finals, given)
    return Rows(answers=given, events=event_rows(game, 0, record.events), ends=(ended,))


def finished_row(game: int, rounds: int | None, finals: Sequence[float | None] | None, given: Iterable[Row]) -> Row:
    """The end of a game, what each seat ended with, and the answers that were given, in sum."""
    return (FINISHED, now(), rounds, None, None, None, finals_json(finals), *answers_in_sum(given), game)


def void_row(game: int, rounds: int | None, reason: str, code: str | None, seat: int | None) -> Row:
    """The end of a game that came to nothing, and why: in words, as a code, and at which seat."""
    told = as_json(reason, "the reason why a game is void")
    code = None if code is None else storable(code, "the code of a reason")
    return (VOID, now(), rounds, told, code, seat, None, None, None, game)


def suspended_row(game: int, reason: str | None, code: str | None) -> Row:
    """A game that does not go on for now, and why; without a reason, one that does."""
    told = None if reason is None else as_json(reason, "the reason why a game is suspended")
    return (PLAYING, None, None, told, code, None, None, None, None, game)


TALLIED: Final = (Provenance.DEFAULTED.value, Provenance.REPAIRED.value, Provenance.IMPORTED.value)
"""The answers that are counted by themselves, behind all of a seat's answers."""


def answers_in_sum(given: Iterable[Row]) -> tuple[str, str]:
    """What the answers of a finished game, as rows of their table, come to: for each seat how many it gave, and of
    these how many are of each kind that is `TALLIED`; and a digest of all that was decided, the same for a game in
    which the same was decided."""
    counts: Counter[tuple[int, str]] = Counter()
    decided, seats = [], 0
    for _, _, turn, phase, seat, value, provenance, *_ in given:
        counts[seat, provenance] += 1
        counts[seat, ""] += 1
        seats = max(seats, seat + 1)
        decided.append(f"{turn} {phase} {seat} {value}")
    tallies = [[counts[seat, kind] for kind in ("", *TALLIED)] for seat in range(seats)]
    return as_json(tallies, "the tallies of a game"), digest_of("\n".join(sorted(decided)))


def finals_json(finals: Sequence[float | None] | None) -> str | None:
    """What each seat ended with, for its column."""
    if finals is None:
        return None
    figures = [one if one is None or type(one) is int else float(one) for one in finals]
    return as_json(figures, "what the seats ended with")


def text_digest(text: str, known: Known, new: dict[str, str]) -> str:
    """The digest of a text, which is added to `new` where the journal may not have it yet."""
    digest = digest_of(text)
    if digest not in known:
        new[digest] = as_json(text, "a text")
    return digest


def now() -> str:
    """The present moment, as the journal writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def storable(text: str, what: str) -> str:
    """Text for a column of its own."""
    if "\x00" in text or not (text.isascii() or _encodes(text)):
        raise InputError(f"{what} cannot be stored: {text!r} has a character that is not text")
    return text


def as_json(value: Any, what: str) -> str:
    """JSON for a column."""
    try:
        return _to_json(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{what} cannot be stored: {error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"a {type(value).__name__} cannot be written as JSON")


_to_json = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=_plain).encode


def _encodes(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _tokens(count: int) -> int:
    if not 0 <= count <= MOST_TOKENS:
        raise InputError(f"a call cannot be stored: {count} is no number of tokens")
    return count


def _figure(value: float, what: str) -> float:
    # Neither a NaN nor an infinity: SQLite would make nothing of the one, and sums of the other are no sums.
    if not -1e300 < value < 1e300:
        raise InputError(f"{what} cannot be stored: {value} is not a finite number")
    return value
