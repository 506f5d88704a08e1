"""Intervals of ratios of sums over games that hold for heavy tails and for rare events: a studentised bootstrap over
games, in which a few of everybody's games stand beside the player's own.

What a player ends with on average hangs on a few rich games, and most samples of its games hold none of them:
intervals made of its own games alone are then too short, however they are made. So the games that are drawn from are
the player's own and, with the weight of `POOLED` more, the games of all players of the same pool, each about its own
player's figure: the centre stays the player's, and what is borrowed is the knowledge of how far off a game may lie. It
is the predictive distribution of a Dirichlet process around the pool (Ferguson 1973). From it come the standard error,
that of a linearised ratio over as many games as the player has (Cochran 1977, ch. 6), and the distribution of the
studentised error, whose quantiles are the interval's (Efron and Tibshirani 1993, ch. 12). docs/inference.md has the
coverage that was measured."""

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
"""Top and bottom of a ratio, summed by game and group: two arrays (games, groups)."""

Moments: TypeAlias = Sequence[Floats] | Floats
"""By game, or summed: what lies off each ratio and its bottom, the products of any two of these, and 1 for a game."""

POOLED: Final = 6.0
"""So many games of the pool stand beside a player's own."""
_MOST_POOLED: Final = 24
_TAIL: Final = (1 - CONFIDENCE) / 2
_DUST: Final = 1e-12
_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Studentised:
    """What the resamples of a figure say, by group."""

    value: Floats
    low: Floats
    """Not a number where the games show no spread to reckon by."""
    high: Floats
    games_in_all: Whole
    """How many games those of its pool have a part in, all together."""
    error: Floats
    """The standard error, with the pool's games."""
    draws: Floats
    """The studentised error of each resample, (resamples, groups): the figure less the group's, by its own error."""
    again: Floats
    """The figure again from each resample of the group's own games alone; not a number where it has none."""


def studentised(
    parts: Sequence[Part],
    pools: Whole,
    drawn: Floats,
    seed: int,
    bounds: tuple[float, float] = (-np.inf, np.inf),
    *,
    own_error: bool = False,
) -> Studentised:
    """The intervals of a ratio, or of the first of two less the second, for every group. `drawn` says how often each
    resample drew each game, `pools` which groups share their games; the figure lies within `bounds`. With `own_error`
    the error is at least that of the group's own games: those of a pool may be quieter."""
    signs = (1.0, -1.0)[: len(parts)]
    ratios = [top.sum(axis=0) / bottom.sum(axis=0) for top, bottom in parts]
    value = np.asarray(sum(sign * ratio for sign, ratio in zip(signs, ratios, strict=True)))
    moments = moments_of(parts, ratios)
    games = moments[-1].sum(axis=0)
    resampled = [drawn @ one for one in moments]
    whole = [one.sum(axis=0) for one in moments]
    with np.errstate(divide="ignore", invalid="ignore"):
        again = value + shift_of(resampled, signs)
        least = np.nan_to_num(error_of(whole, signs)) if own_error else np.zeros_like(value)
    in_all = np.zeros(len(value), dtype=np.int64)
    for pool in np.unique(pools):
        groups = np.flatnonzero(pools == pool)
        there = moments[-1][:, groups] > 0
        in_all[groups] = np.sum(there.any(axis=1))
        picked, taken = picked_from_pool(int(there.sum()), len(drawn), seed)
        for one, sums, total in zip(moments, resampled, whole, strict=True):
            cells = one[:, groups][there]
            sums[:, groups] += np.sum(cells[picked] * taken, axis=1, keepdims=True)
            total[groups] += POOLED * cells.mean()
    with np.errstate(divide="ignore", invalid="ignore"):
        error = np.maximum(least, error_of(whole, signs) * np.sqrt((games + POOLED) / games))
        shift, errors = shift_of(resampled, signs), error_of(resampled, signs)
        # A resample whose games all agree with the figure has no error; one whose games agree on another has no end.
        draws = np.where((errors == 0) & (np.abs(shift) <= _DUST * (1 + np.abs(value))), 0.0, shift / errors)
    low, high = _ends(draws)
    low, high = value - high * error, value - low * error
    return Studentised(value, *_within(value, low, high, games, bounds), in_all, error, draws, again)


def moments_of(parts: Sequence[Part], ratios: Sequence[Floats | float]) -> list[Floats]:
    """By game and group: what lies off the ratio and the bottom, of each part; their products; and 1 where the group
    has a part in the game."""
    columns = [
        column for (top, bottom), ratio in zip(parts, ratios, strict=True) for column in (top - ratio * bottom, bottom)
    ]
    products = [one * other for one, other in combinations_with_replacement(columns, 2)]
    present = np.any([bottom > 0 for _, bottom in parts], axis=0).astype(np.float64)
    return [*columns, *products, present]


