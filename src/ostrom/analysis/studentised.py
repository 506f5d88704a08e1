"""Intervals of ratios of sums over games. They are valid for heavy tails and rare events. The method is a studentised
bootstrap over games, which adds a few games of all players to each player's own games.

A player's mean may depend on a few games with very high values. Most samples of its games do not contain such games.
Intervals from the player's own games alone are then too short with any method. The bootstrap therefore draws from the
player's own games and from a pool. The pool has the games of all players whose games vary to a similar extent, and has
the weight of `POOLED` further games. Each game is centred by its own player's figure. So the pool does not change the
figure. It only shows how far a game may deviate. This is the predictive distribution of a Dirichlet process around the
pool (Ferguson 1973). It gives the standard error and the distribution of the studentised error. The standard error is
that of a linearised ratio over as many games as the player has (Cochran 1977, ch. 6). The quantiles of the studentised
error determine the interval (Efron and Tibshirani 1993, ch. 12). docs/inference.md has the measured coverage.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import CONFIDENCE

Floats: TypeAlias = npt.NDArray[np.float64]
Whole: TypeAlias = npt.NDArray[np.int64]
Part: TypeAlias = tuple[Floats, Floats]
"""The top and bottom of a ratio, summed by game and group, as two arrays (games, groups)."""

Moments: TypeAlias = Sequence[Floats] | Floats
"""Moments of each game, or sums of them over games. They are the residual and the bottom of each ratio, the products of
any two of these columns, and the constant 1."""

POOLED: Final = 6.0
"""The weight of the pool, given as a number of games that are added to a player's own games."""
UNLIKE: Final = 2.0
"""Groups do not share games if their typical deviations differ by at least this factor, unless the difference may be
due to chance."""
UNLIKE_ERRORS: Final = 3.0
_MAX_POOLED: Final = 24
_TAIL: Final = (1 - CONFIDENCE) / 2
_ROUNDING_SHARE: Final = 1e-12
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Studentised:
    """The figures of groups, with their resamples."""

    value: Floats
    low: Floats
    """The lower end of the interval; NaN if the games do not vary."""
    high: Floats
    games_in_all: Whole
    """The number of games of the whole pool."""
    error: Floats
    """The standard error, including the pool's games."""
    draws: Floats
    """(resamples, groups) The studentised error of each resample: the resample's figure minus the group's figure,
    divided by the resample's own error."""
    again: Floats
    """The figure of each resample from the group's own games alone; NaN if a resample has none of these games."""


def studentised(
    parts: Sequence[Part],
    pools: Whole,
    draw_weights: Floats,
    seed: int,
    bounds: tuple[float, float] = (-np.inf, np.inf),
) -> Studentised:
    """Return the intervals of a ratio, or of the first ratio minus the second, for every group. `draw_weights` has the
    number of times that each resample drew each game. Groups with the same number in `pools` share their games. The
    figure lies within `bounds`. Without bounds, a group leaves its pool if its games vary clearly more or less than the
    other games. The error is at least that of the group's own games, which may vary more than the games of the pool."""
    signs = (1.0, -1.0)[: len(parts)]
    ratios = [top.sum(axis=0) / bottom.sum(axis=0) for top, bottom in parts]
    value = np.asarray(sum(sign * ratio for sign, ratio in zip(signs, ratios, strict=True)))
    moments = moments_of(parts, ratios)
    games = moments[-1].sum(axis=0)
    resampled = [draw_weights @ moment for moment in moments]
    whole = [moment.sum(axis=0) for moment in moments]
    with np.errstate(divide="ignore", invalid="ignore"):
        again = value + shift_of(resampled, signs)
        own_error = error_of(whole, signs)
        least = np.where(np.isfinite(own_error), own_error, 0.0)
    in_all = np.zeros(len(value), dtype=np.int64)
    for pool in np.unique(pools):
        groups = np.flatnonzero(pools == pool)
        in_all[groups] = np.sum((moments[-1][:, groups] > 0).any(axis=1))
    if not np.isfinite(bounds).all():
        pools = _agreeing(moments[0], moments[-1] > 0, pools)
    for pool in np.unique(pools):
        groups = np.flatnonzero(pools == pool)
        present = moments[-1][:, groups] > 0
        positions, counts = picked_from_pool(int(present.sum()), len(draw_weights), seed)
        for moment, sums, total in zip(moments, resampled, whole, strict=True):
            cells = moment[:, groups][present]
            sums[:, groups] += np.sum(cells[positions] * counts, axis=1, keepdims=True)
            total[groups] += POOLED * cells.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.maximum(least, error_of(whole, signs) * np.sqrt((games + POOLED) / games))
        shift, errors = shift_of(resampled, signs), error_of(resampled, signs)
        # If all games of a resample equal the figure, its error is 0. If they all equal another value, the studentised
        # error is infinite.
        draws = np.where((errors == 0) & (np.abs(shift) <= _ROUNDING_SHARE * (1 + np.abs(value))), 0.0, shift / errors)
    low, high = _ends(draws)
    low, high = value - high * error, value - low * error
    return Studentised(value, *_within(value, low, high, games, bounds), in_all, error, draws, again)


