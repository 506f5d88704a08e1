"""Arrangements of players over the seats of a table, for games in which seats have roles. An arrangement says which
player has which seat. If a table has few distinct arrangements, all of them are used. Otherwise a balanced sample is
used: every player has every seat equally often, and every two players meet equally often in both orders of any two
roles. Seats of one group of `Game.seat_groups` are interchangeable."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import Whole

MAX_DISTINCT: Final = 24
"""All arrangements are used if there are at most this many: the 24 orders of four seats."""
SAMPLE_SIZE: Final = 48
"""The approximate number of arrangements in a sample. A sample has at least one arrangement for each seat."""
MAX_MIRRORED_SEATS: Final = 6
"""The largest number of seats for which `mirrors` rotates the players through all seats. Tables with two equal sides
may be larger, since only the sides are exchanged."""
_CANDIDATES: Final = 64
"""The number of random orders that are compared; the sample takes the most balanced one."""
_SEED: Final = 735
MAX_CELLS: Final = 4_000_000
"""The largest number of cells (pairs of players × pairs of roles) for which the balance of a schedule is computed."""

Arrangement = tuple[int, ...]
"""The arrangement of a table: entry s is the index, in the table's list of players, of the player in seat s."""


def count_distinct(groups: Sequence[int]) -> int:
    """Return the number of distinct arrangements. Two arrangements are distinct if at least one player has a seat in a
    different group."""
    count = math.factorial(len(groups))
    for size in Counter(groups).values():
        count //= math.factorial(size)
    return count


