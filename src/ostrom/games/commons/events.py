"""The events of the Commons, in the order in which a turn brings them, and the same in numbers."""

from collections.abc import Sequence
from typing import Any, ClassVar

from ostrom.core import Event, EventRegistry

EVENTS = EventRegistry()


@EVENTS.register
class TurnPlayed(Event):
    """All seats moved, and the pot was shared out. Lists are indexed by seat."""

    tag: ClassVar[str] = "turn_played"

    turn: int
    present: list[bool]
    """Which seats played this turn."""
    contributions: list[float]
    """Fractions of the endowment; 0 for a seat that is out."""
    lobby: list[float]
    """Capital spent on α: positive toward equal shares, negative toward proportional ones."""
    alpha: float
    """The redistribution after the lobbying, which held in this turn."""
    synergy: float
    """The synergy that grew the pot."""
    pot: float
    shares: list[float]
    erosion: float
    """The factor on kept money."""
    gains: list[float]
    """Kept money after erosion, and the share; before the cost of lobbying."""
    capitals: list[float]
    """What each seat holds at the end of the turn."""
    cooperation: float
    """The mean contribution of the seats still in."""
    next_synergy: float
    """The synergy of the coming turn."""


@EVENTS.register
class GoldenAge(Event):
    """A spell of high cooperation begins, in which the synergy grows."""

    tag: ClassVar[str] = "golden_age"

    turn: int
    cooperation: float
    synergy: float
    """The synergy of the coming turn."""


@EVENTS.register
class Erosion(Event):
    """A spell of low cooperation begins, in which the synergy shrinks; below its initial value, kept money rots."""

    tag: ClassVar[str] = "erosion"

    turn: int
    cooperation: float
    synergy: float
    """The synergy of the coming turn."""


@EVENTS.register
class VoteHeld(Event):
    """At least one seat voted."""

    tag: ClassVar[str] = "vote_held"

    turn: int
    votes: list[int | None]
    """For each seat the seat that it named, or nobody."""


@EVENTS.register
class SeatExcluded(Event):
    """A seat leaves with what it holds; from the next turn on it neither gives nor gets."""

    tag: ClassVar[str] = "seat_excluded"

    turn: int
    seat: int
    votes: int


@EVENTS.register
class GameEnded(Event):
    """The shadow of the future fell, or the known last turn was played."""

    tag: ClassVar[str] = "game_ended"

    turn: int
    capitals: list[float]
    winners: list[int]
    """The seats with the highest capital; more than one is a tie."""


_PER_TURN = (
    "present",
    "contributions",
    "lobby",
    "shares",
    "gains",
    "capitals",
    "alpha",
    "synergy",
    "pot",
    "erosion",
    "cooperation",
)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a turn as an array over turns; those of seats are arrays over turns of arrays over seats."""
    turns = [event for event in events if isinstance(event, TurnPlayed)]
    return {name: [getattr(turn, name) for turn in turns] for name in _PER_TURN}


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat held in the end."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.capitals]
