"""What models are told in the battery: the same of a task's stated items and of its played game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from ostrom.core import Amount, Chance, IllegalAnswer, Question
from ostrom.core.game import Game
from ostrom.core.specs import Stepped
from ostrom.games.battery.control import ROLES
from ostrom.games.battery.items import Item
from ostrom.games.battery.played import PlayedView
from ostrom.games.battery.stated import PREFIX
from ostrom.games.battery.tasks import TASKS, Task
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import AnswerField, ChoiceField, NumberField, as_written
from ostrom.players.models.framing import Framing, plain, truncated

UNIT = "dollars"
"""What amounts are counted in, unless the framing says otherwise: its default, tokens, cannot be owed or won."""
CHOICE = "choice"
"""The field of an answer that is a label."""
_ROUNDING = 1e-6


class Money(Framing):
    """Tells amounts in whole numbers or with two decimals."""

    def figure(self, value: float) -> str:
        """An amount without its unit."""
        told = round(value * self.scale, 2)
        return str(int(told)) if told == int(told) else f"{told:.2f}"


class TaskBriefing(Briefing):
    """A task of the battery. The file of its templates is named for the task, and a template for the role."""

    prompts = Path(__file__).parent / "prompts"
    unit = UNIT

    def __init__(self, task: Task) -> None:
        self._roles = {**ROLES, **task.roles}
        own = task.rules.wording or (self.prompts / f"{task.name}.j2").read_text(encoding="utf-8")
        self.wording = (self.prompts / "shared.j2").read_text(encoding="utf-8") + own

    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The facts, the options as they are shown, and ways to tell amounts."""
        view: Item | PlayedView = question.view
        told = Money(framing.variant, UNIT if framing.unit == Framing().unit else framing.unit, framing.scale)
        return {
            "facts": view.facts,
            "options": list(zip(view.labels, view.options, strict=True)),
            "money": told.money,
            "number": told.figure,
            "unit": told.unit,
            "units": units,
            **view.facts.words(told.money),
        }

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[AnswerField]:
        """One field: a label, or a number, bounded as the question's specification has it."""
        view: Item | PlayedView = question.view
        if view.options:
            return [ChoiceField(CHOICE, tuple(zip(view.labels, view.options, strict=True)))]
        role, spec = self._roles[view.role], question.spec
        assert isinstance(spec, Amount), "every number of the battery is an amount"
        scale = framing.scale if role.money else 1
        if not isinstance(spec, Stepped):
            return [NumberField(role.field, spec.low, spec.high, whole=spec.whole, scale=scale)]
        if not _whole_steps(spec):
            return [StepField(role.field, spec.low, spec.high, scale=scale, step=spec.step)]
        # Asked for as a multiple of the step, which every form can hold a model to; `decode` undoes it.
        step = int(spec.step)
        return [NumberField(role.field, spec.low / step, spec.high // step, whole=True, scale=scale * step)]

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """The number or the option that was meant."""
        (value,) = values.values()
        spec = question.spec
        return value * spec.step if isinstance(spec, Stepped) and _whole_steps(spec) else value


def task_briefing(game: Game) -> TaskBriefing:
    """The briefing of a task, given its stated choices or its played game."""
    return TaskBriefing(TASKS[game.name.removeprefix(PREFIX)])


def units(amount: float) -> str:
    """How many units of a good, cut to two decimals: nobody is told to be able to buy more than they can."""
    return plain(truncated(amount))


@dataclass(frozen=True, slots=True)
class StepField(NumberField):
    """A number between two bounds, in steps from the lower one."""

    step: float = 1.0

    # Methods of the base are named in full: a class with slots is made twice, and `super` finds the first.

    def describe(self) -> str:
        """What would be right, in the framing's units."""
        return f"{NumberField.describe(self)} in steps of {plain(self.step * self.scale)}"

    def validate(self, told: int | float | Decimal) -> float | int:
        """The number in the game's units; one between two steps is illegal."""
        value = NumberField.validate(self, told)
        steps = (value - self.low) / self.step
        if abs(steps - round(steps)) > _ROUNDING:
            raise IllegalAnswer(f"{self.name}: {as_written(told)} is not allowed; it must be {self.describe()}")
        return value


def _whole_steps(spec: Stepped) -> bool:
    return bool(spec.whole) and spec.step == int(spec.step) and (spec.low / spec.step).is_integer()
