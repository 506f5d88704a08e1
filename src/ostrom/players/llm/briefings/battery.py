"""The economic battery in words: what the tasks share. A task is told in the same words whether it is stated or played;
the game is never named, and every question stands alone."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from ostrom.games.battery.item import Item
from ostrom.games.battery.played.view import PlayedView
from ostrom.players.llm.briefings.base import Briefing
from ostrom.players.llm.fields import ChoiceField, Field, NumberField
from ostrom.players.llm.framing import Framing, plain, shortened
from ostrom.table import Amount, Chance, Question

UNIT = "dollars"
"""What amounts are counted in, unless the framing says otherwise: its default, tokens, cannot be owed or won."""
CHOICE = "choice"
"""The field of an answer that is a label."""


class Money:
    """Tells amounts: scaled by the framing, in whole numbers or with two decimals."""

    def __init__(self, framing: Framing) -> None:
        self.unit = UNIT if framing.unit == Framing().unit else framing.unit
        self._framing = Framing(framing.variant, self.unit, framing.scale)

    def number(self, amount: float) -> str:
        """An amount without its unit."""
        told = round(amount * self._framing.scale, 2)
        return str(int(told)) if told == int(told) else f"{told:.2f}"

    def money(self, amount: float) -> str:
        """An amount with its unit."""
        told = self.number(amount)
        return f"{told} {self._framing.one if told == '1' else self.unit}"


class BatteryBriefing(Briefing):
    """A task of the battery. The folder of its templates is named for the task, and a template for the role."""

    fields: ClassVar[Mapping[str, str]] = {}
    """The name of the number that is asked for, by role; a choice is called `choice`."""
    scaled: ClassVar[bool] = True
    """Whether the number that is asked for is an amount of money."""

    def context(self, question: Question, framing: Framing, chance: Chance) -> Mapping[str, Any]:
        """The facts, the options as they are shown, and ways to tell amounts."""
        view: Item | PlayedView = question.view
        told = Money(framing)
        return {
            "facts": view.facts,
            "options": list(zip(view.labels, view.options, strict=True)),
            "money": told.money,
            "number": told.number,
            "unit": told.unit,
            **self.told(view.facts, told.money),
        }

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """What else the templates of a task need, from its facts."""
        return {}

    def form(self, question: Question, framing: Framing, chance: Chance) -> Sequence[Field]:
        """One field: a label, or a number."""
        view: Item | PlayedView = question.view
        if view.options:
            return [ChoiceField(CHOICE, tuple(zip(view.labels, view.options, strict=True)))]
        return [self.amount(self.fields[view.role], question.spec, framing.scale if self.scaled else 1)]

    def amount(self, name: str, spec: Any, scale: int) -> NumberField:
        """The field of a number, bounded as the question's specification has it."""
        assert isinstance(spec, Amount), "every number of the battery is an amount"
        return NumberField(name, spec.low, spec.high, whole=spec.whole, scale=scale)


def units(amount: float) -> str:
    """How many units of a good, cut to two decimals: nobody is told to be able to buy more than they can."""
    return plain(shortened(amount))
