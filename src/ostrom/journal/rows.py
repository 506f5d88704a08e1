"""Convert games, answers, calls, events and ends of games to rows that can be stored. Values that a database cannot
store are refused here."""

import json
import secrets
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, Final, Self, TypeAlias

from ostrom.core import Answer, Call, InputError, Line, Provenance, QuestionKey, RecordError
from ostrom.core.text import digest_of
from ostrom.journal.record import GameRecord, Origin, RecordedAnswer
from ostrom.journal.schema import FINISHED, PLAIN_CALL_FIELDS, PLAYING, TOKEN_FIELDS, VOID, calls

Row: TypeAlias = tuple[Any, ...]
"""The values of a table's columns, in the order of the table."""

ENDS: Final = (
    *("state", "finished", "rounds", "reason", "reason_code", "reason_seat"),
    *("finals", "tallies", "decisions", "serial"),
)
"""The columns that are set when a game ends, followed by the game's serial number."""
PLANNED: Final = "planned"
CLOSED: Final = "closed"
"""`PLANNED` and `CLOSED` are the two states of a batch that have a fixed name."""
MAX_KNOWN_DIGESTS: Final = 16_384
"""The number of digests of stored texts that are remembered. It is large enough for the games under way."""
MOST_TOKENS: Final = 10**12
"""The largest number of tokens of a call. Sums of such numbers fit into the integers of every database."""
MOST_DOLLARS: Final = 1e9
"""The largest cost of a call, in dollars."""
MAX_DIGESTED_CHARACTERS: Final = 16_000_000
"""The largest total number of characters of the texts whose digests are remembered."""
_CALL_COLUMNS: Final = tuple(calls.c.keys())
_call_values: Final = itemgetter(*_CALL_COLUMNS)
_REPLY: Final = _CALL_COLUMNS.index("reply")
_ROW_CHARACTERS: Final = 500
"""The approximate number of characters of a row without its long texts."""


@dataclass(slots=True)
class Rows:
    """Rows of which either all are stored or none."""

    texts: dict[str, str] = field(default_factory=dict)
    """JSON texts by digest. Texts that are known to be in the journal already are left out."""
    answers: Sequence[Row] = ()
    calls: Sequence[Row] = ()
    events: Sequence[Row] = ()
    ends: Sequence[Row] = ()
    sent: Sequence[Row] = ()
    """Calls that are about to be sent."""
    back: Sequence[int] = ()
    """The serial numbers of sent calls that are no longer in flight."""
    batches: Sequence[Row] = ()
    """Batches. Each of them replaces its earlier state."""

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """Return the rows of several objects as one object, in the order of the objects."""
        return cls(
            {digest: text for part in several for digest, text in part.texts.items()},
            [row for part in several for row in part.answers],
            [row for part in several for row in part.calls],
            [row for part in several for row in part.events],
            [row for part in several for row in part.ends],
            [row for part in several for row in part.sent],
            [serial for part in several for serial in part.back],
            # A statement must not change a row twice, so only the last state of each batch is stored.
            list({row[0]: row for part in several for row in part.batches}.values()),
        )

    @property
    def size(self) -> int:
        """The approximate number of characters in the longest columns: replies, payloads of events, and texts."""
        replies = sum(_ROW_CHARACTERS + len(row[_REPLY] or "") for row in self.calls)
        payloads = sum(_ROW_CHARACTERS + len(row[-1]) for row in self.events)
        return _ROW_CHARACTERS + replies + payloads + sum(map(len, self.texts.values()))


@dataclass(frozen=True, slots=True)
class Batch:
    """Calls that are sent together to the batch API of a provider."""

    serial: int
    model: str
    at: str
    calls: int
    """The number of calls in the batch."""
    state: str = PLANNED
    """`PLANNED` before the provider has confirmed the batch, and `CLOSED` when all its calls are settled. Otherwise,
    the state describes in words what the batch waits for."""
    name: str | None = None
    """The name that the provider has given the batch."""
    seen: str | None = None
    """The time when the provider was last asked about the batch."""