def arrangements(groups: Sequence[int], limit: int | None = None) -> tuple[Arrangement, ...]:
    """Return the arrangements of a table, at most `limit`; seats of the same group are interchangeable."""
    count = count_distinct(groups)
    if count <= MAX_DISTINCT and (limit is None or count <= limit):
        return tuple(_distinct(groups))
    size = min(limit or SAMPLE_SIZE, SAMPLE_SIZE)
    seats = len(groups)
    if limit is not None and limit < seats:
        # With fewer games than seats, use rotations that are as far apart as possible.
        offsets = [place * seats // limit for place in range(limit)]
        return tuple(_rotated(range(seats), offset) for offset in offsets)
    return tuple(_sample(groups, max(1, size // seats)))


def _distinct(groups: Sequence[int]) -> Iterator[Arrangement]:
    """Yield every distinct arrangement. Players who have seats in the same group rotate their seats from one
    arrangement to the next."""
    seats_of: dict[int, list[int]] = {}
    for seat, group in enumerate(groups):
        seats_of.setdefault(group, []).append(seat)
    for index, assignment in enumerate(_assignments(Counter(groups), len(groups))):
        order = [0] * len(groups)
        for group, seats in seats_of.items():
            members = [player for player, own in enumerate(assignment) if own == group]
            for place, seat in enumerate(seats):
                order[seat] = members[(place + index) % len(members)]
        yield tuple(order)


def _assignments(left: Counter[int], players: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to assign each player to a group; `left` has the number of free seats of each group."""
    if players == 0:
        yield ()
        return
    for group in sorted(left):
        if left[group]:
            left[group] -= 1
            for rest in _assignments(left, players - 1):
                yield (group, *rest)
            left[group] += 1


def _sample(groups: Sequence[int], orders: int) -> Iterator[Arrangement]:
    """Yield all rotations of `orders` orders of the players. In the rotations of one order, every player has every seat
    once. With two groups, this also makes every two players meet equally often in both orders. With more groups, the
    reversed order must be rotated too."""
    reversals = len(set(groups)) > 2
    orders = max(1, orders // 2) if reversals else orders
    together = np.zeros((len(groups), len(groups)), dtype=np.int64)
    for index in range(orders):
        chosen, together = _most_even(groups, together, index)
        for order in (chosen, chosen[::-1]) if reversals else (chosen,):
            yield from (_rotated(order, offset) for offset in range(len(groups)))


def _most_even(groups: Sequence[int], together: Whole, index: int) -> tuple[list[int], Whole]:
    """Return the most balanced of some random orders. Also return the number of times that each two players have met
    within a group, including this order. An order is more balanced if these numbers differ less between pairs of
    players."""
    seats = len(groups)
    candidate, seat = np.indices((_CANDIDATES, seats), dtype=np.uint64)
    uniform = uniform_rows(key_of(_SEED), np.full_like(candidate, index), "arrangement", candidate, seat)
    group = np.asarray(groups)
    # For each distance between two places of an order, count the rotations in which the seats at these places are in
    # the same group.
    same = np.asarray([(group == np.roll(group, -distance)).sum() for distance in range(seats)])
    options = []
    for order in np.argsort(uniform, axis=1):
        place = np.argsort(order)
        options.append((order, together + same[(place[:, None] - place) % seats]))
    off_diagonal = ~np.eye(seats, dtype=bool)
    order, met = min(options, key=lambda option: float(option[1][off_diagonal].var()))
    return [int(player) for player in order], met


def _rotated(order: Sequence[int], offset: int) -> Arrangement:
    return (*order[offset:], *order[:offset])


def mirrors(groups: Sequence[int]) -> tuple[Arrangement, ...]:
    """Return the arrangements in which the players of one game replay it with the same draws, so that every player has
    every role. The first arrangement is that of the game itself. With two equal sides, the second one exchanges the
    sides. Otherwise the players rotate through all seats. For large tables and tables with a single group, only the
    first arrangement is returned, so their games are not replayed."""
    seats = range(len(groups))
    sides = [[seat for seat in seats if groups[seat] == group] for group in sorted(set(groups))]
    own = tuple(seats)
    if len(sides) == 2 and len(sides[0]) == len(sides[1]):
        partner = dict(zip(sides[0] + sides[1], sides[1] + sides[0], strict=True))
        return own, tuple(partner[seat] for seat in seats)
    if len(sides) == 1 or len(groups) > MAX_MIRRORED_SEATS:
        return (own,)
    return tuple(_rotated(own, offset) for offset in seats)


class RoleBalance(NamedTuple):
    """The balance of a schedule: how evenly players have the roles, and how evenly two players meet in both orders of
    two roles."""

    meetings: int
    """The number of meetings of two players in different roles."""
    orders: int
    """The largest difference, over all pairs of players and pairs of roles, between the number of meetings in one order
    and in the other."""
    appearances: int
    """The largest difference between the numbers of games that two players have in the same role."""

    @property
    def even(self) -> bool:
        return self.orders == 0 and self.appearances == 0

    def sentence(self) -> str:
        """Return a sentence that describes the balance."""
        if self.even:
            return (
                "Every player has every role equally often, and every two players meet in both orders of their roles."
            )
        differences = []
        if self.orders:
            differences.append(
                f"two players may play {_more_games(self.orders)} in one order of their roles than in the other"
            )
        if self.appearances:
            differences.append(f"a player may have a role in {_more_games(self.appearances)} than another player")
        return f"Roles are not quite balanced: {', and '.join(differences)}. Other numbers of games balance them."


def _more_games(most: int) -> str:
    return "1 more game" if most == 1 else f"up to {most:,} more games"


def balance_of(tables: Whole, groups: Sequence[int], players: int, weights: Whole | None = None) -> RoleBalance | None:
    """Return the balance of a schedule. `tables` (seats, tables) has the index of the player at each seat of each
    table, and `weights` the number of games at each table. Return None if there are too many players and roles to
    count, or if all seats are in one group."""
    kinds = len(set(groups))
    if kinds < 2 or (players * kinds) ** 2 > MAX_CELLS:
        return None
    weight = np.ones(tables.shape[1], dtype=np.int64) if weights is None else weights
    node = tables * kinds + np.asarray(groups)[:, None]
    meetings = np.zeros((players * kinds) ** 2, dtype=np.int64)
    appearances = np.zeros(players * kinds, dtype=np.int64)
    for seat, other in ((seat, other) for seat in range(len(groups)) for other in range(len(groups))):
        if groups[seat] != groups[other]:
            # A player at two seats of a table does not meet itself.
            counted = np.where(tables[seat] != tables[other], weight, 0)
            np.add.at(meetings, node[seat] * players * kinds + node[other], counted)
    for row in node:
        np.add.at(appearances, row, weight)
    shaped = meetings.reshape(players, kinds, players, kinds)
    by_role = appearances.reshape(players, kinds)
    return RoleBalance(
        meetings=int(meetings.sum()) // 2,
        orders=int(np.abs(shaped - shaped.transpose(0, 3, 2, 1)).max()),
        appearances=int((by_role.max(axis=0) - by_role.min(axis=0)).max()),
    )


def block_of(games: Whole, total: int, blocks: int) -> Whole:
    """Return the index of the block of each of these games. All `total` games are divided into `blocks` blocks of
    consecutive games, of sizes as equal as possible."""
    return np.asarray(games * blocks // total)


def block_starts(total: int, blocks: int) -> list[tuple[int, int]]:
    """Return two numbers for each block: its first game, and the first game after it."""
    starts = [-(-block * total // blocks) for block in range(blocks + 1)]
    return list(pairwise(starts))
