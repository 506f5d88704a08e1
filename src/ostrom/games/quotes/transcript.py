"""A reading for quotes in words and in numbers."""

import textwrap
from collections.abc import Sequence
from typing import Any

from ostrom.games.quotes.events import LinePicked, PortionRead
from ostrom.table import Event

_WIDTH = 80


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines. The reason stands in quotes, whatever it holds."""
    match event:
        case LinePicked():
            reason = f"“{' '.join(event.reason.split())}”" if event.reason.strip() else "(no reason given)"
            told = f"line {event.line}, said by {event.label} in round {event.round}: {event.rating}, {reason}"
            return textwrap.wrap(told, _WIDTH, initial_indent="  ", subsequent_indent="    ")
        case PortionRead():
            what = f"lines {event.first} to {event.last}" if event.last > event.first else f"line {event.first}"
            return [f"{what} read by {names[0]}: {event.picked or 'none'} picked"]
        case _:
            raise TypeError(f"not an event of a reading for quotes: {event!r}")


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """For every portion how many lines were read and picked, and the ratings that they got."""
    made: dict[str, list[Any]] = {"lines": [], "picked": [], "ratings": []}
    ratings: list[int] = []
    for event in events:
        match event:
            case LinePicked():
                ratings.append(event.rating)
            case PortionRead():
                made["lines"].append(event.last - event.first + 1)
                made["picked"].append(event.picked)
                made["ratings"].append(ratings)
                ratings = []
    return made
