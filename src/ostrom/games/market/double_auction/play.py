"""The generator that plays a double auction, and the view of a seat. If the rules have messages, they come before the
quotes of a round: one step for each seat in turn, or one for all at once."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ostrom.core import Amount, Answer, InputError, Optional, Play, Question, Seat, Spec, Table
from ostrom.core.chance import logged_facts
from ostrom.core.table import Past
from ostrom.games.market.clearing import exact_price, is_half, match_quotes, price_on_tick
from ostrom.games.market.double_auction.events import (
    MarketCleared,
    MarketClosed,
    MarketTrade,
    ValuesDealt,
)
from ostrom.games.market.double_auction.rules import FORFEIT, DoubleAuctionRules, market_roles
from ostrom.games.market.talk import HeardMessage, Talk
from ostrom.games.market.values import draw_values, family_of

QUOTE: Final = "quote"
"""The phase after the messages of a round, if the rules have messages."""
TIES: Final = "ties"
HALF: Final = "half"
"""The purposes of the random orders of seats: which of equal quotes is ranked first, and in whose favour a half price
is rounded."""

GIVEN: Final = "given"
"""The name of the distribution of values that the rules have."""

BUYERS: Final = "buyers"
SELLERS: Final = "sellers"
"""The sides to which a message can be addressed."""


class PastTrade(NamedTuple):
    """A trade of a past round."""

    buyer: int
    seller: int
    price: float


class PastMarketRound(NamedTuple):
    """A past round, as far as all seats know it."""

    round: int
    quotes: tuple[float | None, ...]
    """The quote of each seat, None for a seat that quoted nothing. Empty if only prices are disclosed."""
    trades: tuple[PastTrade, ...]
    """The trades, the highest bid first. Empty if only prices are disclosed."""
    prices: tuple[float, ...]


class OwnMarketRound(NamedTuple):
    """A past round of the seat itself."""

    quote: float | None
    price: float | None
    """The price of its trade, or None if it did not trade."""


@dataclass(frozen=True)
class DoubleAuctionView:
    """The market as one seat sees it."""

    rules: DoubleAuctionRules
    round: int
    """The number of the round, counted from 1."""
    seat: int
    seats: int
    """The number of seats. The first half are buyers, the second half sellers."""
    role: str
    value: float
    """The private value of a buyer, or the cost of a seller."""
    payoff: float
    """The sum of the seat's gains so far."""
    history: Past[PastMarketRound]
    """The past rounds as far as all seats know them."""
    own: Past[OwnMarketRound]
    """The seat's own quotes and trades in past rounds."""
    messages: Past[HeardMessage]
    """The messages of this and all past rounds that the seat wrote or may read."""

    @property
    def buys(self) -> bool:
        return self.role == "buyer"

    @property
    def sign(self) -> int:
        """1 for a buyer, −1 for a seller: a gain is the sign times the value minus the price."""
        return 1 if self.buys else -1


def play(rules: DoubleAuctionRules, table: Table) -> Play:
    """Play all rounds."""
    market = Market(rules, table)
    table.record(ValuesDealt(values=market.values, distribution=market.distribution))
    for round_ in range(1, rules.rounds + 1):
        yield from market.play_round(round_)
    market.close()


