"""Monte Carlo simulation of finite populations: many runs are simulated in parallel. Where exact results exist, the
results of the simulation agree with them. The simulation also covers cases without exact results, such as many players
with mutations."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from ostrom.core import InputError
from ostrom.core.estimates import Estimate, proportion
from ostrom.sim.batch import Floats, Ints
from ostrom.sim.finite_populations import Process, changes, number_of_states, offspring
from ostrom.sim.payoffs import PayoffTable, all_compositions

MAX_PRECOMPUTED_STATES = 40_000
"""The largest number of states for which transitions are precomputed."""
_MIN_PERCENTILE_DRAWS = 39
"""The smallest number of draws for which the 95 % percentiles are within the range of the draws."""
_ROUNDING = 1e-12
"""Standard errors and differences below this count as rounding errors."""


def generator(seed: int, purpose: int = 0) -> np.random.Generator:
    """Return the random generator of a simulation, which the seed and the purpose determine."""
    return np.random.Generator(np.random.Philox(key=np.asarray([seed, purpose], dtype=np.uint64)))


@dataclass(frozen=True)
class Runs:
    """Populations over time."""

    steps: Ints
    """(times,) The times of observation. The unit is a step of one individual, or a generation."""
    counts: Ints
    """(times, runs, players) The number of individuals of each player."""

    @property
    def shares(self) -> Floats:
        """(times, runs, players) The share of each player in the population."""
        return np.asarray(self.counts / self.counts[0, 0].sum())

    def means(self, burn_in: float = 0.2) -> list[Estimate]:
        """Return the mean share of each player after the burn-in. Runs are the independent units. Many runs end with
        one kind, so the interval is Wilson's. It uses the effective number of runs that gives the standard error (Korn
        and Graubard 1998). If all runs have the same mean, there is no interval."""
        late = self.shares[int(len(self.steps) * burn_in) :].mean(axis=0)
        if len(late) < 2:
            return [Estimate(float(share), reason="a single run: no interval") for share in late[0]]
        errors = late.std(axis=0, ddof=1) / np.sqrt(len(late))
        return [
            _share(float(mean), float(error), len(late) - 1)
            if error > _ROUNDING
            else Estimate(float(mean), reason="all runs agree, so there is no spread for an interval")
            for mean, error in zip(late.mean(axis=0), errors, strict=True)
        ]


def _share(mean: float, error: float, freedom: int) -> Estimate:
    """Return a mean share with Wilson's interval. Its number of observations is the effective number of runs, which
    follows from the standard error and the degrees of freedom."""
    narrower = float(ndtri(0.975) / stdtrit(freedom, 0.975))
    return proportion(mean, mean * (1 - mean) * (narrower / error) ** 2)


def interval_of_tables(means: Floats) -> tuple[Floats, Floats]:
    """Return the interval of the results of resampled tables, (tables, players). The interval contains the central 95 %
    of the results. With too few tables, it is a t prediction interval instead. It is NaN if all results are equal."""
    blocks = len(means)
    if blocks >= _MIN_PERCENTILE_DRAWS:
        low, high = np.percentile(means, [2.5, 97.5], axis=0, method="weibull")
    else:
        middle = means.mean(axis=0)
        half_width = stdtrit(blocks - 1, 0.975) * math.sqrt(1 + 1 / blocks) * means.std(axis=0, ddof=1)
        low, high = np.maximum(0.0, middle - half_width), np.minimum(1.0, middle + half_width)
    agree = np.ptp(means, axis=0) < _ROUNDING
    return np.where(agree, np.nan, low), np.where(agree, np.nan, high)


def simulate(
    table: PayoffTable,
    start: Ints,
    steps: int,
    *,
    chance: np.random.Generator,
    strength: float = 1.0,
    mutation: float = 0.0,
    process: Process = "fermi",
    looks: int = 200,
) -> Runs:
    """Simulate runs from initial counts, (runs, players), for this number of steps (Wright–Fisher: generations). Return
    the runs, observed at evenly spaced times."""
    if steps < 1:
        raise InputError(f"the number of steps must be at least 1, got {steps}")
    counts = np.array(start, dtype=np.int64)
    population = int(counts[0].sum())
    times = np.unique(np.linspace(0, steps, min(looks, steps) + 1).astype(np.int64))
    counts_over_time = np.empty((len(times), *counts.shape), dtype=np.int64)
    counts_over_time[0] = counts
    move = _mover(table, population, strength, mutation, process)
    done = 0
    for place, until in enumerate(times[1:], start=1):
        for _ in range(int(until) - done):
            counts = move(counts, chance)
        done = int(until)
        counts_over_time[place] = counts
    return Runs(times, counts_over_time)


class _Mover:
    """Computes one step of all runs."""

    def __init__(self, table: PayoffTable, strength: float, mutation: float, process: Process) -> None:
        self._table, self._strength, self._mutation, self._process = table, strength, mutation, process

    def __call__(self, counts: Ints, chance: np.random.Generator) -> Ints:
        size = counts.shape[1]
        moved = changes(self._table, counts, self._strength, self._mutation, self._process)
        return _changed(counts, np.cumsum(moved.reshape(len(counts), size * size), axis=1), chance)


class _Generations(_Mover):
    """Computes one generation of all runs."""

    def __call__(self, counts: Ints, chance: np.random.Generator) -> Ints:
        born = offspring(self._table, counts, self._strength, self._mutation)
        return np.asarray(chance.multinomial(int(counts[0].sum()), born / born.sum(axis=1, keepdims=True)))


class _Precomputed:
    """Computes one step from the precomputed transitions of all states."""

    def __init__(self, table: PayoffTable, population: int, strength: float, mutation: float, process: Process) -> None:
        states = all_compositions(len(table.players), population)
        size = len(table.players)
        self._radix = (population + 1) ** np.arange(size - 1)
        moved = changes(table, states, strength, mutation, process).reshape(len(states), size * size)
        self._sums = np.ones(((population + 1) ** (size - 1), size * size))
        self._sums[states[:, :-1] @ self._radix] = np.cumsum(moved, axis=1)

    def __call__(self, counts: Ints, chance: np.random.Generator) -> Ints:
        return _changed(counts, self._sums[counts[:, :-1] @ self._radix], chance)


class _TwoKinds:
    """Computes a step of populations of two kinds, in which the number of the first kind grows by one, shrinks by one
    or stays the same."""

    def __init__(self, table: PayoffTable, population: int, strength: float, mutation: float, process: Process) -> None:
        first = np.arange(population + 1)
        states = np.stack([first, population - first], axis=1)
        moved = changes(table, states, strength, mutation, process)
        self._up, self._still = moved[:, 1, 0], 1.0 - moved[:, 0, 1]
        self._population = population

    def __call__(self, counts: Ints, chance: np.random.Generator) -> Ints:
        first = counts[:, 0]
        drawn = chance.random(len(first))
        after = first + (drawn < self._up[first]).astype(np.int64) - (drawn >= self._still[first])
        return np.stack([after, self._population - after], axis=1)


def _mover(
    table: PayoffTable, population: int, strength: float, mutation: float, process: Process
) -> "_Mover | _Precomputed | _TwoKinds":
    size = len(table.players)
    if process == "wright-fisher":
        return _Generations(table, strength, mutation, process)
    if size == 2:
        return _TwoKinds(table, population, strength, mutation, process)
    if size == 3 and number_of_states(size, population) <= MAX_PRECOMPUTED_STATES:
        return _Precomputed(table, population, strength, mutation, process)
    return _Mover(table, strength, mutation, process)


def _changed(counts: Ints, sums: Floats, chance: np.random.Generator) -> Ints:
    """Return the counts after at most one change per run. `sums` are cumulative probabilities of the changes."""
    size = counts.shape[1]
    event = (chance.random(len(counts))[:, None] >= sums).sum(axis=1)
    changing = np.flatnonzero(event < size * size)
    after = counts.copy()
    after[changing, event[changing] // size] -= 1
    after[changing, event[changing] % size] += 1
    return after
