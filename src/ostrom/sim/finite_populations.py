"""Finite populations that change by imitation (Fermi), replacement (Moran) or whole generations (Wright–Fisher): exact
fixation probabilities, the limit of rare mutations, and the full Markov chain if it is small. Payoffs are expectations
over groups drawn without replacement.

The selection strength β scales payoffs. Under Fermi's rule, another individual is copied with probability 1/(1 +
exp(−β(f_other − f_own))) (Traulsen et al. 2006). In the other two processes, fitness is exp(β f), which is positive for
any payoff (Traulsen et al. 2008). Under both Moran's and Fermi's rules, the ratio of the probabilities of losing and of
gaining an individual is then exp(−β(f_A − f_B)). So both rules have the same fixation probabilities.
"""

import math
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu
from scipy.special import gammaln, logsumexp, softmax

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.markov import stationary_of
from ostrom.sim.batch import Floats, Ints
from ostrom.sim.payoffs import PayoffTable, all_compositions, check_population

Process: TypeAlias = Literal["fermi", "moran", "wright-fisher"]
PROCESSES: tuple[Process, ...] = get_args(Process)

MAX_STATES = 6_000
"""The largest number of states of a population whose Markov chain is solved. Larger populations are simulated."""


def advantages(table: PayoffTable, population: int) -> Floats:
    """Return the payoff advantage of each player over each other player, (first, second, Z − 1). The last axis is the
    number of individuals of the first kind, from 1 to Z − 1. All other individuals are of the second kind."""
    own, other = table.pairs()
    mixes = _draws(population, table.seats)
    return np.asarray(own @ mixes[:-1].T - other @ mixes[1:].T)


def advantage(table: PayoffTable, first: int, second: int, population: int) -> Floats:
    """Return the payoff advantage of `first` over `second`, (Z − 1,), for 1 … Z − 1 individuals of `first` in the
    population. All others are `second`."""
    return np.asarray(advantages(table, population)[first, second])


@lru_cache(maxsize=8)
def _draws(population: int, seats: int) -> Floats:
    """Return the hypergeometric distribution of the number of one kind among n − 1 co-players, (Z, n). The co-players
    are drawn from Z − 1 individuals. The rows are for 0 … Z − 1 individuals of that kind among them."""
    check_population(population, seats)
    rest, draws = population - 1, seats - 1
    total = math.comb(rest, draws)
    return np.asarray(
        [
            [math.comb(kind, k) * math.comb(rest - kind, draws - k) / total for k in range(seats)]
            for kind in range(population)
        ]
    )


def log_fixation(differences: Floats, strength: float) -> Floats:
    """Return the log fixation probability of a single mutant, given the mutant's advantage for each number of mutants
    (last axis): ρ = 1 / (1 + Σ_k Π_{j≤k} exp(−β(f_A(j) − f_B(j))))."""
    sums = np.cumsum(-strength * differences, axis=-1)
    return np.asarray(-np.logaddexp(0.0, logsumexp(sums, axis=-1)))


def fixation(table: PayoffTable, mutant: int, resident: int, population: int, strength: float = 1.0) -> float:
    """Return the probability that a single mutant takes over a population of residents, by Fermi's or Moran's rule."""
    return float(np.exp(log_fixation(advantage(table, mutant, resident, population), strength)))


def wright_fisher_fixation(differences: Floats, strength: float) -> Floats:
    """Return the probability that 0 … Z mutants take over, (Z + 1,). Each generation is sampled. The weight of a kind
    is its number of individuals times exp(β f)."""
    population = len(differences) + 1
    counts = np.arange(1, population)
    odds = np.log(counts / (population - counts)) + strength * differences
    transitions = _binomials(population, odds)
    inner = np.linalg.solve(np.eye(population - 1) - transitions[:, 1:-1], transitions[:, -1])
    return np.concatenate(([0.0], inner, [1.0]))


def _binomials(draws: int, log_odds: Floats) -> Floats:
    """Return the binomial distributions with these log odds, (…, draws + 1)."""
    k = np.arange(draws + 1)
    ways = gammaln(draws + 1) - gammaln(k + 1) - gammaln(draws - k + 1)
    lost = -np.logaddexp(0.0, log_odds)[:, None]
    return np.asarray(np.exp(ways + k * (log_odds[:, None] + lost) + (draws - k) * lost))


