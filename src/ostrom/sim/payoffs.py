"""Payoff tables. A payoff table has the mean payoff of each player in a group of n seats, with its standard error, by
composition of the group. Evolution and equilibria are computed from payoff tables. The payoffs can come from a
tournament, an experiment, a formula or a file.

A *composition* is the number of seats of each player in a group. Seats are exchangeable. If the seats of a game differ,
payoffs are means over seats.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.sim.batch import Floats, Ints

Payoff = Callable[[Sequence[int]], Sequence[float]]
"""A function that returns the payoff of each player in a group of this composition. Entries of absent players are
ignored."""

MAX_RESAMPLES = 100_000
"""The largest number of bootstrap samples of a table. More samples would not improve the interval."""
MAX_COMPOSITIONS = 100_000
"""The largest number of compositions of a table. More compositions would need too many games. Simulations of agents
need no table."""


@dataclass(frozen=True)
class PayoffSamples:
    """The payoffs of the games from which a table was computed, ordered by composition. They are used for
    resampling."""

    payoffs: Floats
    """(games, slots) The mean payoff over the seats of each player. The slots are the players of the composition in the
    order of the table, padded with NaN."""
    starts: Ints
    """(compositions,) The index of the first game of each composition."""
    common: bool = False
    """True if the k-th games of all compositions share their random draws."""


@dataclass(frozen=True)
class Groups:
    """The compositions of a table, with an index that finds a composition."""

    players: tuple[str, ...]
    seats: int
    counts: Ints
    """(compositions, players) Seats of each player."""

    def __post_init__(self) -> None:
        if not self.players:
            raise InputError("a payoff table needs at least one player")
        if len(set(self.players)) < len(self.players):
            twice = next(name for name in self.players if self.players.count(name) > 1)
            raise InputError(f"{twice} is named twice; name each player once")
        if self.seats < 2:
            raise InputError(f"a group needs at least 2 seats, got {self.seats}")

    @classmethod
    def all_of(cls, players: Sequence[str], seats: int) -> "Groups":
        """Return every composition."""
        return cls(tuple(players), seats, all_compositions(len(players), seats))

    @classmethod
    def pairs_of(cls, players: Sequence[str], seats: int) -> "Groups":
        """Return the compositions of one or two players. Rare mutations need only these."""
        count = len(players) + math.comb(len(players), 2) * (seats - 1)
        if count > MAX_COMPOSITIONS:
            raise InputError(
                f"{len(players)} players in groups of {seats} have {count:,} compositions of two; at most "
                f"{MAX_COMPOSITIONS:,} are possible; take fewer players or smaller groups"
            )
        single = [(player,) * seats for player in range(len(players))]
        pairs = combinations(range(len(players)), 2)
        mixed = [(a,) * k + (b,) * (seats - k) for a, b in pairs for k in range(seats - 1, 0, -1)]
        return cls(tuple(players), seats, _counted([*single, *mixed], len(players)))

    def __len__(self) -> int:
        return len(self.counts)

    @cached_property
    def whole(self) -> bool:
        """True if every composition is included."""
        return len(self) == math.comb(self.seats + len(self.players) - 1, self.seats)

    @cached_property
    def _places(self) -> Mapping[tuple[int, ...], int]:
        return {tuple(row): place for place, row in enumerate(self.counts.tolist())}

    def place(self, counts: Sequence[int]) -> int:
        """Return the index of a composition. Raise InputError if it is missing."""
        index = self._places.get(tuple(counts))
        if index is None:
            raise InputError(f"the payoff table has no games of a group of {self.in_words(counts)}")
        return index

    def in_words(self, counts: Sequence[int]) -> str:
        """Return a description of a composition."""
        return " + ".join(f"{count} {name}" for name, count in zip(self.players, counts, strict=True) if count)

    @cached_property
    def of_pairs(self) -> Ints:
        """(first, second, n + 1) The indices of the groups in which 0 … n seats are of the first player and all other
        seats are of the second player."""
        units = np.eye(len(self.players), dtype=np.int64)
        return np.asarray(
            [
                [
                    [self.place((k * first + (self.seats - k) * other).tolist()) for k in range(self.seats + 1)]
                    for other in units
                ]
                for first in units
            ]
        )

    @cached_property
    def co_players(self) -> Ints:
        """(groups, players) Every composition of n − 1 co-players."""
        return all_compositions(len(self.players), self.seats - 1)

    @cached_property
    def members(self) -> Ints:
        """(groups, n − 1) The players of each group of co-players, one entry per seat."""
        players = np.arange(len(self.players))
        return np.stack([players.repeat(row) for row in self.co_players])

    @cached_property
    def orders(self) -> Floats:
        """(groups,) Number of orders in which the co-players can be drawn."""
        return np.asarray(
            [math.factorial(self.seats - 1) / math.prod(map(math.factorial, row)) for row in self.co_players.tolist()]
        )

    @cached_property
    def joined(self) -> Ints:
        """(groups, players) The index of the group that consists of these co-players and one further player."""
        units = np.eye(len(self.players), dtype=np.int64)
        return np.asarray([[self.place((others + unit).tolist()) for unit in units] for others in self.co_players])

    @cached_property
    def slots(self) -> Ints:
        """(compositions, slots) The players of each composition in order, padded with absent players."""
        width = min(self.seats, len(self.players))
        return np.argsort(self.counts == 0, axis=1, kind="stable")[:, :width]


@dataclass(frozen=True)
class PayoffTable:
    """Mean payoffs by composition of the group."""

    groups: Groups
    means: Floats
    """(compositions, players) NaN for absent players."""
    errors: Floats
    """(compositions, players) Standard errors. They are 0 for exact payoffs, and NaN for absent players and single
    games."""
    games: Ints
    """(compositions,) Number of games; 0 for exact payoffs."""
    samples: PayoffSamples | None = None

    @classmethod
    def exact(cls, players: Sequence[str], seats: int, payoff: Payoff) -> "PayoffTable":
        """Return the table of a formula over all compositions."""
        groups = Groups.all_of(players, seats)
        means = np.asarray([payoff(row) for row in groups.counts.tolist()], dtype=np.float64)
        if means.shape != groups.counts.shape:
            raise InputError(f"a formula gives a payoff for each of {len(players)} players, got shape {means.shape}")
        return cls._of_means(groups, means)

    @classmethod
    def of_matrix(cls, players: Sequence[str], payoffs: Any) -> "PayoffTable":
        """Return the table of a matrix in which payoffs[i][j] is the payoff of i against j. With more seats,
        payoffs[i][j][k]… is the payoff of the first player i. Payoffs are averaged over the orders of the other
        players."""
        matrix, size = np.asarray(payoffs, dtype=np.float64), len(players)
        if matrix.ndim < 2 or set(matrix.shape) != {size}:
            raise InputError(f"a matrix for {size} players has {size} rows and columns, got {matrix.shape}")
        groups = Groups.all_of(players, matrix.ndim)
        payoffs_of: dict[tuple[int, ...], list[list[float]]] = {}
        for profile in product(range(size), repeat=matrix.ndim):
            counts = tuple(np.bincount(profile, minlength=size).tolist())
            payoffs_of.setdefault(counts, [[] for _ in players])[profile[0]].append(float(matrix[profile]))
        means = [
            [np.mean(values) if values else np.nan for values in payoffs_of[tuple(row)]]
            for row in groups.counts.tolist()
        ]
        return cls._of_means(groups, np.asarray(means))

    @classmethod
    def of_games(
        cls, players: Sequence[str], seats: int, seating: Ints, payoffs: Floats, *, common: bool = False
    ) -> "PayoffTable":
        """Return the table of these games. `seating` has the index in `players` of the player at each seat, (seats,
        games), and `payoffs` the payoff of each seat. Games are the independent units, so the payoffs of a player's
        seats in a game are averaged. If `common` is true, the k-th games of all compositions share their draws and are
        resampled together."""
        size = len(players)
        counts = np.stack([(seating == player).sum(axis=0) for player in range(size)], axis=1)
        compositions, group = np.unique(counts, axis=0, return_inverse=True)
        order = np.argsort(group.reshape(-1), kind="stable")
        group = group.reshape(-1)[order]
        sums = np.stack([np.where(seating == player, payoffs, 0.0).sum(axis=0) for player in range(size)], axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            per_player = np.where(counts > 0, sums / counts, np.nan)[order]
        groups = Groups(tuple(players), seats, compositions)
        starts = np.searchsorted(group, np.arange(len(compositions)))
        samples = PayoffSamples(np.take_along_axis(per_player, groups.slots[group], axis=1), starts, common)
        empty = np.full(compositions.shape, np.nan)
        return cls(groups, empty, empty, np.diff([*starts, len(order)]), samples)._from_samples()

    @classmethod
    def empty(cls, groups: Groups) -> "PayoffTable":
        """Return a table without payoffs, for simulations that need none."""
        return cls._of_means(groups, np.full(groups.counts.shape, np.nan))

    @classmethod
    def _of_means(cls, groups: Groups, means: Floats) -> "PayoffTable":
        present = groups.counts > 0
        no_games = np.zeros(len(groups), dtype=np.int64)
        return cls(groups, np.where(present, means, np.nan), np.where(present, 0.0, np.nan), no_games)

    def _from_samples(self, indices: Ints | None = None) -> "PayoffTable":
        """Return the table with the means and errors of its games or, if indices are given, of the games with these
        indices."""
        assert self.samples is not None
        payoffs = self.samples.payoffs if indices is None else self.samples.payoffs[indices]
        starts, games = self.samples.starts, self.games[:, None]
        means = np.add.reduceat(payoffs, starts, axis=0) / games
        if indices is not None:
            return replace(self, means=self._spread(means))
        squares = np.add.reduceat((payoffs - np.repeat(means, self.games, axis=0)) ** 2, starts, axis=0)
        with np.errstate(invalid="ignore", divide="ignore"):
            errors = np.where(games > 1, np.sqrt(squares / (games - 1) / games), np.nan)
        return replace(self, means=self._spread(means), errors=self._spread(errors))

    def _spread(self, by_slot: Floats) -> Floats:
        by_player = np.full(self.groups.counts.shape, np.nan)
        np.put_along_axis(by_player, self.groups.slots, by_slot, axis=1)
        by_player[self.groups.counts == 0] = np.nan
        return by_player

    def resampled(self, chance: np.random.Generator) -> "PayoffTable":
        """Return a bootstrap sample of the table, by composition. Deviations from the means are multiplied by
        √(R/(R−1)), which corrects the bias of R games, and by the ratio of Student's t to the normal quantile. A 95 %
        percentile interval then has its nominal coverage (expanded percentile interval; Hesterberg 2015)."""
        if self.samples is None:
            return self
        if self.samples.common:
            games = int(self.games[0])
            indices = (self.samples.starts[:, None] + (chance.random(games) * games).astype(np.int64)).reshape(-1)
        else:
            of_each = self.games.repeat(self.games)
            indices = self.samples.starts.repeat(self.games) + (chance.random(len(of_each)) * of_each).astype(np.int64)
        resample = self._from_samples(indices)
        others = np.maximum(self.games - 1, 1)
        from scipy.special import ndtri, stdtrit  # This is slow to import. Listing stored payoffs does not need it.

        widening = (np.sqrt(self.games / others) * stdtrit(others, 0.975) / ndtri(0.975))[:, None]
        return replace(resample, means=self.means + widening * (resample.means - self.means), samples=None)

    @property
    def players(self) -> tuple[str, ...]:
        return self.groups.players

    @property
    def seats(self) -> int:
        return self.groups.seats

    @property
    def certain(self) -> bool:
        """True if its payoffs have no uncertainty."""
        return self.samples is None and not np.nan_to_num(self.errors).any()

    @property
    def played_once(self) -> bool:
        """True if a composition has a single game. In this case, resampling does not show the uncertainty of that
        game."""
        return self.samples is not None and bool((self.games[self.games > 0] < 2).any())

    @property
    def once(self) -> str:
        """The reason why a table with `played_once` has no intervals."""
        games = self.games[self.games > 0]
        alone = int(np.sum(games < 2))
        were = "composition was" if alone == len(games) == 1 else "compositions were"
        return f"{alone:,} of {len(games):,} {were} played only once, which does not show how payoffs vary"

    def pairs(self) -> tuple[Floats, Floats]:
        """Return two arrays (first, second, n). The first array has the payoffs of the first player in groups with 1 …
        n seats of the first player. The second array has the payoffs of the second player in groups with 0 … n − 1
        seats of the first player. All other seats are of the second player."""
        places, players = self.groups.of_pairs, np.arange(len(self.players))
        return self.means[places[:, :, 1:], players[:, None, None]], self.means[
            places[:, :, :-1], players[None, :, None]
        ]

    @cached_property
    def among(self) -> Floats:
        """(groups, players) The payoff of each player among these co-players."""
        return np.asarray(self.means[self.groups.joined, np.arange(len(self.players))])

    @property
    def matrix(self) -> Floats:
        """(players, players) The payoff of the row's player against the column's player, in groups of two."""
        if self.seats != 2:
            raise InputError(f"only groups of 2 have a payoff matrix; these have {self.seats}")
        return np.asarray(self.pairs()[0][..., 0])

    def expected(self, shares: Floats) -> Floats:
        """Return the expected payoffs in an infinite population with these shares, (…, players). Groups are drawn at
        random."""
        weights = self.groups.orders * np.prod(np.asarray(shares)[..., self.groups.members], axis=-1)
        return np.asarray(weights @ self.among)

    def expected_in(self, counts: Ints) -> Floats:
        """Return the expected payoffs in a finite population with these counts, (states, players); NaN for absent
        players. Groups are drawn without replacement, so no individual meets itself."""
        population, others = int(counts[0].sum()), self.groups.co_players
        check_population(population, self.seats)
        ways = np.asarray(
            [[math.comb(s, m) for m in range(self.seats)] for s in range(population + 1)], dtype=np.float64
        )
        expected, among = np.empty(counts.shape), self.among
        size = max(1, 4_000_000 // len(others))
        for start in range(0, len(counts), size):
            part = counts[start : start + size]
            weights = np.ones((len(part), len(others)))
            for player in range(len(self.players)):
                weights *= ways[part[:, player, None], others[None, :, player]]
            weights /= math.comb(population - 1, self.seats - 1)
            # The focal individual is not drawn again: C(s − 1, m) = C(s, m) (s − m) / s.
            with np.errstate(invalid="ignore", divide="ignore"):
                payoffs = weights @ among - (weights @ (others * among)) / part
            expected[start : start + size] = np.where(part > 0, payoffs, np.nan)
        return expected

    def scaled(self, unit: float) -> "PayoffTable":
        """Return the table in another unit."""
        samples = None if self.samples is None else replace(self.samples, payoffs=self.samples.payoffs / unit)
        return replace(self, means=self.means / unit, errors=self.errors / abs(unit), samples=samples)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the table as plain data: a row for each player of each composition."""
        for counts, means, errors, games in zip(self.groups.counts, self.means, self.errors, self.games, strict=True):
            for place in np.flatnonzero(counts):
                error = float(errors[place])
                yield {
                    "composition": self.groups.in_words(counts),
                    "player": self.players[place],
                    "seats": int(counts[place]),
                    "payoff": float(means[place]),
                    "error": None if math.isnan(error) else error,
                    "games": int(games),
                }


def all_compositions(players: int, seats: int) -> Ints:
    """Return every composition, (compositions, players), in the order of the first player. Raise InputError if there
    are too many."""
    count = math.comb(seats + players - 1, seats)
    if count > MAX_COMPOSITIONS:
        raise InputError(
            f"{players} players in groups of {seats} have {count:,} compositions, at most {MAX_COMPOSITIONS:,} are "
            f"possible; take fewer players, smaller groups, {field('mutation', 'small')}, which needs pairs of "
            f"players alone, or {field('agents')}, which needs no table"
        )
    return _counted(combinations_with_replacement(range(players), seats), players)


def check_population(population: int, seats: int) -> None:
    """Raise InputError for a population smaller than a group."""
    if population < seats:
        raise InputError(f"a population of {population} is smaller than a group of {seats}")


def _counted(groups: Iterable[Sequence[int]], players: int) -> Ints:
    return np.asarray([np.bincount(group, minlength=players) for group in groups], dtype=np.int64).reshape(-1, players)
