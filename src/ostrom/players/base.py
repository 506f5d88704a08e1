"""The protocols of players, which hold seats and answer questions. The player decides where an answer comes from (an
algorithm, a model, a person, a record); the question decides whether it is legal."""

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
    """One seat's player in one game."""

    def answer(self, question: Question) -> object:
        """Return an answer in plain data, which the driver validates against the question's specification. Raises
        `NoAnswer` if there is none."""


class Contestant(Protocol):
    """A player that can be seated any number of times: a champion, a bot, a model."""

    @property
    def name(self) -> str:
        """Return the name under which results are listed."""

    def sit(self, seat: Seat, chance: Chance) -> "Player | RemotePlayer":
        """Return a player for a seat of a new game. `chance` is its only source of randomness."""


class NoAnswer(Exception):
    """A player that answers at once has no answer; the game uses its declared fallback."""

    def __init__(self, fault: Fault | None, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault


class Unanswered(Exception):
    """A call that led to no answer."""

    def __init__(self, fault: Fault, reason: str, *, retry_after: float | None = None, sent: bool = True) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        """One line without keys; for a fault of the reply, addressed to the model."""
        self.retry_after = retry_after
        """Seconds that the provider asks to wait."""
        self.sent = sent
        """True if the provider may have received the call, and may charge for it."""
        self.reply: Reply | None = None
        """The unreadable reply, which may still be charged."""


class CallCancelled(Exception):
    """A call was cancelled because the host stops. It does not count: the question stays open, and is asked again when
    the game resumes."""


Price: TypeAlias = Callable[[int, int], float]
"""Dollars for numbers of input and output tokens."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The destination of a remote player's calls, for the limits of a run."""

    model: str
    """The unit that fails or works as a whole: one name for one model at one host."""
    provider: str
    """The unit of rate limits: a provider's name, or the host of a server."""
    price: Price | None
    """The price of a call; None if it is unknown."""
    keeps_time: bool = False
    """True if `send` has its own time limit, as for people, so that the limit for calls does not apply."""

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
    """An upper bound of the prompt's tokens."""
    most_output: int
    """An upper bound of the reply's tokens."""
    most_cost: float
    """Dollars for both; 0 if no price is known."""
    payload: Any = None
    """Data that only the remote player reads."""


REFUSAL = "refusal"
"""The entry of a reply's extras that holds the words with which the model declined."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to a call."""

    text: str
    """The whole raw text, or a tool call's arguments as JSON."""
    usage: Usage
    cost: float | None
    finish_reason: str | None
    effective: Mapping[str, Any]
    """The settings that the provider states it used."""
    extra: Mapping[str, Any] = field(default_factory=dict)


class RemotePlayer(Protocol):
    """One seat's player in one game that is asked over a network: a model, or a person at a page. The run handles
    limits, time, retries and the record."""

    @property
    def endpoint(self) -> Endpoint:
        """Return the destination of its calls."""

    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        """Return the next call for a question; `past` are its earlier calls. A refused reply among them is followed by
        the reason. The same question and past give the same request."""

    async def send(self, request: Request, reference: str) -> Reply:
        """Make one call, once; `reference` is sent as the request's id. Raises `Unanswered` with a fault of transport
        or of absence, and `CallCancelled` if the call is cancelled."""

    def read(self, question: Question, reply: Reply) -> Answer:
        """Return the legal answer in a reply, without its provenance, which the run sets. Raises `Unanswered` with the
        reason."""

    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        """Update the state after a decided question. The state is a fold over decided questions and nothing else: after
        a restart they are replayed."""


def is_remote(player: "Player | RemotePlayer") -> TypeIs["RemotePlayer"]:
    """Return True if a player is asked over a network."""
    return hasattr(player, "compose")


def ask(name: str, player: Player, question: Question, provenance: Provenance = Provenance.ANSWERED) -> Answer:
    """Return the answer of a player that answers at once, or the game's fallback, marked as such, if it has none."""
    try:
        return Answer(legal_answer(name, question, player.answer(question)), provenance)
    except NoAnswer as silence:
        return Answer(question.fallback, Provenance.DEFAULTED, fault=silence.fault)


def legal_answer(name: str, question: Question, raw: object) -> Any:
    """Return the answer in the type of its specification. Raises `PlayerFault`, with seat and turn, for an illegal
    answer: it is not clipped, and the game ends."""
    try:
        return question.spec.validate(raw)
    except IllegalAnswer as reason:
        text = f"{name} (seat {question.seat}) broke the rules in turn {question.turn}: {reason}"
        raise PlayerFault(text, question.turn) from None


@dataclass(frozen=True)
class ReplayContestant:
    """The player of a recorded seat: answers from the record alone."""

    name: str
    answers: Mapping[QuestionKey, Any]
    """Recorded answers by turn, phase and seat."""
    defaulted: Mapping[QuestionKey, Fault | None] = field(default_factory=dict)
    """The answers that were the game's fallback, and the fault."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Return itself, as a record has no state."""
        return self

    def answer(self, question: Question) -> object:
        """Return the recorded answer to this question. Raises `NoAnswer` where the record has the fallback."""
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