@dataclass(frozen=True)
class RareMutations:
    """A population in which each mutant is fixed or lost before the next mutant arises. So the population moves between
    homogeneous states (Fudenberg and Imhof 2006)."""

    players: tuple[str, ...]
    population: int
    log_fixations: Floats
    """(residents, mutants) Log fixation probabilities; NaN on the diagonal."""

    @property
    def fixations(self) -> Floats:
        """(residents, mutants) Probability that a single mutant takes over; NaN on the diagonal."""
        return np.asarray(np.exp(self.log_fixations))

    @property
    def neutral(self) -> float:
        """The fixation probability of a neutral mutant."""
        return 1.0 / self.population

    @cached_property
    def stationary(self) -> Floats:
        """(players,) The share of time in each homogeneous state. Raise InputError if a fixation probability underflows
        to 0. This can happen for Wright–Fisher, because its probabilities are not computed as logarithms."""
        size = len(self.players)
        if size == 1:
            return np.ones(1)
        if not np.isfinite(self.log_fixations[~np.eye(size, dtype=bool)]).all():
            # Probabilities that underflow are positive. The distribution depends on their ratios, which are lost.
            raise InputError(f"selection is too strong to compute how often a mutant takes over; lower {field('beta')}")
        # Every other player is equally likely to be the mutant.
        return stationary_of(np.where(np.eye(size) > 0, -np.inf, self.log_fixations))

    def favoured(self) -> list[tuple[int, int]]:
        """Return the pairs (resident, mutant) in which the mutant takes over with a probability above 1/Z."""
        line = math.log(self.neutral) + 1e-9
        return [(int(i), int(j)) for i, j in np.argwhere(np.nan_to_num(self.log_fixations, nan=-np.inf) > line)]


def rare_mutations(
    table: PayoffTable, population: int, strength: float = 1.0, process: Process = "fermi"
) -> RareMutations:
    """Return the fixation probabilities of all pairs, and the stationary distribution."""
    gains = advantages(table, population)
    if process == "wright-fisher":
        logs = np.asarray([[_log_wright_fisher(differences, strength) for differences in row] for row in gains])
    else:
        logs = log_fixation(gains, strength)
    np.fill_diagonal(logs, np.nan)
    return RareMutations(table.players, population, logs.T)


def _log_wright_fisher(differences: Floats, strength: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(max(wright_fisher_fixation(differences, strength)[1], 0.0)))


def alpha_rank(table: PayoffTable, *, population: int = 50, strength: float = 0.1) -> Floats:
    """Return α-rank of one population, (players,) (Omidshafiei et al. 2019). It is the stationary distribution for rare
    mutations under Fermi's rule with strength α. The order of the players stays the same as α grows."""
    return rare_mutations(table, population, strength).stationary


@dataclass(frozen=True)
class Chain:
    """The states of a population and its stationary distribution."""

    states: Ints
    """(states, players) Number of each player."""
    stationary: Floats
    """(states,) Share of time in each state."""

    @property
    def shares(self) -> Floats:
        """(players,) The mean long-run share of each player."""
        return np.asarray(self.stationary @ self.states / self.states[0].sum())


def number_of_states(players: int, population: int) -> int:
    """Return the number of compositions of a population."""
    return math.comb(population + players - 1, players - 1)


def long_run(
    table: PayoffTable, population: int, strength: float = 1.0, mutation: float = 0.001, process: Process = "fermi"
) -> Chain:
    """Solve the full Markov chain of a population with mutations. Raise InputError if it has too many states."""
    check_mutation(mutation)
    if number_of_states(len(table.players), population) > MAX_STATES:
        raise InputError(f"a population with more than {MAX_STATES:,} states is simulated, not solved")
    states = all_compositions(len(table.players), population)
    if process == "wright-fisher":
        moves = sparse.csc_matrix(_all_generations(table, states, strength, mutation))
    else:
        moves = _single_moves(states, changes(table, states, strength, mutation, process))
    size = len(states)
    # One balance equation is redundant. The last one is replaced by the condition that the probabilities sum to 1.
    balance = (moves.T - sparse.identity(size)).tolil()
    balance[-1, :] = 1.0
    right = np.zeros(size)
    right[-1] = 1.0
    solution = np.clip(splu(balance.tocsc()).solve(right), 0.0, None)
    return Chain(states, solution / solution.sum())


