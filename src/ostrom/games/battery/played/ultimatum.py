"""One seat offers another a part of a pot; if the other rejects, both get nothing."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Choice, Event, EventRegistry, Play, Table
from ostrom.core.effects import Choose, Split, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.drawing import parties
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented, told
from ostrom.games.battery.played.view import PlayedView, choosing
from ostrom.games.battery.ultimatum import OPTIONS, OfferFacts, RespondFacts

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class UltimatumRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    pot: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What is to be divided, in dollars."""


@EVENTS.register
class Offered(Event):
    """Seat 0 made its offer to seat 1."""

    tag: ClassVar[str] = "offered"

    pot: float
    offer: float


@EVENTS.register
class Responded(Event):
    """Seat 1 took or refused it."""

    tag: ClassVar[str] = "responded"

    accepted: bool


def play(rules: UltimatumRules, table: Table) -> Play:
    """Seat 0 offers, then seat 1 responds. Who gives no legal answer offers nothing, or has agreed to nothing and so
    rejects."""
    proposer, responder = table.seats
    view = PlayedView("ultimatum", "proposer", proposer.index, OfferFacts(pot=rules.pot))
    (offered,) = yield [table.ask(proposer, view.role, 1, Amount(0, rules.pot), view, fallback=0.0)]
    offer = offered.value
    table.record(Offered(pot=rules.pot, offer=offer))
    facts = RespondFacts(pot=rules.pot, offer=offer)
    view = choosing("ultimatum", "responder", responder, facts, OPTIONS, table.chance, 2)
    (response,) = yield [table.ask(responder, view.role, 2, Choice(OPTIONS), view, fallback="reject")]
    accepted = response.value == "accept"
    table.record(Responded(accepted=accepted))
    end(table, [rules.pot - offer, offer] if accepted else [0, 0])


class UltimatumTeller(PlayedTeller[UltimatumRules]):
    """The pot, the offer, and whether it was taken."""

    offer: float | None = None
    accepted: bool | None = None

    def form(self) -> Split:
        """The pot as it would be divided."""
        return Split(
            parties=parties("proposer", "responder"),
            pot=self.rules.pot,
            offer=self.offer,
            consent=True,
            accepted=self.accepted,
        )

    def move(self, event: Event) -> Telling:
        """What was offered, or answered."""
        match event:
            case Offered():
                self.offer = event.offer
                words = sentence(0, " offers ", 1, f" {told(event.offer)} of {told(event.pot)}")
                return Telling(text=(words,), effects=(Choose(seat=0, value=event.offer),))
            case Responded():
                self.accepted = event.accepted
                choice = Choose(seat=1, value="accept" if event.accepted else "reject")
                return Telling(text=(sentence(1, " accepts" if event.accepted else " rejects"),), effects=(choice,))
            case _:
                raise foreign(event, "the ultimatum game")


PRESENTATION = presented("Ultimatum", UltimatumTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """The offer, whether it was accepted, and the payoffs."""
    return {
        "offer": [event.offer for event in events if isinstance(event, Offered)],
        "accepted": [event.accepted for event in events if isinstance(event, Responded)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


ULTIMATUM = Game(
    name="ultimatum",
    title="Ultimatum",
    summary="one offers another a part of a pot; if the other rejects, both get nothing",
    seats=Seats(2, 2, usual=2),
    rules=UltimatumRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.ultimatum:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:UltimatumBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
