"""The champion that learns: a bandit over six levels of contribution."""

from typing import NamedTuple

from ostrom.players.champions.base import Memory, RowChampion
from ostrom.players.champions.rows import RowView
from ostrom.table.arrays import Array, settled, total

LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
WINDOW = 10
EXPLORATION = 0.15
_NONE = -1


class _Experience(NamedTuple):
    """What Apprenant knows of its levels."""

    level: Array
    """The level it chose last, by its place among the levels."""
    levels: tuple[Array, ...]
    """The levels chosen in the last 10 turns, oldest first; `_NONE` where there was no turn yet."""
    gains: tuple[Array, ...]
    """What these turns brought."""
    values: tuple[Array, ...]
    """For each level the mean of its gains within the window, or its last mean where it is not in the window."""


class Apprenant(RowChampion):
    """An ε-greedy bandit over 0, 0.2, … 1: tries every level once, from 1 down to 0; then explores in 15 % of turns
    and otherwise gives what paid best within the last 10 turns. A level not seen in them keeps its last mean, and
    ties go to the higher level."""

    def opening(self, view: RowView) -> Memory:
        """Nothing tried yet."""
        none = view.xp.astype(view.constant(_NONE), view.xp.int8)
        return _Experience(
            level=none,
            levels=(none,) * WINDOW,
            gains=(view.constant(0.0),) * WINDOW,
            values=(view.constant(0.0),) * len(LEVELS),
        )

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """Value anew the two levels whose turns in the window changed: the one that came in, and the one that fell
        out."""
        xp = view.xp
        levels = (*memory.levels[1:], memory.level)
        gains = (*memory.gains[1:], view.gain)
        values = list(memory.values)
        for changed in (memory.levels[0], memory.level):
            hits = [past == changed for past in levels]
            times = total([xp.astype(hit, xp.int8) for hit in hits])
            earned = total([xp.where(hit, gain, 0.0) for hit, gain in zip(hits, gains, strict=True)])
            mean = settled(earned / xp.maximum(times, xp.ones_like(times)))
            seen = xp.where(times > 0, changed, xp.asarray(_NONE, dtype=xp.int8))
            values = [xp.where(seen == level, mean, value) for level, value in enumerate(values)]
        return _Experience(level=memory.level, levels=levels, gains=gains, values=tuple(values))

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Try, explore or exploit."""
        xp = view.xp
        best, best_value = view.constant(0.0), memory.values[0]
        for level, value in enumerate(memory.values[1:], start=1):
            best = xp.where(value >= best_value, float(level), best)
            best_value = xp.maximum(value, best_value)
        drawn = view.draw()
        # One draw serves both: below ε it explores, and where below ε it fell is uniform and names the level.
        random_level = xp.minimum(xp.floor(drawn * (len(LEVELS) / EXPLORATION)), float(len(LEVELS) - 1))
        learnt = xp.where(drawn < EXPLORATION, random_level, best)
        level = xp.where(view.turn <= len(LEVELS), view.constant(0.0) + (len(LEVELS) - view.turn), learnt)
        return level / 5.0, memory._replace(level=xp.astype(level, xp.int8))
