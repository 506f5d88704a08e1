"""Davidson's model of paired comparisons with ties, fitted to many weightings of the same games at once.

Seats i and j of a game end with i ahead, j ahead or tied in the ratio e^x : e^-x : ν, where x = (θi - θj)/2 (Davidson,
"On extending the Bradley–Terry model to accommodate ties", JASA 65, 1970). So θi - θj is the log odds of ending ahead
of j rather than behind it. Every pair of seats held by different names is one comparison. This is a composite
likelihood: that the pairs of a game hang together does not bias θ, but it would make its uncertainty look too small, so
that comes from resampling games.

A normal prior around 0 keeps strengths finite where somebody won or lost every comparison or met nobody, and puts their
mean at 0. It is weak: one standard deviation is odds of 150 to 1."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ostrom.analysis.ratings.results import Results
from ostrom.core.estimates import Floats

Flags = npt.NDArray[np.bool_]

PRIOR = 5.0
"""The prior standard deviation of a strength, and of log ν."""
_CLOSE = 1e-9
_LONGEST = 1.0
"""Newton's steps are cut to this length, so that the first ones cannot leap out of reach."""
_MOST_STEPS = 200
_CELLS = 2**22
"""Cells of pairs that are held in memory at a time."""


class Comparisons(NamedTuple):
    """Who ended where against whom, game by game: (names², games), the cell of i and j being i · names + j."""

    names: int
    ahead: csr_array
    """How often i ended ahead of j."""
    tied: csr_array
    """How often the two tied; the same in the cell of j and i."""


class Strengths(NamedTuple):
    """What was fitted to each weighting."""

    theta: Floats
    """(weightings, names) Their mean is 0."""
    log_nu: Floats
    """(weightings,) How readily equals tie: they do with the chance ν / (2 + ν)."""


def comparisons(results: Results) -> Comparisons:
    """All pairs of seats held by different names."""
    names, seats = len(results.names), results.players.shape[1]
    one, other = (side.ravel() for side in np.meshgrid(np.arange(seats), np.arange(seats)))
    i, j = results.players[:, one], results.players[:, other]
    counted = results.seated[:, one] & results.seated[:, other] & (i != j)
    lead = results.scores[:, one] - results.scores[:, other]
    game = np.broadcast_to(np.arange(results.games)[:, None], i.shape)
    shape = (names**2, results.games)

    def count(which: Flags) -> csr_array:
        cells = (i * names + j)[which]
        return csr_array((np.ones(len(cells)), (cells, game[which])), shape=shape)

    return Comparisons(names, ahead=count(counted & (lead > 0)), tied=count(counted & (lead == 0)))


def fit(found: Comparisons, weights: Floats) -> Strengths:
    """The strengths of greatest posterior density. `weights` (weightings, games) says how often each game counts."""
    chunk = max(1, _CELLS // found.names**2)
    parts = [_fit(found, weights[start : start + chunk]) for start in range(0, len(weights), chunk)]
    return Strengths(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _fit(found: Comparisons, weights: Floats) -> Strengths:
    shape = (len(weights), found.names, found.names)
    ahead = (found.ahead @ weights.T).T.reshape(shape)
    tied = (found.tied @ weights.T).T.reshape(shape)
    behind = ahead.swapaxes(1, 2)
    met, lead, ties = ahead + behind + tied, (ahead - behind).sum(axis=2) / 2, tied.sum(axis=(1, 2)) / 2
    at = np.zeros((len(weights), found.names + 1))
    for _ in range(_MOST_STEPS):
        step = _newton(met, lead, ties, at)
        longest = np.abs(step).max(axis=1, keepdims=True)
        at += step * np.minimum(1, _LONGEST / np.maximum(longest, _LONGEST))
        if longest.max() < _CLOSE:
            break
    return Strengths(at[:, :-1], at[:, -1])


def _newton(met: Floats, lead: Floats, ties: Floats, at: Floats) -> Floats:
    """Newton's step from (θ, log ν) in each weighting. The model is an exponential family in `lead` and `ties`, so the
    slope is what was seen less what is expected, and the curvature the covariance of the two."""
    theta, nu = at[:, :-1], np.exp(at[:, -1])[:, None, None]
    x = (theta[:, :, None] - theta[:, None, :]) / 2
    up, down = np.exp(x), np.exp(-x)
    whole = up + down + nu
    drift, tie = (up - down) / whole, nu / whole
    slope = -at / PRIOR**2
    slope[:, :-1] += lead - (met * drift).sum(axis=2) / 2
    slope[:, -1] += ties - (met * tie).sum(axis=(1, 2)) / 2
    names = theta.shape[1]
    curve = np.zeros((len(at), names + 1, names + 1))
    spread = met * (1 - tie - drift**2) / 4
    curve[:, :-1, :-1] = -spread
    curve[:, -1, :-1] = curve[:, :-1, -1] = -(met * drift * tie).sum(axis=2) / 2
    curve[:, -1, -1] = (met * tie * (1 - tie)).sum(axis=(1, 2)) / 2
    every = np.arange(names)
    curve[:, every, every] += spread.sum(axis=2)
    whole_diagonal = np.arange(names + 1)
    curve[:, whole_diagonal, whole_diagonal] += 1 / PRIOR**2
    return np.asarray(np.linalg.solve(curve, slope[:, :, None])[:, :, 0])
