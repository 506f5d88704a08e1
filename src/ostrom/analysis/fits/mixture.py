"""Finite mixtures of given types (Dempster, Laird and Rubin 1977). Many problems of the same form are solved at once:
bootstrap resamples, folds, and points of a profile likelihood. The first axis of an array is the problem."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.core.estimates import CONFIDENCE, Estimate

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
MAX_CYCLES: Final = 1000
_TOLERANCE: Final = 1e-8
_HALVINGS: Final = 22
_TINY: Final = 1e-300
_NEGLIGIBLE: Final = 1e-14
"""Smaller shares are zero: they are on their way there, and denormal numbers are slow."""


@dataclass(frozen=True, eq=False)
class MixtureModel:
    """The likelihood of each unit's decisions under each type, with common further parameters such as trembles."""

    log_likelihood: Callable[[Floats], Floats]
    """A function from parameters (problems, parameters) to log likelihoods (problems, units, types)."""
    update: Callable[[Floats, Floats], Floats]
    """A function from weighted memberships (problems, units, types) and parameters to better parameters."""
    start: Floats
    bounds: tuple[float, float]
    """The bounds of every further parameter."""
    units: int
    types: int


class MixtureFit(NamedTuple):
    """The solutions of several problems."""

    shares: Floats
    """(problems, types)"""
    parameters: Floats
    log_likelihood: Floats


class _Fixed(NamedTuple):
    """One fixed quantity for each problem: the place of a share, or the place of a parameter after all shares."""

    place: Whole
    value: Floats


def fit_mixture(model: MixtureModel, weights: Floats | None = None) -> MixtureFit:
    """Return the solution with the greatest likelihood for each row of weights (problems, units)."""
    weights = np.ones((1, model.units)) if weights is None else weights
    shares = np.full((len(weights), model.types), 1 / model.types)
    return _climb(model, weights, shares, np.tile(model.start, (len(weights), 1)), None, _TOLERANCE)


def memberships(model: MixtureModel, fit: MixtureFit) -> Floats:
    """Return the posterior probability of each type (units, types) for the first problem."""
    joint = np.log(fit.shares + _TINY)[:1, np.newaxis] + model.log_likelihood(fit.parameters[:1])
    best = joint.max(axis=2, keepdims=True)
    weight = np.exp(joint - best)
    return np.asarray((weight / weight.sum(axis=2, keepdims=True))[0])


def unit_log_likelihoods(model: MixtureModel, fit: MixtureFit) -> Floats:
    """Return the log likelihood of each unit (problems, units)."""
    joint = np.log(fit.shares + _TINY)[:, np.newaxis] + model.log_likelihood(fit.parameters)
    return np.asarray(np.logaddexp.reduce(joint, axis=2))


def resample_weights(units: int, resamples: int, seed: int) -> Floats:
    """Return bootstrap weights (resamples, units): how often each unit was drawn."""
    rng = np.random.default_rng(seed)
    return rng.multinomial(units, np.full(units, 1 / units), size=resamples).astype(np.float64)


def profile_intervals(model: MixtureModel, fit: MixtureFit) -> list[Estimate]:
    """Return the profile likelihood interval of each share and then of each further parameter. The deviance is compared
    with a squared t quantile, whose degrees of freedom are the units minus one."""
    from scipy.special import stdtrit

    limit = float(stdtrit(max(model.units - 1, 1), (1 + CONFIDENCE) / 2)) ** 2
    values = np.concatenate([fit.shares[0], fit.parameters[0]])
    count = len(values)
    lowest = np.concatenate([np.zeros(model.types), np.full(count - model.types, model.bounds[0])])
    highest = np.concatenate([np.ones(model.types), np.full(count - model.types, model.bounds[1])])
    place = np.tile(np.arange(count), 2)
    inner = np.tile(values, 2)
    outer = np.concatenate([lowest, highest])
    weights = np.ones((2 * count, model.units))
    state = MixtureFit(
        np.tile(fit.shares, (2 * count, 1)), np.tile(fit.parameters, (2 * count, 1)), np.zeros(2 * count)
    )

    def deviance(at: Floats, state: MixtureFit) -> tuple[Floats, MixtureFit]:
        solved = _climb(model, weights, state.shares, state.parameters, _Fixed(place, at), 1e-6)
        return 2 * (float(fit.log_likelihood[0]) - solved.log_likelihood), solved

    drop, _ = deviance(outer, state)
    inside = drop <= limit
    for _ in range(_HALVINGS):
        middle = (inner + outer) / 2
        drop, solved = deviance(middle, state)
        near = drop <= limit
        inner, outer = np.where(near, middle, inner), np.where(near, outer, middle)
        state = MixtureFit(
            np.where(near[:, np.newaxis], solved.shares, state.shares),
            np.where(near[:, np.newaxis], solved.parameters, state.parameters),
            state.log_likelihood,
        )
    ends = np.where(inside, np.concatenate([lowest, highest]), (inner + outer) / 2)
    return [Estimate(float(values[k]), float(ends[k]), float(ends[count + k])) for k in range(count)]


