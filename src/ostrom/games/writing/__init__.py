"""Written strategies: a model is asked for a strategy of another game as code, and gets its errors and results back."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Choice, Event, EventRegistry, Fields, Play, Table, Text
from ostrom.core.effects import Quote, Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.scene import Scene
from ostrom.core.telling import simple

EVENTS = EventRegistry()
MAX_WORDS: Final = 6_000
"""The largest number of words of a strategy's code."""
MAX_PLAN_WORDS: Final = 200
NONE: Final = "none of these"
PHASE: Final = "strategy"


@EVENTS.register
class StrategyWritten(Event, tag="strategy_written"):
    """The model wrote a strategy."""

    turn: int
    plan: str
    """The strategy in words."""
    like: str
    """The known strategy that is nearest to the plan by the model's own statement."""
    code: str


class Attempt(BaseModel):
    """An earlier strategy of the same model, and its outcome."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    code: str = Field("", max_length=100_000)
    """The code. It is empty if the model gave no valid answer."""
    outcome: str = Field("", max_length=20_000)
    """The errors of the code, or its results against known strategies."""


class WritingRules(BaseModel):
    """The settings of one request for a strategy."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    game: str = Field("", max_length=200)
    """The game for which a strategy is written."""
    description: str = Field("", max_length=50_000)
    """The rules of this game in words."""
    example: str = Field("", max_length=50_000)
    """Questions of this game as data."""
    known: tuple[str, ...] = Field((), max_length=200)
    """The names of known strategies."""
    attempts: tuple[Attempt, ...] = Field((), max_length=100)
    """Earlier strategies."""


@dataclass(frozen=True)
class WritingView:
    """One request for a strategy."""

    rules: WritingRules

    @property
    def attempt(self) -> int:
        """The number of this attempt, counted from 1."""
        return len(self.rules.attempts) + 1

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {"game": self.rules.game, "attempt": self.attempt}


def tell(event: Event) -> Telling:
    """Describe an event."""
    assert isinstance(event, StrategyWritten)
    plan = Quote(quote=event.plan) if event.plan.strip() else "(no plan)"
    lines = f"a strategy of {len(event.code.splitlines())} lines by "
    return Telling(text=(sentence(lines, 0, f", most like {event.like}: ", plan),))


PRESENTATION = simple(Scene(layout="question", title="Writing a strategy", pace=2, opens="end"), tell)


def play(rules: WritingRules, table: Table) -> Play:
    """Ask for one strategy. Without a valid answer, none is recorded."""
    (author,) = table.seats
    spec = Fields(
        {"plan": Text(MAX_PLAN_WORDS), "like": Choice((*rules.known, NONE)), "code": Text(MAX_WORDS)},
    )
    (answer,) = yield [table.ask(author, PHASE, 1, spec, WritingView(rules), fallback=None)]
    if answer.value is not None:
        table.record(StrategyWritten(turn=1, **answer.value))


WRITING = Game(
    name="strategy_writing",
    title="Written strategies",
    summary="a model writes a strategy of another game as code",
    seats=Seats(1, 1),
    rules=WritingRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.writing:PRESENTATION",
    instrument=True,
    clock="question",
    view=WritingView,
    briefing="ostrom.games.writing.briefing:WritingBriefing",
)
