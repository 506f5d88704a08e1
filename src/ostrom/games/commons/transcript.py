"""A game of the Commons in numbers: one array a quantity."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom.games.commons.events import GameEnded, TurnPlayed

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
