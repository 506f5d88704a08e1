"""Populations of a fixed size by Monte Carlo: many runs side by side, each step a draw. What theory solves agrees with
it; what theory cannot solve, many kinds of players with mutations, is found by it."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtri, stdtrit

from ostrom.core import InputError
from ostrom.core.estimates import Estimate, proportion
from ostrom.sim.finite_populations import Process, changes, number_of_states, offspring
from ostrom.sim.payoffs import Floats, Ints, PayoffTable, all_compositions

MOST_KEPT_STATES = 40_000
"""Up to this number of states, the transitions of each are computed once."""
_LONGEST = 50_000_000
"""Steps after which a run that has not come to its end is given up."""
_ENOUGH = 39
"""The middle 95 % of this number of draws lie within the ends."""
_DUST = 1e-12
"""A standard error, or a difference, below it is one of rounding."""


def generator(seed: int, purpose: int = 0) -> np.random.Generator:
    """The chance of a simulation, named by its seed and a purpose."""
    return np.random.Generator(np.random.Philox(key=np.asarray([seed, purpose], dtype=np.uint64)))


@dataclass(frozen=True)
class Runs:
    """Populations over time."""

    steps: Ints
    """(times,) When they were looked at: steps of one individual each, or generations."""
    counts: Ints
    """(times, runs, players)"""

    @property
    def shares(self) -> Floats:
        """(times, runs, players)"""
        return np.asarray(self.counts / self.counts[0, 0].sum())

    def means(self, burn_in: float = 0.2) -> list[Estimate]:
        """The mean share of each player after a first part of the time; runs are the independent units. The interval is
        Wilson's at the number of runs that gives the mean's own error (Korn and Graubard 1998): many runs end with one
        kind alone. Where all agree there is none: what few runs do not show may happen in others."""
        late = self.shares[int(len(self.steps) * burn_in) :].mean(axis=0)
        if len(late) < 2:
            return [Estimate(float(one), reason="a single run: no interval") for one in late[0]]
        errors = late.std(axis=0, ddof=1) / np.sqrt(len(late))
        return [
            _share(float(mean), float(error), len(late) - 1)
            if error > _DUST
            else Estimate(float(mean), reason="all runs agree: there is no spread to make an interval of")
            for mean, error in zip(late.mean(axis=0), errors, strict=True)
        ]


def _share(mean: float, error: float, freedom: int) -> Estimate:
    """A mean of shares with Wilson's interval at as many runs as give its error."""
    narrower = float(ndtri(0.975) / stdtrit(freedom, 0.975))
    return proportion(mean, mean * (1 - mean) * (narrower / error) ** 2)


def interval_of_tables(means: Floats) -> tuple[Floats, Floats]:
    """From what each table drawn anew came to, (tables, players), the interval: their middle 95 %, or where there are
    too few of them for that, how far one more would lie from their mean by Student's t. None where all agree."""
    blocks = len(means)
    if blocks >= _ENOUGH:
        low, high = np.percentile(means, [2.5, 97.5], axis=0, method="weibull")
    else:
        middle = means.mean(axis=0)
        reach = stdtrit(blocks - 1, 0.975) * math.sqrt(1 + 1 / blocks) * means.std(axis=0, ddof=1)
        low, high = np.maximum(0.0, middle - reach), np.minimum(1.0, middle + reach)
    agree = np.ptp(means, axis=0) < _DUST
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
    """Follow runs from the counts at their start, (runs, players), through steps, or generations of
    Wright–Fisher, and look at them at times evenly spaced."""
    if steps < 1:
        raise InputError(f"the number of steps must be at least 1, got {steps}")
    counts = np.array(start, dtype=np.int64)
    population = int(counts[0].sum())
    when = np.unique(np.linspace(0, steps, min(looks, steps) + 1).astype(np.int64))
    kept = np.empty((len(when), *counts.shape), dtype=np.int64)
    kept[0] = counts
    move = _mover(table, population, strength, mutation, process)
    done = 0
    for place, until in enumerate(when[1:], start=1):
        for _ in range(int(until) - done):
            counts = move(counts, chance)
        done = int(until)
        kept[place] = counts
    return Runs(when, kept)


def simulated_fixation(
    table: PayoffTable,
    mutant: int,
    resident: int,
    population: int,
    *,
    runs: int,
    chance: np.random.Generator,
    strength: float = 1.0,
    process: Process = "fermi",
) -> Estimate:
    """Return how often a single mutant takes over in the runs, with Wilson's interval."""
    counts = np.zeros((runs, len(table.players)), dtype=np.int64)
    counts[:, resident] = population - 1
    counts[:, mutant] += 1
    move = _mover(table, population, strength, 0.0, process)
    taken = 0
    for _ in range(_LONGEST):
        counts = move(counts, chance)
        over = (counts[:, mutant] == 0) | (counts[:, mutant] == population)
        if over.any():
            taken += int((counts[over, mutant] == population).sum())
            counts = counts[~over]
            if not len(counts):
                return proportion(taken / runs, runs)
    raise InputError(f"after {_LONGEST:,} steps some runs are still mixed; take a smaller population or strength")


class _Mover:
    """Takes runs one step further."""

    def __init__(self, table: PayoffTable, strength: float, mutation: float, process: Process) -> None:
        self._table, self._strength, self._mutation, self._process = table, strength, mutation, process

    def __call__(self, counts: Ints, chance: np.random.Generator) -> Ints:
        size = counts.shape[1]
        moved = changes(self._table, counts, self._strength, self._mutation, self._process)
        return _changed(counts, np.cumsum(moved.reshape(len(counts), size * size), axis=1), chance)


class _Generations(_Mover):
    """Takes runs one generation further."""

    def __call__(self, counts: Ints, chance: np.random.Generator) -> Ints:
        born = offspring(self._table, counts, self._strength, self._mutation)
        return np.asarray(chance.multinomial(int(counts[0].sum()), born / born.sum(axis=1, keepdims=True)))


class _Known:
    """Takes runs one step further, by what may happen in each state, computed before."""

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
    """The same for two kinds, where a step goes up, down or nowhere."""

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
) -> "_Mover | _Known | _TwoKinds":
    size = len(table.players)
    if process == "wright-fisher":
        return _Generations(table, strength, mutation, process)
    if size == 2:
        return _TwoKinds(table, population, strength, mutation, process)
    if size == 3 and number_of_states(size, population) <= MOST_KEPT_STATES:
        return _Known(table, population, strength, mutation, process)
    return _Mover(table, strength, mutation, process)


def _changed(counts: Ints, sums: Floats, chance: np.random.Generator) -> Ints:
    """The counts after one individual of each run may have changed: `sums` are the summed chances of each change."""
    size = counts.shape[1]
    event = (chance.random(len(counts))[:, None] >= sums).sum(axis=1)
    there = np.flatnonzero(event < size * size)
    after = counts.copy()
    after[there, event[there] // size] -= 1
    after[there, event[there] % size] += 1
    return after
