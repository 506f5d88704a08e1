"""Items: the independent questions of a task, the ways to show them, the interview that asks them, and the events that
it records. All tasks share this code. Scores are computed from the events alone.

A question with two options can be shown in four ways: either option may come first, and either may be labelled A. A
question of the task's grid is called a cell, and its repetitions use the four ways in turn. So each option is first as
often as second, and A as often as B (up to one if the number of repetitions is odd). The first way of each cell is
assigned at random, so that each way comes first in the same number of cells (up to one)."""

from collections import Counter
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar

from ostrom.core import Answer, Chance, Choice, Event, EventRegistry, Seat, Spec, Step, Table
from ostrom.core.effects import ChoiceMade

EVENTS = EventRegistry()


@EVENTS.register
class ItemAnswered(Event, tag="item_answered"):
    """A subject answered an item, or gave no valid answer to it."""

    number: int
    """The item's number in the order of asking, counted from 1."""
    task: str
    role: str
    condition: str
    repetition: int
    purpose: str
    step: int
    facts: dict[str, Any]
    options: list[str]
    """The options in the order in which they were shown."""
    labels: list[str]
    detail: dict[str, Any]
    answer: str | float | None
    """The meaning of the chosen option, or the number that was named. None if there was no valid answer."""
    fault: str | None = None
    """The reason for a missing answer: the fault of a call, such as 'refused' or 'malformed'."""

    @property
    def amount(self) -> float | None:
        return self.answer if isinstance(self.answer, float) else None

    @property
    def choice(self) -> ChoiceMade:
        """The options as they were shown, and the chosen one."""
        answer = self.answer if isinstance(self.answer, str) else None
        return ChoiceMade(options=tuple(self.options), labels=tuple(self.labels), answer=answer)

    def place(self, options: tuple[str, ...]) -> int | None:
        """Return the position of the chosen option in `options`, or None if it is not among them."""
        return options.index(self.answer) if self.answer in options else None


@EVENTS.register
class SequenceEnded(Event, tag="sequence_ended"):
    """An adaptive sequence ended."""

    task: str
    condition: str
    purpose: str
    facts: dict[str, Any]
    outcome: Literal["point", "censored", "invalid"]
    value: float | None
    """The indifference point in the task's own unit. If the sequence is censored, this is the bound. If it is invalid,
    this is None."""
    axis: str | None = None
    """In the risk task, the edge of the triangle on which the sequence searched: 'x' or 'y'. None in other tasks."""
    answers: int
    """The number of questions asked."""
    reason: str | None = None
    """The reason why the sequence is censored or invalid."""


@EVENTS.register
class TaskEnded(Event, tag="task_ended"):
    """All items were asked."""

    task: str
    items: int
    valid: int
    faults: dict[str, int]


ITEM_EVENTS = EventRegistry()
"""The events of tasks without adaptive sequences."""
for _event in (ItemAnswered, TaskEnded):
    ITEM_EVENTS.register(_event)

LABELS = ("A", "B")
CONTROL = "control"
"""The purpose of items that show whether a subject reads the question."""
ITEMS = "items"
"""The `purpose` of the random draw that orders the items of a step."""
WAYS = "ways"
"""The `purpose` of the random draw that assigns the four ways to cells."""
UNKNOWN = "unknown"
"""The fault recorded for a missing answer if no other fault is known."""

# Each pair that starts at an even index differs in both order and labels, so that ten askings are balanced too.
_TURNS = ((0, 0), (1, 1), (0, 1), (1, 0))

Entry = TypeVar("Entry")


class Facts:
    """The amounts and other numbers in the text of a question. Every task defines its own frozen subclass."""

    __slots__ = ()

    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Return further variables for the task's templates. `money` is a function that formats an amount."""
        return {}


