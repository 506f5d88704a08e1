"""Adaptive sequences: the arithmetic of halving an interval by majorities, the driver that takes all sequences of a
task through their steps at once, and the settings that adaptive tasks share.

A sequence is a value: it says which points to ask next, and what it is after their majorities. One step holds the
next point of every sequence that goes on, each point asked several times, so a subject is asked in as many steps as
the longest sequence has steps.
"""

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, Protocol

from pydantic import Field

from ostrom.core import Play, Table
from ostrom.games.battery.events import SequenceEnded
from ostrom.games.battery.grids import Askings, TaskRules
from ostrom.games.battery.items import Cell, Interview, Posed, deal_ways, drawn_order, every, posed

RETEST, REVERSED, DOMINANCE, TRANSITIVITY = "retest", "reversed", "dominance", "transitivity"
"""The purposes of diagnostics, and of the draws that pick their sequences."""
ENDS = 2
"""The steps before the first bisection."""
BRIEF = {"bisections": 5, "askings": 1, "reversals": 1, "dominance": 2, "triples": 1}
"""Sequences of the quick protocol go by single answers and halve five times, so that a point is found to a 64th; one of
each task is asked again, and one with the order reversed."""


@dataclass(frozen=True, slots=True)
class Vote:
    """What the askings of one step came to."""

    choice: str | None
    """What more than half of all askings chose; missing where nothing was."""
    reason: str | None = None
    """Why there is no majority."""


def majority(answers: Sequence[str | None]) -> Vote:
    """The choice of more than half of the askings. A missing answer counts for nobody and is not asked again: of three
    askings two that agree are a majority, two that disagree are none, and neither is one alone."""
    counts = Counter(answer for answer in answers if answer is not None)
    if counts:
        choice, count = counts.most_common(1)[0]
        if 2 * count > len(answers):
            return Vote(choice)
    return Vote(None, f"no majority: {counts.total()} of {len(answers)} answers valid")


@dataclass(frozen=True, slots=True)
class Ending:
    """What a sequence came to."""

    outcome: Literal["point", "censored", "invalid"]
    value: float | None = None
    reason: str | None = None


def decimals(amount: float, halvings: int) -> int:
    """To how many decimals a part of an amount is shown, so that no step is lost: 4, or more for fine steps of small
    amounts."""
    return max(4, math.ceil(halvings * math.log10(2) - math.log10(amount)))


@dataclass(frozen=True, slots=True)
class Bracket:
    """An interval whose ends are chosen differently, so that a point of indifference lies within it."""

    low: float = 0.0
    high: float = 1.0
    halvings: int = 0

    @property
    def middle(self) -> float:
        """The point to ask next; at last, the estimate."""
        return (self.low + self.high) / 2

    def halved(self, *, as_high: bool) -> "Bracket":
        """The half that is left when the choice at the middle is that of the high end, or of the low one."""
        if as_high:
            return Bracket(self.low, self.middle, self.halvings + 1)
        return Bracket(self.middle, self.high, self.halvings + 1)


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


class AdaptiveRules(TaskRules):
    """What can be set about any adaptive task."""

    options: ClassVar[tuple[str, str]]
    led_by: ClassVar[str]
    """The simulated subject whose answers lead a sequence to a question that stands alone, for audits."""

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

    @abstractmethod
    def singly(self) -> list[Mapping[str, Any]]:
        """For each sequence of the grid, the settings under which it is the only one."""

    @abstractmethod
    def courses(self) -> Iterator[Course]:
        """The sequences of the grid, before their first step."""

    @abstractmethod
    def diagnostics(self) -> Iterator[Cell]:
        """What is asked along with the first step."""

    @property
    def questions(self) -> int:
        """How many questions there are where every sequence is asked to its end."""
        sequences = len(self.singly())
        again = self.retests(sequences) + min(self.reversals, sequences)
        steps = ENDS + self.bisections
        return (sequences + again) * steps * self.askings + self.dominance + 3 * self.triples

    def retests(self, sequences: int) -> int:
        """How many of so many sequences are asked a second time."""
        return int(self.retest * sequences + 0.5)


def in_pairs(
    task: type[AdaptiveRules], triples: Iterable[Mapping[str, Any]], facts: Callable[[Any, Any], Any]
) -> Iterator[Cell]:
    """Every pair of each triple of options, for a test of transitivity."""
    for triple, elements in enumerate(triples, start=1):
        for first, second in ("ab", "bc", "ac"):
            yield Cell(
                role="chooser",
                condition=f"triple={triple} pair={first}{second}",
                facts=facts(elements[first], elements[second]),
                options=task.options,
                purpose=TRANSITIVITY,
                detail={"triple": triple, "elements": dict(zip(task.options, (first, second), strict=True))},
            )


def play(rules: AdaptiveRules, table: Table) -> Play:
    """Ask every sequence to its end, and the diagnostics along with the first step."""
    interview = Interview(rules.task, table)
    live = _with_repeats(rules, list(rules.courses()), table)
    single = every(rules.task, list(rules.diagnostics()), table.chance, turn=1)
    while live or single:
        asked = [(course, course.state.points()) for course in live]
        items = [item for course, points in asked for item in _items(rules, course, points)]
        answers = iter((yield from interview.put(items + single)))
        live, single = [], []
        for course, points in asked:
            moved = _moved(rules, course, points, answers)
            if moved.state.ending is None:
                live.append(moved)
            else:
                table.record(_ended(rules.task, moved, moved.state.ending))
    interview.close()


def _with_repeats(rules: AdaptiveRules, courses: Sequence[Course], table: Table) -> list[Course]:
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


def _items(rules: AdaptiveRules, course: Course, points: Sequence[Point]) -> Iterator[Posed]:
    (role,) = rules.roles
    mirrored = course.purpose == REVERSED
    for point in points:
        cell = Cell(
            role,
            course.condition,
            point.facts,
            options=rules.options,
            repetitions=rules.askings,
            purpose=course.purpose,
            detail=point.detail,
        )
        for repetition in range(1, rules.askings + 1):
            yield posed(rules.task, cell, course.way, repetition, step=point.step, mirrored=mirrored)


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
