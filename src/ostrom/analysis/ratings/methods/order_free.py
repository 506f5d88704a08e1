"""The order-free rating: Davidson's model of paired comparisons with ties, fitted to all games at once, so that their
order does not matter. Games are the independent units.

Seats i and j of a game end with i ahead, j ahead or tied in the ratio e^x : e^-x : ν, where x = (θi - θj)/2 (Davidson,
"On extending the Bradley–Terry model to accommodate ties", JASA 65, 1970). So θi - θj is the log odds of ending ahead
of j rather than behind it. Every pair of seats with different players is one comparison. This gives a composite
likelihood: the dependence between the pairs of a game does not bias θ, but would make its uncertainty look too small.
Uncertainty is therefore computed by leaving out each unit in turn. A unit is a game, all games with the same draws, or
all games of one cluster. The covariance of the strengths is the sum, over units, of the squared changes that the unit
makes. This is the cluster jackknife, which is conservative if there are few units (MacKinnon, Nielsen and Webb,
"Cluster-robust inference", Journal of Econometrics 232, 2023). If a player won or lost almost every comparison, no
single game changes its strength, and the jackknife's error is far too small. Therefore each variance is at least that
of the model, and pairs are tested by scores (`equality_errors`).

If earlier results decided which players met, every pair of players has equal weight, as in a balanced schedule.

Strengths have a normal prior around 0. The prior keeps strengths finite if a player won or lost every comparison or met
no other player, and it makes the mean strength 0. The prior is weak: one standard deviation corresponds to odds of 150
to 1.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.analysis.ratings.method import RATING_METHODS, ComparedRating, GameResults, RatingMethod, rate_crossed
from ostrom.core import InputError
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats, Whole
from ostrom.core.settings import Settings

if TYPE_CHECKING:
    from scipy.sparse import csr_array

Flags = npt.NDArray[np.bool_]

PRIOR = 5.0
"""The prior standard deviation of a strength, and of log ν."""
LEAST_GAMES = 10
"""The smallest number of games for which a player has an interval and a tier. In simulations with very unequal players,
intervals from 4 to 6 games cover the true strength in only 87 to 88 % of cases."""
_STEP_TOLERANCE = 1e-9
_MAX_STEP = 1.0
"""The largest length of one of Newton's steps. Longer steps are shortened to this length, so that the first steps do
not diverge."""
_MAX_STEPS = 200
_MAX_CELLS = 2**22
_SCORE_TOLERANCE = 1e-7


class Comparisons(NamedTuple):
    """The outcomes of all pairs, game by game, as arrays (names², games). The row of the pair i, j is i · names + j."""

    names: int
    ahead: "csr_array"
    """The (weighted) number of times that i ended ahead of j."""
    tied: "csr_array"
    """The (weighted) number of ties. The entries for (i, j) and (j, i) are equal."""


class Strengths(NamedTuple):
    """The fitted parameters, for each weighting of the games."""

    theta: Floats
    """(weightings, names) The strengths. Their mean is 0."""
    log_nu: Floats
    """(weightings,) The log of ν. Equal players tie with probability ν / (2 + ν)."""


def comparisons(results: GameResults) -> Comparisons:
    """Count the outcomes between all pairs of seats that have different players."""
    from scipy.sparse import csr_array

    names, seats = len(results.names), results.players.shape[1]
    first, second = (side.ravel() for side in np.meshgrid(np.arange(seats), np.arange(seats)))
    i, j = results.players[:, first], results.players[:, second]
    counted = results.seated[:, first] & results.seated[:, second] & (i != j)
    lead = results.scores[:, first] - results.scores[:, second]
    game = np.broadcast_to(np.arange(results.games)[:, None], i.shape)
    shape = (names**2, results.games)

    def count(which: Flags) -> "csr_array":
        cells = (i * names + j)[which]
        return csr_array((np.ones(len(cells)), (cells, game[which])), shape=shape)

    ahead, tied = count(counted & (lead > 0)), count(counted & (lead == 0))
    if results.weighted:
        met = results.meetings
        weight = np.divide(met[met > 0].mean(), met, out=np.zeros(met.shape), where=met > 0).reshape(-1, 1)
        ahead, tied = csr_array(ahead.multiply(weight)), csr_array(tied.multiply(weight))
    return Comparisons(names, ahead, tied)


def fit(pairs: Comparisons, weights: Floats) -> Strengths:
    """Return the strengths with the highest posterior density. `weights` (weightings, games) has the number of times
    that each game counts."""
    chunk = max(1, _MAX_CELLS // pairs.names**2)
    parts = [_fit(pairs, weights[start : start + chunk]) for start in range(0, len(weights), chunk)]
    return Strengths(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def count_pairs(pairs: Comparisons, weights: "Floats | csr_array") -> tuple[Floats, Floats, Floats]:
    """Return, for each weighting, the number of meetings of every two players, half the net wins of each player, and
    the number of all ties."""
    shape = (weights.shape[0], pairs.names, pairs.names)
    ahead, tied = (_dense((part @ weights.T).T).reshape(shape) for part in (pairs.ahead, pairs.tied))
    behind = ahead.swapaxes(1, 2)
    return ahead + behind + tied, (ahead - behind).sum(axis=2) / 2, tied.sum(axis=(1, 2)) / 2


def _dense(matrix: "Floats | csr_array") -> Floats:
    return matrix if isinstance(matrix, np.ndarray) else np.asarray(matrix.todense())


def _fit(pairs: Comparisons, weights: Floats) -> Strengths:
    met, lead, ties = count_pairs(pairs, weights)
    at = np.zeros((len(weights), pairs.names + 1))
    for _ in range(_MAX_STEPS):
        step = _newton(met, lead, ties, at)
        longest = np.abs(step).max(axis=1, keepdims=True)
        at += step * np.minimum(1, _MAX_STEP / np.maximum(longest, _MAX_STEP))
        if longest.max() < _STEP_TOLERANCE:
            break
    return Strengths(at[:, :-1], at[:, -1])


class Expected(NamedTuple):
    """The model's expectations for one comparison of each pair of names. The model is an exponential family in leads
    and ties. So the slope of the log likelihood is the observed minus the expected counts, and the curvature is the
    covariance of leads and ties."""

    drift: Floats
    """The expected lead of i over j."""
    tie: Floats

    @classmethod
    def at(cls, at: Floats) -> "Expected":
        """Return the expectations at (θ, log ν), in each weighting."""
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
    """Return Newton's step from (θ, log ν) towards the highest posterior density, in each weighting."""
    expected = Expected.at(at)
    slope = expected.slope(met, lead, ties) - at / PRIOR**2
    curve = expected.curvature(met) + np.eye(at.shape[1]) / PRIOR**2
    return np.asarray(np.linalg.solve(curve, slope[:, :, None])[:, :, 0])


