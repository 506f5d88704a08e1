"""Traveller's dilemma: two players claim an amount. Both are paid the lower claim, and the player with the higher claim
pays a bonus to the other. In the played game, a missing or illegal answer counts as the lowest claim."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator
from typing_extensions import override

from ostrom.core import Event
from ostrom.core.effects import FormParty, LineMark, NumberLine, Pin, Telling
from ostrom.core.specs import stepped
from ostrom.games.battery.items import Facts, GridCell, ItemAnswered
from ostrom.games.battery.numbers import Number, count_steps, decimals, either, in_steps, smallest
from ostrom.games.battery.played import (
    PlayedRole,
    PlayedRules,
    RoleQuestion,
    describe_choices,
    format_amount,
    played_game,
)
from ostrom.games.battery.rules import AmountList, Amounts, AnyAmounts, Repetitions, Role, StatedRules, amount, parties
from ostrom.games.battery.stated import stated_game

STATICS = "statics"
"""The purpose of items that show the effect of a change. These items enter no mean."""


@dataclass(frozen=True, slots=True)
class ClaimFacts(Facts):
    """The facts in the question to the claimant. All amounts are scaled."""

    low: float
    high: float
    bonus: float
    step: float
    scale: float
    """The factor by which all amounts are multiplied. A claim divided by it is between the bounds at scale 1."""


def _line(
    both: tuple[FormParty, FormParty], low: float, high: float, bonus: float, claims: Sequence[float | None]
) -> NumberLine:
    """Return the diagram of two claims on a line, with their payoffs."""
    first, second = claims
    rules: tuple[LineMark, ...] = ()
    if first is None or second is None:
        verdict = f"Both will be paid the lower claim; {amount(bonus)} goes from who claims more to who claims less."
    else:
        least = min(first, second)
        rules = (LineMark(title="paid", value=least, main=True),)
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


def _check_claims(low: float, high: float, step: float) -> None:
    if low + step > high:
        raise ValueError(f"only one claim is possible; high must be at least {low + step:g}")


class StatedTraveller(StatedRules, task="traveller"):
    """Traveller's dilemma, as stated choices."""

    roles: ClassVar[Mapping[str, Role]] = {"claimant": Role("claim", AmountList("Claims"), field="claim")}
    quick: ClassVar[Mapping[str, Any]] = {"scales": [0.1, 1], "other_bonuses": [20, 50], "repetitions": 2}

    low: float = Field(2.0, ge=0, allow_inf_nan=False)
    """The lowest claim, in dollars before scaling."""
    high: float = Field(100.0, gt=0, allow_inf_nan=False)
    """The highest claim, in dollars before scaling."""
    step: float = Field(1.0, gt=0, allow_inf_nan=False)
    """Claims exceed the lowest claim by multiples of this, in dollars before scaling."""
    bonus: float = Field(2.0, gt=0, allow_inf_nan=False)
    """The amount that the lower claim wins and the higher one loses, in dollars before scaling."""
    scales: Amounts = (0.1, 1.0, 10.0)
    """The factors by which all amounts are multiplied."""
    other_bonuses: AnyAmounts = (5.0, 20.0, 50.0)
    """Further bonuses. They are asked at scale 1 with the purpose 'statics', to test whether the claim falls with the
    bonus. They enter no mean."""
    repetitions: Repetitions = 10

    @model_validator(mode="after")
    def _claims_differ(self) -> Self:
        _check_claims(self.low, self.high, self.step)
        if self.bonus in self.other_bonuses:
            raise ValueError(f"other_bonuses must differ from the bonus, which is {self.bonus:g}")
        return self

    @override
    def cells(self) -> list[GridCell]:
        scored = [self._cell(self.bonus, scale, "score") for scale in self.scales]
        return scored + [self._cell(bonus, 1.0, STATICS) for bonus in self.other_bonuses]

    def _cell(self, bonus: float, scale: float, purpose: str) -> GridCell:
        low, high, extra, step = (round(amount * scale, 10) for amount in (self.low, self.high, bonus, self.step))
        condition, facts = f"bonus={bonus:g} scale={scale:g}", ClaimFacts(low, high, extra, step, scale)
        return GridCell("claimant", condition, facts, stepped(low, high, step), self.repetitions, purpose)

    @override
    def form(self, item: ItemAnswered) -> NumberLine:
        facts, both = item.facts, parties("claimant", "claimant", asked=0)
        return _line(both, facts["low"], facts["high"], facts["bonus"], (item.amount, None))


