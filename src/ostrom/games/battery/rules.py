"""The rules of tasks that are asked as stated choices. This module has their grids of questions and the types that
their settings share. Each type raises an error that names the valid values. The module also has lists that collect
answers to similar questions, and descriptions of conditions."""

import math
from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import cycle, islice, pairwise
from typing import Annotated, Any, ClassVar, Final, Literal, TypeAlias
from zlib import crc32

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from ostrom.core import Amount
from ostrom.core.effects import Form, FormParty
from ostrom.games.battery.items import CONTROL, Facts, GridCell, ItemAnswered


def parties(first: str, second: str, *, asked: Literal[0, 1] | None = None) -> tuple[FormParty, FormParty]:
    """Return the two parties that a diagram shows. In a game, these are both seats. For a stated item, they are the
    subject in its role and an imagined other person."""
    if asked is None:
        return FormParty(seat=0, role=first), FormParty(seat=1, role=second)
    return FormParty(seat=0 if asked == 0 else None, role=first), FormParty(seat=0 if asked == 1 else None, role=second)


def title_of(task: str) -> str:
    """Return the title of a task."""
    return task.replace("_", " ").capitalize()


def amount(value: float) -> str:
    """Format a number with at most two decimals and thousands separators."""
    text = f"{value + 0.0:,.2f}".rstrip("0").rstrip(".")
    return text.replace("-", "−")


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{round(100 * share, 1):g} %"


@dataclass(frozen=True, slots=True)
class ChoiceList:
    """A list of choices between two options, ordered by a number that differs from question to question."""

    axis: str
    """The name of the number that differs."""
    options: tuple[str, str]
    number: str | Callable[[ItemAnswered], tuple[float, str] | None]
    """The name of the fact that differs, or a function that returns the number and its text."""
    title: str = ""
    """The title of the list. If it is empty, the title is the condition in words."""
    alike: tuple[str, ...] | None = None
    """The facts that the questions of one list have in common. By default, the whole condition is the same."""
    words: Callable[[float], str] = amount

    def at(self, item: ItemAnswered) -> tuple[float, str] | None:
        """Return the number and its text, or None if the item is not part of a list."""
        if callable(self.number):
            return self.number(item)
        return item.facts[self.number], self.words(item.facts[self.number])


@dataclass(frozen=True, slots=True)
class AmountList:
    """A list of amounts that a subject named, each between two bounds."""

    title: str
    most: str = ""
    """The name of the fact that is the upper bound. In this case, the lower bound is 0. If the name is empty, the facts
    `low` and `high` are the bounds."""

    def bounds(self, facts: Mapping[str, float]) -> tuple[float, float]:
        """Return the bounds of the amount."""
        return (0.0, facts[self.most]) if self.most else (facts["low"], facts["high"])


_CONDITIONS: Final[Mapping[str, str]] = {
    "later": "{amount} later",
    "delay": "{months} apart",
    "front": "the sooner one in {months}",
    "reference": "reference lottery {listed}",
    "dominance": "question of dominance {text}",
    "pair": "options {letters}",
    "pot": "a pot of {amount}",
    "offer": "an offer of {percent}",
    "endowment": "an endowment of {amount}",
    "sent": "{percent} of it sent",
    "multiplier": "contributions grow × {amount}",
    "stag": "a stag worth {amount}",
    "hare": "a hare worth {share} of it",
    "scale": "amounts × {amount}",
    "bonus": "a bonus of {amount}",
    "prize": "a prize of {amount}",
    "known": "a known chance of {share}",
    "role": "as the {text}",
    "income": "an income of {amount}",
    "prices": "prices of {amounts}",
    "gain": "a gain of {amount}",
    "loss": "a loss of {amount}",
    "most": "any amount up to {amount}",
    "target": "{amount} named",
}
"""Descriptions of the parts of conditions. A part that is missing here is shown unchanged."""


