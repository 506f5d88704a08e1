"""Three theories of discounting: exponential, quasi-hyperbolic and hyperbolic. Each gives the advantage of the sooner
amount over the later one, as present values in parts of the later amount.

Inside, δ is searched as its rate ρ = −ln δ a year, β as its logarithm, k as it is. Features of a choice: the sooner
amount in parts of the later one, the years to either, and the number of the amount at stake."""

import math
from dataclasses import dataclass

import numpy as np

from ostrom.games.battery.scores.logit import Advantage
from ostrom.games.battery.scores.score import Floats

MOST_RATE = -math.log(0.01)
"""δ is sought between 0.01 and 1, as by the published estimator."""
_LEAST_BETA, _MOST_BETA = 0.01, 2.0
_RATES = np.array([0.02, 0.1, 0.3, 0.8, 2.0])


def _powers(rate: Floats, years: Floats) -> Floats:
    """exp(−rate·years) of (samples, 1) rates; there are few different years, so each is computed once."""
    different, where = np.unique(years, return_inverse=True)
    return np.asarray(np.exp(-rate * different)[:, where])


def _minus_log(ratio: Floats) -> Floats:
    return np.asarray(-np.log(np.where(ratio > 0, ratio, 1.0)))


def _never_at_nothing(slopes: Floats, least: Floats, ratio: Floats) -> tuple[Floats, Floats]:
    """Inequalities that no parameter fulfils where the sooner amount is nothing at all."""
    nothing = ratio <= 0
    return np.where(nothing[:, np.newaxis], 0.0, slopes), np.where(nothing, 1.0, least)


@dataclass(frozen=True, slots=True)
class Exponential:
    """D(t) = δ^t."""

    name: str = "exponential"

    @property
    def bounds(self) -> Floats:
        """Of ρ."""
        return np.array([[0.0, MOST_RATE]])

    @property
    def starts(self) -> Floats:
        """From patient to impatient."""
        return _RATES[:, np.newaxis]

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·δ^soon − δ^late."""
        ratio, soon, late, _ = features
        rate = parameters[:, :1]
        near, far = ratio * _powers(rate, soon), _powers(rate, late)
        return Advantage(near - far, (far * late - near * soon,))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """ρ·(late − soon) ≥ −ln s."""
        ratio, soon, late, _ = features
        return _never_at_nothing((late - soon)[:, np.newaxis], _minus_log(ratio), ratio)

    def reported(self, parameters: Floats) -> Floats:
        """δ."""
        return np.exp(-parameters)


@dataclass(frozen=True, slots=True)
class ExponentialByAmount:
    """D(t) = δ^t with a δ for each of the amounts at stake."""

    amounts: int = 3
    name: str = "exponential by amount"

    @property
    def bounds(self) -> Floats:
        """Of each ρ."""
        return np.tile([0.0, MOST_RATE], (self.amounts, 1))

    @property
    def starts(self) -> Floats:
        """The same for all amounts."""
        return np.repeat(_RATES[:, np.newaxis], self.amounts, axis=1)

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·δ^soon − δ^late with the amount's own δ."""
        ratio, soon, late, amount = features
        rate = parameters[:, amount.astype(np.int64)]
        near, far = ratio * np.exp(-rate * soon), np.exp(-rate * late)
        slope = far * late - near * soon
        return Advantage(near - far, tuple(np.where(amount == i, slope, 0.0) for i in range(self.amounts)))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """ρ·(late − soon) ≥ −ln s for the amount's own ρ."""
        ratio, soon, late, amount = features
        own = amount[:, np.newaxis] == np.arange(self.amounts)
        return _never_at_nothing(own * (late - soon)[:, np.newaxis], _minus_log(ratio), ratio)

    def reported(self, parameters: Floats) -> Floats:
        """δ of each amount."""
        return np.exp(-parameters)


@dataclass(frozen=True, slots=True)
class QuasiHyperbolic:
    """D(t) = β·δ^t for t > 0, D(0) = 1 (Laibson 1997)."""

    name: str = "quasi-hyperbolic"

    @property
    def bounds(self) -> Floats:
        """Of ln β and ρ. β above 1 is a bias towards the future."""
        return np.array([[math.log(_LEAST_BETA), math.log(_MOST_BETA)], [0.0, MOST_RATE]])

    @property
    def starts(self) -> Floats:
        """With and without present bias."""
        return np.array([(math.log(beta), rate) for beta in (0.6, 1.0) for rate in _RATES])

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·D(soon) − D(late)."""
        ratio, soon, late, _ = features
        beta, rate = np.exp(parameters[:, :1]), parameters[:, 1:]
        delayed = beta * ratio * _powers(rate, soon)
        near, far = np.where(soon > 0, delayed, ratio), beta * _powers(rate, late)
        return Advantage(near - far, (np.where(soon > 0, delayed, 0.0) - far, far * late - near * soon))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """ρ·(late − soon) ≥ −ln s, and with −ln β on the left where the sooner amount is paid at once."""
        ratio, soon, late, _ = features
        slopes = np.column_stack([np.where(soon > 0, 0.0, -1.0), late - soon])
        return _never_at_nothing(slopes, _minus_log(ratio), ratio)

    def reported(self, parameters: Floats) -> Floats:
        """β and δ."""
        return np.asarray(np.exp(parameters * np.array([1.0, -1.0])))


@dataclass(frozen=True, slots=True)
class Hyperbolic:
    """D(t) = 1 / (1 + k·t) (Mazur 1987)."""

    name: str = "hyperbolic"

    @property
    def bounds(self) -> Floats:
        """Of k; the upper one halves a value within four days."""
        return np.array([[0.0, 100.0]])

    @property
    def starts(self) -> Floats:
        """From patient to impatient."""
        return np.array([[0.02], [0.1], [0.5], [2.0], [8.0]])

    def advantage(self, parameters: Floats, features: Floats) -> Advantage:
        """s·D(soon) − D(late)."""
        ratio, soon, late, _ = features
        k = parameters[:, :1]
        near, far = 1 / (1 + k * soon), 1 / (1 + k * late)
        return Advantage(ratio * near - far, (far**2 * late - ratio * near**2 * soon,))

    def inequalities(self, features: Floats) -> tuple[Floats, Floats]:
        """k·(s·late − soon) ≥ 1 − s."""
        ratio, soon, late, _ = features
        return _never_at_nothing((ratio * late - soon)[:, np.newaxis], 1 - ratio, ratio)

    def reported(self, parameters: Floats) -> Floats:
        """k."""
        return parameters
