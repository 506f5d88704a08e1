"""The champion that votes."""

from typing import NamedTuple

from ostrom.games.commons.steps import NOBODY
from ostrom.players.champions.base import Memory, RowChampion
from ostrom.players.champions.rows import RowView
from ostrom.table.arrays import Array, units


class _Recent(NamedTuple):
    """What everybody gave, (seats, rows)."""

    before_last: Array
    last: Array
    now: Array


class Justicier(RowChampion):
    """Gives everything, and votes against the other seat with the lowest mean contribution over the last 3 turns, if
    that is below 0.3. Ties go to the lower capital, then to the lower seat number."""

    votes = True
    tolerated = 0.3

    def opening(self, view: RowView) -> Memory:
        """Nobody has given yet."""
        nothing = 0.0 * view.contributions
        return _Recent(nothing, nothing, nothing)

    def remember(self, view: RowView, memory: Memory) -> Memory:
        """Keep three turns."""
        return _Recent(memory.last, memory.now, view.contributions)

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Everything."""
        return view.constant(1.0), memory

    def vote(self, view: RowView, memory: Memory) -> Array:
        """The worst giver, if there is one bad enough. In the first turn nobody has shown anything yet."""
        xp = view.xp
        turns = xp.clip(view.constant(0.0) + (view.turn - 1.0), 1.0, 3.0)
        means = units((memory.before_last + memory.last + memory.now) / turns)
        capitals = units(view.capitals)
        worst = units(view.constant(self.tolerated))
        poorest = view.constant(0.0)
        named = xp.astype(poorest, xp.int16) + xp.asarray(NOBODY, dtype=xp.int16)
        for seat in range(means.shape[0]):
            mean, capital = means[seat], capitals[seat]
            worse = (mean < worst) | ((mean == worst) & (capital < poorest) & (named != NOBODY))
            worse = worse & (view.seat != seat)
            if view.present is not None:
                worse = worse & view.present[seat]
            worst, poorest = xp.where(worse, mean, worst), xp.where(worse, capital, poorest)
            named = xp.where(worse, xp.asarray(seat, dtype=xp.int16), named)
        return xp.where(view.turn > 1, named, xp.asarray(NOBODY, dtype=xp.int16))
