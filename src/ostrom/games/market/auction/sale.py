"""The arithmetic of an auction: pure array functions over any number of games at once. Arrays of a table have the shape
(seats, games), all others (games,)."""

import math
from math import comb
from typing import Final, NamedTuple

import numpy as np

from ostrom.core.arrays import Array, count, namespace, power, total
from ostrom.games.market.auction.rules import ALL_PAY, FIRST, LOWEST_ACCEPTED, UNIFORM, AuctionRules
from ostrom.games.market.values import priced_values, unit_values

ROUNDING: Final = 1e-9
"""The error of floating-point arithmetic that does not move a bid to the next tick."""
GAUSS_POINTS: Final = 24
"""The number of points for integrating polynomials, whose degree is at most 20 here. It is exact to degree 47."""


class Sale(NamedTuple):
    """The result of one round."""

    bids: Array
    """(seats, games) The bids on the tick. A seat that does not bid, or bids less than the reserve price, has NaN."""
    wins: Array
    """(seats, games) Whether the seat gets a unit."""
    payments: Array
    """(seats, games)"""
    gains: Array
    """(seats, games) The value of the unit, if the seat gets one, minus the payment."""
    price: Array
    """(games,) The price that is disclosed: what a winner pays. NaN if nothing is sold."""
    accepted: Array
    """(games,) The lowest bid that wins, or the reserve price if units are left over."""
    rejected: Array
    """(games,) The highest bid that does not win, or the reserve price without such a bid."""


def values_of(rules: AuctionRules, draws: Array, centre: Array) -> Array:
    """Return private values, from random numbers between 0 and 1. All bidders of a game have the same centre."""
    return priced_values(unit_values(rules.values, "buyer", draws, centre), "buyer", rules.max_price, rules.tick)


def on_tick(rules: AuctionRules, bids: Array) -> Array:
    """Return bids on the tick, rounded down."""
    return namespace(bids).floor(bids + ROUNDING) if rules.tick else bids


def settle(rules: AuctionRules, values: Array, bids: Array, ties: Array) -> Sale:
    """Return the result of a round. `bids` has NaN for a seat that does not bid; of equal bids, the one with the
    smallest random number in `ties` is ranked first."""
    xp = namespace(values)
    bids = on_tick(rules, bids)
    valid = bids >= rules.reserve
    ranked = xp.where(valid, bids, -1.0)
    rank = xp.stack([_rank(ranked, ties, seat) for seat in range(ranked.shape[0])])
    wins = valid & (rank < rules.units)
    nothing = 0.0 * values
    reserve = nothing[0] + rules.reserve
    last, next_one = (valid & (rank == place) for place in (rules.units - 1, rules.units))
    accepted = xp.where(xp.any(last, axis=0), total(xp.where(last, ranked, 0.0)), reserve)
    rejected = xp.where(xp.any(next_one, axis=0), total(xp.where(next_one, ranked, 0.0)), reserve)
    if rules.format in (FIRST, ALL_PAY):
        price, payments = accepted, xp.where(wins if rules.format == FIRST else valid, ranked, nothing)
    else:
        price = accepted if rules.price == LOWEST_ACCEPTED else rejected
        payments = xp.where(wins, price, nothing)
    return Sale(
        bids=xp.where(valid, bids, math.nan),
        wins=wins,
        payments=payments,
        gains=xp.where(wins, values, nothing) - payments,
        price=xp.where(xp.any(wins, axis=0), price, math.nan),
        accepted=accepted,
        rejected=rejected,
    )


def _rank(bids: Array, ties: Array, seat: int) -> Array:
    """Return the number of seats whose bids are ranked before that of a seat."""
    xp = namespace(bids)
    seats = xp.reshape(xp.arange(bids.shape[0]), (-1, 1))
    first = (ties < ties[seat]) | ((ties == ties[seat]) & (seats < seat))
    return count((bids > bids[seat]) | ((bids == bids[seat]) & first))


