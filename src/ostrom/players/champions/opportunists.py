"""Champions that follow what paid, or what is in the air."""

from ostrom.players.champions.base import Memory, RowChampion
from ostrom.players.champions.rows import RowView
from ostrom.table.arrays import Array, at_least, below


class Pavlov(RowChampion):
    """Repeats its last contribution c if its last gain was at least the endowment, else gives 1 − c."""

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Win, stay; lose, shift."""
        won = at_least(view.gain, view.rules.endowment)
        return view.xp.where(won, view.contribution, 1.0 - view.contribution), memory


class Opportuniste(RowChampion):
    """Goes with the last turn's cooperation: from 0.8 on it gives everything, below 0.5 nothing, else half."""

    high, low = 0.8, 0.5

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """By the mood of the table."""
        xp = view.xp
        subdued = xp.where(below(view.cooperation, self.low), 0.0, view.constant(0.5))
        return xp.where(at_least(view.cooperation, self.high), 1.0, subdued), memory
