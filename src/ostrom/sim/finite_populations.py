"""Populations of a fixed size, in which one imitates another (Fermi), one is replaced by another's offspring (Moran)
or all are (Wright–Fisher): exact fixation probabilities, what happens where mutations are rare, and the whole Markov
chain where it is small. Payoffs are expected ones, over groups drawn without replacement.

Strength β scales payoffs. Fermi's rule copies with probability 1/(1 + exp(−β(f_other − f_own))) (Traulsen et al. 2006);
in the other two processes an individual's fitness is exp(β f), which is positive whatever the payoffs are (Traulsen
et al. 2008). Under Moran's and Fermi's rules the ratio of losing to gaining one is then the same, exp(−β(f_A − f_B)),
and so are their fixation probabilities."""

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
from ostrom.sim.payoffs import Floats, Ints, PayoffTable, all_compositions, check_population

Process: TypeAlias = Literal["fermi", "moran", "wright-fisher"]
PROCESSES: tuple[Process, ...] = get_args(Process)

MOST_STATES = 6_000
"""Populations with more states are simulated, not solved."""


def advantages(table: PayoffTable, population: int) -> Floats:
    """(first, second, Z − 1) How much more the first player earns than the second where 1 … Z − 1 of the population are
    of its kind and all others of the second."""
    own, other = table.pairs()
    drawn = _draws(population, table.seats)
    return np.asarray(own @ drawn[:-1].T - other @ drawn[1:].T)


def advantage(table: PayoffTable, first: int, second: int, population: int) -> Floats:
    """(Z − 1,) How much more `first` earns than `second` where 1 … Z − 1 of the population are `first`."""
    return np.asarray(advantages(table, population)[first, second])


@lru_cache(maxsize=8)
def _draws(population: int, seats: int) -> Floats:
    """(Z, n) The hypergeometric law of how many of a kind are among n − 1 others, drawn from Z − 1, of which 0 … Z − 1
    are of that kind."""
    check_population(population, seats)
    rest, draws = population - 1, seats - 1
    every = math.comb(rest, draws)
    return np.asarray(
        [
            [math.comb(kind, k) * math.comb(rest - kind, draws - k) / every for k in range(seats)]
            for kind in range(population)
        ]
    )


def log_fixation(differences: Floats, strength: float) -> Floats:
    """The logarithm of the probability that one of a kind takes over, given its advantage at each number of its kind,
    on the last axis: ρ = 1 / (1 + Σ_k Π_{j≤k} exp(−β(f_A(j) − f_B(j))))."""
    sums = np.cumsum(-strength * differences, axis=-1)
    return np.asarray(-np.logaddexp(0.0, logsumexp(sums, axis=-1)))


def fixation(table: PayoffTable, mutant: int, resident: int, population: int, strength: float = 1.0) -> float:
    """The probability that a single mutant takes over a population of residents, by Fermi's or Moran's rule."""
    return float(np.exp(log_fixation(advantage(table, mutant, resident, population), strength)))


def wright_fisher_fixation(differences: Floats, strength: float) -> Floats:
    """(Z + 1,) The probability that 0 … Z of a kind take over where each generation is drawn anew, in proportion to
    number and exp(β f)."""
    population = len(differences) + 1
    counts = np.arange(1, population)
    odds = np.log(counts / (population - counts)) + strength * differences
    drawn = _binomials(population, odds)
    inner = np.linalg.solve(np.eye(population - 1) - drawn[:, 1:-1], drawn[:, -1])
    return np.concatenate(([0.0], inner, [1.0]))


def _binomials(draws: int, log_odds: Floats) -> Floats:
    """(…, draws + 1) The binomial distribution of `draws` draws with these probabilities."""
    k = np.arange(draws + 1)
    ways = gammaln(draws + 1) - gammaln(k + 1) - gammaln(draws - k + 1)
    lost = -np.logaddexp(0.0, log_odds)[:, None]
    return np.asarray(np.exp(ways + k * (log_odds[:, None] + lost) + (draws - k) * lost))


