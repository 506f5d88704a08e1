"""Seats, questions and answers, and the calls to a remote player. Games and records refer to seats; only the experiment
knows the players."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar

from ostrom.core.specs import Spec, Value

View = TypeVar("View", default=Any)


@dataclass(frozen=True, slots=True, order=True)
class Seat:
    """A place at the table, counted from 0: an index into every sequence with an entry per seat."""

    index: int

    @property
    def label(self) -> str:
        """The name of this seat in prompts and tables: P1, P2 and so on."""
        return f"P{self.index + 1}"

    def __str__(self) -> str:
        return self.label


def seats(count: int) -> tuple[Seat, ...]:
    """Return the first `count` seats."""
    return tuple(Seat(index) for index in range(count))


def distinct_names(names: Sequence[str]) -> list[str]:
    """Return the name of each seat's player, followed by the seat's label if several players have that name."""
    return [f"{name} {Seat(index)}" if names.count(name) > 1 else name for index, name in enumerate(names)]


class Provenance(StrEnum):
    """The source of an answer. Every default is marked, so that an analysis can exclude it."""

    ANSWERED = "answered"
    """The player's own first answer."""
    REPAIRED = "repaired"
    """The player's own answer, after at least one rejected reply."""
    DEFAULTED = "defaulted"
    """The game's declared fallback: the player gave no legal answer."""
    REPLAYED = "replayed"
    """Read from a record of Ostrom."""
    IMPORTED = "imported"
    """Read from another program's log."""


class Fault(StrEnum):
    """The reason why a call failed to give an answer."""

    RATE_LIMITED = "rate_limited"
    """The provider limits the rate of calls (429)."""
    SERVER_ERROR = "server_error"
    """The provider failed (5xx)."""
    TIMEOUT = "timeout"
    """No complete reply arrived within the time limit of a call."""
    DROPPED = "dropped"
    """The connection failed or broke."""
    REJECTED = "rejected"
    """The provider rejects this request (4xx), and would reject it again."""
    DENIED = "denied"
    """No call of this model can succeed: unknown model, no credit, or no permission."""
    EMPTY = "empty"
    """The reply is empty."""
    MALFORMED = "malformed"
    """The reply has no complete answer in the requested form."""
    CUT_OFF = "cut_off"
    """The reply reached its token limit before a complete answer."""
    ILLEGAL = "illegal"
    """The rules do not allow the answer."""
    REFUSED = "refused"
    """The model, or a filter before it, declined to answer."""
    ABSENT = "absent"
    """A person gave no answer in the time that the host allows."""

    @property
    def of_transport(self) -> bool:
        """True if the same call may succeed when it is retried."""
        return self in (Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.TIMEOUT, Fault.DROPPED)

    @property
    def of_reply(self) -> bool:
        """True if the model may answer correctly if it is told the reason."""
        return self in (Fault.EMPTY, Fault.MALFORMED, Fault.CUT_OFF, Fault.ILLEGAL)


@dataclass(frozen=True, slots=True)
class Question(Generic[View]):
    """One question to one seat; all questions of a step are asked simultaneously."""

    seat: Seat
    phase: str
    """The kind of question, named by the game: 'move', 'contribution', 'punishment'."""
    turn: int
    """The turn or round, counted from 1."""
    spec: Spec
    """The specification of legal answers."""
    view: View
    """The information of this seat, in a type of the game."""
    fallback: Value = None
    """The default for a seat without a legal answer, if the experiment allows defaults."""

    def recorded(self, value: object, provenance: Provenance) -> Value:
        """Return a recorded value in the type of the specification. A defaulted value may also be the fallback, which
        need not be legal: it is `None` if no answer is to be attributed to a subject."""
        if provenance is Provenance.DEFAULTED and value == self.fallback:
            return self.fallback
        return self.spec.validate(value)

    @property
    def key(self) -> "QuestionKey":
        return self.turn, self.phase, self.seat.index


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal answer and its source."""

    value: Any
    provenance: Provenance = Provenance.ANSWERED
    cut: bool = False
    """True if a text was cut to the length that the rules allow; the call's reply has the complete text."""
    fault: Fault | None = None
    """The reason why the answer is defaulted, if known."""


QuestionKey: TypeAlias = tuple[int, str, int]
"""Turn, phase and seat: they identify a question within its game."""

RESERVED_TOKENS = "reserved_tokens"
"""The key in a call's `extra` for the tokens that the budget counts if the usage is unknown."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a conversation with a model."""

    role: str
    """'system', 'user' or 'assistant'."""
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of a call."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt at one question, whatever its outcome."""

    attempt: int
    """Counted from 1 within its question; failed calls and rejected replies count."""
    at: str
    """The time of sending: UTC, ISO 8601, with milliseconds."""
    model: str
    settings: Mapping[str, Any]
    """`requested`: settings of the request; `effective`: settings that the provider reports, such as the model's full
    name."""
    prompt: tuple[Line, ...]
    reply: str | None = None
    """The complete raw text, or a tool call's arguments."""
    usage: Usage | None = None
    """None without a reply."""
    latency: float = 0.0
    """Seconds."""
    cost: float | None = None
    """Dollars; None without a known price."""
    reserved: float = 0.0
    """Dollars that the budget counts if the cost of a sent call is unknown."""
    finish_reason: str | None = None
    fault: Fault | None = None
    """None for the call with the legal answer."""
    error: str | None = None
    """The fault in words; for a rejected reply, the reason sent to the model."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other data of the provider, such as the model's reasoning."""
