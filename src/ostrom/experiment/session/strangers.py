"""Perfect strangers: groups at several tables in a row in which no two people meet twice (the social golfer problem).

Groups of two are matched by a round-robin tournament. Larger groups are built from a transversal design: the people
are arranged in as many rows as a group has seats; at each table, a group takes one person of each row, and row i is
shifted by i times the number of the table. If the arithmetic does not work for the number of groups, a bounded search
looks for other groups.
"""

import random
from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Final

from ostrom.core import InputError
from ostrom.core.text import number_of

Rounds = tuple[tuple[tuple[int, ...], ...], ...]
_ATTEMPTS: Final = 60
"""The number of fresh starts of the search. A larger number makes the refusal of impossible plans slower."""
_STEPS: Final = 4000
"""The number of tried seats in one start of the search."""


@cache
def perfect_strangers(people: int, size: int, tables: int, *, seed: int = 0) -> Rounds:
    """Return the groups of each table for people numbered from 0. Raise InputError if more people are needed, or if no
    such groups could be constructed."""
    if people % size:
        raise InputError(f"groups of {size} do not divide {people} people")
    groups = people // size
    if size == 1 or tables <= 1 or groups == 0:
        return (_in_rows(people, size),) * tables
    most = max_tables(people, size)
    if tables > most:
        raise InputError(
            f"perfect strangers in groups of {size} can meet at most {number_of(most, 'time')} among {people} people, "
            f"got {number_of(tables, 'table')}"
        )
    rounds = _round_robin(people) if size == 2 else _transversal(groups, size)
    if len(rounds) < tables:
        searched = _search(people, size, tables, seed)
        if searched is None:
            raise InputError(
                f"no plan was constructed in which {people} people in groups of {size} meet at {tables} tables as "
                f"perfect strangers; use fewer tables, more people or strangers"
            )
        rounds = searched
    return tuple(rounds[:tables])


def max_tables(people: int, size: int) -> int:
    """Return a bound on the number of tables. Each table brings a person together with new people, and with fewer
    groups than seats, two people of a group always meet again."""
    if people // size < size:
        return 1
    return (people - 1) // (size - 1)


def _in_rows(people: int, size: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(range(first, first + size)) for first in range(0, people, size))


def _round_robin(people: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return the rounds of a tournament in which every pair meets exactly once (the circle method)."""
    rounds: list[tuple[tuple[int, ...], ...]] = []
    for turn in range(people - 1):
        ring = [people - 1, *((turn + step) % (people - 1) for step in range(people - 1))]
        pairs = [(ring[1 + step], ring[-step]) for step in range(1, people // 2)]
        rounds.append(((ring[0], ring[1]), *pairs))
    return rounds


def _transversal(groups: int, size: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return rounds in which person (row, column) has the number row * groups + column. Two people of rows i and k meet
    in the rounds r with (i - k) r = their columns' difference modulo the number of groups, which has one solution if no
    prime factor of the number of groups is less than the number of rows."""
    factor = next(divisor for divisor in range(2, groups + 1) if groups % divisor == 0)
    if factor < size:
        return []
    rounds = [
        tuple(tuple(row * groups + (column + row * turn) % groups for row in range(size)) for column in range(groups))
        for turn in range(groups)
    ]
    if groups % size == 0:
        rows = [tuple(range(row * groups, (row + 1) * groups)) for row in range(size)]
        further = _within_rows(rows, size)
        rounds += further
    return rounds


def _within_rows(rows: Sequence[tuple[int, ...]], size: int) -> list[tuple[tuple[int, ...], ...]]:
    """Return further rounds among the people of each row, who have not met yet."""
    count = len(rows[0]) // size
    inner = _transversal(count, size) if count > 1 else [(tuple(range(size)),)]
    return [tuple(tuple(row[place] for place in group) for row in rows for group in turn) for turn in inner]


def _search(people: int, size: int, tables: int, seed: int) -> list[tuple[tuple[int, ...], ...]] | None:
    """Look for groups by backtracking within each table, with several fresh starts; return None without success."""
    generator = random.Random(seed)  # Only the method `random` is used, whose numbers are the same in every version.
    for _ in range(_ATTEMPTS):
        met: list[set[int]] = [set() for _ in range(people)]
        rounds: list[tuple[tuple[int, ...], ...]] = []
        for _ in range(tables):
            groups = _TableSearch(people, size, met, generator).groups()
            if groups is None:
                break
            rounds.append(groups)
            for one, other in (pair for group in groups for pair in combinations(group, 2)):
                met[one].add(other)
                met[other].add(one)
        if len(rounds) == tables:
            return rounds
    return None


class _TableSearch:
    """The search for the groups of one table."""

    def __init__(self, people: int, size: int, met: Sequence[set[int]], generator: random.Random) -> None:
        self._size, self._met = size, met
        # Those who have met most are placed first, since they have the fewest possible partners.
        order = {person: generator.random() for person in range(people)}
        self._free = sorted(range(people), key=lambda person: (-len(met[person]), order[person]))
        self._seated: list[int] = []
        self._places: list[int] = []
        """The place in the list of free people from which each seated person was taken."""

    def groups(self) -> tuple[tuple[int, ...], ...] | None:
        """Return the groups, or None if the search was not successful within its steps."""
        first = 0
        for _ in range(_STEPS + len(self._free)):
            if not self._free:
                seats = range(0, len(self._seated), self._size)
                return tuple(tuple(self._seated[seat : seat + self._size]) for seat in seats)
            place = self._next_place(first)
            if place is not None:
                self._places.append(place)
                self._seated.append(self._free.pop(place))
                # Within a group, people have the order of the list, so that no group is tried twice.
                first = place if len(self._seated) % self._size else 0
            elif self._places:
                first = self._places.pop() + 1
                self._free.insert(first - 1, self._seated.pop())
            else:
                return None
        return None

    def _next_place(self, first: int) -> int | None:
        """Return the place of the next person, from `first`, who has not met the open group."""
        group = self._seated[len(self._seated) // self._size * self._size :]
        if not group:
            return 0 if first == 0 else None  # The first free person is in some group, so in this one.
        for place in range(first, len(self._free)):
            if not any(self._free[place] in self._met[other] for other in group):
                return place
        return None
