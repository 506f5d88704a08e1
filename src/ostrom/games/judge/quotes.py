"""Quotes: a judge reads the lines of a game and picks the most striking ones."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Choice, Event, EventRegistry, Fields, Play, Several, Table, Text
from ostrom.core.effects import Quote, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.scene import Scene
from ostrom.core.spoken import SpokenLine, SpokenLines, portions
from ostrom.core.telling import simple

EVENTS = EventRegistry()


@EVENTS.register
class LinePicked(Event, tag="line_picked"):
    """The judge picked a line as striking."""

    turn: int
    """The number of the portion, counted from 1."""
    line: int
    """The line's number in its game."""
    round: int
    label: str
    """The seat that spoke."""
    rating: int
    reason: str


@EVENTS.register
class PortionRead(Event, tag="portion_read"):
    """The judge finished a portion of lines."""

    turn: int
    first: int
    """The number of the portion's first line."""
    last: int
    picked: int
    """The number of picked lines. If it is 0, the provenance of the answer says whether the judge picked none or did
    not answer."""


class QuotesRules(BaseModel):
    """The settings of one judge's reading of one game."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    source: str = Field("", max_length=200)
    """The id of the game in which the lines were said. The judge does not see it."""
    lines: SpokenLines = ()
    """The lines that were said."""

    picks: int = Field(5, ge=1, le=100)
    """Maximum number of lines that are picked from each portion. A portion is read at once."""
    best: int = Field(10, ge=1, le=100)
    """The highest rating. The lowest rating is 0."""
    reason_words: int = Field(60, ge=1, le=1000)
    """Maximum number of words of a reason."""
    portion_lines: int = Field(60, ge=1, le=1000)
    """Number of lines that are read at once."""
    portion_words: int = Field(4000, ge=1, le=100_000)
    """Number of words that are read at once, unless a single line has more."""


@dataclass(frozen=True)
class QuotesView:
    """The lines of one portion. Their source is hidden from the judge."""

    rules: QuotesRules
    turn: int
    portions: int
    lines: tuple[SpokenLine, ...]

    @property
    def picks(self) -> int:
        return min(self.rules.picks, len(self.lines))

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {
            "portion": self.turn,
            "portions": self.portions,
            "picks": self.picks,
            "lines": [line.model_dump(mode="json") for line in self.lines],
        }


def tell(event: Event) -> Telling:
    """Describe an event. The reason is a quotation, whatever it contains."""
    match event:
        case LinePicked():
            reason = Quote(quote=event.reason) if event.reason.strip() else "(no reason given)"
            where = f"line {event.line}, said by {event.label} in round {event.round}: {event.rating}, "
            return Telling(text=(sentence(where, reason),))
        case PortionRead():
            lines = f"lines {event.first} to {event.last}" if event.last > event.first else f"line {event.first}"
            return Telling(text=(sentence(f"{lines} read by ", 0, f": {event.picked or 'none'} picked"),))
        case _:
            raise TypeError(f"not an event of a reading for quotes: {event!r}")


PRESENTATION = simple(Scene(layout="question", title="A reading for quotes", pace=2, opens="end"), tell)
PHASE = "pick"


def play(rules: QuotesRules, table: Table) -> Play:
    """Read every portion, and record the picked lines. For a missing or illegal answer, no line is picked."""
    (judge,) = table.seats
    portions_read = portions(rules.lines, rules.portion_lines, rules.portion_words)
    for turn, lines in enumerate(portions_read, start=1):
        view = QuotesView(rules, turn, len(portions_read), lines)
        (answer,) = yield [table.ask(judge, PHASE, turn, _spec(view), view, fallback=[])]
        spoken = {line.number: line for line in lines}
        for pick in answer.value:
            line = spoken[pick["line"]]
            table.record(LinePicked(turn=turn, round=line.round, label=line.label, **pick))
        table.record(PortionRead(turn=turn, first=lines[0].number, last=lines[-1].number, picked=len(answer.value)))


def _spec(view: QuotesView) -> Several:
    lines, rating = Choice(tuple(line.number for line in view.lines)), Amount(0, view.rules.best, whole=True)
    pick = Fields({"line": lines, "rating": rating, "reason": Text(view.rules.reason_words)})
    return Several(pick, fewest=0, most=view.picks, distinct="line")


QUOTES = Game(
    name="quotes",
    title="Quotes",
    summary="a judge reads what was said in another game and picks its most striking lines",
    seats=Seats(1, 1),
    rules=QuotesRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.judge.quotes:PRESENTATION",
    instrument=True,
    clock="question",
    view=QuotesView,
    briefing="ostrom.games.judge.briefing:QuotesBriefing",
    picks="ostrom.games.judge.readings:quotes_and_judges",
)