@dataclass(frozen=True)
class RareMutations:
    """A population in which a mutant takes over or is gone before the next one comes: it moves between states in
    which all are alike (Fudenberg and Imhof 2006)."""

    players: tuple[str, ...]
    population: int
    log_fixations: Floats
    """(residents, mutants) Logarithms of the fixation probabilities; NaN on the diagonal."""

    @property
    def fixations(self) -> Floats:
        """(residents, mutants) The probability that a single mutant takes over; NaN on the diagonal."""
        return np.asarray(np.exp(self.log_fixations))

    @property
    def neutral(self) -> float:
        """The fixation probability of a mutant that is no better or worse."""
        return 1.0 / self.population

    @cached_property
    def stationary(self) -> Floats:
        """(players,) The share of time in which all are of each kind. Refused where a fixation probability is known as
        0 alone: those of Wright–Fisher are solved for as they are, not as logarithms, and may be too small for that."""
        size = len(self.players)
        if size == 1:
            return np.ones(1)
        if not np.isfinite(self.log_fixations[~np.eye(size, dtype=bool)]).all():
            # A probability that is too small for a floating-point number is not 0: how it compares with another one
            # that is too small, and so where the population is, cannot be told.
            raise InputError(f"selection is too strong to tell how often a mutant takes over; lower {field('beta')}")
        # A mutant is one of the others, each as likely.
        return stationary_of(np.where(np.eye(size) > 0, -np.inf, self.log_fixations))

    def favoured(self) -> list[tuple[int, int]]:
        """The pairs (resident, mutant) in which selection favours the mutant: it takes over more often than 1/Z."""
        line = math.log(self.neutral) + 1e-9
        return [(int(i), int(j)) for i, j in np.argwhere(np.nan_to_num(self.log_fixations, nan=-np.inf) > line)]


def rare_mutations(
    table: PayoffTable, population: int, strength: float = 1.0, process: Process = "fermi"
) -> RareMutations:
    """Which mutants take over whom, and how often the population is found in each state."""
    gains = advantages(table, population)
    if process == "wright-fisher":
        logs = np.asarray([[_log_wright_fisher(each, strength) for each in row] for row in gains])
    else:
        logs = log_fixation(gains, strength)
    np.fill_diagonal(logs, np.nan)
    return RareMutations(table.players, population, logs.T)


def _log_wright_fisher(differences: Floats, strength: float) -> float:
    with np.errstate(divide="ignore"):
        return float(np.log(max(wright_fisher_fixation(differences, strength)[1], 0.0)))


def stationary_of(log_rates: Floats) -> Floats:
    """(states,) The stationary distribution of a chain, given the logarithms of its rates between states. By the
    algorithm of Grassmann, Taksar and Heyman (1985), which never subtracts, in logarithms: so that rates too small for
    a floating-point number count too."""
    rates = np.array(log_rates, dtype=np.float64)
    size = len(rates)
    np.fill_diagonal(rates, -np.inf)
    for last in range(size - 1, 0, -1):
        leaving = logsumexp(rates[last, :last])
        if leaving == -np.inf:
            raise InputError("the population never leaves some of its states, so it has no one stationary distribution")
        rates[:last, last] -= leaving
        rates[:last, :last] = np.logaddexp(rates[:last, :last], rates[:last, last, None] + rates[last, None, :last])
    found = np.zeros(size)
    for state in range(1, size):
        found[state] = logsumexp(found[:state] + rates[:state, state])
    return np.asarray(softmax(found))


def alpha_rank(table: PayoffTable, *, population: int = 50, strength: float = 0.1) -> Floats:
    """(players,) α-rank in one population (Omidshafiei et al. 2019): the stationary distribution of rare mutations by
    Fermi's rule, whose strength is called α; as α grows, what is left is the order of the players."""
    return rare_mutations(table, population, strength).stationary


@dataclass(frozen=True)
class Chain:
    """Every state of a population and how it moves between them."""

    states: Ints
    """(states, players) How many there are of each player."""
    stationary: Floats
    """(states,) The share of time that the population spends in each."""

    @property
    def shares(self) -> Floats:
        """(players,) The mean share of each player in the long run."""
        return np.asarray(self.stationary @ self.states / self.states[0].sum())


def number_of_states(players: int, population: int) -> int:
    """How many compositions a population has."""
    return math.comb(population + players - 1, players - 1)


def long_run(
    table: PayoffTable, population: int, strength: float = 1.0, mutation: float = 0.001, process: Process = "fermi"
) -> Chain:
    """The whole Markov chain of a population with mutations, solved; for populations with few states."""
    check_mutation(mutation)
    if number_of_states(len(table.players), population) > MOST_STATES:
        raise InputError(f"a population with more than {MOST_STATES:,} states is simulated, not solved")
    states = all_compositions(len(table.players), population)
    if process == "wright-fisher":
        moves = sparse.csc_matrix(_all_generations(table, states, strength, mutation))
    else:
        moves = _single_moves(states, changes(table, states, strength, mutation, process))
    size = len(states)
    # The balance of all states but one, and that shares add up to 1.
    balance = (moves.T - sparse.identity(size)).tolil()
    balance[-1, :] = 1.0
    right = np.zeros(size)
    right[-1] = 1.0
    found = np.clip(splu(balance.tocsc()).solve(right), 0.0, None)
    return Chain(states, found / found.sum())


