"""How items are put: in which order they are asked, in which order their options are shown, and under which labels.

A way to put two options has two sides: which of them is shown first, and which of them is called A. The four ways take
turns over the askings of a cell, so that each option is first as often as it is second and A as often as it is B; where
their number is odd, once more or less. Which of the four comes first is dealt out to the cells by chance, evenly.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, TypeVar

from ostrom.core import Chance, Choice, Seat, Spec
from ostrom.games.battery.item import Item

LABELS = ("A", "B")
ITEMS = "items"
"""The purpose of the draw that orders the items of a step."""
WAYS = "ways"
"""The purpose of the draw that deals the four ways out to cells."""

# Any two neighbours that start at an even place differ in both sides, so that ten askings are balanced too.
_TURNS = ((0, 0), (1, 1), (0, 1), (1, 0))

Entry = TypeVar("Entry")


@dataclass(frozen=True, slots=True)
class Cell:
    """A question of the grid, which is asked several times."""

    role: str
    condition: str
    facts: Any
    spec: Spec | None = None
    """What a number must be; where there are options, they are the specification."""
    options: tuple[str, ...] = ()
    """In the order of the task's file, whatever the order in which they are shown."""
    repetitions: int = 1
    purpose: str = "score"
    detail: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Posed:
    """An item and what a valid answer to it looks like."""

    item: Item
    spec: Spec


@dataclass(frozen=True, slots=True)
class Showing:
    """One way to put a question."""

    options: tuple[str, ...]
    """In the order shown."""
    labels: tuple[str, ...]
    spec: Choice


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
    return _shown(options, bool(second ^ (way & 1) ^ mirrored), bool(relabelled ^ (way >> 1)))


@lru_cache(maxsize=1024)
def _shown(options: tuple[str, ...], second: bool, relabelled: bool) -> Showing:
    if not options:
        return Showing((), (), Choice(()))
    called = dict(zip(options, LABELS[::-1] if relabelled else LABELS, strict=True))
    order = options[::-1] if second else options
    return Showing(order, tuple(called[option] for option in order), Choice(order))


def posed(task: str, cell: Cell, way: int, repetition: int) -> Posed:
    """A cell's question at one of its repetitions, counted from 1."""
    put = shown(cell.options, way, repetition - 1)
    item = Item(
        task=task,
        role=cell.role,
        condition=cell.condition,
        repetition=repetition,
        facts=cell.facts,
        options=put.options,
        labels=put.labels,
        purpose=cell.purpose,
        detail=cell.detail,
    )
    return Posed(item, cell.spec or put.spec)
