"""Risk: lotteries over three outcomes, points of the Marschak–Machina triangle. For every reference lottery the point
on an edge of the triangle is found to which the subject is indifferent.

The edges are lotteries over two outcomes: on y, mixes of the best and the middle one, on x, mixes of the middle and the
worst one. On both, q is the part that is not the middle outcome. A subject that prefers the reference to the middle
outcome for sure (q = 0) is led along y, any other along x."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Self, TypeAlias

from pydantic import Field, model_validator

from ostrom.core.effects import Lotteries
from ostrom.core.effects import Lottery as DrawnLottery
from ostrom.games.battery.adaptive import BRIEF, AdaptiveRules, Course, Ending, Point, Search, bisected, play
from ostrom.games.battery.items import EVENTS, Facts, ItemAnswered
from ostrom.games.battery.rules import ChoiceList, Role, amount, percent
from ostrom.games.battery.stated import stated_game

REFERENCE, OTHER = OPTIONS = ("reference", "other")
OUTCOMES = (0.0, 500.0, 1000.0)
_PARTS = 12
"""Probabilities of the grid are told in as many parts too."""
_NEGLIGIBLE = 1e-9

Lottery: TypeAlias = tuple[float, float, float]
"""The probabilities of the three outcomes, the worst first."""
Parts: TypeAlias = tuple[int, int, int]
"""The same in parts of the grid's divisions."""

_DOMINANCE: tuple[tuple[Parts, Parts, str], ...] = (
    ((4, 4, 4), (3, 4, 5), OTHER),
    ((2, 6, 4), (4, 6, 2), REFERENCE),
    ((6, 3, 3), (4, 5, 3), OTHER),
    ((3, 3, 6), (3, 6, 3), REFERENCE),
    ((5, 1, 6), (4, 1, 7), OTHER),
)
"""Pairs in twelfths of which one stochastically dominates the other, and which."""
_TRIPLES: tuple[dict[str, Parts], ...] = (
    {"a": (0, 12, 0), "b": (3, 6, 3), "c": (6, 0, 6)},
    {"a": (0, 12, 0), "b": (2, 5, 5), "c": (4, 0, 8)},
    {"a": (0, 12, 0), "b": (4, 6, 2), "c": (7, 0, 5)},
)
"""Lotteries in twelfths that are worth about the same where the middle outcome's utility is 0.5, 0.7 and 0.4."""


@dataclass(frozen=True, slots=True)
class RiskFacts(Facts):
    """What the chooser knows."""

    reference: Lottery
    other: Lottery
    outcomes: tuple[float, float, float] = OUTCOMES

    def words(self, money: Callable[[float], str]) -> Mapping[str, Any]:
        """Both lotteries, by option."""
        lotteries, outcomes = {REFERENCE: self.reference, OTHER: self.other}, [*map(money, self.outcomes)]
        return {"draw": lambda option: _told(lotteries[option], outcomes)}


def _told(probabilities: Lottery, outcomes: Sequence[str]) -> str:
    """'25.0% (3 in 12) chance of 0 dollars, …'; outcomes that cannot come up are left out."""
    possible = [(p, outcome) for p, outcome in zip(probabilities, outcomes, strict=True) if p > _NEGLIGIBLE]
    if len(possible) == 1:
        return f"{possible[0][1]} for sure"
    in_parts = all(abs(p * _PARTS - round(p * _PARTS)) < _NEGLIGIBLE for p, _ in possible)
    return ", ".join(f"{_chance(p, in_parts)} chance of {outcome}" for p, outcome in possible)


def _chance(p: float, in_parts: bool) -> str:
    return f"{100 * p:.1f}% ({round(p * _PARTS)} in {_PARTS})" if in_parts else f"{100 * p:.2f}%"


def _on_edge(item: ItemAnswered) -> tuple[float, str] | None:
    """The lottery that changes, by what it adds to the middle outcome: the best one, or the worst one."""
    (worst, middle, best), outcomes = item.facts["other"], item.facts["outcomes"]
    if best > 0 and worst > 0:
        return None
    if middle == 1:
        return 0.0, f"{amount(outcomes[1])} for sure"
    label = f"{percent(best)} of {amount(outcomes[2])}" if best > 0 else f"{percent(worst)} of {amount(outcomes[0])}"
    return best - worst, f"{label}, else {amount(outcomes[1])}" if middle > 0 else label


