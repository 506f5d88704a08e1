"""One seat divides a pot between itself and another seat, which is not asked."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Event, EventRegistry, Play, Table
from ostrom.core.effects import Split, Telling, Transfer, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.dictator import GiveFacts
from ostrom.games.battery.drawing import parties
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented, told
from ostrom.games.battery.played.view import PlayedView

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class DictatorRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    pot: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What is to be divided, in dollars."""


@EVENTS.register
class Given(Event):
    """Seat 0 gave to seat 1."""

    tag: ClassVar[str] = "given"

    pot: float
    amount: float


def play(rules: DictatorRules, table: Table) -> Play:
    """Seat 0 gives. Who gives no legal answer gives nothing."""
    giver = table.seats[0]
    view = PlayedView("dictator", "giver", giver.index, GiveFacts(pot=rules.pot))
    (given,) = yield [table.ask(giver, view.role, 1, Amount(0, rules.pot), view, fallback=0.0)]
    table.record(Given(pot=rules.pot, amount=given.value))
    end(table, [rules.pot - given.value, given.value])


class DictatorTeller(PlayedTeller[DictatorRules]):
    """The pot, and what is given of it."""

    given: float | None = None

    def form(self) -> Split:
        """The pot as it is divided."""
        return Split(parties=parties("giver", "receiver"), pot=self.rules.pot, offer=self.given)

    def move(self, event: Event) -> Telling:
        """What was given."""
        if not isinstance(event, Given):
            raise foreign(event, "the dictator game")
        self.given = event.amount
        return Telling(
            text=(sentence(0, " gives ", 1, f" {told(event.amount)} of {told(event.pot)}"),),
            effects=(Transfer(source=0, target=1, amount=event.amount),),
        )


PRESENTATION = presented("Dictator", DictatorTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """What was given, and the payoffs."""
    return {
        "given": [event.amount for event in events if isinstance(event, Given)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


DICTATOR = Game(
    name="dictator",
    title="Dictator",
    summary="one divides a pot between itself and another, who has no say",
    seats=Seats(2, 2, usual=2),
    rules=DictatorRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.dictator:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:DictatorBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
