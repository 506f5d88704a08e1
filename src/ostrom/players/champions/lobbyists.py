"""Champions that buy the rule of redistribution."""

from ostrom.players.champions.base import Memory, RowChampion
from ostrom.players.champions.rows import RowView
from ostrom.table.arrays import Array, units


class Capitaliste(RowChampion):
    """Gives 0.9 and spends 5 % of its capital a turn to make contributions pay (α toward 0)."""

    lobbies = True

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Nearly everything."""
        return view.constant(0.9), memory

    def lobby(self, view: RowView, memory: Memory) -> Array:
        """Toward proportional shares."""
        return -0.05 * view.capital


class Parasite(RowChampion):
    """Gives nothing and spends 5 % of its capital a turn to get an equal share (α toward 1)."""

    lobbies = True

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """Nothing."""
        return view.constant(0.0), memory

    def lobby(self, view: RowView, memory: Memory) -> Array:
        """Toward equal shares."""
        return 0.05 * view.capital


class Pragmatique(RowChampion):
    """Gives what α makes worth giving (0 above 0.7, 1 below 0.3, a straight line between) and spends 3 % of its
    capital a turn on the rule that suits what it gave: equal shares if less than the mean, proportional ones if
    more."""

    lobbies = True

    def contribute(self, view: RowView, memory: Memory) -> tuple[Array, Memory]:
        """From the first turn on by α: (0.7 − α)/0.4, in a form that floating point holds exactly at one half."""
        return view.xp.clip((7.0 - 10.0 * view.alpha) / 4.0, 0.0, 1.0), memory

    def lobby(self, view: RowView, memory: Memory) -> Array:
        """None where it gave just the mean."""
        return view.xp.sign(units(view.mean) - units(view.contribution)) * (0.03 * view.capital)
