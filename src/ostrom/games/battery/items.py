"""Items: the independent questions of a task, how they are put, the interview that asks them, and the events that are
recorded, the same for every task. Scores are made from the events alone.

A way to put two options has two sides: which of them is shown first, and which of them is called A. The four ways take
turns over the askings of a cell, so that each option is first as often as it is second and A as often as it is B; where
their number is odd, once more or less. Which of the four comes first is dealt out to the cells by chance, evenly.
"""

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
    """In the order shown."""
    labels: list[str]
    detail: dict[str, Any]
    answer: str | float | None
    """What was chosen, by its meaning, or the number given; missing where there was no valid answer."""
    fault: str | None = None
    """Why there was none: a fault of a call, such as 'refused' or 'malformed'."""

    @property
    def amount(self) -> float | None:
        """The answer, where it is a number."""
        return self.answer if isinstance(self.answer, float) else None

    @property
    def choice(self) -> ChoiceMade:
        """The options as they were shown, and the one that was chosen."""
        answer = self.answer if isinstance(self.answer, str) else None
        return ChoiceMade(options=tuple(self.options), labels=tuple(self.labels), answer=answer)

    def place(self, options: tuple[str, ...]) -> int | None:
        """The place of the chosen option among these."""
        return options.index(self.answer) if self.answer in options else None


@EVENTS.register
class SequenceEnded(Event, tag="sequence_ended"):
    """An adaptive sequence came to its end."""

    task: str
    condition: str
    purpose: str
    facts: dict[str, Any]
    outcome: Literal["point", "censored", "invalid"]
    value: float | None
    """The indifference point in the task's own measure; of a censored one the bound; missing where invalid."""
    axis: str | None = None
    """In the risk task: 'x' or 'y'."""
    answers: int
    """How many answers it took."""
    reason: str | None = None
    """Why it is censored or invalid."""


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
"""The purpose of the draw that orders the items of a step."""
WAYS = "ways"
"""The purpose of the draw that deals the four ways out to cells."""
UNKNOWN = "unknown"
"""Under which missing answers are counted whose fault is not known."""

# Any two neighbours that start at an even place differ in both sides, so that ten askings are balanced too.
_TURNS = ((0, 0), (1, 1), (0, 1), (1, 0))

Entry = TypeVar("Entry")


class Facts:
    """The numbers of a question: a frozen dataclass in the task's own file."""

    __slots__ = ()

    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        """What the templates of a task need besides the numbers, given how amounts are told."""
        return {}


@dataclass(frozen=True, slots=True)
class Item:
    """One question to one subject. It knows nothing of other items, and names no game."""

    task: str
    """'time', 'risk', 'dictator', …"""
    role: str
    """What the subject is within the task: 'chooser', 'giver', 'proposer', 'responder', 'sender', 'returner', …"""
    condition: str
    """The cell of the grid, such as 'later=100 delay=12 front=0'. Scores are resampled by it."""
    repetition: int
    """Which asking of the same question within its condition, counted from 1."""
    facts: Any
    options: tuple[str, ...] = ()
    """What can be chosen, in the order shown, by what it means ('sooner', 'later'); empty where a number is asked."""
    labels: tuple[str, ...] = ()
    """Under which label ('A', 'B') each of `options` is shown."""
    purpose: str = "score"
    """'score', or the diagnostic that it serves: 'retest', 'dominance', 'reversed', 'transitivity'; or 'statics', where
    it is asked to see what a change of the question does."""
    step: int = 0
    """In an adaptive sequence: 0 and 1 for its ends, from 2 on the bisections."""
    detail: Mapping[str, Any] = field(default_factory=dict)
    """What else a diagnostic needs to be counted, such as which option dominates. Not shown to the subject."""

    def label_of(self, option: str) -> str:
        """Under which label an option is shown."""
        return self.labels[self.options.index(option)]

    def as_record(self) -> Mapping[str, Any]:
        """The item as plain data, for those who read rather than compute."""
        options = dict(zip(self.labels, self.options, strict=True))
        return {"task": self.task, "role": self.role, **asdict(self.facts), "options": options}


@dataclass(frozen=True, slots=True)
class Cell:
    """A question of the grid, which is asked several times."""

    role: str
    condition: str
    facts: Any
    answer: Spec | tuple[str, ...]
    """What a number must be; or the options, in the order of the task's file, whatever the order in which they are
    shown."""
    repetitions: int = 1
    purpose: str = "score"
    detail: dict[str, Any] = field(default_factory=dict)

    @property
    def options(self) -> tuple[str, ...]:
        """What can be chosen; empty where a number is asked."""
        return self.answer if isinstance(self.answer, tuple) else ()


