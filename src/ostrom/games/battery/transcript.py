"""Stated choices in numbers, the same for every task."""

from collections.abc import Sequence
from typing import Any

from ostrom.core import Event
from ostrom.games.battery.events import ItemAnswered

_SERIES = ("role", "condition", "repetition", "purpose", "step", "answer", "fault")


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """What was asked and answered, as arrays over items in the order of asking."""
    answered = [event for event in events if isinstance(event, ItemAnswered)]
    return {name: [getattr(event, name) for event in answered] for name in _SERIES}
