"""An auction over arrays, for the batch engine. This form has no messages, because no strategy for batches reads
them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from ostrom.core import Question
from ostrom.core.arrays import Array, namespace, total
from ostrom.core.step import ArrayForm, Draws, Field, Moves, OneSeat, Pick, Picked, each_array
from ostrom.games.market.auction.play import BID, TIES, AuctionView
from ostrom.games.market.auction.rules import AuctionRules
from ostrom.games.market.auction.sale import largest_value, on_tick, settle, values_of
from ostrom.games.market.values import CENTRE, VALUE

DRAWS = f"strategy/{BID}"
"""The purpose of the random draws of strategies."""


class AuctionState(NamedTuple):
    """The state of a batch of games. Arrays are (seats, games), unless said."""

    values: Array
    """The private values of the round."""
    payoffs: Array
    last_values: Array
    """The private values of the round before. They are 0 before the first round."""
    bids: Array
    """The bids of the round before, NaN without a bid."""
    wins: Array
    """Whether the seat won in the round before."""
    price: Array
    """(games,) The price of the round before, NaN if nothing was sold."""
    accepted: Array
    """(games,) The lowest bid that won, or the reserve price."""
    rejected: Array
    """(games,) The highest bid that did not win, or the reserve price."""
    won: Array
    """The number of rounds that the seat won."""
    bid_sum: Array
    """The sum of all bids."""
    value_sum: Array
    """The sum of the values of all rounds in which the seat bid."""
    revenue: Array
    """(games,) The sum of all payments."""
    realised: Array
    """(games,) The sum of the values of the winners."""
    possible: Array
    """(games,) The largest possible sum of the values of winners."""


@dataclass(frozen=True)
class Auctions:
    """A batch of games before the bids of a round."""

    rules: AuctionRules
    round: Any
    """The number of the round, counted from 1. Under JAX, it is a traced number."""
    state: AuctionState
    draws: Draws


@dataclass
class BidderRows:
    """The view of one strategy, with one row for each of its seats."""

    table: Auctions
    pick: Pick

    value = Picked("of_seats", "state.values")
    last_value = Picked("of_seats", "state.last_values")
    """The private value of the round before."""
    last_bid = Picked("of_seats", "state.bids")
    """The bid of the round before, NaN without a bid."""
    won = Picked("of_seats", "state.wins")
    """Whether the seat won in the round before."""
    price = Picked("of_games", "state.price")
    """The price of the round before, NaN if nothing was sold."""

    @cached_property
    def rules(self) -> AuctionRules:
        """The rules of each row's game."""
        return each_array(self.table.rules, self.pick.of_games)

    @property
    def round(self) -> Any:
        return self.table.round

    @property
    def seat(self) -> Any:
        """The strategy's own seat in each row: one number, or an array."""
        return self.pick.seat

    @property
    def seats(self) -> int:
        """The number of seats."""
        seats: int = self.table.state.values.shape[0]
        return seats

    @cached_property
    def xp(self) -> Any:
        """The array library."""
        return namespace(self.table.state.values)

    @cached_property
    def to_beat(self) -> Array:
        """The lowest price at which the seat would have won the round before, as far as it knows: exactly if bids are
        disclosed; otherwise the price, or the reserve price if nothing was sold."""
        if self.table.rules.disclosure == "bids":
            state = self.table.state
            return self.xp.where(self.won, self.pick.of_games(state.rejected), self.pick.of_games(state.accepted))
        return self.xp.where(self.xp.isnan(self.price), self.rules.reserve, self.price)

    def draw(self) -> Array:
        """Return a random number in [0, 1) for each row, drawn anew in every round."""
        dtype = self.value.dtype
        draws = self.table.draws.of_rows(self.pick)
        numbers = draws.uniform(DRAWS, self.round, self.seat, single=dtype == self.xp.float32)
        return self.xp.astype(numbers, dtype)


