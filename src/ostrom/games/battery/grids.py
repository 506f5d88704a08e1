"""The grid of a task: the kinds of settings that tasks share, each refused with a reason that says what would be right,
and the rules that say everything about a task's stated choices."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ostrom.core.effects import Form
from ostrom.games.battery.drawing import Listing
from ostrom.games.battery.events import ItemAnswered
from ostrom.games.battery.items import Cell


def _must(holds: Callable[[Any], bool], otherwise: str) -> AfterValidator:
    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(otherwise)
        return value

    return AfterValidator(check)


def _positive(values: tuple[float, ...]) -> tuple[float, ...]:
    if values and min(values) <= 0:
        raise ValueError(f"{min(values):g} is not allowed; every number must be above 0")
    return values


def _not_negative(values: tuple[float, ...]) -> tuple[float, ...]:
    if min(values) < 0:
        raise ValueError(f"{min(values):g} is not allowed; no number may be below 0")
    return values


_Numbers: TypeAlias = Annotated[
    tuple[float, ...],
    _must(lambda values: all(map(math.isfinite, values)), "every number must be finite"),
    _must(
        lambda values: all(earlier < later for earlier, later in pairwise(values)),
        "the numbers must be sorted, each larger than the one before",
    ),
]
_Rising: TypeAlias = Annotated[_Numbers, _must(bool, "it must hold at least one number")]

Amounts: TypeAlias = Annotated[_Rising, AfterValidator(_positive)]
"""Amounts of money, multipliers, scales: above 0, sorted."""
AnyAmounts: TypeAlias = Annotated[_Numbers, AfterValidator(_positive)]
"""The same, or none at all."""
Waits: TypeAlias = Annotated[_Rising, AfterValidator(_not_negative)]
"""Times that may be nothing: 0 or more, sorted."""
Shares: TypeAlias = Annotated[
    _Rising, _must(lambda values: 0 <= min(values) <= max(values) <= 1, "every number must be a share, from 0 to 1")
]
"""Parts of an amount: from 0 to 1, sorted."""
Probabilities: TypeAlias = Annotated[
    _Rising,
    _must(
        lambda values: 0 < min(values) <= max(values) < 1,
        "every number must be a probability between 0 and 1, neither of them included",
    ),
]
"""Probabilities that leave room for chance, sorted."""
Repetitions: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]
"""How often the question of a cell is asked."""
Askings: TypeAlias = Annotated[
    int, Field(ge=1, le=99), _must(lambda value: value % 2 == 1, "it must be odd, so that there can be a majority")
]
"""How many answers make the majority of a step."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a subject is within a task."""

    act: str
    """The method by which simulated subjects answer, such as 'send' or 'accept'."""
    listing: Listing | None = None
    """The list in which answers to questions like each other stand."""
    field: str = "choice"
    """What a model's answer is called, where it is a number."""
    money: bool = True
    """Whether that number is an amount of money."""
    textbook: Callable[[Any, Any], Any] | None = None
    """What a simulated subject answers that has no method of this name, given the subject and the facts: the worth of
    each option, or a division of money."""


class TaskRules(BaseModel):
    """The grid of a task. The defaults are those of the full protocol."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    task: ClassVar[str]
    roles: ClassVar[Mapping[str, Role]]
    quick: ClassVar[Mapping[str, Any]] = {}
    """The settings of the quick protocol."""
    wording: ClassVar[str] = ""
    """Its templates, each under a line `{# plain/role #}`, where they do not stand in `prompts/NAME.j2`."""
    scores: ClassVar[str] = ""
    """The import path of scores that it brings, each declared with `scores.score.score`."""

    def __init_subclass__(cls, task: str = "") -> None:
        if task:
            cls.task = task

    def form(self, item: ItemAnswered) -> Form | None:
        """What an item looks like; where there is nothing to draw, its facts are told."""
        return None

    @property
    @abstractmethod
    def questions(self) -> int:
        """How many questions there are; in an adaptive task at most."""


class StatedRules(TaskRules):
    """The grid of a task whose items are all known beforehand."""

    @abstractmethod
    def cells(self) -> list[Cell]:
        """The questions of the grid."""

    @property
    def questions(self) -> int:
        """How many questions there are."""
        return sum(cell.repetitions for cell in self.cells())
