"""The tasks of the economic battery in words, one class each: what their templates need beyond the facts, and what
their numbers are called."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, ClassVar

from ostrom.games.battery.specs import Stepped
from ostrom.players.llm.briefings.battery import BatteryBriefing, units
from ostrom.players.llm.briefings.battery_fields import StepField
from ostrom.players.llm.fields import NumberField
from ostrom.players.llm.framing import plain
from ostrom.table import Question

_DUST = 1e-9
_PARTS = 12
"""Probabilities of the grid are told in as many parts too."""


class TimeBriefing(BatteryBriefing):
    """An amount sooner or another one later. Days are told whole."""

    game = "battery/time"

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Both payments."""
        payments = {
            "sooner": f"{money(facts.sooner)} {_when(facts.sooner_days)}",
            "later": f"{money(facts.later)} {_when(facts.later_days)}",
        }
        return {"payment": payments.__getitem__}


class RiskBriefing(BatteryBriefing):
    """Two lotteries over the same outcomes."""

    game = "battery/risk"

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Both lotteries."""
        lotteries = {"reference": facts.reference, "other": facts.other}
        return {"draw": lambda option: _lottery(lotteries[option], [money(outcome) for outcome in facts.outcomes])}


class DictatorBriefing(BatteryBriefing):
    """How much to give."""

    game = "battery/dictator"
    fields: ClassVar[Mapping[str, str]] = {"giver": "transfer"}


class UltimatumBriefing(BatteryBriefing):
    """How much to offer, and whether to accept."""

    game = "battery/ultimatum"
    fields: ClassVar[Mapping[str, str]] = {"proposer": "offer"}


class TrustBriefing(BatteryBriefing):
    """How much to send, and how much to send back."""

    game = "battery/trust"
    fields: ClassVar[Mapping[str, str]] = {"sender": "send", "returner": "return"}


class StagHuntBriefing(BatteryBriefing):
    """A safe payoff, or a higher one that takes both."""

    game = "battery/stag_hunt"


class PublicGoodsBriefing(BatteryBriefing):
    """How much to contribute."""

    game = "battery/public_goods"
    fields: ClassVar[Mapping[str, str]] = {"contributor": "contribution"}


class CentipedeBriefing(BatteryBriefing):
    """To take or to pass, with what lies ahead."""

    game = "battery/centipede"

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

    game = "battery/traveller"
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

    game = "battery/beauty_contest"
    fields: ClassVar[Mapping[str, str]] = {"guesser": "guess"}
    scaled = False

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """The part of the mean, as a fraction."""
        return {"part": str(Fraction(facts.p).limit_denominator(1000))}


class MatchingPenniesBriefing(BatteryBriefing):
    """Which side to show."""

    game = "battery/matching_pennies"


class GarpBriefing(BatteryBriefing):
    """How much of a good to buy."""

    game = "battery/garp"
    fields: ClassVar[Mapping[str, str]] = {"allocator": "amount"}
    scaled = False

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """How much can be bought at most."""
        return {"most": units(facts.income / facts.prices[0])}


class LossBriefing(BatteryBriefing):
    """Whether to bet."""

    game = "battery/loss"


class AmbiguityBriefing(BatteryBriefing):
    """A chance that is known, or one that is not."""

    game = "battery/ambiguity"

    def told(self, facts: Any, money: Callable[[float], str]) -> Mapping[str, Any]:
        """How many of a hundred win."""
        return {"winning": plain(100 * facts.known_p)}


def _when(days: float) -> str:
    whole = round(days)
    return "today" if whole == 0 else f"in {whole} day{'' if whole == 1 else 's'}"


def _lottery(probabilities: tuple[float, ...], outcomes: list[str]) -> str:
    """'25.0% (3 in 12) chance of 0 dollars, …'; outcomes that cannot come up are left out."""
    possible = [(p, outcome) for p, outcome in zip(probabilities, outcomes, strict=True) if p > _DUST]
    if len(possible) == 1:
        return f"{possible[0][1]} for sure"
    in_parts = all(abs(p * _PARTS - round(p * _PARTS)) < _DUST for p, _ in possible)
    return ", ".join(f"{_chance(p, in_parts)} chance of {outcome}" for p, outcome in possible)


def _chance(p: float, in_parts: bool) -> str:
    return f"{100 * p:.1f}% ({round(p * _PARTS)} in {_PARTS})" if in_parts else f"{100 * p:.2f}%"


def _whole_steps(spec: Any) -> bool:
    return bool(spec.whole) and spec.step == int(spec.step) and (spec.low / spec.step).is_integer()
