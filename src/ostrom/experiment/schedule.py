"""Seating of the games of an experiment. Appearances, meetings and seats are as balanced as the number of games allows,
over all seeds and parts."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from ostrom.core import InputError
from ostrom.core.arrangements import arrangements, mirrors
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.errors import field
from ostrom.core.estimates import Floats, Whole

BALANCED: Final = 3
"""The latest version of the balanced schedule. It balances roles and mirrors games with roles. Version 2 balances seats
over all parts, and version 1 balances them in each part separately."""
ADAPTIVE: Final = "adaptive"
_KIND_WEIGHT: Final = 2**20
"""The weight of the balance within a kind of game, relative to the balance over all kinds."""
_BATCH_SIZE: Final = 256
"""The number of games whose random numbers are drawn together."""


@dataclass(frozen=True)
class Counts:
    """The numbers of appearances, meetings and seat placements of each entrant in the games that have been scheduled so
    far."""

    appearances: Whole
    meetings: Whole
    placements: Whole

    @classmethod
    def of(cls, entrants: int, seats: int) -> Self:
        """Return counts of zero."""
        shapes = (entrants,), (entrants, entrants), (entrants, seats)
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    def add(self, table: Whole) -> None:
        """Count a game."""
        self.appearances[table] += 1
        self.meetings[np.ix_(table, table)] += 1
        self.placements[table, range(len(table))] += 1


@dataclass(frozen=True)
class Balance:
    """The counts that are balanced for a part of a schedule: first those of games of its kind, then those of all
    games."""

    entrants: Whole
    """The indices of the part's entrants in the counts."""
    kind: Counts
    total: Counts

    def add(self, table: Sequence[int]) -> None:
        """Count a game of the part."""
        indices = self.entrants[table]
        self.total.add(indices)
        if self.kind is not self.total:
            self.kind.add(indices)


def balances(parts: Sequence[tuple[Hashable, Sequence[str], int]]) -> list[Balance]:
    """Return the balance of each part of an experiment. A part is given by its kind, the names of its entrants, and its
    number of seats. A name that is listed twice counts as two entrants."""
    entrants_by_part = [
        [(name, names[:place].count(name)) for place, name in enumerate(names)] for _, names, _ in parts
    ]
    unique = dict.fromkeys(entrant for entrants in entrants_by_part for entrant in entrants)
    index = {entrant: place for place, entrant in enumerate(unique)}
    max_seats = max(seats for _, _, seats in parts)
    total = Counts.of(len(index), max_seats)
    single_kind = len({kind for kind, _, _ in parts}) == 1
    kinds = {kind: total if single_kind else Counts.of(len(index), max_seats) for kind, _, _ in parts}
    return [
        Balance(np.asarray([index[entrant] for entrant in entrants]), kinds[kind], total)
        for (kind, _, _), entrants in zip(parts, entrants_by_part, strict=True)
    ]


class RoleSeating:
    """Assigns the players of a table to seats so that roles are even, and so that meetings in each pair of roles are
    even."""

    def __init__(self, groups: Sequence[int], entrants: int) -> None:
        self._groups = np.asarray(groups)
        self._kinds = len(set(groups))
        self._candidates = np.asarray(arrangements(groups))
        self._meetings = np.zeros((entrants * self._kinds,) * 2, dtype=np.int64)
        self._placements = np.zeros(entrants * self._kinds, dtype=np.int64)
        self._apart = self._groups[:, None] != self._groups

    def assign(self, chosen: Sequence[int]) -> list[int]:
        """Return the arrangement of these entrants with the most even roles and, among such arrangements, the most even
        meetings."""
        nodes = np.asarray(chosen)[self._candidates] * self._kinds + self._groups
        # One more appearance adds 2·count + 1 to the sum of squares.
        placed = self._placements[nodes].sum(axis=1)
        met = (self._meetings[nodes[:, :, None], nodes[:, None, :]] * self._apart).sum(axis=(1, 2))
        return [chosen[place] for place in self._candidates[int(np.argmin(placed * _KIND_WEIGHT + met))]]

    def add(self, table: Sequence[int]) -> None:
        """Count a game."""
        nodes = np.asarray(table) * self._kinds + self._groups
        self._placements[nodes] += 1
        self._meetings[np.ix_(nodes, nodes)] += self._apart


