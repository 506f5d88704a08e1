"""Whether intervals from few people and many predictions hold: means, shares and differences, with good, useless and
perverse predictions, with clusters, and with predictions that were fitted to the same people by folds.

By itself: `python benchmarks/coverage.py --only predictions --worlds 2000`."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from scipy.special import ndtr, ndtri
from worlds import Row, Study, row

from ostrom.analysis.prediction_powered import (
    OutcomeSample,
    PooledEstimate,
    cluster_means,
    pooled_differences,
    pooled_means,
)

SIZES = ((10, 200), (20, 200), (40, 400), (100, 1000))
CORRELATIONS = (0.0, 0.3, 0.6, 0.9)
NORMAL = float(ndtri(0.975))
Draw = Callable[[np.random.Generator], OutcomeSample]


def normal(people: int, others: int, correlation: float, level: float = 10.0) -> Draw:
    """Normal outcomes, and a biased model of another scale."""

    def draw(chance: np.random.Generator) -> OutcomeSample:
        every = chance.standard_normal((people + others, 2))
        outcome = level + 4 * every[:, 0]
        noise = np.sqrt(1 - correlation**2) * every[:, 1]
        prediction = 3 + 7 * (correlation * every[:, 0] + noise)
        return OutcomeSample(outcome[:people], prediction[:people], prediction[people:])

    return draw


def shares(people: int, others: int, correlation: float, level: float) -> Draw:
    """Outcomes of 0 or 1, and predicted probabilities."""

    def draw(chance: np.random.Generator) -> OutcomeSample:
        every = chance.standard_normal((people + others, 2))
        outcome = (every[:, 0] < ndtri(level)).astype(float)
        prediction = ndtr(-(correlation * every[:, 0] + np.sqrt(1 - correlation**2) * every[:, 1]))
        return OutcomeSample(outcome[:people], prediction[:people], prediction[people:])

    return draw


def clusters(number: int, others: int, correlation: float) -> Draw:
    """Groups of four whose members are alike."""

    def draw(chance: np.random.Generator) -> OutcomeSample:
        shared = np.repeat(chance.standard_normal((number + others, 2)), 4, axis=0)
        every = shared + chance.standard_normal((4 * (number + others), 2))
        prediction = correlation * every[:, 0] + np.sqrt(1 - correlation**2) * every[:, 1]
        group, cut = np.arange(len(every)) // 4, 4 * number
        outcome = 10 + cluster_means(every[:cut, 0], group[:cut])
        return OutcomeSample(
            outcome, cluster_means(prediction[:cut], group[:cut]), cluster_means(prediction[cut:], group[cut:])
        )

    return draw


def fitted(people: int, others: int, features: int, folds: int) -> Draw:
    """Predictions by least squares on the same people. With folds, each fold is predicted without itself; with one
    fold, the people predict themselves, which `ostrom pool` refuses."""

    def draw(chance: np.random.Generator) -> OutcomeSample:
        design = chance.standard_normal((people + others, features))
        outcome = 10 + design[:, 0] + chance.standard_normal(people + others)
        prediction, rest = np.zeros(people), np.zeros(others)
        fold = np.arange(people) % folds
        for number in range(folds):
            train = fold != number if folds > 1 else fold == number
            own = np.column_stack([np.ones(train.sum()), design[:people][train]])
            at = np.linalg.lstsq(own, outcome[:people][train], rcond=None)[0]
            every = at[0] + design @ at[1:]
            prediction[fold == number] = every[:people][fold == number]
            rest += every[people:] / folds
        return OutcomeSample(outcome[:people], prediction, rest)

    return draw


def _lines(what: str, setting: str, pooled: list[PooledEstimate], truth: float, note: str) -> Iterator[Row]:
    ends = np.asarray([(one.value, one.estimate.low, one.estimate.high) for one in pooled], dtype=float)
    value, low, high = ends.T
    held = np.where(np.isnan(low), np.nan, (low <= truth) & (truth <= high))
    spread = np.quantile(value, 0.975) - np.quantile(value, 0.025)
    effective = np.median([one.effective / one.people for one in pooled])
    refused = f", refused {np.isnan(held).mean():.1%}" if np.isnan(held).any() else ""
    width = float(np.nanmean(high - low) / spread)
    yield row(
        what,
        setting,
        held,
        worlds=len(pooled),
        width=width,
        note=f"{note}; people count {effective:.2f} times{refused}",
    )


def _plain(what: str, setting: str, pooled: list[PooledEstimate], truth: float) -> Iterator[Row]:
    held = [abs(one.value - truth) <= NORMAL * one.plain_error for one in pooled]
    yield row(what, setting, held, note="not used")


def of_means(people: int, others: int, correlation: float, worlds: int) -> Iterator[Row]:
    """The mean of normal outcomes, by the usual interval and by ours."""
    chance = np.random.default_rng([11, people, round(100 * correlation + 100)])
    draw = normal(people, others, correlation)
    pooled = [pooled_means(draw(chance))[2] for _ in range(worlds)]
    setting = f"{people} people, {others:,} predictions, correlation {correlation:g}"
    yield from _lines("pooled mean", setting, pooled, 10.0, "95 %")
    yield from _plain("the same by normal quantiles", setting, pooled, 10.0)


def of_differences(people: int, others: int, correlation: float, worlds: int) -> Iterator[Row]:
    """The difference of two arms of different people."""
    chance = np.random.default_rng([12, people, round(100 * correlation + 100)])
    draws = normal(people, others, correlation), normal(people, others, correlation, 8.0)
    pooled = [pooled_differences(draws[0](chance), draws[1](chance))[2] for _ in range(worlds)]
    setting = f"{people} people an arm, {others:,} predictions, correlation {correlation:g}"
    yield from _lines("pooled difference", setting, pooled, 2.0, "95 %")


def of_kind(what: str, setting: str, draw: Draw, truth: float, worlds: int, note: str = "95 %") -> Iterator[Row]:
    """Any other kind of outcomes and predictions."""
    chance = np.random.default_rng([13, *setting.encode()])
    yield from _lines(what, setting, [pooled_means(draw(chance))[2] for _ in range(worlds)], truth, note)


def _kind(what: str, setting: str, draw: Draw, truth: float, note: str = "95 %") -> Study:
    def study(worlds: int) -> Iterator[Row]:
        return of_kind(what, setting, draw, truth, worlds, note)

    return study


STUDIES: list[Study] = [
    *(partial(of_means, *size, correlation) for size in SIZES for correlation in CORRELATIONS),
    *(partial(of_differences, *size, correlation) for size in SIZES for correlation in CORRELATIONS),
    *(partial(of_means, *size, -0.6) for size in SIZES),
    *(
        _kind(
            "pooled share",
            f"{people} people, {others:,} predictions, share {level:g}, correlation {correlation:g}",
            shares(people, others, correlation, level),
            level,
        )
        for people, others in SIZES[1:]
        for level in (0.5, 0.2)
        for correlation in (0.0, 0.8)
    ),
    *(
        _kind(
            "pooled mean over clusters",
            f"{number} groups of 4 people, {others} groups of predictions, correlation {correlation:g}",
            clusters(number, others, correlation),
            10.0,
        )
        for number, others in ((10, 100), (25, 100))
        for correlation in (0.0, 0.8)
    ),
    *(
        _kind(
            "pooled mean, predictions fitted by folds",
            f"{people} people, {others} predictions by {features} features, {folds} folds",
            fitted(people, others, features, folds),
            10.0,
        )
        for people, others, features, folds in ((40, 400, 5, 5), (40, 400, 15, 5), (100, 1000, 5, 10))
    ),
    _kind(
        "the same without folds",
        "40 people, 400 predictions by 15 features",
        fitted(40, 400, 15, 1),
        10.0,
        "refused by `ostrom pool`",
    ),
]
