"""Traveller's dilemma: two claim an amount; both are paid the lower claim, its author a bonus more, the other one as
much less."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Self

from pydantic import Field, model_validator

from ostrom.core.effects import NumberLine, Party, Pin, Rule
from ostrom.core.specs import stepped
from ostrom.games.battery.drawing import AmountList, Asking, Listing, amount, parties, within
from ostrom.games.battery.grids import Amounts, AnyAmounts, Repetitions
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import StatedRules, stated_game

STATICS = "statics"
"""The purpose of items that are asked to see what a change does, and enter no level."""


@dataclass(frozen=True, slots=True)
class ClaimFacts:
    """What the claimant knows. All amounts are what they are at this scale."""

    low: float
    high: float
    bonus: float
    step: float
    scale: float
    """A claim divided by it lies between the bounds of scale 1."""


def claims_line(
    both: tuple[Party, Party], low: float, high: float, bonus: float, claims: tuple[float | None, float | None]
) -> NumberLine:
    """Two claims on a line, and what comes of them."""
    first, second = claims
    rules: tuple[Rule, ...] = ()
    if first is None or second is None:
        verdict = f"Both will be paid the lower claim; {amount(bonus)} goes from who claims more to who claims less."
    else:
        least = min(first, second)
        rules = (Rule(title="paid", value=least, main=True),)
        if first == second:
            verdict = f"The claims are equal: both are paid {amount(least)}, and no bonus is due."
        else:
            paid = [least + bonus, least - bonus] if first < second else [least - bonus, least + bonus]
            verdict = (
                f"Both are paid the lower claim, {amount(least)}; the bonus of {amount(bonus)} goes from who claimed "
                f"more to who claimed less: {amount(paid[0])} and {amount(paid[1])}."
            )
    pins = tuple(Pin(party=party, value=claim) for party, claim in zip(both, claims, strict=True))
    return NumberLine(low=low, high=high, verb="claims", pins=pins, rules=rules, verdict=verdict)


class TravellerRules(StatedRules):
    """Traveller's dilemma, as stated choices."""

    task: ClassVar[str] = "traveller"
    roles: ClassVar[tuple[str, ...]] = ("claimant",)
    lists: ClassVar[Mapping[str, Listing]] = {"claimant": AmountList("Claims", within)}

    low: float = Field(2.0, ge=0, allow_inf_nan=False)
    """The lowest claim, in dollars before scaling."""
    high: float = Field(100.0, gt=0, allow_inf_nan=False)
    """The highest claim, in dollars before scaling."""
    step: float = Field(1.0, gt=0, allow_inf_nan=False)
    """Claims are multiples of this above the lowest one, in dollars before scaling."""
    bonus: float = Field(2.0, gt=0, allow_inf_nan=False)
    """What the lower claim wins and the higher one loses, in dollars before scaling."""
    scales: Amounts = (0.1, 1.0, 10.0)
    """What all amounts are multiplied by."""
    other_bonuses: AnyAmounts = (5.0, 20.0, 50.0)
    """Asked at scale 1 as well, with the purpose 'statics': does the claim fall with the bonus? They enter no mean."""
    repetitions: Repetitions = 10
    """How often every question is asked."""

    @model_validator(mode="after")
    def _claims_differ(self) -> Self:
        if self.low + self.step > self.high:
            raise ValueError(f"there is one claim only; high must be at least {self.low + self.step:g}")
        if self.bonus in self.other_bonuses:
            raise ValueError(f"{self.bonus:g} is the bonus already; other_bonuses must be others")
        return self

    def cells(self) -> list[Cell]:
        """A claim at every scale, and at scale 1 for every other bonus."""
        scored = [self._cell(self.bonus, scale, "score") for scale in self.scales]
        return scored + [self._cell(bonus, 1.0, STATICS) for bonus in self.other_bonuses]

    def _cell(self, bonus: float, scale: float, purpose: str) -> Cell:
        low, high, extra, step = (round(amount * scale, 10) for amount in (self.low, self.high, bonus, self.step))
        return Cell(
            role="claimant",
            condition=f"bonus={bonus:g} scale={scale:g}",
            facts=ClaimFacts(low, high, extra, step, scale),
            spec=stepped(low, high, step),
            repetitions=self.repetitions,
            purpose=purpose,
        )

    def form(self, asking: Asking) -> NumberLine:
        """The claim on a line."""
        facts = asking.facts
        both = parties("claimant", "claimant", asked=0)
        return claims_line(both, facts["low"], facts["high"], facts["bonus"], (asking.number, None))


STATED_TRAVELLER = stated_game(
    TravellerRules, "stated choices: what to claim where the lower of two claims is paid, with a bonus for it"
)
