"""Prediction-powered inference: means and differences of the outcomes of few people, with the help of many predictions.

There are n people with an outcome Y and a prediction F, and N further people with a prediction alone. The estimate is
mean(Y) + λ (mean(F of the N) − mean(F of the n)). It is valid however bad the predictions are, if the n people are a
random draw of the people for whom the N stand, and if no outcome was used to make a prediction. The weight λ is 0 for
the people alone and 1 for plain prediction-powered inference (Angelopoulos et al., "Prediction-powered inference",
Science 382, 2023). The tuned weight minimises the variance and is limited to 0 to 1 (Angelopoulos, Duchi and Zrnic,
"PPI++", 2023).

The usual interval has a normal quantile and covers too little with few people. Here the variance of Y − λF has one
degree of freedom fewer if λ was tuned, and the interval is Student's with as many degrees of freedom.
docs/pooling.md has the measured coverage.
"""

import math
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from ostrom.core.errors import InputError
from ostrom.core.estimates import Estimate, Floats, t_interval, within_range
from ostrom.core.text import number_of

LEAST_PEOPLE: Final = 6
"""The smallest number of people (or clusters) with an outcome for which there is an interval."""
LEAST_PREDICTED: Final = 2
"""The smallest number of people (or clusters) with a prediction alone."""


@dataclass(frozen=True, eq=False)
class OutcomeSample:
    """The independent units of one arm: people, or the means of clusters of people."""

    outcomes: Floats
    """(n,) The outcomes Y."""
    predictions: Floats
    """(n,) The predictions F for the same units."""
    others: Floats
    """(N,) The predictions for units without an outcome."""

    def __post_init__(self) -> None:
        if len(self.outcomes) != len(self.predictions):
            raise InputError(
                f"{len(self.outcomes)} outcomes and {len(self.predictions)} predictions; each outcome needs a "
                "prediction for the same person"
            )
        if not all(np.isfinite(column).all() for column in (self.outcomes, self.predictions, self.others)):
            raise InputError("outcomes and predictions must be finite numbers")
        if len(self.outcomes) < LEAST_PEOPLE:
            raise InputError(
                f"{number_of(len(self.outcomes), 'outcome')}: an interval needs at least {LEAST_PEOPLE} independent "
                "people or clusters"
            )
        if len(self.others) < LEAST_PREDICTED:
            raise InputError(
                f"{number_of(len(self.others), 'prediction')} without an outcome; pooling needs at least "
                f"{LEAST_PREDICTED}"
            )

    @property
    def correlation(self) -> float | None:
        """The correlation of outcomes and predictions; None if either does not vary."""
        if not self.outcomes.std() or not self.predictions.std():
            return None
        return float(np.corrcoef(self.outcomes, self.predictions)[0, 1])


@dataclass(frozen=True)
class PooledEstimate:
    """An estimate from people and predictions."""

    method: str
    """People alone, PPI (λ is 1) or PPI++ (λ is tuned)."""
    weights: tuple[float, ...]
    """The weight λ of the predictions, one for each arm."""
    value: float
    error: float
    """The standard error of the interval."""
    plain_error: float
    """The standard error with the divisor n − 1, as in the literature."""
    freedom: int
    people: int
    """The number of people, or of clusters, with an outcome."""
    effective: float
    """The number of people alone whose estimate would have this standard error."""

    @property
    def estimate(self) -> Estimate:
        """The value with its 95 % interval."""
        if self.error <= 0:
            return Estimate(self.value, reason="all outcomes agree with the predictions: there is no spread")
        return t_interval(self.value, self.error, self.freedom)

    @property
    def plain_effective(self) -> float:
        """The effective number of people by the plain standard error."""
        return self.effective * (self.error / self.plain_error) ** 2 if self.plain_error > 0 else self.effective


def tuned_weight(sample: OutcomeSample) -> float:
    """Return the weight λ that minimises the variance, limited to 0 to 1. It is 0 if the predictions do not vary."""
    every = np.concatenate([sample.predictions, sample.others])
    spread = float(np.var(every, ddof=1))
    if spread <= 0:
        return 0.0
    together = float(np.cov(sample.outcomes, sample.predictions)[0, 1])
    weight = together / ((1 + len(sample.outcomes) / len(sample.others)) * spread)
    return min(1.0, max(0.0, weight))


@dataclass(frozen=True)
class _Parts:
    """The value of one arm and the parts of its variance."""

    value: float
    people: float
    """The variance of the mean of Y − λF with the divisor n − 1."""
    others: float
    units: int
    tuned: int
    """The number of weights that were fitted."""

    @property
    def plain(self) -> float:
        return self.people + self.others

    @property
    def variance(self) -> float:
        return self.people * (self.units - 1) / (self.units - 1 - self.tuned) + self.others

    @property
    def freedom(self) -> int:
        return self.units - 1 - self.tuned


def _parts(sample: OutcomeSample, weight: float, tuned: int) -> _Parts:
    value = float(sample.outcomes.mean() + weight * (sample.others.mean() - sample.predictions.mean()))
    units, rest = len(sample.outcomes), sample.outcomes - weight * sample.predictions
    people = float(np.var(rest, ddof=1)) / units
    others = weight**2 * float(np.var(sample.others, ddof=1)) / len(sample.others) if weight else 0.0
    return _Parts(value, people, others, units, tuned)


METHODS: Final = ("people alone", "PPI", "PPI++")


def pooled_means(sample: OutcomeSample) -> list[PooledEstimate]:
    """Return the mean by people alone, by PPI and by PPI++."""
    return [_combined(method, [(1.0, sample)]) for method in METHODS]


def pooled_differences(first: OutcomeSample, second: OutcomeSample) -> list[PooledEstimate]:
    """Return the mean of the first arm minus that of the second, by people alone, by PPI and by PPI++. The two arms
    have different people and weights of their own. If the same people are in both arms, their differences are one
    sample of `pooled_means`."""
    return [_combined(method, [(1.0, first), (-1.0, second)]) for method in METHODS]


def _combined(method: str, arms: list[tuple[float, OutcomeSample]]) -> PooledEstimate:
    weights = [_weight(method, sample) for _, sample in arms]
    tuned = int(method == "PPI++")
    parts = [_parts(sample, weight, tuned) for weight, (_, sample) in zip(weights, arms, strict=True)]
    alone = sum(_parts(sample, 0.0, 0).variance for _, sample in arms)
    variance, plain = sum(part.variance for part in parts), sum(part.plain for part in parts)
    people = sum(part.units for part in parts)
    return PooledEstimate(
        method=method,
        weights=tuple(weights),
        value=sum(sign * part.value for (sign, _), part in zip(arms, parts, strict=True)),
        error=math.sqrt(variance),
        plain_error=math.sqrt(plain),
        freedom=sum(part.freedom for part in parts),
        people=people,
        effective=people * alone / variance if variance > 0 else float(people),
    )


def _weight(method: str, sample: OutcomeSample) -> float:
    return tuned_weight(sample) if method == "PPI++" else float(method == "PPI")


def cluster_means(values: Floats, clusters: npt.NDArray[np.int64]) -> Floats:
    """Return the mean of each cluster, in the order of their numbers."""
    _, cluster = np.unique(clusters, return_inverse=True)
    return np.asarray(np.bincount(cluster, weights=values) / np.bincount(cluster))


def within(pooled: PooledEstimate, low: float, high: float) -> Estimate:
    """Return the estimate with its value and interval limited to the possible values of the figure."""
    value = min(max(pooled.value, low), high)
    return within_range(replace(pooled.estimate, value=value), low, high)
