"""Maximum likelihood with independent units, such as players: estimates, and standard errors that allow for the
similarity of decisions within a unit (the sandwich of Huber 1967 and White 1982)."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.core.errors import InputError
from ostrom.core.estimates import Estimate, t_interval

Floats = npt.NDArray[np.float64]
Transform = Callable[[Floats], Floats]
_STEP: Final = 1e-4


class Maximum(NamedTuple):
    """The maximum of a likelihood."""

    point: Floats
    """The parameters on the scale on which they are unbounded."""
    covariance: Floats
    log_likelihood: float
    units: int


def maximise(by_unit: Callable[[Floats], Floats], starts: Sequence[Floats]) -> tuple[Floats, float]:
    """Return the best maximum from several starts. `by_unit` returns the log likelihood of each unit."""
    from scipy.optimize import minimize

    best: tuple[Floats, float] | None = None
    for start in starts:
        solved = minimize(
            lambda point: -float(by_unit(point).mean()), start, method="BFGS", options={"gtol": 1e-6, "maxiter": 100}
        )
        value = float(by_unit(solved.x).sum())
        if np.isfinite(value) and (best is None or value > best[1]):
            best = np.asarray(solved.x, dtype=np.float64), value
    if best is None:
        raise InputError("the likelihood has no finite maximum")
    return best


def maximum_of(by_unit: Callable[[Floats], Floats], starts: Sequence[Floats]) -> Maximum:
    """Return the maximum with its covariance. Raise InputError if the data do not determine all parameters."""
    point, value = maximise(by_unit, starts)
    return Maximum(point, sandwich(by_unit, point), value, len(by_unit(point)))


def sandwich(by_unit: Callable[[Floats], Floats], point: Floats) -> Floats:
    """Return the covariance of the maximum, with the correction units / (units - 1)."""
    count = len(point)
    step = _STEP * np.maximum(1.0, np.abs(point))
    scores = np.stack(
        [(by_unit(point + move) - by_unit(point - move)) / (2 * step[k]) for k, move in enumerate(np.diag(step))],
        axis=1,
    )
    hessian = np.empty((count, count))

    def total(at: Floats) -> float:
        return float(by_unit(at).sum())

    middle = total(point)
    moves = np.diag(step)
    for k in range(count):
        hessian[k, k] = (total(point + moves[k]) - 2 * middle + total(point - moves[k])) / step[k] ** 2
        for j in range(k):
            sides = [total(point + a * moves[k] + b * moves[j]) * a * b for a in (1, -1) for b in (1, -1)]
            hessian[k, j] = hessian[j, k] = sum(sides) / (4 * step[k] * step[j])
    units = len(scores)
    if units < 2:
        raise InputError("standard errors need at least 2 units")
    try:
        bread = np.linalg.inv(-hessian)
    except np.linalg.LinAlgError:
        raise InputError("these decisions do not determine all parameters of the model") from None
    if not np.all(np.diag(bread) > 0):
        raise InputError("these decisions do not determine all parameters of the model")
    return np.asarray(bread @ (scores.T @ scores * units / (units - 1)) @ bread)


def transformed(
    solved: Maximum, transform: Transform, scales: Sequence[str] | None = None
) -> list[tuple[Estimate, float]]:
    """Return the estimates of functions of the parameters, with standard errors by the delta method. The intervals are
    Student's, computed on the scale of each function: `share` (logit), `log`, or else linear."""
    value = transform(solved.point)
    step = 1e-5 * np.maximum(1.0, np.abs(solved.point))
    slope = np.stack(
        [
            (transform(solved.point + move) - transform(solved.point - move)) / (2 * step[k])
            for k, move in enumerate(np.diag(step))
        ],
        axis=1,
    )
    errors = np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", slope, solved.covariance, slope), 0.0))
    kinds = [""] * len(value) if scales is None else scales
    return [
        (_interval(float(one), float(error), kind, solved.units - 1), float(error))
        for one, error, kind in zip(value, errors, kinds, strict=True)
    ]


def _interval(value: float, error: float, kind: str, freedom: float) -> Estimate:
    if kind == "share" and 0 < value < 1:
        logit = t_interval(float(np.log(value / (1 - value))), error / (value * (1 - value)), freedom)
        low, high = (1 / (1 + np.exp(-end)) for end in (logit.low or 0.0, logit.high or 0.0))
        return Estimate(value, float(low), float(high))
    if kind == "log" and value > 0:
        logged = t_interval(float(np.log(value)), error / value, freedom)
        return Estimate(value, float(np.exp(logged.low or 0.0)), float(np.exp(logged.high or 0.0)))
    return t_interval(value, error, freedom)
