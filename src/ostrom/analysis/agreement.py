"""Agreement of two raters who say yes or no."""

import numpy as np

from ostrom.analysis.intervals import LEAST, Floats, jackknife_reach
from ostrom.core.estimates import Estimate


def kappa(both: Floats, first_only: Floats, second_only: Floats, neither: Floats) -> Floats:
    """Return Cohen's κ of two raters who say yes or no, from the four counts of pairs of answers. It is NaN if the
    expected agreement by chance is 1."""
    total = both + first_only + second_only + neither
    with np.errstate(divide="ignore", invalid="ignore"):
        raw = (both + neither) / total
        first, second = (both + first_only) / total, (both + second_only) / total
        chance = first * second + (1 - first) * (1 - second)
        return np.asarray(np.where(chance < 1, (raw - chance) / (1 - chance), np.nan))


def kappa_estimate(counts: Floats) -> Estimate:
    """Return Cohen's κ with its interval, from the four counts of each game: (games, 4). The interval is a jackknife t
    interval over games, on Fisher's scale."""
    total = counts.sum(axis=0)
    value = float(kappa(*total))
    if not np.isfinite(value):
        return Estimate(None, reason="both say the same of all")
    if len(counts) < LEAST:
        return Estimate(value, reason=f"fewer than {LEAST} games: no interval")
    with np.errstate(divide="ignore", invalid="ignore"):
        without = np.arctanh(kappa(*(total - counts).T))
        reach = float(jackknife_reach(without[:, None])[0])
    if not np.isfinite(reach):
        return Estimate(value, reason="all agree, or would without one of the games: no interval")
    center = np.arctanh(value)
    return Estimate(value, float(np.tanh(center - reach)), float(np.tanh(center + reach)))
