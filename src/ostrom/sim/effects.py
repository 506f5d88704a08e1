"""Main effects, interactions and Sobol indices of the factors of a sweep.

The variance over points of means over games would include the variance within games. Squares of means are therefore
estimated over pairs of different games, which removes it (a U-statistic; Hoeffding 1948), with intervals by the
jackknife over games. A sampled design adds the jackknife over its rows."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
import polars as pl
from scipy.special import stdtrit

from ostrom.core.estimates import Estimate, means_of_rows, t_interval
from ostrom.sim.batch import Floats
from ostrom.sim.factors import format_value
from ostrom.sim.sweep import SweepResult

LEAST_GAMES: Final = 6
"""Minimum number of games for an interval over games."""
FIRST: Final = "first"
"""Share of the variance due to a factor alone."""
TOTAL: Final = "total"
"""Share of the variance due to a factor, including its interactions."""
INTERACTION: Final = "interaction"
"""Share of the variance due to two factors jointly, beyond their own shares."""


@dataclass(frozen=True)
class _Square:
    """Mean over cells of the square of a mean over games, with its leave-one-game-out values."""

    value: float
    without: Floats
    """(games,), empty if there are too few games."""

    def __add__(self, other: "_Square") -> "_Square":
        return _Square(self.value + other.value, self.without + other.without)

    def __sub__(self, other: "_Square") -> "_Square":
        return _Square(self.value - other.value, self.without - other.without)

    def over(self, other: "_Square") -> "_Square":
        """Return the ratio, with its leave-one-out values."""
        return _Square(self.value / other.value, self.without / other.without)


def _product(one: Floats, other: Floats) -> _Square:
    """Return the mean over cells of E[one]·E[other] from arrays (cells, games), over pairs of different games; for a
    single game the plain product."""
    cells, games = one.shape
    if games == 1:
        return _Square(float(np.mean(one * other)), np.empty(0))
    sums, others = one.sum(axis=1), other.sum(axis=1)
    diagonals = np.einsum("cg,cg->g", one, other) / cells
    products, diagonal = float(np.mean(sums * others)), float(diagonals.sum())
    value = (products - diagonal) / (games * (games - 1))
    if games < LEAST_GAMES:
        return _Square(value, np.empty(0))
    across = (sums @ other + others @ one) / cells
    return _Square(value, (products - across + diagonals - (diagonal - diagonals)) / ((games - 1) * (games - 2)))


def _unseen(effect: Floats) -> float:
    """Return the standard deviation of the square of a null effect, (cells, games). The jackknife uses slopes only and
    misses it if the effect is near 0."""
    games: int = effect.shape[1]
    centred = effect - effect.mean(axis=1, keepdims=True)
    gram = (centred @ centred.T if len(centred) < games else centred.T @ centred) / len(centred)
    spread: float = float(np.sum(gram**2))
    return math.sqrt(spread / (games * (games - 1))) / games


def _jackknifed(ratio: _Square, rows: Floats | None = None, unseen: float = 0.0) -> Estimate:
    """Return a share with its interval: the jackknife error over games, and over the rows of a sampled design. The
    upper end is extended by `unseen`: near 0 the square (m + e)² has slope 0, and m² may be as large as (|m + e| +
    t·s)²."""
    errors, freedom = [], []
    for without in (ratio.without, np.empty(0) if rows is None else rows):
        if (units := len(without)) > 1:
            errors.append((units - 1) / units * float(np.sum((without - without.mean()) ** 2)))
            freedom.append(units - 1)
    if not errors:
        return Estimate(ratio.value, reason=f"an interval over games takes at least {LEAST_GAMES}")
    interval = t_interval(ratio.value, math.sqrt(sum(errors)), min(freedom))
    assert interval.high is not None
    extension = (1 + float(stdtrit(min(freedom), 0.975)) ** 2) * unseen
    return Estimate(interval.value, interval.low, interval.high + extension)


def indices(result: SweepResult, measure: str) -> pl.DataFrame:
    """Return the Sobol indices of a measure: a row per factor and kind (`first`, `total`), and for each pair of factors
    of a factorial design their `interaction`; columns value, low, high and reason. Empty if `why_none` gives a
    reason."""
    columns = {"factor": pl.String, "kind": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    columns["reason"] = pl.String
    rows: list[tuple[str, str, Estimate]] = []
    if why_none(result, measure) is None:
        values, names = result.values(measure), [factor.name for factor in result.factors]
        if result.plan.design == "factorial":
            rows = _of_factorial(values, names, [len(factor.levels) for factor in result.factors])
        else:
            rows = of_saltelli(values, names)
    records = [
        (name, kind, estimate.value, estimate.low, estimate.high, estimate.reason) for name, kind, estimate in rows
    ]
    return pl.DataFrame(records, schema=columns, orient="row")


def why_none(result: SweepResult, measure: str) -> str | None:
    """Return why a measure of this sweep has no indices, or None if it has."""
    values = result.values(measure)
    if result.plan.design == "lhs":
        return "a Latin hypercube has no indices; use a Sobol design"
    if not np.isfinite(values).all():
        return f"{measure} is missing in some games"
    means = values.mean(axis=1)
    if float(np.ptp(means)) <= 1e-12 * (1 + abs(float(means[0]))):
        return f"{measure} is the same at every point"
    return None


def _of_factorial(values: Floats, names: Sequence[str], levels: Sequence[int]) -> list[tuple[str, str, Estimate]]:
    """Return the analysis of variance of all combinations: the Sobol indices for equally likely values."""
    grid = (values - values.mean()).reshape(*levels, values.shape[1])
    axes = range(len(levels))

    def mean(over: Sequence[int]) -> Floats:
        return np.asarray(grid.mean(axis=tuple(axis for axis in axes if axis not in over), keepdims=True))

    def marginal(over: Sequence[int]) -> _Square:
        means = mean(over).reshape(-1, values.shape[1])
        return _product(means, means)

    def share(part: _Square, effect: Floats) -> Estimate:
        enough = values.shape[1] >= LEAST_GAMES
        unseen = _unseen(effect.reshape(-1, values.shape[1])) / abs(spread.value) if enough else 0.0
        return _jackknifed(part.over(spread), unseen=unseen)

    grand, single = marginal(()), [marginal((axis,)) for axis in axes]
    full = marginal(tuple(axes))
    spread = full - grand
    rows = []
    for axis, name in enumerate(names):
        others = [other for other in axes if other != axis]
        rows.append((name, FIRST, share(single[axis] - grand, mean([axis]) - mean([]))))
        rows.append((name, TOTAL, share(full - marginal(others), grid - mean(others))))
    for one, other in combinations(axes, 2):
        both = marginal((one, other)) - single[one] - single[other] + grand
        effect = mean((one, other)) - mean([one]) - mean([other]) + mean([])
        rows.append((f"{names[one]} × {names[other]}", INTERACTION, share(both, effect)))
    return rows


def of_saltelli(values: Floats, names: Sequence[str]) -> list[tuple[str, str, Estimate]]:
    """Return the indices from the points of `saltelli`: first-order after Saltelli et al. (2010), total after Jansen
    (1999)."""
    blocks = values.reshape(len(names) + 2, -1, values.shape[1])
    blocks = blocks - blocks[:2].mean()
    first, second, mixed = blocks[0], blocks[1], blocks[2:]
    spread, rows_spread = _variance(first, second)
    indices = []
    for name, block in zip(names, mixed, strict=True):
        for kind, one, other, scale in (
            (FIRST, second, block - first, 1.0),
            (TOTAL, first - block, first - block, 0.5),
        ):
            product, by_row = _product(one, other), _by_row(one, other)
            ratio = _Square(scale * product.value, scale * product.without).over(spread)
            rows = scale * (by_row.sum() - by_row) / (len(by_row) - 1) / rows_spread
            indices.append((name, kind, _jackknifed(ratio, rows)))
    return indices


def _variance(first: Floats, second: Floats) -> tuple[_Square, Floats]:
    """Return the variance over the two samples, with its leave-one-row-out values."""
    both = np.concatenate([first, second])
    mean = both.mean(axis=0)[None]
    spread = _product(both, both) - _product(mean, mean)
    count = len(first)
    squares = (_by_row(first, first) + _by_row(second, second)) / 2
    means = (mean * count - (first + second) / 2) / (count - 1)  # without each row
    return spread, (squares.sum() - squares) / (count - 1) - _by_row(means, means)


def _by_row(left: Floats, right: Floats) -> Floats:
    """Return for each row the unbiased product of the means of both arrays, from pairs of different games."""
    games = left.shape[1]
    if games == 1:
        return np.asarray(left[:, 0] * right[:, 0])
    same = np.einsum("cg,cg->c", left, right)
    return np.asarray((left.sum(axis=1) * right.sum(axis=1) - same) / (games * (games - 1)))


def main_effects(result: SweepResult, measure: str) -> pl.DataFrame:
    """Return the main effects of a factorial design by factor and value: the `mean` of a measure over the other
    factors, and its difference from the grand mean (`effect`, low, high; paired by game)."""
    columns = {"factor": pl.String, "value": pl.String, "mean": pl.Float64}
    columns |= dict.fromkeys(("effect", "low", "high"), pl.Float64)
    rows = []
    if result.plan.design == "factorial" and why_none(result, measure) is None:
        values = result.values(measure)
        grid = values.reshape(*(len(factor.levels) for factor in result.factors), -1)
        for axis, factor in enumerate(result.factors):
            averaged = tuple(other for other in range(len(result.factors)) if other != axis)
            means = grid.mean(axis=averaged)
            effects = means_of_rows(means - means.mean(axis=0))
            for level, mean, effect in zip(factor.levels, means, effects, strict=True):
                rows.append(
                    (factor.name, format_value(level), float(mean.mean()), effect.value, effect.low, effect.high)
                )
    return pl.DataFrame(rows, schema=columns, orient="row")
