"""Subjects whose patience varies from answer to answer, or from sequence to sequence, such as a language model that
answers in two modes: a mixture of exponential discounters with weights by maximum likelihood (Laird 1978).

For such a subject, the interval of a single theory with noise is too narrow, since answers vary over the whole range
between the modes. If a mixture explains the choices better by Schwarz's criterion, the mixture replaces the theory in
simulations of the task.

Patience that depends on the question is no variation between sequences: if the same question is asked again, patience
is the same. Sequences are therefore drawn from a mixture only if their rates do not differ between amounts, delays or
front-end delays. A mixture of neighbouring rates is one mode, which a single theory with noise describes."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from ostrom.games.battery.adaptive import SequenceSteps
from ostrom.games.battery.scores.logit import ChoiceCounts
from ostrom.games.battery.scores.replicates import Answering, Sequences, bisect_time
from ostrom.games.battery.scores.score import Flags, Floats, Whole
from ostrom.games.battery.scores.theories import EXPONENTIAL

_RATES: Final = -np.log(np.linspace(0.999, 0.03, 48))
_NOISES: Final = np.array([0.003, 0.01, 0.03, 0.1])
_ROUNDS: Final = 60
_LEAST_WEIGHT: Final = 0.02
"""Modes with a weight below this are not counted as parameters in Schwarz's criterion."""
_LEAST_CHANCE: Final = 1e-12
_WIDTH_OF_MODE: Final = 2
"""A rate between two rates of the grid has weight on both, so that many neighbours are one mode."""
_QUESTION_LEVEL: Final = 0.01
"""The significance level of the test whether the rates of sequences depend on the question."""


@dataclass(frozen=True, slots=True)
class Modes:
    """A mixture of discount rates (the modes) with their weights, and the noise that all answers share."""

    rates: Floats
    weights: Floats
    noise: float
    by_sequence: bool
    """True if a whole sequence follows one mode, false if every answer has its own."""
    criterion: float
    """The log-likelihood less Schwarz's penalty."""

    def play(self, years: Floats, subjects: int, chance: np.random.Generator, steps: SequenceSteps) -> Sequences:
        """Return simulated sequences at front-end delay 0 with these delays, for this many subjects."""
        shape = subjects, len(years)
        cuts = np.cumsum(self.weights)[:-1]

        def draw(*shape: int) -> Floats:
            return np.asarray(self.rates[np.searchsorted(cuts, chance.random(shape))])

        modes = draw(*shape) if self.by_sequence else None

        def ask(ratio: Floats) -> Whole:
            rate = draw(steps.askings, *shape) if modes is None else modes
            with np.errstate(over="ignore"):
                sooner = 1 / (1 + np.exp((np.exp(-rate * years) - ratio) / self.noise))
            return np.asarray(np.sum(chance.random((steps.askings, *shape)) < sooner, axis=0))

        return bisect_time(ask, shape, steps)


def fit_modes(choices: ChoiceCounts, answering: Answering) -> Modes | None:
    """Return the mixture that explains the choices best by Schwarz's criterion. Return None if a single theory with
    noise explains them better. Modes of whole sequences are considered only if they do not depend on the question."""
    by_answer = max((_fit_answers(choices, noise) for noise in _NOISES), key=_criterion)
    by_sequence = max((_fit_sequences(choices, noise) for noise in _NOISES), key=_criterion)
    best = max(by_answer, by_sequence, key=_criterion)
    if best.criterion <= answering.criterion:
        return None
    if best.by_sequence and depends_on_question(_expected_factors(by_sequence, choices), choices):
        return by_answer if by_answer.criterion > answering.criterion else None
    return best


def depends_on_question(factors: Floats, choices: ChoiceCounts) -> bool:
    """Return whether discount factors of sequences differ between amounts, delays or front-end delays (F test of their
    main effects at 1 %). Return False if there are too few sequences for the test."""
    from scipy.special import fdtrc

    _, soon, late, stake = choices.features[:, np.unique(choices.cluster, return_index=True)[1]]
    groups = [np.unique(feature.round(6), return_inverse=True)[1] for feature in (soon, late - soon, stake)]
    effects = [group[:, np.newaxis] == np.arange(1, np.max(group) + 1) for group in groups]
    design = np.column_stack([np.ones(len(factors)), *effects])
    rank = int(np.linalg.matrix_rank(design))
    free = len(factors) - rank
    if rank < 2 or free < 1:
        return False
    residuals = factors - design @ np.linalg.lstsq(design, factors, rcond=None)[0]
    rest, total = float(np.sum(residuals**2)), float(np.sum((factors - np.mean(factors)) ** 2))
    if rest <= 1e-12 * max(total, 1e-12):
        return total > 0
    return bool(fdtrc(rank - 1, free, (total - rest) / (rank - 1) / (rest / free)) < _QUESTION_LEVEL)


