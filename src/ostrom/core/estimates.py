"""Estimates with their uncertainty. No number that was measured travels without its interval, or the reason for
having none.

All intervals are at 95 %. Games are the independent units: what several seats of one game show is one observation of
the game, not several, and intervals are clustered accordingly."""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

CONFIDENCE = 0.95
_TAIL = (1 - CONFIDENCE) / 2


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95 % interval; where a part cannot be given it is missing, and the reason says why."""

    value: float | None
    low: float | None = None
    high: float | None = None
    reason: str | None = None
    code: str | None = None
    """The reason in a word, for programs, where its kind has one."""

    def as_record(self) -> dict[str, float | str | None]:
        """The estimate as plain data."""
        return {"value": self.value, "low": self.low, "high": self.high, "reason": self.reason}


def proportion(share: float, games: int) -> Estimate:
    """A share of games with Wilson's score interval, which stays honest at 0 and 1 (Wilson 1927)."""
    from scipy.special import ndtri

    z2 = float(ndtri(1 - _TAIL)) ** 2
    middle = (share + z2 / (2 * games)) / (1 + z2 / games)
    half = math.sqrt(z2 * (share * (1 - share) + z2 / (4 * games)) / games) / (1 + z2 / games)
    # Rounding must not push a bound past the value that it belongs to.
    low, high = max(0.0, middle - half) if share > 0 else 0.0, min(1.0, middle + half) if share < 1 else 1.0
    return Estimate(share, min(low, share), max(high, share))


def clustered_mean(values: Floats, per_game: Whole) -> Estimate:
    """The mean over seats, with a t interval whose standard error is robust to the likeness of seats within a game: the
    linearised ratio estimator Σv/Σm over games (Cochran 1977, ch. 6). `per_game` says how many of the values, which
    stand game after game, each game gave."""
    from scipy.special import stdtrit

    mean = float(np.mean(values))
    games = len(per_game)
    if games < 2:
        return Estimate(mean, reason="fewer than 2 games: no interval")
    starts = np.concatenate(([0], np.cumsum(per_game)[:-1]))
    residuals = np.add.reduceat(values - mean, starts)
    error = math.sqrt(float(np.sum(residuals**2)) * games / (games - 1)) / len(values)
    half = float(stdtrit(games - 1, 1 - _TAIL)) * error
    return Estimate(mean, mean - half, mean + half)


def median(values: Floats, games: int) -> Estimate:
    """The median over seats, between the order statistics that hold it by the binomial law of as many draws as there
    are games."""
    from scipy.special import bdtr

    ranked = np.sort(values)
    middle = float(np.median(ranked))
    reach = int(6 * math.sqrt(games)) + 2
    ranks = np.arange(max(0, games // 2 - reach), games // 2 + 1)
    # The greatest rank k for which fewer than k of the games lie below the median with a chance of at most 2.5 %.
    below = ranks[bdtr(ranks - 1.0, games, 0.5) <= _TAIL]
    k = int(below[-1]) if len(below) else 0
    if k < 1:
        return Estimate(middle, reason="fewer than 6 games: no 95 % interval for the median")
    first = (k - 1) * len(ranked) // games
    return Estimate(middle, float(ranked[first]), float(ranked[len(ranked) - 1 - first]))
