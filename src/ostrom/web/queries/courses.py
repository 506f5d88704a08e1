"""How a game went, in a line: cooperation over its rounds or turns, and who ended with what. Lists of games draw it."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final

from ostrom.journal.record import GameRecord, with_tellings
from ostrom.journal.sql import Journal
from ostrom.web.shapes.games import GameCourse

POINTS: Final = 60
"""A picture beside a game's name has room for no more."""
_DECIMALS: Final = 9
"""Beyond, two finals differ by rounding error."""


def game_course(journal: Journal, name: str) -> GameCourse:
    """The course of a game, by its id or its key; empty where its game is not installed."""
    shown = journal.pages.shown(name)
    record = with_tellings(shown.record)
    if record.scene is None:
        return GameCourse(cooperation=[], finals=[], winners=[])
    finals = [final for final in record.finals or [] if final is not None]
    return GameCourse(
        cooperation=list(_binned(_values(record, record.scene.course))),
        finals=finals,
        winners=_winners(finals, record.scene.better),
    )


def _values(record: GameRecord, quantity: str | None) -> list[float]:
    """The last value of the quantity in each turn that has one."""
    by_turn: dict[int, float] = {}
    for telling in record.told:
        for effect in telling.sets:
            value = effect.values.get(quantity or "")
            if isinstance(value, int | float):
                by_turn[telling.turn] = float(value)
    return [by_turn[turn] for turn in sorted(by_turn)]


def _winners(finals: Sequence[float], better: str) -> list[int]:
    rounded = [round(final, _DECIMALS) for final in finals]
    best = (max if better == "higher" else min)(rounded, default=None)
    return [seat for seat, final in enumerate(rounded) if final == best]


def _binned(values: Sequence[float]) -> Iterable[float]:
    """The values, or the means of as many stretches as there may be points."""
    if len(values) <= POINTS:
        return values
    bounds = [len(values) * place // POINTS for place in range(POINTS + 1)]
    return (sum(values[low:high]) / (high - low) for low, high in pairwise(bounds))
