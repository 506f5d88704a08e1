"""Payoff tables: what each player earns on average in a group of n seats, by who else sits there, with standard
errors. Evolution and equilibria start from them; where the figures come from (games of a tournament, an experiment,
a formula, a file) makes no difference to what is done with them.

A *composition* says how many seats of a group each player holds. Seats are exchangeable: payoffs of a game whose seats
differ are means over them."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri, stdtrit

from ostrom.core import InputError
from ostrom.core.errors import field

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Payoff = Callable[[Sequence[int]], Sequence[float]]
"""What each player earns in a group of this composition; what is said of those who are not there is not read."""

MOST_RESAMPLES = 100_000
"""Tables drawn anew for an interval: more make it no better."""
MOST_COMPOSITIONS = 100_000
"""Above it a table is too large to be worth its games; runs of agents need none."""


@dataclass(frozen=True)
class Samples:
    """The games behind a table, composition after composition, so that they can be drawn again."""

    payoffs: Floats
    """(games, slots) What each player of the composition earned on average over its seats; slots are the players that
    are there, in the order of the table, and NaN fills the rest."""
    starts: Ints
    """(compositions,) Where the games of each begin."""
    common: bool = False
    """Whether every composition has the same games, by the draws of chance in them, in the same order."""


@dataclass(frozen=True)
class Groups:
    """The compositions of a table, and where each stands."""

    players: tuple[str, ...]
    seats: int
    counts: Ints
    """(compositions, players) Seats that each player holds."""

    def __post_init__(self) -> None:
        if not self.players:
            raise InputError("a payoff table needs at least one player")
        if len(set(self.players)) < len(self.players):
            twice = next(name for name in self.players if self.players.count(name) > 1)
            raise InputError(f"{twice} is named twice; a population has one kind of each player")
        if self.seats < 2:
            raise InputError(f"a group needs at least 2 seats, got {self.seats}")

    @classmethod
    def all_of(cls, players: Sequence[str], seats: int) -> "Groups":
        """Every composition."""
        return cls(tuple(players), seats, all_compositions(len(players), seats))

    @classmethod
    def pairs_of(cls, players: Sequence[str], seats: int) -> "Groups":
        """The compositions of one or two players, which rare mutations need."""
        made = len(players) + math.comb(len(players), 2) * (seats - 1)
        if made > MOST_COMPOSITIONS:
            raise InputError(
                f"{len(players)} players in groups of {seats} have {made:,} compositions of two, at most "
                f"{MOST_COMPOSITIONS:,} are possible; take fewer players or smaller groups"
            )
        single = [(player,) * seats for player in range(len(players))]
        both = combinations(range(len(players)), 2)
        mixed = [(a,) * k + (b,) * (seats - k) for a, b in both for k in range(seats - 1, 0, -1)]
        return cls(tuple(players), seats, _counted([*single, *mixed], len(players)))

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def whole(self) -> bool:
        """Whether every composition is there."""
        return len(self) == math.comb(self.seats + len(self.players) - 1, self.seats)

    @cached_property
    def _places(self) -> Mapping[tuple[int, ...], int]:
        return {tuple(row): place for place, row in enumerate(self.counts.tolist())}

    def place(self, counts: Sequence[int]) -> int:
        """The place of a composition."""
        found = self._places.get(tuple(counts))
        if found is None:
            raise InputError(f"the payoff table has no games of a group of {self.said(counts)}")
        return found

    def said(self, counts: Sequence[int]) -> str:
        """A composition in words."""
        return " + ".join(f"{count} {name}" for name, count in zip(self.players, counts, strict=True) if count)

    @cached_property
    def of_pairs(self) -> Ints:
        """(first, second, n + 1) The places of the groups with 0 … n of the first player, the others of the second."""
        every = np.eye(len(self.players), dtype=np.int64)
        return np.asarray(
            [
                [
                    [self.place((k * one + (self.seats - k) * other).tolist()) for k in range(self.seats + 1)]
                    for other in every
                ]
                for one in every
            ]
        )

    @cached_property
    def co_players(self) -> Ints:
        """(groups, players) Every composition of the others of a group."""
        return all_compositions(len(self.players), self.seats - 1)

    @cached_property
    def members(self) -> Ints:
        """(groups, n − 1) The same one by one."""
        every = np.arange(len(self.players))
        return np.stack([every.repeat(row) for row in self.co_players])

    @cached_property
    def orders(self) -> Floats:
        """(groups,) In how many orders the others can be drawn."""
        return np.asarray(
            [math.factorial(self.seats - 1) / math.prod(map(math.factorial, row)) for row in self.co_players.tolist()]
        )

    @cached_property
    def joined(self) -> Ints:
        """(groups, players) The place of the group that these others and one more player make."""
        every = np.eye(len(self.players), dtype=np.int64)
        return np.asarray([[self.place((others + one).tolist()) for one in every] for others in self.co_players])

    @cached_property
    def slots(self) -> Ints:
        """(compositions, slots) The players of each, in their order, before some that are not there."""
        most = min(self.seats, len(self.players))
        return np.argsort(self.counts == 0, axis=1, kind="stable")[:, :most]


@dataclass(frozen=True)
class PayoffTable:
    """Mean payoffs by composition of the group."""

    groups: Groups
    means: Floats
    """(compositions, players) NaN for who is not there."""
    errors: Floats
    """(compositions, players) Standard errors; 0 where payoffs are exact, NaN for who is not there and where one game
    shows no chance."""
    games: Ints
    """(compositions,) Games that were played; 0 where payoffs are exact."""
    samples: Samples | None = None

    @classmethod
    def exact(cls, players: Sequence[str], seats: int, payoff: Payoff) -> "PayoffTable":
        """The table of a formula: all compositions."""
        groups = Groups.all_of(players, seats)
        means = np.asarray([payoff(row) for row in groups.counts.tolist()], dtype=np.float64)
        if means.shape != groups.counts.shape:
            raise InputError(f"a formula gives a payoff for each of {len(players)} players, got shape {means.shape}")
        return cls._of_means(groups, means)

    @classmethod
    def of_matrix(cls, players: Sequence[str], payoffs: Any) -> "PayoffTable":
        """The table of a matrix: payoffs[i][j] is what i earns against j; or, for more seats, payoffs[i][j][k]… of
        the first of each profile, averaged over the orders of the others."""
        matrix, size = np.asarray(payoffs, dtype=np.float64), len(players)
        if matrix.ndim < 2 or set(matrix.shape) != {size}:
            raise InputError(f"a matrix for {size} players has {size} rows and columns, got {matrix.shape}")
        groups = Groups.all_of(players, matrix.ndim)
        found: dict[tuple[int, ...], list[list[float]]] = {}
        for profile in product(range(size), repeat=matrix.ndim):
            counts = tuple(np.bincount(profile, minlength=size).tolist())
            found.setdefault(counts, [[] for _ in players])[profile[0]].append(float(matrix[profile]))
        means = [[np.mean(each) if each else np.nan for each in found[tuple(row)]] for row in groups.counts.tolist()]
        return cls._of_means(groups, np.asarray(means))

    @classmethod
    def of_games(
        cls, players: Sequence[str], seats: int, seating: Ints, payoffs: Floats, *, common: bool = False
    ) -> "PayoffTable":
        """The table of games that were played: who sat where, (seats, games) places in `players`, and what each seat
        earned. Games are the independent units: seats of one player in one game are averaged. Where chance is `common`
        to the compositions, the k-th game of each has the same draws, and they are drawn again together."""
        size = len(players)
        counts = np.stack([(seating == player).sum(axis=0) for player in range(size)], axis=1)
        found, group = np.unique(counts, axis=0, return_inverse=True)
        order = np.argsort(group.reshape(-1), kind="stable")
        group = group.reshape(-1)[order]
        sums = np.stack([np.where(seating == player, payoffs, 0.0).sum(axis=0) for player in range(size)], axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            each = np.where(counts > 0, sums / counts, np.nan)[order]
        groups = Groups(tuple(players), seats, found)
        starts = np.searchsorted(group, np.arange(len(found)))
        samples = Samples(np.take_along_axis(each, groups.slots[group], axis=1), starts, common)
        empty = np.full(found.shape, np.nan)
        return cls(groups, empty, empty, np.diff([*starts, len(order)]), samples)._from_samples()

    @classmethod
    def empty(cls, groups: Groups) -> "PayoffTable":
        """A table without payoffs, for those who play without one."""
        return cls._of_means(groups, np.full(groups.counts.shape, np.nan))

    @classmethod
    def _of_means(cls, groups: Groups, means: Floats) -> "PayoffTable":
        there = groups.counts > 0
        none = np.zeros(len(groups), dtype=np.int64)
        return cls(groups, np.where(there, means, np.nan), np.where(there, 0.0, np.nan), none)

    def _from_samples(self, drawn: Ints | None = None) -> "PayoffTable":
        """The table with the means and errors of its games, or of these of them."""
        assert self.samples is not None
        payoffs = self.samples.payoffs if drawn is None else self.samples.payoffs[drawn]
        starts, games = self.samples.starts, self.games[:, None]
        means = np.add.reduceat(payoffs, starts, axis=0) / games
        if drawn is not None:
            return replace(self, means=self._spread(means))
        squares = np.add.reduceat((payoffs - np.repeat(means, self.games, axis=0)) ** 2, starts, axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            errors = np.where(games > 1, np.sqrt(squares / (games - 1) / games), np.nan)
        return replace(self, means=self._spread(means), errors=self._spread(errors))

    def _spread(self, by_slot: Floats) -> Floats:
        """From slots to players."""
        made = np.full(self.groups.counts.shape, np.nan)
        np.put_along_axis(made, self.groups.slots, by_slot, axis=1)
        made[self.groups.counts == 0] = np.nan
        return made

    def resampled(self, chance: np.random.Generator) -> "PayoffTable":
        """The table of as many games drawn again with replacement, composition by composition. Differences from the
        means are widened by √(R/(R−1)), as the spread of R games is narrower than that of their source, and by what
        Student's t is wider than the normal law, so that 95 % of what is drawn is an interval that holds (Hesterberg
        2015, the expanded percentile interval)."""
        if self.samples is None:
            return self
        if self.samples.common:
            games = int(self.games[0])
            drawn = (self.samples.starts[:, None] + (chance.random(games) * games).astype(np.int64)).reshape(-1)
        else:
            of_each = self.games.repeat(self.games)
            drawn = self.samples.starts.repeat(self.games) + (chance.random(len(of_each)) * of_each).astype(np.int64)
        again = self._from_samples(drawn)
        others = np.maximum(self.games - 1, 1)
        widening = (np.sqrt(self.games / others) * stdtrit(others, 0.975) / ndtri(0.975))[:, None]
        return replace(again, means=self.means + widening * (again.means - self.means), samples=None)

    @property
    def players(self) -> tuple[str, ...]:
        """Who was seated, in the order of the columns."""
        return self.groups.players

    @property
    def seats(self) -> int:
        """How many sit at a table."""
        return self.groups.seats

    @property
    def certain(self) -> bool:
        """Whether its payoffs have no uncertainty."""
        return self.samples is None and not np.nan_to_num(self.errors).any()

    @property
    def played_once(self) -> bool:
        """Whether a composition was played once: a single game, drawn again, is always the same, so that tables of
        games drawn anew do not show how uncertain its payoffs are."""
        return self.samples is not None and bool((self.games[self.games > 0] < 2).any())

    def pairs(self) -> tuple[Floats, Floats]:
        """(first, second, n) twice: what the first player earns where 1 … n of the group are of its kind and the others
        of the second, and what the second earns where 0 … n − 1 are of the first."""
        places, each = self.groups.of_pairs, np.arange(len(self.players))
        return self.means[places[:, :, 1:], each[:, None, None]], self.means[places[:, :, :-1], each[None, :, None]]

    @cached_property
    def among(self) -> Floats:
        """(groups, players) What each player earns among these co-players."""
        return np.asarray(self.means[self.groups.joined, np.arange(len(self.players))])

    @property
    def matrix(self) -> Floats:
        """(players, players) What the first earns against the second, in groups of two."""
        if self.seats != 2:
            raise InputError(f"only groups of 2 have a payoff matrix; these have {self.seats}")
        return np.asarray(self.pairs()[0][..., 0])

    def expected(self, shares: Floats) -> Floats:
        """(…, players) The expected payoff of each player in an endless population of these shares, whose groups are
        drawn at random."""
        drawn = self.groups.orders * np.prod(np.asarray(shares)[..., self.groups.members], axis=-1)
        return np.asarray(drawn @ self.among)

    def expected_in(self, counts: Ints) -> Floats:
        """(states, players) The expected payoff of each player in a population of these counts, whose groups are drawn
        without replacement: no individual meets itself. NaN for players who are absent."""
        population, others = int(counts[0].sum()), self.groups.co_players
        check_population(population, self.seats)
        ways = np.asarray(
            [[math.comb(s, m) for m in range(self.seats)] for s in range(population + 1)], dtype=np.float64
        )
        found, among = np.empty(counts.shape), self.among
        size = max(1, 4_000_000 // len(others))
        for start in range(0, len(counts), size):
            part = counts[start : start + size]
            drawn = np.ones((len(part), len(others)))
            for player in range(len(self.players)):
                drawn *= ways[part[:, player, None], others[None, :, player]]
            drawn /= math.comb(population - 1, self.seats - 1)
            # One of the player's own has left the population: C(s − 1, m) = C(s, m) (s − m) / s.
            with np.errstate(invalid="ignore", divide="ignore"):
                met = drawn @ among - (drawn @ (others * among)) / part
            found[start : start + size] = np.where(part > 0, met, np.nan)
        return found

    def scaled(self, unit: float) -> "PayoffTable":
        """The table in another unit."""
        samples = None if self.samples is None else replace(self.samples, payoffs=self.samples.payoffs / unit)
        return replace(self, means=self.means / unit, errors=self.errors / abs(unit), samples=samples)

    def rows(self) -> Iterator[dict[str, Any]]:
        """The table as plain data: a row for each player of each composition."""
        for counts, means, errors, games in zip(self.groups.counts, self.means, self.errors, self.games, strict=True):
            for place in np.flatnonzero(counts):
                error = float(errors[place])
                yield {
                    "composition": self.groups.said(counts),
                    "player": self.players[place],
                    "seats": int(counts[place]),
                    "payoff": float(means[place]),
                    "error": None if math.isnan(error) else error,
                    "games": int(games),
                }


def all_compositions(players: int, seats: int) -> Ints:
    """(compositions, players) Return every way to fill the seats, the first player's first."""
    made = math.comb(seats + players - 1, seats)
    if made > MOST_COMPOSITIONS:
        raise InputError(
            f"{players} players in groups of {seats} have {made:,} compositions, at most {MOST_COMPOSITIONS:,} are "
            f"possible; take fewer players, smaller groups, {field('mutation', 'small')}, which needs pairs of players "
            f"alone, or {field('agents')}, which need no table"
        )
    return _counted(combinations_with_replacement(range(players), seats), players)


def check_population(population: int, seats: int) -> None:
    """Refuse a population that cannot fill a group."""
    if population < seats:
        raise InputError(f"a population of {population} is smaller than a group of {seats}")


def _counted(groups: Iterable[Sequence[int]], players: int) -> Ints:
    return np.asarray([np.bincount(group, minlength=players) for group in groups], dtype=np.int64).reshape(-1, players)
