"""The published estimator of the annual discount factor: least squares of δ^years on indifference ratios at front-end
delay 0, over all amounts, δ between 0.01 and 1.

A theory fitted to a subject's choices: parameters with their intervals, noise, and Schwarz's criterion."""

import math
from dataclasses import dataclass

import numpy as np

from ostrom.core.estimates import CONFIDENCE
from ostrom.games.battery.scores.logit import Choices, Model, explained, fit, refit
from ostrom.games.battery.scores.score import (
    RESAMPLES,
    Floats,
    Score,
    drawn,
    drawn_by,
    once_each,
    with_interval,
    withheld,
)
from ostrom.games.battery.scores.time import TimePoints

LEAST, MOST = 0.01, 1.0
_GRID = np.linspace(LEAST, MOST, 991)
_ZOOMS = 4
_FINER = np.linspace(-1, 1, 21)


def published_delta(points: TimePoints) -> tuple[Score, Floats]:
    """δ with its interval, and δ again from each resample of conditions."""
    now = points.only(points.front == 0)
    if len(now.ratio) < 2:
        return withheld("fewer than two indifference points at front-end delay 0"), np.empty(0)
    value = float(least_squares(now.ratio, now.years)[0])
    conditions = list(zip(now.years.tolist(), now.amount.tolist(), strict=True))
    draws = once_each(lambda rows: least_squares(now.ratio, now.years, rows), drawn_by(conditions))
    return with_interval(value, draws), draws


def least_squares(ratio: Floats, years: Floats, weights: Floats | None = None) -> Floats:
    """δ for every row of weights (samples, points), or one for all points alike. The whole range is searched on a grid
    first, for the sum of squares can have two minima; then the best place is refined to the seventh decimal."""
    rows = np.ones((1, len(ratio))) if weights is None else weights
    best = _GRID[np.argmin(rows @ (_GRID ** years[:, np.newaxis] - ratio[:, np.newaxis]) ** 2, axis=1)]
    reach = _GRID[1] - _GRID[0]
    for _ in range(_ZOOMS):
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST, MOST)
        error = np.einsum(
            "bn,bng->bg", rows, (near[:, np.newaxis, :] ** years[:, np.newaxis] - ratio[:, np.newaxis]) ** 2
        )
        best = near[np.arange(len(near)), np.argmin(error, axis=1)]
        reach /= 10
    return np.asarray(best)


ONE_CONDITION = "one condition has no spread: no interval"


@dataclass(frozen=True, slots=True)
class Fitted:
    """What a theory makes of all the choices."""

    model: str
    parameters: tuple[Score, ...]
    noise: float
    """μ of the logit rule; 0 where the theory explains every single choice."""
    likelihood: float
    """The log-likelihood; 0 where it explains every choice."""
    bic: float
    """Schwarz's criterion: less is better (Schwarz 1978). It counts answers, and the noise among the parameters."""
    draws: Floats
    """The parameters again from each resample, (resamples, parameters); the same in all rows where it explains all."""


def fitted(model: Model, choices: Choices) -> Fitted:
    """The maximum likelihood fit. Intervals are t intervals with the standard error of the bootstrap clustered by
    condition, on the scale that is searched, with as many degrees of freedom as there are conditions but one: they
    cover better than percentiles, which are too narrow with a few dozen conditions. Where the theory explains every
    choice, the interval is the whole set of parameters that do."""
    cost = (len(model.bounds) + 1) * math.log(choices.total)
    exact = explained(model, choices)
    if exact is not None:
        value = model.reported(exact.value)
        scores = _scores(model, exact.value, exact.low, exact.high)
        return Fitted(model.name, scores, 0.0, 0.0, cost, np.repeat(value[np.newaxis], RESAMPLES, axis=0))
    whole = fit(model, choices)
    place, level = whole.parameters[0], float(whole.likelihood[0])
    if choices.clusters < 2:
        alone = tuple(Score(float(one), reason=ONE_CONDITION) for one in model.reported(place))
        return Fitted(model.name, alone, float(whole.noise[0]), level, cost - 2 * level, np.empty(0))
    again = once_each(lambda rows: refit(model, choices, whole, rows).parameters, drawn(choices.clusters))
    reach = _quantile(choices.clusters - 1) * np.std(again, axis=0)
    low, high = np.maximum(place - reach, model.bounds[:, 0]), np.minimum(place + reach, model.bounds[:, 1])
    scores = _scores(model, place, low, high)
    return Fitted(model.name, scores, float(whole.noise[0]), level, cost - 2 * level, model.reported(again))


def _scores(model: Model, value: Floats, low: Floats, high: Floats) -> tuple[Score, ...]:
    """Parameters as they are reported; what is searched may fall as it rises."""
    ends = np.sort(model.reported(np.stack([low, high])), axis=0)
    return tuple(Score(float(v), float(a), float(b)) for v, a, b in zip(model.reported(value), *ends, strict=True))


def _quantile(freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))
