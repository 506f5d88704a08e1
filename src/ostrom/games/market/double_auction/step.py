"""The double auction over arrays, for the batch engine. This form has no messages, because no strategy for batches
reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from ostrom.core import InputError, Question
from ostrom.core.arrays import Array, namespace, total
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, Picked, each_array
from ostrom.games.market.clearing_rows import clear_rows
from ostrom.games.market.double_auction.play import CONTINUE, HALF, QUOTE, TIES, DoubleAuctionView
from ostrom.games.market.double_auction.rules import CONTINUOUS, DoubleAuctionRules, market_roles
from ostrom.games.market.double_auction.trader import ROUNDING
from ostrom.games.market.values import draw_value_rows, efficient_surplus_rows

DRAWS = f"strategy/{QUOTE}"
"""The purpose of the random draws of traders. Traders in plain Python use the same purpose, so that both forms draw the
same numbers."""
SEAT_BITS = 16
"""The number of lower bits of the random generator's word for a seat and a draw that hold the seat."""


class MarketState(NamedTuple):
    """The state of a batch of games. The shape is (seats, games), unless said. NaN is a missing quote or price."""

    values: Array
    payoffs: Array
    quotes: Array
    """The quotes of the last round."""
    prices: Array
    """The price of each seat's trade in the last round."""
    ranked: Array
    """(pairs, games) The prices of the last round, the highest bid first."""
    rounds_traded: Array
    """The number of rounds in which each seat traded."""
    offers: Array
    """The sum of each seat's offsets: value minus bid, or ask minus cost."""
    quoted: Array
    """The number of rounds in which each seat quoted."""


@dataclass(frozen=True)
class Markets:
    """A batch of games before the quotes of a round."""

    rules: DoubleAuctionRules
    round: Any
    """The number of the round, counted from 1. Under JAX, it is a traced number."""
    state: MarketState
    draws: Draws