def _part_words(name: str, text: str) -> str:
    if name not in _CONDITIONS:
        return f"{name.replace('_', ' ')} {text}"
    if (name, text) == ("front", "0"):
        return "the sooner one today"
    return _CONDITIONS[name].format(
        text=text,
        amount=_amount(text),
        months=f"{_amount(text)} {'month' if text == '1' else 'months'}",
        share=f"{amount(100 * float(text))} %" if _is_number(text) else text,
        percent=text.replace("%", " %"),
        listed=text.replace(",", ", "),
        letters=" and ".join(text),
        amounts=" and ".join(map(_amount, text.split(","))),
    )


def _amount(text: str) -> str:
    return f"{float(text):,.10g}" if _is_number(text) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def condition_words(condition: str) -> str:
    """Return a condition in words: `later=1000 delay=36 front=0` is `1,000 later, 36 months apart, the sooner one
    today`."""
    parts = [part.partition("=") for part in condition.split(" ")]
    if not all(name and value for name, _, value in parts):
        return condition
    return ", ".join(_part_words(name, value) for name, _, value in parts)


def _must(holds: Callable[[Any], bool], otherwise: str) -> AfterValidator:
    """Return a validator that raises an error unless the condition holds for the value. In the text of the error, `{0}`
    stands for the value."""

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

# The numbers are already sorted, so the first is the smallest.
_POSITIVE = _must(lambda values: not values or values[0] > 0, "{0[0]:g} is not allowed; every number must be above 0")

Amounts: TypeAlias = Annotated[_Rising, _POSITIVE]
"""Amounts of money, multipliers, scales: above 0, sorted."""
AnyAmounts: TypeAlias = Annotated[_Numbers, _POSITIVE]
"""Amounts as in `Amounts`, but the list may be empty."""
Waits: TypeAlias = Annotated[
    _Rising, _must(lambda values: values[0] >= 0, "{0[0]:g} is not allowed; no number may be below 0")
]
"""Durations: 0 or more, sorted."""
Shares: TypeAlias = Annotated[
    _Rising, _must(lambda values: 0 <= min(values) <= max(values) <= 1, "every number must be a share, from 0 to 1")
]
"""Shares of an amount, from 0 to 1, sorted."""
Probabilities: TypeAlias = Annotated[
    _Rising,
    _must(
        lambda values: 0 < min(values) <= max(values) < 1,
        "every number must be a probability between 0 and 1, neither of them included",
    ),
]
"""Probabilities above 0 and below 1, sorted."""
Askings: TypeAlias = Annotated[int, Field(ge=1, le=10_000)]
"""The number of times that the question of a cell is asked."""
Repetitions: TypeAlias = Annotated[Askings, Field(description="How often every question is asked.")]
"""The number of times that every question of a task is asked."""
OddAskings: TypeAlias = Annotated[
    int, Field(ge=1, le=99), _must(lambda value: value % 2 == 1, "it must be odd, so that there can be a majority")
]
"""The number of times that each step of a sequence is asked. The majority of the answers decides the step."""


@dataclass(frozen=True, slots=True)
class Role:
    """A role of a subject within a task."""

    act: str
    """The method by which simulated subjects answer, such as 'send' or 'accept'."""
    listing: ChoiceList | AmountList | None = None
    """The list of answers to similar questions."""
    field: str = "choice"
    """The name of the answer's field in a model's reply, if the answer is a number."""
    money: bool = True
    """True if that number is an amount of money."""
    textbook: Callable[[Any, Any], Any] | None = None
    """A function that answers for a simulated subject that has no method named `act`, given the subject and the facts.
    It returns the worth of each option, or a division of money."""