def round_robin(entrants: int) -> Iterator[tuple[int, int]]:
    """Yield all pairs, round by round (the circle method). After any number of pairs, all entrants have met about
    equally often."""
    places: list[int | None] = [*range(entrants), *([None] if entrants % 2 else [])]
    half = len(places) // 2
    for _ in range(len(places) - 1):
        for one, other in zip(places[:half], reversed(places[half:]), strict=True):
            if one is not None and other is not None:
                yield min(one, other), max(one, other)
        places = [places[0], places[-1], *places[1:-1]]


def mirrored_tables(
    entrants: int, groups: Sequence[int], games: int, seed: int, balance: Balance, first: int = 0
) -> Iterator[list[int]]:
    """Yield the entrant at each seat of each game, for seats in these groups. Entrants are chosen as in
    `balanced_tables` and seated evenly over roles. Each table is followed by its mirrored tables."""
    check_table(entrants, len(groups))
    mirrored = mirrors(groups)
    roles = RoleSeating(groups, entrants)
    blocks = range(first, first - (first - games) // len(mirrored))
    count = games - first
    for numbers in draws(seed, blocks, "schedule", entrants):
        table = roles.assign(_choose_entrants(balance, numbers, len(groups)))
        for order in mirrored[:count]:
            exchanged = [table[seat] for seat in order]
            roles.add(exchanged)
            balance.add(exchanged)
            yield exchanged
        count -= len(mirrored)


def balanced_tables(
    entrants: int, seats: int, games: int, seed: int, balance: Balance | None = None, first: int = 0
) -> Iterator[list[int]]:
    """Yield the entrant at each seat of each game. Entrants with the fewest games play next, so that appearances differ
    by at most one. Among them, entrants with the fewest meetings are preferred. Entrants are seated so that placements
    are even. Ties are broken at random.

    A player that is listed twice counts as two entrants. Without a `balance`, other games do not count. Games before
    the number `first` are skipped, since the balance already includes them."""
    check_table(entrants, seats)
    if balance is None:
        (balance,) = balances([("", [str(place) for place in range(entrants)], seats)])
    for numbers in draws(seed, range(first, games), "schedule", entrants):
        table = assign_seats(_choose_entrants(balance, numbers, seats), balance)
        balance.add(table)
        yield table


def draws(seed: int, games: range, purpose: str, entrants: int) -> Iterator[Floats]:
    """Yield random numbers for each game, one per entrant."""
    key, indices = key_of(check_seed(seed)), np.arange(entrants, dtype=np.uint64)
    for start in range(0, len(games), _BATCH_SIZE):
        batch = np.asarray(games[start : start + _BATCH_SIZE], np.uint64)
        number, entrant = np.meshgrid(batch, indices, indexing="ij")
        yield from uniform_rows(key, number, purpose, 0, entrant)


def check_table(entrants: int, seats: int) -> None:
    """Raise InputError if there are fewer entrants than seats."""
    if seats > entrants:
        raise InputError(
            f"a table of {seats} needs at least {seats} players, and {entrants} {'is' if entrants == 1 else 'are'} "
            f"chosen; seat one several times with NAME:n, or make the table smaller with {field('seats')}"
        )


def _choose_entrants(balance: Balance, numbers: Floats, seats: int) -> list[int]:
    """Return the entrants with the fewest games. Ties are broken by the fewest meetings with entrants that are already
    chosen."""
    chosen: list[int] = []
    entrants = balance.entrants
    appearances = balance.total.appearances[entrants], balance.kind.appearances[entrants]
    meetings = in_kind = np.zeros(len(entrants), dtype=np.int64)
    while len(chosen) < seats:
        order = np.lexsort((numbers, meetings, in_kind, *appearances))
        entrant = int(next(candidate for candidate in order if candidate not in chosen))
        chosen.append(entrant)
        in_kind = in_kind + balance.kind.meetings[entrants, entrants[entrant]]
        meetings = meetings + balance.total.meetings[entrants, entrants[entrant]]
    return chosen


def assign_seats(chosen: list[int], balance: Balance) -> list[int]:
    """Return the assignment of seats with the most even placements, that is, with the smallest sum of squared
    counts."""
    from scipy.optimize import linear_sum_assignment

    # One more placement adds 2·count + 1 to the sum of squares.
    entrants = balance.entrants[chosen]
    in_kind = 2 * balance.kind.placements[entrants, : len(chosen)] + 1
    in_total = 2 * balance.total.placements[entrants, : len(chosen)] + 1
    rows, seats = linear_sum_assignment(_KIND_WEIGHT * in_kind + in_total)
    table = [0] * len(chosen)
    for row, seat in zip(rows, seats, strict=True):
        table[int(seat)] = chosen[int(row)]
    return table