def _criterion(fit: Modes) -> float:
    return fit.criterion


def _chances(choices: ChoiceCounts, noise: float) -> Floats:
    """Return the probability of 'sooner' at every rate of the grid: (rates, cells)."""
    advantage = EXPONENTIAL.advantage(_RATES[:, np.newaxis], choices.features).value
    with np.errstate(over="ignore"):
        return np.asarray(np.clip(1 / (1 + np.exp(-advantage / noise)), _LEAST_CHANCE, 1 - _LEAST_CHANCE))


def _levels(choices: ChoiceCounts, noise: float) -> Floats:
    """Return the log-likelihood of each sequence at every rate of the grid: (rates, sequences)."""
    sooner = _chances(choices, noise)
    levels = np.zeros((len(_RATES), choices.clusters))
    other = choices.answers - choices.chosen
    np.add.at(levels.T, choices.cluster, (choices.chosen * np.log(sooner) + other * np.log1p(-sooner)).T)
    return levels


def _fit_sequences(choices: ChoiceCounts, noise: float) -> Modes:
    """Fit the weights of modes that a sequence keeps, by expectation maximisation."""
    levels = _levels(choices, noise)
    tops = np.max(levels, axis=0)
    likelihood = np.exp(levels - tops)
    weights = np.full(len(_RATES), 1 / len(_RATES))
    for _ in range(_ROUNDS):
        weights = weights * (likelihood @ (1 / (weights @ likelihood))) / choices.clusters
    level = float(np.sum(np.log(weights @ likelihood) + tops))
    return _mixture(weights, noise, level, choices.total, by_sequence=True)


def _fit_answers(choices: ChoiceCounts, noise: float) -> Modes:
    """Fit the weights of modes that every answer draws anew, by expectation maximisation."""
    sooner, chosen, other = _chances(choices, noise), choices.chosen, choices.answers - choices.chosen
    weights = np.full(len(_RATES), 1 / len(_RATES))
    for _ in range(_ROUNDS):
        mixed = weights @ sooner
        weights = weights * (sooner @ (chosen / mixed) + (1 - sooner) @ (other / (1 - mixed))) / choices.total
    mixed = weights @ sooner
    level = float(chosen @ np.log(mixed) + other @ np.log1p(-mixed))
    return _mixture(weights, noise, level, choices.total, by_sequence=False)


def _mixture(weights: Floats, noise: float, level: float, answers: int, *, by_sequence: bool) -> Modes:
    """Return the mixture with Schwarz's criterion. A mode has two parameters, its rate and its weight. The weights sum
    to 1, so there is one free weight fewer, and the noise takes its place in the count. A single mode is no mixture,
    and has the criterion −∞."""
    modes = _count_modes(weights > _LEAST_WEIGHT)
    criterion = level - modes * math.log(answers) if modes > 1 else -math.inf
    return Modes(_RATES, weights / np.sum(weights), float(noise), by_sequence, criterion)


def _count_modes(present: Flags) -> int:
    """Return the number of modes, given which rates of the grid have weight."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], present.astype(np.int64), [0]])))
    lengths = edges[1::2] - edges[::2]
    return int(np.sum(-(-lengths // _WIDTH_OF_MODE)))


def _expected_factors(modes: Modes, choices: ChoiceCounts) -> Floats:
    """Return the expected discount factor of each sequence, given its answers."""
    levels = _levels(choices, modes.noise)
    with np.errstate(divide="ignore"):
        chances = np.log(modes.weights)[:, np.newaxis] + levels
    chances = np.exp(chances - np.max(chances, axis=0))
    return np.asarray(np.exp(-modes.rates) @ chances / np.sum(chances, axis=0))
