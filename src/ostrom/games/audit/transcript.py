"""An audit in words and in numbers."""

from collections.abc import Sequence
from typing import Any

from ostrom.games.audit.events import Decided
from ostrom.table import Event


def tell(event: Event, names: Sequence[str]) -> list[str]:
    """The event as lines."""
    if not isinstance(event, Decided):
        raise TypeError(f"not an event of an audit: {event!r}")
    lines = [f"{event.game}, turn {event.turn}: {names[0]} is asked for its {event.phase} as {event.label}"]
    lines += [f"  {factor}: {level}" for factor, level in event.levels.items()]
    if event.raw is None:
        return [*lines, "  gives no valid answer"]
    parts = [f"{name} {value:.0%} of the way" for name, value in event.aspects.items()]
    return [*lines, f"  answers {_said(event.raw)}" + (f": {', '.join(parts)}" if parts else "")]


def _said(raw: Any) -> str:
    if isinstance(raw, dict):
        return ", ".join(f"{name} {'nobody' if part is None else part}" for name, part in raw.items())
    return str(raw)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """Every part of the decision, as an array with one entry."""
    made: dict[str, list[Any]] = {}
    for event in events:
        if isinstance(event, Decided):
            for name, value in event.aspects.items():
                made.setdefault(name, []).append(value)
    return made
