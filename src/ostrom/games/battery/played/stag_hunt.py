"""Two seats choose at once between a safe payoff and a higher one that takes both of them."""

from collections.abc import Sequence
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from ostrom.core import Choice, Event, EventRegistry, Play, Table
from ostrom.core.effects import Choose, Matrix, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.drawing import parties
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented
from ostrom.games.battery.played.view import PlayedView, choosing
from ostrom.games.battery.stag_hunt import OPTIONS, StagFacts, hunt_matrix

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class StagHuntRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    stag: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What each gets where both hunt the stag; who hunts it alone gets nothing."""
    hare: float = Field(50.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """What a hare is worth, whatever the other does."""

    @model_validator(mode="after")
    def _the_stag_is_worth_more(self) -> Self:
        if self.hare >= self.stag:
            raise ValueError("the hare must be worth less than the stag")
        return self


@EVENTS.register
class Hunted(Event):
    """Both chose."""

    tag: ClassVar[str] = "hunted"

    choices: list[str]
    """'stag' or 'hare', by seat."""


def play(rules: StagHuntRules, table: Table) -> Play:
    """Both choose at once. Who gives no legal answer hunts the hare, which neither helps nor harms the other."""
    facts = StagFacts(stag=rules.stag, hare=rules.hare)
    views = [choosing("stag_hunt", "chooser", seat, facts, OPTIONS, table.chance, 1) for seat in table.seats]
    chosen = yield [
        table.ask(seat, view.role, 1, Choice(OPTIONS), view, fallback="hare")
        for seat, view in zip(table.seats, views, strict=True)
    ]
    choices = [answer.value for answer in chosen]
    table.record(Hunted(choices=choices))
    stag = rules.stag if choices == ["stag", "stag"] else 0
    end(table, [rules.hare if choice == "hare" else stag for choice in choices])


class StagHuntTeller(PlayedTeller[StagHuntRules]):
    """What both hunt."""

    choices: tuple[str, ...] = ()

    def form(self) -> Matrix:
        """The payoffs, and what was chosen."""
        return hunt_matrix(
            parties("hunter", "hunter"), self.rules.stag, self.rules.hare, *map(OPTIONS.index, self.choices)
        )

    def move(self, event: Event) -> Telling:
        """What both chose."""
        if not isinstance(event, Hunted):
            raise foreign(event, "the stag hunt")
        self.choices = tuple(event.choices)
        return Telling(
            title=sentence("both choose"),
            text=tuple(sentence(seat, f" hunts the {choice}") for seat, choice in enumerate(event.choices)),
            effects=tuple(Choose(seat=seat, value=choice) for seat, choice in enumerate(event.choices)),
        )


PRESENTATION = presented("Stag hunt", StagHuntTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """The choices and the payoffs."""
    return {
        "choices": [event.choices for event in events if isinstance(event, Hunted)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


STAG_HUNT = Game(
    name="stag_hunt",
    title="Stag hunt",
    summary="two choose at once between a safe payoff and a higher one that takes both",
    seats=Seats(2, 2, usual=2),
    rules=StagHuntRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.stag_hunt:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    symmetric=True,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:StagHuntBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
