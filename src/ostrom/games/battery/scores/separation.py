"""Choices without any error. A logit likelihood then has no maximum: it rises as the noise falls towards 0, for every
parameter that explains all choices. Here that limit is taken as it is: the noise is 0, the parameters are known to lie
in the set that explains every choice, its extent is the interval and its middle the estimate.

In all theories at hand "this option is at least as good" is linear in the parameters that are searched, so the set is a
box where every inequality is about one parameter, and a polygon, by linear programmes, where some are about two.
Answers to the same question that differ are no error where both options are exactly as good."""

from typing import NamedTuple

import numpy as np

from ostrom.games.battery.scores.logit import Choices, Model
from ostrom.games.battery.scores.score import Floats

_ROUNDING = 1e-8
"""By how much a choice may be against the better option: rounding in the last place is no error."""


class Explained(NamedTuple):
    """The parameters that explain every choice, a row of arrays each."""

    value: Floats
    low: Floats
    high: Floats


def explained(model: Model, choices: Choices) -> Explained | None:
    """The parameters of a model that explain every choice; nothing where none do."""
    slopes, least = model.inequalities(choices.features)
    at_least, at_most = choices.chosen > 0, choices.chosen < choices.answers
    # Every inequality as slopes · parameters >= least.
    rows = np.concatenate([slopes[at_least], -slopes[at_most]])
    ends = np.concatenate([least[at_least], -least[at_most]]) - _ROUNDING
    empty = ~np.any(rows, axis=1)
    if np.any(ends[empty] > 0):
        return None
    rows, ends = rows[~empty], ends[~empty]
    alone = np.count_nonzero(rows, axis=1) == 1
    low, high = _box(rows[alone], ends[alone], model.bounds)
    if np.any(low > high):
        return None
    if np.all(alone):
        return Explained((low + high) / 2, low, high)
    return _polygon(rows[~alone], ends[~alone], low, high)


def _box(rows: Floats, ends: Floats, bounds: Floats) -> tuple[Floats, Floats]:
    """The least and greatest values of each parameter under inequalities about one parameter each."""
    low, high = bounds[:, 0].copy(), bounds[:, 1].copy()
    which = np.argmax(rows != 0, axis=1)
    slope = rows[np.arange(len(rows)), which]
    limit = ends / slope
    np.maximum.at(low, which[slope > 0], limit[slope > 0])
    np.minimum.at(high, which[slope < 0], limit[slope < 0])
    return low, high


def _polygon(rows: Floats, ends: Floats, low: Floats, high: Floats) -> Explained | None:
    """The same where inequalities join parameters: the corners that lie farthest along each parameter."""
    from scipy.optimize import linprog

    box = list(zip(low, high, strict=True))
    corners = []
    for parameter in range(len(low)):
        for sign in (1.0, -1.0):
            goal = np.zeros(len(low))
            goal[parameter] = sign
            found = linprog(goal, A_ub=-rows, b_ub=-ends, bounds=box)
            if not found.success:
                return None
            corners.append(found.x)
    points = np.array(corners)
    return Explained(points.mean(axis=0), points.min(axis=0), points.max(axis=0))
