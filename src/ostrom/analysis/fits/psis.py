"""Leave-one-out predictive densities from draws of a posterior distribution, by importance sampling whose largest
weights are smoothed by a generalised Pareto distribution (Vehtari, Gelman and Gabry 2017; Zhang and Stephens 2009)."""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
MAX_SHAPE: Final = 0.7
"""The largest shape of the Pareto distribution with which the density of a decision is reliable."""
_LEAST_TAIL: Final = 5


class LeaveOneOut(NamedTuple):
    """The leave-one-out log densities of decisions."""

    log_density: Floats
    shape: Floats
    """The shape of the Pareto distribution of each decision; above `MAX_SHAPE`, its density is not reliable."""


def leave_one_out(log_likelihood: Floats) -> LeaveOneOut:
    """Return the log density of each decision under the other decisions, from log likelihoods (draws, decisions)."""
    density = np.empty(log_likelihood.shape[1])
    shape = np.empty(log_likelihood.shape[1])
    for place, own in enumerate(log_likelihood.T):
        weights, shape[place] = _smoothed(-own)
        top = weights.max()
        weights = weights - top - np.log(np.exp(weights - top).sum())
        density[place] = np.logaddexp.reduce(weights + own)
    return LeaveOneOut(density, shape)


def _smoothed(log_ratios: Floats) -> tuple[Floats, float]:
    """Return the log weights with a smoothed tail, and the shape of the tail."""
    weights = log_ratios - log_ratios.max()
    count = len(weights)
    size = int(min(0.2 * count, 3 * np.sqrt(count)))
    order = np.argsort(weights, kind="stable")
    tail = order[count - size :]
    if size < _LEAST_TAIL or np.ptp(weights[tail]) < 1e-12:
        return weights, float("-inf")
    cut = np.exp(weights[order[count - size - 1]])
    shape, scale = _pareto(np.exp(weights[tail]) - cut)
    if not np.isfinite(shape):
        return weights, float(shape)
    places = (np.arange(size) + 0.5) / size
    spread = -np.log1p(-places) if abs(shape) < 1e-12 else np.expm1(-shape * np.log1p(-places)) / shape
    weights = weights.copy()
    weights[tail] = np.minimum(np.log(cut + scale * spread), 0.0)
    return weights, float(shape)


def _pareto(excess: Floats) -> tuple[float, float]:
    """Return the shape and the scale of a generalised Pareto distribution, from sorted excesses over its start."""
    count, prior = len(excess), 3
    points = 30 + int(np.sqrt(count))
    grid = 1 - np.sqrt(points / (np.arange(1, points + 1) - 0.5))
    quartile = excess[int(count / 4 + 0.5) - 1]
    if excess[-1] <= 0 or quartile <= 0:
        return float("inf"), 1.0
    grid = grid / (prior * quartile) + 1 / excess[-1]
    shapes = np.log1p(-grid[:, np.newaxis] * excess).mean(axis=1)
    profile = count * (np.log(-(grid / shapes)) - shapes - 1)
    share = 1 / np.exp(profile - profile[:, np.newaxis]).sum(axis=1)
    value = float((grid * share).sum() / share.sum())
    shape = float(np.log1p(-value * excess).mean())
    scale = -shape / value
    # A weak prior at one half, as in the publication.
    return (shape * count + 5) / (count + 10), scale