def shift_of(moments: Moments, signs: Sequence[float]) -> Floats:
    """How far sums of moments lie off the figure; not a number where there is nothing to divide by."""
    parts = zip(signs, moments[::2], moments[1::2], strict=False)
    return np.asarray(sum(sign * np.where(bottom > 0, off / bottom, np.nan) for sign, off, bottom in parts))


def coefficients(moments: Moments, signs: Sequence[float]) -> list[Floats]:
    """What each column of a game adds to the figure, to first order."""
    found: list[Floats] = []
    for place, sign in enumerate(signs):
        off, bottom = moments[2 * place], moments[2 * place + 1]
        found += [sign / bottom, -sign * off / bottom**2]
    return found


def error_of(moments: Moments, signs: Sequence[float]) -> Floats:
    """The standard error of sums of moments."""
    products, games = moments[2 * len(signs) : -1], moments[-1]
    pairs = combinations_with_replacement(enumerate(coefficients(moments, signs)), 2)
    terms = [
        (1 if one == other else 2) * first * second * product
        for ((one, first), (other, second)), product in zip(pairs, products, strict=True)
    ]
    variance = sum(terms)
    # What is left where all games agree is a rounding error.
    dust = variance <= _DUST * sum(np.abs(term) for term in terms)
    return np.asarray(np.sqrt(np.where(dust, 0.0, variance) * games / (games - 1)))


@lru_cache(maxsize=32)
def _draws_of_pool(resamples: int, seed: int) -> tuple[Floats, Floats]:
    """For each resample: places in a pool as parts of its length, and 1 for those that are taken, a Poisson number."""
    from scipy.special import pdtr

    low, high = (np.uint64(word) for word in key_of(seed))
    rows = np.arange(resamples, dtype=np.uint64)
    number = np.searchsorted(pdtr(np.arange(_MOST_POOLED), POOLED), uniform_rows((low, high), rows, "pool size", 0, 0))
    turn = np.tile(np.arange(_MOST_POOLED, dtype=np.uint64), resamples)
    places = uniform_rows((low, high), np.repeat(rows, _MOST_POOLED), "pool", turn, 0)
    taken = np.arange(_MOST_POOLED) < number[:, None]
    return places.reshape(resamples, _MOST_POOLED), taken.astype(np.float64)


def picked_from_pool(cells: int, resamples: int, seed: int) -> tuple[Whole, Floats]:
    """(resamples, most) Which of so many games of a pool each resample draws, and 1 for those that it takes."""
    places, taken = _draws_of_pool(resamples, seed)
    return (places * cells).astype(np.int64), taken


def _ends(draws: Floats) -> tuple[Floats, Floats]:
    """The quantiles of each column, outward to the next draw; what is not a number is passed over."""
    ranked = np.sort(draws, axis=0)  # puts what is not a number last
    valid = np.sum(~np.isnan(ranked), axis=0)
    columns = np.arange(ranked.shape[1])
    below = np.maximum((_TAIL * (valid + 1)).astype(np.int64) - 1, 0)
    above = np.maximum(valid - 1 - below, 0)
    return ranked[below, columns], ranked[above, columns]


def _within(
    value: Floats, low: Floats, high: Floats, games: Floats, bounds: tuple[float, float]
) -> tuple[Floats, Floats]:
    """The interval within the bounds. Where games show nothing on a side, what lies there may still be in as many games
    as stay unseen in so many with a chance of 2.5 %; without a bound on that side there is no interval. A bound
    that the figure itself lies beyond is none: it would cut the interval off from it."""
    unseen = 1 - _TAIL ** (1 / np.maximum(games, 1))
    # Sums of floating-point numbers may leave a share a little above 1.
    least = np.where(value < bounds[0] - _ROUNDING, -np.inf, bounds[0])
    most = np.where(value > bounds[1] + _ROUNDING, np.inf, bounds[1])
    with np.errstate(invalid="ignore"):
        low = np.where(value - low <= _DUST * np.abs(value), value - (value - least) * unseen, low)
        high = np.where(high - value <= _DUST * np.abs(value), value + (most - value) * unseen, high)
    low, high = np.maximum(low, least), np.minimum(high, most)
    known = np.isfinite(low) & np.isfinite(high)
    return np.where(known, low, np.nan), np.where(known, high, np.nan)
