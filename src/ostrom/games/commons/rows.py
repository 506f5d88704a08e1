"""What a built-in champion sees: the same view for one seat of one game and for a hundred thousand seats at once.

A row is one seat in one game that a champion holds. Its own quantities are arrays of rows; quantities of the table are
computed once for all champions and picked for the rows that ask.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ostrom.core.arrays import Array, count, namespace, ordered, rounded, total
from ostrom.core.step import Draws, Pick
from ostrom.games.commons.rules import CommonsRules, State, seats_in


@dataclass
class TableView:
    """A batch of games at the start of a turn, with what champions ask about everybody's last contributions. Statistics
    are over seats still in the game."""

    rules: CommonsRules
    turn: Any
    """Counted from 1; a traced number under JAX."""
    state: State
    draws: Draws

    @cached_property
    def others(self) -> Array | int:
        """How many others a seat still in the game has: one number where nobody can leave, else one a game."""
        return seats_in(self.state.contributions, self.state.present) - 1

    @cached_property
    def sorted_contributions(self) -> list[Array]:
        """The last contributions from lowest to highest; seats that have left stand at the end, beyond 1."""
        given, present = self.state.contributions, self.state.present
        return ordered(given if present is None else namespace(given).where(present, given, 2.0))

    @cached_property
    def middle(self) -> tuple[Array, Array, Array]:
        """The three order statistics from which the median without any one seat follows: of n others, the two middle
        ones are among these three when that seat is put back."""
        ranked = self.sorted_contributions
        first = (self.others - 1) // 2
        if isinstance(first, int):
            last = min(first + 2, len(ranked) - 1)
            return ranked[first], ranked[first + 1], ranked[last]
        xp = namespace(self.state.contributions)

        ranks = range(1, (len(ranked) - 2) // 2 + 1)
        at = [first == rank for rank in ranks]

        def statistic(above: int) -> Array:
            chosen = ranked[min(above, len(ranked) - 1)]
            for rank, here in zip(ranks, at, strict=True):
                chosen = xp.where(here, ranked[min(rank + above, len(ranked) - 1)], chosen)
            return chosen

        return statistic(0), statistic(1), statistic(2)

    @cached_property
    def generous(self) -> Array:
        """How many seats gave at least half."""
        return count(self._among_those_in(self.state.contributions) >= 0.5)

    @cached_property
    def mean(self) -> Array:
        """The mean of the last contributions, rounded. It differs from the last turn's cooperation where a seat has
        left since."""
        if self.state.present is None:
            return self.state.cooperation
        return rounded(total(self._among_those_in(self.state.contributions)) / (self.others + 1))

    def _among_those_in(self, contributions: Array) -> Array:
        present = self.state.present
        return contributions if present is None else namespace(contributions).where(present, contributions, 0.0)


@dataclass
class RowView:
    """The rows of one champion."""

    table: TableView
    pick: Pick

    @property
    def rules(self) -> CommonsRules:
        """The settings of the game."""
        return self.table.rules

    @property
    def turn(self) -> Any:
        """The turn, counted from 1."""
        return self.table.turn

    @property
    def seat(self) -> Any:
        """The champion's own seat in each row: one number, or an array of rows."""
        return self.pick.seat

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.capital)

    @cached_property
    def contribution(self) -> Array:
        """What the champion itself gave last."""
        return self.pick.of_seats(self.table.state.contributions)

    @cached_property
    def gain(self) -> Array:
        """What the last turn brought it, before the cost of lobbying."""
        return self.pick.of_seats(self.table.state.gains)

    @cached_property
    def capital(self) -> Array:
        """What it holds."""
        return self.pick.of_seats(self.table.state.capital)

    @cached_property
    def alpha(self) -> Array:
        """The redistribution."""
        return self.pick.of_games(self.table.state.alpha)

    @cached_property
    def cooperation(self) -> Array:
        """The mean contribution of the last turn, rounded."""
        return self.pick.of_games(self.table.state.cooperation)

    @cached_property
    def mean(self) -> Array:
        """The mean of what the seats still in gave last, rounded."""
        return self.pick.of_games(self.table.mean)

    @cached_property
    def contributions(self) -> Array:
        """(seats, rows) What everybody gave last."""
        return self.pick.of_tables(self.table.state.contributions)

    @cached_property
    def capitals(self) -> Array:
        """(seats, rows) What everybody holds."""
        return self.pick.of_tables(self.table.state.capital)

    @cached_property
    def present(self) -> Array | None:
        """(seats, rows) Who is still in the game; `None` where nobody can ever leave."""
        present = self.table.state.present
        return None if present is None else self.pick.of_tables(present)

    @cached_property
    def others(self) -> Array | int:
        """How many others are still in the game: one number, or one a row."""
        others = self.table.others
        return others if isinstance(others, int) else self.pick.of_games(others)

    @cached_property
    def others_median(self) -> Array:
        """The median of what the others gave last."""
        xp = self.xp
        below, middle, above = (self.pick.of_games(row) for row in self.table.middle)
        # Taking the champion's own value out moves every order statistic at or above it down by one.
        lower = xp.where(self.contribution > below, below, middle)
        odd = self.others % 2 == 1
        if odd is True:
            return lower
        upper = xp.where(self.contribution > middle, middle, above)
        even = (lower + upper) / 2.0
        return even if odd is False else xp.where(odd, lower, even)

    def others_lowest(self, among: Array | None) -> Array:
        """The least that any of the others gave last, among these seats (seats, rows), or among all if `None`."""
        if among is None and self.table.state.present is None:
            lowest, second = (self.pick.of_games(row) for row in self.table.sorted_contributions[:2])
            return self.xp.where(self.contribution > lowest, lowest, second)
        least = self.constant(1.0)
        for seat, gave in enumerate(self.contributions):
            other = self.seat != seat if among is None else among[seat] & (self.seat != seat)
            least = self.xp.where(other, self.xp.minimum(least, gave), least)
        return least

    @cached_property
    def others_generous(self) -> Array:
        """How many of the others gave at least half in the last turn."""
        return self.pick.of_games(self.table.generous) - (self.contribution >= 0.5)

    def constant(self, value: float) -> Array:
        """The same number for every row."""
        return self.xp.full_like(self.contribution, value)

    def draw(self) -> Array:
        """A number in [0, 1) for each row, of this turn and of no other."""
        draws, dtype = self.table.draws.of_rows(self.pick), self.contribution.dtype
        drawn = draws.uniform(DRAWS, self.turn, self.seat, single=dtype == self.xp.float32)
        return self.xp.astype(drawn, dtype)


DRAWS = "champion"
"""The purpose of the draws that players make for their own decisions."""
