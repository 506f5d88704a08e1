"""Forecasts of a game's mean from its rules: a ridge regression over designs, with intervals from the errors of
cross-fitted forecasts. Games of one design are held out together."""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ostrom.core.estimates import Estimate, Floats, clustered_mean

RIDGE: Final = 20.0
FOLDS: Final = 10
"""The folds of designs by which the errors for the intervals are cross-fitted."""
COVERAGES: Final = (0.5, 0.9)
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LevelForecast:
    """A fitted forecast of a game's mean."""

    means: Floats
    scales: Floats
    """The mean and the standard deviation of each term over the fitted games."""
    weights: Floats
    level: float
    errors: Floats
    """The errors of cross-fitted forecasts, sorted."""

    def forecast(self, terms: Floats) -> Floats:
        """Return the forecast for rows of terms (games, terms)."""
        result: Floats = self.level + ((terms - self.means) / self.scales) @ self.weights
        return result

    def interval(self, middle: float, coverage: float) -> tuple[float, float]:
        """Return an interval for a game's mean around its forecast."""
        low, high = error_bounds(self.errors, coverage)
        return middle + low, middle + high

    def as_data(self) -> dict[str, Any]:
        """Return plain data for a file."""
        names = ("means", "scales", "weights", "errors")
        return {**{name: np.round(getattr(self, name), 6).tolist() for name in names}, "level": round(self.level, 6)}

    @classmethod
    def of_data(cls, data: dict[str, Any]) -> "LevelForecast":
        """Return a forecast from the data of a file."""
        names = ("means", "scales", "weights", "errors")
        means, scales, weights, errors = (np.asarray(data[name], dtype=np.float64) for name in names)
        return cls(means, scales, weights, float(data["level"]), errors)


def error_bounds(errors: Floats, coverage: float) -> tuple[float, float]:
    """Return the quantiles of errors that leave out equal parts on both sides, with the correction for a finite number
    of errors of conformal prediction (Vovk and others 2005)."""
    count = len(errors)
    tail = (1 - coverage) / 2
    ordered = np.sort(errors)
    low = max(0, int(np.floor(tail * (count + 1) + 1e-9)) - 1)
    return float(ordered[low]), float(ordered[count - 1 - low])


def fit_level(terms: Floats, outcomes: Floats, designs: Ints, folds: int = FOLDS) -> LevelForecast:
    """Return the ridge regression over games and its cross-fitted errors."""
    errors = np.empty_like(outcomes)
    fold = _folds(designs, folds)
    for number in range(folds):
        out = fold == number
        if out.any():
            errors[out] = outcomes[out] - _ridge(terms[~out], outcomes[~out]).forecast(terms[out])
    plain = _ridge(terms, outcomes)
    return LevelForecast(plain.means, plain.scales, plain.weights, plain.level, np.sort(errors))


def _folds(designs: Ints, folds: int) -> Ints:
    """Return the fold of each game. Designs are dealt out in turn, in an order that does not depend on outcomes."""
    numbers = np.unique(designs, return_inverse=True)[1]
    dealt: Ints = np.random.default_rng(0).permutation(numbers.max() + 1)[numbers] % folds
    return dealt


def _ridge(terms: Floats, outcomes: Floats) -> LevelForecast:
    means, scales = terms.mean(axis=0), terms.std(axis=0)
    scales = np.where(scales > 0, scales, 1.0)
    scaled = (terms - means) / scales
    level = float(outcomes.mean())
    weights = np.linalg.solve(scaled.T @ scaled + RIDGE * np.eye(terms.shape[1]), scaled.T @ (outcomes - level))
    return LevelForecast(means, scales, weights, level, np.empty(0))


@dataclass(frozen=True)
class CoverageCheck:
    """The share of games whose mean is in the interval of their design, which was held out of the fit."""

    coverage: float
    covered: Estimate
    """The share of covered games, with an interval clustered by design."""
    width: float


def check_coverage(terms: Floats, outcomes: Floats, designs: Ints) -> tuple[list[CoverageCheck], Floats]:
    """Return the coverage of intervals, each made without its design, and the held-out forecasts."""
    middles = np.empty_like(outcomes)
    hits = {coverage: np.zeros(len(outcomes)) for coverage in COVERAGES}
    widths = {coverage: np.zeros(len(outcomes)) for coverage in COVERAGES}
    for design in np.unique(designs):
        out = designs == design
        fit = fit_level(terms[~out], outcomes[~out], designs[~out])
        middles[out] = fit.forecast(terms[out])
        for coverage in COVERAGES:
            low, high = error_bounds(fit.errors, coverage)
            error = outcomes[out] - middles[out]
            hits[coverage][out] = (error >= low) & (error <= high)
            widths[coverage][out] = high - low
    order = np.argsort(designs, kind="stable")
    sizes = np.unique(designs, return_counts=True)[1]
    checks = [
        CoverageCheck(coverage, clustered_mean(hits[coverage][order], sizes), float(widths[coverage].mean()))
        for coverage in COVERAGES
    ]
    return checks, middles


def distance(terms: Floats, known: Floats) -> tuple[float, float]:
    """Return how far a design lies from the nearest known design, and the largest such distance among known designs.
    Both are in standard deviations of the terms, per term."""
    scales = np.where(known.std(axis=0) > 0, known.std(axis=0), 1.0)
    unique = np.unique(known / scales, axis=0)
    nearest = np.sqrt(((unique - terms / scales) ** 2).mean(axis=1)).min()
    apart = np.sqrt(((unique[:, None] - unique[None]) ** 2).mean(axis=2))
    np.fill_diagonal(apart, np.inf)
    return float(nearest), float(apart.min(axis=1).max())