def _agreeing(residuals: Floats, present: npt.NDArray[np.bool_], pools: Whole) -> Whole:
    """Return the pools, with a separate pool for each group whose games vary clearly more or less than the others of
    its pool. Two conditions must hold. The typical deviation from the group's median differs from that of the other
    groups by at least the factor `UNLIKE`. The ranks of the deviations differ by more than `UNLIKE_ERRORS` standard
    errors (Mann and Whitney 1947)."""
    from scipy.stats import rankdata

    pools = pools.copy()
    off = np.where(present, residuals, np.nan)
    for pool in np.unique(pools):
        groups = np.flatnonzero((pools == pool) & (present.sum(axis=0) > 0))
        deviations = np.abs(off[:, groups] - np.nanmedian(off[:, groups], axis=0))
        seen = present[:, groups]
        ranks = np.zeros_like(deviations)
        ranks[seen] = rankdata(deviations[seen])
        own, in_all = seen.sum(axis=0), int(seen.sum())
        for place, group in enumerate(groups):
            others = in_all - own[place]
            if not others:
                continue
            error = np.sqrt(others * (in_all + 1) / 12 / own[place])
            far = abs(ranks[:, place].sum() / own[place] - (in_all + 1) / 2) > UNLIKE_ERRORS * error
            rest = np.delete(deviations, place, axis=1)
            typical, usual = np.nanmedian(deviations[:, place]), np.nanmedian(rest)
            if far and not usual / UNLIKE < typical < usual * UNLIKE:
                pools[group] = pools.max() + 1
    return pools


def moments_of(parts: Sequence[Part], ratios: Sequence[Floats | float]) -> list[Floats]:
    """Return, by game and group, the residual and the bottom of each part, their products, and 1 if the group occurs in
    the game."""
    columns = [
        column for (top, bottom), ratio in zip(parts, ratios, strict=True) for column in (top - ratio * bottom, bottom)
    ]
    products = [first * second for first, second in combinations_with_replacement(columns, 2)]
    present = np.any([bottom > 0 for _, bottom in parts], axis=0).astype(np.float64)
    return [*columns, *products, present]


def shift_of(moments: Moments, signs: Sequence[float]) -> Floats:
    """Return the distance from the figure to the value that sums of moments give. It is NaN if the bottom is 0."""
    parts = zip(signs, moments[::2], moments[1::2], strict=False)
    return np.asarray(sum(sign * np.where(bottom > 0, off / bottom, np.nan) for sign, off, bottom in parts))


