"""A rating from all games at once, to convergence: no order of games enters it. Uncertainty comes from games, the
independent units.

Davidson's model of paired comparisons with ties.

Seats i and j of a game end with i ahead, j ahead or tied in the ratio e^x : e^-x : ν, where x = (θi - θj)/2 (Davidson,
"On extending the Bradley–Terry model to accommodate ties", JASA 65, 1970). So θi - θj is the log odds of ending ahead
of j rather than behind it. Every pair of seats held by different names is one comparison. This is a composite
likelihood: that the pairs of a game hang together does not bias θ, but it would make its uncertainty look too small. So
that comes from leaving out each game in turn: the covariance of the strengths is the sum over games of the squares of
what the game moves, the cluster jackknife, which errs on the side of caution where games are few (MacKinnon, Nielsen
and Webb, "Cluster-robust inference", Journal of Econometrics 232, 2023).

A normal prior around 0 keeps strengths finite where somebody won or lost every comparison or met nobody, and puts their
mean at 0. It is weak: one standard deviation is odds of 150 to 1."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.analysis.ratings.results import Results
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats, Whole

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Flags = npt.NDArray[np.bool_]

PRIOR = 5.0
"""The prior standard deviation of a strength, and of log ν."""
LEAST_GAMES = 10
"""A player with fewer has no interval, and is told apart from nobody: where players are far apart, intervals from 4 to
6 games held in 87 to 88 % of worlds."""
_CLOSE = 1e-9
_LONGEST = 1.0
"""Newton's steps are cut to this length, so that the first ones cannot leap out of reach."""
_MOST_STEPS = 200
_CELLS = 2**22
"""Cells of pairs that are held in memory at a time."""


class Comparisons(NamedTuple):
    """Who ended where against whom, game by game: (names², games), the cell of i and j being i · names + j."""

    names: int
    ahead: "csr_array"
    """How often i ended ahead of j."""
    tied: "csr_array"
    """How often the two tied; the same in the cell of j and i."""


class Strengths(NamedTuple):
    """What was fitted to each weighting."""

    theta: Floats
    """(weightings, names) Their mean is 0."""
    log_nu: Floats
    """(weightings,) How readily equals tie: they do with the chance ν / (2 + ν)."""


def comparisons(results: Results) -> Comparisons:
    """All pairs of seats held by different names."""
    from scipy.sparse import csr_array

    names, seats = len(results.names), results.players.shape[1]
    one, other = (side.ravel() for side in np.meshgrid(np.arange(seats), np.arange(seats)))
    i, j = results.players[:, one], results.players[:, other]
    counted = results.seated[:, one] & results.seated[:, other] & (i != j)
    lead = results.scores[:, one] - results.scores[:, other]
    game = np.broadcast_to(np.arange(results.games)[:, None], i.shape)
    shape = (names**2, results.games)

    def count(which: Flags) -> "csr_array":
        cells = (i * names + j)[which]
        return csr_array((np.ones(len(cells)), (cells, game[which])), shape=shape)

    return Comparisons(names, ahead=count(counted & (lead > 0)), tied=count(counted & (lead == 0)))


