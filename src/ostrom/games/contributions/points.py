"""The points that seats assign to each other: their cost, and the specification of an answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import numpy as np
from typing_extensions import override

from ostrom.core import Choice, Fields, IllegalCombination, Seat, Value
from ostrom.games.contributions.rules import DEDUCT, REWARD, ContributionsRules, deduction_cost

STAY: Final = "stay"
LEAVE: Final = "leave"
"""The field with which a seat says whether it stays, and its values."""
_ROUNDING: Final = 1e-9
"""The tolerance for rounding errors of the budget, in tokens."""
_SAMPLED_SHARE: Final = 0.5
"""The share of fields that have points in answers that tests draw."""


def cost_of(kind: str, points: int, rules: ContributionsRules) -> float:
    """Return the cost of points of a kind for one seat."""
    if kind == REWARD:
        return points * rules.reward_cost
    return float(deduction_cost(np.float64(points), rules))


def most_points(kind: str, budget: float, rules: ContributionsRules) -> int:
    """Return the largest number of points of a kind that a seat can pay for one other seat."""
    low, high = 0, rules.max_points
    while low < high:  # The cost grows with the number of points.
        middle = (low + high + 1) // 2
        low, high = (middle, high) if cost_of(kind, middle, rules) <= budget + _ROUNDING else (low, middle - 1)
    return low


def points_field(kind: str, seat: int) -> str:
    """Return the name of the field with the points of a kind for a seat."""
    return f"{kind}_{Seat(seat).label}"


@dataclass(frozen=True, slots=True)
class PointsSpec(Fields):
    """The points for each other seat, with limits on their cost and on the number of targets."""

    rules: ContributionsRules
    budget: float
    targets: int
    """The largest number of fields of one kind that may be more than 0; 0 is any number."""
    names_seats: ClassVar[bool] = True
    """The fields stand for seats. So tests in which players swap seats do not draw answers to this specification."""

    @override
    def validate(self, raw: object) -> Mapping[str, Value]:
        # `super` without arguments fails in a dataclass with slots, since the decorator replaces the class.
        values: Any = Fields.validate(self, raw)
        cost = sum(self.cost(name, values[name] or 0) for name in self.points)
        if cost > self.budget + _ROUNDING:
            raise IllegalCombination("together, these points cost more than you can spend")
        for kind in (DEDUCT, REWARD):
            count = sum(bool(values[name]) for name in self.points if name.startswith(f"{kind}_"))
            if self.targets and count > self.targets:
                raise IllegalCombination(
                    f"{count} players have points of one kind; at most {self.targets} may have some"
                )
        return values  # type: ignore[no-any-return]

    @override
    def describe(self) -> str:
        few = f", to at most {self.targets} players of each kind" if self.targets else ""
        return f"{Fields.describe(self)}; together they may cost {self.budget:.12g}{few}"

    @property
    def points(self) -> list[str]:
        """The names of the fields with points."""
        return [name for name in self.specs if name != STAY]

    def cost(self, name: str, points: int) -> float:
        """Return the cost of points in a field."""
        return cost_of(name.partition("_")[0], points, self.rules)

    def sample(self, draw: Callable[[], float]) -> Mapping[str, Value]:
        """Return a legal answer."""
        answer: dict[str, Value] = {}
        for name, spec in self.specs.items():
            most = 0 if isinstance(spec, Choice) else self._most(name)
            answer[name] = STAY if isinstance(spec, Choice) else int(draw() * (most + 1)) * (draw() < _SAMPLED_SHARE)
        return self.limited(answer)

    def limited(self, answer: Mapping[str, Value]) -> dict[str, Value]:
        """Return an answer whose fields are legal one by one, with as many of its points as the limits allow. Fields
        that come first keep their points."""
        left, counts, kept = self.budget, dict.fromkeys((DEDUCT, REWARD), 0), dict(answer)
        for name in self.points:
            kind = name.partition("_")[0]
            points: Any = answer[name] or 0
            if self.targets and counts[kind] == self.targets:
                points = 0
            while points and self.cost(name, points) > left + _ROUNDING:
                points -= 1
            if answer[name]:
                kept[name] = points
            left -= self.cost(name, points)
            counts[kind] += points > 0
        return kept

    def _most(self, name: str) -> int:
        spec: Any = self.specs[name]
        return int(spec.of.high if STAY in self.specs else spec.high)
