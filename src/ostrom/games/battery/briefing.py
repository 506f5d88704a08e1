"""The prompts of the battery. A task's stated items and its played game have the same prompts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Self

from typing_extensions import override

from ostrom.core import Amount, Chance, IllegalAnswer, Question
from ostrom.core.game import Game
from ostrom.core.specs import Stepped
from ostrom.games.battery.items import Item
from ostrom.games.battery.played import PlayedView
from ostrom.games.battery.rules import CONTROL_ROLES
from ostrom.games.battery.stated import PREFIX, TASKS, BatteryTask
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, as_written
from ostrom.players.models.framing import Framing, plain, truncated

UNIT = "dollars"
"""The unit of amounts for players with the default framing. The default framing's own unit, tokens, does not suit debts
and prizes."""
_ROUNDING = 1e-6


class Money(Framing):
    """Formats amounts as whole numbers or with two decimals."""

    @override
    def figure(self, value: float) -> str:
        scaled = round(value * self.scale, 2)
        text = str(int(scaled)) if scaled == int(scaled) else f"{scaled:.2f}"
        return text.replace(".", self.decimal)


class TaskBriefing(Briefing):
    """The briefing of a task. The template file has the name of the task and contains one template for each role."""

    prompts = Path(__file__).parent / "prompts"
    translations = Path(__file__).parent / "translations"
    unit = UNIT

    def __init__(self, task: BatteryTask) -> None:
        self._task = task
        self._roles = {**CONTROL_ROLES, **task.roles}
        own = task.rules.wording or (self.prompts / f"{task.name}.j2").read_text(encoding="utf-8")
        self.wording = (self.prompts / "shared.j2").read_text(encoding="utf-8") + own

    @override
    def translated(self, language: str) -> Self | None:
        other = super().translated(language)
        own = None if other is None else other.prompts / f"{self._task.name}.j2"
        if other is None or own is None or not own.is_file():
            return None
        other.wording = (other.prompts / "shared.j2").read_text(encoding="utf-8") + own.read_text(encoding="utf-8")
        # The words of a task replace those of all tasks.
        prefix = f"{self._task.name}."
        own_words = {name.removeprefix(prefix): word for name, word in other.words.items() if name.startswith(prefix)}
        other.words = {**other.words, **own_words}
        return other

    @override
    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        view: Item | PlayedView = question.view
        unit = UNIT if framing.unit == Framing().unit else framing.unit
        money = Money(framing.variant, unit, framing.scale, decimal=framing.decimal)
        return {
            "facts": view.facts,
            "options": list(zip(view.labels, view.options, strict=True)),
            "money": money.money,
            "number": money.figure,
            "unit": money.unit,
            "units": units,
            **view.facts.words(money.money),
        }

    @override
    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        view: Item | PlayedView = question.view
        if view.options:
            return [ChoiceField("choice", tuple(zip(view.labels, view.options, strict=True)))]
        role, spec = self._roles[view.role], question.spec
        assert isinstance(spec, Amount), "every number of the battery is an amount"
        scale = framing.scale if role.money else 1
        if not isinstance(spec, Stepped):
            return [NumberField(role.field, spec.low, spec.high, whole=spec.whole, scale=scale)]
        if not _whole_steps(spec):
            return [StepField(role.field, spec.low, spec.high, scale=scale, step=spec.step)]
        # Every form of answer can be restricted to whole numbers, but not to multiples of other steps. So the prompt
        # asks for a number of steps, and `decode` scales the answer back.
        step = int(spec.step)
        return [NumberField(role.field, spec.low / step, spec.high // step, whole=True, scale=scale * step)]

    @override
    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        (value,) = values.values()
        spec = question.spec
        return value * spec.step if isinstance(spec, Stepped) and _whole_steps(spec) else value


def task_briefing(game: Game) -> TaskBriefing:
    """Return the briefing of the task to which a game belongs, as stated choices or as a played game."""
    return TaskBriefing(TASKS[game.name.removeprefix(PREFIX)])


def units(amount: float) -> str:
    """Format a quantity of a good, truncated to two decimals so that it does not exceed the budget."""
    return plain(truncated(amount))


@dataclass(frozen=True, slots=True)
class StepField(NumberField):
    """A number between two bounds, in steps from the lower one."""

    step: float = 1.0

    # A dataclass with slots is created twice, and `super` refers to the first class. So methods of the base class are
    # called by name.

    @override
    def describe(self) -> str:
        return f"{NumberField.describe(self)} in steps of {plain(self.step * self.scale)}"

    def validate(self, number: int | float | Decimal) -> float | int:
        """Return the number in the game's units. Raise `IllegalAnswer` if it is between two steps."""
        value = NumberField.validate(self, number)
        steps = (value - self.low) / self.step
        if abs(steps - round(steps)) > _ROUNDING:
            raise IllegalAnswer(f"{self.name}: {as_written(number)} is not allowed; it must be {self.describe()}")
        return value


def _whole_steps(spec: Stepped) -> bool:
    return bool(spec.whole) and spec.step == int(spec.step) and (spec.low / spec.step).is_integer()
