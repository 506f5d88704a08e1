"""The champion that learns: a bandit over six levels of contribution."""

from typing import NamedTuple

from ostrom.players.champions.base import Memory, RowChampion
from ostrom.players.champions.rows import RowView
from ostrom.table.arrays import Array, settled, total

LEVELS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
WINDOW = 10
EXPLORATION = 0.15


class _Experience(NamedTuple):
    """What Apprenant knows of its levels."""

    level: Array
    """The level it chose last."""
    levels: tuple[Array, ...]
    """The levels chosen in the last 10 turns, oldest first; −1 where there was no turn yet."""
    gains: tuple[Array, ...]
    """What these turns brought."""
    values: tuple[Array, ...]
    """For each level the mean of its gains within the window, or its last mean where it is not in the window."""


class Apprenant(RowChampion):
    """An ε-greedy bandit over 0, 0.2, … 1: tries every level once, from 1 down to 0; then explores in 15 % of turns and
    otherwise gives what paid best within the last 10 turns. A level not seen in them keeps its last mean, and ties go to
    the higher level."""

    def opening(self, view: RowView) -> Memory:
        """Nothing tried yet."""
        none = view.constant(-1.0)
        return _Experience(
            level=none,
            levels=(none,) * WINDOW,
            gains=(view.constant(0.0),) * WINDOW,
            values=(view.constant(0.0),) * len(LEVELS),
        )

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """Value the levels anew after the last turn's gain."""
        xp = view.xp
        levels = (*memory.levels[1:], memory.level)
        gains = (*memory.gains[1:], view.gain)
        values = []
        for level, last_mean in enumerate(memory.values):
            chosen = [xp.astype(past == level, view.gain.dtype) for past in levels]
            times = total(chosen)
            earned = total([hit * gain for hit, gain in zip(chosen, gains, strict=True)])
            mean = settled(earned / xp.maximum(times, 1.0))
            values.append(xp.where(times > 0.0, mean, last_mean))
        return _Experience(level=memory.level, levels=levels, gains=gains, values=tuple(values))

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Try, explore or exploit."""
        xp = view.xp
        best, best_value = view.constant(0.0), memory.values[0]
        for level, value in enumerate(memory.values[1:], start=1):
            better = value >= best_value
            best, best_value = xp.where(better, float(level), best), xp.where(better, value, best_value)
        drawn = view.draw()
        # One draw serves both: below ε it explores, and where below ε it fell is uniform and names the level.
        random_level = xp.minimum(xp.floor(drawn * (len(LEVELS) / EXPLORATION)), float(len(LEVELS) - 1))
        learnt = xp.where(drawn < EXPLORATION, random_level, best)
        level = xp.where(view.turn <= len(LEVELS), view.constant(0.0) + (len(LEVELS) - view.turn), learnt)
        return level / 5.0, memory._replace(level=level)
