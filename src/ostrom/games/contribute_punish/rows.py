"""What a built-in player of Contribute & Punish sees, for one seat of one game or for many at once."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ostrom.core.arrays import Array, namespace, total
from ostrom.core.step import Draws, Pick
from ostrom.games.contribute_punish.rules import ContributePunishRules

DRAWS = "player"
"""The purpose of the draws that players make for their own decisions."""


@dataclass(frozen=True)
class RoundTable:
    """A batch of games when all seats are asked. Before contributing, `start`, `contributions` and `hits` tell of the
    round before (and are 0 in the first); before punishing, `start` and `contributions` tell of this round."""

    rules: ContributePunishRules
    round: Any
    """Counted from 1; a traced number under JAX."""
    balances: Array
    """(seats, games) What each seat holds now."""
    start: Array
    """(seats, games) What each seat held when the round of the contributions began."""
    contributions: Array
    hits: Array
    """(punishers, targets, games) What each seat took from each other in the last round."""
    draws: Draws


@dataclass(frozen=True)
class RoundView:
    """The rows of one player."""

    table: RoundTable
    pick: Pick

    @property
    def rules(self) -> ContributePunishRules:
        """The settings of the game."""
        return self.table.rules

    @property
    def round(self) -> Any:
        """The round, counted from 1."""
        return self.table.round

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.balances)

    @cached_property
    def balance(self) -> Array:
        """What the player holds."""
        return self.pick.of_seats(self.table.balances)

    @cached_property
    def contribution(self) -> Array:
        """What it gave."""
        return self.pick.of_seats(self.table.contributions)

    @cached_property
    def balances(self) -> Array:
        """(seats, rows) What everybody holds."""
        return self.pick.of_tables(self.table.balances)

    @cached_property
    def contributions(self) -> Array:
        """(seats, rows) What everybody gave."""
        return self.pick.of_tables(self.table.contributions)

    @cached_property
    def others_given(self) -> Array:
        """What the others gave together."""
        return total(self.contributions) - self.contribution

    @cached_property
    def others_start(self) -> Array:
        """What the others held together when they gave it."""
        return total(self.pick.of_tables(self.table.start)) - self.pick.of_seats(self.table.start)

    @cached_property
    def taken(self) -> Array:
        """(seats, rows) What each seat took from this player in the last round."""
        return self.xp.stack([self.pick.of_seats(hits) for hits in self.table.hits])

    @cached_property
    def most(self) -> Array:
        """What it may spend on punishment."""
        return self.xp.minimum(self.balance, self.rules.max_spend)

    def other_seats(self) -> list[tuple[int, Array]]:
        """Every seat, with whether it is another's in each row."""
        seat = self.pick.seat
        same = self.balance == self.balance
        return [(other, same & (seat != other)) for other in range(self.table.balances.shape[0])]

    def draw(self, number: int) -> Array:
        """The `number`-th draw of this round, in [0, 1)."""
        return self.table.draws.of_rows(self.pick).uniform(DRAWS, self.round, self.pick.seat, number)