class Market:
    """The state and the history of the game, from which the views of seats are created."""

    def __init__(self, rules: DoubleAuctionRules, table: Table) -> None:
        self.rules, self.table = rules, table
        self.public_rules = rules.without_given()
        self.roles = market_roles(len(table.seats))
        self.values, self.distribution = _values(rules, table, self.roles)
        self.payoffs = [0.0] * len(self.roles)
        self.round = 0
        self.history: list[PastMarketRound] = []
        self.own: list[list[OwnMarketRound]] = [[] for _ in self.roles]
        self.talk = Talk(rules, table, self.roles, (BUYERS, SELLERS))
        amount = Amount(0, rules.max_price, whole=rules.tick == 1)
        self.spec: Spec = Optional(amount) if rules.unreadable == FORFEIT else amount

    def view(self, seat: int) -> DoubleAuctionView:
        """Return what a seat knows now."""
        return DoubleAuctionView(
            rules=self.public_rules,
            round=self.round,
            seat=seat,
            seats=len(self.roles),
            role=self.roles[seat],
            value=self.values[seat],
            payoff=self.payoffs[seat],
            history=Past(self.history),
            own=Past(self.own[seat]),
            messages=Past(self.talk.heard[seat]),
        )

    def play_round(self, round_: int) -> Generator[list[Question], list[Answer], list[Answer]]:
        """Play a round, and return its quotes as they were answered."""
        self.round = round_
        yield from self.talk.hold(round_, self.view)
        answers = yield self.ask_for_quotes()
        self.clear(answers)
        return answers

    def close(self) -> None:
        """Record the end of the game."""
        logged = logged_facts(self.table.chance).get("logged")
        if logged is not None:
            self.table.record(logged)
        self.table.record(MarketClosed(round=self.round, values=self.values, payoffs=list(self.payoffs)))

    def ask_for_quotes(self) -> list[Question]:
        """Return the questions for the quotes of all seats."""
        forfeits = self.rules.unreadable == FORFEIT
        return [
            self.table.ask(
                seat,
                QUOTE,
                self.round,
                self.spec,
                self.view(seat.index),
                fallback=None if forfeits else self._own(seat),
            )
            for seat in self.table.seats
        ]

    def _own(self, seat: Seat) -> float | int:
        value = self.values[seat.index]
        return int(value) if self.rules.tick else value

    def clear(self, answers: Sequence[Answer]) -> None:
        """Match the quotes of the round, and record its trades."""
        quotes = [None if answer.value is None else float(answer.value) for answer in answers]
        trades = self._trades(quotes)
        gains = [0.0] * len(quotes)
        prices: dict[int, float] = {}
        for trade in trades:
            gains[trade.buyer] = self.values[trade.buyer] - trade.price
            gains[trade.seller] = trade.price - self.values[trade.seller]
            prices[trade.buyer] = prices[trade.seller] = trade.price
        self.payoffs = [payoff + gain for payoff, gain in zip(self.payoffs, gains, strict=True)]
        disclosed = self.rules.disclosure == "quotes"
        self.table.record(
            MarketCleared(
                round=self.round,
                readers=[None, *range(len(quotes))] if disclosed else [],
                quotes=quotes,
                trades=trades,
                prices=[trade.price for trade in trades],
                gains=gains,
                payoffs=list(self.payoffs),
            )
        )
        self.history.append(
            PastMarketRound(
                self.round,
                tuple(quotes) if disclosed else (),
                tuple(PastTrade(trade.buyer, trade.seller, trade.price) for trade in trades) if disclosed else (),
                tuple(trade.price for trade in trades),
            )
        )
        for seat, quote in enumerate(quotes):
            self.own[seat].append(OwnMarketRound(quote, prices.get(seat)))

    def _trades(self, quotes: Sequence[float | None]) -> list[MarketTrade]:
        bids = {seat: quote for seat, quote in enumerate(quotes) if quote is not None and self.roles[seat] == "buyer"}
        asks = {seat: quote for seat, quote in enumerate(quotes) if quote is not None and self.roles[seat] == "seller"}
        chance = self.table.chance
        order = [seat.index for seat in chance.order(self.table.seats, TIES, self.round)]
        favoured = [seat.index for seat in chance.order(self.table.seats, HALF, self.round)]
        trades = []
        for pair in match_quotes(bids, asks, order):
            exact = exact_price(pair.bid, pair.ask, self.rules.k)
            # A half goes to the seat that comes first in a random order: up if it is the seller. Records of imported
            # games store such orders, and no random numbers.
            seller_first = favoured.index(pair.seller) < favoured.index(pair.buyer)
            half_up = self.rules.tick == 1 and is_half(exact) and seller_first
            price = price_on_tick(exact, self.rules.tick, half_up)
            trades.append(MarketTrade(**pair._asdict(), price=price, half_up=half_up))
        return trades


def _values(rules: DoubleAuctionRules, table: Table, roles: Sequence[str]) -> tuple[list[float], str]:
    """Return the private values and the name of their distribution. An imported game has those of its log."""
    facts = logged_facts(table.chance)
    if facts:
        return facts["values"], facts["distribution"]
    given = rules.given_values
    if given and len(given) != len(roles):
        raise InputError(f"{len(given)} private values are given, and the table has {len(roles)} seats")
    if given:
        return given, GIVEN
    least = rules.min_surplus * rules.max_price
    family = family_of(rules.values, table.chance)
    return draw_values(table.chance, roles, family, rules.max_price, rules.tick, least), family