def moved_by_units(pairs: Comparisons, strengths: Strengths, unit: Whole) -> Floats:
    """Return how much each unit changes the strengths, (units, names). The change is the fit of all games minus the fit
    without the unit's games. It is approximated by one step of Newton's method."""
    from scipy.sparse import csr_array

    at = np.append(strengths.theta[0], strengths.log_nu[0])[None]
    expected = Expected.at(at)
    games, units = len(unit), int(unit.max()) + 1
    members = csr_array((np.ones(games), (unit, np.arange(games))), shape=(units, games))
    whole = information(pairs, at)
    chunk = max(1, _MAX_CELLS // pairs.names**2)
    parts = []
    for start in range(0, units, chunk):
        counts = count_pairs(pairs, members[start : min(start + chunk, units)])
        without = whole - expected.curvature(counts[0])
        parts.append(np.linalg.solve(without, expected.slope(*counts)[:, :, None])[:, :-1, 0])
    return np.concatenate(parts)


def information(pairs: Comparisons, at: Floats) -> Floats:
    """Return the negative curvature of the log posterior at (θ, log ν), (1, names + 1, names + 1)."""
    met = count_pairs(pairs, np.ones((1, pairs.ahead.shape[1])))[0]
    return Expected.at(at).curvature(met) + np.eye(pairs.names + 1) / PRIOR**2


@dataclass(frozen=True, eq=False)
class OrderFree(ComparedRating):
    """All players' strengths on the log scale of the model, centred at 0."""

    tie_chance: float


def order_free(results: GameResults) -> OrderFree:
    """Return the strengths of all players. A player with several seats in a game meets each other player once with
    every seat, and never meets itself. Raises `InputError` if no two players met."""
    return rate_crossed(_order_free, results)


def _order_free(results: GameResults) -> OrderFree:
    from scipy.special import stdtrit

    if not len(results.comparing):
        raise InputError("no two players met in any game, so there is nothing to rate")
    pairs = comparisons(results)
    whole = fit(pairs, np.ones((1, results.games)))
    theta, nu = whole.theta[0], float(np.exp(whole.log_nu[0]))
    moved = moved_by_units(pairs, whole, results.units)
    jackknife, held = moved.T @ moved, results.units_of()
    at = np.append(whole.theta, whole.log_nu[:, None], axis=1)
    centred = np.eye(pairs.names) - 1 / pairs.names
    model = centred @ np.linalg.inv(information(pairs, at)[0])[:-1, :-1] @ centred
    covariance = jackknife + np.diag(np.maximum(np.diag(model) - np.diag(jackknife), 0))
    # The degrees of freedom depend on the player's own games, because the error of a player that entered late is
    # estimated from few games.
    reach = stdtrit(np.maximum(held - 1, 1), (1 + CONFIDENCE) / 2) * np.sqrt(np.diag(covariance))
    strengths = tuple(
        Estimate(float(value), float(value - half), float(value + half))
        if played >= LEAST_GAMES
        else Estimate(float(value), reason=f"fewer than {LEAST_GAMES} games: no interval")
        for value, half, played in zip(theta, reach, held, strict=True)
    )
    units = len(np.unique(results.units[results.comparing]))
    errors = equality_errors(pairs, at, jackknife, results.units)
    group = linked_groups(pairs)
    return OrderFree(
        results.names, strengths, theta, covariance, units, held, group, nu / (2 + nu), equality_errors=errors
    )


MAX_TESTED: Final = 80
"""The largest number of players for which each pair is fitted again for its test. With more players, the errors follow
from the covariance."""


def equality_errors(pairs: Comparisons, at: Floats, jackknife: Floats, unit: Whole) -> Floats | None:
    """Return the standard error of each difference in the test that this difference is 0. The error is at least that of
    the jackknife, and at least the error that gives the same verdict as the robust score test (Boos, "On generalized
    score tests", American Statistician 46, 1992). The score test uses the residuals of the fit in which both players
    are equal. These residuals do not vanish if one player won every comparison, or if few games link the two players.
    Return None if there are too many players."""
    names = pairs.names
    variance = np.diag(jackknife)
    errors: Floats = np.sqrt(np.maximum(variance[:, None] + variance - 2 * jackknife, 0))
    if names > MAX_TESTED:
        return None
    one, other = np.triu_indices(names, 1)
    chunk = max(1, _MAX_CELLS // names**2)
    for start in range(0, len(one), chunk):
        some = slice(start, start + chunk)
        statistic = _score_statistics(pairs, at, one[some], other[some], unit)
        lead = at[0, one[some]] - at[0, other[some]]
        error = np.abs(np.divide(lead, statistic, out=np.zeros_like(lead), where=statistic != 0))
        errors[one[some], other[some]] = np.maximum(errors[one[some], other[some]], error)
    return np.maximum(errors, errors.T)


def _score_statistics(pairs: Comparisons, at: Floats, one: Whole, other: Whole, unit: Whole) -> Floats:
    """Return, for each of these pairs, the studentised score in the fit in which the two players are equal."""
    row, names = np.arange(len(one)), pairs.names
    counts = count_pairs(pairs, np.ones((1, len(unit))))
    met, lead, ties = (np.broadcast_to(count, (len(one), *count.shape[1:])) for count in counts)
    at = np.repeat(at, len(one), axis=0)
    at[row, one] = at[row, other] = (at[row, one] + at[row, other]) / 2
    contrast = np.zeros_like(at)
    contrast[row, one], contrast[row, other] = 1, -1
    for _ in range(_MAX_STEPS):
        expected = Expected.at(at)
        slope = expected.slope(met, lead, ties) - at / PRIOR**2
        curve = expected.curvature(met) + np.eye(names + 1) / PRIOR**2
        free, along = np.moveaxis(np.linalg.solve(curve, np.stack((slope, contrast), axis=2)), 2, 0)
        direction = along / (contrast * along).sum(axis=1, keepdims=True)
        step = free - direction * (contrast * free).sum(axis=1, keepdims=True)
        longest = np.abs(step).max(axis=1, keepdims=True)
        at += step * np.minimum(1, _MAX_STEP / np.maximum(longest, _MAX_STEP))
        if longest.max() < _SCORE_TOLERANCE:
            break
    gap = (direction[:, :-1, None] - direction[:, None, :-1]) / 2
    tie = direction[:, -1, None, None]
    ahead = gap * (1 - expected.drift) - tie * expected.tie
    tied = (tie * (1 - expected.tie) - gap * expected.drift) / 2
    shape = len(one), names**2
    by_game = pairs.ahead.T @ ahead.reshape(shape).T + pairs.tied.T @ tied.reshape(shape).T
    units = len(np.unique(unit))
    scores = np.zeros((units, len(one)))
    np.add.at(scores, unit, by_game)
    variance = (np.sum(scores**2, axis=0) - scores.sum(axis=0) ** 2 / units) * units / max(units - 1, 1)
    score = (direction * slope).sum(axis=1)
    error = np.sqrt(np.maximum(variance, 0))
    return np.asarray(np.divide(score, error, out=np.zeros_like(score), where=error > 0))


def linked_groups(pairs: Comparisons) -> Whole:
    """Return the number of each player's group, (names,). Group 0 has the most players."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    met = count_pairs(pairs, np.ones((1, pairs.ahead.shape[1])))[0][0]
    _, label = connected_components(csr_array(met > 0), directed=False)
    size = np.bincount(label)
    place = np.argsort(np.argsort(-size, kind="stable"), kind="stable")
    return np.asarray(place[label])


class OrderFreeSettings(Settings):
    """The order-free rating has no settings."""


def fit_order_free(results: GameResults, settings: OrderFreeSettings) -> OrderFree:
    """Return the ratings of all players."""
    return order_free(results)


ORDER_FREE: Final = RatingMethod(
    name="order-free",
    title="Order-free strength",
    description="a Bradley–Terry model with ties, fitted to all games at once, without passes or draw probability",
    settings=OrderFreeSettings,
    fit=fit_order_free,
)
RATING_METHODS.add(ORDER_FREE.name, ORDER_FREE)
