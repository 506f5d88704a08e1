"""The events of a double auction. Lists are indexed by seat, unless said."""

from collections.abc import Sequence
from typing import Annotated, Any

from ostrom.core import Event, EventRegistry
from ostrom.core.events import Frozen
from ostrom.core.game import Figure, Figures
from ostrom.core.secrecy import PerSeat, PrivateTo, Sealed
from ostrom.games.market.double_auction.rules import DoubleAuctionRules, market_roles
from ostrom.games.market.talk import MarketMessageSaid

EVENTS = EventRegistry()


class MarketTrade(Frozen):
    """A trade of one unit."""

    buyer: int
    seller: int
    bid: float
    ask: float
    price: float
    half_up: bool = False
    """True if the price was halfway between two whole numbers and was rounded up."""


@EVENTS.register
class ValuesDealt(Event, tag="values_dealt"):
    """Each seat learns its private value or cost."""

    values: Annotated[list[float], PerSeat()]
    distribution: Annotated[str, Sealed()]
    """The family of the distribution from which the values are drawn, or `given` if the rules have them. An imported
    game has the name that its source uses."""


EVENTS.register(MarketMessageSaid)


@EVENTS.register
class MarketQuoted(Event, tag="market_quoted"):
    """In a continuous market, a seat quoted. A seat that passes has no such event."""

    round: int
    readers: list[int | None]
    """The seats that learn before the end of the game who quoted, and how much. None is the public."""
    seat: Annotated[int, PrivateTo("readers")]
    quote: Annotated[float, PrivateTo("readers")]
    trade: Annotated[MarketTrade | None, PrivateTo("readers")]
    """The trade, if the quote met a standing one."""
    price: float | None
    """The price of the trade."""
    bid: float | None
    """The standing bid after the quote, None if there is none."""
    ask: float | None


@EVENTS.register
class MarketCleared(Event, tag="market_cleared"):
    """The round is over: all seats quoted at once, and the market cleared, or a continuous market closed."""

    round: int
    readers: list[int | None]
    """The seats that learn the quotes and the trades before the end of the game. None is the public."""
    quotes: Annotated[list[float | None], PrivateTo("readers")]
    """The quotes. A seat that quoted nothing has None. In a continuous market, it is the seat's last quote."""
    trades: Annotated[list[MarketTrade], PrivateTo("readers")]
    """The trades, the highest bid first; in a continuous market, in the order of time."""
    prices: list[float]
    """The prices of the trades, in their order."""
    gains: Annotated[list[float], PerSeat()]
    """The gain of each seat in this round."""
    payoffs: Annotated[list[float], PerSeat()]
    """The sum of each seat's gains so far."""


@EVENTS.register
class MarketPosted(Event, tag="market_posted"):
    """In an anonymous call market, the quotes of a round become public without the names of the seats."""

    round: int
    bids: list[float]
    """The bids from the highest. The first ones trade, as many as there are prices."""
    asks: list[float]
    """The asks from the lowest."""


@EVENTS.register
class MarketLogged(Event, tag="market_logged"):
    """The facts in the log of an imported game in addition to its moves."""

    id: str
    """The game's id in its source."""
    schema_version: str
    """The version of the source's format."""
    algorithms: list[int]
    """The seats that were held by algorithms; the others were held by language models."""
    csa: list[float | None]
    """The conditional surplus alpha (CSα) that the source gives to each seat. Its reference is not public."""


@EVENTS.register
class MarketClosed(Event, tag="market_closed"):
    """The last round is over, and private values become public."""

    round: int
    values: list[float]
    payoffs: list[float]


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the payoff of each seat."""
    end = events[-1]
    assert isinstance(end, MarketClosed)
    return [*end.payoffs]


def dealt(events: Sequence[Event]) -> dict[str, Any]:
    """Return what the log of an imported game says besides its moves: private values, the name of their distribution,
    and the content of `MarketLogged`."""
    facts: dict[str, Any] = {}
    for event in events:
        if isinstance(event, ValuesDealt):
            facts |= {"values": event.values, "distribution": event.distribution}
        elif isinstance(event, MarketLogged):
            facts["logged"] = event
    return facts


def figures(rules: DoubleAuctionRules, events: Sequence[Event]) -> Figures:
    """Return the role and the private value of each seat, and the share of rounds in which it traded."""
    end = events[-1]
    assert isinstance(end, MarketClosed)
    counts = [0] * len(end.values)
    for event in events:
        for trade in event.trades if isinstance(event, MarketCleared) else ():
            counts[trade.buyer] += 1
            counts[trade.seller] += 1
    return Figures(
        [
            Figure("role", "role", market_roles(len(end.values))),
            Figure("value", "value or cost", end.values, "{:,.6g}".format),
            Figure("trade_frequency", "traded", [count / end.round for count in counts], "{:.0%}".format),
        ]
    )