def _climb(
    model: MixtureModel, weights: Floats, shares: Floats, parameters: Floats, fixed: _Fixed | None, tolerance: float
) -> MixtureFit:
    """Climb the likelihood until no problem gains more than the tolerance in a cycle. A cycle has two steps of
    expectation and maximisation and an extrapolated one (SQUAREM; Varadhan and Roland 2008)."""
    if fixed is not None:
        # A type whose share is zero would never return.
        shares, parameters = _with_fixed(model, shares + 1e-6, parameters, fixed)
    point = np.concatenate([shares, parameters], axis=1)
    reached = np.full(len(weights), -np.inf)
    active = np.arange(len(weights))
    for _ in range(MAX_CYCLES):
        held = None if fixed is None else _Fixed(fixed.place[active], fixed.value[active])
        own = weights[active]
        start = point[active]
        first, _ = _step(model, own, start, held)
        second, _ = _step(model, own, first, held)
        move, bend = first - start, (second - first) - (first - start)
        length = np.sqrt((move**2).sum(axis=1) / np.maximum((bend**2).sum(axis=1), 1e-30))
        stride = np.clip(length, 1.0, 200.0)[:, np.newaxis]
        jump = _inside(model, start + 2 * stride * move + stride**2 * bend)
        landed, far = _step(model, own, jump, held)
        third, near = _step(model, own, second, held)
        better = far >= near
        point[active] = np.where(better[:, np.newaxis], landed, third)
        now = np.maximum(far, near)
        going = now - reached[active] > tolerance
        reached[active] = now
        active = active[going]
        if not len(active):
            break
    # The likelihood belongs to the point before the last step, which cannot be higher.
    last = _step(model, weights, point, fixed)[1]
    return MixtureFit(point[:, : model.types], point[:, model.types :], np.maximum(last, reached))


def _step(model: MixtureModel, weights: Floats, point: Floats, fixed: _Fixed | None) -> tuple[Floats, Floats]:
    """Return the point after a step of expectation and maximisation, and the log likelihood before it."""
    shares, parameters = point[:, : model.types], point[:, model.types :]
    joint = np.log(shares + _TINY)[:, np.newaxis] + model.log_likelihood(parameters)
    best = joint.max(axis=2, keepdims=True)
    np.exp(np.maximum(joint - best, -600), out=joint)
    mass = joint.sum(axis=2, keepdims=True)
    value = ((best + np.log(mass))[:, :, 0] * weights).sum(axis=1)
    resp = joint * (weights[:, :, np.newaxis] / mass)
    shares = resp.sum(axis=1) / weights.sum(axis=1, keepdims=True)
    shares[shares < _NEGLIGIBLE] = 0.0
    parameters = model.update(resp, parameters)
    if fixed is not None:
        shares, parameters = _with_fixed(model, shares, parameters, fixed)
    return np.concatenate([shares, parameters], axis=1), value


def _inside(model: MixtureModel, point: Floats) -> Floats:
    """Return a point with shares that add up to 1, and parameters within their bounds."""
    shares = np.maximum(point[:, : model.types], 0.0)
    shares = shares / np.maximum(shares.sum(axis=1, keepdims=True), _TINY)
    return np.concatenate([shares, np.clip(point[:, model.types :], *model.bounds)], axis=1)


def _with_fixed(model: MixtureModel, shares: Floats, parameters: Floats, fixed: _Fixed) -> tuple[Floats, Floats]:
    """Return shares and parameters after setting one quantity of each problem to its fixed value. If this quantity is a
    share, the other shares keep their ratios."""
    rows = np.flatnonzero(fixed.place < model.types)
    shares, parameters = shares.copy(), parameters.copy()
    place, value = fixed.place[rows], fixed.value[rows]
    others = shares[rows]
    others[np.arange(len(rows)), place] = 0.0
    others *= ((1 - value) / np.maximum(others.sum(axis=1), _TINY))[:, np.newaxis]
    others[np.arange(len(rows)), place] = value
    shares[rows] = others
    rows = np.flatnonzero(fixed.place >= model.types)
    parameters[rows, fixed.place[rows] - model.types] = fixed.value[rows]
    return shares, parameters


def without_units(model: MixtureModel, folds: Whole) -> MixtureFit:
    """Return the solution for each fold, fitted to the units of the other folds."""
    count = int(folds.max()) + 1
    weights = (folds[np.newaxis, :] != np.arange(count)[:, np.newaxis]).astype(np.float64)
    return fit_mixture(model, weights)


def held_out_log_likelihoods(model: MixtureModel, folds: Whole) -> Floats:
    """Return the log likelihood of each unit under the solution for the other folds."""
    return np.asarray(unit_log_likelihoods(model, without_units(model, folds))[folds, np.arange(model.units)])
