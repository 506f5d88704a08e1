"""A small double auction with private values, for tests of games with roles: a call market in rounds. All quote at
once; the highest bids meet the lowest asks, and each pair trades at its midpoint. The players follow the field:
truthful, zero intelligence (Gode and Sunder 1993), Zip (Cliff 1997, with a fixed learning rate) and a sniper, which
waits for the last rounds and then quotes what the other side asked for before."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom import strategy
from ostrom.core import Amount, Event, EventRegistry, Play, Question, Table
from ostrom.core.effects import Set, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Card, Prices, Quantity, QuantityField, Scene
from ostrom.core.telling import Presentation, SimpleTeller

MAX_PRICE = 100


class AuctionRules(BaseModel):
    """The settings of the auction."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(6, ge=1, le=100, description="Rounds of a game.")


@dataclass(frozen=True)
class AuctionView:
    """The information of a seat."""

    rules: AuctionRules
    role: str
    value: int
    round: int
    bids: tuple[tuple[int, ...], ...]
    """The bids of earlier rounds."""
    asks: tuple[tuple[int, ...], ...]
    prices: tuple[tuple[float, ...], ...]


EVENTS = EventRegistry()


@EVENTS.register
class Cleared(Event):
    """The market of a round cleared."""

    tag: ClassVar[str] = "cleared"
    round: int
    quotes: list[int]
    prices: list[float]


@EVENTS.register
class Closed(Event):
    """The auction is over."""

    tag: ClassVar[str] = "closed"
    round: int
    payoffs: list[float]


