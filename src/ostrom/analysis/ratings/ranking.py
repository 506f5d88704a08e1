"""Which players of a ranking can be told apart by the games they played, said of all pairs at once: of players who are
all equal, at least one pair is told apart in at most 5 % of worlds.

Every pair has a statistic, the difference of its two strengths divided by its standard error. How large the greatest of
all these would be if nobody differed follows from the covariance of the strengths: they are drawn from a multivariate t
distribution with it (Hothorn, Bretz and Westfall, "Simultaneous inference in general parametric models", Biometrical
Journal 50, 2008). Pairs beyond the 95 % point of the greatest are told apart; then the others are held against the
greatest among themselves, until none is beyond it (Romano and Wolf, "Exact and approximate stepdown methods for
multiple hypothesis testing", JASA 100, 2005).

From the pairs follow two things. A player's *ranks* are those that its true strength may have: from 1 + the number of
players who are stronger to the number of players − the number of those who are weaker (Mogstad, Romano, Shaikh and
Wilhelm, "Inference for ranks", Review of Economic Studies 91, 2024). All of them hold together with 95 % confidence.
*Tiers* are numbered from 1, down the ranking: the first player opens tier 1, and each next one is held against the
*first* member of the tier that is open. If it is weaker, it opens the next tier; otherwise it joins. So nobody in a
tier can be told apart from its first member; two others of the same tier may differ, and the last of one tier may not
differ from the first of the next.

A player of few games is told apart from nobody: with fewer than 10 the errors of strengths are too uncertain for the
5 % to hold. It is provisional: it stands behind those who are ranked, in no tier.

Players whom no chain of games links to the others cannot be compared with them: they stand apart."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ostrom.analysis.ratings.methods.order_free import LEAST_GAMES, Flags, OrderFree
from ostrom.core import InputError
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import CONFIDENCE, Estimate, Floats

DRAWS = 4000
SEED = 735
"""Of the draws: a ranking says the same every time."""
APART = "its games share no player with the others' games, so nothing compares them"


@dataclass(frozen=True, slots=True)
class Placement:
    """One player's place in a ranking."""

    name: str
    tier: int | None
    """Missing of those who are provisional or stand apart."""
    ranks: tuple[int, int] | None
    """The best and the worst rank that its strength may have, among those who are compared; all players' together
    hold with 95 % confidence."""
    strength: Estimate
    """Its order-free strength."""
    lead: Estimate | None
    """By how much it is stronger than the next in the ranking, with an interval that holds for all pairs at once; the
    last has none, nor has one who stands apart."""
    differs: bool
    """Whether it is significantly stronger than the next."""
    apart: str | None = None
    """Why nothing compares it with the others."""
    provisional: bool = False
    """Whether it has too few games to be told apart from anybody."""