class AuctionForm(ArrayForm[AuctionRules, AuctionState]):
    """The form of an auction for the batch engine. Every round has one phase, in which all seats bid."""

    arguments = ("rounds", "reserve", "max_price")
    of_games = ("efficiency", "revenue")
    shares = ("efficiency", "rounds_won")

    @override
    def phases(self, rules: AuctionRules) -> Sequence[str]:
        return (BID,)

    @override
    def fields(self, rules: AuctionRules, phase: str) -> Sequence[Field]:
        return (Field(BID, absent=float("nan")),)

    @override
    def init(self, rules: AuctionRules, seats: int, like: Array, fields: frozenset[str], draws: Draws) -> AuctionState:
        xp = namespace(like)
        nothing = xp.stack([0.0 * like] * seats)
        return _opening(nothing, _values(rules, nothing, 1, draws))

    @override
    def observe(self, rules: AuctionRules, phase: str, turn: Any, state: AuctionState, draws: Draws) -> Auctions:
        return Auctions(rules, turn, state, draws)

    @override
    def view(self, seen: Auctions, pick: Pick) -> BidderRows:
        return BidderRows(seen, pick)

    @override
    def legal(self, rules: AuctionRules, phase: str, state: AuctionState) -> Mapping[str, tuple[Array, Array]]:
        nothing = 0.0 * state.values
        return {BID: (nothing, nothing + rules.max_price)}

    @override
    def step(
        self, rules: AuctionRules, phase: str, turn: Any, state: AuctionState, moves: Moves, draws: Draws
    ) -> AuctionState:
        xp = namespace(state.values)
        values = state.values
        sale = settle(rules, values, moves[BID], _uniform(TIES, values, turn, draws))
        bid = ~xp.isnan(sale.bids)
        won = xp.astype(sale.wins, values.dtype)
        return AuctionState(
            values=values if rules.fixed_values else _values(rules, values, turn + 1, draws),
            payoffs=state.payoffs + sale.gains,
            last_values=values,
            bids=sale.bids,
            wins=sale.wins,
            price=sale.price,
            accepted=sale.accepted,
            rejected=sale.rejected,
            won=state.won + won,
            bid_sum=state.bid_sum + xp.where(bid, sale.bids, 0.0),
            value_sum=state.value_sum + xp.where(bid, values, 0.0),
            revenue=state.revenue + total(sale.payments),
            realised=state.realised + total(won * values),
            possible=state.possible + largest_value(rules, values),
        )

    @override
    def ends(self, rules: AuctionRules, turn: Any, draws: Draws) -> Array:
        xp = namespace(draws.games)
        return xp.broadcast_to(xp.asarray(turn >= rules.rounds), draws.games.shape)

    @override
    def finals(self, rules: AuctionRules, state: AuctionState) -> Array:
        return state.payoffs

    @override
    def figures(self, rules: AuctionRules, turn: Any, state: AuctionState) -> Mapping[str, Array]:
        xp = namespace(state.values)
        return {
            "efficiency": state.realised / xp.where(state.possible > 0, state.possible, 1.0),
            "revenue": state.revenue / turn,
            "rounds_won": state.won / turn,
            "bid_to_value": state.bid_sum / xp.where(state.value_sum > 0, state.value_sum, 1.0),
        }

    @override
    def bounds(self, view: BidderRows, field: str) -> tuple[Array, Array] | None:
        # A bid above the private value is never better than the value itself, so levels are parts of the value.
        return 0.0 * view.value, view.value

    @override
    def features(self, view: BidderRows) -> Sequence[Array]:
        xp, highest = view.xp, view.rules.max_price
        late = 0.0 * view.value + view.round / view.rules.rounds
        before = xp.where(view.round > 1, view.to_beat, 0.0 * view.value)
        return view.value / highest, before / highest, late

    @override
    def view_of(self, question: Question[AuctionView], draws: Draws) -> BidderRows | None:
        if question.phase != BID:
            return None
        view = question.view
        # The values of other seats are unknown to the seat.
        unknown = np.full((view.seats, 1), np.nan)
        state = _opening(0.0 * np.zeros((view.seats, 1)), _at(unknown, view.seat, view.value))
        if view.history:
            past, own = view.history[-1], view.own[-1]
            bid = np.nan if own.bid is None else own.bid
            state = state._replace(
                last_values=_at(unknown, view.seat, own.value),
                bids=_at(unknown, view.seat, bid),
                wins=_at(unknown, view.seat, own.won) > 0,
                price=_number(past.price),
                accepted=_number(past.accepted),
                rejected=_number(past.rejected),
            )
        return BidderRows(Auctions(view.rules, view.round, state, draws), OneSeat(view.seat))

    @override
    def answer_of(self, question: Question[AuctionView], moves: Mapping[str, Any]) -> object:
        bid = float(moves[BID])
        if np.isnan(bid):
            return None
        return int(on_tick(question.view.rules, np.asarray(bid))) if question.view.rules.tick else bid

    @override
    def moves_of(self, phase: str, answer: Any) -> Mapping[str, Any]:
        return {BID: float("nan") if answer is None else answer}


STEP = AuctionForm()


def _uniform(purpose: str, like: Array, turn: Any, draws: Draws) -> Array:
    """Return a random number for each seat, (seats, games), of the type of `like`."""
    xp = namespace(like)
    single = like.dtype == xp.float32
    rows = [draws.uniform(purpose, turn, seat, single=single) for seat in range(like.shape[0])]
    return xp.astype(xp.stack(rows), like.dtype)


def _values(rules: AuctionRules, like: Array, turn: Any, draws: Draws) -> Array:
    """Return the private values of a round, (seats, games)."""
    xp = namespace(like)
    units = _uniform(VALUE, like, turn, draws)
    if rules.values != "correlated":
        return values_of(rules, units, units[0])
    centre = draws.uniform(CENTRE, turn, single=like.dtype == xp.float32)
    return values_of(rules, units, xp.astype(centre, like.dtype))


def _opening(nothing: Array, values: Array) -> AuctionState:
    """Return the state before the first round. `nothing` has a zero for each seat of each game."""
    of_game = nothing[0]
    return AuctionState(
        **dict.fromkeys(("payoffs", "last_values", "bids", "won", "bid_sum", "value_sum"), nothing),
        **dict.fromkeys(("price", "accepted", "rejected", "revenue", "realised", "possible"), of_game),
        values=values,
        wins=nothing > 0,
    )


def _at(table: Array, seat: int, value: float) -> Array:
    """Return a copy of a table of one game with the entry of a seat replaced."""
    result = np.array(table)
    result[seat] = value
    return result


def _number(value: float | None) -> Array:
    """Return a number as an array of one game, NaN for None."""
    return np.asarray([np.nan if value is None else value])
