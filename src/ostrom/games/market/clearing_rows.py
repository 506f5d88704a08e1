"""The matching rule and the prices of a call market over arrays, for many games at once. They equal those of
`clearing`. The first half of the seats buy, and a seat that quotes nothing has NaN."""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from ostrom.core.arrays import Array, namespace
from ostrom.core.step import Draws
from ostrom.games.market.clearing import HALF_TOLERANCE

Luck: TypeAlias = Callable[[Draws, Any], Array]
"""A function that returns a seat's random number in each of these games, (games,). The seat is one number, or an array
with a seat of each game."""


class ClearedRows(NamedTuple):
    """The trades of a round in many games."""

    prices: Array
    """(seats, games) The price of each seat's trade, NaN if it did not trade."""
    ranked: Array
    """(pairs, games) The prices of the trades, the highest bid first; NaN from the first pair that does not trade."""


def clear_rows(quotes: Array, k: Any, tick: int, draws: Draws, ties: Luck, half: Luck) -> ClearedRows:
    """Match the quotes (seats, games) of a round. Of equal quotes, the seat with the smaller number of `ties` is ranked
    first, and a half price is rounded in favour of the seat with the smaller number of `half`."""
    xp = namespace(quotes)
    pairs = len(quotes) // 2
    # Asks are negated, so that the better quote of both sides is the larger one. A seat that passes is last.
    signed = xp.concat([quotes[:pairs], -quotes[pairs:]])
    signed = xp.where(xp.isnan(signed), -xp.inf, signed)
    ranks = _ranks(signed, draws, ties)
    bids, asks = _in_order(signed[:pairs], ranks[:pairs]), -_in_order(signed[pairs:], ranks[pairs:])
    trades = bids >= asks
    bids, asks = xp.where(trades, bids, 0.0), xp.where(trades, asks, 0.0)
    exact = asks + k * (bids - asks)
    prices = exact if tick == 0 else _rounded(exact, trades, ranks, draws, half)
    ranked = xp.where(trades, prices, xp.nan)
    return ClearedRows(xp.take_along_axis(ranked, ranks, axis=0), ranked)


def _ranks(signed: Array, draws: Draws, ties: Luck) -> Array:
    """Return the rank of each seat on its side, counted from 0."""
    if namespace(signed) is not np:
        return _ranks_by(signed, [ties(draws, seat) for seat in range(len(signed))])
    ranks = _ranks_by(signed, None)
    tied = np.flatnonzero(_any_tie(signed))  # Only these games need random numbers, which take most of the time.
    if len(tied):
        chosen = Draws(draws.games[tied], draws.key)
        ranks[:, tied] = _ranks_by(signed[:, tied], [ties(chosen, seat) for seat in range(len(signed))])
    return ranks


def _any_tie(signed: Array) -> Array:
    pairs = len(signed) // 2
    tied = np.zeros(signed.shape[1], dtype=bool)
    for side in (signed[:pairs], signed[pairs:]):
        for seat in range(1, pairs):
            for other in range(seat):
                tied |= side[seat] == side[other]
    return tied


def _ranks_by(signed: Array, luck: list[Array] | None) -> Array:
    """Return the ranks. Without random numbers, equal quotes are ranked in the order of their seats."""
    xp = namespace(signed)
    pairs = len(signed) // 2
    ranks = [xp.zeros(signed.shape[1:], dtype=xp.int64) for _ in signed]
    for first in (0, pairs):
        for seat in range(first, first + pairs):
            for earlier in range(first, seat):
                behind = signed[seat] <= signed[earlier]
                if luck is not None:
                    later = luck[earlier] <= luck[seat]
                    behind = (signed[seat] < signed[earlier]) | (behind & later)
                ranks[seat] = ranks[seat] + behind
                ranks[earlier] = ranks[earlier] + ~behind
    return xp.stack(ranks)


def _in_order(side: Array, ranks: Array) -> Array:
    """Return the quotes of one side, the best first."""
    xp = namespace(side)
    # Each rank has one seat; the others contribute the lowest possible number.
    rows = [
        [xp.where(ranks[seat] == place, side[seat], -xp.inf) for seat in range(len(side))] for place in range(len(side))
    ]
    return xp.stack([xp.max(xp.stack(row), axis=0) for row in rows])


def _rounded(exact: Array, trades: Array, ranks: Array, draws: Draws, half: Luck) -> Array:
    """Return whole prices (pairs, games)."""
    xp = namespace(exact)
    below, prices = xp.floor(exact), xp.round(exact)
    halves = trades & (xp.abs(exact - below - 0.5) <= HALF_TOLERANCE)
    if xp is not np:
        up = xp.stack([_seller_first(ranks, pair, draws, half) for pair in range(len(exact))])
        return xp.where(halves, below + up, prices)
    pair, column = np.nonzero(halves)
    up = _seller_first(ranks[:, column], pair, Draws(draws.games[column], draws.key), half)
    prices[pair, column] = below[pair, column] + up
    return prices


def _seller_first(ranks: Array, pair: Any, draws: Draws, half: Luck) -> Array:
    """Return whether the seller of a pair has a smaller random number than its buyer. `pair` is one number, or an array
    with a pair of each game."""
    pairs = len(ranks) // 2
    return half(draws, pairs + _seat_with(ranks[pairs:], pair)) < half(draws, _seat_with(ranks[:pairs], pair))


def _seat_with(ranks: Array, rank: Any) -> Array:
    """Return the seat of one side that has a rank. (argmax needs 64-bit integers under JAX, which it may not have.)"""
    seat = (ranks[0] != ranks[0]) * 0
    for number in range(1, len(ranks)):
        seat = seat + (ranks[number] == rank) * number
    return seat
