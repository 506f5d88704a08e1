"""How much each factor of a sweep matters: main effects, interactions, and Sobol indices of a measure's mean.

A variance over points of means over games would count the chance within games as an effect. So squares of means are
estimated over pairs of different games, which have no such part (a U statistic; Hoeffding 1948), and intervals are of
the jackknife over games. A design that was drawn adds the jackknife over its rows."""

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
from ostrom.sim.factors import spelled
from ostrom.sim.sweep import SweepResult

LEAST_GAMES: Final = 6
"""With fewer there is no interval over games."""
FIRST: Final = "first"
"""The share of the variance that a factor makes by itself."""
TOTAL: Final = "total"
"""The share that would be gone if the factor were known, interactions included."""
INTERACTION: Final = "interaction"
"""The share that two factors make together, beyond what each makes by itself."""


@dataclass(frozen=True)
class _Square:
    """The mean over cells of the square of a mean over games, without each game in turn."""

    value: float
    without: Floats
    """(games,) or nothing where there are too few games."""

    def __add__(self, other: "_Square") -> "_Square":
        return _Square(self.value + other.value, self.without + other.without)

    def __sub__(self, other: "_Square") -> "_Square":
        return _Square(self.value - other.value, self.without - other.without)

    def over(self, other: "_Square") -> "_Square":
        """A ratio, again without each game in turn."""
        return _Square(self.value / other.value, self.without / other.without)


def _product(one: Floats, other: Floats) -> _Square:
    """From arrays (cells, games), the mean over cells of E[one]·E[other], over pairs of different games; of a single
    game, which does not show what is chance, the plain product."""
    cells, games = one.shape
    if games == 1:
        return _Square(float(np.mean(one * other)), np.empty(0))
    sums, others = one.sum(axis=1), other.sum(axis=1)
    own = np.einsum("cg,cg->g", one, other) / cells
    whole, same = float(np.mean(sums * others)), float(own.sum())
    value = (whole - same) / (games * (games - 1))
    if games < LEAST_GAMES:
        return _Square(value, np.empty(0))
    across = (sums @ other + others @ one) / cells
    return _Square(value, (whole - across + own - (same - own)) / ((games - 1) * (games - 2)))


def _unseen(effect: Floats) -> float:
    """By how much the square of an effect, (cells, games), goes up and down where there is none: the mean of its
    squares over pairs of games has that spread, and the jackknife, which knows slopes alone, may miss it."""
    games: int = effect.shape[1]
    apart = effect - effect.mean(axis=1, keepdims=True)
    gram = (apart @ apart.T if len(apart) < games else apart.T @ apart) / len(apart)
    spread: float = float(np.sum(gram**2))
    return math.sqrt(spread / (games * (games - 1))) / games


def _jackknifed(ratio: _Square, rows: Floats | None = None, unseen: float = 0.0) -> Estimate:
    """A share with its interval: the error of the jackknife over games, and over the rows of a drawn design. Its upper
    end reaches further by what is `unseen` in a square: of (m + e)², where m is 0 or small, m + e may be near 0, where
    the slope is, and m² may be (|m + e| + t·s)²."""
    errors, freedom = [], []
    for without in (ratio.without, np.empty(0) if rows is None else rows):
        if (units := len(without)) > 1:
            errors.append((units - 1) / units * float(np.sum((without - without.mean()) ** 2)))
            freedom.append(units - 1)
    if not errors:
        return Estimate(ratio.value, reason=f"an interval over games takes at least {LEAST_GAMES}")
    found = t_interval(ratio.value, math.sqrt(sum(errors)), min(freedom))
    assert found.high is not None
    further = (1 + float(stdtrit(min(freedom), 0.975)) ** 2) * unseen
    return Estimate(found.value, found.low, found.high + further)


