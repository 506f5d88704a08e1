"""Adaptive sequences: the driver that takes all sequences of a task through their steps at once, and the settings that
the two adaptive tasks share.

A sequence is a value: it says which points to ask next, and what it is after their majorities. One step holds the
next point of every sequence that goes on, each point asked several times, so a subject is asked in as many steps as
the longest sequence has steps.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pydantic import Field

from ostrom.core import Answer, Step, Table
from ostrom.games.battery.bisection import Ending, Vote, majority
from ostrom.games.battery.events import SequenceEnded
from ostrom.games.battery.grids import Askings
from ostrom.games.battery.interview import Interview
from ostrom.games.battery.item import Item
from ostrom.games.battery.items import Cell, Posed, deal_ways, drawn_order, posed, shown
from ostrom.games.battery.stated import TaskRules

RETEST, REVERSED, DOMINANCE, TRANSITIVITY = "retest", "reversed", "dominance", "transitivity"
"""The purposes of diagnostics, and of the draws that pick their sequences."""
ENDS = 2
"""The steps before the first bisection."""


class AdaptiveRules(TaskRules):
    """What can be set about any adaptive task."""

    bisections: int = Field(10, ge=1, le=50)
    """Questions in each sequence that closes in on an indifference point."""
    askings: Askings = 3
    """How many answers each step has; it goes by their majority."""
    retest: float = Field(0.1, ge=0, le=1)
    """The part of the sequences that is asked a second time, drawn by chance."""
    reversals: int = Field(5, ge=0, le=1000)
    """How many sequences are asked once more with the order of the options reversed, drawn by chance."""
    dominance: int = Field(5, ge=0, le=5)
    """How many questions have an option that is better in every respect."""
    triples: int = Field(3, ge=0, le=3)
    """Of how many triples of options every pair is asked: three questions each."""

    def retests(self, sequences: int) -> int:
        """How many of so many sequences are asked a second time."""
        return int(self.retest * sequences + 0.5)

    def most_questions(self, sequences: int) -> int:
        """How many questions there are where every sequence is asked to its end."""
        again = self.retests(sequences) + min(self.reversals, sequences)
        steps = ENDS + self.bisections
        return (sequences + again) * steps * self.askings + self.dominance + 3 * self.triples


@dataclass(frozen=True, slots=True)
class Point:
    """A question of a sequence: the number of its step, and what is asked there."""

    step: int
    facts: Any
    detail: dict[str, Any]


class State(Protocol):
    """Where a sequence stands."""

    @property
    def ending(self) -> Ending | None:
        """What it came to, once it is over."""

    @property
    def axis(self) -> str | None:
        """In the risk task: the axis on which it looks for indifference."""

    def points(self) -> tuple[Point, ...]:
        """What to ask next, all at once."""

    def after(self, votes: Sequence[Vote]) -> "State":
        """Where it stands after the majorities at those points."""


@dataclass(frozen=True, slots=True)
class Course:
    """One sequence: what it is about, where it stands, and how it is put."""

    condition: str
    facts: dict[str, Any]
    state: State
    purpose: str = "score"
    way: int = 0
    """With which of the four ways to put two options it begins."""
    asked: int = 0


def with_diagnostics(rules: AdaptiveRules, courses: Sequence[Course], table: Table) -> list[Course]:
    """The sequences of the grid, and those among them that are asked again. A retest is put as the first time, so that
    nothing but the subject can make it differ; a reversed one has the other option first throughout."""
    chance = table.chance
    dealt = deal_ways(chance, len(courses))
    put = [replace(course, way=way) for course, way in zip(courses, dealt, strict=True)]
    again = drawn_order(chance, put, RETEST, 0)[: rules.retests(len(put))]
    other = drawn_order(chance, put, REVERSED, 0)[: rules.reversals]
    return [
        *put,
        *(replace(course, purpose=RETEST) for course in again),
        *(replace(course, purpose=REVERSED) for course in other),
    ]


def run(
    rules: AdaptiveRules, options: tuple[str, str], courses: Sequence[Course], cells: Sequence[Cell], table: Table
) -> Generator[Step, list[Answer], None]:
    """Ask every sequence to its end, and the cells along with the first step."""
    interview = Interview(rules.task, table)
    (role,) = rules.roles
    single = [
        posed(rules.task, cell, way, 1)
        for cell, way in zip(cells, deal_ways(table.chance, len(cells), turn=1), strict=True)
    ]
    live = list(courses)
    while live or single:
        asked = [(course, course.state.points()) for course in live]
        items = [item for course, points in asked for item in _items(rules, role, options, course, points)]
        answers = iter((yield from interview.put(items + single)))
        live, single = [], []
        for course, points in asked:
            moved = _moved(rules, course, points, answers)
            if moved.state.ending is None:
                live.append(moved)
            else:
                table.record(_ended(rules.task, moved, moved.state.ending))
    interview.close()


def _items(
    rules: AdaptiveRules, role: str, options: tuple[str, str], course: Course, points: Sequence[Point]
) -> Iterator[Posed]:
    for point in points:
        for repetition in range(1, rules.askings + 1):
            asking = point.step * rules.askings + repetition - 1
            put = shown(options, course.way, asking, mirrored=course.purpose == REVERSED)
            yield Posed(
                Item(
                    task=rules.task,
                    role=role,
                    condition=course.condition,
                    repetition=repetition,
                    facts=point.facts,
                    options=put.options,
                    labels=put.labels,
                    purpose=course.purpose,
                    step=point.step,
                    detail=point.detail,
                ),
                put.spec,
            )


def _moved(rules: AdaptiveRules, course: Course, points: Sequence[Point], answers: Iterator[str | None]) -> Course:
    votes = [majority([next(answers) for _ in range(rules.askings)]) for _ in points]
    asked = course.asked + len(points) * rules.askings
    return replace(course, state=course.state.after(votes), asked=asked)


def _ended(task: str, course: Course, ending: Ending) -> SequenceEnded:
    return SequenceEnded(
        task=task,
        condition=course.condition,
        purpose=course.purpose,
        facts=course.facts,
        outcome=ending.outcome,
        value=ending.value,
        axis=course.state.axis,
        answers=course.asked,
        reason=ending.reason,
    )