Posed: TypeAlias = tuple[Item, Spec]
"""An item and what a valid answer to it looks like."""


class Showing(NamedTuple):
    """One way to put a question."""

    options: tuple[str, ...]
    """In the order shown."""
    labels: tuple[str, ...]


def drawn_order(chance: Chance, entries: Sequence[Entry], purpose: str, turn: int) -> list[Entry]:
    """The entries in an order drawn at random. Draws are named by places, so an order that was logged elsewhere serves
    as well as a seed."""
    order = chance.order((Seat(place) for place in range(len(entries))), purpose, turn)
    return [entries[seat.index] for seat in order]


def deal_ways(chance: Chance, count: int, turn: int = 0) -> list[int]:
    """With which of the four ways each of so many cells begins: every way as often as the others, or once more."""
    dealt = [0] * count
    for rank, place in enumerate(drawn_order(chance, range(count), WAYS, turn)):
        dealt[place] = rank % len(_TURNS)
    return dealt


def shown(options: tuple[str, ...], way: int, asking: int, *, mirrored: bool = False) -> Showing:
    """How the options of a cell that begins with `way` are put at its `asking`-th asking, counted from 0. Mirrored, the
    other one is shown first, under the same labels."""
    second, relabelled = _TURNS[asking % len(_TURNS)]
    order, labels = options, LABELS[: len(options)]
    if relabelled ^ (way >> 1):
        labels = labels[::-1]
    return Showing(order[::-1], labels[::-1]) if second ^ (way & 1) ^ mirrored else Showing(order, labels)


def posed(task: str, cell: Cell, way: int, repetition: int, *, step: int = 0, mirrored: bool = False) -> Posed:
    """A cell's question at one of its repetitions, counted from 1; in a sequence every step has so many."""
    put = shown(cell.options, way, step * cell.repetitions + repetition - 1, mirrored=mirrored)
    item = Item(task, cell.role, cell.condition, repetition, cell.facts, *put, cell.purpose, step, cell.detail)
    return item, Choice(put.options) if isinstance(cell.answer, tuple) else cell.answer


def every(task: str, cells: Sequence[Cell], chance: Chance, turn: int = 0) -> list[Posed]:
    """Every repetition of every cell, with the four ways dealt out to them."""
    return [
        posed(task, cell, way, repetition)
        for cell, way in zip(cells, deal_ways(chance, len(cells), turn), strict=True)
        for repetition in range(1, cell.repetitions + 1)
    ]


class Interview:
    """One subject's way through one task: puts items step by step, and records every answer, or that there was
    none."""

    def __init__(self, task: str, table: Table) -> None:
        (self._subject,) = table.seats
        self._task = task
        self._table = table
        self._asked = 0
        self._moments = 0
        # Many items share their facts; what they are as plain data is found once.
        self._plain: dict[Any, dict[str, Any]] = {}

    def put(self, items: Sequence[Posed]) -> Generator[Step, list[Answer], list[Any]]:
        """Ask all of these at once, in an order drawn at random; returns the answers in the order of `items`, with
        `None` where there was no valid one."""
        self._moments += 1
        order = drawn_order(self._table.chance, range(len(items)), ITEMS, self._moments)
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
        """Record that all items were asked."""
        answers = [event for event in self._table.events if isinstance(event, ItemAnswered)]
        faults = Counter(event.fault or UNKNOWN for event in answers if event.answer is None)
        valid = len(answers) - faults.total()
        self._table.record(TaskEnded(task=self._task, items=len(answers), valid=valid, faults=dict(faults)))

    def _record(self, number: int, item: Item, answer: Answer) -> None:
        same = {name: getattr(item, name) for name in ("task", "role", "condition", "repetition", "purpose", "step")}
        if item.facts not in self._plain:
            known = {entry.name: getattr(item.facts, entry.name) for entry in fields(item.facts)}
            self._plain[item.facts] = {name: _plain(value) for name, value in known.items()}
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
        self._table.record(event)


def _plain(value: Any) -> Any:
    """Lists for tuples, as a record has them."""
    return [_plain(part) for part in value] if isinstance(value, tuple) else value