def tiers(
    rating: OrderFree, ranking: Sequence[str] | None = None, *, confidence: float = CONFIDENCE
) -> list[Placement]:
    """The places of a ranking, the best first: by order-free strength, or of the names as they are given, such as in
    the order of another rating; who is provisional comes behind the others, who stands apart last. Strengths and
    differences are order-free either way."""
    index = {name: i for i, name in enumerate(rating.names)}
    if ranking is None:
        ranking = sorted(rating.names, key=lambda name: (-rating.theta[index[name]], name))
    elif sorted(ranking) != sorted(rating.names):
        raise InputError("the ranking must name every rated player once")
    linked = [index[name] for name in ranking if rating.group[index[name]] == 0]
    ranked = [player for player in linked if rating.held[player] >= LEAST_GAMES]
    order = ranked + [player for player in linked if rating.held[player] < LEAST_GAMES]
    told = told_apart(rating, order, confidence)
    places: list[Placement] = []
    first, tier = 0, 1
    for place, player in enumerate(order):
        if told.stronger[first, place]:
            first, tier = place, tier + 1
        last = place + 1 == len(order)
        provisional = place >= len(ranked)
        places.append(
            Placement(
                name=rating.names[player],
                tier=None if provisional else tier,
                ranks=(1 + int(told.stronger[:, place].sum()), len(order) - int(told.stronger[place].sum())),
                strength=rating.strengths[player],
                lead=None if last else told.lead(rating, player, order[place + 1]),
                differs=not last and bool(told.stronger[place, place + 1]),
                provisional=provisional,
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
class ToldApart:
    """All pairs of some players."""

    stronger: Flags
    """(players, players) Whether the one is significantly stronger than the other."""
    reach: float
    """How many standard errors an interval extends to each side, so that those of all pairs hold together; 0 where no
    pair has any."""

    def lead(self, rating: OrderFree, one: int, other: int) -> Estimate:
        """By how much one player is stronger than another."""
        value = float(rating.theta[one] - rating.theta[other])
        if min(rating.held[one], rating.held[other]) < LEAST_GAMES:
            return Estimate(value, reason=f"fewer than {LEAST_GAMES} games: no interval")
        half = self.reach * float(_errors(rating.covariance)[one, other])
        return Estimate(value, value - half, value + half)


def told_apart(rating: OrderFree, players: Sequence[int], confidence: float = CONFIDENCE) -> ToldApart:
    """Which of these players differ, in their order, by steps down."""
    some = np.asarray(players)
    covariance = rating.covariance[np.ix_(some, some)]
    errors = _errors(covariance)
    known = rating.held[some] >= LEAST_GAMES
    # Only above the diagonal: each pair once. A difference that no game can move has no error, and no statistic.
    left = np.triu(known[:, None] & known & (errors > 0), 1)
    theta = rating.theta[some]
    difference = theta[:, None] - theta
    size = np.abs(difference) / np.where(errors > 0, errors, np.inf)
    draws = _draws(covariance, rating.games - 1)
    stronger = np.zeros_like(left)
    reach: float | None = None
    while left.any():
        bound = float(np.quantile(_greatest(draws, errors, left), confidence))
        reach = bound if reach is None else reach
        found = left & (size > bound)
        if not found.any():
            break
        left &= ~found
        stronger |= found | found.T
    return ToldApart(stronger & (difference > 0), 0.0 if reach is None else reach)


def _errors(covariance: Floats) -> Floats:
    """The standard errors of all differences."""
    variance = np.diag(covariance)
    return np.asarray(np.sqrt(np.maximum(variance[:, None] + variance - 2 * covariance, 0)))


def _draws(covariance: Floats, freedom: int) -> Floats:
    """(draws, players) Errors of strengths, if the truth were that nobody differs."""
    from scipy.special import gammaincinv, ndtri

    number = np.arange(DRAWS, dtype=np.uint64)[:, None]
    player = np.arange(len(covariance) + 1, dtype=np.uint64)
    shape = (DRAWS, len(covariance) + 1)
    uniform = uniform_rows(
        key_of(SEED), np.broadcast_to(number, shape).copy(), "ranking", np.broadcast_to(player, shape), 0
    )
    scale, basis = np.linalg.eigh(covariance)
    normal = ndtri(uniform[:, 1:]) @ (basis * np.sqrt(np.maximum(scale, 0))).T
    half = max(freedom, 1) / 2
    return np.asarray(normal / np.sqrt(gammaincinv(half, uniform[:, :1]) / half))


def _greatest(draws: Floats, errors: Floats, left: Flags) -> Floats:
    """(draws,) The greatest statistic of the pairs that are left, in each draw."""
    greatest = np.zeros(len(draws))
    for one in np.flatnonzero(left.any(axis=1)):
        others = np.flatnonzero(left[one])
        sizes = np.abs(draws[:, [one]] - draws[:, others]) / errors[one, others]
        np.maximum(greatest, sizes.max(axis=1), out=greatest)
    return greatest
