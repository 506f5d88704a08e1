"""Budgets: a subject buys two goods at many different prices. The generalised axiom of revealed preference (Afriat
1967, Varian 1982) tests whether any utility function explains the choices."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, TypeAlias

from pydantic import Field
from typing_extensions import override

from ostrom.core import Amount
from ostrom.core.effects import BudgetForm as DrawnBudget
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.rules import Repetitions, Role, StatedRules
from ostrom.games.battery.stated import stated_game

INCOME = 100.0
_CHEAP, _DEAR = 2.0, 5.0
"""The highest price of the cheap good and of the dear good. The lowest price is 1."""
# The steps of the R2 low-discrepancy sequence (Roberts): powers of the inverse of the plastic number.
_STEPS = (0.7548776662466927, 0.5698402909980532)

Price: TypeAlias = Annotated[float, Field(gt=0, allow_inf_nan=False)]
Budget: TypeAlias = tuple[Price, Price, Price]
"""Income, and the prices of the two goods."""


@dataclass(frozen=True, slots=True)
class BudgetFacts(Facts):
    """The facts in the question to the allocator."""

    income: float
    prices: tuple[float, float]
    """The prices of good 1 and good 2. The rest of the income is spent on good 2."""


def crossing_budgets(count: int) -> tuple[Budget, ...]:
    """Return budgets with the same income whose pairs of prices are spread evenly, so that most budget lines cross.
    This matters because choices on lines that do not cross cannot contradict each other. One good is always cheap, so
    that at least one good can be bought in large quantities."""
    budgets: list[Budget] = []
    for place in range(1, count + 1):
        cheap, dear = ((0.5 + place * step) % 1 for step in _STEPS)
        prices = (round(1 + (_CHEAP - 1) * cheap, 2), round(1 + (_DEAR - 1) * dear, 2))
        budgets.append((INCOME, *(prices if place % 2 else prices[::-1])))
    return tuple(budgets)


class GarpRules(StatedRules, task="garp"):
    """Budgets, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {"allocator": Role("buy", field="amount", money=False)}
    quick: ClassVar[Mapping[str, Any]] = {"budgets": crossing_budgets(10)}

    budgets: tuple[Budget, ...] = Field(crossing_budgets(25), min_length=1, max_length=1000)
    """The budgets, each with its income and two prices."""
    repetitions: Repetitions = 1

    @override
    def cells(self) -> list[GridCell]:
        return [self._cell(place, *budget) for place, budget in enumerate(self.budgets, start=1)]

    def _cell(self, place: int, income: float, first: float, second: float) -> GridCell:
        condition = f"budget={place} income={income:g} prices={first:g},{second:g}"
        facts, spec = BudgetFacts(income, (first, second)), Amount(0, income / first)
        return GridCell("allocator", condition, facts, spec, self.repetitions)

    @override
    def form(self, item: ItemAnswered) -> DrawnBudget:
        return DrawnBudget(income=item.facts["income"], prices=item.facts["prices"], bought=item.amount)


STATED = stated_game(GarpRules, "how to spend an income on two goods, at many prices")
