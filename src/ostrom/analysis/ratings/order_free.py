"""A rating from all games at once, to convergence: no order of games enters it. Intervals come from resampling games,
the independent units."""

from dataclasses import dataclass

import numpy as np

from ostrom.analysis.ratings.davidson import comparisons, fit
from ostrom.analysis.ratings.results import Results
from ostrom.core import InputError
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

_TAIL = 100 * (1 - CONFIDENCE) / 2


@dataclass(frozen=True, eq=False)
class OrderFree:
    """Everybody's strength on the log scale of `davidson`, centred at 0."""

    names: tuple[str, ...]
    """As in the results."""
    strengths: tuple[Estimate, ...]
    """One for each name. Strengths of players whom no chain of games links rest on the prior."""
    tie_chance: float
    """How often equals tie."""
    theta: Floats
    """(names,) The strengths without their intervals."""
    samples: Floats
    """(samples, names) The strengths in each resampling of the games. Who is missing from one stands there at 0."""

    def difference(self, one: int, other: int) -> Estimate:
        """By how much one player is stronger than another, whose strengths hang together in every resampling."""
        value = float(self.theta[one] - self.theta[other])
        reason = self.strengths[one].reason or self.strengths[other].reason
        if reason is not None:
            return Estimate(value, reason=reason)
        return interval(value, self.samples[:, one] - self.samples[:, other])


def order_free(results: Results, samples: int = 500, seed: int = 0) -> OrderFree:
    """Rate everybody, with `samples` resamplings of the games for the intervals. A player that holds several seats of a
    game meets the others once with each of them, and itself never."""
    if samples < 1:
        raise InputError(f"{samples} resamplings give no interval; there must be 1 or more")
    if not len(results.comparing):
        raise InputError("in no game did two players meet, so there is nothing to rate")
    found = comparisons(results)
    whole = fit(found, np.ones((1, results.games)))
    theta, nu = whole.theta[0], float(np.exp(whole.log_nu[0]))
    resampled = fit(found, resamplings(results.games, samples, seed)).theta
    strengths = tuple(
        interval(float(theta[i]), resampled[:, i])
        if games > 1
        else Estimate(float(theta[i]), reason="fewer than 2 games: no interval")
        for i, games in enumerate(results.games_of())
    )
    return OrderFree(results.names, strengths, nu / (2 + nu), theta, resampled)


def resamplings(games: int, samples: int, seed: int) -> Floats:
    """(samples, games) How often each game comes when as many games are drawn with replacement as there are. Same seed,
    same draws, on every machine."""
    shape = (samples, games)
    draw = np.broadcast_to(np.arange(games, dtype=np.uint64), shape).copy()
    sample = np.broadcast_to(np.arange(samples, dtype=np.uint64)[:, None], shape)
    chance = uniform_rows(key_of(check_seed(seed)), draw, "rating resampling", sample, 0)
    cells = (chance * games).astype(np.int64) + np.arange(samples)[:, None] * games
    return np.bincount(cells.ravel(), minlength=samples * games).reshape(shape).astype(np.float64)


def interval(value: float, samples: Floats) -> Estimate:
    """A value with the percentile interval of its resamplings."""
    low, high = np.percentile(samples, (_TAIL, 100 - _TAIL))
    return Estimate(value, float(low), float(high))
