"""Estimates with their uncertainty: every measured number has an interval, or the reason why there is none.

All intervals are at 95 %. Games are the independent units: the seats of one game are one cluster, and intervals are
clustered by game."""

import math
import operator
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass, replace
from typing import NamedTuple, SupportsFloat

import numpy as np
import numpy.typing as npt

from ostrom.core.errors import InputError

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

CONFIDENCE = 0.95
_TAIL = (1 - CONFIDENCE) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Estimate:
    """A value with its 95 % interval; `reason` says why the value or the interval is missing.

    An estimate can be used like its value: `float(estimate)`, `f"{estimate:.2f}"`, `estimate > 0.5`, `estimate == 0.5`.
    It can be unpacked: `value, low, high = estimate`. `polars.DataFrame(estimates)` has the columns value, low, high,
    reason and code. Every comparison with an estimate that has no value is false."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    code: str | None = None
    """A one-word code for the kind of reason, for programs; None if this kind of reason has no code."""

    def as_record(self) -> dict[str, float | str | None]:
        """Return the estimate as plain data."""
        return {"value": self.value, "low": self.low, "high": self.high, "reason": self.reason}

    def __float__(self) -> float:
        if self.value is None:
            raise InputError(f"there is no value: {self.reason or 'the reason is unknown'}")
        return float(self.value)

    def __iter__(self) -> Iterator[float | None]:
        return iter((self.value, self.low, self.high))

    def __format__(self, spec: str) -> str:
        if not spec:
            return str(self)
        return "–" if self.value is None else format(self.value, spec)

    def __str__(self) -> str:
        if self.value is None:
            return f"– ({self.reason})" if self.reason else "–"
        span = "" if self.low is None or self.high is None else f" ({self.low:.4g} to {self.high:.4g})"
        return f"{self.value:.4g}{span}"

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Estimate):
            return astuple(self) == astuple(other)
        return self.value is not None and self.value == other

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: object) -> bool:
        return self._compare(operator.lt, other)

    def __le__(self, other: object) -> bool:
        return self._compare(operator.le, other)

    def __gt__(self, other: object) -> bool:
        return self._compare(operator.gt, other)

    def __ge__(self, other: object) -> bool:
        return self._compare(operator.ge, other)

    def _compare(self, relation: Callable[[float, float], bool], other: object) -> bool:
        number = other.value if isinstance(other, Estimate) else other
        if number is not None and not isinstance(number, SupportsFloat):
            raise TypeError(f"an estimate cannot be compared with {type(other).__name__}")
        return self.value is not None and number is not None and bool(relation(self.value, float(number)))


def within_range(estimate: Estimate, low: float, high: float) -> Estimate:
    """Return an estimate with its interval cut to the possible values of the measure. The true value is always a
    possible value, so the shorter interval has the same coverage."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    return replace(estimate, low=min(max(estimate.low, low), high), high=min(max(estimate.high, low), high))


def proportion(share: float, games: float) -> Estimate:
    """Return a share of games with Wilson's score interval, which is valid at 0 and 1 (Wilson 1927)."""
    from scipy.special import ndtri

    z2 = float(ndtri(1 - _TAIL)) ** 2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = math.sqrt(z2 * (share * (1 - share) + z2 / (4 * games)) / games) / (1 + z2 / games)
    # Without this, a rounding error could move a bound past the value.
    low = max(0.0, middle - half) if share > 0 else 0.0
    high = min(1.0, middle + half) if share < 1 else 1.0
    return Estimate(share, min(low, share), max(high, share))


def clustered_mean(values: Floats, per_game: Whole) -> Estimate:
    """Return the mean over seats with a t interval. Its standard error allows for the similarity of seats within a
    game: it is the linearised error of the ratio estimator Σv/Σm over games (Cochran 1977, ch. 6). `per_game` has the
    number of values of each game; values are ordered by game."""
    mean = float(np.mean(values))
    games = len(per_game)
    if games < 2:
        return Estimate(mean, reason="fewer than 2 games: no interval")
    starts = np.concatenate(([0], np.cumsum(per_game)[:-1]))
    residuals = np.add.reduceat(values - mean, starts)
    error = math.sqrt(float(np.sum(residuals**2)) * games / (games - 1)) / len(values)
    return t_interval(mean, error, games - 1)


def stratified_mean(values: Floats, per_game: Whole, strata: int) -> Estimate:
    """Return the mean over seats of a stratified sample of games, with a t interval. All strata, such as tables, are in
    the sample, so the standard error is computed only from the variance within strata. The degrees of freedom are
    Satterthwaite's (Cochran 1977, ch. 5). Games must be ordered by stratum, with the same number of games in each. If
    all games of each stratum have the same value, the interval has zero width."""
    mean, error, freedom = _stratified(values, per_game, strata)
    return Estimate(mean, reason=ONE_GAME) if error is None else t_interval(mean, error, freedom)


def stratified_share(values: Floats, per_game: Whole, strata: int) -> Estimate:
    """Return the stratified mean of values from 0 to 1, such as shared wins, with Wilson's interval at the effective
    sample size (Korn and Graubard 1998; Franco et al. 2019). The interval allows for rare deviations that occurred in
    none of these games: it extends to the frequency at which they would be absent from the sample with a probability of
    2.5 %."""
    mean, error, freedom = _stratified(values, per_game, strata)
    return Estimate(mean, reason=ONE_GAME) if error is None else bounded_interval(mean, error, freedom, len(per_game))