def changes(table: PayoffTable, states: Ints, strength: float, mutation: float, process: Process) -> Floats:
    """Return the probability, for each state and each pair of kinds, that the next step replaces an individual of the
    first kind by an individual of the second kind, (states, players, players). In a step, one individual is drawn.
    Either it mutates, into any other kind with equal probability. Or it compares itself with another individual
    (Fermi), or is replaced by the offspring of an individual sampled by fitness (Moran)."""
    population, size = int(states[0].sum()), states.shape[1]
    payoffs = strength * np.nan_to_num(table.expected_in(states))
    focal = states / population
    if process == "fermi":
        models = states[:, None, :] / (population - 1)
        copied = models / (1.0 + np.exp(np.clip(payoffs[:, :, None] - payoffs[:, None, :], -700, 700)))
    else:
        with np.errstate(divide="ignore"):
            born = softmax(np.log(states) + payoffs, axis=1)
        copied = np.repeat(born[:, None, :], size, axis=1)
    mutants = mutation / max(size - 1, 1) * (1.0 if process == "fermi" else 1 - copied)
    probabilities = focal[:, :, None] * ((1 - mutation) * copied + mutants)
    probabilities[:, np.arange(size), np.arange(size)] = 0.0
    return np.asarray(probabilities)


def offspring(table: PayoffTable, states: Ints, strength: float, mutation: float) -> Floats:
    """Return, for Wright–Fisher, the probability of each kind for an individual of the next generation, (states,
    players)."""
    payoffs = strength * np.nan_to_num(table.expected_in(states))
    with np.errstate(divide="ignore"):
        born = softmax(np.log(states) + payoffs, axis=1)
    return np.asarray((1 - mutation) * born + mutation * (1 - born) / max(states.shape[1] - 1, 1))


def _all_generations(table: PayoffTable, states: Ints, strength: float, mutation: float) -> Floats:
    """Return the multinomial distribution of the next generation, (states, states)."""
    population = int(states[0].sum())
    with np.errstate(divide="ignore"):
        logs = np.log(offspring(table, states, strength, mutation))
    ways = gammaln(population + 1) - gammaln(states + 1).sum(axis=1)
    with np.errstate(invalid="ignore"):
        chances = np.where(states[None, :, :] > 0, states[None, :, :] * logs[:, None, :], 0.0).sum(axis=2)
    return np.asarray(np.exp(ways[None, :] + chances))


def _single_moves(states: Ints, moved: Floats) -> Any:
    """Return the transition matrix of steps in which at most one individual changes its kind."""
    place = {tuple(state): number for number, state in enumerate(states.tolist())}
    rows, columns, chances = [], [], []
    stay = np.ones(len(states))
    for loser in range(states.shape[1]):
        for winner in range(states.shape[1]):
            movable = np.flatnonzero((states[:, loser] > 0) & (loser != winner))
            after = states[movable].copy()
            after[:, loser] -= 1
            after[:, winner] += 1
            rows.append(movable)
            columns.append(np.asarray([place[tuple(state)] for state in after.tolist()], dtype=np.int64))
            chances.append(moved[movable, loser, winner])
            stay[movable] -= moved[movable, loser, winner]
    diagonal = np.arange(len(states))
    entries = (
        np.concatenate([*chances, stay]),
        (np.concatenate([*rows, diagonal]), np.concatenate([*columns, diagonal])),
    )
    return sparse.csc_matrix(entries, shape=(len(states), len(states)))


def gradient(
    table: PayoffTable, population: int, strength: float = 1.0, mutation: float = 0.0, process: Process = "fermi"
) -> Floats:
    """Return the gradient of selection of two players, (Z + 1,): the expected growth of the first player in the next
    step (Wright–Fisher: in the next generation). The entries are for 0 … Z individuals of the first player."""
    if len(table.players) != 2:
        raise InputError(f"a gradient of selection needs 2 players, got {len(table.players)}")
    counts = np.arange(population + 1)
    states = np.stack([counts, population - counts], axis=1)
    if process == "wright-fisher":
        return np.asarray(population * offspring(table, states, strength, mutation)[:, 0] - counts)
    moved = changes(table, states, strength, mutation, process)
    return np.asarray(moved[:, 1, 0] - moved[:, 0, 1])


def check_mutation(mutation: float) -> None:
    """Raise InputError unless the mutation probability is positive and at most 1. Without mutations, a population
    becomes homogeneous."""
    if not 0 < mutation <= 1:
        raise InputError(f"the probability of a mutation must be above 0 and at most 1, or 'small', got {mutation}")
