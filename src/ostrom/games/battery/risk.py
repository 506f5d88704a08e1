"""Risk: lotteries over three outcomes, which are points of the Marschak–Machina triangle. For every reference lottery,
a sequence of questions finds the lottery on an edge of the triangle that the subject values equally.

The two edges are called y and x. Lotteries on y are mixtures of the best and the middle outcome, and those on x are
mixtures of the middle and the worst one. On both edges, q is the probability of not getting the middle outcome. If a
subject prefers the reference lottery to the certain middle outcome (q = 0), it is asked along y, and otherwise along
x."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self, TypeAlias

import numpy as np
from pydantic import Field, model_validator
from typing_extensions import override

from ostrom.core.effects import Lotteries
from ostrom.core.effects import Lottery as DrawnLottery
from ostrom.games.battery import adaptive
from ostrom.games.battery.items import EVENTS, Facts, ItemAnswered
from ostrom.games.battery.numbers import Number
from ostrom.games.battery.rules import ChoiceList, Role, amount, percent
from ostrom.games.battery.stated import stated_game

REFERENCE, OTHER = OPTIONS = ("reference", "other")
OUTCOMES = (0.0, 500.0, 1000.0)
GRID_PARTS = 12
"""The denominator in which probabilities of the grid are also shown."""
NEGLIGIBLE_PROBABILITY = 1e-9

Lottery: TypeAlias = tuple[float, float, float]
"""The probabilities of the three outcomes, beginning with the worst outcome."""
LotteryParts: TypeAlias = tuple[int, int, int]
"""The probabilities of a lottery as numerators. Their common denominator is `divisions`."""

_DOMINANCE: tuple[tuple[LotteryParts, LotteryParts, str], ...] = (
    ((4, 4, 4), (3, 4, 5), OTHER),
    ((2, 6, 4), (4, 6, 2), REFERENCE),
    ((6, 3, 3), (4, 5, 3), OTHER),
    ((3, 3, 6), (3, 6, 3), REFERENCE),
    ((5, 1, 6), (4, 1, 7), OTHER),
)
"""Pairs of lotteries in twelfths, each with the one that stochastically dominates the other."""
_TRIPLES: tuple[dict[str, LotteryParts], ...] = (
    {"a": (0, 12, 0), "b": (3, 6, 3), "c": (6, 0, 6)},
    {"a": (0, 12, 0), "b": (2, 5, 5), "c": (4, 0, 8)},
    {"a": (0, 12, 0), "b": (4, 6, 2), "c": (7, 0, 5)},
)
"""Triples of lotteries in twelfths. The lotteries of a triple have about equal worth if the utility of the middle
outcome is 0.5, 0.7 or 0.4, respectively."""


@dataclass(frozen=True, slots=True)
class RiskFacts(Facts):
    """The facts in the question to the chooser."""

    reference: Lottery
    other: Lottery
    outcomes: tuple[float, float, float] = OUTCOMES

    @override
    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        lotteries, outcomes = {REFERENCE: self.reference, OTHER: self.other}, [*map(money, self.outcomes)]
        return {"draw": lambda option: _describe_lottery(lotteries[option], outcomes)}


# The next three functions are formulas for values of lotteries, over numbers or arrays. Simulated subjects use them to
# answer.


def weight(chance: Number, gamma: float) -> Number:
    """Return the decision weight of a probability, p^γ / (p^γ + (1−p)^γ)^(1/γ) (Tversky and Kahneman 1992)."""
    chance = np.minimum(1.0, np.maximum(0.0, chance))
    up, down = chance**gamma, (1 - chance) ** gamma
    return up / (up + down) ** (1 / gamma)


def expected(chances: Number, values: Number) -> Number:
    """Return Σ p·v over the last axis."""
    return np.sum(np.asarray(chances) * np.asarray(values), axis=-1)


def rank_dependent(chances: Number, values: Number, gamma: float) -> Number:
    """Return Σ π·v over the last axis of ascending values: π is the weight of getting this value or a better one, minus
    the weight of getting a better one (cumulative prospect theory for gains)."""
    reached = weight(np.cumsum(np.asarray(chances)[..., ::-1], axis=-1), gamma)
    steps = np.diff(reached, axis=-1, prepend=0.0)
    return np.sum(steps * np.asarray(values)[::-1], axis=-1)


def _describe_lottery(probabilities: Lottery, outcomes: Sequence[str]) -> str:
    """Return a description such as '25.0% (3 in 12) chance of 0 dollars, …'. Impossible outcomes are omitted."""
    possible = [(p, outcome) for p, outcome in zip(probabilities, outcomes, strict=True) if p > NEGLIGIBLE_PROBABILITY]
    if len(possible) == 1:
        return f"{possible[0][1]} for sure"
    if all(abs(p * GRID_PARTS - round(p * GRID_PARTS)) < NEGLIGIBLE_PROBABILITY for p, _ in possible):
        texts = [f"{100 * p:.1f}% ({round(p * GRID_PARTS)} in {GRID_PARTS})" for p, _ in possible]
    else:
        texts = [f"{100 * p:.2f}%" for p, _ in possible]
    return ", ".join(f"{text} chance of {outcome}" for text, (_, outcome) in zip(texts, possible, strict=True))


def _on_edge(item: ItemAnswered) -> tuple[float, str] | None:
    """Return the position of the other lottery and its description. The position is the probability of the best
    outcome, or minus the probability of the worst. Return None if the lottery is not on an edge."""
    (worst, middle, best), outcomes = item.facts["other"], item.facts["outcomes"]
    if best > 0 and worst > 0:
        return None
    if middle == 1:
        return 0.0, f"{amount(outcomes[1])} for sure"
    label = f"{percent(best)} of {amount(outcomes[2])}" if best > 0 else f"{percent(worst)} of {amount(outcomes[0])}"
    return best - worst, f"{label}, else {amount(outcomes[1])}" if middle > 0 else label


class RiskRules(adaptive.AdaptiveRules, task="risk"):
    """The rules of the risk task."""

    options: ClassVar[tuple[str, str]] = OPTIONS
    facts: ClassVar[type[Facts]] = RiskFacts
    roles: ClassVar[Mapping[str, Role]] = {"chooser": Role("risk", ChoiceList("other lottery", OPTIONS, _on_edge))}
    quick: ClassVar[Mapping[str, Any]] = {
        "references": [[2, 8, 2], [4, 4, 4], [3, 3, 6], [6, 3, 3], [4, 0, 8], [6, 0, 6]],
        **adaptive.BRIEF,
    }
    led_by: ClassVar[str] = "expected-utility:r=0.3"

    divisions: int = Field(12, ge=2, le=100)
    """Denominator of the probabilities of the reference lotteries."""
    references: tuple[LotteryParts, ...] | None = None
    """Reference lotteries, each as numerators of its three probabilities, the worst outcome first. By default, they are
    all lotteries with a positive probability of the worst and of the best outcome, which lie inside the triangle and on
    its hypotenuse."""

    @model_validator(mode="after")
    def _references_are_lotteries(self) -> Self:
        if self.references is not None and not self.references:
            raise ValueError("references must contain at least one lottery")
        for parts in self.references or ():
            text = ", ".join(map(str, parts))
            if min(parts) < 0 or sum(parts) != self.divisions:
                raise ValueError(
                    f"the probabilities of the reference {text} do not sum to one; it must be three whole numbers from "
                    f"0 on with the sum {self.divisions}"
                )
            if max(parts) == self.divisions:
                raise ValueError(
                    f"the reference {text} has only one possible outcome; at least two outcomes must have a positive "
                    "probability"
                )
        if self.references is not None and len(set(self.references)) < len(self.references):
            raise ValueError("references must differ from each other")
        return self

    @property
    def lotteries(self) -> tuple[LotteryParts, ...]:
        if self.references is not None:
            return self.references
        n = self.divisions
        return tuple((worst, n - worst - best, best) for worst in range(1, n) for best in range(1, n - worst + 1))

    @override
    def sequence_settings(self) -> list[Mapping[str, Any]]:
        return [{"references": [parts]} for parts in self.lotteries]

    @override
    def courses(self) -> Iterator[adaptive.Course]:
        for parts in self.lotteries:
            reference = _lottery(parts, self.divisions)
            yield adaptive.Course(
                condition="reference=" + ",".join(f"{part}/{self.divisions}" for part in parts),
                facts={"reference": list(reference)},
                search=partial(self.search, reference),
            )

    def search(self, reference: Lottery) -> adaptive.Search:
        """Search for the q on an edge at which the subject is indifferent to the reference lottery. The answer at the
        near end (q = 0) selects the edge. Then the far end is asked, and the interval is bisected."""
        (choice,) = yield (adaptive.SequencePoint(0, RiskFacts(reference, (0.0, 1.0, 0.0)), {"q": 0.0}),)
        # The name of the edge, and the choice at its far end of a subject that is indifferent somewhere on the edge.
        axis, far = ("y", OTHER) if choice == REFERENCE else ("x", REFERENCE)

        def at(step: int, q: float) -> adaptive.SequencePoint:
            # The probability is rounded here and not when it is formatted, so that scores use the probability that was
            # shown.
            part = round(q, decimals(self.bisections))
            rest = round(1 - part, decimals(self.bisections))
            other = (0.0, rest, part) if axis == "y" else (part, rest, 0.0)
            return adaptive.SequencePoint(step, RiskFacts(reference, other), {"axis": axis, "q": q})

        (choice,) = yield (at(1, 1.0),)
        if choice != far:
            best = "the reference to the best outcome" if axis == "y" else "the worst outcome to the reference"
            return adaptive.SequenceOutcome("censored", 1.0, f"preferred {best} for sure")
        return (yield from adaptive.bisect(self.bisections, at, far))

    @override
    def dominances(self) -> Iterator[tuple[RiskFacts, str]]:
        for reference, other, dominant in _DOMINANCE:
            yield RiskFacts(_lottery(reference), _lottery(other)), dominant

    @override
    def equals(self) -> Iterator[Mapping[str, tuple[Lottery]]]:
        for triple in _TRIPLES:
            yield {name: (_lottery(parts),) for name, parts in triple.items()}

    @override
    def form(self, item: ItemAnswered) -> Lotteries:
        lotteries = [
            DrawnLottery(option=option, title=f"{option} lottery", chances=item.facts[option]) for option in OPTIONS
        ]
        return Lotteries(
            outcomes=item.facts["outcomes"],
            lotteries=tuple(lotteries),
            choice=item.choice,
            worth=True,
        )


def _lottery(parts: LotteryParts, divisions: int = GRID_PARTS) -> Lottery:
    worst, middle, best = parts
    return worst / divisions, middle / divisions, best / divisions


def decimals(halvings: int) -> int:
    """Return the number of decimals needed to show every step of a probability: at least 4, more if steps are finer."""
    return max(4, math.ceil(halvings * math.log10(2)))


STATED = stated_game(RiskRules, "lotteries over three outcomes, two at a time", play=adaptive.play, events=EVENTS)