def indices(result: SweepResult, measure: str) -> pl.DataFrame:
    """Sobol indices of a measure: a row for each factor and kind (`first`, `total`), and for each two factors of a
    factorial design their `interaction`; value, low, high and reason. No rows where the design or the measure has none:
    `why_none` tells."""
    columns = {"factor": pl.String, "kind": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
    columns["reason"] = pl.String
    rows: list[tuple[str, str, Estimate]] = []
    if why_none(result, measure) is None:
        values, names = result.values(measure), [factor.name for factor in result.factors]
        if result.plan.design == "factorial":
            rows = _of_factorial(values, names, [len(factor.levels) for factor in result.factors])
        else:
            rows = of_saltelli(values, names)
    told = [(name, kind, one.value, one.low, one.high, one.reason) for name, kind, one in rows]
    return pl.DataFrame(told, schema=columns, orient="row")


def why_none(result: SweepResult, measure: str) -> str | None:
    """Why a measure of this sweep has no indices; nothing where it has."""
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
    """The analysis of variance of all combinations: what Sobol indices are where every value is as likely."""
    grid = (values - values.mean()).reshape(*levels, values.shape[1])
    every = range(len(levels))

    def mean(kept: Sequence[int]) -> Floats:
        return np.asarray(grid.mean(axis=tuple(axis for axis in every if axis not in kept), keepdims=True))

    def marginal(kept: Sequence[int]) -> _Square:
        means = mean(kept).reshape(-1, values.shape[1])
        return _product(means, means)

    def share(part: _Square, effect: Floats) -> Estimate:
        enough = values.shape[1] >= LEAST_GAMES
        unseen = _unseen(effect.reshape(-1, values.shape[1])) / abs(spread.value) if enough else 0.0
        return _jackknifed(part.over(spread), unseen=unseen)

    nothing, alone = marginal(()), [marginal((axis,)) for axis in every]
    whole = marginal(tuple(every))
    spread = whole - nothing
    rows = []
    for axis, name in enumerate(names):
        others = [other for other in every if other != axis]
        rows.append((name, FIRST, share(alone[axis] - nothing, mean([axis]) - mean([]))))
        rows.append((name, TOTAL, share(whole - marginal(others), grid - mean(others))))
    for one, other in combinations(every, 2):
        both = marginal((one, other)) - alone[one] - alone[other] + nothing
        effect = mean((one, other)) - mean([one]) - mean([other]) + mean([])
        rows.append((f"{names[one]} × {names[other]}", INTERACTION, share(both, effect)))
    return rows


def of_saltelli(values: Floats, names: Sequence[str]) -> list[tuple[str, str, Estimate]]:
    """Indices from the points of `design.saltelli`: first ones after Saltelli and others (2010), total ones after
    Jansen (1999)."""
    blocks = values.reshape(len(names) + 2, -1, values.shape[1])
    blocks = blocks - blocks[:2].mean()
    first, second, mixed = blocks[0], blocks[1], blocks[2:]
    spread, rows_spread = _variance(first, second)
    found = []
    for name, block in zip(names, mixed, strict=True):
        for kind, one, other, scale in (
            (FIRST, second, block - first, 1.0),
            (TOTAL, first - block, first - block, 0.5),
        ):
            whole, by_row = _product(one, other), _by_row(one, other)
            ratio = _Square(scale * whole.value, scale * whole.without).over(spread)
            rows = scale * (by_row.sum() - by_row) / (len(by_row) - 1) / rows_spread
            found.append((name, kind, _jackknifed(ratio, rows)))
    return found


def _variance(first: Floats, second: Floats) -> tuple[_Square, Floats]:
    """The variance over the two samples, and without each of their rows in turn."""
    both = np.concatenate([first, second])
    mean = both.mean(axis=0)[None]
    spread = _product(both, both) - _product(mean, mean)
    count = len(first)
    squares = (_by_row(first, first) + _by_row(second, second)) / 2
    means = (mean * count - (first + second) / 2) / (count - 1)  # without each row
    return spread, (squares.sum() - squares) / (count - 1) - _by_row(means, means)


def _by_row(one: Floats, other: Floats) -> Floats:
    """E[one]·E[other] of each row, over pairs of different games."""
    games = one.shape[1]
    if games == 1:
        return np.asarray(one[:, 0] * other[:, 0])
    same = np.einsum("cg,cg->c", one, other)
    return np.asarray((one.sum(axis=1) * other.sum(axis=1) - same) / (games * (games - 1)))


def main_effects(result: SweepResult, measure: str) -> pl.DataFrame:
    """Of a factorial design, by factor and value: the mean of a measure over all values of the other factors (`mean`),
    and how far that lies from the mean over all points (`effect`, with low and high, paired by games)."""
    columns = {"factor": pl.String, "value": pl.String, "mean": pl.Float64}
    columns |= dict.fromkeys(("effect", "low", "high"), pl.Float64)
    rows = []
    if result.plan.design == "factorial" and why_none(result, measure) is None:
        values = result.values(measure)
        grid = values.reshape(*(len(factor.levels) for factor in result.factors), -1)
        for axis, factor in enumerate(result.factors):
            away = tuple(other for other in range(len(result.factors)) if other != axis)
            means = grid.mean(axis=away)
            found_by = means_of_rows(means - means.mean(axis=0))
            for level, mean, found in zip(factor.levels, means, found_by, strict=True):
                rows.append((factor.name, spelled(level), float(mean.mean()), found.value, found.low, found.high))
    return pl.DataFrame(rows, schema=columns, orient="row")