def changes(table: PayoffTable, states: Ints, strength: float, mutation: float, process: Process) -> Floats:
    """(states, players, players) The probability that in the next step one of the first kind becomes one of the
    second. One individual is drawn; it mutates into any other kind, each as likely, or, by Fermi's rule, compares
    itself with another one, or, by Moran's, is replaced by the offspring of one drawn by fitness."""
    population, size = int(states[0].sum()), states.shape[1]
    payoffs = strength * np.nan_to_num(table.expected_in(states))
    drawn = states / population
    if process == "fermi":
        models = states[:, None, :] / (population - 1)
        copied = models / (1.0 + np.exp(np.clip(payoffs[:, :, None] - payoffs[:, None, :], -700, 700)))
    else:
        with np.errstate(divide="ignore"):
            born = softmax(np.log(states) + payoffs, axis=1)
        copied = np.repeat(born[:, None, :], size, axis=1)
    mutants = mutation / max(size - 1, 1) * (1.0 if process == "fermi" else 1 - copied)
    found = drawn[:, :, None] * ((1 - mutation) * copied + mutants)
    found[:, np.arange(size), np.arange(size)] = 0.0
    return np.asarray(found)


def offspring(table: PayoffTable, states: Ints, strength: float, mutation: float) -> Floats:
    """(states, players) The chances of each kind for each place of the next generation (Wright–Fisher)."""
    payoffs = strength * np.nan_to_num(table.expected_in(states))
    with np.errstate(divide="ignore"):
        born = softmax(np.log(states) + payoffs, axis=1)
    return np.asarray((1 - mutation) * born + mutation * (1 - born) / max(states.shape[1] - 1, 1))


def _all_generations(table: PayoffTable, states: Ints, strength: float, mutation: float) -> Floats:
    """(states, states) The multinomial law of the next generation."""
    population = int(states[0].sum())
    with np.errstate(divide="ignore"):
        logs = np.log(offspring(table, states, strength, mutation))
    ways = gammaln(population + 1) - gammaln(states + 1).sum(axis=1)
    with np.errstate(invalid="ignore"):
        chances = np.where(states[None, :, :] > 0, states[None, :, :] * logs[:, None, :], 0.0).sum(axis=2)
    return np.asarray(np.exp(ways[None, :] + chances))


def _single_moves(states: Ints, moved: Floats) -> Any:
    """The transition matrix of steps in which one individual changes."""
    place = {tuple(state): number for number, state in enumerate(states.tolist())}
    rows, columns, chances = [], [], []
    stay = np.ones(len(states))
    for one in range(states.shape[1]):
        for other in range(states.shape[1]):
            able = np.flatnonzero((states[:, one] > 0) & (one != other))
            after = states[able].copy()
            after[:, one] -= 1
            after[:, other] += 1
            rows.append(able)
            columns.append(np.asarray([place[tuple(state)] for state in after.tolist()], dtype=np.int64))
            chances.append(moved[able, one, other])
            stay[able] -= moved[able, one, other]
    everywhere = np.arange(len(states))
    entries = (
        np.concatenate([*chances, stay]),
        (np.concatenate([*rows, everywhere]), np.concatenate([*columns, everywhere])),
    )
    return sparse.csc_matrix(entries, shape=(len(states), len(states)))


def gradient(
    table: PayoffTable, population: int, strength: float = 1.0, mutation: float = 0.0, process: Process = "fermi"
) -> Floats:
    """(Z + 1,) The gradient of selection of two players: by how many the first is expected to grow in the next step
    (of Wright–Fisher: the next generation), where there are 0 … Z of it."""
    if len(table.players) != 2:
        raise InputError(f"a gradient of selection is of 2 players, not of {len(table.players)}")
    counts = np.arange(population + 1)
    states = np.stack([counts, population - counts], axis=1)
    if process == "wright-fisher":
        return np.asarray(population * offspring(table, states, strength, mutation)[:, 0] - counts)
    moved = changes(table, states, strength, mutation, process)
    return np.asarray(moved[:, 1, 0] - moved[:, 0, 1])


def check_mutation(mutation: float) -> None:
    """Refuse what is no probability of a mutation; without any, a population ends where all are alike."""
    if not 0 < mutation <= 1:
        raise InputError(f"the probability of a mutation must be above 0 and at most 1, or 'small', got {mutation}")
