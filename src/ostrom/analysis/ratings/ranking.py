"""Rankings of players, with tests of all pairs at once. If all players are equal, the probability that any pair is
found to differ is at most 5 %.

Every pair has a statistic: the difference between its two strengths, divided by the standard error of this difference.
If all players are equal, the distribution of the greatest statistic follows from the covariance of the strengths. To
obtain it, statistics are drawn from a multivariate t distribution with this covariance (Hothorn, Bretz and Westfall,
"Simultaneous inference in general parametric models", Biometrical Journal 50, 2008). Pairs beyond the 95 % point of
this distribution differ significantly. The remaining pairs are then compared with the distribution of the greatest
statistic among themselves. This is repeated until no pair is beyond the 95 % point (Romano and Wolf, "Exact and
approximate stepdown methods for multiple hypothesis testing", JASA 100, 2005).

The tests of pairs give three results. A player's *ranks* are those that its true strength may have: from 1 + the number
of players who are stronger to the number of players − the number of those who are weaker (Mogstad, Romano, Shaikh and
Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024). The ranks of all players hold together with 95 %
confidence. *Tiers* are numbered from 1, down the ranking. The first player opens tier 1. Each following player is
compared with the *first* member of the current tier: if it is significantly weaker, it opens the next tier, and
otherwise it joins the tier. So no player of a tier differs significantly from its first member. Two other players of
the same tier may differ, and the last player of one tier may not differ from the first of the next. The *possible
firsts* are the players that may be the strongest, with 95 % confidence. These are all players that are not
significantly weaker than any other player. Each is tested against all others at once, in this one direction (Hsu,
"Simultaneous confidence intervals for all distances from the best", Annals of Statistics 9, 1981).

A player with fewer than 10 games is not tested, because the error of its strength is too uncertain for the 5 % to hold.
Such a player is provisional. It follows the ranked players and is in no tier.

Players that no chain of games links to the others cannot be compared with the others. They are listed apart.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ostrom.analysis.ratings.method import ComparedRating
from ostrom.analysis.ratings.methods.order_free import LEAST_GAMES, Flags
from ostrom.core import InputError
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

DRAWS = 4000
SEED = 735
"""The seed of the draws, so that a ranking is reproducible."""
APART = "its games share no player with the others' games, so nothing compares them"


@dataclass(frozen=True, slots=True)
class Placement:
    """The place of one player in a ranking."""

    name: str
    tier: int | None
    """The player's tier; None for provisional players and for players that no game links to the others."""
    ranks: tuple[int, int] | None
    """The best and the worst rank that the player's strength may have, among the compared players. The ranks of all
    players hold together with 95 % confidence."""
    strength: Estimate
    lead: Estimate | None
    """The player's lead over the next player in the ranking, with an interval that holds for all pairs at once. It is
    None for the last player and for players that are listed apart."""
    differs: bool
    """True if the player is significantly stronger than the next player."""
    apart: str | None = None
    """The reason why the player is not compared with the others."""
    provisional: bool = False
    first: bool = False
    """True if the player may be the strongest, with 95 % confidence."""
    behind_leader: bool = False
    """True if the first player of the ranking is significantly stronger."""


def pairs_apart(places: Sequence[Placement]) -> tuple[int, int]:
    """Return the number of pairs of players that differ significantly, and the number of pairs that are tested."""
    tested = [place for place in places if place.ranks is not None and not place.provisional]
    apart = sum(place.ranks[0] - 1 for place in tested if place.ranks is not None)
    return apart, len(tested) * (len(tested) - 1) // 2


def tiers(
    rating: ComparedRating,
    ranking: Sequence[str] | None = None,
    *,
    confidence: float = CONFIDENCE,
    factor: float = 1.0,
) -> list[Placement]:
    """Return the places of a ranking, the best first. The order is by the strengths of `rating`, or the order of
    `ranking` if it is given. Provisional players follow the others, and players that no game links to the others are
    last. Strengths and differences always come from `rating`. Raises `InputError` if `ranking` does not name every
    player once."""
    index = {name: i for i, name in enumerate(rating.names)}
    if ranking is None:
        ranking = sorted(rating.names, key=lambda name: (-rating.theta[index[name]], name))
    elif sorted(ranking) != sorted(rating.names):
        raise InputError("the ranking must name every rated player once")
    linked = [index[name] for name in ranking if rating.group[index[name]] == 0]
    ranked = [player for player in linked if rating.held[player] >= LEAST_GAMES]
    order = ranked + [player for player in linked if rating.held[player] < LEAST_GAMES]
    pairs = compare_pairs(rating, order, confidence, factor)
    places: list[Placement] = []
    first, tier = 0, 1
    for place, player in enumerate(order):
        if pairs.stronger[first, place]:
            first, tier = place, tier + 1
        last = place + 1 == len(order)
        provisional = place >= len(ranked)
        places.append(
            Placement(
                name=rating.names[player],
                tier=None if provisional else tier,
                ranks=(1 + int(pairs.stronger[:, place].sum()), len(order) - int(pairs.stronger[place].sum())),
                strength=rating.strengths[player],
                lead=None if last else pairs.lead(rating, order, place),
                differs=not last and bool(pairs.stronger[place, place + 1]),
                provisional=provisional,
                first=bool(pairs.first[place]),
                behind_leader=bool(pairs.stronger[0, place]),
            )
        )
    others = [index[name] for name in ranking if rating.group[index[name]] != 0]
    return [
        *places,
        *(
            Placement(rating.names[player], None, None, rating.strengths[player], None, False, APART)
            for player in others
        ),
    ]