def coefficients(moments: Moments, signs: Sequence[float]) -> list[Floats]:
    """Return the derivatives of the figure with respect to the columns of the moments."""
    result: list[Floats] = []
    for place, sign in enumerate(signs):
        off, bottom = moments[2 * place], moments[2 * place + 1]
        result += [sign / bottom, -sign * off / bottom**2]
    return result


def error_of(moments: Moments, signs: Sequence[float]) -> Floats:
    """Return the standard error of sums of moments."""
    products, games = moments[2 * len(signs) : -1], moments[-1]
    pairs = combinations_with_replacement(enumerate(coefficients(moments, signs)), 2)
    terms = [
        (1 if i == j else 2) * first * second * product
        for ((i, first), (j, second)), product in zip(pairs, products, strict=True)
    ]
    variance = sum(terms)
    # If all games are equal, the remainder is only a rounding error.
    negligible = variance <= _ROUNDING_SHARE * sum(np.abs(term) for term in terms)
    return np.asarray(np.sqrt(np.where(negligible, 0.0, variance) * games / (games - 1)))


@lru_cache(maxsize=32)
def _draws_of_pool(resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Return, for each resample, random positions in a pool, as shares of the pool's length. Return also 1 for each
    position that counts. The number of positions that count has a Poisson distribution."""
    from scipy.special import pdtr

    low, high = (np.uint64(word) for word in key_of(seed))
    rows = np.arange(resamples, dtype=np.uint64)
    number = np.searchsorted(pdtr(np.arange(_MAX_POOLED), POOLED), uniform_rows((low, high), rows, "pool size", 0, 0))
    turn = np.tile(np.arange(_MAX_POOLED, dtype=np.uint64), resamples)
    places = uniform_rows((low, high), np.repeat(rows, _MAX_POOLED), "pool", turn, 0)
    counts = np.arange(_MAX_POOLED) < number[:, None]
    return places.reshape(resamples, _MAX_POOLED), counts.astype(np.float64)


def picked_from_pool(cells: int, resamples: int, seed: int) -> tuple[Whole, Floats]:
    """Return the games of a pool that each resample draws, (resamples, most). Return also 1 for each of these games
    that counts."""
    places, counts = _draws_of_pool(resamples, seed)
    return (places * cells).astype(np.int64), counts


def _ends(draws: Floats) -> tuple[Floats, Floats]:
    """Return the quantiles of each column, rounded outward to the next draw. NaN is ignored."""
    ranked = np.sort(draws, axis=0)  # NaN is sorted last.
    valid = np.sum(~np.isnan(ranked), axis=0)
    columns = np.arange(ranked.shape[1])
    below = np.maximum((_TAIL * (valid + 1)).astype(np.int64) - 1, 0)
    above = np.maximum(valid - 1 - below, 0)
    return ranked[below, columns], ranked[above, columns]


def _within(
    value: Floats, low: Floats, high: Floats, games: Floats, bounds: tuple[float, float]
) -> tuple[Floats, Floats]:
    """Return the interval within the bounds. If no game deviates to one side, the interval is extended on this side.
    There may be games that remain unobserved with a probability of 2.5 %, and the interval extends as far as such games
    could move the figure. Without a bound on that side, there is no interval. A bound that the figure itself exceeds is
    ignored."""
    unseen = 1 - _TAIL ** (1 / np.maximum(games, 1))
    # Sums of floating-point numbers may make a share slightly greater than 1.
    least = np.where(value < bounds[0] - _ROUNDING, -np.inf, bounds[0])
    most = np.where(value > bounds[1] + _ROUNDING, np.inf, bounds[1])
    with np.errstate(invalid="ignore"):
        low = np.where(value - low <= _ROUNDING_SHARE * np.abs(value), value - (value - least) * unseen, low)
        high = np.where(high - value <= _ROUNDING_SHARE * np.abs(value), value + (most - value) * unseen, high)
    low, high = np.maximum(low, least), np.minimum(high, most)
    finite = np.isfinite(low) & np.isfinite(high)
    return np.where(finite, low, np.nan), np.where(finite, high, np.nan)
