"""Seats, questions and answers, and the calls to a remote player. Games and records refer to seats only. Only the
experiment knows which player has which seat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Generic, TypeAlias

from typing_extensions import TypeVar

from ostrom.core.specs import Spec, Value

View = TypeVar("View", default=Any)


@dataclass(frozen=True, slots=True, order=True)
class Seat:
    """A place at the table, numbered from 0. The number is an index into every sequence with one entry per seat."""

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
    """The way in which an answer was obtained. Every default is marked, so that an analysis can exclude it."""

    ANSWERED = "answered"
    """The player's own answer, legal at the first attempt."""
    REPAIRED = "repaired"
    """The player's own answer, after at least one rejected reply."""
    DEFAULTED = "defaulted"
    """The fallback that the game declares, because the player gave no legal answer."""
    REUSED = "reused"
    """Taken from another journal, in which the same model had answered the same prompt."""
    REPLAYED = "replayed"
    """Read from a record of Ostrom."""
    IMPORTED = "imported"
    """Read from a log of another program."""


class Fault(StrEnum):
    """The reason why a call failed to give an answer."""

    RATE_LIMITED = "rate_limited"
    """The provider limits the rate of calls (429)."""
    SERVER_ERROR = "server_error"
    """The provider failed (5xx)."""
    TIMEOUT = "timeout"
    """No complete reply arrived within the time limit of the call."""
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
        """True if the transport of the request or reply failed, so that the same call may succeed when it is sent
        again."""
        return self in (Fault.RATE_LIMITED, Fault.SERVER_ERROR, Fault.TIMEOUT, Fault.DROPPED)

    @property
    def of_reply(self) -> bool:
        """True if the reply itself is at fault. The model may then answer correctly when it is told the reason."""
        return self in (Fault.EMPTY, Fault.MALFORMED, Fault.CUT_OFF, Fault.ILLEGAL)


@dataclass(frozen=True, slots=True)
class Question(Generic[View]):
    """One question to one seat; all questions of a step are asked simultaneously."""

    seat: Seat
    phase: str
    """The kind of question, with the name that the game uses: 'move', 'contribution', 'punishment'."""
    turn: int
    """The turn or round, counted from 1."""
    spec: Spec
    """The specification of legal answers."""
    view: View
    """The information that this seat has. The game defines its type."""
    fallback: Value = None
    """The answer that is recorded if the seat gives no legal answer and the experiment allows defaults."""

    def recorded(self, value: object, provenance: Provenance) -> Value:
        """Return a recorded value in the type of the specification. If the answer was defaulted, the value may be the
        fallback, which need not be legal. A fallback of `None` means that the default does not count as a decision of
        the player."""
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
    """True if a text was cut to the length that the rules allow. The reply of the call still has the complete text."""
    fault: Fault | None = None
    """The reason why the answer is defaulted, if known."""


QuestionKey: TypeAlias = tuple[int, str, int]
"""The turn, phase and seat of a question, which identify it within its game."""

RESERVED_TOKENS = "reserved_tokens"
"""The key in a call's `extra` for the number of tokens that count towards the budget until the actual usage is
known."""
DISTRIBUTION = "distribution"
"""The key in a call's `extra` for the probability of each legal answer, by the answer's text."""


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
    """The number of all tokens of the prompt, including those read from or written to a cache."""
    output_tokens: int = 0
    cache_read_tokens: int = 0
    """The number of input tokens that the provider read from its cache."""
    cache_write_tokens: int = 0
    """The number of input tokens that the provider wrote to its cache."""

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


@dataclass(frozen=True, slots=True)
class Call:
    """One attempt to get an answer to one question, successful or not."""

    attempt: int
    """The number of the attempt, counted from 1 within its question; failed calls and rejected replies count."""
    at: str
    """The time at which the call was sent: UTC, ISO 8601, with milliseconds."""
    model: str
    settings: Mapping[str, Any]
    """Settings of the call. `requested` has those of the request; `effective` has those that the provider reports, such
    as the model's full name."""
    prompt: tuple[Line, ...]
    reply: str | None = None
    """The complete raw text of the reply, or the arguments of its tool call."""
    usage: Usage | None = None
    """The tokens used; None without a reply."""
    latency: float = 0.0
    """The time until the call ended, in seconds."""
    cost: float | None = None
    """The price in dollars; None if it is unknown."""
    reserved: float = 0.0
    """The amount in dollars that counts towards the budget if the cost of a sent call is unknown."""
    finish_reason: str | None = None
    layout: int | None = None
    """The number of the prompt's layout. It is None for people, and for calls that were made before layouts were
    numbered."""
    reused: str | None = None
    """The call of another journal whose reply was used instead of making a call; None if the call was made."""
    saved: float | None = None
    """The price in dollars of the call that the reused reply replaced; None if the call was made, or if the price is
    unknown."""
    fault: Fault | None = None
    """The reason why the call gave no legal answer; None if it gave one."""
    error: str | None = None
    """The fault in words; for a rejected reply, the reason sent to the model."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other data from the provider, such as the model's reasoning."""
