"""Who meets whom in a tournament. Any range of games can be seated without going through those before it, so chunks
and workers need not know of each other."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ostrom.core import InputError
from ostrom.core.chance import GAMES
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Whole


@dataclass(frozen=True)
class Schedule:
    """All entrants at one table, or every combination of `group_size` of them; each table plays `repetitions` games."""

    entrants: tuple[StrategyEntry, ...]
    repetitions: int
    group_size: int | None = None

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise InputError("a tournament needs at least 2 players; one player only has nobody to meet")
        if self.group_size is not None and not 2 <= self.group_size <= len(self.entrants):
            raise InputError(
                f"a group size of {self.group_size} does not fit; with {len(self.entrants)} players it must be "
                f"from 2 to {len(self.entrants)}"
            )
        if self.repetitions < 1:
            raise InputError(f"{self.repetitions} games cannot be played; it must be 1 or more")
        if self.games > GAMES:
            raise InputError(f"{self.games:,} games are too many for one seed; at most {GAMES:,} can be told apart")

    @property
    def seats(self) -> int:
        return self.group_size or len(self.entrants)

    @property
    def tables(self) -> int:
        return math.comb(len(self.entrants), self.seats)

    @property
    def games(self) -> int:
        """How many games there are in all; game k is the (k mod repetitions)-th of table k div repetitions."""
        return self.tables * self.repetitions

    @cached_property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """Every strategy once, however many seats it may hold."""
        return tuple({entrant.name: entrant for entrant in self.entrants}.values())

    def seating(self, games: Whole) -> Whole:
        """(seats, games) For each seat of each of these games, the place of its strategy in `cast`."""
        place = {entry.name: index for index, entry in enumerate(self.cast)}
        members = np.asarray([place[entrant.name] for entrant in self.entrants])
        return np.asarray(members[combinations(len(self.entrants), self.seats, games // self.repetitions)])

    def table(self, game: int) -> list[StrategyEntry]:
        """Who sits at which seat in one game."""
        if not 0 <= game < self.games:
            raise InputError(f"there is no game {game}; the tournament has games 0 to {self.games - 1}")
        return [self.cast[member] for member in self.seating(np.asarray([game]))[:, 0]]


_PLENTY = 2**62


def combinations(things: int, size: int, ranks: Whole) -> Whole:
    """(size, ranks) The combinations of `size` out of `things` that stand at these ranks in lexicographic order."""
    left = ranks.copy()
    chosen = np.zeros((size, len(ranks)), dtype=np.int64)
    filled = np.zeros(len(ranks), dtype=np.int64)
    for thing in range(things):
        # How many combinations take this thing next, by how many places are filled already: no more than things came
        # before, no fewer than leave room for all that are to come. Ranks are below 2^32, so what is far above that may
        # be cut to what 64 bits hold.
        rest = things - thing - 1
        fewest, most = max(0, size - rest - 1), min(thing, size)
        left_over = (math.comb(rest, size - done - 1) if done < size else 0 for done in range(fewest, most + 1))
        ways = np.asarray([min(count, _PLENTY) for count in left_over], dtype=np.int64)
        taking = ways[filled - fewest]
        take = left < taking
        chosen[filled[take], np.flatnonzero(take)] = thing
        left -= np.where(take, 0, taking)
        filled += take
    return chosen
