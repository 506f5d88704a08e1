"""The optional public good of Hauert and others (2002), once: give, keep, or stay out for a fixed payoff."""

from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom import strategy
from ostrom.core import Choice, Event, EventRegistry, Play, Table
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES


class OptionalRules(BaseModel):
    """What can be set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    r: float = Field(3.0, gt=0, le=100, description="What the pot is multiplied by.")
    outside: float = Field(1.0, ge=0, le=100, description="What those get who stay out.")


@dataclass(frozen=True)
class OptionalView:
    """What a seat knows."""

    rules: OptionalRules


EVENTS = EventRegistry()


@EVENTS.register
class Shared(Event):
    """The pot was shared."""

    tag: ClassVar[str] = "shared"
    payoffs: list[float]


def play(rules: OptionalRules, table: Table) -> Play:
    """All decide at once."""
    view, spec = OptionalView(rules), Choice(("give", "keep", "out"))
    answers = yield [table.ask(seat, "choice", 1, spec, view, fallback="out") for seat in table.seats]
    said = [answer.value for answer in answers]
    inside = sum(one != "out" for one in said)
    share = rules.r * said.count("give") / inside if inside > 1 else 0.0
    alone = rules.outside
    table.record(Shared(payoffs=[alone if one == "out" or inside < 2 else share - (one == "give") for one in said]))


OPTIONAL = Game(
    name="optional_good",
    title="The optional public good",
    summary="give, keep, or stay out",
    seats=Seats(2, 100),
    rules=OptionalRules,
    view=OptionalView,
    play=play,
    events=EVENTS,
    finals=lambda events: events[-1].payoffs,
    symmetric=True,
)


def register() -> Game:
    """Make the game and its players known, once."""
    if OPTIONAL.name not in GAMES:
        GAMES.add(OPTIONAL)
        for name, choice in (("Gives", "give"), ("Keeps", "keep"), ("StaysOut", "out")):
            strategy(game=OPTIONAL, name=name)(_always(choice))
    return OPTIONAL


def _always(choice: str):
    def answer(question):
        return choice

    return answer
