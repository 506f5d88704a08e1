"""Adaptive sequences of questions, each of which searches for an indifference point. This module bisects an interval by
majorities of answers, plays all sequences of a task together, and has the settings that adaptive tasks share.

A search is a generator. It yields the points to ask next, and receives the majority answer at each point. One step asks
the next point of every unfinished sequence several times. So a task takes as many steps as its longest sequence."""

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from pydantic import Field

from ostrom.core import Play, Table
from ostrom.games.battery.items import (
    GridCell,
    Interview,
    PosedItem,
    SequenceEnded,
    deal_ways,
    pose,
    pose_all,
    random_order,
)
from ostrom.games.battery.rules import OddAskings, TaskRules, control_cells

RETEST, REVERSED, DOMINANCE, TRANSITIVITY = "retest", "reversed", "dominance", "transitivity"
"""The names of the purposes of diagnostic items. The random draws that select the sequences for these items have the
same names."""
ENDS = 2
"""The number of points asked before the first bisection: the two ends of the interval."""
BRIEF = {"bisections": 5, "askings": 1, "reversals": 1, "dominance": 2, "triples": 1}
"""The settings of adaptive tasks in the quick protocol. Each point is asked once, so a single answer decides a step.
Five bisections give a resolution of 1/64. In each task one sequence is retested, and one is repeated with the options
in reversed order."""


class SequenceSteps(NamedTuple):
    """The number of bisections in a sequence, and the number of times that each step is asked. The defaults are those
    of the full protocol."""

    bisections: int = 10
    askings: int = 3

    def is_majority(self, answers: Any) -> Any:
        """Return whether this number of equal answers decides a step. `answers` may be an array."""
        return 2 * answers > self.askings


class NoMajority(Exception):
    """Raised if no option was chosen in more than half of the askings of a step."""


def majority(answers: Sequence[str | None]) -> str:
    """Return the option chosen in more than half of the askings. Raise `NoMajority` if there is none. A missing answer
    counts for neither option, and the question is not repeated. So among three askings, two equal answers are a
    majority, but a single answer is not."""
    counts = Counter(answer for answer in answers if answer is not None)
    for choice, count in counts.most_common(1):
        if 2 * count > len(answers):
            return choice
    raise NoMajority(f"no majority: {counts.total()} of {len(answers)} answers valid")


class SequencePoint(NamedTuple):
    """A point that a sequence asks about, with the number of its step."""

    step: int
    facts: Any
    detail: dict[str, Any]


class SequenceOutcome(NamedTuple):
    """The outcome of a sequence."""

    outcome: Literal["point", "censored", "invalid"]
    value: float | None = None
    reason: str | None = None


Search: TypeAlias = Generator[Sequence[SequencePoint], Sequence[str], SequenceOutcome]
"""A generator that yields the points to ask next, and receives the majority choice for each of them."""


def bisect(halvings: int, at: Callable[[int, float], SequencePoint], high: str) -> Search:
    """Bisect the interval from 0 to 1 to find an indifference point. The choices at the two ends must differ. `high` is
    the choice at 1."""
    low, top = 0.0, 1.0
    for step in range(ENDS, ENDS + halvings):
        middle = (low + top) / 2
        (choice,) = yield (at(step, middle),)
        low, top = (low, middle) if choice == high else (middle, top)
    return SequenceOutcome("point", (low + top) / 2)


@dataclass(frozen=True, slots=True)
class Course:
    """One adaptive sequence: its condition, its search for the indifference point, and the way in which it shows the
    options."""

    condition: str
    facts: dict[str, Any]
    search: Callable[[], Search]
    purpose: str = "score"
    way: int = 0
    """The way in which the options of the sequence's first question are shown: a number from 0 to 3 (see
    `ostrom.games.battery.items`)."""


