"""Subjects whose patience varies from answer to answer, or from sequence to sequence, such as a language model that
answers in two modes: a mixture of exponential discounters with weights by maximum likelihood (Laird 1978).

One theory with noise has too narrow an interval for such a subject, since its answers vary over the whole range between
the modes. A mixture that explains the choices better, by Schwarz's criterion, simulates the task in its place."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from ostrom.games.battery.adaptive import SequenceSteps
from ostrom.games.battery.scores.logit import ChoiceCounts
from ostrom.games.battery.scores.replicates import Answering, Sequences, bisect_time
from ostrom.games.battery.scores.score import Floats, Whole
from ostrom.games.battery.scores.theories import EXPONENTIAL

_RATES: Final = -np.log(np.linspace(0.999, 0.03, 48))
_NOISES: Final = np.array([0.003, 0.01, 0.03, 0.1])
_ROUNDS: Final = 60
_LEAST_WEIGHT: Final = 0.02
"""Modes with less weight are not counted as parameters in Schwarz's criterion."""
_LEAST_CHANCE: Final = 1e-12


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
    """Return the mixture that explains the choices best by Schwarz's criterion, or None if a single theory with noise
    explains them better."""
    fits = [_fit(choices, noise, by_sequence=whole) for noise in _NOISES for whole in (False, True)]
    best = max(fits, key=lambda fit: fit.criterion)
    return best if best.criterion > answering.criterion else None


def _fit(choices: ChoiceCounts, noise: float, *, by_sequence: bool) -> Modes:
    """Fit the weights by expectation maximisation."""
    advantage = EXPONENTIAL.advantage(_RATES[:, np.newaxis], choices.features).value
    with np.errstate(over="ignore"):
        sooner = np.clip(1 / (1 + np.exp(-advantage / noise)), _LEAST_CHANCE, 1 - _LEAST_CHANCE)
    chosen, other = choices.chosen, choices.answers - choices.chosen
    weights = np.full(len(_RATES), 1 / len(_RATES))
    level = 0.0
    if by_sequence:
        levels = np.zeros((len(_RATES), choices.clusters))
        np.add.at(levels.T, choices.cluster, (chosen * np.log(sooner) + other * np.log1p(-sooner)).T)
        tops = np.max(levels, axis=0)
        likelihood = np.exp(levels - tops)
        for _ in range(_ROUNDS):
            mixed = weights @ likelihood
            weights = weights * (likelihood @ (1 / mixed)) / choices.clusters
        level = float(np.sum(np.log(weights @ likelihood) + tops))
    else:
        for _ in range(_ROUNDS):
            mixed = weights @ sooner
            weights = weights * (sooner @ (chosen / mixed) + (1 - sooner) @ (other / (1 - mixed))) / choices.total
        mixed = weights @ sooner
        level = float(chosen @ np.log(mixed) + other @ np.log1p(-mixed))
    present = weights > _LEAST_WEIGHT
    modes = int(np.sum(present & ~np.append(False, present[:-1])))
    return Modes(_RATES, weights / np.sum(weights), float(noise), by_sequence, level - modes * np.log(choices.total))
