"""Promises: a judge reads lines and decides which promise, if any, the speaker of each line makes."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Choice, Event, EventRegistry, Fields, IllegalAnswer, Play, Several, Table, Value
from ostrom.core.effects import Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.scene import Scene
from ostrom.core.spoken import SpokenLine, SpokenLines, portions
from ostrom.core.telling import simple

ALL = "all"
"""The verdict that a speaker promises everything that the speaker has."""
MOST_TOKENS = 1_000_000_000
_TOKENS = Amount(0, MOST_TOKENS, whole=True)


@dataclass(frozen=True, slots=True)
class PromiseSpec:
    """Specifies the verdict on one line: no promise, a promise of everything, or a number of tokens. This number may
    exceed the number of tokens that the speaker has."""

    def validate(self, raw: object) -> Value:
        """Return the promise. Raise `IllegalAnswer` for a text other than 'all'."""
        if raw is None or (isinstance(raw, str) and raw == ALL):
            return raw
        if isinstance(raw, str):
            raise IllegalAnswer(f"{raw!r} is no promise; it must be {self.describe()}")
        return _TOKENS.validate(raw)

    def describe(self) -> str:
        """Describe a valid promise."""
        return f"nothing, {ALL!r}, or {_TOKENS.describe()}"


@dataclass(frozen=True, slots=True)
class VerdictsSpec:
    """Specifies a verdict on every line. An empty list is also valid, and is recorded if the judge gave no answer."""

    lines: tuple[int, ...]

    @property
    def _list(self) -> Several:
        verdict = Fields({"line": Choice(self.lines), "promise": PromiseSpec()})
        return Several(verdict, fewest=0, most=len(self.lines), distinct="line")

    def validate(self, raw: object) -> list[Value]:
        """Return the verdicts in the order of the lines. Raise `IllegalAnswer` for unknown, repeated or missing
        lines."""
        entries: list[Any] = self._list.validate(raw)
        verdicts = {verdict["line"]: verdict for verdict in entries}
        missing = [str(line) for line in self.lines if line not in verdicts]
        if verdicts and missing:
            raise IllegalAnswer(f"there is no verdict on line {', '.join(missing)}; it must be {self.describe()}")
        return [verdicts[line] for line in self.lines if line in verdicts]

    def describe(self) -> str:
        """Describe valid verdicts."""
        return f"{self._list.describe()}; one for each line"


EVENTS = EventRegistry()


@EVENTS.register
class LineJudged(Event, tag="line_judged"):
    """The judge decided whether a line is a promise."""

    turn: int
    """The number of the question, counted from 1. A round with many lines has several questions."""
    line: int
    """The line's number in its game."""
    round: int
    label: str
    """The seat that spoke."""
    promise: bool
    """True if the speaker announced its contribution in this round."""
    tokens: int | None
    """The announced number of tokens. It is missing if there is no promise, or if the promise is everything that the
    speaker has."""


@EVENTS.register
class LinesUnjudged(Event, tag="lines_unjudged"):
    """The judge gave no verdict on these lines. They do not count as lines with a promise or as lines without one."""

    turn: int
    round: int
    first: int
    """The number of the first of these lines."""
    last: int


class PromisesRules(BaseModel):
    """The settings of one judge's reading of one game."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    source: str = Field("", max_length=200)
    """The id of the game in which the lines were said. The judge does not see it."""
    lines: SpokenLines = ()
    """The lines that were said."""

    portion_lines: int = Field(20, ge=1, le=1000)
    """Number of lines of a round that are read at once."""
    portion_words: int = Field(4000, ge=1, le=100_000)
    """Number of words that are read at once, unless a single line has more."""


@dataclass(frozen=True)
class PromisesView:
    """The lines of one round. Their source and the later contributions are hidden from the judge."""

    rules: PromisesRules
    turn: int
    round: int
    lines: tuple[SpokenLine, ...]

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {"round": self.round, "lines": [line.model_dump(mode="json") for line in self.lines]}


def tell(event: Event) -> Telling:
    """Describe an event."""
    match event:
        case LineJudged():
            if not event.promise:
                verdict = "no promise"
            else:
                verdict = "promises all it has" if event.tokens is None else f"promises {event.tokens}"
            return Telling(text=(sentence(f"round {event.round}, line {event.line}: {event.label} {verdict}"),))
        case LinesUnjudged():
            verdict = f"lines {event.first} to {event.last}" if event.last > event.first else f"line {event.first}"
            return Telling(text=(sentence(f"round {event.round}, {verdict}: ", 0, " says nothing"),))
        case _:
            raise TypeError(f"not an event of a reading for promises: {event!r}")


PRESENTATION = simple(Scene(layout="question", title="A reading for promises", pace=2, opens="end"), tell)
PHASE = "judge"


def play(rules: PromisesRules, table: Table) -> Play:
    """Read every round, and record the judge's verdict on each line."""
    (judge,) = table.seats
    for turn, lines in enumerate(portions_of(rules), start=1):
        view = PromisesView(rules, turn, lines[0].round, lines)
        spec = VerdictsSpec(tuple(line.number for line in lines))
        (answers,) = yield [table.ask(judge, PHASE, turn, spec, view, fallback=[])]
        if not answers.value:
            first, last = lines[0].number, lines[-1].number
            table.record(LinesUnjudged(turn=turn, round=view.round, first=first, last=last))
        for line, verdict in zip(lines, answers.value, strict=False):
            promise = verdict["promise"]
            tokens = None if promise == ALL else promise
            place = {"turn": turn, "line": line.number, "round": line.round, "label": line.label}
            table.record(LineJudged(**place, promise=promise is not None, tokens=tokens))


def portions_of(rules: PromisesRules) -> list[tuple[SpokenLine, ...]]:
    """Return the lines grouped by question. No question has lines of two rounds."""
    rounds = [tuple(lines) for _, lines in groupby(rules.lines, key=attrgetter("round"))]
    return [part for lines in rounds for part in portions(lines, rules.portion_lines, rules.portion_words)]


PROMISES = Game(
    name="promises",
    title="Promises",
    summary="a judge reads what was said in another game and says which lines promise a contribution",
    seats=Seats(1, 1),
    rules=PromisesRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.judge.promises:PRESENTATION",
    instrument=True,
    clock="question",
    view=PromisesView,
    briefing="ostrom.games.judge.briefing:PromisesBriefing",
)
