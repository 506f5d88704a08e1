"""The volunteer's dilemma (Diekmann 1985), a game in one file: `ostrom run volunteers --plugin examples/volunteers.py`.

In each round everybody either volunteers or waits. If at least one volunteers, all receive the benefit, and those who
volunteered pay the cost; if nobody does, nobody receives anything."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, Field

from ostrom import strategy
from ostrom.core import Choice, Event, EventRegistry, Play, Question, Table
from ostrom.core.game import Game, Seats


class VolunteersRules(BaseModel):
    """What can be set. Help, options, docs and the start dialog are made from it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    rounds: int = Field(5, ge=1, le=100, description="Rounds of a game.")
    benefit: float = Field(10.0, gt=0, le=1000, description="What all receive if anybody volunteers, in points.")
    cost: float = Field(4.0, gt=0, le=1000, description="What volunteering costs, in points.")


@dataclass(frozen=True)
class VolunteersView:
    """What a seat may know when it is asked."""

    rules: VolunteersRules
    round: int
    seat: int
    points: tuple[float, ...]
    volunteers: tuple[tuple[int, ...], ...]
    """The seats that volunteered, round by round."""


EVENTS = EventRegistry()


@EVENTS.register
class RoundPlayed(Event):
    """Everybody volunteered or waited."""

    tag: ClassVar[str] = "round_played"
    round: int
    volunteers: list[int]
    points: list[float]


@EVENTS.register
class GameEnded(Event):
    """The last round is over."""

    tag: ClassVar[str] = "game_ended"
    round: int
    points: list[float]


def play(rules: VolunteersRules, table: Table) -> Play:
    """Yield the questions of a round, receive the answers, record what happened."""
    points, history = [0.0] * len(table.seats), ()
    for round_ in range(1, rules.rounds + 1):
        views = [VolunteersView(rules, round_, seat.index, tuple(points), history) for seat in table.seats]
        asked = [
            table.ask(seat, "choice", round_, Choice(("volunteer", "wait")), view, fallback="wait")
            for seat, view in zip(table.seats, views, strict=True)
        ]
        answers = yield asked
        volunteers = [
            seat.index for seat, answer in zip(table.seats, answers, strict=True) if answer.value == "volunteer"
        ]
        for seat in range(len(points)):
            points[seat] += (rules.benefit if volunteers else 0.0) - (rules.cost if seat in volunteers else 0.0)
        history += (tuple(volunteers),)
        table.record(RoundPlayed(round=round_, volunteers=volunteers, points=list(points)))
    table.record(GameEnded(round=rules.rounds, points=points))


def finals(events: Sequence[Event]) -> list[float | None]:
    """What each seat ended with: it gives the game standings, ratings, measures, a report and a leaderboard."""
    end = events[-1]
    assert isinstance(end, GameEnded)
    return [*end.points]


VOLUNTEERS = Game(
    name="volunteers",
    title="Volunteers",
    summary="somebody must pay for what all receive",
    seats=Seats(2, 20, usual=4),
    unit="points",
    rules=VolunteersRules,
    view=VolunteersView,
    play=play,
    events=EVENTS,
    finals=finals,
    symmetric=True,
    aim="payoff",
    api=2,
)


@strategy(game=VOLUNTEERS)
def taking_turns(question: Question[VolunteersView]) -> str:
    """Volunteers in its own round, as if all had agreed on an order."""
    view = question.view
    return "volunteer" if (view.round - 1) % len(view.points) == view.seat else "wait"


@strategy(game=VOLUNTEERS)
def free_rider(question: Question[VolunteersView]) -> str:
    """Always waits for somebody else."""
    return "wait"


@strategy(game=VOLUNTEERS)
def mixed(question: Question[VolunteersView], draw: Callable[[], float]) -> str:
    """Volunteers with the chance of the symmetric equilibrium, 1 − (cost / benefit)^(1 / (n − 1))."""
    rules, others = question.view.rules, len(question.view.points) - 1
    waits = min(1.0, rules.cost / rules.benefit) ** (1 / others)
    return "wait" if draw() < waits else "volunteer"
