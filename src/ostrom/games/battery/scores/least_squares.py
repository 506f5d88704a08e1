"""The published estimator of the annual discount factor: least squares of δ^years on indifference ratios at front-end
delay 0, over all amounts, δ between 0.01 and 1."""

import numpy as np

from ostrom.games.battery.scores.bootstrap import drawn_by, once_each
from ostrom.games.battery.scores.score import Floats, Score, with_interval, withheld
from ostrom.games.battery.scores.time_choices import TimePoints

LEAST, MOST = 0.01, 1.0
_GRID = np.linspace(LEAST, MOST, 991)
_ZOOMS = 4
_FINER = np.linspace(-1, 1, 21)


def published_delta(points: TimePoints) -> tuple[Score, Floats]:
    """δ with its interval, and δ again from each resample of conditions."""
    now = points.only(points.front == 0)
    if len(now.ratio) < 2:
        return withheld("fewer than two indifference points at front-end delay 0"), np.empty(0)
    value = float(least_squares(now.ratio, now.years)[0])
    conditions = list(zip(now.years.tolist(), now.amount.tolist(), strict=True))
    draws = once_each(lambda rows: least_squares(now.ratio, now.years, rows), drawn_by(conditions))
    return with_interval(value, draws), draws


def least_squares(ratio: Floats, years: Floats, weights: Floats | None = None) -> Floats:
    """δ for every row of weights (samples, points), or one for all points alike. The whole range is searched on a grid
    first, for the sum of squares can have two minima; then the best place is refined to the seventh decimal."""
    rows = np.ones((1, len(ratio))) if weights is None else weights
    best = _GRID[np.argmin(rows @ (_GRID ** years[:, np.newaxis] - ratio[:, np.newaxis]) ** 2, axis=1)]
    reach = _GRID[1] - _GRID[0]
    for _ in range(_ZOOMS):
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST, MOST)
        error = np.einsum(
            "bn,bng->bg", rows, (near[:, np.newaxis, :] ** years[:, np.newaxis] - ratio[:, np.newaxis]) ** 2
        )
        best = near[np.arange(len(near)), np.argmin(error, axis=1)]
        reach /= 10
    return np.asarray(best)
