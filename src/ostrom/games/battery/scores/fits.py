"""A theory fitted to a subject's choices: parameters with their intervals, noise, and Schwarz's criterion."""

import math
from dataclasses import dataclass

import numpy as np

from ostrom.core.estimates import CONFIDENCE
from ostrom.games.battery.scores.bootstrap import RESAMPLES, drawn, once_each
from ostrom.games.battery.scores.logit import Choices, Model, fit, refit
from ostrom.games.battery.scores.score import Floats, Score
from ostrom.games.battery.scores.separation import explained

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
