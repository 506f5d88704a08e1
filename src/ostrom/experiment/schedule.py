"""Games to be played, before anybody has sat down: who sits where, as evenly as the number of games allows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any

import numpy as np

from ostrom.core import Chance, GameChance, InputError
from ostrom.core.estimates import Floats, Whole
from ostrom.core.game import Game
from ostrom.players.base import Contestant


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: which, by what rules, between whom, and with which draws."""

    key: str
    """Its name within the experiment; a game that is taken up again has the same."""
    game: Game
    rules: Any
    contestants: Sequence[Contestant]
    """In the order of the seats."""
    chance: Chance


def balanced_tables(entrants: int, seats: int, games: int, seed: int) -> Iterator[list[int]]:
    """For each game, the entrant at each seat. In every game those sit who sat least so far (so appearances differ by
    one at the most), among them those who met least; and each takes the seat that evens out who sat where. Ties are
    drawn.

    An entrant is a place in the list of players: a player that is listed twice is two entrants."""
    check_table(entrants, seats)
    sat = np.zeros(entrants, dtype=np.int64)
    met = np.zeros((entrants, entrants), dtype=np.int64)
    placed = np.zeros((entrants, seats), dtype=np.int64)
    for game in range(games):
        chance = GameChance(seed, game)
        drawn = np.asarray([chance.uniform("schedule", 0, entrant) for entrant in range(entrants)])
        chosen = _company(sat, met, drawn, seats)
        table = _seats_for(chosen, placed)
        for seat, entrant in enumerate(table):
            placed[entrant, seat] += 1
        sat[chosen] += 1
        met[np.ix_(chosen, chosen)] += 1
        yield table


def all_pairs(entrants: int) -> list[tuple[int, int]]:
    """Every ordered pair of entrants: each one meets each other one in both roles."""
    return list(permutations(range(entrants), 2))


def check_table(entrants: int, seats: int) -> None:
    """Refuse a table that cannot be filled."""
    if seats > entrants:
        raise InputError(
            f"a table of {seats} needs at least {seats} players, and {entrants} {'is' if entrants == 1 else 'are'} "
            "chosen; seat one several times with NAME:n, or make the table smaller with --seats"
        )


def _company(sat: Whole, met: Whole, drawn: Floats, seats: int) -> list[int]:
    """Those who sat least, and among equals those who met the ones already chosen least."""
    chosen: list[int] = []
    free = np.ones(len(sat), dtype=bool)
    for _ in range(seats):
        meetings = met[:, chosen].sum(axis=1) if chosen else np.zeros(len(sat))
        order = np.lexsort((drawn, meetings, sat))
        entrant = int(next(candidate for candidate in order if free[candidate]))
        chosen.append(entrant)
        free[entrant] = False
    return chosen


def _seats_for(chosen: list[int], placed: Whole) -> list[int]:
    """The assignment of seats that leaves the counts most even: the least sum of squares."""
    from scipy.optimize import linear_sum_assignment

    # One more time in a seat adds 2·count + 1 to the sum of squares.
    who, where = linear_sum_assignment(2 * placed[chosen] + 1)
    table = [0] * len(chosen)
    for index, seat in zip(who, where, strict=True):
        table[int(seat)] = chosen[int(index)]
    return table