class Known(OrderedDict[str, None]):
    """The digests of texts that are known to be stored. The oldest digests are forgotten. Their texts may then be
    stored again, which has no effect."""

    def __init__(self, limit: int = MAX_KNOWN_DIGESTS) -> None:
        super().__init__()
        self._limit = limit
        self._digests: dict[str, str] = {}
        self._characters = 0

    def digest(self, text: str) -> str:
        """Return the digest of a text that many calls share. The digest is computed only once."""
        digest = self._digests.get(text)
        if digest is None:
            digest = digest_of(text)
            self._characters += len(text)
            if self._characters > MAX_DIGESTED_CHARACTERS:
                self._digests.clear()
                self._characters = len(text)
            self._digests[text] = digest
        return digest

    def add(self, digest: str) -> None:
        """Remember a digest whose text is stored."""
        self[digest] = None
        if len(self) > self._limit:
            self.popitem(last=False)


def game_row(
    experiment: int, record: GameRecord, key: str, origin: Origin, known: Known, new: dict[str, str]
) -> dict[str, Any]:
    """Return the row of a new game without its id and its position in the experiment. Its scene is added to `new`
    unless it is known to be in the journal."""
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
    """Return the row of a decision; `place` is the index of its question within the game."""
    turn, phase, seat = key
    value = as_json(answer.value, "an answer")
    fault = None if answer.fault is None else answer.fault.value
    return (game, place, turn, storable(phase, "a phase"), seat, value, answer.provenance.value, int(answer.cut), fault)


def event_row(game: int, number: int, event: Mapping[str, Any]) -> Row:
    """Return the row of an event of a record."""
    content = dict(event)
    tag, version = content.pop("event", None), content.pop("version", None)
    if not isinstance(tag, str) or type(version) is not int:
        raise RecordError(f"event {number + 1} of the game has no name or no version; it cannot be stored")
    return (game, number, storable(tag, "the name of an event"), version, as_json(content, tag))


