"""A game of Harvest in numbers."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom_harvest.events import GameEnded, Harvested, QuotaVoted, RoundEnded


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat harvested, less its fines."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.holdings]


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every quantity of a round as an array over rounds."""
    harvests = [event for event in events if isinstance(event, Harvested)]
    ends = [event for event in events if isinstance(event, RoundEnded)]
    quotas = {event.round: event.quota for event in events if isinstance(event, QuotaVoted)}
    return {
        "stock": [event.stock for event in harvests],
        "sustainable": [event.sustainable for event in harvests],
        "quota": [quotas.get(event.round) for event in harvests],
        "harvests": [event.harvests for event in harvests],
        "holdings": [event.holdings for event in ends],
    }