@dataclass(frozen=True, eq=False)
class PairTests:
    """The tests of all pairs of some players."""

    stronger: Flags
    """(players, players) True if the player of the row is significantly stronger than the player of the column."""
    first: Flags
    """(players,) True if the player may be the strongest of all."""
    reach: float
    """Half the length of an interval in standard errors, chosen so that the intervals of all pairs hold together. It is
    0 if no pair is tested."""

    def lead(self, rating: ComparedRating, order: Sequence[int], place: int) -> Estimate:
        """Return the lead of the player at this place over the next one in the order."""
        player, other = order[place], order[place + 1]
        value = float(rating.theta[player] - rating.theta[other])
        if min(rating.held[player], rating.held[other]) < LEAST_GAMES:
            return Estimate(value, reason=f"fewer than {LEAST_GAMES} games: no interval")
        error = max(float(errors[player, other]) for errors in (_errors(rating.covariance), _equality_errors(rating)))
        low, high = value - self.reach * error, value + self.reach * error
        # If the distribution of a difference is lopsided, the test of equality may have more power.
        return Estimate(value, max(low, 0.0) if self.stronger[place, place + 1] else low, high)


def compare_pairs(
    rating: ComparedRating, players: Sequence[int], confidence: float = CONFIDENCE, factor: float = 1.0
) -> PairTests:
    """Test all pairs of these players by a step-down procedure. `factor` multiplies the bounds of the statistics."""
    some = np.asarray(players)
    covariance = rating.covariance[np.ix_(some, some)]
    spread, errors = _errors(covariance), _equality_errors(rating)[np.ix_(some, some)]
    tested = rating.held[some] >= LEAST_GAMES
    # Each pair is tested once, above the diagonal. A difference that no game can change has no error, and so no
    # statistic.
    comparable = tested[:, None] & tested & (errors > 0) & (spread > 0)
    open_pairs = np.triu(comparable, 1)
    theta = rating.theta[some]
    difference = theta[:, None] - theta
    statistic = difference / np.where(errors > 0, errors, np.inf)
    draws = _draws(covariance, rating.games - 1)
    first = tested.copy()
    for player in np.flatnonzero(tested):
        others = np.flatnonzero(comparable[player])
        if len(others):
            leads = (draws[:, others] - draws[:, [player]]) / spread[player, others]
            bound = factor * float(np.quantile(leads.max(axis=1), confidence))
            first[player] = statistic[others, player].max() <= bound
    stronger = np.zeros_like(open_pairs)
    reach: float | None = None
    while open_pairs.any():
        bound = factor * float(np.quantile(_greatest(draws, spread, open_pairs), confidence))
        reach = bound if reach is None else reach
        significant = open_pairs & (np.abs(statistic) > bound)
        if not significant.any():
            break
        open_pairs &= ~significant
        stronger |= significant | significant.T
    return PairTests(stronger & (difference > 0), first, 0.0 if reach is None else reach)


def _equality_errors(rating: ComparedRating) -> Floats:
    return _errors(rating.covariance) if rating.equality_errors is None else rating.equality_errors


def _errors(covariance: Floats) -> Floats:
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0)))


def _draws(covariance: Floats, freedom: int) -> Floats:
    """Return random errors of strengths, drawn as if all players were equal, (draws, players)."""
    normal, divisor = _standard_draws(len(covariance), max(freedom, 1))
    scale, basis = np.linalg.eigh(covariance)
    return np.asarray(normal @ (basis * np.sqrt(np.maximum(scale, 0))).T / divisor)


@lru_cache(maxsize=8)
def _standard_draws(players: int, freedom: int) -> tuple[Floats, Floats]:
    """Return independent normal draws, (draws, players), and the divisors that make them draws of a t distribution,
    (draws, 1)."""
    from scipy.special import gammaincinv, ndtri

    number = np.arange(DRAWS, dtype=np.uint64)[:, None]
    player = np.arange(players + 1, dtype=np.uint64)
    shape = (DRAWS, players + 1)
    uniform = uniform_rows(
        key_of(SEED), np.broadcast_to(number, shape).copy(), "ranking", np.broadcast_to(player, shape), 0
    )
    half = freedom / 2
    return np.asarray(ndtri(uniform[:, 1:])), np.asarray(np.sqrt(gammaincinv(half, uniform[:, :1]) / half))


def _greatest(draws: Floats, errors: Floats, pairs: Flags) -> Floats:
    """Return the greatest statistic of these pairs in each draw, (draws,)."""
    greatest = np.zeros(len(draws))
    for player in np.flatnonzero(pairs.any(axis=1)):
        others = np.flatnonzero(pairs[player])
        sizes = np.abs(draws[:, [player]] - draws[:, others]) / errors[player, others]
        np.maximum(greatest, sizes.max(axis=1), out=greatest)
    return greatest
