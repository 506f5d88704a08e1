"""How every played game of the battery ends: with what each seat is paid."""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from pydantic import BaseModel

from ostrom.core import Event, Table
from ostrom.core.effects import Form, Set, Telling, sentence
from ostrom.core.scene import Quantity, Scene
from ostrom.core.telling import Presentation, Teller

_DECIMALS = 9
"""Payments are sums and shares of short numbers; what is beyond is rounding error."""


class GameEnded(Event):
    """The game is over and paid out."""

    tag: ClassVar[str] = "game_ended"

    payoffs: list[float]
    """What each seat gets, by seat."""
    winners: list[int]
    """The seats that get most; more than one is a tie."""


def end(table: Table, payoffs: Sequence[float]) -> None:
    """Pay out and end the game."""
    paid = [round(float(payoff), _DECIMALS) + 0.0 for payoff in payoffs]
    best = max(paid)
    table.record(GameEnded(payoffs=paid, winners=[seat for seat, payoff in enumerate(paid) if payoff == best]))


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat was paid."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.payoffs]


def told(amount: float) -> str:
    """A number as it stands in a transcript."""
    return f"{amount:.10g}"


def foreign(event: Event, game: str) -> TypeError:
    """The error for an event of another game."""
    return TypeError(f"not an event of {game}: {event!r}")


Rules = TypeVar("Rules", bound=BaseModel)


class PlayedTeller(Teller, Generic[Rules]):
    """Folds the events of a played game: every move in words, the form as it stands then, and the payoffs."""

    def __init__(self, rules: Rules, seats: int) -> None:
        self.rules = rules
        self.seats = seats

    def opening(self) -> Telling:
        """The form before the first move."""
        return Telling(form=self.form())

    def tell(self, event: Event) -> Telling:
        """What an event means."""
        if not isinstance(event, GameEnded):
            return self.move(event).model_copy(update={"form": self.form()})
        return Telling(
            phase="end",
            title=sentence("the end: payoffs"),
            effects=(Set(values={"payoff": tuple(event.payoffs)}),),
            form=self.form(),
        )

    def rows(self, event: Event) -> list[tuple[int, str]]:
        """The payoffs."""
        payoffs = event.payoffs if isinstance(event, GameEnded) else []
        return [(seat, told(payoff)) for seat, payoff in enumerate(payoffs)]

    def form(self) -> Form:
        """What the game looks like now."""
        raise NotImplementedError

    def move(self, event: Event) -> Telling:
        """What a move means."""
        raise NotImplementedError


def presented(title: str, teller: type[PlayedTeller[Rules]]) -> Presentation:
    """A played game as it is shown: a form, and in the end the payoffs."""
    scene = Scene(
        layout="question",
        title=title,
        pace=2,
        opens="end",
        final="payoff",
        quantities={"payoff": Quantity(title="Payoff")},
    )
    return Presentation(lambda rules, seats: scene, teller)