def fit(found: Comparisons, weights: Floats) -> Strengths:
    """The strengths of greatest posterior density. `weights` (weightings, games) says how often each game counts."""
    chunk = max(1, _CELLS // found.names**2)
    parts = [_fit(found, weights[start : start + chunk]) for start in range(0, len(weights), chunk)]
    return Strengths(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _counts(found: Comparisons, weights: "Floats | csr_array") -> tuple[Floats, Floats, Floats]:
    """How often every two names met, how far each name was ahead, halved, and all ties, in each weighting."""
    shape = (weights.shape[0], found.names, found.names)
    ahead, tied = (_dense((part @ weights.T).T).reshape(shape) for part in (found.ahead, found.tied))
    behind = ahead.swapaxes(1, 2)
    return ahead + behind + tied, (ahead - behind).sum(axis=2) / 2, tied.sum(axis=(1, 2)) / 2


def _dense(matrix: "Floats | csr_array") -> Floats:
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.todense())


def _fit(found: Comparisons, weights: Floats) -> Strengths:
    met, lead, ties = _counts(found, weights)
    at = np.zeros((len(weights), found.names + 1))
    for _ in range(_MOST_STEPS):
        step = _newton(met, lead, ties, at)
        longest = np.abs(step).max(axis=1, keepdims=True)
        at += step * np.minimum(1, _LONGEST / np.maximum(longest, _LONGEST))
        if longest.max() < _CLOSE:
            break
    return Strengths(at[:, :-1], at[:, -1])


class _Expected(NamedTuple):
    """What the model expects of one comparison of each pair of names. It is an exponential family in who leads and in
    ties: the slope is what was seen less what is expected, and the curvature the covariance of the two."""

    drift: Floats
    """By how much i is ahead of j, on average."""
    tie: Floats

    @classmethod
    def at(cls, at: Floats) -> "_Expected":
        """At (θ, log ν), in each weighting."""
        theta, nu = at[:, :-1], np.exp(at[:, -1])[:, None, None]
        x = (theta[:, :, None] - theta[:, None, :]) / 2
        up, down = np.exp(x), np.exp(-x)
        whole = up + down + nu
        return cls((up - down) / whole, nu / whole)

    def slope(self, met: Floats, lead: Floats, ties: Floats) -> Floats:
        """(weightings, names + 1) Of the log likelihood. `lead` is how far each name was ahead, halved."""
        slope = np.empty((len(lead), lead.shape[1] + 1))
        slope[:, :-1] = lead - (met * self.drift).sum(axis=2) / 2
        slope[:, -1] = ties - (met * self.tie).sum(axis=(1, 2)) / 2
        return slope

    def curvature(self, met: Floats) -> Floats:
        """(weightings, names + 1, names + 1) Of the log likelihood, with the opposite sign."""
        names = met.shape[1]
        curve = np.zeros((len(met), names + 1, names + 1))
        spread = met * (1 - self.tie - self.drift**2) / 4
        curve[:, :-1, :-1] = -spread
        curve[:, -1, :-1] = curve[:, :-1, -1] = -(met * self.drift * self.tie).sum(axis=2) / 2
        curve[:, -1, -1] = (met * self.tie * (1 - self.tie)).sum(axis=(1, 2)) / 2
        every = np.arange(names)
        curve[:, every, every] += spread.sum(axis=2)
        return curve


def _newton(met: Floats, lead: Floats, ties: Floats, at: Floats) -> Floats:
    """Newton's step from (θ, log ν) in each weighting, towards the greatest posterior density."""
    expected = _Expected.at(at)
    slope = expected.slope(met, lead, ties) - at / PRIOR**2
    curve = expected.curvature(met) + np.eye(at.shape[1]) / PRIOR**2
    return np.asarray(np.linalg.solve(curve, slope[:, :, None])[:, :, 0])


def moved_by_games(found: Comparisons, strengths: Strengths) -> Floats:
    """(games, names) By how much each game moves the strengths: what they are less what they would be without it, to
    one step of Newton's from the fit of all games."""
    from scipy.sparse import csr_array

    at = np.append(strengths.theta[0], strengths.log_nu[0])[None]
    expected = _Expected.at(at)
    games = found.ahead.shape[1]
    whole = expected.curvature(_counts(found, np.ones((1, games)))[0]) + np.eye(found.names + 1) / PRIOR**2
    chunk = max(1, _CELLS // found.names**2)
    parts = []
    for start in range(0, games, chunk):
        some = np.arange(start, min(start + chunk, games))
        each = csr_array((np.ones(len(some)), (np.arange(len(some)), some)), shape=(len(some), games))
        counts = _counts(found, each)
        without = whole - expected.curvature(counts[0])
        parts.append(np.linalg.solve(without, expected.slope(*counts)[:, :, None])[:, :-1, 0])
    return np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class OrderFree:
    """Everybody's strength on the log scale of the model, centred at 0."""

    names: tuple[str, ...]
    """As in the results."""
    strengths: tuple[Estimate, ...]
    """One for each name. Strengths of players whom no chain of games links rest on the prior."""
    tie_chance: float
    """How often equals tie."""
    theta: Floats
    """(names,) The strengths without their intervals."""
    covariance: Floats
    """(names, names) Of the strengths' errors."""
    games: int
    """How many games compare somebody."""
    held: Whole
    """(names,) In how many games each player held a seat."""
    group: Whole
    """(names,) Players whom a chain of games links have the same number; 0 is the group with the most players."""


def order_free(results: Results) -> OrderFree:
    """Rate everybody. A player that holds several seats of a game meets the others once with each of them, and itself
    never."""
    from scipy.special import stdtrit

    games = len(results.comparing)
    if not games:
        raise InputError("in no game did two players meet, so there is nothing to rate")
    found = comparisons(results)
    whole = fit(found, np.ones((1, results.games)))
    theta, nu = whole.theta[0], float(np.exp(whole.log_nu[0]))
    moved = moved_by_games(found, whole)
    covariance, held = moved.T @ moved, results.games_of()
    # By the player's own games: what is known of the error of one who came late rests on the few that it played.
    reach = stdtrit(np.maximum(held - 1, 1), (1 + CONFIDENCE) / 2) * np.sqrt(np.diag(covariance))
    strengths = tuple(
        Estimate(float(value), float(value - half), float(value + half))
        if many >= LEAST_GAMES
        else Estimate(float(value), reason=f"fewer than {LEAST_GAMES} games: no interval")
        for value, half, many in zip(theta, reach, held, strict=True)
    )
    return OrderFree(results.names, strengths, nu / (2 + nu), theta, covariance, games, held, _groups(found))


def _groups(found: Comparisons) -> Whole:
    """(names,) The number of the group that each belongs to: the one with the most players is 0."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    met = _counts(found, np.ones((1, found.ahead.shape[1])))[0][0]
    _, label = connected_components(csr_array(met > 0), directed=False)
    size = np.bincount(label)
    place = np.argsort(np.argsort(-size, kind="stable"), kind="stable")
    return np.asarray(place[label])