def largest_value(rules: AuctionRules, values: Array) -> Array:
    """(games,) Return the largest sum of values that the units of a round can have for bidders."""
    xp = namespace(values)
    units = min(rules.units, values.shape[0])
    return total(xp.sort(values, axis=0)[values.shape[0] - units :])


def equilibrium_bids(rules: AuctionRules, value: Array, seats: int) -> Array:
    """Return the bids of the symmetric equilibrium of risk-neutral bidders whose values are independent and uniform
    between 0 and the highest price (Vickrey 1961; with a reserve price, Riley and Samuelson 1981). Other formats than
    those of one unit are derived in the same way: with K units and the lowest accepted bid as the price, the factor is
    (n − K)/(n − K + 1). NaN is no bid."""
    xp = namespace(value)
    if not rules.pays_own_bid:
        return value
    if rules.format == ALL_PAY:
        return _all_pay_bids(rules, value, seats)
    rivals = float(max(seats - (rules.units if rules.format == UNIFORM else 1), 0))
    positive = xp.where(value > 0, value, 1.0)
    part = (rivals + power(xp.minimum(rules.reserve / positive, 1.0 + 0.0 * value), rivals + 1.0)) / (rivals + 1.0)
    return value * part


def _all_pay_bids(rules: AuctionRules, value: Array, seats: int) -> Array:
    """Return the equilibrium bids of the all-pay auction. A bidder with a value below `least_bidder` does not bid."""
    xp = namespace(value)
    least = least_bidder(rules, 0.0 * value, seats)
    unit, least_unit = value / rules.max_price, least / rules.max_price
    above = power(unit, 1.0 * seats) - power(least_unit, 1.0 * seats)
    bids = rules.reserve + (seats - 1.0) / seats * above * rules.max_price
    return xp.where(value >= least, bids, math.nan)


def least_bidder(rules: AuctionRules, like: Array, seats: int) -> Array:
    """Return the lowest value with which a bidder bids in equilibrium. It is the reserve price; in the all-pay auction,
    it is the value for which the chance to be the only bidder is worth the reserve price."""
    reserve = 0.0 * like + rules.reserve
    if rules.format != ALL_PAY:
        return reserve
    return power(reserve / rules.max_price, 1.0 / seats) * rules.max_price


def equilibrium_revenue(rules: AuctionRules, values: Array) -> Array:
    """(games,) Return the revenue of a round with these values if bids are truthful, the price is the highest rejected
    bid, and the reserve price is the value of the lowest bidder. Where values are independent and uniform, its mean is
    the revenue in equilibrium, in every format (Myerson 1981)."""
    form = {"format": UNIFORM, "price": "highest-rejected", "tick": 0}
    reserve = least_bidder(rules, values[0], values.shape[0])
    truthful = rules.model_copy(update={**form, "reserve": reserve})
    return total(settle(truthful, values, values, 0.0 * values).payments)


def hindsight_gain(rules: AuctionRules, value: Array, wins: Array, accepted: Array, rejected: Array) -> Array:
    """Return the largest gain that a seat could have had with another bid, if all other bids had been the same: its
    value minus the lowest price at which it wins, or nothing."""
    xp = namespace(value)
    return xp.maximum(value - xp.where(wins, rejected, accepted), 0.0 * value)


def mean_equilibrium_revenue(rules: AuctionRules, seats: int) -> float:
    """Return the expected revenue of a round in the equilibrium of independent values that are uniform between 0 and
    the highest price: the expected sum of the virtual values 2v − 1 of the winners (Myerson 1981)."""
    least = float(least_bidder(rules, np.zeros(1), seats)[0]) / rules.max_price
    points, weights = np.polynomial.legendre.leggauss(GAUSS_POINTS)
    value = least + (1.0 - least) * (points + 1.0) / 2.0
    fewer = min(rules.units, seats)
    wins = sum(comb(seats - 1, above) * (1 - value) ** above * value ** (seats - 1 - above) for above in range(fewer))
    integral = (1.0 - least) / 2.0 * float(np.sum(weights * (2.0 * value - 1.0) * wins))
    return seats * integral * rules.max_price
