"""What a number must be where only some numbers between two bounds are allowed."""

import math
from dataclasses import dataclass

from ostrom.core import Amount, IllegalAnswer

_ROUNDING = 1e-6
"""How far, in steps, a number may lie from the nearest one for being written in decimals."""


@dataclass(frozen=True, slots=True)
class Stepped(Amount):
    """A number between two bounds, in steps from the lower one."""

    step: float = 1.0

    def validate(self, raw: object) -> float | int:
        """Return the number; what lies between two steps is illegal."""
        # The name of the class is given because a class with slots is made twice, and `super` finds the first.
        number = Amount.validate(self, raw)
        steps = (number - self.low) / self.step
        if not math.isclose(steps, round(steps), rel_tol=0, abs_tol=_ROUNDING):
            raise IllegalAnswer(f"{number:.12g} is not allowed; it must be {self.describe()}")
        return number

    def describe(self) -> str:
        """What would be right."""
        plain = Amount.describe(self)
        return plain if self.whole and self.step == 1 else f"{plain}, in steps of {self.step:.12g}"


def stepped(low: float, high: float, step: float) -> Stepped:
    """The numbers from `low` to `high` in steps; whole ones where all of them are."""
    return Stepped(low, high, whole=float(low).is_integer() and float(step).is_integer(), step=step)
