"""A rating from all games at once, to convergence: no order of games enters it. Intervals come from resampling games,
the independent units.

Davidson's model of paired comparisons with ties, fitted to many weightings of the same games at once.

Seats i and j of a game end with i ahead, j ahead or tied in the ratio e^x : e^-x : ν, where x = (θi - θj)/2 (Davidson,
"On extending the Bradley–Terry model to accommodate ties", JASA 65, 1970). So θi - θj is the log odds of ending ahead
of j rather than behind it. Every pair of seats held by different names is one comparison. This is a composite
likelihood: that the pairs of a game hang together does not bias θ, but it would make its uncertainty look too small, so
that comes from resampling games.

A normal prior around 0 keeps strengths finite where somebody won or lost every comparison or met nobody, and puts their
mean at 0. It is weak: one standard deviation is odds of 150 to 1.

Which players of a ranking can be told apart by the games they played.

Tiers are numbered from 1, down the ranking. The first player opens tier 1. Each next player is compared with the
*first* member of the tier that is open: if the 95 % interval of the first member's strength less the player's lies
above 0, the player opens the next tier; otherwise it joins. So nobody in a tier can be told apart from its first
member; two others of the same tier may differ, and the last of one tier may not differ from the first of the next. The
intervals are not widened for the number of comparisons made."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ostrom.analysis.ratings.results import Results
from ostrom.core import InputError
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

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


_TAIL = 100 * (1 - CONFIDENCE) / 2


@dataclass(frozen=True, eq=False)
class OrderFree:
    """Everybody's strength on the log scale of `davidson`, centred at 0."""

    names: tuple[str, ...]
    """As in the results."""
    strengths: tuple[Estimate, ...]
    """One for each name. Strengths of players whom no chain of games links rest on the prior."""
    tie_chance: float
    """How often equals tie."""
    theta: Floats
    """(names,) The strengths without their intervals."""
    samples: Floats
    """(samples, names) The strengths in each resampling of the games. Who is missing from one stands there at 0."""

    def difference(self, one: int, other: int) -> Estimate:
        """By how much one player is stronger than another, whose strengths hang together in every resampling."""
        value = float(self.theta[one] - self.theta[other])
        reason = self.strengths[one].reason or self.strengths[other].reason
        if reason is not None:
            return Estimate(value, reason=reason)
        return interval(value, self.samples[:, one] - self.samples[:, other])


def order_free(results: Results, samples: int = 500, seed: int = 0) -> OrderFree:
    """Rate everybody, with `samples` resamplings of the games for the intervals. A player that holds several seats of a
    game meets the others once with each of them, and itself never."""
    if samples < 1:
        raise InputError(f"{samples} resamplings give no interval; there must be 1 or more")
    if not len(results.comparing):
        raise InputError("in no game did two players meet, so there is nothing to rate")
    found = comparisons(results)
    whole = fit(found, np.ones((1, results.games)))
    theta, nu = whole.theta[0], float(np.exp(whole.log_nu[0]))
    resampled = fit(found, resamplings(results.games, samples, seed)).theta
    strengths = tuple(
        interval(float(theta[i]), resampled[:, i])
        if games > 1
        else Estimate(float(theta[i]), reason="fewer than 2 games: no interval")
        for i, games in enumerate(results.games_of())
    )
    return OrderFree(results.names, strengths, nu / (2 + nu), theta, resampled)


def resamplings(games: int, samples: int, seed: int) -> Floats:
    """(samples, games) How often each game comes when as many games are drawn with replacement as there are. Same seed,
    same draws, on every machine."""
    shape = (samples, games)
    draw = np.broadcast_to(np.arange(games, dtype=np.uint64), shape).copy()
    sample = np.broadcast_to(np.arange(samples, dtype=np.uint64)[:, None], shape)
    chance = uniform_rows(key_of(check_seed(seed)), draw, "rating resampling", sample, 0)
    cells = (chance * games).astype(np.int64) + np.arange(samples)[:, None] * games
    return np.bincount(cells.ravel(), minlength=samples * games).reshape(shape).astype(np.float64)


def interval(value: float, samples: Floats) -> Estimate:
    """A value with the percentile interval of its resamplings."""
    low, high = np.percentile(samples, (_TAIL, 100 - _TAIL))
    return Estimate(value, float(low), float(high))


@dataclass(frozen=True, slots=True)
class Place:
    """One player's place in a ranking."""

    name: str
    tier: int
    strength: Estimate
    """Its order-free strength."""
    lead: Estimate | None
    """By how much it is stronger than the next in the ranking; the last has none."""
    differs: bool
    """Whether it is significantly stronger than the next."""


def tiers(rating: OrderFree, ranking: Sequence[str] | None = None) -> list[Place]:
    """The places of a ranking, the best first: by order-free strength, or of the names as they are given, such as in
    the order of another rating. Strengths and differences are order-free either way."""
    index = {name: i for i, name in enumerate(rating.names)}
    if ranking is None:
        ranking = sorted(rating.names, key=lambda name: (-rating.theta[index[name]], name))
    elif sorted(ranking) != sorted(rating.names):
        raise InputError("the ranking must name every rated player once")
    order = [index[name] for name in ranking]
    places: list[Place] = []
    first, tier = order[0], 1
    for place, player in enumerate(order):
        if significant(rating.difference(first, player)):
            first, tier = player, tier + 1
        lead = rating.difference(player, order[place + 1]) if place + 1 < len(order) else None
        differs = lead is not None and significant(lead)
        places.append(Place(rating.names[player], tier, rating.strengths[player], lead, differs))
    return places


def significant(difference: Estimate) -> bool:
    """Whether a difference is above 0 with its whole interval; one without an interval is not."""
    return difference.low is not None and difference.low > 0
