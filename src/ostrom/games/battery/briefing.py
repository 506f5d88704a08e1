"""What models are told in the battery: one briefing a task, for its stated items and its played game."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any, ClassVar

from ostrom.core import Amount, Chance, IllegalAnswer, Question
from ostrom.core.specs import Stepped
from ostrom.games.battery.item import Item
from ostrom.games.battery.played.view import PlayedView
from ostrom.players.models.briefing import Briefing
from ostrom.players.models.fields import ChoiceField, Field, NumberField, as_written
from ostrom.players.models.framing import Framing, plain, truncated

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

    prompts = Path(__file__).parent / "prompts"

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
    return plain(truncated(amount))


_ROUNDING = 1e-6


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


_NEGLIGIBLE = 1e-9
_PARTS = 12
"""Probabilities of the grid are told in as many parts too."""


class TimeBriefing(BatteryBriefing):
    """An amount sooner or another one later. Days are told whole."""

    folder = "time"

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Both payments."""
        payments = {
            "sooner": f"{money(facts.sooner)} {_when(facts.sooner_days)}",
            "later": f"{money(facts.later)} {_when(facts.later_days)}",
        }
        return {"payment": payments.__getitem__}


class RiskBriefing(BatteryBriefing):
    """Two lotteries over the same outcomes."""

    folder = "risk"

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Both lotteries."""
        lotteries = {"reference": facts.reference, "other": facts.other}
        return {"draw": lambda option: _lottery(lotteries[option], [money(outcome) for outcome in facts.outcomes])}


class DictatorBriefing(BatteryBriefing):
    """How much to give."""

    folder = "dictator"
    fields: ClassVar[Mapping[str, str]] = {"giver": "transfer"}


class UltimatumBriefing(BatteryBriefing):
    """How much to offer, and whether to accept."""

    folder = "ultimatum"
    fields: ClassVar[Mapping[str, str]] = {"proposer": "offer"}


class TrustBriefing(BatteryBriefing):
    """How much to send, and how much to send back."""

    folder = "trust"
    fields: ClassVar[Mapping[str, str]] = {"sender": "send", "returner": "return"}


class StagHuntBriefing(BatteryBriefing):
    """A safe payoff, or a higher one that takes both."""

    folder = "stag_hunt"


class PublicGoodsBriefing(BatteryBriefing):
    """How much to contribute."""

    folder = "public_goods"
    fields: ClassVar[Mapping[str, str]] = {"contributor": "contribution"}


class CentipedeBriefing(BatteryBriefing):
    """To take or to pass, with what lies ahead."""

    folder = "centipede"

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Every turn from now on as the mover sees it: whose it is, and what both get if it is taken."""
        ahead = []
        for turn, (taken, left) in enumerate(facts.payoffs, start=1):
            if turn >= facts.node:
                yours = (turn - facts.node) % 2 == 0
                ahead.append((turn, yours, *((taken, left) if yours else (left, taken))))
        last = facts.end if facts.node % 2 else facts.end[::-1]
        return {"ahead": ahead, "last": last, "turns": len(facts.payoffs)}


class TravellerBriefing(BatteryBriefing):
    """What to claim."""

    folder = "traveller"
    fields: ClassVar[Mapping[str, str]] = {"claimant": "claim"}

    def amount(self, name: str, spec: Any, scale: int) -> NumberField:
        """Where every claim is a whole number of steps it is asked for as a multiple, which every form can hold a model
        to; `decode` undoes it."""
        assert isinstance(spec, Stepped), "claims come in steps"
        if _whole_steps(spec):
            step = int(spec.step)
            return NumberField(name, spec.low / step, spec.high // step, whole=True, scale=scale * step)
        return StepField(name, spec.low, spec.high, scale=scale, step=spec.step)

    def decode(self, question: Question, values: Mapping[str, Any]) -> object:
        """The claim in money."""
        (claim,) = values.values()
        spec: Any = question.spec
        return claim * spec.step if _whole_steps(spec) else claim


class BeautyContestBriefing(BatteryBriefing):
    """Which number to name."""

    folder = "beauty_contest"
    fields: ClassVar[Mapping[str, str]] = {"guesser": "guess"}
    scaled = False

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """The part of the mean, as a fraction."""
        return {"part": str(Fraction(facts.p).limit_denominator(1000))}


class MatchingPenniesBriefing(BatteryBriefing):
    """Which side to show."""

    folder = "matching_pennies"


class GarpBriefing(BatteryBriefing):
    """How much of a good to buy."""

    folder = "garp"
    fields: ClassVar[Mapping[str, str]] = {"allocator": "amount"}
    scaled = False

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """How much can be bought at most."""
        return {"most": units(facts.income / facts.prices[0])}


class LossBriefing(BatteryBriefing):
    """Whether to bet."""

    folder = "loss"


class AmbiguityBriefing(BatteryBriefing):
    """A chance that is known, or one that is not."""

    folder = "ambiguity"

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """How many of a hundred win."""
        return {"winning": plain(100 * facts.known_p)}


def _when(days: float) -> str:
    whole = round(days)
    return "today" if whole == 0 else f"in {whole} day{'' if whole == 1 else 's'}"


def _lottery(probabilities: tuple[float, ...], outcomes: list[str]) -> str:
    """'25.0% (3 in 12) chance of 0 dollars, …'; outcomes that cannot come up are left out."""
    possible = [(p, outcome) for p, outcome in zip(probabilities, outcomes, strict=True) if p > _NEGLIGIBLE]
    if len(possible) == 1:
        return f"{possible[0][1]} for sure"
    in_parts = all(abs(p * _PARTS - round(p * _PARTS)) < _NEGLIGIBLE for p, _ in possible)
    return ", ".join(f"{_chance(p, in_parts)} chance of {outcome}" for p, outcome in possible)


def _chance(p: float, in_parts: bool) -> str:
    return f"{100 * p:.1f}% ({round(p * _PARTS)} in {_PARTS})" if in_parts else f"{100 * p:.2f}%"


def _whole_steps(spec: Any) -> bool:
    return bool(spec.whole) and spec.step == int(spec.step) and (spec.low / spec.step).is_integer()