@dataclass(frozen=True, slots=True)
class Item:
    """One question to one subject. It names neither the game nor other items."""

    task: str
    role: str
    """The role of the subject within the task: 'chooser', 'giver', 'proposer', 'responder', 'sender', 'returner', …"""
    condition: str
    """The cell of the grid, such as 'later=100 delay=12 front=0'. Answers of one cell are repetitions of one
    question."""
    repetition: int
    """The number of this repetition of the question within its condition, counted from 1."""
    facts: Any
    options: tuple[str, ...] = ()
    """The options by their meaning ('sooner', 'later'), in the order shown. There are none if a number is asked."""
    labels: tuple[str, ...] = ()
    purpose: str = "score"
    """'score', or the name of the diagnostic for which the item is asked: 'retest', 'dominance', 'reversed' or
    'transitivity'. 'statics' marks items that only measure the effect of a change in the question."""
    step: int = 0
    """The step in an adaptive sequence: 0 and 1 for the ends, 2 and more for the bisections."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """Further data for diagnostics, such as the dominant option. Not shown to the subject."""

    def label_of(self, option: str) -> str:
        """Return the label of an option."""
        return self.labels[self.options.index(option)]

    def as_record(self) -> Mapping[str, Any]:
        """Return the item as plain data."""
        options = dict(zip(self.labels, self.options, strict=True))
        return {"task": self.task, "role": self.role, **asdict(self.facts), "options": options}


@dataclass(frozen=True, slots=True)
class GridCell:
    """A question of the grid, which is asked several times."""

    role: str
    condition: str
    facts: Any
    answer: Spec | tuple[str, ...]
    """The specification of a number, or two options. The options are in the order in which the task's file lists them,
    which can differ from the order shown."""
    repetitions: int = 1
    purpose: str = "score"
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> tuple[str, ...]:
        return self.answer if isinstance(self.answer, tuple) else ()


PosedItem: TypeAlias = tuple[Item, Spec]
"""An item with the specification of a valid answer."""


class Showing(NamedTuple):
    """One way to show the options of a question."""

    options: tuple[str, ...]
    labels: tuple[str, ...]


def random_order(chance: Chance, entries: Sequence[Entry], purpose: str, turn: int) -> list[Entry]:
    """Return the entries in a random order. The draw is over positions instead of entries, so that a logged order can
    replace it."""
    order = chance.order((Seat(place) for place in range(len(entries))), purpose, turn)
    return [entries[seat.index] for seat in order]


def deal_ways(chance: Chance, count: int, turn: int = 0) -> list[int]:
    """Return, for each cell, the way in which its options are shown first. The numbers of cells per way differ by at
    most one."""
    ways = [0] * count
    for rank, place in enumerate(random_order(chance, range(count), WAYS, turn)):
        ways[place] = rank % len(_TURNS)
    return ways


def show_options(options: tuple[str, ...], way: int, asking: int, *, mirrored: bool = False) -> Showing:
    """Return the options as they are shown, for a cell whose first way is `way`. `asking` is the number of times that
    the cell was asked before. If mirrored, the options exchange places and keep their labels."""
    swap, relabel = _TURNS[asking % len(_TURNS)]
    order, labels = options, LABELS[: len(options)]
    if relabel ^ (way >> 1):
        labels = labels[::-1]
    return Showing(order[::-1], labels[::-1]) if swap ^ (way & 1) ^ mirrored else Showing(order, labels)


def pose(task: str, cell: GridCell, way: int, repetition: int, *, step: int = 0, mirrored: bool = False) -> PosedItem:
    """Return the question of a cell for one repetition, counted from 1. In a sequence, every step has
    `cell.repetitions` repetitions."""
    showing = show_options(cell.options, way, step * cell.repetitions + repetition - 1, mirrored=mirrored)
    item = Item(task, cell.role, cell.condition, repetition, cell.facts, *showing, cell.purpose, step, cell.detail)
    return item, Choice(showing.options) if isinstance(cell.answer, tuple) else cell.answer


def pose_all(task: str, cells: Sequence[GridCell], chance: Chance, turn: int = 0) -> list[PosedItem]:
    """Return every repetition of every cell, with the four ways assigned to them."""
    return [
        pose(task, cell, way, repetition)
        for cell, way in zip(cells, deal_ways(chance, len(cells), turn), strict=True)
        for repetition in range(1, cell.repetitions + 1)
    ]


class Interview:
    """One subject's interview about one task. It asks items step by step, and records every answer or its absence."""

    def __init__(self, task: str, table: Table) -> None:
        (self._subject,) = table.seats
        self._task = task
        self._table = table
        self._asked = 0
        self._moments = 0
        self._faults: Counter[str] = Counter()
        # Many items share their facts, so their plain form is computed only once.
        self._plain: dict[Any, dict[str, Any]] = {}

    def put(self, items: Sequence[PosedItem]) -> Generator[Step, list[Answer], list[Any]]:
        """Ask these items in one step, numbered in a random order. Return the answers in the order of `items`. A
        missing or invalid answer is None."""
        self._moments += 1
        order = random_order(self._table.chance, range(len(items)), ITEMS, self._moments)
        numbered = [(number, place, *items[place]) for number, place in enumerate(order, start=self._asked + 1)]
        self._asked += len(items)
        answers = yield [
            self._table.ask(self._subject, item.role, number, spec, item) for number, _, item, spec in numbered
        ]
        values: list[Any] = [None] * len(items)
        for (number, place, item, _), answer in zip(numbered, answers, strict=True):
            values[place] = answer.value
            self._record(number, item, answer)
        return values

    def close(self) -> None:
        """Record the end of the task."""
        valid = self._asked - self._faults.total()
        self._table.record(TaskEnded(task=self._task, items=self._asked, valid=valid, faults=dict(self._faults)))

    def _record(self, number: int, item: Item, answer: Answer) -> None:
        same = {name: getattr(item, name) for name in ("task", "role", "condition", "repetition", "purpose", "step")}
        if item.facts not in self._plain:
            values = {entry.name: getattr(item.facts, entry.name) for entry in fields(item.facts)}
            self._plain[item.facts] = {name: _plain(value) for name, value in values.items()}
        event = ItemAnswered(
            number=number,
            facts=self._plain[item.facts],
            options=list(item.options),
            labels=list(item.labels),
            detail=dict(item.detail),
            answer=answer.value,
            fault=None if answer.fault is None or answer.value is not None else str(answer.fault),
            **same,
        )
        if event.answer is None:
            self._faults[event.fault or UNKNOWN] += 1
        self._table.record(event)


def _plain(value: Any) -> Any:
    """Convert tuples to lists, since records store lists only."""
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
