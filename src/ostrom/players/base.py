"""What every player is: somebody who sits down at a seat and answers questions. Where the answer comes from (an
algorithm, a model, a person, a record) is the player's own affair; whether it is legal is the question's."""

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
        """Answer in plain data; the driver validates it against the question's specification. Who has no answer raises
        `NoAnswer`."""


class Contestant(Protocol):
    """Somebody who can be seated, any number of times: a champion, a bot, a model."""

    @property
    def name(self) -> str:
        """The name under which results are listed."""

    def sit(self, seat: Seat, chance: Chance) -> "Player | RemotePlayer":
        """Take a seat in a new game. A player draws chance only from what it is handed here."""


class NoAnswer(Exception):
    """A player that answers at once has no answer to give; the game's declared fallback stands in its place."""

    def __init__(self, fault: Fault | None, reason: str) -> None:
        super().__init__(reason)
        self.fault = fault


class Unanswered(Exception):
    """A call that led to no answer."""

    def __init__(self, fault: Fault, reason: str, *, retry_after: float | None = None, sent: bool = True) -> None:
        super().__init__(reason)
        self.fault = fault
        self.reason = reason
        """In one line, with no key in it; of a reply, fit to be told to the model."""
        self.retry_after = retry_after
        """Seconds that the provider asks to wait."""
        self.sent = sent
        """Whether the provider may have taken the call, and may charge for it."""
        self.reply: Reply | None = None
        """What came back all the same, and was paid for, though nobody can read it."""


class CallCancelled(Exception):
    """A call was taken back before anything came of it, as the host stops. It counts for nothing: the question stays
    open, and is asked again when the game goes on."""


Price: TypeAlias = Callable[[int, int], float]
"""Dollars for numbers of input and output tokens."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a remote player's calls go, for those who keep limits."""

    model: str
    """What fails or works as a whole: one name for one model at one place."""
    provider: str
    """What has a limit of its own: a provider's name, or the host of a server."""
    price: Price | None
    """What a call costs; None where nobody knows."""
    keeps_time: bool = False
    """Whether `send` ends by itself in good time, so that the limit for calls does not apply: a person has the time
    that the host gives."""

    @property
    def priced(self) -> bool:
        return self.price is not None


@dataclass(frozen=True, slots=True)
class Request:
    """One call as it is about to be sent, with bounds on what it can use up."""

    prompt: tuple[Line, ...]
    settings: Mapping[str, Any]
    """What is asked of the model, as plain data."""
    most_input: int
    """Tokens that the prompt can at most come to."""
    most_output: int
    """Tokens that the reply can at most come to."""
    most_cost: float
    """Dollars for both; 0 where no price is known."""
    payload: Any = None
    """The remote player's own."""


REFUSAL = "refusal"
"""The entry among a reply's extras by which a provider says that the model declined, and with what words."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back from a call."""

    text: str
    """Raw and whole: the text, or a tool call's arguments as JSON."""
    usage: Usage
    cost: float | None
    finish_reason: str | None
    effective: Mapping[str, Any]
    """What the provider says it did."""
    extra: Mapping[str, Any] = field(default_factory=dict)


class RemotePlayer(Protocol):
    """One seat's player in one game who is asked over a network: a model, or a person at a page. Limits, time, repeated
    attempts and the record are the run's affair."""

    @property
    def endpoint(self) -> Endpoint:
        """Where its calls go."""

    def compose(self, question: Question, past: Sequence[Call]) -> Request:
        """Write the next call for a question; `past` are the calls that it has seen so far. A refused reply among them
        is answered with the reason. The same question and past give the same request."""

    async def send(self, request: Request, reference: str) -> Reply:
        """Make one call, once; `reference` goes along as the request's id. Raises `Unanswered` with a fault of
        transport, or that nobody is there; and `CallCancelled` where the call is taken back."""

    def read(self, question: Question, reply: Reply) -> Answer:
        """The legal answer that the reply holds, or `Unanswered` with the reason; the provenance is the run's to
        say."""

    def remember(self, question: Question, past: Sequence[Call], answer: Answer) -> None:
        """Go on from a decided question. A remote player's state is a fold over these, and nothing else: after a
        restart it is handed them again."""


def is_remote(player: "Player | RemotePlayer") -> TypeIs["RemotePlayer"]:
    """Whether a player is asked over a network."""
    return hasattr(player, "compose")


def ask(name: str, player: Player, question: Question, provenance: Provenance = Provenance.ANSWERED) -> Answer:
    """The answer of a player that answers at once; the game's fallback, marked as such, where it has none."""
    try:
        return Answer(legal_answer(name, question, player.answer(question)), provenance)
    except NoAnswer as silence:
        return Answer(question.fallback, Provenance.DEFAULTED, fault=silence.fault)


def legal_answer(name: str, question: Question, raw: object) -> Any:
    """The answer in the type of its specification. For players whom nobody asks again: what is illegal is their
    fault, is named with seat and turn, and ends the game; nothing is clipped."""
    try:
        return question.spec.validate(raw)
    except IllegalAnswer as reason:
        text = f"{name} (seat {question.seat}) broke the rules in turn {question.turn}: {reason}"
        raise PlayerFault(text, question.turn) from None


@dataclass(frozen=True)
class ReplayContestant:
    """Whoever sat there when the record was made: answers from the record, and from nothing else."""

    name: str
    answers: Mapping[QuestionKey, Any]
    """Recorded answers by turn, phase and seat."""
    defaulted: Mapping[QuestionKey, Fault | None] = field(default_factory=dict)
    """Those that the game gave in the player's place, and why."""

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """Take the recorded seat; a record needs no chance, and remembers nothing."""
        return self

    def answer(self, question: Question) -> object:
        """The recorded answer to this very question; none where there was none and the game's fallback stands."""
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
