"""A game of Harvest in numbers."""

from collections.abc import Sequence

from ostrom.core import Event
from ostrom_harvest.events import GameEnded


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat harvested, less its fines."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.holdings]
