"""A reading for promises in words and in numbers."""

from collections.abc import Sequence
from typing import Any

from ostrom.games.promises.events import LineJudged, LinesUnjudged
from ostrom.table import Event


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines."""
    match event:
        case LineJudged():
            if not event.promise:
                what = "no promise"
            else:
                what = "promises all it has" if event.tokens is None else f"promises {event.tokens}"
            return [f"round {event.round}, line {event.line}: {event.label} {what}"]
        case LinesUnjudged():
            what = f"lines {event.first} to {event.last}" if event.last > event.first else f"line {event.first}"
            return [f"round {event.round}, {what}: {names[0]} says nothing"]
        case _:
            raise TypeError(f"not an event of a reading for promises: {event!r}")


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """For every question the round, and how many lines were judged, promised something, and were not judged."""
    made: dict[str, list[Any]] = {"round": [], "judged": [], "promises": [], "unjudged": []}
    turn = 0
    for event in events:
        assert isinstance(event, LineJudged | LinesUnjudged)
        if event.turn != turn:
            turn = event.turn
            made["round"].append(event.round)
            for counts in (made["judged"], made["promises"], made["unjudged"]):
                counts.append(0)
        if isinstance(event, LineJudged):
            made["judged"][-1] += 1
            made["promises"][-1] += event.promise
        else:
            made["unjudged"][-1] += event.last - event.first + 1
    return made
