"""The rules of a task, which say everything about its stated choices, and what they are made of: the kinds of settings
that tasks share, each refused with a reason that says what would be right, the lists in which answers to questions like
each other stand together, and words for conditions."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, ClassVar, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ostrom.core.effects import Form, Party
from ostrom.games.battery.items import Cell, ItemAnswered


def parties(first: str, second: str, *, asked: Literal[0, 1] | None = None) -> tuple[Party, Party]:
    """The two of a form: the seats of a game, or the subject in the role that is asked and somebody it thinks of."""
    if asked is None:
        return Party(seat=0, role=first), Party(seat=1, role=second)
    return Party(seat=0 if asked == 0 else None, role=first), Party(seat=0 if asked == 1 else None, role=second)


def title_of(task: str) -> str:
    """What people call a task."""
    return task.replace("_", " ").capitalize()


def amount(value: float) -> str:
    """A number as it stands in words: at most two decimals, thousands apart."""
    text = f"{value + 0.0:,.2f}".rstrip("0").rstrip(".")
    return text.replace("-", "−")


def percent(share: float) -> str:
    """A part of one in per cent."""
    return f"{round(100 * share, 1):g} %"


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """Choices between two options, in the order of one number that changes."""

    axis: str
    """What changes, in words."""
    options: tuple[str, str]
    number: str | Callable[[ItemAnswered], tuple[float, str] | None]
    """The fact that changes; or what gives the number and how it reads."""
    title: str = ""
    """Where empty, the condition in words."""
    alike: tuple[str, ...] | None = None
    """The facts that questions of one list have in common; the whole condition where none are given."""
    words: Callable[[float], str] = amount
    """How the fact reads."""

    def at(self, item: ItemAnswered) -> tuple[float, str] | None:
        """The number, and how it reads."""
        if callable(self.number):
            return self.number(item)
        return item.facts[self.number], self.words(item.facts[self.number])


@dataclass(frozen=True, slots=True)
class AmountList:
    """Amounts that were named, each between two bounds."""

    title: str
    most: str = ""
    """The fact that holds the upper bound, from nothing on; without it, the facts `low` and `high` are the bounds."""

    def bounds(self, item: ItemAnswered) -> tuple[float, float]:
        """Between what the amount lies."""
        return (0.0, item.facts[self.most]) if self.most else (item.facts["low"], item.facts["high"])


def _share(text: str) -> str:
    return f"{amount(float(text) * 100)} %" if _is_number(text) else text


def _amount(text: str) -> str:
    return f"{float(text):,.10g}" if _is_number(text) else text


def _months(text: str) -> str:
    return f"{_amount(text)} {'month' if text == '1' else 'months'}"


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


_CONDITIONS: Mapping[str, Callable[[str], str]] = {
    "later": lambda value: f"{_amount(value)} later",
    "delay": lambda value: f"{_months(value)} apart",
    "front": lambda value: "the sooner one today" if value == "0" else f"the sooner one in {_months(value)}",
    "reference": lambda value: f"reference lottery {value.replace(',', ', ')}",
    "dominance": lambda value: f"question of dominance {value}",
    "pair": lambda value: f"options {' and '.join(value)}",
    "pot": lambda value: f"a pot of {_amount(value)}",
    "offer": lambda value: f"an offer of {value.replace('%', ' %')}",
    "endowment": lambda value: f"an endowment of {_amount(value)}",
    "sent": lambda value: f"{value.replace('%', ' %')} of it sent",
    "multiplier": lambda value: f"contributions grow × {_amount(value)}",
    "stag": lambda value: f"a stag worth {_amount(value)}",
    "hare": lambda value: f"a hare worth {_share(value)} of it",
    "scale": lambda value: f"amounts × {_amount(value)}",
    "bonus": lambda value: f"a bonus of {_amount(value)}",
    "prize": lambda value: f"a prize of {_amount(value)}",
    "known": lambda value: f"a known chance of {_share(value)}",
    "role": lambda value: f"as the {value}",
    "income": lambda value: f"an income of {_amount(value)}",
    "prices": lambda value: f"prices of {' and '.join(map(_amount, value.split(',')))}",
    "gain": lambda value: f"a gain of {_amount(value)}",
    "loss": lambda value: f"a loss of {_amount(value)}",
    "most": lambda value: f"any amount up to {_amount(value)}",
}
"""Parts of conditions in words; a name that is not here is told as it is."""


def condition_words(condition: str) -> str:
    """A condition in words: `later=1000 delay=36 front=0` is `1,000 later, 36 months apart, the sooner one today`."""
    parts = [part.partition("=") for part in condition.split(" ")]
    if not all(name and value for name, _, value in parts):
        return condition
    return ", ".join(
        _CONDITIONS[name](value) if name in _CONDITIONS else f"{name.replace('_', ' ')} {value}"
        for name, _, value in parts
    )


def _must(holds: Callable[[Any], bool], otherwise: str) -> AfterValidator:
    """Refuses a value that does not hold, with a reason in which `{0}` is the value."""

    def check(value: Any) -> Any:
        if not holds(value):
            raise ValueError(otherwise.format(value))
        return value

    return AfterValidator(check)


_Numbers: TypeAlias = Annotated[
    tuple[float, ...],
    _must(lambda values: all(map(math.isfinite, values)), "every number must be finite"),
    _must(
        lambda values: all(earlier < later for earlier, later in pairwise(values)),
        "the numbers must be sorted, each larger than the one before",
    ),
]
_Rising: TypeAlias = Annotated[_Numbers, _must(bool, "it must hold at least one number")]

# Numbers that are sorted already: the first is the least.
_POSITIVE = _must(lambda values: not values or values[0] > 0, "{0[0]:g} is not allowed; every number must be above 0")

Amounts: TypeAlias = Annotated[_Rising, _POSITIVE]
"""Amounts of money, multipliers, scales: above 0, sorted."""
AnyAmounts: TypeAlias = Annotated[_Numbers, _POSITIVE]
"""The same, or none at all."""
Waits: TypeAlias = Annotated[
    _Rising, _must(lambda values: values[0] >= 0, "{0[0]:g} is not allowed; no number may be below 0")
]
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
Askings: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]
"""How often the question of a cell is asked."""
Repetitions: TypeAlias = Annotated[Askings, Field(description="How often every question is asked.")]
"""The same for all questions of a task; it says so itself."""
OddAskings: TypeAlias = Annotated[
    int, Field(ge=1, le=99), _must(lambda value: value % 2 == 1, "it must be odd, so that there can be a majority")
]
"""How many answers make the majority of a step."""


@dataclass(frozen=True, slots=True)
class Role:
    """What a subject is within a task."""

    act: str
    """The method by which simulated subjects answer, such as 'send' or 'accept'."""
    listing: ChoiceList | AmountList | None = None
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

    controls: int = Field(0, ge=0, le=1000, exclude_if=lambda count: count == 0)
    """How many control questions follow, which enter no score. A benchmark asks at least 15 of every subject."""

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
        return sum(cell.repetitions for cell in self.cells()) + self.controls
