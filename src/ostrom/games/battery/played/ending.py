"""How every played game of the battery ends: with what each seat is paid."""

from collections.abc import Sequence
from typing import ClassVar

from ostrom.core import Event, Table

_DECIMALS = 9
"""Payments are sums and shares of short numbers; what is beyond is dust of floating point."""


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


def told_end(event: GameEnded, names: Sequence[str]) -> list[str]:
    """The end as lines."""
    width = max(len(name) for name in names)
    paid = (f"  {name:<{width}}  {told(payoff)}" for name, payoff in zip(names, event.payoffs, strict=True))
    return ["the end: payoffs", *paid]


def foreign(event: Event, game: str) -> TypeError:
    """The error for an event of another game."""
    return TypeError(f"not an event of {game}: {event!r}")