class AdaptiveRules(TaskRules):
    """The settings of every adaptive task."""

    options: ClassVar[tuple[str, str]]
    facts: ClassVar[type[Any]]
    """The class of the facts in a question to the chooser. It contains the facts of the first option, followed by those
    of the second."""
    led_by: ClassVar[str]
    """The simulated subject that answers the earlier questions of a sequence if an audit asks a later one."""

    bisections: int = Field(10, ge=1, le=50)
    """Number of bisections in each sequence. A sequence searches for one indifference point."""
    askings: OddAskings = 3
    """Number of times that each step is asked. The majority of the answers decides the step."""
    retest: float = Field(0.1, ge=0, le=1)
    """The share of the sequences that is asked a second time. These sequences are drawn at random."""
    reversals: int = Field(5, ge=0, le=1000)
    """Number of sequences that are asked once more with the order of the options reversed. These sequences are drawn at
    random."""
    dominance: int = Field(5, ge=0, le=5)
    """Number of questions in which one option is better than the other in every respect."""
    triples: int = Field(3, ge=0, le=3)
    """Number of triples of options that are asked about. A triple has three questions, one for every pair of its
    options."""

    @abstractmethod
    def sequence_settings(self) -> list[Mapping[str, Any]]:
        """Return, for each sequence of the grid, settings with which this sequence is the only one."""

    @abstractmethod
    def courses(self) -> Iterator[Course]:
        """Yield the sequences of the grid."""

    @abstractmethod
    def dominances(self) -> Iterator[tuple[Any, str]]:
        """Yield questions in which one option is better than the other in every respect. Each question is given by its
        facts and by that option."""

    @abstractmethod
    def equals(self) -> Iterator[Mapping[str, tuple[Any, ...]]]:
        """Yield triples of options `a`, `b` and `c` that are worth about the same. Each option is given by the values
        of its own facts."""

    def diagnostics(self) -> Iterator[GridCell]:
        """Yield the questions that are asked together with the first step."""
        for place, (facts, better) in enumerate(islice(self.dominances(), self.dominance), start=1):
            detail: dict[str, Any] = {"dominant": better}
            yield GridCell("chooser", f"dominance={place}", facts, self.options, purpose=DOMINANCE, detail=detail)
        for triple, options in enumerate(islice(self.equals(), self.triples), start=1):
            for first, second in ("ab", "bc", "ac"):
                condition = f"triple={triple} pair={first}{second}"
                detail = {"triple": triple, "elements": dict(zip(self.options, (first, second), strict=True))}
                facts = self.facts(*options[first], *options[second])
                yield GridCell("chooser", condition, facts, self.options, purpose=TRANSITIVITY, detail=detail)

    @property
    def questions(self) -> int:
        """The number of questions if no sequence ends early."""
        sequences = len(self.sequence_settings())
        repeats = self.retests(sequences) + min(self.reversals, sequences)
        steps = ENDS + self.bisections
        return (sequences + repeats) * steps * self.askings + self.dominance + 3 * self.triples + self.controls

    def retests(self, sequences: int) -> int:
        """Return how many of these sequences are asked a second time."""
        return int(self.retest * sequences + 0.5)


def play(rules: AdaptiveRules, table: Table) -> Play:
    """Ask every sequence to its end. Diagnostic questions are asked in the first step, and control questions after all
    others."""
    interview = Interview(rules.task, table)
    sequences = [_sequence(rules, course) for course in _with_repeats(rules, list(rules.courses()), table)]
    open_items = [(sequence, next(sequence)) for sequence in sequences]
    single = pose_all(rules.task, list(rules.diagnostics()), table.chance, turn=1)
    while open_items or single:
        answers = iter((yield from interview.put([item for _, items in open_items for item in items] + single)))
        open_sequences, open_items, single = open_items, [], []
        for sequence, items in open_sequences:
            try:
                open_items.append((sequence, sequence.send(list(islice(answers, len(items))))))
            except StopIteration as over:
                table.record(over.value)
    if rules.controls:
        yield from interview.put(pose_all(rules.task, control_cells(rules), table.chance))
    interview.close()


def _with_repeats(rules: AdaptiveRules, courses: Sequence[Course], table: Table) -> list[Course]:
    """Return the sequences of the grid and the repeated sequences. A retest shows the options exactly like the original
    sequence, so that only the subject can cause a different answer. A reversed sequence always shows the options in the
    other order."""
    chance = table.chance
    ways = deal_ways(chance, len(courses))
    originals = [replace(course, way=way) for course, way in zip(courses, ways, strict=True)]
    retests = random_order(chance, originals, RETEST, 0)[: rules.retests(len(originals))]
    reversals = random_order(chance, originals, REVERSED, 0)[: rules.reversals]
    return [
        *originals,
        *(replace(course, purpose=RETEST) for course in retests),
        *(replace(course, purpose=REVERSED) for course in reversals),
    ]


def _sequence(rules: AdaptiveRules, course: Course) -> Generator[list[PosedItem], list[str | None], SequenceEnded]:
    """Yield the items of each step and receive their answers. Return the event that records the outcome of the
    sequence."""
    search, questions = course.search(), 0
    points, outcome = next(search), None
    while outcome is None:
        answers = iter((yield [item for point in points for item in _items(rules, course, point)]))
        questions += len(points) * rules.askings
        try:
            points = search.send([majority(list(islice(answers, rules.askings))) for _ in points])
        except StopIteration as over:
            outcome = over.value
        except NoMajority as reason:
            outcome = SequenceOutcome("invalid", reason=str(reason))
    return SequenceEnded(
        task=rules.task,
        condition=course.condition,
        purpose=course.purpose,
        facts=course.facts,
        axis=points[-1].detail.get("axis"),
        answers=questions,
        **outcome._asdict(),
    )


def _items(rules: AdaptiveRules, course: Course, point: SequencePoint) -> Iterator[PosedItem]:
    (role,) = rules.roles
    cell = GridCell(role, course.condition, point.facts, rules.options, rules.askings, course.purpose, point.detail)
    for repetition in range(1, rules.askings + 1):
        mirrored = course.purpose == REVERSED
        yield pose(rules.task, cell, course.way, repetition, step=point.step, mirrored=mirrored)
