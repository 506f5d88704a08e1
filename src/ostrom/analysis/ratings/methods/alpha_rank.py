"""α-rank: the shares of time that a population spends at each player, if its members rarely try another player and
copy those who end ahead (Omidshafiei et al., "α-Rank: multi-agent evaluation by evolution", Scientific Reports 9,
2019). Cycles of players who beat each other share the time.

The payoff is the share of comparisons in which the player ends ahead, where ties count half. Selection strength α
decides how sharply the shares react to the results. With large α they jump if a result passes one half, so no interval
was shown to hold; there is none.
"""

from typing import Final

import numpy as np
from pydantic import Field

from ostrom.analysis.ratings.method import RATING_METHODS, GameResults, RatingMethod
from ostrom.analysis.ratings.pair_shares import ShareFit, net_shares
from ostrom.core.estimates import Floats
from ostrom.core.markov import stationary_of
from ostrom.core.settings import Settings

_REASON: Final = "shares react to results in jumps: no interval"


class AlphaRankSettings(Settings):
    """The settings of α-rank."""

    alpha: float = Field(1.0, gt=0, le=1000, description="The strength of selection.")
    population: int = Field(50, ge=2, le=1000, description="The size of the population.")


def alpha_rank_of(net: Floats, alpha: float, population: int) -> Floats:
    """Return the stationary shares, (players,). `net` is antisymmetric: how much more often the row's player ends ahead
    of the column's than behind it."""
    players = len(net)
    # `gain[s, r]` is α times the payoff of a newcomer r minus that of the resident s.
    gain = alpha * net.T / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        # The logarithm of (1 - e^-g) / (1 - e^-mg), in a form that does not overflow for negative g.
        size = np.abs(gain)
        log = np.log(-np.expm1(-size)) - np.log(-np.expm1(-population * size))
        log = np.where(gain < 0, log - (population - 1) * size, log)
    rates = np.where(gain == 0, -np.log(population), log) - np.log(max(players - 1, 1))
    np.fill_diagonal(rates, -np.inf)
    return stationary_of(rates)


def fit_alpha_rank(results: GameResults, settings: AlphaRankSettings) -> ShareFit:
    """Return the shares of all players. Raises `InputError` if some pair never met."""
    shares = alpha_rank_of(net_shares(results), settings.alpha, settings.population)
    return ShareFit(results.names, shares, _REASON)


ALPHA_RANK: Final = RatingMethod(
    name="alpha-rank",
    title="Alpha-rank",
    description="α-rank: the share of time that an evolving population spends at a player; without an interval",
    settings=AlphaRankSettings,
    fit=fit_alpha_rank,
    meaning="A rating is the share of time that a population spends at the player if newcomers are rare and those who "
    "end ahead are copied. It has no interval, because shares react to results in jumps.",
    shares=True,
)
RATING_METHODS.add(ALPHA_RANK.name, ALPHA_RANK)
