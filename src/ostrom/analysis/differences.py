"""Intervals and tests of a difference of two means or shares. The units (games, pairs of games or clusters) may be
skewed and unequal in number.

To first order, the difference is linear in its units. There are three kinds of units: those with games of both sides,
of the first side alone, and of the second side alone. Each kind is resampled separately. In each resample, the
difference is divided by its error (studentised; Efron and Tibshirani 1993, ch. 12). So the two ends of the interval
follow the skewness of each side. An end is never nearer to the difference than the end of Welch's t interval (1947).
Intervals from few units are lengthened, since a small sample understates its own skewness. docs/inference.md has the
measured coverage.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ostrom.core.estimates import CONFIDENCE, Floats

RESAMPLES: Final = 1000
POWER: Final = 0.8
SEED: Final = 735
_MAX_DRAWS: Final = 2**22
"""The largest product of resamples and units that is kept in memory."""
_ROUNDING: Final = 1e-12
_TAIL: Final = (1 - CONFIDENCE) / 2
_FEW: Final = 0.75
"""The share by which an interval would be lengthened if there were a single unit. With n units, an interval is
lengthened by this share divided by n."""


@dataclass(frozen=True, slots=True)
class DifferenceFit:
    """A difference, its error, and the distances from the difference to the ends of its 95 % interval, in units of the
    error."""

    value: float
    error: float
    freedom: float
    below: float
    above: float

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """Return the interval at this confidence. If the confidence exceeds 95 %, the ends move outward in proportion
        to the quantiles of the t distribution."""
        factor = self.error * _t(self.freedom, confidence) / _t(self.freedom, CONFIDENCE)
        return self.value - self.below * factor, self.value + self.above * factor

    @property
    def chance(self) -> float:
        """The p-value of the hypothesis of equal means: 1 minus the greatest confidence at which the interval excludes
        0."""
        from scipy.special import stdtr

        reach = self.below if self.value > 0 else self.above
        size = abs(self.value) / self.error * _t(self.freedom, CONFIDENCE) / reach
        return float(2 * stdtr(self.freedom, -size))

    @property
    def detectable(self) -> float:
        """The difference that the same number of games would show with a power of 80 %."""
        from scipy.special import ndtri

        return (max(self.below, self.above) + float(ndtri(POWER))) * self.error

    def is_equivalent(self, margin: float) -> bool:
        """Return whether two one-sided tests at 5 % show that the difference lies within the margin (Schuirmann
        1987)."""
        low, high = self.interval(2 * CONFIDENCE - 1)
        return -margin < low and high < margin


def fit_difference(
    value: float,
    kinds: Sequence[Floats],
    fewest: int,
    *,
    error: float = 0.0,
    freedom: float | None = None,
    symmetric: bool = False,
) -> DifferenceFit | None:
    """Return the fit of a difference, or None if no unit varies. For each kind of unit, `kinds` has the units'
    deviations from the difference, which sum to 0. `fewest` is the number of units of the smaller side. The standard
    error is never below `error`. By default, the degrees of freedom are Welch's, computed over kinds. A `symmetric`
    interval reaches equally far on both sides. It is for figures with rare high values, since few units do not show
    which side of the interval should be longer."""
    kinds = [offsets for offsets in kinds if len(offsets)]
    variances = [float(np.sum(offsets**2)) * _correction(len(offsets)) for offsets in kinds]
    if (total := sum(variances)) <= (_ROUNDING * value) ** 2:
        return None
    draws = _studentised_draws(kinds)
    draws = draws[np.isfinite(draws)]
    if not len(draws):
        return None
    freedom = welch_freedom(variances, [len(offsets) for offsets in kinds]) if freedom is None else freedom
    if symmetric:
        high = float(np.quantile(np.abs(draws), CONFIDENCE, method="higher"))
        low = -high
    else:
        low = float(np.quantile(draws, _TAIL, method="lower"))
        high = float(np.quantile(draws, 1 - _TAIL, method="higher"))
    t, factor = _t(freedom, CONFIDENCE), 1 + _FEW / fewest
    return DifferenceFit(value, max(total**0.5, error), freedom, factor * max(high, t), factor * max(-low, t))


def welch_freedom(variances: Sequence[float], units: Sequence[int]) -> float:
    """Return the degrees of freedom of a sum of variances. Each variance is estimated from the given number of units
    (Welch 1947)."""
    parts = sum(variance**2 / max(number - 1, 1) for variance, number in zip(variances, units, strict=True))
    return sum(variances) ** 2 / parts


def _studentised_draws(kinds: Sequence[Floats]) -> Floats:
    """Return the studentised difference of each resample: its difference minus the observed difference, divided by the
    resample's own error."""
    shift, variance = np.zeros(RESAMPLES), np.zeros(RESAMPLES)
    for number, offsets in enumerate(kinds):
        units, generator = len(offsets), np.random.default_rng([SEED, number, len(offsets)])
        at_once = max(1, _MAX_DRAWS // units)
        for first in range(0, RESAMPLES, at_once):
            rows = slice(first, min(first + at_once, RESAMPLES))
            picked = offsets[generator.integers(0, units, (rows.stop - rows.start, units))]
            sums, squares = picked.sum(axis=1), np.einsum("ru,ru->r", picked, picked)
            shift[rows] += sums - offsets.sum()
            variance[rows] += np.maximum(squares - sums**2 / units, 0) * _correction(units)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(shift / np.sqrt(variance))


def _correction(units: int) -> float:
    return units / (units - 1) if units > 1 else 1.0


def _t(freedom: float, confidence: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + confidence) / 2))
