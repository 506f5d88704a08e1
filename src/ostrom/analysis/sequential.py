"""Intervals and verdicts that stay valid where an experiment may stop at any of several looks.

Games are looked at when fixed numbers of them are over, each number about 1.4 times the one before, and the experiment
stops at the first look at which its rule holds. An interval that holds at one look does not hold at the look that was
chosen for what it showed. So intervals are made longer, by the factor with which an estimate's error stays within them
at all looks together with 95 % confidence (Pocock, "Group sequential methods in the design and analysis of clinical
trials", Biometrika 64, 1977): errors over growing numbers of games move as a random walk does, which gives the factor.
Of verdicts about all pairs of players at once, each look may use up a part of the 5 %, little at first (Lan and DeMets,
"Discrete sequential boundaries for clinical trials", Biometrika 70, 1983): the parts sum to 5 %, so at most that is the
chance of any wrong verdict at any look."""

from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from ostrom.core.estimates import CONFIDENCE

FIRST: Final = 40
"""Games at the first look, at least."""
STEP: Final = 1.4
MOST_LOOKS: Final = 8
_DRAWS: Final = 200_000
_SEED: Final = 735


def looks_at(games: int, first: int = FIRST) -> tuple[int, ...]:
    """After how many games there is a look, of at most so many."""
    found = [games]
    while len(found) < MOST_LOOKS and (before := round(found[-1] / STEP)) >= first:
        found.append(before)
    return tuple(reversed(found))


@lru_cache
def stretch(looks: tuple[int, ...]) -> float:
    """By what factor an interval is longer on both sides, so that it holds at all looks together."""
    from scipy.special import ndtri

    steps = np.sqrt(np.diff(np.asarray((0, *looks), dtype=np.float64)))
    walk = np.cumsum(np.random.default_rng(_SEED).standard_normal((_DRAWS, len(looks))) * steps, axis=1)
    greatest = np.abs(walk / np.sqrt(looks)).max(axis=1)
    return float(np.quantile(greatest, CONFIDENCE) / ndtri((1 + CONFIDENCE) / 2))


def confidences(looks: tuple[int, ...]) -> tuple[float, ...]:
    """With which confidence verdicts are given at each look: what they may be wrong sums to 5 %."""
    shares = [0.0, *((look / looks[-1]) ** 2 for look in looks)]
    return tuple(1 - (1 - CONFIDENCE) * (now - before) for before, now in pairwise(shares))
