"""Adaptive sequences: the arithmetic of halving an interval by majorities, the driver that takes all sequences of a
task through their steps at once, and the settings that adaptive tasks share.

A search yields the points to ask next and is sent their majorities. One step holds the next point of every sequence
that goes on, each point asked several times, so a subject is asked in as many steps as the longest sequence has steps.
"""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from pydantic import Field

from ostrom.core import Play, Table
from ostrom.games.battery.control import control_cells
from ostrom.games.battery.items import Cell, Interview, Posed, SequenceEnded, deal_ways, drawn_order, every, posed
from ostrom.games.battery.rules import OddAskings, TaskRules

RETEST, REVERSED, DOMINANCE, TRANSITIVITY = "retest", "reversed", "dominance", "transitivity"
"""The purposes of diagnostics, and of the draws that pick their sequences."""
ENDS = 2
"""The steps before the first bisection."""
BRIEF = {"bisections": 5, "askings": 1, "reversals": 1, "dominance": 2, "triples": 1}
"""Sequences of the quick protocol go by single answers and halve five times, so that a point is found to a 64th; one of
each task is asked again, and one with the order reversed."""


class NoMajority(Exception):
    """Of the askings of a step no more than half agree."""


def majority(answers: Sequence[str | None]) -> str:
    """The choice of more than half of the askings. A missing answer counts for nobody and is not asked again: of three
    askings two that agree are a majority, two that disagree are none, and neither is one alone."""
    counts = Counter(answer for answer in answers if answer is not None)
    for choice, count in counts.most_common(1):
        if 2 * count > len(answers):
            return choice
    raise NoMajority(f"no majority: {counts.total()} of {len(answers)} answers valid")


class Point(NamedTuple):
    """A question of a sequence: the number of its step, and what is asked there."""

    step: int
    facts: Any
    detail: dict[str, Any]


class Ending(NamedTuple):
    """What a sequence came to."""

    outcome: Literal["point", "censored", "invalid"]
    value: float | None = None
    reason: str | None = None


Search: TypeAlias = Generator[Sequence[Point], Sequence[str], Ending]
"""Yields the points to ask next, all at once, and is sent their majorities."""


def bisected(halvings: int, at: Callable[[int, float], Point], high: str) -> Search:
    """Halves the interval from 0 to 1, whose ends are chosen differently, so that a point of indifference lies within
    it: `high` is what is chosen at 1."""
    low, top = 0.0, 1.0
    for step in range(ENDS, ENDS + halvings):
        middle = (low + top) / 2
        (choice,) = yield (at(step, middle),)
        low, top = (low, middle) if choice == high else (middle, top)
    return Ending("point", (low + top) / 2)


@dataclass(frozen=True, slots=True)
class Course:
    """One sequence: what it is about, how it looks for indifference, and how it is put."""

    condition: str
    facts: dict[str, Any]
    search: Callable[[], Search]
    purpose: str = "score"
    way: int = 0
    """With which of the four ways to put two options it begins."""


class AdaptiveRules(TaskRules):
    """What can be set about any adaptive task."""

    options: ClassVar[tuple[str, str]]
    facts: ClassVar[type[Any]]
    """What the chooser knows: the part of the first option, then that of the second."""
    led_by: ClassVar[str]
    """The simulated subject whose answers lead a sequence to a question that stands alone, for audits."""

    bisections: int = Field(10, ge=1, le=50)
    """Questions in each sequence that closes in on an indifference point."""
    askings: OddAskings = 3
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
    def dominances(self) -> Iterator[tuple[Any, str]]:
        """Facts of questions with an option that is better in every respect, and which it is."""

    @abstractmethod
    def equals(self) -> Iterator[Mapping[str, tuple[Any, ...]]]:
        """Triples of options `a`, `b` and `c` that are worth about the same, each as its part of the facts."""

    def diagnostics(self) -> Iterator[Cell]:
        """What is asked along with the first step."""
        for place, (facts, better) in enumerate(islice(self.dominances(), self.dominance), start=1):
            detail: dict[str, Any] = {"dominant": better}
            yield Cell("chooser", f"dominance={place}", facts, self.options, purpose=DOMINANCE, detail=detail)
        for triple, known in enumerate(islice(self.equals(), self.triples), start=1):
            for first, second in ("ab", "bc", "ac"):
                condition = f"triple={triple} pair={first}{second}"
                detail = {"triple": triple, "elements": dict(zip(self.options, (first, second), strict=True))}
                facts = self.facts(*known[first], *known[second])
                yield Cell("chooser", condition, facts, self.options, purpose=TRANSITIVITY, detail=detail)

    @property
    def questions(self) -> int:
        """How many questions there are where every sequence is asked to its end."""
        sequences = len(self.singly())
        again = self.retests(sequences) + min(self.reversals, sequences)
        steps = ENDS + self.bisections
        return (sequences + again) * steps * self.askings + self.dominance + 3 * self.triples + self.controls

    def retests(self, sequences: int) -> int:
        """How many of so many sequences are asked a second time."""
        return int(self.retest * sequences + 0.5)


def play(rules: AdaptiveRules, table: Table) -> Play:
    """Ask every sequence to its end, and the diagnostics along with the first step; at last the control questions."""
    interview = Interview(rules.task, table)
    sequences = [_sequence(rules, course) for course in _with_repeats(rules, list(rules.courses()), table)]
    live = [(sequence, next(sequence)) for sequence in sequences]
    single = every(rules.task, list(rules.diagnostics()), table.chance, turn=1)
    while live or single:
        answers = iter((yield from interview.put([item for _, items in live for item in items] + single)))
        asked, live, single = live, [], []
        for sequence, items in asked:
            try:
                live.append((sequence, sequence.send(list(islice(answers, len(items))))))
            except StopIteration as over:
                table.record(over.value)
    if rules.controls:
        yield from interview.put(every(rules.task, control_cells(rules.controls), table.chance))
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


def _sequence(rules: AdaptiveRules, course: Course) -> Generator[list[Posed], list[str | None], SequenceEnded]:
    """The items of one step after the other, given the answers; at last, what the sequence came to."""
    search, asked = course.search(), 0
    points, ending = next(search), None
    while ending is None:
        answers = iter((yield [item for point in points for item in _items(rules, course, point)]))
        asked += len(points) * rules.askings
        try:
            points = search.send([majority(list(islice(answers, rules.askings))) for _ in points])
        except StopIteration as over:
            ending = over.value
        except NoMajority as reason:
            ending = Ending("invalid", reason=str(reason))
    return SequenceEnded(
        task=rules.task,
        condition=course.condition,
        purpose=course.purpose,
        facts=course.facts,
        axis=points[-1].detail.get("axis"),
        answers=asked,
        **ending._asdict(),
    )


def _items(rules: AdaptiveRules, course: Course, point: Point) -> Iterator[Posed]:
    (role,) = rules.roles
    cell = Cell(role, course.condition, point.facts, rules.options, rules.askings, course.purpose, point.detail)
    for repetition in range(1, rules.askings + 1):
        mirrored = course.purpose == REVERSED
        yield posed(rules.task, cell, course.way, repetition, step=point.step, mirrored=mirrored)
