"""The sampling error of a figure that is linear in the answers, such as a mean or a slope, by the repetitions within
cells. Cells are fixed: what differs between them is no error, and a subject whose repetitions all agree has none.

The variance is the sum of the cells' own, each by its unbiased estimate. The interval solves (figure − expectation)²
= t²·(variance + ρ·(expectation − figure)), with ρ the ratio of the third cumulant to the variance: Wilson's interval
(1927), which takes the variance where the expectation would be, carried over to strata and to numbers (along an
exponential tilting of the answers the variance changes by just that, Efron 1981). In a slope, whose weights have both
signs, third cumulants cancel but for their noise, and ρ is 0. t has the degrees of freedom of Satterthwaite (1946),
fewer by the answers' own kurtosis. Of answers with two values one more that differs is added to the variance, for
where few differ their number alone says too little; it may be of any cell that agrees."""

from zlib import crc32

import numpy as np

from ostrom.games.battery.scores.score import DRAWS, Floats, Sampled, Whole, sampled

_LEVELS = (np.arange(DRAWS) + 0.5) / DRAWS


def weighted_sum(numbers: Floats, weights: Floats, place: Whole, value: float, *, two_valued: bool) -> Sampled:
    """The value Σ weight · number, with draws of what it could be. `place` numbers the cell of every answer; weights
    are the same within a cell. A cell with one answer says nothing of its error, and then there is no interval."""
    counts = np.bincount(place)
    means = np.bincount(place, numbers) / np.maximum(counts, 1)
    spread = float(np.std(means[counts > 0]))
    if np.min(counts[counts > 0]) < 2:
        return sampled(value, np.empty(0), spread)
    weight = np.bincount(place, weights) / np.maximum(counts, 1)
    gaps = numbers - means[place]
    squares, cubes, fourths = (np.bincount(place, gaps**power) for power in (2, 3, 4))
    variances = weight**2 * squares * counts / np.maximum(counts - 1, 1)
    variance = float(np.sum(variances))
    if np.ptp(numbers) == 0 or variance <= 1e-18 * max(1.0, value**2):
        rare = _rare(numbers, weights, value) if two_valued and np.all(weights > 0) else np.empty(0)
        return sampled(value, np.full(DRAWS, value), spread)._replace(if_noisy=rare)
    third = float(np.sum(weight**3 * cubes * counts**2 / np.maximum((counts - 1) * (counts - 2), 1) * (counts > 2)))
    levels = _levels(value, variance)
    if two_valued:
        draws = value + _two_valued(levels, numbers, means, weight, counts, variance, third)
        if np.all(weights > 0):
            draws = np.clip(draws, np.min(numbers) * np.sum(weights), np.max(numbers) * np.sum(weights))
        return sampled(value, draws, spread)
    from scipy.special import stdtrit

    # How uncertain the variance is, by the answers' own kurtosis over all cells: that of normal answers is 3.
    kurtosis = max(3.0, float(np.sum(fourths) / np.sum(squares**2 / np.maximum(counts, 1))))
    parts = variances**2 * (kurtosis - 1) / 2 / np.maximum(counts - 1, 1)
    bend = third / variance if np.all(weights > 0) else 0.0
    return sampled(value, value + _deviations(stdtrit(variance**2 / np.sum(parts), levels), variance, bend), spread)


def _rare(numbers: Floats, weights: Floats, value: float) -> Floats:
    """Draws of a figure whose answers, each counting 0 or 100, all agree within their cells: those of a part that stays
    unseen in so many answers may be the other one."""
    part = 1 - (1 - _levels(value, 0.0)) ** (1 / len(numbers))
    return np.asarray(value + part * float(weights @ (100 - 2 * numbers)))


def _levels(value: float, variance: float) -> Floats:
    """The levels of the draws, in an order of this figure's own: draws of two figures must not go together."""
    return np.random.default_rng(crc32(f"{value:.9g} {variance:.9g}".encode())).permutation(_LEVELS)


def _two_valued(
    levels: Floats, numbers: Floats, means: Floats, weight: Floats, counts: Whole, variance: float, third: float
) -> Floats:
    """Deviations where answers have two values. The one that is added weighs as answers do on the average."""
    from scipy.special import ndtri

    low, high = float(np.min(numbers)), float(np.max(numbers))
    unit = (high - low) * float(np.sqrt(np.sum(weight**2 * counts) / np.sum(counts)))
    agree = np.average(np.sign(weight) * ((means == low) * 1.0 - (means == high)), weights=counts)
    return _deviations(ndtri(levels), variance + unit**2, (third + unit**3 * float(agree)) / (variance + unit**2))


def _deviations(quantiles: Floats, variance: float, slope: float) -> Floats:
    """d with d² = q²·(variance + slope·d), of the sign of q."""
    bend = slope * quantiles / 2
    return np.asarray(quantiles * (bend + np.sqrt(variance + bend**2)))
