"""The theories of choice that are fitted to answers: exponential, quasi-hyperbolic and hyperbolic discounting, expected
utility over three outcomes, and the threshold of a benefit for its cost.

The advantage under discounting is that of the sooner amount over the later one: the difference of their present values,
relative to the later amount. The searched parameter for δ is the annual rate ρ = −ln δ; β is searched as its logarithm,
and k directly. The features of a choice are the sooner amount relative to the later one, the years to either, and the
number of the amount at stake.

Expected utility has u = (0, m, 1). So m, the utility of 500, describes the whole risk attitude: at 0.5 it is neutral,
above 0.5 it is risk averse, and below 0.5 it is risk seeking. The features are the probabilities of 1000 and of 500 of
the lottery on the axis minus those of the reference lottery."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ostrom.games.battery.scores.score import Floats
from ostrom.games.battery.time import exponential

LEAST_DELTA = 0.01
"""The least δ searched, as in the published estimator. The greatest is 1."""
LEAST_M, MOST_M = 0.001, 0.999
_RATE = (0.0, -math.log(LEAST_DELTA))
_BETA = (math.log(0.01), math.log(2.0))
"""The range of ln β. Values of β above 1 are a bias towards the future."""
_RATES = np.array([0.02, 0.1, 0.3, 0.8, 2.0])
"""The discount rates to search from, from patient to impatient."""


class Advantage(NamedTuple):
    """The advantage of an option, with its derivatives with respect to the parameters."""

    value: Floats
    """(samples, cells) The advantage of the option."""
    slopes: tuple[Floats, ...]
    """For each parameter, the derivative of the advantage (samples, cells)."""


@dataclass(frozen=True)
class Theory:
    """A theory of choice."""

    name: str
    bounds: Floats
    """The least and the greatest value of each parameter: (parameters, 2)."""
    starts: Floats
    """The parameters to start searching from: (starts, parameters)."""
    advantage: Callable[[Floats, Floats], Advantage]
    """A function that returns the advantage in every cell of the features, for every row of parameters (samples,
    parameters)."""
    inequalities: Callable[[Floats], tuple[Floats, Floats]]
    """A function that returns the condition for a non-negative advantage, slopes · parameters >= least. It returns the
    slopes (cells, parameters) and the least values (cells)."""
    reported: Callable[[Floats], Floats] = lambda parameters: parameters
    """Converts searched parameters to reported ones. Each reported parameter is a monotonic function of its searched
    one."""


def _powers(rate: Floats, years: Floats) -> Floats:
    """Return exp(−rate·years) for rates (samples, 1). It is computed once for each distinct number of years."""
    different, where = np.unique(years, return_inverse=True)
    return np.asarray(exponential(different, rate)[:, where])


def _inequalities(slopes: Floats, ratio: Floats, least: Floats | None = None) -> tuple[Floats, Floats]:
    """Return the inequalities slopes · parameters ≥ least, where least is −ln s by default. If the sooner amount is 0,
    no parameters fulfil them."""
    nothing = ratio <= 0
    bound = -np.log(np.where(nothing, 1.0, ratio)) if least is None else least
    return np.where(nothing[:, np.newaxis], 0.0, slopes), np.where(nothing, 1.0, bound)


def _factor(rate: Floats) -> Floats:
    return np.asarray(np.exp(-rate))


def _exponential(parameters: Floats, features: Floats) -> Advantage:
    """Return s·δ^soon − δ^late."""
    ratio, soon, late, _ = features
    near, far = ratio * _powers(parameters, soon), _powers(parameters, late)
    return Advantage(near - far, (far * late - near * soon,))


def _exponential_holds(features: Floats) -> tuple[Floats, Floats]:
    """Return ρ·(late − soon) ≥ −ln s."""
    ratio, soon, late, _ = features
    return _inequalities((late - soon)[:, np.newaxis], ratio)


EXPONENTIAL = Theory("exponential", np.array([_RATE]), _RATES[:, np.newaxis], _exponential, _exponential_holds, _factor)
"""D(t) = δ^t."""


def exponential_by_amount(amounts: int) -> Theory:
    """Return D(t) = δ^t with a δ for each of the amounts at stake."""

    def advantage(parameters: Floats, features: Floats) -> Advantage:
        ratio, soon, late, amount = features
        rate = parameters[:, amount.astype(np.int64)]
        near, far = ratio * exponential(soon, rate), exponential(late, rate)
        slope = far * late - near * soon
        return Advantage(near - far, tuple(np.where(amount == i, slope, 0.0) for i in range(amounts)))

    def inequalities(features: Floats) -> tuple[Floats, Floats]:
        ratio, soon, late, amount = features
        own = amount[:, np.newaxis] == np.arange(amounts)
        return _inequalities(own * (late - soon)[:, np.newaxis], ratio)

    bounds, starts = np.tile(_RATE, (amounts, 1)), np.repeat(_RATES[:, np.newaxis], amounts, axis=1)
    return Theory("exponential by amount", bounds, starts, advantage, inequalities, _factor)


def _quasi_hyperbolic(parameters: Floats, features: Floats) -> Advantage:
    """Return s·D(soon) − D(late)."""
    ratio, soon, late, _ = features
    beta, rate = np.exp(parameters[:, :1]), parameters[:, 1:]
    delayed = beta * ratio * _powers(rate, soon)
    near, far = np.where(soon > 0, delayed, ratio), beta * _powers(rate, late)
    return Advantage(near - far, (np.where(soon > 0, delayed, 0.0) - far, far * late - near * soon))


def _quasi_hyperbolic_holds(features: Floats) -> tuple[Floats, Floats]:
    """Return ρ·(late − soon) ≥ −ln s, with −ln β on the left if the sooner amount is paid at once."""
    ratio, soon, late, _ = features
    return _inequalities(np.column_stack([np.where(soon > 0, 0.0, -1.0), late - soon]), ratio)


QUASI_HYPERBOLIC = Theory(
    "quasi-hyperbolic",
    np.array([_BETA, _RATE]),
    np.array([(math.log(beta), rate) for beta in (0.6, 1.0) for rate in _RATES]),
    _quasi_hyperbolic,
    _quasi_hyperbolic_holds,
    lambda parameters: np.asarray(np.exp(parameters * np.array([1.0, -1.0]))),
)
"""D(t) = β·δ^t for t > 0, D(0) = 1 (Laibson 1997)."""


def _hyperbolic(parameters: Floats, features: Floats) -> Advantage:
    """Return s·D(soon) − D(late)."""
    ratio, soon, late, _ = features
    near, far = 1 / (1 + parameters * soon), 1 / (1 + parameters * late)
    return Advantage(ratio * near - far, (far**2 * late - ratio * near**2 * soon,))


def _hyperbolic_holds(features: Floats) -> tuple[Floats, Floats]:
    """Return k·(s·late − soon) ≥ 1 − s."""
    ratio, soon, late, _ = features
    return _inequalities((ratio * late - soon)[:, np.newaxis], ratio, 1 - ratio)


# At the upper bound of k, a value halves within four days.
HYPERBOLIC = Theory(
    "hyperbolic",
    np.array([[0.0, 100.0]]),
    np.array([[0.02], [0.1], [0.5], [2.0], [8.0]]),
    _hyperbolic,
    _hyperbolic_holds,
)
"""D(t) = 1 / (1 + k·t) (Mazur 1987)."""

DISCOUNTING = (EXPONENTIAL, QUASI_HYPERBOLIC, HYPERBOLIC)


def _linear(parameters: Floats, features: Floats) -> Advantage:
    """Return the first feature plus the parameter times the second feature. In expected utility, this is Δp(1000) +
    m·Δp(500)."""
    fixed, factor = features
    return Advantage(fixed + parameters * factor, (np.broadcast_to(factor, (len(parameters), len(factor))),))


def _linear_holds(features: Floats) -> tuple[Floats, Floats]:
    """Return the inequality parameter · second feature ≥ −first feature."""
    fixed, factor = features
    return factor[:, np.newaxis], -fixed


EXPECTED_UTILITY = Theory(
    "expected utility", np.array([[LEAST_M, MOST_M]]), np.array([[0.2], [0.5], [0.8]]), _linear, _linear_holds
)
"""EU = p(1000) + m·p(500)."""


def threshold(name: str, low: float, high: float) -> Theory:
    """Return the theory of an option whose worth is its benefit minus θ times its cost. The features are the benefit
    and the negative cost. Starting points are denser at low θ."""
    starts = low + (high - low) * np.array([[0.02], [0.1], [0.3], [0.6]])
    return Theory(name, np.array([[low, high]]), starts, _linear, _linear_holds)
