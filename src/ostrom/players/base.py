"""The protocols of players. Players have seats and answer questions. A player determines where an answer comes from: an
algorithm, a model, a person or a record. The question determines whether the answer is legal."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from typing_extensions import TypeIs

from ostrom.core import (
    Answer,
    Call,
    Chance,
    Disagreement,
    Fault,
    IllegalAnswer,
    Line,
    PlayerFault,
    Provenance,
    Question,
    QuestionKey,
    Seat,
    Usage,
)


class Player(Protocol):
    """A player of one seat in one game."""

    def answer(self, question: Question) -> object:
        """Return an answer in plain data, which the driver validates against the question's specification. Raise
        `NoAnswer` if the player has no answer."""


class Contestant(Protocol):
    """A player before it is seated, such as a champion, a bot or a model. It can take any number of seats."""

    @property
    def name(self) -> str:
        """Return the name of this player in results."""

    def sit(self, seat: Seat, chance: Chance) -> "Player | RemotePlayer":
        """Return a player for a seat of a new game. `chance` is its only source of randomness."""


class NoAnswer(Exception):
    """Raised by a player that answers immediately and has no answer. The game then uses its declared fallback."""

    def __init__(self, fault: Fault | None, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault


class Unanswered(Exception):
    """Raised if a call led to no answer."""

    def __init__(self, fault: Fault, reason: str, *, retry_after: float | None = None, sent: bool = True) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        """The reason in one line, without keys. If the reply is at fault, the reason is worded as an explanation to the
        model."""
        self.retry_after = retry_after
        """The number of seconds that the provider asks to wait before another call."""
        self.sent = sent
        """True if the provider may have received the call, and may charge for it."""
        self.reply: Reply | None = None
        """The reply, if one arrived but could not be read. The provider may still charge for it."""


class CallCancelled(Exception):
    """Raised if a call is cancelled because the host stops. The call does not count as an attempt: the question stays
    open, and is asked again when the game resumes."""


Price: TypeAlias = Callable[[Usage], float]
"""A function from the tokens of a call to its price in dollars."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The destination of a remote player's calls, for the limits of a run."""

    model: str
    """The name of one model at one host. Calls with the same name are expected to fail or succeed together."""
    provider: str
    """The name of a provider, or the host of a server. Limits on the rate of calls apply to each provider."""
    price: Price | None
    """The price of a call, or None if it is unknown."""
    keeps_time: bool = False
    """True if `send` has its own time limit, as for people. The run's time limit for calls then does not apply."""
    in_process: bool = False
    """True if an engine in this process answers many questions together. The calls are then free, and do not count
    against the limit of simultaneous calls."""

    @property
    def priced(self) -> bool:
        return self.price is not None


@dataclass(frozen=True, slots=True)
class Request:
    """One call before it is sent, with bounds on its usage."""

    prompt: tuple[Line, ...]
    settings: Mapping[str, Any]
    """The settings of the model, as plain data."""
    most_input: int
    """An upper bound of the number of tokens of the prompt."""
    most_output: int
    """An upper bound of the number of tokens of the reply."""
    most_cost: float
    """An upper bound of the price in dollars. It is 0 if no price is known."""
    payload: Any = None
    """Data that only the remote player uses."""
    layout: int | None = None
    """The number of the prompt's layout, if the player's prompts have layouts."""


REFUSAL = "refusal"
"""The key in a reply's extras for the text with which the model declined to answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a call."""

    text: str
    """The whole raw text. For a tool call, these are its arguments as JSON."""
    usage: Usage
    cost: float | None
    finish_reason: str | None
    effective: Mapping[str, Any]
    """The settings that the provider reports to have used."""
    extra: Mapping[str, Any] = field(default_factory=dict)


class RemotePlayer(Protocol):
    """A player of one seat in one game that is asked over a network: a model, or a person at a page. The run applies
    limits, measures time, retries calls and keeps the record."""

    @property
    def endpoint(self) -> Endpoint:
        """Return the destination of the player's calls."""

    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        """Return the next call for a question. `past` contains the question's earlier calls. If one of them was
        refused, the prompt repeats its reply and the reason. Equal questions with equal past calls give equal
        requests."""

    async def send(self, request: Request, reference: str) -> Reply:
        """Make one call, without retries, and return its reply. `reference` is sent as the request's id. Raises
        `Unanswered` if the call failed on its way or a person gave no answer, and `CallCancelled` if the call is
        cancelled."""

    def read(self, question: Question, reply: Reply) -> Answer:
        """Return the legal answer that a reply contains. The answer has no provenance yet, which the run sets. Raises
        `Unanswered` with the reason if there is no legal answer."""

    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        """Update the player's state after a question is decided. The state must depend only on decided questions,
        because it is computed again after a restart, by calling this method for each of them."""


def is_remote(player: "Player | RemotePlayer") -> TypeIs["RemotePlayer"]:
    """Return whether a player is asked over a network."""
    return hasattr(player, "compose")


def ask(name: str, player: Player, question: Question, provenance: Provenance = Provenance.ANSWERED) -> Answer:
    """Return the answer of a player that answers immediately. If the player has no answer, return the game's fallback,
    marked as a default."""
    try:
        return Answer(legal_answer(name, question, player.answer(question)), provenance)
    except NoAnswer as silence:
        return Answer(question.fallback, Provenance.DEFAULTED, fault=silence.fault)


def legal_answer(name: str, question: Question, raw: object) -> Any:
    """Return the answer in the type of its specification. Raise `PlayerFault`, with the seat and turn, for an illegal
    answer. An illegal answer is not replaced by the nearest legal one: it ends the game."""
    try:
        return question.spec.validate(raw)
    except IllegalAnswer as reason:
        text = f"{name} (seat {question.seat}) broke the rules in turn {question.turn}: {reason}"
        raise PlayerFault(text, question.turn) from None


@dataclass(frozen=True)
class ReplayContestant:
    """A player that gives the recorded answers of a seat."""

    name: str
    answers: Mapping[QuestionKey, Any]
    """Recorded answers by turn, phase and seat."""
    defaulted: Mapping[QuestionKey, Fault | None] = field(default_factory=dict)
    """The recorded answers that were the game's fallback, each with the fault that was its reason."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return this object, since it has no state."""
        return self

    def answer(self, question: Question) -> object:
        """Return the recorded answer to this question. Raises `NoAnswer` if the recorded answer is the game's
        fallback."""
        try:
            value = self.answers[question.key]
        except KeyError:
            raise Disagreement(
                f"turn {question.turn}: the rules ask seat {question.seat} for its {question.phase}, "
                "and the record has no answer"
            ) from None
        if question.key in self.defaulted and value == question.fallback:
            raise NoAnswer(self.defaulted[question.key], "there was no answer in the recorded game")
        return value