@dataclass
class TraderRows:
    """The view of one strategy, with one row for each of its seats. Prices and quotes are those of the last round."""

    table: Markets
    pick: Pick

    value = Picked("of_seats", "state.values")
    """The private value of a buyer, or the cost of a seller."""
    quote = Picked("of_seats", "state.quotes")
    """The seat's own quote, NaN if it quoted nothing."""
    price = Picked("of_seats", "state.prices")
    """The price of the seat's own trade, NaN if it did not trade."""
    prices = Picked("of_tables", "state.ranked")
    """(pairs, rows) The prices of all trades, the highest bid first, then NaN."""

    @cached_property
    def rules(self) -> DoubleAuctionRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        return self.table.round

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.values)

    @property
    def _half(self) -> int:
        return len(self.table.state.values) // 2

    @cached_property
    def buys(self) -> Array:
        """True where the row's seat is a buyer."""
        return self.xp.zeros(self.value.shape, dtype=bool) | (self.pick.seat < self._half)

    @cached_property
    def sign(self) -> Array:
        """1 for a buyer, −1 for a seller."""
        return self.xp.where(self.buys, 1.0, -1.0)

    @property
    def highest(self) -> Any:
        """The highest price, as a floating-point number."""
        return 1.0 * self.rules.max_price

    @cached_property
    def _disclosed(self) -> tuple[Array, Array]:
        """(seats, rows) The quotes that the row's seat knows, and the prices of seats that it knows to have traded."""
        quotes, prices = self.pick.of_tables(self.table.state.quotes), self.pick.of_tables(self.table.state.prices)
        if self.rules.disclosure == "quotes":
            return quotes, prices
        seats = self.xp.reshape(self.xp.arange(len(quotes)), (-1, 1))
        own = seats == self.pick.seat
        return self.xp.where(own, quotes, self.xp.nan), self.xp.where(own, prices, self.xp.nan)

    def rejected(self, bids: bool) -> Array:
        """Return the best bid, or the best ask, that did not trade: the highest bid or the lowest ask. It is NaN if
        there is none. If the rules disclose prices only, the seat knows of its own quotes alone."""
        quotes, prices = self._disclosed
        return self._best(bids, self.xp.where(self.xp.isnan(prices), quotes, self.xp.nan))

    def best(self, bids: bool) -> Array:
        """Return the best bid or ask, traded or not, and NaN if there is none. If the rules disclose prices only, a
        price counts as a bid and as an ask."""
        if self.rules.disclosure == "quotes":
            return self._best(bids, self._disclosed[0])
        rejected, prices = self.rejected(bids), self.prices
        return extreme(self.xp, bids, [rejected, *prices])

    def _best(self, bids: bool, quotes: Array) -> Array:
        half = self._half
        return extreme(self.xp, bids, [*(quotes[:half] if bids else quotes[half:])])

    def sides(self) -> tuple[Array, Array]:
        """Return the last quotes of the own side and those of the other side, as far as they are known."""
        return self._sides_of(self._disclosed[0])

    def past_quotes(self) -> tuple[Array, Array, Array]:
        """Return the last quotes that a trader learns from: those of the own side that traded, those of the own side
        that did not, and those of the other side that did not. If the rules disclose prices only, the quotes that
        traded are the prices, and the seat knows of no rejected quote but its own."""
        quotes, prices = self._disclosed
        traded = ~self.xp.isnan(prices)
        accepted, _ = self._sides_of(self.xp.where(traded, quotes, self.xp.nan))
        rejected, free = self._sides_of(self.xp.where(traded, self.xp.nan, quotes))
        return accepted if self.rules.disclosure == "quotes" else self.prices, rejected, free

    def traded_by_others(self) -> Array:
        """Return the last quotes of the other seats of the own side that traded; NaN for all other seats."""
        quotes, prices = self._disclosed
        seats = self.xp.reshape(self.xp.arange(len(quotes)), (-1, 1))
        others = ~self.xp.isnan(prices) & (seats != self.pick.seat)
        return self._sides_of(self.xp.where(others, quotes, self.xp.nan))[0]

    def _sides_of(self, table: Array) -> tuple[Array, Array]:
        first, second = table[: self._half], table[self._half :]
        return self.xp.where(self.buys, first, second), self.xp.where(self.buys, second, first)

    def quoted(self, price: Array) -> Array:
        """Return the quote for a price: on the tick and within the range. A bid is rounded down and an ask up, so that
        no rounding makes a quote at a loss."""
        xp = self.xp
        limited = xp.minimum(xp.maximum(price, xp.zeros_like(price)), self.highest)
        if self.rules.tick == 0:
            return limited
        return xp.where(self.buys, xp.floor(limited + ROUNDING), xp.ceil(limited - ROUNDING))

    def at_no_loss(self, price: Array) -> Array:
        """Return the price, or the private value if a trade at this price could be a loss."""
        xp = self.xp
        return xp.where(self.buys, xp.minimum(price, self.value), xp.maximum(price, self.value))

    def draw(self, number: Any, where: Array | None = None) -> Array:
        """Return the `number`-th draw of this round, in [0, 1), for each row. `number` may be an array. Rows that
        `where` leaves out may have any number."""
        xp, draws = self.xp, self.table.draws.of_rows(self.pick)
        seats = xp.zeros(self.value.shape, dtype=xp.int32) + self.pick.seat + (number << SEAT_BITS)
        if where is None or xp is not np:
            return draws.uniform(DRAWS, self.round, seats)
        numbers, chosen = np.zeros(len(seats)), np.flatnonzero(where)
        numbers[chosen] = Draws(draws.games[chosen], draws.key).uniform(DRAWS, self.round, seats[chosen])
        return numbers


def extreme(xp: Any, highest: bool, rows: Sequence[Array]) -> Array:
    """Return the highest or the lowest number of each column, without NaN; NaN if there is no number."""
    result = rows[0]
    for row in rows[1:]:
        result = xp.fmax(result, row) if highest else xp.fmin(result, row)
    return result