class RiskRules(AdaptiveRules, task="risk"):
    """The risk task."""

    options: ClassVar[tuple[str, str]] = OPTIONS
    facts: ClassVar[type[Facts]] = RiskFacts
    roles: ClassVar[Mapping[str, Role]] = {"chooser": Role("risk", ChoiceList("other lottery", OPTIONS, _on_edge))}
    quick: ClassVar[Mapping[str, Any]] = {
        "references": [[2, 8, 2], [4, 4, 4], [3, 3, 6], [6, 3, 3], [4, 0, 8], [6, 0, 6]],
        **BRIEF,
    }
    led_by: ClassVar[str] = "expected-utility:r=0.3"

    divisions: int = Field(12, ge=2, le=100)
    """How many parts the probabilities of the reference lotteries are counted in."""
    references: tuple[Parts, ...] | None = None
    """Reference lotteries in these parts, the worst outcome's first. Where none are given: all that give the worst and
    the best outcome some probability, that is the inside of the triangle and its hypotenuse."""

    @model_validator(mode="after")
    def _references_are_lotteries(self) -> Self:
        if self.references is not None and not self.references:
            raise ValueError("references must contain at least one lottery")
        for parts in self.references or ():
            said = ", ".join(map(str, parts))
            if min(parts) < 0 or sum(parts) != self.divisions:
                raise ValueError(
                    f"the probabilities of the reference {said} do not sum to one; it must be three whole numbers from "
                    f"0 on with the sum {self.divisions}"
                )
            if max(parts) == self.divisions:
                raise ValueError(f"the reference {said} is sure; it must give two outcomes some probability")
        if self.references is not None and len(set(self.references)) < len(self.references):
            raise ValueError("references must differ from each other")
        return self

    @property
    def lotteries(self) -> tuple[Parts, ...]:
        if self.references is not None:
            return self.references
        n = self.divisions
        return tuple((worst, n - worst - best, best) for worst in range(1, n) for best in range(1, n - worst + 1))

    def singly(self) -> list[Mapping[str, Any]]:
        """For each sequence of the grid, the settings under which it is the only one."""
        return [{"references": [parts]} for parts in self.lotteries]

    def courses(self) -> Iterator[Course]:
        """A sequence for every reference lottery."""
        for parts in self.lotteries:
            reference = _lottery(parts, self.divisions)
            yield Course(
                condition="reference=" + ",".join(f"{part}/{self.divisions}" for part in parts),
                facts={"reference": list(reference)},
                search=partial(self.search, reference),
            )

    def search(self, reference: Lottery) -> Search:
        """Looks for the q on an edge at which the subject is indifferent to the reference: the near end, which picks
        the edge; the far end; then the middle of what is left."""
        (choice,) = yield (Point(0, RiskFacts(reference, (0.0, 1.0, 0.0)), {"q": 0.0}),)
        # What is at the far end, and what is chosen there by who is indifferent somewhere before it.
        axis, far = ("y", OTHER) if choice == REFERENCE else ("x", REFERENCE)

        def at(step: int, q: float) -> Point:
            # What is shown is what is chosen from: the probability is rounded here, not where it is written out.
            part = round(q, decimals(self.bisections))
            rest = round(1 - part, decimals(self.bisections))
            other = (0.0, rest, part) if axis == "y" else (part, rest, 0.0)
            return Point(step, RiskFacts(reference, other), {"axis": axis, "q": q})

        (choice,) = yield (at(1, 1.0),)
        if choice != far:
            best = "the reference to the best outcome" if axis == "y" else "the worst outcome to the reference"
            return Ending("censored", 1.0, f"preferred {best} for sure")
        return (yield from bisected(self.bisections, at, far))

    def dominances(self) -> Iterator[tuple[RiskFacts, str]]:
        """Lotteries of which one dominates the other."""
        for reference, other, dominant in _DOMINANCE:
            yield RiskFacts(_lottery(reference), _lottery(other)), dominant

    def equals(self) -> Iterator[Mapping[str, tuple[Lottery]]]:
        """Lotteries that are worth about the same."""
        for triple in _TRIPLES:
            yield {name: (_lottery(parts),) for name, parts in triple.items()}

    def form(self, item: ItemAnswered) -> Lotteries:
        """The two lotteries."""
        both = [(REFERENCE, item.facts["reference"]), (OTHER, item.facts["other"])]
        return Lotteries(
            outcomes=item.facts["outcomes"],
            lotteries=tuple(DrawnLottery(option=one, title=f"{one} lottery", chances=chances) for one, chances in both),
            choice=item.choice,
            worth=True,
        )


def _lottery(parts: Parts, divisions: int = _PARTS) -> Lottery:
    worst, middle, best = parts
    return worst / divisions, middle / divisions, best / divisions


def decimals(halvings: int) -> int:
    """To how many decimals a probability is shown, so that no step is lost: 4, or more for fine steps."""
    return max(4, math.ceil(halvings * math.log10(2)))


STATED = stated_game(RiskRules, "lotteries over three outcomes, two at a time", play=play, events=EVENTS)
