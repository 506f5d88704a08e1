"""Theories of first choices in 2×2 games. A forecaster returns the probability of the first row.

Payoffs are arrays (4, choices) in the order AC, AD, BC, BD: the person chooses row A or B, the opponent column C or D.
`own` are the person's payoffs and `other` the opponent's."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit

from ostrom.core.estimates import Floats

DAMPING: Final = 0.3
"""The part of each step that the iteration to a logit equilibrium takes."""
MAX_STEPS: Final = 400
LEAST_PROBABILITY: Final = 1e-6
Forecast = Callable[[Floats, Floats, Floats], Floats]
"""A function of parameters and both players' payoffs that returns probabilities of the first row."""


def logistic(values: Floats) -> Floats:
    """Return the logistic function of values."""
    result: Floats = expit(values)
    return result


def gains(payoffs: Floats) -> tuple[Floats, Floats]:
    """Return how much more row A pays than row B, against column C and against column D."""
    return payoffs[0] - payoffs[2], payoffs[1] - payoffs[3]


def as_column(payoffs: Floats) -> Floats:
    """Return the opponent's payoffs as if the opponent chose rows."""
    return payoffs[[0, 2, 1, 3]]


def level_1(payoffs: Floats) -> Floats:
    """Return the advantage of row A against an opponent that chooses at random."""
    first, second = gains(payoffs)
    return (first + second) / 2


def level_2(own: Floats, other: Floats) -> Floats:
    """Return the advantage of row A against an opponent of level 1."""
    return _against((np.sign(level_1(as_column(other))) + 1) / 2, own)


def _against(share: Floats, own: Floats) -> Floats:
    first, second = gains(own)
    mixed: Floats = share * first + (1 - share) * second
    return mixed


def level_2_logit(values: Floats, own: Floats, other: Floats) -> Floats:
    """Return logit answers to an opponent of level 1."""
    return logistic(values[0] * level_2(own, other))


def level_1_trembles(values: Floats, own: Floats, other: Floats) -> Floats:
    """Return best answers to a random opponent. The value is the probability of the other row."""
    best: Floats = (np.sign(level_1(own)) + 1) / 2
    return float(values[0]) + (1 - 2 * float(values[0])) * best


def level_1_logit(values: Floats, own: Floats, other: Floats) -> Floats:
    """Return logit answers to a random opponent."""
    return logistic(values[0] * level_1(own))


def quantal_level_2(values: Floats, own: Floats, other: Floats) -> Floats:
    """Return logit answers to an opponent who answers a random player, with the same precision."""
    return logistic(values[0] * _against(logistic(values[0] * level_1(as_column(other))), own))


def logit_equilibrium(values: Floats, own: Floats, other: Floats) -> Floats:
    """Return the logit equilibrium that a damped iteration from ½ reaches."""
    columns = as_column(other)
    row = np.full(own.shape[1:], 0.5)
    column = row.copy()
    for _ in range(MAX_STEPS):
        next_row = logistic(values[0] * _against(column, own))
        next_column = logistic(values[0] * _against(row, columns))
        change = max(np.abs(next_row - row).max(), np.abs(next_column - column).max())
        row, column = row + DAMPING * (next_row - row), column + DAMPING * (next_column - column)
        if change < 1e-10:
            break
    return row


def mixture(values: Floats, own: Floats, other: Floats) -> Floats:
    """Return a mixture of random choices, logit answers to a random opponent, and quantal answers of level 2. The
    values are the shares of the last two and their precisions."""
    first = level_1_logit(values[2:3], own, other)
    second = quantal_level_2(values[3:4], own, other)
    mixed: Floats = (1 - values[0] - values[1]) / 2 + values[0] * first + values[1] * second
    return mixed


@dataclass(frozen=True)
class MatrixTheory:
    """A theory of choices, with its parameters."""

    name: str
    forecast: Forecast
    parameters: tuple[str, ...]
    start: tuple[float, ...]
    bounds: tuple[tuple[float, float], ...]

    def fit(self, own: Floats, other: Floats, chose: Floats, counts: Floats) -> Floats:
        """Return the parameters of largest likelihood. `chose` is the share of choices of row A, and `counts` the
        number of choices."""

        def loss(values: Floats) -> float:
            return float((counts * cross_entropy(self.forecast(values, own, other), chose)).sum() / counts.sum())

        result: Any = minimize(loss, np.asarray(self.start), method="L-BFGS-B", bounds=self.bounds)
        fitted: Floats = result.x
        return fitted


def cross_entropy(forecast: Floats, chose: Floats) -> Floats:
    """Return the log loss of each forecast for a share of choices."""
    sure = np.clip(forecast, LEAST_PROBABILITY, 1 - LEAST_PROBABILITY)
    losses: Floats = -(chose * np.log(sure) + (1 - chose) * np.log1p(-sure))
    return losses


_PRECISION: Final = ((0.0, 3.0),)
THEORIES: Final[Sequence[MatrixTheory]] = (
    MatrixTheory("level-2 logit", level_2_logit, ("λ",), (0.05,), _PRECISION),
    MatrixTheory("level-1 with trembles", level_1_trembles, ("ε",), (0.3,), ((1e-4, 0.5),)),
    MatrixTheory("logit equilibrium", logit_equilibrium, ("λ",), (0.05,), _PRECISION),
    MatrixTheory("quantal level-2", quantal_level_2, ("λ",), (0.05,), _PRECISION),
    MatrixTheory("level-1 logit", level_1_logit, ("λ",), (0.05,), _PRECISION),
    MatrixTheory(
        "mixture",
        mixture,
        ("share of level 1", "share of level 2", "λ of level 1", "λ of level 2"),
        (0.45, 0.25, 0.3, 0.4),
        ((0.0, 0.6), (0.0, 0.4), (0.0, 3.0), (0.0, 3.0)),
    ),
)
THEORY_BY_NAME: Final[Mapping[str, MatrixTheory]] = {theory.name: theory for theory in THEORIES}