def sides(seats: int) -> tuple[str, ...]:
    """The first half of the seats buy, the second half sell."""
    return ("buyer",) * (seats // 2) + ("seller",) * (seats // 2)


def clear(quotes: Sequence[int], roles: Sequence[str]) -> list[tuple[int, int, float]]:
    """Return the trades as buyer, seller and price."""
    buyers = sorted((seat for seat, role in enumerate(roles) if role == "buyer"), key=lambda seat: -quotes[seat])
    sellers = sorted((seat for seat, role in enumerate(roles) if role == "seller"), key=lambda seat: quotes[seat])
    pairs = zip(buyers, sellers, strict=True)
    return [(one, other, (quotes[one] + quotes[other]) / 2) for one, other in pairs if quotes[one] >= quotes[other]]


def play(rules: AuctionRules, table: Table) -> Play:
    """Ask all seats for a quote in every round, and clear the market."""
    roles = sides(len(table.seats))
    values = [int(table.chance.uniform("value", 0, seat.index) * (MAX_PRICE + 1)) for seat in table.seats]
    payoffs = [0.0] * len(values)
    bids, asks, prices = [], [], []
    for round_ in range(1, rules.rounds + 1):
        history = tuple(bids), tuple(asks), tuple(prices)
        answers = yield [
            table.ask(
                seat,
                "quote",
                round_,
                Amount(0, MAX_PRICE, whole=True),
                AuctionView(rules, role, value, round_, *history),
                fallback=value,
            )
            for seat, role, value in zip(table.seats, roles, values, strict=True)
        ]
        quotes = [int(answer.value) for answer in answers]
        trades = clear(quotes, roles)
        for buyer, seller, price in trades:
            payoffs[buyer] += values[buyer] - price
            payoffs[seller] += price - values[seller]
        bids.append(tuple(quote for quote, role in zip(quotes, roles, strict=True) if role == "buyer"))
        asks.append(tuple(quote for quote, role in zip(quotes, roles, strict=True) if role == "seller"))
        prices.append(tuple(price for _, _, price in trades))
        table.record(Cleared(round=round_, quotes=quotes, prices=list(prices[-1])))
    table.record(Closed(round=rules.rounds, payoffs=payoffs))


def finals(events: Sequence[Event]) -> list[float | None]:
    """Return the payoffs."""
    closed = events[-1]
    assert isinstance(closed, Closed)
    return [*closed.payoffs]


def scene(rules: AuctionRules, seats: int) -> Scene:
    """Buyers on the left of the price line, sellers on the right."""
    price = {"low": 0, "high": MAX_PRICE}
    return Scene(
        layout="sides",
        title="Double auction",
        clock="round",
        horizon=rules.rounds,
        final="payoff",
        roles=sides(seats),
        quantities={
            "payoff": Quantity(title="Payoff", signed=True),
            "quote": Quantity(title="Quote", **price),
            "price": Quantity(title="Price", of="table", **price),
        },
        card=Card(quantity="payoff", notes=(QuantityField(quantity="quote", title="quotes"),)),
        prices=Prices(quotes="quote", trades="price", right=tuple(range(seats // 2, seats))),
        standing=(QuantityField(quantity="payoff"), QuantityField(quantity="quote")),
    )


def tell(event: Event) -> Telling:
    """Each round: the quotes, and the prices of its trades."""
    if isinstance(event, Cleared):
        trades = ", ".join(f"{price:g}" for price in event.prices)
        text = f"The market trades at {trades}." if trades else "No bid meets an ask."
        effects = (Set(values={"quote": tuple(event.quotes)}), *(Set(values={"price": one}) for one in event.prices))
        return Telling(turn=event.round, text=(sentence(text),), effects=effects)
    assert isinstance(event, Closed)
    effects = (Set(values={"payoff": tuple(event.payoffs)}),)
    return Telling(turn=event.round, phase="end", text=(sentence("The auction is over."),), effects=effects)


PRESENTATION = Presentation(scene, lambda rules, seats: SimpleTeller(tell))
AUCTION = Game(
    name="call_market",
    title="Double auction",
    summary="buyers and sellers with private values quote at once, and the market clears",
    seats=Seats(2, 8, usual=4, multiple=2),
    unit="points",
    rules=AuctionRules,
    view=AuctionView,
    play=play,
    events=EVENTS,
    finals=finals,
    roles=sides,
    scene=f"{__name__}:PRESENTATION",
    aim="payoff",
    api=2,
)


def truthful(question: Question[AuctionView]) -> int:
    """Quotes its value."""
    return question.view.value


def zero_intelligence(question: Question[AuctionView], draw: Callable[[], float]) -> int:
    """Quotes at random, without a loss."""
    view = question.view
    if view.role == "buyer":
        return int(draw() * (view.value + 1))
    return view.value + int(draw() * (MAX_PRICE - view.value + 1))


def zip_trader(question: Question[AuctionView]) -> int:
    """Moves its quote by a third towards the last price, or the middle of the best quotes if none traded."""
    view, sign = question.view, 1 if question.view.role == "buyer" else -1
    quote = view.value - sign * 20.0
    for prices, bids, asks in zip(view.prices, view.bids, view.asks, strict=True):
        target = sum(prices) / len(prices) if prices else (max(bids) + min(asks)) / 2
        quote += (target - quote) / 3
    limited = min(quote, view.value) if sign > 0 else max(quote, view.value)
    return round(min(max(limited, 0), MAX_PRICE))


def sniper(question: Question[AuctionView]) -> int:
    """Stays away at first; then quotes the best of the other side in the round before, if that is no loss."""
    view = question.view
    if view.role == "buyer":
        return 0 if view.round <= 2 else min(view.value, min(view.asks[-1]) + 1)
    return MAX_PRICE if view.round <= 2 else max(view.value, max(view.bids[-1]) - 1)


PLAYERS = ("Truthful", "ZeroIntelligence", "Zip", "Sniper")


def register() -> Game:
    """Register the game and its players, once."""
    if AUCTION.name not in GAMES:
        GAMES.add(AUCTION)
        for name, function in zip(PLAYERS, (truthful, zero_intelligence, zip_trader, sniper), strict=True):
            strategy(game=AUCTION, name=name)(function)
    return AUCTION
