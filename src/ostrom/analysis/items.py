"""Models compared on the items of a benchmark: a rating by the mean score, paired by item.

Every model answers the same items, and some items are easier than others. The difference between two models is
therefore taken within items, so that the difficulty of an item cancels out. In a fit with an effect of each item and of
each model, models may lack some items. The independent units are items, or clusters of items that depend on each other,
such as questions on one text. Several attempts of a model at an item are averaged first.

The covariance of the models' effects is computed by leaving out each unit in turn. Six further units with the average
variance are added to it, as in `ostrom.analysis.studentised`, so that a few items on which two models happen to agree
do not give a difference without error. All pairs of models are then tested together (`analysis.ratings.ranking`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import polars as pl

from ostrom.analysis.differences import POWER
from ostrom.analysis.intervals import ALIKE, LEAST, Ratio
from ostrom.analysis.ratings.method import ComparedRating
from ostrom.analysis.ratings.methods.order_free import LEAST_GAMES
from ostrom.analysis.ratings.ranking import PairTests, Placement, compare_pairs, tiers
from ostrom.analysis.studentised import POOLED
from ostrom.core.errors import InputError
from ostrom.core.estimates import Estimate, Floats, Whole, t_interval

COLUMNS: Final = ("model", "item", "score")
CLUSTER: Final = "cluster"
ATTEMPT: Final = "attempt"
MAX_ROWS: Final = 2_000_000
MAX_MODELS: Final = 200
"""The largest number of models. All pairs of models are tested."""
MAX_RESAMPLED_UNITS: Final = 20_000
"""The largest number of units for which intervals of mean scores are bootstrapped. Intervals over more units are t
intervals, which are then equal for all practical purposes."""
_MAX_CELLS: Final = 2**22
_RIDGE: Final = 1e-12
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, eq=False)
class ItemScores:
    """The scores of models on items."""

    models: tuple[str, ...]
    scores: Floats
    """(items, models) The mean score over attempts; NaN if the model has no score on the item."""
    units: Whole
    """(items,) The number of each item's cluster, from 0. Without clusters, each item has its own number."""
    attempts: int
    """The number of rows of the table."""
    clustered: bool = False

    @property
    def items(self) -> int:
        return len(self.scores)

    @cached_property
    def present(self) -> Floats:
        """(items, models) 1 where a model has a score, otherwise 0."""
        return np.isfinite(self.scores).astype(np.float64)

    @property
    def items_of(self) -> Whole:
        """(models,) The number of items of each model."""
        return np.asarray(self.present.sum(axis=0), dtype=np.int64)

    @property
    def units_of(self) -> Whole:
        """(models,) The number of units of each model."""
        seen = np.zeros((int(self.units.max()) + 1, len(self.models)))
        np.add.at(seen, self.units, self.present)
        return np.asarray((seen > 0).sum(axis=0), dtype=np.int64)


def scores_of_table(table: pl.DataFrame, *, cluster: str | None = None) -> ItemScores:
    """Return the scores in a table with the columns `model`, `item` and `score`. A column `attempt` numbers repeated
    answers, which are averaged. Items with the same entry in the column `cluster`, or in the column that the argument
    names, depend on each other. Raises `InputError` for missing columns or values, repeated rows, items in two clusters
    and fewer than two models."""
    needed = (*COLUMNS, *(() if cluster is None else (cluster,)))
    if missing := [name for name in needed if name not in table.columns]:
        raise InputError(f"the table has no column {' or '.join(missing)}; it must have {', '.join(needed)}")
    if table.height > MAX_ROWS:
        raise InputError(f"the table has {table.height:,} rows; at most {MAX_ROWS:,} are rated")
    cluster = CLUSTER if cluster is None and CLUSTER in table.columns else cluster
    names = ["model", "item", *(name for name in (ATTEMPT,) if name in table.columns)]
    columns = [pl.col(name).cast(pl.String) for name in names]
    columns.append(pl.col("score").cast(pl.Float64, strict=False).replace([np.inf, -np.inf], None).fill_nan(None))
    if cluster is not None:
        columns.append(pl.col(cluster).cast(pl.String).alias("_unit"))
    rows = table.select(columns)
    _check_rows(rows, cluster, names)
    # Equal names in another order of rows give the same numbers.
    models, items = (rows[name].unique().sort().to_list() for name in ("model", "item"))
    if not 2 <= len(models) <= MAX_MODELS:
        raise InputError(f"the table has {len(models):,} models; a comparison needs 2 to {MAX_MODELS}")
    means = rows.group_by("model", "item", maintain_order=True).agg(pl.col("score").mean())
    model, item = (
        means[name].cast(pl.Enum(values)).to_physical().to_numpy()
        for name, values in (("model", models), ("item", items))
    )
    scores = np.full((len(items), len(models)), np.nan)
    scores[item, model] = means["score"].to_numpy()
    units = np.arange(len(items))
    if cluster is not None:
        by_item = rows.group_by("item").agg(pl.col("_unit").first()).sort("item")
        units = np.unique(by_item["_unit"].to_numpy(), return_inverse=True)[1]
    return ItemScores(tuple(models), scores, units, rows.height, cluster is not None)


