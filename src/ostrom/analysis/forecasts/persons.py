"""Forecasts that take a person's earlier choices into account. The earlier choices give an estimate of the person's
deviation from the forecast along each feature, shrunk toward 0. A logistic regression weighs these deviations."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from ostrom.analysis.forecasts.matrix_models import features, fit_logistic
from ostrom.core.estimates import Floats

PRIOR: Final = 1.0
"""The information to which a person's earlier choices are added."""
RIDGE: Final = 1e-4
TREND: Final = 10.0
"""The number of trials that change the trend by 1."""
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class PersonForecast:
    """The weights of the advantage, its trend over trials, and a person's deviations."""

    weights: Floats

    def advantage(self, inputs: Floats) -> Floats:
        """Return the logit of the probability of the first row."""
        result: Floats = self.weights @ inputs
        return result


def person_inputs(
    advantage: Floats,
    own: Floats,
    other: Floats,
    chose: Floats,
    person: Ints,
    trial: Ints,
    known: npt.NDArray[np.bool_],
) -> Floats:
    """Return the inputs of a forecast with the person's earlier choices. Only choices that are `known` count as
    earlier ones."""
    bounded = features(own, other)[9:14]
    along = np.concatenate([advantage[None] / 2, bounded, np.ones((1, len(advantage)))])
    deviations = _deviations(along, expit(advantage), chose, person, trial, known)
    trend = advantage * trial / TREND
    return np.concatenate([advantage[None], trend[None], along * deviations, bounded * deviations[0]])


def _deviations(
    along: Floats, forecast: Floats, chose: Floats, person: Ints, trial: Ints, known: npt.NDArray[np.bool_]
) -> Floats:
    order = np.lexsort((trial, person))
    surprise = np.where(known, chose - forecast, 0.0)[order] * along[:, order]
    information = np.where(known, forecast * (1 - forecast), 0.0)[order] * along[:, order] ** 2
    people = person[order]
    begins = np.concatenate(([True], people[1:] != people[:-1]))
    start = np.maximum.accumulate(np.where(begins, np.arange(len(people)), 0))

    def earlier(values: Floats) -> Floats:
        sums = np.cumsum(values, axis=1) - values
        before: Floats = sums - sums[:, start]
        return before

    result = np.empty_like(along)
    result[:, order] = earlier(surprise) / (earlier(information) + PRIOR)
    return result


def fit_persons(inputs: Floats, chose: Floats) -> PersonForecast:
    """Return the forecast with the person's earlier choices that fits best."""
    return PersonForecast(fit_logistic(inputs, chose, np.ones(len(chose)), RIDGE))