class Claimed(Event, tag="claimed"):
    """Both players claimed an amount."""

    claims: list[float]
    bonus: float


class TravellerRules(PlayedRules, task="traveller", moves=(Claimed,)):
    """Traveller's dilemma, played by two seats."""

    parts: ClassVar[tuple[PlayedRole, ...]] = (PlayedRole("claimant", "claim"),)
    low: float = Field(2.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """The lowest claim, in dollars."""
    high: float = Field(100.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """The highest claim, in dollars."""
    step: float = Field(1.0, gt=0, le=1_000_000, allow_inf_nan=False)
    """Claims exceed the lowest claim by multiples of this, in dollars."""
    bonus: float = Field(2.0, ge=0, le=1_000_000, allow_inf_nan=False)
    """The amount that the lower claim wins and the higher one loses."""
    scale: float = Field(1.0, gt=0, le=100_000, allow_inf_nan=False)
    """The factor by which every amount is multiplied."""

    @model_validator(mode="after")
    def _claims_differ(self) -> Self:
        _check_claims(self.low, self.high, self.step)
        return self

    @property
    def facts(self) -> ClaimFacts:
        """The facts of both players, scaled."""
        amounts = (self.low, self.high, self.bonus, self.step)
        low, high, bonus, step = (decimals(amount * self.scale, 9) for amount in amounts)
        return ClaimFacts(low, high, bonus, step, self.scale)

    @override
    def asks(self, role: str, seats: int, *, seat: int = 0, before: Number = None) -> RoleQuestion:
        facts = self.facts
        return facts, in_steps(facts.low, facts.high, facts.step)

    @override
    def fallback(self, role: str) -> Number:
        return self.facts.low

    def steps(self, claim: Number) -> Number:
        """Return the number of steps by which a claim exceeds the lowest claim. It is a whole number, so that
        comparisons of claims are exact."""
        facts = self.facts
        return count_steps(claim, facts.low, facts.high, facts.step)

    def claims(self, steps: Sequence[Number]) -> list[Number]:
        """Return the claims, in dollars, that exceed the lowest claim by these numbers of steps."""
        facts = self.facts
        return [decimals(facts.low + count * facts.step, 9) for count in steps]

    @override
    def event(self, role: str, answers: Sequence[Any]) -> Event:
        claims = self.claims([self.steps(claim) for claim in answers])
        return Claimed(claims=claims, bonus=self.facts.bonus)

    @override
    def paid(self, moves: Sequence[Any]) -> Sequence[Number]:
        first, second = (self.steps(claim) for claim in moves[0])
        bonus, least = self.facts.bonus, smallest(*self.claims([first, second]))
        earned = either(first == second, 0.0, either(first < second, bonus, -bonus))
        return [least + earned, least - earned]

    @override
    def key(self, seats: int) -> Number:
        return self.step / (self.bonus + self.step)

    @override
    def form(self, seats: int, moves: Sequence[Claimed]) -> NumberLine:
        facts, claims = self.facts, moves[0].claims if moves else (None, None)
        return _line(parties("claimant", "claimant"), facts.low, facts.high, facts.bonus, claims)

    @override
    def tell(self, move: Claimed) -> Telling:
        return describe_choices("both claim", move.claims, lambda seat, claim: f" claims {format_amount(claim)}")


STATED = stated_game(StatedTraveller, "what to claim where the lower of two claims is paid, with a bonus for it")
PLAYED = played_game(
    TravellerRules,
    "two claim at once; both get the lower claim, and a bonus goes from the higher claimant to the lower one",
    title="Traveller's dilemma",
)