def means_of_rows(values: Floats, *, share: bool = False) -> list[Estimate]:
    """Return the mean of each row of an array (rows, games). It is computed by `stratified_mean` with one stratum, or
    by `stratified_share` if `share`."""
    games = values.shape[1]
    means = values.mean(axis=1)
    if games < 2:
        return [Estimate(mean, reason=ONE_GAME) for mean in means.tolist()]
    spread = values.var(axis=1, ddof=1)
    spread[spread <= 1e-18 * (1 + means**2)] = 0.0  # a rounding error
    pairs = zip(means.tolist(), np.sqrt(spread / games).tolist(), strict=True)
    if share:
        return [bounded_interval(mean, error, games - 1.0, games) for mean, error in pairs]
    quantile = _t(games - 1.0)
    return [Estimate(mean, mean - quantile * error, mean + quantile * error) for mean, error in pairs]


ONE_GAME = "one game at a table does not show how results vary: no interval"


def bounded_interval(mean: float, error: float, freedom: float, units: int) -> Estimate:
    """Return a mean of values from 0 to 1 with Wilson's interval at the effective number of independent units."""
    from scipy.special import ndtri

    unseen = 1 - _TAIL ** (1 / units)
    if error > 0:
        effective = mean * (1 - mean) / error**2 * (float(ndtri(1 - _TAIL)) / _t(freedom)) ** 2
        wilson = proportion(mean, effective)
        assert wilson.low is not None
        assert wilson.high is not None
        low, high = min(wilson.low, mean - unseen), max(wilson.high, mean + unseen)
    else:
        low, high = mean - unseen, mean + unseen
    return Estimate(mean, max(0.0, low), min(1.0, high))


def jackknife(estimate: float, leave_one_out: Floats) -> tuple[float, float]:
    """Return the jackknife standard error of an estimate and its degrees of freedom (Arvesen 1969 for U-statistics).
    `leave_one_out` has one estimate for each unit, computed without that unit."""
    units = len(leave_one_out)
    return math.sqrt((units - 1) / units * float(np.sum((leave_one_out - estimate) ** 2))), units - 1


def t_interval(mean: float, error: float, freedom: float) -> Estimate:
    """Return a mean with its t interval."""
    half = _t(freedom) * error
    return Estimate(mean, mean - half, mean + half)


def _t(freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - _TAIL))


def _stratified(values: Floats, per_game: Whole, strata: int) -> tuple[float, float | None, float]:
    """Return the mean over seats, its standard error, and its degrees of freedom. The error is None if strata have only
    one game."""
    mean = float(np.mean(values))
    games = len(per_game) // strata
    if games < 2:
        return mean, None, 0.0
    starts = np.concatenate(([0], np.cumsum(per_game)[:-1]))
    residuals = np.add.reduceat(values - mean, starts).reshape(strata, games)
    spread = residuals.var(axis=1, ddof=1) * games
    # If all games of a stratum are equal, a remaining variance is a rounding error.
    spread[spread <= 1e-18 * (1 + mean**2) * games] = 0.0
    total = float(spread.sum())
    freedom = total**2 / float(np.sum(spread**2)) * (games - 1) if total > 0 else games - 1.0
    return mean, math.sqrt(total) / len(values), freedom


class WeightedMean(NamedTuple):
    """A mean in which every group has the same weight, and its standard error."""

    value: float
    error: float | None
    """The standard error; None if every stratum has only one unit."""
    freedom: float


def mean_over_groups(values: Floats, groups: Whole, units: Whole, strata: Whole) -> WeightedMean:
    """Return the average of the means of groups, such as roles. Values of the same unit (for example of games with the
    same random draws) may depend on each other; different units of a stratum are independent. The standard error is
    linearised (Cochran 1977, section 6.4) and computed from the variance of units within strata."""
    _, group = np.unique(groups, return_inverse=True)
    count = np.bincount(group)
    means = np.bincount(group, weights=values) / count
    influence = (values - means[group]) / (count[group] * len(count))
    unit_names, first, unit = np.unique(units, return_index=True, return_inverse=True)
    by_unit = np.bincount(unit, weights=influence)
    _, stratum = np.unique(strata[first], return_inverse=True)
    size = np.bincount(stratum)
    value = float(means.mean())
    if len(unit_names) == len(size):
        return WeightedMean(value, None, 0.0)
    centred = by_unit - (np.bincount(stratum, weights=by_unit) / size)[stratum]
    freedom = np.maximum(size - 1, 1)
    variance = np.bincount(stratum, weights=centred**2) * size / freedom
    # If all units of a stratum are equal, a remaining variance is a rounding error.
    variance[variance <= 1e-18 * (1 + value**2) / len(values)] = 0.0
    total = float(variance.sum())
    if total == 0:
        return WeightedMean(value, 0.0, float(freedom.sum()))
    return WeightedMean(value, math.sqrt(total), total**2 / float(np.sum(variance**2 / freedom)))


def median(values: Floats, games: int) -> Estimate:
    """Return the median over seats with a distribution-free interval. The bounds are order statistics. Their ranks come
    from a binomial distribution with one draw per game."""
    ranked = np.sort(values)
    middle, ranks = float(np.median(ranked)), median_ranks(games)
    if ranks is None:
        return Estimate(middle, reason="fewer than 6 games: no 95 % interval for the median")
    first = ranks[0] * len(ranked) // games
    return Estimate(middle, float(ranked[first]), float(ranked[len(ranked) - 1 - first]))


def median_ranks(games: int) -> tuple[int, int] | None:
    """Return the ranks, from 0, of the two order statistics that bound the median's interval; None if there are too few
    games."""
    from scipy.special import bdtr

    width = int(6 * math.sqrt(games)) + 2
    ranks = np.arange(max(0, games // 2 - width), games // 2 + 1)
    # The greatest rank k such that the probability of fewer than k games below the median is at most 2.5 %.
    below = ranks[bdtr(ranks - 1.0, games, 0.5) <= _TAIL]
    k = int(below[-1]) if len(below) else 0
    return None if k < 1 else (k - 1, games - k)
