"""One seat sends money, which grows on the way; the other sends back what it likes."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Event, EventRegistry, Play, Table
from ostrom.core.effects import Flow, Telling, Transfer, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.drawing import parties
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented, told
from ostrom.games.battery.played.view import PlayedView
from ostrom.games.battery.trust import ReturnFacts, SendFacts

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class TrustRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    endowment: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What the sender begins with; the other begins with nothing."""
    multiplier: float = Field(3.0, gt=0, le=100, allow_inf_nan=False)
    """What is sent is multiplied by this before it arrives."""


@EVENTS.register
class Sent(Event):
    """Seat 0 sent to seat 1."""

    tag: ClassVar[str] = "sent"

    endowment: float
    amount: float
    received: float
    """What arrived."""


@EVENTS.register
class Returned(Event):
    """Seat 1 sent back."""

    tag: ClassVar[str] = "returned"

    amount: float


def play(rules: TrustRules, table: Table) -> Play:
    """Seat 0 sends, then seat 1 returns; it is not asked where nothing arrived. Who gives no legal answer sends, or
    returns, nothing."""
    sender, returner = table.seats
    view = PlayedView("trust", "sender", sender.index, SendFacts(rules.endowment, rules.multiplier))
    (given,) = yield [table.ask(sender, view.role, 1, Amount(0, rules.endowment), view, fallback=0.0)]
    sent = given.value
    received = round(sent * rules.multiplier, 9)
    table.record(Sent(endowment=rules.endowment, amount=sent, received=received))
    returned = 0.0
    if received > 0:
        facts = ReturnFacts(rules.endowment, rules.multiplier, sent, received)
        view = PlayedView("trust", "returner", returner.index, facts)
        (back,) = yield [table.ask(returner, view.role, 2, Amount(0, received), view, fallback=0.0)]
        returned = back.value
    table.record(Returned(amount=returned))
    end(table, [rules.endowment - sent + returned, received - returned])


class TrustTeller(PlayedTeller[TrustRules]):
    """What is sent, what arrives, and what comes back."""

    sent: Sent | None = None
    returned: float | None = None

    def form(self) -> Flow:
        """The money on its way."""
        return Flow(
            parties=parties("sender", "returner"),
            endowment=self.rules.endowment,
            multiplier=self.rules.multiplier,
            sent=None if self.sent is None else self.sent.amount,
            received=None if self.sent is None else self.sent.received,
            returned=self.returned,
        )

    def move(self, event: Event) -> Telling:
        """What was sent, or returned."""
        match event:
            case Sent():
                self.sent = event
                gets = f" gets {told(event.received)}"
                words = sentence(0, f" sends {told(event.amount)} of {told(event.endowment)}, ", 1, gets)
                transfer = Transfer(source=0, target=1, amount=event.amount, arrives=event.received)
                return Telling(text=(words,), effects=(transfer,))
            case Returned():
                self.returned = event.amount
                transfer = Transfer(source=1, target=0, amount=event.amount)
                return Telling(text=(sentence(1, f" returns {told(event.amount)}"),), effects=(transfer,))
            case _:
                raise foreign(event, "the trust game")


PRESENTATION = presented("Trust", TrustTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """What was sent, what arrived, what came back, and the payoffs."""
    return {
        "sent": [event.amount for event in events if isinstance(event, Sent)],
        "received": [event.received for event in events if isinstance(event, Sent)],
        "returned": [event.amount for event in events if isinstance(event, Returned)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


TRUST = Game(
    name="trust",
    title="Trust",
    summary="one sends money that grows on the way; the other sends back what it likes",
    seats=Seats(2, 2, usual=2),
    rules=TrustRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.trust:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:TrustBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
