"""Forecasts of people by language models: a model reads the rules of one decision of a study and says how many people
choose an action."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from ostrom.core import Amount, Event, EventRegistry, Play, Table
from ostrom.core.effects import Telling, sentence
from ostrom.core.game import Game, Seats
from ostrom.core.scene import Scene
from ostrom.core.telling import simple

EVENTS = EventRegistry()
PHASE: Final = "share"
MOST_PERCENT: Final = 100.0


@EVENTS.register
class ShareForecast(Event, tag="share_forecast"):
    """The model forecast a share of people. There is no such event without a valid answer."""

    turn: int
    percent: float


class ForecastingRules(BaseModel):
    """The settings of one question about people."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    study: str = Field("", max_length=200)
    """The name of the study. The model does not see it."""
    item: str = Field("", max_length=200)
    """The name of the decision in the study. The model does not see it."""
    people: str = Field("", max_length=10_000)
    """The people of the study and the conditions of their decision, in words."""
    decision: str = Field("", max_length=10_000)
    """The rules of the decision, in words."""
    action: str = Field("", max_length=1_000)
    """The action whose share of people is asked for."""


@dataclass(frozen=True)
class ForecastingView:
    """One question about people."""

    rules: ForecastingRules

    def as_record(self) -> Mapping[str, Any]:
        """Return the view as plain data."""
        return {"decision": self.rules.decision, "action": self.rules.action}


def tell(event: Event) -> Telling:
    """Describe an event."""
    assert isinstance(event, ShareForecast)
    return Telling(text=(sentence(f"{event.percent:g} % of people, says ", 0),))


PRESENTATION = simple(Scene(layout="question", title="A forecast of people", pace=2, opens="end"), tell)


def play(rules: ForecastingRules, table: Table) -> Play:
    """Ask for one share. Without a valid answer, none is recorded."""
    (forecaster,) = table.seats
    spec = Amount(0, MOST_PERCENT)
    (answer,) = yield [table.ask(forecaster, PHASE, 1, spec, ForecastingView(rules), fallback=None)]
    if answer.value is not None:
        table.record(ShareForecast(turn=1, percent=float(answer.value)))


FORECASTING = Game(
    name="forecasting",
    title="Forecasts of people",
    summary="a model forecasts the share of people who choose an action of a study",
    seats=Seats(1, 1),
    rules=ForecastingRules,
    play=play,
    events=EVENTS,
    scene="ostrom.games.forecasting:PRESENTATION",
    instrument=True,
    clock="question",
    view=ForecastingView,
    briefing="ostrom.games.forecasting.briefing:ForecastingBriefing",
)
