"""The scene of an auction: bidders on both sides of the price line, with their bids, the price, and after the end of
the game their private values."""

from typing import Any

from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import Mark, Set, Telling, listed, sentence
from ostrom.core.scene import Card, Phase, Prices, Quantity, QuantityField, Scene, Strip
from ostrom.core.telling import Presentation, Teller
from ostrom.games.market.auction.events import AuctionClosed, AuctionHeld, BidderValuesDealt
from ostrom.games.market.auction.rules import ALL_PAY, AuctionRules
from ostrom.games.market.talk import IN_TURN, MarketMessageSaid
from ostrom.games.market.tellings import tell_end, tell_message

SALES = {
    "first-price": "the highest bid wins and is paid",
    "second-price": "the highest bid wins, and the second-highest is paid",
    "all-pay": "the highest bid wins, and all bids are paid",
    "uniform-price": "the highest bids win, at one price",
}
"""What happens to bids, by format."""


def scene(rules: AuctionRules, seats: int) -> Scene:
    """Return the scene of a game."""
    price: dict[str, Any] = {"low": 0, "high": rules.max_price}
    talk = "Messages" if rules.talk == IN_TURN else "Messages at once"
    speaks = (Phase(name="speak", title=talk),) if rules.messages != "none" else ()
    return Scene(
        layout="sides",
        title="Sealed auction",
        clock="round",
        horizon=rules.rounds,
        pace=1 if speaks else 2,
        final="gains",
        course="price",
        strip=Strip(bars="price"),
        quantities={
            "gains": Quantity(title="Payoff", unit="points", signed=True),
            "value": Quantity(title="Private value", **price),
            "bid": Quantity(title="Bid", **price),
            "price": Quantity(title="Price", of="table", **price),
        },
        phases=(Phase(name="open", title="Values"), *speaks, Phase(name="sale", title="Sale")),
        card=Card(
            quantity="gains",
            notes=(QuantityField(quantity="bid", title="bids"), QuantityField(quantity="value", title="value")),
        ),
        prices=Prices(quotes="bid", trades="price", right=tuple(range((seats + 1) // 2, seats)), values="value"),
        standing=(
            QuantityField(quantity="gains"),
            QuantityField(quantity="value", title="Last value"),
            QuantityField(quantity="bid", title="Last bid"),
        ),
    )


class AuctionTeller(Teller):
    """Describes the events of an auction, one after the other."""

    def __init__(self, rules: AuctionRules, seats: int) -> None:
        self._rules, self._seats = rules, seats

    @override
    def opening(self) -> Telling:
        rules = self._rules
        units = "one unit" if rules.units == 1 else f"{rules.units} units"
        rounds = f"{rules.rounds} round{'s' if rules.rounds > 1 else ''}"
        words = f"{self._seats} bidders bid for {units} in {rounds}: {SALES[rules.format]}"
        return Telling(text=(sentence(words),), effects=(Set(values={"gains": (0.0,) * self._seats}),))

    @override
    def tell(self, event: Event) -> Telling:
        match event:
            case BidderValuesDealt():
                words = sentence("each bidder learns its private value")
                # Marks of the last round would be compared with values of this one.
                values: dict[str, Any] = {"value": tuple(event.values), "bid": (None,) * self._seats}
                return Telling(turn=event.round, phase="open", text=(words,), effects=(Set(values=values),))
            case MarketMessageSaid():
                return tell_message(event)
            case AuctionHeld():
                return self._tell_sale(event)
            case AuctionClosed():
                return tell_end(event.round, event.values, event.payoffs)
            case _:
                raise TypeError(f"not an event of an auction: {event!r}")

    @override
    def rows(self, event: Event) -> list[tuple[int, str]]:
        # Until the end of a game, a reader may not know the bids or the gains of other seats.
        if not isinstance(event, AuctionHeld) or event.bids is None or None in event.payoffs:
            return []
        return [(seat, _row(event, seat)) for seat in range(self._seats)]

    def _tell_sale(self, event: AuctionHeld) -> Telling:
        values: dict[str, Any] = {}
        # Until the end of a game that discloses the price only, readers get None in place of bids and winners.
        if event.bids is not None:
            values["bid"] = tuple(event.bids)
        if any(payoff is not None for payoff in event.payoffs):
            values["gains"] = tuple(event.payoffs)
        effects = (Set(values=values),) if values else ()
        if event.price is None:
            title = sentence("nothing is sold")
            return Telling(turn=event.round, phase="sale", title=title, effects=(*effects, Mark(tone="bad")))
        at = f" at {event.price:,.6g}"
        if event.winners:
            wins = " wins" if len(event.winners) == 1 else " win"
            every = ", and all pay their bids" if self._rules.format == ALL_PAY else ""
            title = sentence(*listed(event.winners), f"{wins}{at}{every}")
        else:
            title = sentence(f"{'one unit is' if self._rules.units == 1 else 'units are'} sold{at}")
        sold = Set(values={"price": event.price})
        return Telling(turn=event.round, phase="sale", title=title, effects=(*effects, sold))


def _row(event: AuctionHeld, seat: int) -> str:
    bid = event.bids[seat]
    said = "no bid" if bid is None else f"bids {bid:,.6g}"
    paid = f"pays {event.payments[seat]:,.6g}" if event.payments[seat] else ""
    won = "wins" if seat in event.winners else ""
    return f"{said:12}  {won:4}  {paid:12}  {event.gains[seat]:+8,.5g}  total {event.payoffs[seat]:10,.10g}"


PRESENTATION = Presentation(scene, AuctionTeller)
