"""The reference of the conditional surplus: the surplus shares of truthful seats among truthful seats, by the seat's
role and value. It is simulated here, because the reference of the CSα of public logs is not public."""

import math
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from ostrom.core.chance import GameChance
from ostrom.games.market.clearing import exact_price, match_quotes
from ostrom.games.market.double_auction.rules import market_roles
from ostrom.games.market.equilibrium import potential_gains
from ostrom.games.market.values import Family, draw_values

SIMULATED_SEATS: Final = 4_000
"""The number of seats in the games that are simulated for one reference."""
LEAST_SEATS: Final = 30
"""The smallest number of simulated seats from which the mean and the deviation of a cell are computed."""
LEAST_DEVIATION: Final = 0.05
"""The smallest deviation of a cell, so that shares that hardly vary give no huge scores. CSα has the same floor."""
LIMIT: Final = 5.0
"""The largest conditional surplus of a seat, and minus the smallest."""
BUCKETS: Final = 20
"""The number of buckets into which the range of values is divided."""
FAMILIES: Final[Mapping[str, Family]] = {
    "uniform": "uniform",
    "two-clusters": "two-clusters",
    "heavy-tailed": "heavy-tailed",
    "semi_bimodal": "two-clusters",
    "heavy_tailed": "heavy-tailed",
}
"""The family for each name of a distribution, also for the names in public logs."""


class Cell(NamedTuple):
    """Truthful seats of one role and one bucket of values."""

    mean: float
    deviation: float


class MarketSetting(NamedTuple):
    """The setting of a market that determines its reference."""

    distribution: str
    seats: int
    max_price: int
    tick: int
    k: float
    min_surplus: float
    imported: bool = False

    @property
    def family(self) -> Family | None:
        """The family from which values are drawn. It is None for given values, which have no reference. What logs call
        correlated are independent values, nearly uniform over the range."""
        if self.distribution == "correlated":
            return "uniform" if self.imported else "correlated"
        return FAMILIES.get(self.distribution)


@lru_cache(maxsize=64)
def reference(setting: MarketSetting) -> Mapping[tuple[str, int], Cell]:
    """Return the cells of a market in which all seats quote their value, by role and bucket. Prices are not rounded,
    and a share is that of one round, since all rounds are alike."""
    if setting.family is None:
        return {}
    roles = market_roles(setting.seats)
    shares: dict[tuple[str, int], list[float]] = defaultdict(list)
    least = setting.min_surplus * setting.max_price
    family = setting.family
    for number in range(SIMULATED_SEATS // setting.seats):
        values = draw_values(GameChance(0, number), roles, family, setting.max_price, setting.tick, least)
        gains = _truthful_gains(values, roles, setting.k)
        for role, value, gain, potential in zip(roles, values, gains, potential_gains(values, roles), strict=True):
            share = gain / potential if potential else 0.0
            shares[role, bucket_of(value, setting.max_price)].append(share)
    return {place: _cell(of) for place, of in shares.items() if len(of) >= LEAST_SEATS}


def bucket_of(value: float, max_price: int) -> int:
    """Return the number of the bucket of a value."""
    return math.floor(BUCKETS * value / max_price + 0.5)


def conditional_score(setting: MarketSetting, role: str, value: float, share: float) -> float | None:
    """Return by how many deviations a surplus share is above that of truthful seats with this role and about this
    value. Return None if there are too few of them, or values are given."""
    if setting.seats == 2 and setting.min_surplus > 0 and setting.family is not None:
        # Two truthful seats divide the surplus in the same way in every game.
        cell: Cell | None = Cell(1 - setting.k if role == "buyer" else setting.k, LEAST_DEVIATION)
    else:
        cell = reference(setting).get((role, bucket_of(value, setting.max_price)))
    if cell is None:
        return None
    return min(max((share - cell.mean) / cell.deviation, -LIMIT), LIMIT)


def _truthful_gains(values: list[float], roles: tuple[str, ...], k: float) -> list[float]:
    bids = {seat: value for seat, value in enumerate(values) if roles[seat] == "buyer"}
    asks = {seat: value for seat, value in enumerate(values) if roles[seat] == "seller"}
    gains = [0.0] * len(values)
    for pair in match_quotes(bids, asks, range(len(values))):
        price = exact_price(pair.bid, pair.ask, k)
        gains[pair.buyer], gains[pair.seller] = pair.bid - price, price - pair.ask
    return gains


def _cell(shares: list[float]) -> Cell:
    mean = sum(shares) / len(shares)
    deviation = math.sqrt(sum((share - mean) ** 2 for share in shares) / len(shares))
    return Cell(mean, max(deviation, LEAST_DEVIATION))
