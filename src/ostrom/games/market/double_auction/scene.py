"""The scene of a double auction: buyers and sellers on the two sides of the price line, with their quotes and trades as
marks. Private values are shown after the end."""

from typing import Any

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Mark, Set, Telling, sentence
from ostrom.core.scene import Card, Phase, Prices, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom.games.market.double_auction.events import (
    MarketCleared,
    MarketClosed,
    MarketLogged,
    MarketPosted,
    MarketQuoted,
    ValuesDealt,
)
from ostrom.games.market.double_auction.rules import CONTINUOUS, DoubleAuctionRules, market_roles
from ostrom.games.market.talk import IN_TURN, MarketMessageSaid
from ostrom.games.market.tellings import tell_end, tell_message


def scene(rules: DoubleAuctionRules, seats: int, title: str = "Double auction") -> Scene:
    """Return the scene of a game."""
    price: dict[str, Any] = {"low": 0, "high": rules.max_price}
    talk = "Messages" if rules.talk == IN_TURN else "Messages at once"
    speaks = (Phase(name="speak", title=talk),) if rules.messages != "none" else ()
    quotes = (Phase(name="quote", title="Quotes"),) if rules.market == CONTINUOUS else ()
    return Scene(
        layout="sides",
        title=title,
        clock="round",
        horizon=rules.rounds if rules.continuation == 1 else None,
        pace=1 if speaks else 2,
        final="gains",
        course="trades",
        strip=Strip(bars="trades"),
        roles=market_roles(seats),
        quantities={
            "gains": Quantity(title="Payoff", unit="points", signed=True),
            "value": Quantity(title="Value or cost", **price),
            "quote": Quantity(title="Quote", **price),
            "price": Quantity(title="Price", of="table", **price),
            "trades": Quantity(title="Trades", of="table", digits=0, low=0, high=seats // 2),
        },
        phases=(*speaks, *quotes, Phase(name="clear", title="Market")),
        card=Card(
            quantity="gains",
            notes=(QuantityField(quantity="quote", title="quotes"), QuantityField(quantity="value", title="value")),
        ),
        prices=Prices(
            quotes="quote",
            trades="price",
            right=tuple(range(seats // 2, seats)),
            values="value",
            # With one seat on a side, the curves have one step each, which the marks show already.
            curves=seats > 2,
        ),
        standing=(
            QuantityField(quantity="gains"),
            QuantityField(quantity="value"),
            QuantityField(quantity="quote", title="Last quote"),
        ),
    )


class DoubleAuctionTeller(Teller):
    """Describes the events of a double auction, one after the other."""

    def __init__(self, rules: DoubleAuctionRules, seats: int) -> None:
        self._rules, self._seats = rules, seats
        self._quotes: list[float | None] = [None] * seats
        """The quotes of this round in a continuous market."""

    @override
    def opening(self) -> Telling:
        half, rounds = self._seats // 2, self._rules.rounds
        traders = f"{half} buyer{'s' if half > 1 else ''} and {half} seller{'s' if half > 1 else ''}"
        way = "one after another" if self._rules.market == CONTINUOUS else "at once"
        number = f"{rounds} round{'s' if rounds > 1 else ''}"
        words = f"{traders} quote {way} in {number}"
        if self._rules.continuation < 1:
            chance = f"after each round another follows with probability {self._rules.continuation:g}"
            words = f"{traders} quote {way} in at most {number}; {chance}"
        if self._rules.anonymity:
            words += "; quotes and trades have no names"
        return Telling(text=(sentence(words),), effects=(Set(values={"gains": (0.0,) * self._seats}),))

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case ValuesDealt():
                words = sentence("each seat learns its private value or cost")
                return Telling(text=(words,), effects=(Set(values={"value": tuple(event.values)}),))
            case MarketMessageSaid():
                return tell_message(event)
            case MarketQuoted():
                return self._tell_quote(event)
            case MarketCleared():
                self._quotes = [None] * self._seats
                return _tell_round(event)
            case MarketPosted():
                bids, asks = (", ".join(_shown(quote) for quote in side) or "none" for side in (event.bids, event.asks))
                return Telling(turn=event.round, phase="clear", text=(sentence(f"bids {bids}; asks {asks}"),))
            case MarketLogged():
                return Telling()
            case MarketClosed():
                return tell_end(event.round, event.values, event.payoffs)
            case _:
                raise TypeError(f"not an event of a double auction: {event!r}")

    def _tell_quote(self, event: MarketQuoted) -> Telling:
        standing = f"standing: bid {_shown(event.bid)}, ask {_shown(event.ask)}"
        # Until the end of a game that discloses prices only, readers get None in place of the seat.
        if event.seat is None or event.quote is None:
            words = sentence("a quote" if event.price is None else f"a trade at {_shown(event.price)}", f"; {standing}")
        else:
            self._quotes[event.seat] = event.quote
            word = "bids" if event.seat < self._seats // 2 else "asks"
            met = "" if event.price is None else f" and trades at {_shown(event.price)}"
            words = sentence(event.seat, f" {word} {_shown(event.quote)}{met}; {standing}")
        prices = () if event.price is None else (Set(values={"price": event.price}),)
        effects = (Set(values={"quote": tuple(self._quotes)}), *prices)
        return Telling(turn=event.round, phase="quote", text=(words,), effects=effects)

    @override
    def rows(self, event: Event) -> list[tuple[int, str]]:
        # Until the end of a game, a reader may not know the quotes or the gains of other seats.
        if not isinstance(event, MarketCleared) or event.quotes is None or None in event.payoffs:
            return []
        prices = {seat: trade.price for trade in event.trades for seat in (trade.buyer, trade.seller)}
        return [(seat, _row(event, seat, prices.get(seat))) for seat in range(self._seats)]


def _shown(price: float | None) -> str:
    return "none" if price is None else f"{price:,.6g}"


def _row(event: MarketCleared, seat: int, price: float | None) -> str:
    quote = event.quotes[seat]
    word = "bids" if seat < len(event.quotes) // 2 else "asks"
    said = "passes" if quote is None else f"{word} {quote:,.6g}"
    trade = "" if price is None else f"trades at {price:,.6g}"
    return f"{said:12}  {trade:18}  {event.gains[seat]:+8,.5g}  total {event.payoffs[seat]:10,.10g}"


def _tell_round(event: MarketCleared) -> Telling:
    values: dict[str, Any] = {"trades": len(event.prices)}
    # Until the end of a game that discloses prices only, readers get None in place of quotes.
    if event.quotes is not None:
        values["quote"] = tuple(event.quotes)
    if any(payoff is not None for payoff in event.payoffs):
        values["gains"] = tuple(event.payoffs)
    count = len(event.prices)
    title = sentence("no bid meets an ask")
    if event.prices:
        at = ", ".join(f"{price:,.6g}" for price in event.prices)
        title = sentence(f"{count} trade{'s' if count > 1 else ''} at {at}")
    # The trades are None, too, in place of a secret.
    text = tuple(
        sentence(trade.buyer, " buys from ", trade.seller, f" at {trade.price:,.6g}") for trade in event.trades or ()
    )
    prices = tuple(Set(values={"price": price}) for price in event.prices)
    mark = () if event.prices else (Mark(tone="bad"),)
    return Telling(
        turn=event.round, phase="clear", title=title, text=text, effects=(Set(values=values), *prices, *mark)
    )


PRESENTATION = Presentation(scene, DoubleAuctionTeller)