def event_rows(game: int, first: int, events: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Return the rows of events, numbered from `first`."""
    return [event_row(game, number, event) for number, event in enumerate(events, first)]


def call_row(game: int, place: int, key: QuestionKey, call: Call, known: Known, new: dict[str, str]) -> Row:
    """Return the row of a call. Its texts are added to `new` unless they are known to be in the journal."""
    turn, phase, seat = key
    settings = as_json(call.settings, "the settings of a call")
    prompt = _prompt_json(call.prompt, known, new)
    usage = call.usage
    values = {
        "game": game,
        "place": place,
        "attempt": call.attempt,
        "turn": turn,
        "phase": storable(phase, "a phase"),
        "seat": seat,
        "at": storable(call.at, "the moment of a call"),
        "model": storable(call.model, "the name of a model"),
        "fault": None if call.fault is None else call.fault.value,
        **{name: None if usage is None else _tokens(getattr(usage, name)) for name in TOKEN_FIELDS},
        "latency": _figure(call.latency, "the latency of a call"),
        "reserved": _figure(call.reserved, "the reservation of a call"),
        "settings": _shared_digest(settings, known, new),
        "prompt": prompt,
        "extra": as_json(call.extra, "the extra data of a reply") if call.extra else "{}",
        **{name: _optional_value(getattr(call, name), name) for name in PLAIN_CALL_FIELDS},
    }
    row: Row = _call_values(values)
    return row


def _prompt_json(prompt: Sequence[Line], known: Known, new: dict[str, str]) -> str:
    """Return a prompt as JSON: the role and the digest of each line. All lines except the last one are texts with which
    other prompts begin too."""
    lines = [(line.role, _shared_digest(line.text, known, new)) for line in prompt[:-1]]
    lines += [(line.role, text_digest(line.text, known, new)) for line in prompt[-1:]]
    return as_json(lines, "a prompt")


def _optional_value(value: str | float | None, name: str) -> str | float | None:
    if value is None:
        return None
    description = f"the {name} of a call"
    return as_json(value, description) if isinstance(value, str) else _figure(value, description)


def random_serial() -> int:
    """Return a random serial number. It is positive, and small enough for every database and JSON reader."""
    return secrets.randbits(52)


def sent_row(
    game: int,
    place: int,
    key: QuestionKey,
    attempt: int,
    at: str,
    model: str,
    dollars: float,
    tokens: int,
    batch: int | None = None,
) -> Row:
    """Return the row of a call that is about to be sent, with the maximum of its cost and tokens."""
    turn, phase, seat = key
    return (
        random_serial(),
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
        batch,
    )


def batch_row(experiment: int, batch: Batch) -> Row:
    """Return the row of a batch."""
    name = None if batch.name is None else storable(batch.name, "the name of a batch")
    state, seen = as_json(batch.state, "the state of a batch"), batch.seen
    return (
        batch.serial,
        experiment,
        storable(batch.model, "the name of a model"),
        batch.at,
        batch.calls,
        state,
        name,
        seen,
    )


def whole_game(game: int, record: GameRecord, finals: Sequence[float | None] | None) -> Rows:
    """Return all rows of a finished game."""
    keys = [(answer.turn, answer.phase, answer.seat) for answer in record.answers]
    answers = [answer_row(game, place, keys[place], answer) for place, answer in enumerate(record.answers)]
    end = finished_row(game, max((turn for turn, _, _ in keys), default=None), finals, answers)
    return Rows(answers=answers, events=event_rows(game, 0, record.events), ends=(end,))


def finished_row(game: int, rounds: int | None, finals: Sequence[float | None] | None, answers: Iterable[Row]) -> Row:
    """Return the values of the columns that are set when a game is finished, with the final result of each seat and the
    tallies of answers."""
    return (FINISHED, now(), rounds, None, None, None, finals_json(finals), *answers_in_sum(answers), game)


def void_row(game: int, rounds: int | None, reason: str, code: str | None, seat: int | None) -> Row:
    """Return the values of the columns that are set when a game becomes void: the reason in words and as a code, and
    the seat."""
    stored_reason = as_json(reason, "the reason why a game is void")
    code = None if code is None else storable(code, "the code of a reason")
    return (VOID, now(), rounds, stored_reason, code, seat, None, None, None, game)


def suspended_row(game: int, reason: str | None, code: str | None) -> Row:
    """Return the values of the columns that are set when a game is suspended, with the reason. Without a reason, they
    end the suspension."""
    stored_reason = None if reason is None else as_json(reason, "the reason why a game is suspended")
    return (PLAYING, None, None, stored_reason, code, None, None, None, None, game)


TALLIED: Final = (Provenance.DEFAULTED.value, Provenance.REPAIRED.value, Provenance.IMPORTED.value)
"""The kinds of answers that are counted for each seat, in addition to all answers."""


def answers_in_sum(answers: Iterable[Row]) -> tuple[str, str]:
    """Return the tallies of a finished game, and a digest of all its decisions, from the rows of its answers. The
    tallies of a seat are the number of all its answers and the number of each kind in `TALLIED`. Games with the same
    decisions have the same digest."""
    counts: Counter[tuple[int, str]] = Counter()
    decisions, seats = [], 0
    for _, _, turn, phase, seat, value, provenance, *_ in answers:
        counts[seat, provenance] += 1
        counts[seat, ""] += 1
        seats = max(seats, seat + 1)
        decisions.append(f"{turn} {phase} {seat} {value}")
    tallies = [[counts[seat, kind] for kind in ("", *TALLIED)] for seat in range(seats)]
    return as_json(tallies, "the tallies of a game"), digest_of("\n".join(sorted(decisions)))


def finals_json(finals: Sequence[float | None] | None) -> str | None:
    """Return the final result of each seat as JSON for its column."""
    if finals is None:
        return None
    figures = [final if final is None or type(final) is int else float(final) for final in finals]
    return as_json(figures, "what the seats ended with")


def text_digest(text: str, known: Known, new: dict[str, str]) -> str:
    """Return the digest of a text. The text is added to `new` unless it is known to be in the journal."""
    return _entered(digest_of(text), text, known, new)


def _shared_digest(text: str, known: Known, new: dict[str, str]) -> str:
    return _entered(known.digest(text), text, known, new)


def _entered(digest: str, text: str, known: Known, new: dict[str, str]) -> str:
    if digest not in known:
        new[digest] = as_json(text, "a text")
    return digest


def now() -> str:
    """Return the present time in the format of the journal."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def storable(text: str, what: str) -> str:
    """Return a text for a column that is not JSON. Raise InputError if it has NUL or a lone surrogate (half a
    character)."""
    if "\x00" in text or not (text.isascii() or _encodes(text)):
        raise InputError(f"{what} cannot be stored: {text!r} has a character that is not text")
    return text


def as_json(value: Any, what: str) -> str:
    """Return a value as JSON for a column. Raise InputError if JSON cannot represent it."""
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
    # NaN and infinity are refused: SQLite stores NaN as null, and sums with infinity are useless.
    if not -1e300 < value < 1e300:
        raise InputError(f"{what} cannot be stored: {value} is not a finite number")
    return value
