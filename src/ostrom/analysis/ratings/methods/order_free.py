"""The order-free rating: Davidson's model of paired comparisons with ties, fitted to all games at once, so that their
order does not matter. Games are the independent units.

Seats i and j of a game end with i ahead, j ahead or tied in the ratio e^x : e^-x : ν, where x = (θi - θj)/2 (Davidson,
"On extending the Bradley–Terry model to accommodate ties", JASA 65, 1970). So θi - θj is the log odds of ending ahead
of j rather than behind it. Every pair of seats held by different names is one comparison. This is a composite
likelihood: the dependence between the pairs of a game does not bias θ, but would make its uncertainty look too small.
Uncertainty therefore comes from leaving out each game in turn: the covariance of the strengths is the sum over games of
the squared changes that the game makes, the cluster jackknife, which is conservative where games are few (MacKinnon,
Nielsen and Webb, "Cluster-robust inference", Journal of Econometrics 232, 2023).

A normal prior around 0 keeps strengths finite where a player won or lost every comparison or met no other, and puts
their mean at 0. It is weak: one standard deviation is odds of 150 to 1."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.analysis.ratings.method import RATING_METHODS, GameResults, RatingMethod
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats, Whole
from ostrom.core.settings import Settings

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Flags = npt.NDArray[np.bool_]

PRIOR = 5.0
"""The prior standard deviation of a strength, and of log ν."""
LEAST_GAMES = 10
"""A player with fewer games has no interval and no tier: where players are far apart, intervals from 4 to 6 games cover
the true strength in only 87 to 88 % of simulations."""
_STEP_TOLERANCE = 1e-9
_MAX_STEP = 1.0
"""Newton's steps are cut to this length, so that the first ones do not diverge."""
_MAX_STEPS = 200
_MAX_CELLS = 2**22


class Comparisons(NamedTuple):
    """The outcomes of all pairs, game by game: (names², games), the cell of i and j being i · names + j."""

    names: int
    ahead: "csr_array"
    """Counts of i ahead of j."""
    tied: "csr_array"
    """Counts of ties; the same in the cell of j and i."""


class Strengths(NamedTuple):
    """The parameters fitted to each weighting of the games."""

    theta: Floats
    """(weightings, names) Their mean is 0."""
    log_nu: Floats
    """(weightings,) Equals tie with the probability ν / (2 + ν)."""


def comparisons(results: GameResults) -> Comparisons:
    """Count the outcomes of all pairs of seats held by different names."""
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


