"""Who sits where in the games of an experiment: seats and meetings as even as the number of games allows, over all its
seeds and parts."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, Self

import numpy as np

from ostrom.core import InputError
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.errors import field
from ostrom.core.estimates import Floats, Whole

BALANCED: Final = 2
"""The version of the balanced schedule: evenness over all parts. In version 1 each part is even by itself."""
ADAPTIVE: Final = "adaptive"
_FIRST: Final = 2**20
"""How much more an uneven seat counts in the games of a kind than in those of other kinds."""
_AT_ONCE: Final = 256


@dataclass(frozen=True)
class Counts:
    """Who sat how often, with whom, and where, in the games so far."""

    sat: Whole
    met: Whole
    """(entrants, entrants)"""
    placed: Whole
    """(entrants, seats)"""

    @classmethod
    def of(cls, entrants: int, seats: int) -> Self:
        """No game yet."""
        shapes = (entrants,), (entrants, entrants), (entrants, seats)
        return cls(*(np.zeros(shape, dtype=np.int64) for shape in shapes))

    def add(self, table: Whole) -> None:
        """Count a game."""
        self.sat[table] += 1
        self.met[np.ix_(table, table)] += 1
        self.placed[table, range(len(table))] += 1


@dataclass(frozen=True)
class Balance:
    """What is to be even in a part of an experiment: above all the games of its kind, then all games."""

    entrants: Whole
    """The numbers by which the part's entrants are counted."""
    kind: Counts
    whole: Counts


def balances(parts: Sequence[tuple[Hashable, Sequence[str], int]]) -> list[Balance]:
    """What is to be even in each part of an experiment, given as the kind of its games, the names of its entrants and
    its seats. A name that is listed twice is two entrants."""
    listed = [[(name, names[:place].count(name)) for place, name in enumerate(names)] for _, names, _ in parts]
    number = {entrant: place for place, entrant in enumerate(dict.fromkeys(one for each in listed for one in each))}
    most = max(seats for _, _, seats in parts)
    whole = Counts.of(len(number), most)
    alone = len({kind for kind, _, _ in parts}) == 1
    kinds = {kind: whole if alone else Counts.of(len(number), most) for kind, _, _ in parts}
    return [
        Balance(np.asarray([number[entrant] for entrant in each]), kinds[kind], whole)
        for (kind, _, _), each in zip(parts, listed, strict=True)
    ]


def balanced_tables(
    entrants: int, seats: int, games: int, seed: int, balance: Balance | None = None, first: int = 0
) -> Iterator[list[int]]:
    """For each game, the entrant at each seat. In every game those sit who sat least so far (so appearances differ by
    one at the most), among them those who met least; and each takes the seat that evens out who sat where. Ties are
    drawn.

    An entrant is a place in the list of players: a player that is listed twice is two entrants. Without a balance, no
    other games are looked at. Those before the `first` are passed over: the balance has them."""
    check_table(entrants, seats)
    if balance is None:
        (balance,) = balances([("", [str(place) for place in range(entrants)], seats)])
    for drawn in draws(seed, range(first, games), "schedule", entrants):
        table = seats_for(_company(balance, drawn, seats), balance)
        numbers = balance.entrants[table]
        balance.whole.add(numbers)
        if balance.kind is not balance.whole:
            balance.kind.add(numbers)
        yield table


def draws(seed: int, games: range, purpose: str, entrants: int) -> Iterator[Floats]:
    """For each game a number drawn for every entrant; those of many games are made at once, which takes as long as
    those of one."""
    key, everybody = key_of(check_seed(seed)), np.arange(entrants, dtype=np.uint64)
    for start in range(0, len(games), _AT_ONCE):
        number, entrant = np.meshgrid(np.asarray(games[start : start + _AT_ONCE], np.uint64), everybody, indexing="ij")
        yield from uniform_rows(key, number, purpose, 0, entrant)


def all_pairs(entrants: int) -> list[tuple[int, int]]:
    """Every ordered pair of entrants: each one meets each other one in both roles."""
    return list(permutations(range(entrants), 2))


def check_table(entrants: int, seats: int) -> None:
    """Refuse a table that cannot be filled."""
    if seats > entrants:
        raise InputError(
            f"a table of {seats} needs at least {seats} players, and {entrants} {'is' if entrants == 1 else 'are'} "
            f"chosen; seat one several times with NAME:n, or make the table smaller with {field('seats')}"
        )


def _company(balance: Balance, drawn: Floats, seats: int) -> list[int]:
    """Those who sat least, and among equals those who met the ones already chosen least."""
    chosen: list[int] = []
    some, kind, whole = balance.entrants, balance.kind, balance.whole
    sat = whole.sat[some], kind.sat[some]
    here = anywhere = np.zeros(len(some), dtype=np.int64)
    while len(chosen) < seats:
        order = np.lexsort((drawn, anywhere, here, *sat))
        entrant = int(next(candidate for candidate in order if candidate not in chosen))
        chosen.append(entrant)
        here, anywhere = (so_far + each.met[some, some[entrant]] for so_far, each in ((here, kind), (anywhere, whole)))
    return chosen


def seats_for(chosen: list[int], balance: Balance) -> list[int]:
    """The assignment of seats that leaves the counts most even: the least sum of squares."""
    from scipy.optimize import linear_sum_assignment

    # One more time in a seat adds 2·count + 1 to the sum of squares.
    who = balance.entrants[chosen]
    here, anywhere = (2 * each.placed[who, : len(chosen)] + 1 for each in (balance.kind, balance.whole))
    index, seat = linear_sum_assignment(_FIRST * here + anywhere)
    table = [0] * len(chosen)
    for one, where in zip(index, seat, strict=True):
        table[int(where)] = chosen[int(one)]
    return table
