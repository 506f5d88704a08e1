"""Champions that look at nobody."""

from ostrom.players.champions.base import Memory, RowChampion
from ostrom.players.champions.rows import RowView
from ostrom.table.arrays import Array


class AlwaysCoop(RowChampion):
    """Gives everything, always."""

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Everything."""
        return view.constant(1.0), memory


class AlwaysBetray(RowChampion):
    """Gives nothing, ever."""

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Nothing."""
        return view.constant(0.0), memory


class RandomPlayer(RowChampion):
    """Gives a fraction drawn anew every turn, any as likely as any other."""

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Uniform on [0, 1)."""
        return view.draw(), memory