def fit(pairs: Comparisons, weights: Floats) -> Strengths:
    """Return the strengths of greatest posterior density. `weights` (weightings, games) is how often each game
    counts."""
    chunk = max(1, _MAX_CELLS // pairs.names**2)
    parts = [_fit(pairs, weights[start : start + chunk]) for start in range(0, len(weights), chunk)]
    return Strengths(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _counts(pairs: Comparisons, weights: "Floats | csr_array") -> tuple[Floats, Floats, Floats]:
    """Return, for each weighting, the meetings of every two names, half the net wins of each name, and all ties."""
    shape = (weights.shape[0], pairs.names, pairs.names)
    ahead, tied = (_dense((part @ weights.T).T).reshape(shape) for part in (pairs.ahead, pairs.tied))
    behind = ahead.swapaxes(1, 2)
    return ahead + behind + tied, (ahead - behind).sum(axis=2) / 2, tied.sum(axis=(1, 2)) / 2


def _dense(matrix: "Floats | csr_array") -> Floats:
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.todense())


def _fit(pairs: Comparisons, weights: Floats) -> Strengths:
    met, lead, ties = _counts(pairs, weights)
    at = np.zeros((len(weights), pairs.names + 1))
    for _ in range(_MAX_STEPS):
        step = _newton(met, lead, ties, at)
        longest = np.abs(step).max(axis=1, keepdims=True)
        at += step * np.minimum(1, _MAX_STEP / np.maximum(longest, _MAX_STEP))
        if longest.max() < _STEP_TOLERANCE:
            break
    return Strengths(at[:, :-1], at[:, -1])


class _Expected(NamedTuple):
    """The model's expectations for one comparison of each pair of names. It is an exponential family in leads and ties:
    the slope is the observed less the expected counts, and the curvature the covariance of the two."""

    drift: Floats
    """The expected lead of i over j."""
    tie: Floats

    @classmethod
    def at(cls, at: Floats) -> "_Expected":
        """Compute the expectations at (θ, log ν), in each weighting."""
        theta, nu = at[:, :-1], np.exp(at[:, -1])[:, None, None]
        x = (theta[:, :, None] - theta[:, None, :]) / 2
        up, down = np.exp(x), np.exp(-x)
        whole = up + down + nu
        return cls((up - down) / whole, nu / whole)

    def slope(self, met: Floats, lead: Floats, ties: Floats) -> Floats:
        """Return the slope of the log likelihood, (weightings, names + 1). `lead` is half the net wins of each name."""
        slope = np.empty((len(lead), lead.shape[1] + 1))
        slope[:, :-1] = lead - (met * self.drift).sum(axis=2) / 2
        slope[:, -1] = ties - (met * self.tie).sum(axis=(1, 2)) / 2
        return slope

    def curvature(self, met: Floats) -> Floats:
        """Return the negative curvature of the log likelihood, (weightings, names + 1, names + 1)."""
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
    """Return Newton's step from (θ, log ν) in each weighting, towards the greatest posterior density."""
    expected = _Expected.at(at)
    slope = expected.slope(met, lead, ties) - at / PRIOR**2
    curve = expected.curvature(met) + np.eye(at.shape[1]) / PRIOR**2
    return np.asarray(np.linalg.solve(curve, slope[:, :, None])[:, :, 0])


def moved_by_games(pairs: Comparisons, strengths: Strengths) -> Floats:
    """Return how much each game changes the strengths, (games, names): the fit of all games less the fit without that
    game, to one step of Newton's."""
    from scipy.sparse import csr_array

    at = np.append(strengths.theta[0], strengths.log_nu[0])[None]
    expected = _Expected.at(at)
    games = pairs.ahead.shape[1]
    whole = expected.curvature(_counts(pairs, np.ones((1, games)))[0]) + np.eye(pairs.names + 1) / PRIOR**2
    chunk = max(1, _MAX_CELLS // pairs.names**2)
    parts = []
    for start in range(0, games, chunk):
        some = np.arange(start, min(start + chunk, games))
        each = csr_array((np.ones(len(some)), (np.arange(len(some)), some)), shape=(len(some), games))
        counts = _counts(pairs, each)
        without = whole - expected.curvature(counts[0])
        parts.append(np.linalg.solve(without, expected.slope(*counts)[:, :, None])[:, :-1, 0])
    return np.concatenate(parts)


@dataclass(frozen=True, eq=False)
class OrderFree:
    """All players' strengths on the log scale of the model, centred at 0."""

    names: tuple[str, ...]
    strengths: tuple[Estimate, ...]
    """One for each name. Between players that no chain of games links, they depend on the prior."""
    tie_chance: float
    theta: Floats
    """(names,) The strengths without their intervals."""
    covariance: Floats
    """(names, names) The covariance of the strengths' errors."""
    games: int
    """The number of games in which two players met."""
    held: Whole
    """(names,) The number of games in which each player held a seat."""
    group: Whole
    """(names,) Players that a chain of games links have the same number; 0 is the group with the most players."""

    @property
    def estimates(self) -> dict[str, Estimate]:
        return dict(zip(self.names, self.strengths, strict=True))


def order_free(results: GameResults) -> OrderFree:
    """Rate all players. A player that holds several seats of a game meets the others once with each of them, and never
    itself. Raises `InputError` if no two players met."""
    from scipy.special import stdtrit

    games = len(results.comparing)
    if not games:
        raise InputError("no two players met in any game, so there is nothing to rate")
    pairs = comparisons(results)
    whole = fit(pairs, np.ones((1, results.games)))
    theta, nu = whole.theta[0], float(np.exp(whole.log_nu[0]))
    moved = moved_by_games(pairs, whole)
    covariance, held = moved.T @ moved, results.games_of()
    # The degrees of freedom are the player's own games: a late entrant's error is estimated from few of them.
    reach = stdtrit(np.maximum(held - 1, 1), (1 + CONFIDENCE) / 2) * np.sqrt(np.diag(covariance))
    strengths = tuple(
        Estimate(float(value), float(value - half), float(value + half))
        if played >= LEAST_GAMES
        else Estimate(float(value), reason=f"fewer than {LEAST_GAMES} games: no interval")
        for value, half, played in zip(theta, reach, held, strict=True)
    )
    return OrderFree(results.names, strengths, nu / (2 + nu), theta, covariance, games, held, _groups(pairs))


def _groups(pairs: Comparisons) -> Whole:
    """Return the number of each player's group, (names,); the group with the most players is 0."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    met = _counts(pairs, np.ones((1, pairs.ahead.shape[1])))[0][0]
    _, label = connected_components(csr_array(met > 0), directed=False)
    size = np.bincount(label)
    place = np.argsort(np.argsort(-size, kind="stable"), kind="stable")
    return np.asarray(place[label])


class OrderFreeSettings(Settings):
    """The order-free rating has no settings."""


def fit_order_free(results: GameResults, settings: OrderFreeSettings) -> OrderFree:
    """Rate all players."""
    return order_free(results)


ORDER_FREE: Final = RatingMethod(
    name="order-free",
    title="Order-free strength",
    description="a Bradley–Terry model with ties, fitted to all games at once, without passes or draw probability",
    settings=OrderFreeSettings,
    fit=fit_order_free,
)
RATING_METHODS.add(ORDER_FREE.name, ORDER_FREE)
