"""The generator that plays an auction, and the view of a seat. If the rules have messages, they come before the bids of
a round."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from ostrom.core import Amount, Answer, Optional, Play, Question, Table
from ostrom.core.table import Past
from ostrom.games.market.auction.events import AuctionClosed, AuctionHeld, BidderValuesDealt
from ostrom.games.market.auction.rules import AuctionRules, auction_roles
from ostrom.games.market.auction.sale import settle, values_of
from ostrom.games.market.talk import HeardMessage, Talk
from ostrom.games.market.values import CENTRE, VALUE

BID: Final = "bid"
"""The phase after the messages of a round, if the rules have messages."""
TIES: Final = "ties"
"""The purpose of the random numbers that rank equal bids."""


class PastAuction(NamedTuple):
    """A past round, as far as all seats know it."""

    round: int
    bids: tuple[float | None, ...]
    """The bid of each seat, None without a bid of at least the reserve price. Empty if only the price is disclosed."""
    winners: tuple[int, ...]
    """The seats that got a unit, the highest bid first. Empty if only the price is disclosed."""
    price: float | None
    """What a winner paid, or None if nothing was sold."""
    accepted: float | None
    """The lowest bid that won, or the reserve price if units were left over. None if bids are not disclosed."""
    rejected: float | None
    """The highest bid that did not win, or the reserve price. None if bids are not disclosed."""


class OwnAuction(NamedTuple):
    """A past round of the seat itself."""

    value: float
    bid: float | None
    """Its bid, or None if it was less than the reserve price."""
    won: bool
    payment: float


@dataclass(frozen=True)
class AuctionView:
    """The auction as one seat sees it."""

    rules: AuctionRules
    round: int
    """The number of the round, counted from 1."""
    seat: int
    seats: int
    value: float
    """The private value of a unit in this round."""
    payoff: float
    """The sum of the seat's gains so far."""
    history: Past[PastAuction]
    """The past rounds as far as all seats know them."""
    own: Past[OwnAuction]
    """The seat's own past rounds."""
    messages: Past[HeardMessage]
    """The messages of this and all past rounds that the seat wrote or may read."""


def play(rules: AuctionRules, table: Table) -> Play:
    """Play all rounds."""
    auction = _Auction(rules, table)
    for round_ in range(1, rules.rounds + 1):
        auction.open(round_)
        yield from auction.talk.hold(round_, auction.view)
        answers = yield auction.ask_for_bids()
        auction.sell(answers)
    table.record(AuctionClosed(round=rules.rounds, values=auction.values, payoffs=list(auction.payoffs)))


class _Auction:
    """The state and the history of the game, from which the views of seats are created."""

    def __init__(self, rules: AuctionRules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.seats = len(table.seats)
        self.values = [0.0] * self.seats
        self.payoffs = [0.0] * self.seats
        self.round = 0
        self.history: list[PastAuction] = []
        self.own: list[list[OwnAuction]] = [[] for _ in table.seats]
        self.talk = Talk(rules, table, auction_roles(self.seats))

    def open(self, round_: int) -> None:
        """Begin a round, and draw the private values for it."""
        self.round = round_
        if round_ > 1 and self.rules.fixed_values:
            return
        centre = np.asarray([self.table.chance.uniform(CENTRE, round_)])
        self.values = values_of(self.rules, self._draws(VALUE), centre)[:, 0].tolist()
        self.table.record(BidderValuesDealt(round=round_, values=self.values))

    def _draws(self, purpose: str) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
        """Return a random number of this round for each seat."""
        return np.asarray([[self.table.chance.uniform(purpose, self.round, seat.index)] for seat in self.table.seats])

    def view(self, seat: int) -> AuctionView:
        return AuctionView(
            rules=self.rules,
            round=self.round,
            seat=seat,
            seats=self.seats,
            value=self.values[seat],
            payoff=self.payoffs[seat],
            history=Past(self.history),
            own=Past(self.own[seat]),
            messages=Past(self.talk.heard[seat]),
        )

    def ask_for_bids(self) -> list[Question]:
        spec = Optional(Amount(0, self.rules.max_price, whole=self.rules.tick == 1))
        return [
            self.table.ask(seat, BID, self.round, spec, self.view(seat.index), fallback=None)
            for seat in self.table.seats
        ]

    def sell(self, answers: Sequence[Answer]) -> None:
        """Sell the units of the round, and record who gets them."""
        given = [np.nan if answer.value is None else float(answer.value) for answer in answers]
        ties = self._draws(TIES)
        sale = settle(self.rules, np.asarray(self.values)[:, None], np.asarray(given)[:, None], ties)
        bids = [None if np.isnan(bid) else float(bid) for bid in sale.bids[:, 0]]
        payments, gains = sale.payments[:, 0].tolist(), sale.gains[:, 0].tolist()
        order = np.lexsort((ties[:, 0], -np.nan_to_num(sale.bids[:, 0], nan=-1.0)))
        winners = [int(seat) for seat in order if sale.wins[seat, 0]]
        price = None if np.isnan(sale.price[0]) else float(sale.price[0])
        self.payoffs = [payoff + gain for payoff, gain in zip(self.payoffs, gains, strict=True)]
        disclosed = self.rules.disclosure == "bids"
        self.table.record(
            AuctionHeld(
                round=self.round,
                readers=[None, *range(self.seats)] if disclosed else [],
                bids=bids,
                winners=winners,
                price=price,
                payments=payments,
                gains=gains,
                payoffs=list(self.payoffs),
            )
        )
        shown = (tuple(bids), tuple(winners)) if disclosed else ((), ())
        ends = (float(sale.accepted[0]), float(sale.rejected[0])) if disclosed else (None, None)
        self.history.append(PastAuction(self.round, *shown, price, *ends))
        for seat, bid in enumerate(bids):
            self.own[seat].append(OwnAuction(self.values[seat], bid, seat in winners, payments[seat]))
