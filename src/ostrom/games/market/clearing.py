"""The matching rule of a call market, and the prices of its trades. The highest bids meet the lowest asks, and each
pair trades at its own price."""

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

HALF_TOLERANCE: Final = 1e-9
"""The largest distance from a half at which a price counts as halfway between two ticks. With k = 0.3, for example,
floating-point arithmetic does not give exact halves."""


class Pair(NamedTuple):
    """A bid and an ask that meet. Seats are given by their index."""

    buyer: int
    seller: int
    bid: float
    ask: float


def match_quotes(bids: Mapping[int, float], asks: Mapping[int, float], order: Sequence[int]) -> list[Pair]:
    """Return the pairs that trade, the highest bid first. The k-th highest bid meets the k-th lowest ask as long as the
    bid is at least the ask. Quotes are given by seat; of equal quotes, the seat that comes first in `order` is ranked
    first."""
    rank = {seat: place for place, seat in enumerate(order)}
    buyers = sorted(bids, key=lambda seat: (-bids[seat], rank[seat]))
    sellers = sorted(asks, key=lambda seat: (asks[seat], rank[seat]))
    pairs = []
    for buyer, seller in zip(buyers, sellers, strict=False):
        if bids[buyer] < asks[seller]:
            break
        pairs.append(Pair(buyer, seller, bids[buyer], asks[seller]))
    return pairs


def exact_price(bid: float, ask: float, k: float) -> float:
    """Return k·bid + (1 − k)·ask, the price of a k-double auction before it is rounded to the tick (Chatterjee and
    Samuelson, 1983)."""
    return ask + k * (bid - ask)


def is_half(price: float) -> bool:
    """Return whether a price lies halfway between two whole numbers."""
    return abs(price - math.floor(price) - 0.5) <= HALF_TOLERANCE


def price_on_tick(price: float, tick: int, half_up: bool) -> float:
    """Return a price on the tick: the nearest whole number if the tick is 1, and the price itself if the tick is 0. A
    price halfway between two whole numbers is rounded up if `half_up`, otherwise down."""
    if tick == 0:
        return price
    below = math.floor(price)
    if is_half(price):
        return float(below + half_up)
    return float(round(price))
