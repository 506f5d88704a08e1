"""How a finished game is told in a table: who ended with what, and what else the game has to say of each seat."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.core.events import Event
from ostrom.core.game import Game
from ostrom.core.seats import Seat


@dataclass(frozen=True, slots=True)
class Figure:
    """Something that a game says of every seat beside the final."""

    key: str
    """In JSON."""
    heading: str
    """In the table; empty for what stands only in JSON."""
    values: Sequence[Any]
    """By seat."""
    text: Callable[[Any], str] = str


@dataclass(frozen=True, slots=True)
class Figures:
    """What a game adds to its final table; a part of the game names the function that gives it, of rules and events."""

    figures: Sequence[Figure]
    remark: str = ""
    """A line below the table."""


def figures_of(game: Game, rules: Any, events: Sequence[Event]) -> Figures:
    """What the game adds to its final table."""
    part = game.part("standings")
    found: Figures = Figures(()) if part is None else part(rules, events)
    return found


def final_standings(game: Game, rules: Any, names: Sequence[str], events: Sequence[Event]) -> list[dict[str, Any]]:
    """Every seat of a finished game, the best first; equal finals share a rank; without finals, by seat."""
    finals = None if game.finals is None else [_rounded(final) for final in game.finals(events)]
    exact = None if game.finals is None else game.finals(events)
    figures = figures_of(game, rules, events).figures
    rows = []
    for seat, name in enumerate(names):
        row: dict[str, Any] = {"seat": seat, "label": Seat(seat).label, "name": name}
        if finals is not None and exact is not None:
            row = {"rank": _rank(finals[seat], finals, game), **row, "final": exact[seat]}
        rows.append(row | {figure.key: figure.values[seat] for figure in figures})
    return sorted(rows, key=lambda row: (row.get("rank") or len(names), row["seat"]))


def _rounded(final: float | None) -> float | None:
    return None if final is None else round(final, 9)  # what is beyond is rounding error


def _rank(final: float | None, finals: Sequence[float | None], game: Game) -> int | None:
    if final is None:
        return None
    known = [other for other in finals if other is not None]
    return 1 + sum(other > final if game.better == "higher" else other < final for other in known)