def _check_rows(rows: pl.DataFrame, cluster: str | None, names: list[str]) -> None:
    """Raise `InputError` for the first row with a missing value or a second score, and for an item in two clusters."""
    for name in rows.columns:
        if (empty := rows[name].is_null()).any():
            what = {"score": "finite number as its score", "_unit": str(cluster)}.get(name, name)
            raise InputError(f"row {empty.arg_true()[0] + 1} has no {what}")
    if (doubled := rows.select(names).is_duplicated()).any():
        hint = "" if ATTEMPT in names else f"; a column {ATTEMPT!r} numbers repeated answers"
        raise InputError(f"row {doubled.arg_true()[0] + 1} has a model and an item that another row also has{hint}")
    if cluster is not None:
        several = rows.group_by("item").agg(pl.col("_unit").n_unique()).filter(pl.col("_unit") > 1)
        if several.height:
            raise InputError(f"item {several['item'].min()!r} is in {several['_unit'][0]} clusters; it must be in one")


def rate_items(scores: ItemScores) -> ComparedRating:
    """Return the effects of the models, centred at 0, with the covariance of their errors. `strengths` has their t
    intervals. Raises `InputError` if no two models have an item in common."""
    information, slopes = _normal_equations(scores)
    whole, slope = information.sum(axis=0), slopes.sum(axis=0)
    if not whole.any():
        raise InputError("no two models have an item in common, so nothing compares them")
    models = len(scores.models)
    # Adding a constant to all effects changes nothing, so the information has a direction without information.
    level = np.full((models, models), np.trace(whole) / models**2)
    level += np.eye(models) * _RIDGE * np.trace(whole) / models
    theta = np.linalg.solve(whole + level, slope)
    changes = np.zeros((len(slopes), models))
    chunk = max(1, _MAX_CELLS // models**2)
    for start in range(0, len(slopes), chunk):
        own = slice(start, min(start + chunk, len(slopes)))
        residual = slopes[own] - information[own] @ theta
        changes[own] = np.linalg.solve(whole + level - information[own], residual[:, :, None])[:, :, 0]
    used = int(np.count_nonzero(information.any(axis=(1, 2))))
    covariance = _with_borrowed_units(changes.T @ changes, np.linalg.inv(whole + level), theta, used)
    held = scores.units_of
    strengths = tuple(
        t_interval(float(value), float(np.sqrt(variance)), units - 1)
        if units >= LEAST_GAMES
        else Estimate(float(value), reason=f"fewer than {LEAST_GAMES} independent items: no interval")
        for value, variance, units in zip(theta, np.diag(covariance), held, strict=True)
    )
    group = _linked(scores)
    return ComparedRating(scores.models, strengths, theta - theta.mean(), covariance, used, held, group)


def _normal_equations(scores: ItemScores) -> tuple[Floats, Floats]:
    """Return the information of each unit, (units, models, models), and its slopes, (units, models). An item's effect
    is removed by subtracting the mean of the models that have the item."""
    present, units = scores.present, int(scores.units.max()) + 1
    count = np.maximum(present.sum(axis=1, keepdims=True), 1)
    value = np.nan_to_num(scores.scores)
    deviation = (value - value.sum(axis=1, keepdims=True) / count) * present
    models = len(scores.models)
    slopes = np.zeros((units, models))
    np.add.at(slopes, scores.units, deviation)
    own = np.zeros((units, models))
    np.add.at(own, scores.units, present)
    information = np.zeros((units, models, models))
    information[:, np.arange(models), np.arange(models)] = own
    weighted = present / np.sqrt(count)
    for start in range(0, scores.items, chunk := max(1, _MAX_CELLS // models**2)):
        part = weighted[start : start + chunk]
        np.subtract.at(information, scores.units[start : start + chunk], part[:, :, None] * part[:, None, :])
    return information, slopes


def _with_borrowed_units(own: Floats, alike: Floats, theta: Floats, units: int) -> Floats:
    """Return the covariance over the units and six further units. The further units have the covariance that the fit
    would have if the scores of all models had the same variance and were independent within an item. `alike` is
    proportional to it. If no score varies within a model beyond the items' effects, the variance between models takes
    its place."""
    centre = np.eye(len(own)) - 1 / len(own)
    own, alike = centre @ own @ centre, centre @ alike @ centre
    total = float(np.trace(own))
    if total <= _ROUNDING * float(theta @ theta):
        total = float(np.var(theta, ddof=1)) * float(np.trace(alike))
    return np.asarray((units * own + POOLED * total / float(np.trace(alike)) * alike) / (units + POOLED))


def _linked(scores: ItemScores) -> Whole:
    """Return the number of each model's group, (models,). A chain of common items links the models of a group. Group 0
    has the most models."""
    from scipy.sparse.csgraph import connected_components

    _, label = connected_components(scores.present.T @ scores.present > 0, directed=False)
    size = np.bincount(label)
    return np.asarray(np.argsort(np.argsort(-size, kind="stable"), kind="stable")[label])


def mean_scores(scores: ItemScores) -> list[Estimate]:
    """Return the mean score of each model over its own items, with an interval over units. An interval is valid for
    other items of the same kind. If all scores are from 0 to 1, the interval is too."""
    rows, column = np.nonzero(scores.present)
    values = scores.scores[rows, column]
    if len(np.unique(scores.units)) > MAX_RESAMPLED_UNITS:
        return [_mean_of_many(scores, model) for model in range(len(scores.models))]
    names = [str(unit) for unit in range(int(scores.units.max()) + 1)]
    frame = pl.DataFrame(
        {"game": np.asarray(names)[scores.units[rows]], "player": column, "top": values, "bottom": np.ones(len(rows))}
    )
    share = bool((values >= 0).all() and (values <= 1).all())
    fit = Ratio(frame, ("player",), names, share=share).resampled()
    return [
        Estimate(float(value), reason=_reason_for_items(reason))
        if reason is not None
        else Estimate(float(value), float(low), float(high))
        for value, low, high, reason in zip(fit.value, fit.low, fit.high, fit.reasons, strict=True)
    ]


def _mean_of_many(scores: ItemScores, model: int) -> Estimate:
    own = np.flatnonzero(scores.present[:, model])
    value = scores.scores[own, model]
    residual = np.bincount(scores.units[own], weights=value - value.mean())
    units = len(np.unique(scores.units[own]))
    error = float(np.sqrt(np.sum(residual**2) * units / (units - 1))) / len(own)
    return t_interval(float(value.mean()), error, units - 1)


def _reason_for_items(reason: str) -> str:
    if reason == ALIKE:
        return "all scores are equal: there is no spread for an interval"
    return f"too few items: an interval needs at least {LEAST}"


class PairOfModels(NamedTuple):
    """The comparison of two models."""

    model: str
    other: str
    difference: Estimate
    """The first model's score minus the second's, within items, with an interval that holds for all pairs together."""
    differs: bool
    items: int | None
    """The number of items at which a difference of this size would be significant with a power of 80 %, tested together
    with all other pairs. It is None if the difference is 0 or the pair is not compared."""
    detectable: float | None
    """The difference that the present number of items shows with a power of 80 %."""


@dataclass(frozen=True, eq=False)
class ItemBoard:
    """Models in tiers, the best first, and all pairs of them."""

    scores: ItemScores
    rating: ComparedRating
    places: list[Placement]
    means: dict[str, Estimate]
    pairs: list[PairOfModels]

    @property
    def firsts(self) -> list[str]:
        """The models that may have the highest score, with 95 % confidence."""
        return [place.name for place in self.places if place.first]


def board_of_items(scores: ItemScores, *, lower_is_better: bool = False) -> ItemBoard:
    """Return the board of these scores, with the best model first."""
    sign = -1.0 if lower_is_better else 1.0
    signed = ItemScores(scores.models, sign * scores.scores, scores.units, scores.attempts, scores.clustered)
    rating = rate_items(signed)
    places = tiers(rating)
    means = dict(zip(scores.models, mean_scores(scores), strict=True))
    return ItemBoard(scores, rating, places, means, _pairs(scores, rating, places, sign))


def _pairs(scores: ItemScores, rating: ComparedRating, places: list[Placement], sign: float) -> list[PairOfModels]:
    """Return the pairs of models that are compared, in the order of the board."""
    index = {name: number for number, name in enumerate(rating.names)}
    order = [index[place.name] for place in places if place.ranks is not None and not place.provisional]
    tests = compare_pairs(rating, order)
    return [
        _pair(scores, rating, tests, order, place, other, sign)
        for place in range(len(order))
        for other in range(place + 1, len(order))
    ]


def _pair(
    scores: ItemScores,
    rating: ComparedRating,
    tests: PairTests,
    order: list[int],
    place: int,
    other: int,
    sign: float,
) -> PairOfModels:
    from scipy.special import ndtri

    first, second = order[place], order[other]
    covariance = rating.covariance
    error = float(np.sqrt(covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]))
    difference = float(rating.theta[first] - rating.theta[second])
    low, high = difference - tests.reach * error, difference + tests.reach * error
    differs = bool(tests.stronger[place, other])
    near, far = sign * (max(low, 0.0) if differs else low), sign * high
    detectable = (tests.reach + float(ndtri(POWER))) * error
    common = int(np.sum(scores.present[:, first] * scores.present[:, second]))
    items = None if difference <= 0 or not common else max(1, int(np.ceil(common * (detectable / difference) ** 2)))
    return PairOfModels(
        rating.names[first],
        rating.names[second],
        Estimate(sign * difference, min(near, far), max(near, far)),
        differs,
        items,
        detectable,
    )