class TaskRules(BaseModel):
    """The grid of a task. The defaults are those of the full protocol."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    task: ClassVar[str]
    roles: ClassVar[Mapping[str, Role]]
    quick: ClassVar[Mapping[str, Any]] = {}
    """The settings of the quick protocol."""
    wording: ClassVar[str] = ""
    """The templates of the task's prompts, each after a line `{# plain/role #}`. By default, they are those in
    `prompts/NAME.j2`."""
    scores: ClassVar[str] = ""
    """The import path of the task's own scores, each declared with `scores.score.score`."""

    controls: int = Field(0, ge=0, le=1000, exclude_if=lambda count: count == 0)
    """Number of control questions, which are asked at the end. No score uses them. A benchmark asks every subject at
    least 18."""
    control_answers: Literal["greatest", "any"] = Field("greatest", exclude_if=lambda kind: kind == "greatest")
    """The right answers to control questions. With `greatest`, as in older experiments, each right answer is the
    greatest amount. With `any`, some right answers are 0 or a named amount."""

    def __init_subclass__(cls, task: str = "") -> None:
        if task:
            cls.task = task

    def form(self, item: ItemAnswered) -> Form | None:
        """Return the diagram that shows an item. Return None if the item's facts are listed instead."""
        return None

    @property
    @abstractmethod
    def questions(self) -> int:
        """The number of questions. In an adaptive task, this is the maximum."""


class StatedRules(TaskRules):
    """The grid of a task whose items do not depend on earlier answers."""

    @abstractmethod
    def cells(self) -> list[GridCell]:
        """Return the questions of the grid."""

    @property
    def questions(self) -> int:
        return sum(cell.repetitions for cell in self.cells()) + self.controls


CONTROL_LIMITS: Final = (10.0, 100.0, 1000.0)
"""The greatest amounts in control questions whose right answer is always the greatest. These amounts differ, so that a
subject that always names the same number names a different share each time."""
_NAMED_AMOUNTS: Final = ((50.0, 10.0), (1000.0, 650.0), (20.0, 10.0), (200.0, 160.0), (100.0, 35.0))
"""Limits, each with the amount that the question names as the right answer. They are chosen so that no habit is close
to the right answer in most questions."""


@dataclass(frozen=True, slots=True)
class ControlFacts(Facts):
    """The facts of a control question, to which any amount up to a limit is a valid answer. A subject that reads the
    question and likes money takes nearly all, or discards nearly nothing, regardless of its preferences towards risk,
    time and others. A subject that answers by habit or chance does not. Control questions come last in a task, so that
    they do not affect other questions. No score uses them."""

    most: float


@dataclass(frozen=True, slots=True)
class TargetFacts(ControlFacts):
    """The facts of a control question that names an amount. The subject is paid most if it answers with this amount."""

    target: float


CONTROL_ROLES: Final = {
    "taker": Role("take", field="amount"),
    "discarder": Role("discard", field="amount"),
    "enterer": Role("enter", field="amount"),
}
"""The roles of a subject in control questions, which are the same for every task. The right answers of the three roles
are, in this order: the greatest amount, nothing, and the named amount."""


def control_cells(rules: TaskRules) -> list[GridCell]:
    """Return the control questions of a task. They alternate between the three roles, with limits that differ between
    tasks."""
    if rules.control_answers == "greatest":
        return [_control("taker", ControlFacts(most)) for most in islice(cycle(CONTROL_LIMITS), rules.controls)]
    cells = []
    for number in range(rules.controls):
        role = tuple(CONTROL_ROLES)[number % len(CONTROL_ROLES)]
        place = crc32(rules.task.encode()) + number // len(CONTROL_ROLES)
        most, target = _NAMED_AMOUNTS[place % len(_NAMED_AMOUNTS)]
        cells.append(_control(role, TargetFacts(most, target) if role == "enterer" else ControlFacts(most)))
    return cells


def _control(role: str, facts: ControlFacts) -> GridCell:
    target = f" target={facts.target:g}" if isinstance(facts, TargetFacts) else ""
    return GridCell(role, f"most={facts.most:g}{target}", facts, Amount(0, facts.most), purpose=CONTROL)


def right_answer(role: str, facts: Mapping[str, float]) -> float:
    """Return the right answer to a control question."""
    return facts.get("target", 0.0 if role == "discarder" else facts["most"])
