"""The generator that plays a double auction, and the view of a seat. If the rules have messages, they come before the
quotes of a round: one step for each seat in turn, or one for all at once."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ostrom.core import Amount, Answer, InputError, Optional, Play, Question, Seat, Spec, Table
from ostrom.core.chance import logged_facts
from ostrom.core.table import Past
from ostrom.games.market.clearing import exact_price, is_half, match_quotes, price_on_tick
from ostrom.games.market.double_auction.book import Book, BookStep, OpenBook
from ostrom.games.market.double_auction.events import (
    MarketCleared,
    MarketClosed,
    MarketPosted,
    MarketQuoted,
    MarketTrade,
    ValuesDealt,
)
from ostrom.games.market.double_auction.rules import CONTINUOUS, FORFEIT, KEPT, DoubleAuctionRules, market_roles
from ostrom.games.market.talk import HeardMessage, Talk
from ostrom.games.market.values import draw_values, family_of

QUOTE: Final = "quote"
"""The phase after the messages of a round, if the rules have messages."""
TIES: Final = "ties"
HALF: Final = "half"
"""The purposes of the random orders of seats: which of equal quotes is ranked first, and in whose favour a half price
is rounded."""

ORDER: Final = "order"
"""The purpose of the random orders in which the seats of a continuous market are asked."""

CONTINUE: Final = "continue"
"""The purpose of the random number that decides whether another round follows."""
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
    """The quote of each seat, None for a seat that quoted nothing. Empty if only prices are disclosed. In an anonymous
    market, the quotes of each side are in order of price instead: bids from the highest, asks from the lowest, then
    None for each seat of the side that quoted nothing."""
    trades: tuple[PastTrade, ...]
    """The trades, the highest bid first. Empty if only prices are disclosed, and in an anonymous market."""
    prices: tuple[float, ...]
    steps: tuple[BookStep, ...] = ()
    """The quotes of a continuous market, in the order of time."""


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
    book: OpenBook | None = None
    """The standing quotes of a continuous market."""
    steps: tuple[BookStep, ...] = ()
    """The quotes of this round up to now in a continuous market, in the order of time."""

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
        if market.ends():
            break
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
        self.book: OpenBook | None = None
        self.steps: list[BookStep] = []
        self.talk = Talk(rules, table, self.roles, (BUYERS, SELLERS))
        amount = Amount(0, rules.max_price, whole=rules.tick == 1)
        passes = rules.unreadable == FORFEIT or rules.market == CONTINUOUS
        self.spec: Spec = Optional(amount) if passes else amount

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
            book=self.book,
            steps=tuple(self.steps),
        )

    def play_round(self, round_: int) -> Generator[list[Question], list[Answer], list[Answer]]:
        """Play a round, and return its quotes as they were answered. A continuous market returns none."""
        self.round = round_
        yield from self.talk.hold(round_, self.view)
        if self.rules.market == CONTINUOUS:
            yield from self._trade_in_turn()
            return []
        answers = yield self.ask_for_quotes()
        self.clear(answers)
        return answers

    def ends(self) -> bool:
        """Return whether the game ends after this round."""
        if self.rules.continuation == 1 or self.round == self.rules.rounds:
            return self.round == self.rules.rounds
        return self.table.chance.uniform(CONTINUE, self.round) >= self.rules.continuation

    def close(self) -> None:
        """Record the end of the game."""
        logged = logged_facts(self.table.chance).get("logged")
        if logged is not None:
            self.table.record(logged)
        self.table.record(MarketClosed(round=self.round, values=self.values, payoffs=list(self.payoffs)))

    def ask_for_quotes(self) -> list[Question]:
        """Return the questions for the quotes of all seats."""
        return [self._ask(seat, self.round) for seat in self.table.seats]

    def _ask(self, seat: Seat, turn: int) -> Question:
        fallback = None if self.rules.unreadable == FORFEIT else self._own(seat)
        return self.table.ask(seat, QUOTE, turn, self.spec, self.view(seat.index), fallback=fallback)

    def _trade_in_turn(self) -> Play:
        """Play a round of a continuous market. It ends after the last call, or before it if all seats pass or no pair
        of seats is left that could trade."""
        book = Book(self.roles, self.rules.book == KEPT)
        quotes: list[float | None] = [None] * len(self.roles)
        trades: list[MarketTrade] = []
        traded: set[int] = set()
        for call in range(1, self.rules.times_asked + 1):
            # Each call is a turn of its own, so that seats and their random draws can be told apart.
            turn = (self.round - 1) * self.rules.times_asked + call
            quoted = False
            for seat in self.table.chance.order(self.table.seats, ORDER, turn):
                if seat.index in traded or len(traded) == len(self.roles):
                    continue
                self.book = OpenBook(call, book.bid, book.ask)
                (answer,) = yield [self._ask(seat, turn)]
                if answer.value is None:
                    continue
                quoted, quotes[seat.index] = True, float(answer.value)
                trade = self._quote(book, seat.index, float(answer.value))
                if trade is not None:
                    trades.append(trade)
                    traded |= {trade.buyer, trade.seller}
            if not quoted:
                break
        steps, self.steps, self.book = tuple(self.steps), [], None
        self._finish(quotes, trades, steps)

    def _quote(self, book: Book, seat: int, quote: float) -> MarketTrade | None:
        """Add a quote to the book, record it, and return the trade that it makes."""
        met, trade = book.place(seat, quote), None
        partner, price = met or (None, None)
        if partner is not None and price is not None:
            bid, ask = (quote, price) if self.roles[seat] == "buyer" else (price, quote)
            buyer, seller = (seat, partner) if self.roles[seat] == "buyer" else (partner, seat)
            trade = MarketTrade(buyer=buyer, seller=seller, bid=bid, ask=ask, price=price)
        disclosed = self.rules.names_quotes
        parties: list[int | None] = [seat] if partner is None else [*sorted([seat, partner])]
        self.table.record(
            MarketQuoted(
                round=self.round,
                readers=[None, *range(len(self.roles))] if disclosed else parties,
                seat=seat,
                quote=quote,
                trade=trade,
                price=price,
                bid=book.bid,
                ask=book.ask,
            )
        )
        named = BookStep(seat, quote, book.bid, book.ask, partner, price)
        self.steps.append(named if disclosed else BookStep(None, None, book.bid, book.ask, None, price))
        return trade

    def _own(self, seat: Seat) -> float | int:
        value = self.values[seat.index]
        return int(value) if self.rules.tick else value

    def clear(self, answers: Sequence[Answer]) -> None:
        """Match the quotes of the round, and record its trades."""
        quotes = [None if answer.value is None else float(answer.value) for answer in answers]
        self._finish(quotes, self._trades(quotes), ())

    def _finish(
        self, quotes: Sequence[float | None], trades: Sequence[MarketTrade], steps: tuple[BookStep, ...]
    ) -> None:
        """Record the quotes and the trades of the round, and add them to the history."""
        gains = [0.0] * len(quotes)
        prices: dict[int, float] = {}
        for trade in trades:
            gains[trade.buyer] = self.values[trade.buyer] - trade.price
            gains[trade.seller] = trade.price - self.values[trade.seller]
            prices[trade.buyer] = prices[trade.seller] = trade.price
        self.payoffs = [payoff + gain for payoff, gain in zip(self.payoffs, gains, strict=True)]
        disclosed = self.rules.names_quotes
        posted = self._post(quotes) if self.rules.anonymity else ()
        self.table.record(
            MarketCleared(
                round=self.round,
                readers=[None, *range(len(quotes))] if disclosed else [],
                quotes=list(quotes),
                trades=list(trades),
                prices=[trade.price for trade in trades],
                gains=gains,
                payoffs=list(self.payoffs),
            )
        )
        self.history.append(
            PastMarketRound(
                self.round,
                tuple(quotes) if disclosed else posted,
                tuple(PastTrade(trade.buyer, trade.seller, trade.price) for trade in trades) if disclosed else (),
                tuple(trade.price for trade in trades),
                steps,
            )
        )
        for seat, quote in enumerate(quotes):
            self.own[seat].append(OwnMarketRound(quote, prices.get(seat)))

    def _post(self, quotes: Sequence[float | None]) -> tuple[float | None, ...]:
        """Record the quotes of an anonymous round as all seats learn them, and return them in order of price."""
        if self.rules.disclosure != "quotes" or self.rules.market == CONTINUOUS:
            return ()
        half = len(quotes) // 2
        bids = sorted((quote for quote in quotes[:half] if quote is not None), reverse=True)
        asks = sorted(quote for quote in quotes[half:] if quote is not None)
        self.table.record(MarketPosted(round=self.round, bids=bids, asks=asks))
        return (*bids, *[None] * (half - len(bids)), *asks, *[None] * (half - len(asks)))

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
