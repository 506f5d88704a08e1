"""How a game went, in a line: cooperation over its rounds or turns, and who ended with what. Lists of games draw it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Final

from ostrom.games.commons import COMMONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.sql import Journal
from ostrom.web.shapes.games import GameCourse

POINTS: Final = 60
"""A picture beside a game's name has room for no more."""
_ALL: Final = 10**9

Event = Mapping[str, Any]


def game_course(journal: Journal, name: str) -> GameCourse:
    """The course of a game, by its id or its key; empty where its kind knows no cooperation."""
    game = journal.pages.game(name).row
    told = _GIVEN.get(game.game)
    if told is None:
        return GameCourse(cooperation=[], finals=[], winners=[])
    events = journal.pages.events(game.id, 0, _ALL).events
    given = [share for event in events if (share := told(event)) is not None]
    end: Event = next((event for event in reversed(events) if event["event"] == "game_ended"), {})
    return GameCourse(
        cooperation=list(_binned(given)),
        finals=list(end.get("balances", end.get("capitals", []))),
        winners=list(end.get("winners", [])),
    )


def _contributed(event: Event) -> float | None:
    if event["event"] != "contributed":
        return None
    held = sum(event["start"])
    return sum(event["contributions"]) / held if held else 0.0


def _cooperated(event: Event) -> float | None:
    return float(event["cooperation"]) if event["event"] == "turn_played" else None


_GIVEN: Final[dict[str, Callable[[Event], float | None]]] = {
    CONTRIBUTE_PUNISH.name: _contributed,
    COMMONS.name: _cooperated,
}
"""By game: what part was given, of an event that tells it."""


def _binned(values: Sequence[float]) -> Iterable[float]:
    """The values, or the means of as many stretches as there may be points."""
    if len(values) <= POINTS:
        return values
    bounds = [len(values) * place // POINTS for place in range(POINTS + 1)]
    return (sum(values[low:high]) / (high - low) for low, high in pairwise(bounds))
