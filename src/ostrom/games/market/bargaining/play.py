"""The settings of bargaining, its events, and the generator that plays it. A round is that of the double auction."""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from ostrom.core import Answer, Event, EventRegistry, Play, Provenance, Table
from ostrom.games.market.double_auction.events import MarketCleared, MarketClosed, MarketLogged, ValuesDealt
from ostrom.games.market.double_auction.play import Market
from ostrom.games.market.double_auction.rules import DoubleAuctionRules
from ostrom.games.market.talk import MarketMessageSaid

EVENTS = EventRegistry()
for _event in (ValuesDealt, MarketMessageSaid, MarketCleared, MarketLogged, MarketClosed):
    EVENTS.register(_event)


@EVENTS.register
class BargainingAborted(Event, tag="bargaining_aborted"):
    """The game ends early, since a seat gave no legal quote in several rounds in a row."""

    round: int
    seat: int


class BargainingRules(DoubleAuctionRules):
    """The settings of bargaining between one buyer and one seller. The lowest price is 0."""

    rounds: int = Field(20, ge=1, le=1000)
    """Number of rounds in a game. Private values stay the same in all rounds."""
    market: Literal["call"] = "call"
    """Bargaining is a call market: both seats quote at once."""
    times_asked: Literal[3] = 3
    """This rule has no effect on a call market."""
    book: Literal["cleared"] = "cleared"
    """This rule has no effect on a call market."""
    anonymity: Literal[False] = False
    """Each seat knows who the other one is, since there are only two."""
    messages: Literal["none", "all"] = "all"
    """Let both seats write before they quote. All messages are public."""
    abort_after: int = Field(0, ge=0, le=1000)
    """End the game if a seat gives no legal quote in this many rounds in a row. Gains so far count. With 0, the game
    never ends early."""


def play(rules: BargainingRules, table: Table) -> Play:
    """Play all rounds, or those until a seat has given no legal quote too often."""
    market = Market(rules, table)
    table.record(ValuesDealt(values=market.values, distribution=market.distribution))
    missed = [0, 0]
    for round_ in range(1, rules.rounds + 1):
        answers = yield from market.play_round(round_)
        missed = _count_missed(missed, answers)
        if rules.abort_after and max(missed) >= rules.abort_after:
            table.record(BargainingAborted(round=round_, seat=missed.index(max(missed))))
            break
        if market.ends():
            break
    market.close()


def _count_missed(missed: Sequence[int], answers: Sequence[Answer]) -> list[int]:
    """Return for each seat the number of rounds in a row, up to this one, without a legal answer of its own. A seat
    that passes has answered."""
    return [
        count + 1 if answer.provenance is Provenance.DEFAULTED else 0
        for count, answer in zip(missed, answers, strict=True)
    ]
