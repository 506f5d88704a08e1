"""Two seats show a side of a coin at once: the matcher wins where the sides are the same, the other where they
differ."""

from collections.abc import Sequence
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Choice, Event, EventRegistry, Play, Table
from ostrom.core.effects import Choose, Matrix, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.games.battery.drawing import parties
from ostrom.games.battery.matching_pennies import OPTIONS, ROLES, PenniesFacts, pennies_matrix
from ostrom.games.battery.played.ending import GameEnded, PlayedTeller, end, finals, foreign, presented
from ostrom.games.battery.played.view import PlayedView, choosing

EVENTS = EventRegistry()
EVENTS.register(GameEnded)


class MatchingPenniesRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    prize: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """What the winner gets; the other gets nothing."""


@EVENTS.register
class Shown(Event):
    """Both showed a side."""

    tag: ClassVar[str] = "shown"

    sides: list[str]
    """'heads' or 'tails', by seat."""


def play(rules: MatchingPenniesRules, table: Table) -> Play:
    """Both show a side at once; seat 0 is the matcher. No side is neutral: for who gives no legal answer heads is
    entered."""
    views = [
        choosing("matching_pennies", "chooser", seat, PenniesFacts(role, rules.prize), OPTIONS, table.chance, 1)
        for seat, role in zip(table.seats, ROLES, strict=True)
    ]
    shown = yield [
        table.ask(seat, view.role, 1, Choice(OPTIONS), view, fallback="heads")
        for seat, view in zip(table.seats, views, strict=True)
    ]
    sides = [answer.value for answer in shown]
    table.record(Shown(sides=sides))
    end(table, [rules.prize, 0] if sides[0] == sides[1] else [0, rules.prize])


class MatchingPenniesTeller(PlayedTeller[MatchingPenniesRules]):
    """Which sides are shown."""

    sides: tuple[str, ...] = ()

    def form(self) -> Matrix:
        """The payoffs, and what was shown."""
        return pennies_matrix(parties(*ROLES), self.rules.prize, *map(OPTIONS.index, self.sides))

    def move(self, event: Event) -> Telling:
        """What both showed."""
        if not isinstance(event, Shown):
            raise foreign(event, "matching pennies")
        self.sides = tuple(event.sides)
        shown = enumerate(zip(ROLES, event.sides, strict=True))
        return Telling(
            title=sentence("both show a side"),
            text=tuple(sentence(seat, f", the {role}, shows {side}") for seat, (role, side) in shown),
            effects=tuple(Choose(seat=seat, value=side) for seat, side in enumerate(event.sides)),
        )


PRESENTATION = presented("Matching pennies", MatchingPenniesTeller)


def series(events: Sequence[Event]) -> dict[str, list[Any]]:
    """The sides and the payoffs."""
    return {
        "sides": [event.sides for event in events if isinstance(event, Shown)],
        "payoffs": [event.payoffs for event in events if isinstance(event, GameEnded)],
    }


MATCHING_PENNIES = Game(
    name="matching_pennies",
    title="Matching pennies",
    summary="two show a side of a coin at once: one wins if they match, the other if they differ",
    seats=Seats(2, 2, usual=2),
    rules=MatchingPenniesRules,
    play=play,
    events=EVENTS,
    series=series,
    scene="ostrom.games.battery.played.matching_pennies:PRESENTATION",
    view=PlayedView,
    unit="dollars",
    finals=finals,
    players="ostrom.games.battery.subjects:SUBJECTS",
    charts="ostrom.games.battery.charts:PLAYED_CHARTS",
    samples="ostrom.games.battery.samples:item_samples",
    briefing="ostrom.games.battery.briefing:MatchingPenniesBriefing",
    standings="ostrom.games.battery.terminal:payoffs",
)
