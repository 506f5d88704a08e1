"""Seats, questions and answers: what a game yields, what it is handed back, and the calls by which a remote player was
asked. Games and records speak of seats; who sits there is the experiment's affair."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar

from ostrom.core.specs import Spec, Value

View = TypeVar("View", default=Any)


@dataclass(frozen=True, slots=True, order=True)
class Seat:
    """A place at the table, counted from 0 so that it indexes every per-seat sequence."""

    index: int

    @property
    def label(self) -> str:
        """The name under which the others know this seat."""
        return f"P{self.index + 1}"

    def __str__(self) -> str:
        return self.label


def seats(count: int) -> tuple[Seat, ...]:
    """The first `count` seats."""
    return tuple(Seat(index) for index in range(count))


def told_apart(names: Sequence[str]) -> list[str]:
    """What to call each seat: its player's name, with the seat's label where several players share a name."""
    return [f"{name} {Seat(index)}" if names.count(name) > 1 else name for index, name in enumerate(names)]


class Provenance(StrEnum):
    """Where an answer comes from. Nothing is defaulted silently: a table can always be shown without those."""

    ANSWERED = "answered"
    """The player's own first answer."""
    REPAIRED = "repaired"
    """The player's own answer, after at least one reply that was refused."""
    DEFAULTED = "defaulted"
    """The game's declared fallback: the player gave no legal answer."""
    REPLAYED = "replayed"
    """Read from a record of ours."""
    IMPORTED = "imported"
    """Read from somebody else's log."""


class Fault(StrEnum):
    """Why a call led to no answer."""

    RATE_LIMITED = "rate_limited"
    """The provider wants fewer calls (429)."""
    SERVER_ERROR = "server_error"
    """The provider failed (5xx)."""
    TIMEOUT = "timeout"
    """No whole reply came within the time that a call may take."""
    DROPPED = "dropped"
    """The connection could not be made, or broke."""
    REJECTED = "rejected"
    """The provider takes this request for wrong (4xx); the same request would be refused again."""
    DENIED = "denied"
    """No call of this model can succeed: no such model, no credit, no right to use it."""
    EMPTY = "empty"
    """The reply holds nothing."""
    MALFORMED = "malformed"
    """The reply holds no whole answer in the form that was asked for."""
    CUT_OFF = "cut_off"
    """The reply reached its limit of tokens before a whole answer."""
    ILLEGAL = "illegal"
    """The rules do not allow the answer."""
    REFUSED = "refused"
    """The model, or a filter before it, declined to answer."""
    ABSENT = "absent"
    """A person gave no answer in the time that the host allows."""

    @property
    def of_transport(self) -> bool:
        """Whether the same call may succeed a moment later, with nothing changed."""
        return self in (Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.TIMEOUT, Fault.DROPPED)

    @property
    def of_reply(self) -> bool:
        """Whether asking again, with the reason, may help."""
        return self in (Fault.EMPTY, Fault.MALFORMED, Fault.CUT_OFF, Fault.ILLEGAL)


@dataclass(frozen=True, slots=True)
class Question(Generic[View]):
    """One question to one seat; all questions of one step are asked at once."""

    seat: Seat
    phase: str
    """What is being asked, in the game's own words: 'move', 'contribution', 'punishment'."""
    turn: int
    """The turn or round, counted from 1. Seat, phase and turn together name a question within its game."""
    spec: Spec
    """What a legal answer looks like."""
    view: View
    """What this seat may know, in the game's own type."""
    fallback: Value = None
    """The declared default for a seat that gives no legal answer; used only where an experiment allows it."""

    def recorded(self, value: object, provenance: Provenance) -> Value:
        """A recorded value in the type of the specification. A defaulted one may also be the declared fallback, which
        need not be an answer that anybody may give: where nothing may be put in a subject's mouth it is `None`."""
        if provenance is Provenance.DEFAULTED and value == self.fallback:
            return self.fallback
        return self.spec.validate(value)

    @property
    def key(self) -> tuple[int, str, int]:
        """Its name within the game: turn, phase and seat."""
        return self.turn, self.phase, self.seat.index


@dataclass(frozen=True, slots=True)
class Answer:
    """A legal answer and where it comes from."""

    value: Any
    provenance: Provenance = Provenance.ANSWERED
    cut: bool = False
    """Whether it is a text that was longer than the rules allow; the whole of it stands in the call's reply."""
    fault: Fault | None = None
    """Why a defaulted answer is one, where that is known."""


QuestionKey: TypeAlias = tuple[int, str, int]
"""Turn, phase and seat: they name a question within its game."""

RESERVED_TOKENS = "reserved_tokens"
"""Under this name a call's `extra` holds the tokens that the budget counts where its usage cannot be known."""


@dataclass(frozen=True, slots=True)
class Line:
    """One message of a conversation with a model."""

    role: str
    """'system', 'user' or 'assistant'."""
    text: str


@dataclass(frozen=True, slots=True)
class Usage:
    """What a call used up."""

    input_tokens: int = 0
    output_tokens: int = 0

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt at one question, whatever came of it."""

    attempt: int
    """Counted from 1 within its question, over failed calls and refused replies alike."""
    at: str
    """When it was sent: UTC, ISO 8601, with milliseconds."""
    model: str
    settings: Mapping[str, Any]
    """`requested`: what was asked of the model; `effective`: what the provider says it did, such as the model's full
    name."""
    prompt: tuple[Line, ...]
    reply: str | None = None
    """Raw and whole: the text, or a tool call's arguments."""
    usage: Usage | None = None
    """Not known where no reply came."""
    latency: float = 0.0
    """Seconds."""
    cost: float | None = None
    """Dollars; missing where no price is known."""
    reserved: float = 0.0
    """Dollars that the budget counts where the cost of a call that was sent cannot be known."""
    finish_reason: str | None = None
    fault: Fault | None = None
    """None of the call that led to the decision."""
    error: str | None = None
    """The fault in words; of a reply, the reason that the model is told."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What else the provider sent along, such as the model's reasoning."""
