"""Calls: the single attempts that lead to a decision, where a player is asked over a wire and may fail to answer."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

QuestionKey: TypeAlias = tuple[int, str, int]
"""Turn, phase and seat: they name a question within its game."""

RESERVED_TOKENS = "reserved_tokens"
"""Under this name a call's `extra` holds the tokens that the budget counts where its usage cannot be known."""


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
        """Both together."""
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
