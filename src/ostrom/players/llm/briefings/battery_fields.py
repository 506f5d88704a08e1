"""The one field that tasks of the battery have for themselves: amounts in steps that are no whole numbers."""

from dataclasses import dataclass
from decimal import Decimal

from ostrom.players.llm.fields import NumberField, said
from ostrom.players.llm.framing import plain
from ostrom.table import IllegalAnswer

_DUST = 1e-6


@dataclass(frozen=True, slots=True)
class StepField(NumberField):
    """A number between two bounds, in steps from the lower one."""

    step: float = 1.0

    # Methods of the base are named in full: a class with slots is made twice, and `super` finds the first.

    def describe(self) -> str:
        """What would be right, in the framing's units."""
        return f"{NumberField.describe(self)} in steps of {plain(self.step * self.scale)}"

    def checked(self, told: int | float | Decimal) -> float | int:
        """The number in the game's units; one between two steps is illegal."""
        value = NumberField.checked(self, told)
        steps = (value - self.low) / self.step
        if abs(steps - round(steps)) > _DUST:
            raise IllegalAnswer(f"{self.name}: {said(told)} is not allowed; it must be {self.describe()}")
        return value