class DoubleAuctionForm(ArrayForm[DoubleAuctionRules, MarketState]):
    """The form of a double auction for the batch engine. Every round has one phase, in which all seats quote."""

    arguments = ("rounds", "continuation", "max_price", "k", "min_surplus")
    of_games = ("efficiency", "trades")

    @override
    def covers(self, rules: DoubleAuctionRules) -> bool:
        return rules.market != CONTINUOUS

    @override
    def phases(self, rules: DoubleAuctionRules) -> Sequence[str]:
        return (QUOTE,)

    @override
    def fields(self, rules: DoubleAuctionRules, phase: str) -> Sequence[Field]:
        return (Field(QUOTE, absent=float("nan")),)

    @override
    def init(
        self, rules: DoubleAuctionRules, seats: int, like: Array, fields: frozenset[str], draws: Draws
    ) -> MarketState:
        xp, given = namespace(like), rules.given_values
        nothing = xp.zeros((seats, *like.shape), dtype=like.dtype)
        if given and len(given) != seats:
            raise InputError(f"{len(given)} private values are given, and the table has {seats} seats")
        if given:
            values = nothing + xp.asarray(given, dtype=like.dtype)[:, None]
        else:
            least = rules.min_surplus * rules.max_price
            drawn = draw_value_rows(draws, market_roles(seats), rules.values, rules.max_price, rules.tick, least)
            values = xp.astype(drawn, like.dtype)
        none = xp.full_like(nothing, xp.nan)
        return MarketState(values, nothing, none, none, none[: seats // 2], nothing, nothing, nothing)

    @override
    def observe(self, rules: DoubleAuctionRules, phase: str, turn: Any, state: MarketState, draws: Draws) -> Markets:
        return Markets(rules, turn, state, draws)

    @override
    def view(self, seen: Markets, pick: Pick) -> TraderRows:
        return TraderRows(seen, pick)

    @override
    def legal(self, rules: DoubleAuctionRules, phase: str, state: MarketState) -> Mapping[str, tuple[Array, Array]]:
        nothing = namespace(state.values).zeros_like(state.values)
        return {QUOTE: (nothing, nothing + rules.max_price)}

    @override
    def step(
        self, rules: DoubleAuctionRules, phase: str, turn: Any, state: MarketState, moves: Moves, draws: Draws
    ) -> MarketState:
        xp, half = namespace(state.values), len(state.values) // 2
        quotes = xp.astype(moves[QUOTE], state.values.dtype)

        def draw_for(purpose: str) -> Any:
            return lambda chosen, seat: chosen.uniform(purpose, turn, seat)

        cleared = clear_rows(quotes, rules.k, rules.tick, draws, draw_for(TIES), draw_for(HALF))
        traded = ~xp.isnan(cleared.prices)
        above, offset = state.values - cleared.prices, state.values - quotes
        gains = xp.where(traded, xp.concat([above[:half], -above[half:]]), 0.0)
        quoted = ~xp.isnan(quotes)
        return MarketState(
            values=state.values,
            payoffs=state.payoffs + gains,
            quotes=quotes,
            prices=cleared.prices,
            ranked=cleared.ranked,
            rounds_traded=state.rounds_traded + traded,
            offers=state.offers + xp.where(quoted, xp.concat([offset[:half], -offset[half:]]), 0.0),
            quoted=state.quoted + quoted,
        )

    @override
    def ends(self, rules: DoubleAuctionRules, turn: Any, draws: Draws) -> Array:
        last = (draws.games >= 0) & (turn >= rules.rounds)
        if isinstance(rules.continuation, float) and rules.continuation == 1:
            return last
        return last | (draws.uniform(CONTINUE, turn) >= rules.continuation)

    @override
    def finals(self, rules: DoubleAuctionRules, state: MarketState) -> Array:
        return state.payoffs

    @override
    def figures(self, rules: DoubleAuctionRules, turn: Any, state: MarketState) -> Mapping[str, Array]:
        xp, half = namespace(state.values), len(state.values) // 2
        largest = efficient_surplus_rows(state.values) * turn
        # Prices cancel in the sum of all gains. If no gains are possible, the efficiency is given as 0.
        surplus = total(state.payoffs) / xp.where(largest > 0, largest, 1.0)
        return {
            "efficiency": xp.where(largest > 0, surplus, 0.0),
            "trades": total(state.rounds_traded[:half]) / turn,
            "offset": state.offers / xp.where(state.quoted > 0, state.quoted, 1.0),
            "trade_frequency": state.rounds_traded / turn,
        }

    @override
    def limits(self, rules: DoubleAuctionRules, seats: int) -> Mapping[str, tuple[float, float]]:
        return {
            "efficiency": (-np.inf, 1.0),
            "trades": (0.0, seats / 2),
            "trade_frequency": (0.0, 1.0),
        }

    @override
    def bounds(self, view: TraderRows, field: str) -> tuple[Array, Array] | None:
        if field != QUOTE:
            return None
        xp = view.xp
        dtype = xp.int32 if view.rules.tick else view.value.dtype
        least = xp.zeros(view.value.shape, dtype=dtype)
        return least, xp.astype(least + view.rules.max_price, dtype)

    @override
    def features(self, view: TraderRows) -> Sequence[Array]:
        # The features are the private value, the role, whether the seat traded last, its last quote and the mean of the
        # last prices (both one half if there is none), and the elapsed part of the game.
        xp, highest = view.xp, view.highest
        known = ~xp.isnan(view.prices)
        count = total(xp.astype(known, view.value.dtype))
        mean = total(xp.where(known, view.prices, 0.0)) / xp.where(count > 0, count, 1.0)
        return (
            view.value / highest,
            xp.where(view.buys, 1.0, 0.0),
            xp.where(xp.isnan(view.price), 0.0, 1.0),
            xp.where(xp.isnan(view.quote), 0.5, view.quote / highest),
            xp.where(count > 0, mean / highest, 0.5),
            0.0 * view.value + view.round / view.rules.rounds,
        )

    @override
    def view_of(self, question: Question[DoubleAuctionView], draws: Draws) -> TraderRows | None:
        if question.phase != QUOTE:
            return None
        view = question.view
        none = np.full((view.seats, 1), np.nan)
        values, quotes, prices, ranked = none.copy(), none.copy(), none.copy(), none[: view.seats // 2].copy()
        values[view.seat] = view.value
        if view.history:
            last, own = view.history[-1], view.own[-1]
            quotes[: len(last.quotes), 0] = [np.nan if quote is None else quote for quote in last.quotes]
            for trade in last.trades:
                prices[[trade.buyer, trade.seller]] = trade.price
            if view.rules.anonymity and last.quotes:
                _name_anonymous(view, quotes, prices)
            quotes[view.seat] = np.nan if own.quote is None else own.quote
            prices[view.seat] = np.nan if own.price is None else own.price
            ranked[: len(last.prices), 0] = last.prices
        # No trader reads the payoffs or the counts of past rounds, so they are left at NaN.
        state = MarketState(values, none, quotes, prices, ranked, none, none, none)
        return TraderRows(Markets(view.rules, view.round, state, draws), OneSeat(view.seat))

    @override
    def answer_of(self, question: Question[DoubleAuctionView], moves: Mapping[str, Any]) -> object:
        quote = float(moves[QUOTE])
        if np.isnan(quote):
            return None
        return int(quote) if question.view.rules.tick else quote

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        return {QUOTE: np.nan if answer is None else answer}


def _name_anonymous(view: DoubleAuctionView, quotes: Array, prices: Array) -> None:
    """Give the anonymous quotes and prices of the last round to seats: those of the seat itself to the seat, and those
    of the others to the other seats of their side. Traders do not read which seat made a quote."""
    last, own, half = view.history[-1], view.own[-1], view.seats // 2
    for first in (0, half):
        ranked = [(quotes[first + rank, 0], np.nan) for rank in range(half)]
        for rank, price in enumerate(last.prices):
            ranked[rank] = (quotes[first + rank, 0], price)
        if first <= view.seat < first + half:
            own_quote = np.nan if own.quote is None else own.quote
            mine = next(
                rank
                for rank, (quote, price) in enumerate(ranked)
                if np.array_equal(quote, own_quote, equal_nan=True) and np.isnan(price) == (own.price is None)
            )
            ranked.insert(view.seat - first, ranked.pop(mine))
        quotes[first : first + half, 0] = [quote for quote, _ in ranked]
        prices[first : first + half, 0] = [price for _, price in ranked]


STEP = DoubleAuctionForm()
