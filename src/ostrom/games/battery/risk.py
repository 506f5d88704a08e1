"""Risk: lotteries over three outcomes, points of the Marschak–Machina triangle. For every reference lottery the point
on an edge of the triangle is found to which the subject is indifferent.

The edges are lotteries over two outcomes: on y, mixes of the best and the middle one, on x, mixes of the middle and the
worst one. On both, q is the part that is not the middle outcome. A subject that prefers the reference to the middle
outcome for sure (q = 0) is led along y, any other along x."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self, TypeAlias

from pydantic import Field, model_validator

from ostrom.core import Play, Table
from ostrom.core.effects import Lotteries
from ostrom.core.effects import Lottery as DrawnLottery
from ostrom.games.battery.adaptive import (
    DOMINANCE,
    ENDS,
    TRANSITIVITY,
    AdaptiveRules,
    Course,
    Point,
    run,
    with_diagnostics,
)
from ostrom.games.battery.bisection import Bracket, Ending, Vote, decimals
from ostrom.games.battery.drawing import Asking, ChoiceList, Listing, amount, percent
from ostrom.games.battery.events import EVENTS
from ostrom.games.battery.items import Cell
from ostrom.games.battery.stated import stated_game

REFERENCE, OTHER = OPTIONS = ("reference", "other")
OUTCOMES = (0.0, 500.0, 1000.0)

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
class RiskFacts:
    """What the chooser knows."""

    reference: Lottery
    other: Lottery
    outcomes: tuple[float, float, float] = OUTCOMES


def _on_edge(asking: Asking) -> tuple[float, str] | None:
    """The lottery that changes, by what it adds to the middle outcome: the best one, or the worst one."""
    (worst, middle, best), outcomes = asking.facts["other"], asking.facts["outcomes"]
    if best > 0 and worst > 0:
        return None
    if middle == 1:
        return 0.0, f"{amount(outcomes[1])} for sure"
    label = f"{percent(best)} of {amount(outcomes[2])}" if best > 0 else f"{percent(worst)} of {amount(outcomes[0])}"
    return best - worst, f"{label}, else {amount(outcomes[1])}" if middle > 0 else label


class RiskRules(AdaptiveRules):
    """The risk task."""

    task: ClassVar[str] = "risk"
    roles: ClassVar[tuple[str, ...]] = ("chooser",)
    lists: ClassVar[Mapping[str, Listing]] = {"chooser": ChoiceList("other lottery", OPTIONS, _on_edge)}

    divisions: int = Field(12, ge=2, le=100)
    """How many parts the probabilities of the reference lotteries are counted in."""
    references: tuple[Parts, ...] | None = None
    """Reference lotteries in these parts, the worst outcome's first. Where none are given: all that give the worst and
    the best outcome some probability, that is the inside of the triangle and its hypotenuse."""

    @model_validator(mode="after")
    def _references_are_lotteries(self) -> Self:
        if self.references is not None and not self.references:
            raise ValueError("references must hold at least one lottery")
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
        """The reference lotteries."""
        if self.references is not None:
            return self.references
        n = self.divisions
        return tuple((worst, n - worst - best, best) for worst in range(1, n) for best in range(1, n - worst + 1))

    @property
    def questions(self) -> int:
        """How many questions there are at most."""
        return self.most_questions(len(self.lotteries))

    def form(self, asking: Asking) -> Lotteries:
        """The two lotteries."""
        both = [(REFERENCE, asking.facts["reference"]), (OTHER, asking.facts["other"])]
        return Lotteries(
            outcomes=asking.facts["outcomes"],
            lotteries=tuple(DrawnLottery(option=one, title=f"{one} lottery", chances=chances) for one, chances in both),
            choice=asking.choice,
            worth=True,
        )


def _lottery(parts: Parts, divisions: int = 12) -> Lottery:
    worst, middle, best = parts
    return worst / divisions, middle / divisions, best / divisions


@dataclass(frozen=True, slots=True)
class RiskState:
    """Looks for the q on an edge at which the subject is indifferent to the reference."""

    bisections: int
    reference: Lottery
    axis: str | None = None
    """Missing until the reference was asked against the middle outcome for sure."""
    bracket: Bracket | None = None
    """Missing until the far end was asked."""
    ending: Ending | None = None

    def points(self) -> tuple[Point, ...]:
        """The near end, which picks the axis; the far end; then the middle of what is left."""
        if self.axis is None:
            return (Point(0, RiskFacts(self.reference, (0.0, 1.0, 0.0)), {"q": 0.0}),)
        step, q = (1, 1.0) if self.bracket is None else (ENDS + self.bracket.halvings, self.bracket.middle)
        # What is shown is what is chosen from: the probability is rounded here, not where it is written out.
        fine = decimals(1.0, self.bisections)
        part = round(q, fine)
        rest = round(1 - part, fine)
        other = (0.0, rest, part) if self.axis == "y" else (part, rest, 0.0)
        return (Point(step, RiskFacts(self.reference, other), {"axis": self.axis, "q": q}),)

    def after(self, votes: Sequence[Vote]) -> "RiskState":
        """Where it stands after the majority at that point."""
        (vote,) = votes
        if vote.choice is None:
            return replace(self, ending=Ending("invalid", reason=vote.reason))
        if self.axis is None:
            return replace(self, axis="y" if vote.choice == REFERENCE else "x")
        far = vote.choice == (OTHER if self.axis == "y" else REFERENCE)
        if self.bracket is None:
            if far:
                return replace(self, bracket=Bracket())
            best = "the reference to the best outcome" if self.axis == "y" else "the worst outcome to the reference"
            return replace(self, ending=Ending("censored", 1.0, f"preferred {best} for sure"))
        bracket = self.bracket.halved(as_high=far)
        over = bracket.halvings == self.bisections
        return replace(self, bracket=bracket, ending=Ending("point", bracket.middle) if over else None)


def _courses(rules: RiskRules) -> Iterator[Course]:
    for parts in rules.lotteries:
        reference = _lottery(parts, rules.divisions)
        yield Course(
            condition="reference=" + ",".join(f"{part}/{rules.divisions}" for part in parts),
            facts={"reference": list(reference)},
            state=RiskState(rules.bisections, reference),
        )


def _diagnostics(rules: RiskRules) -> Iterator[Cell]:
    for place, (reference, other, dominant) in enumerate(_DOMINANCE[: rules.dominance], start=1):
        yield Cell(
            role="chooser",
            condition=f"dominance={place}",
            facts=RiskFacts(_lottery(reference), _lottery(other)),
            options=OPTIONS,
            purpose=DOMINANCE,
            detail={"dominant": dominant},
        )
    for triple, lotteries in enumerate(_TRIPLES[: rules.triples], start=1):
        for first, second in ("ab", "bc", "ac"):
            yield Cell(
                role="chooser",
                condition=f"triple={triple} pair={first}{second}",
                facts=RiskFacts(_lottery(lotteries[first]), _lottery(lotteries[second])),
                options=OPTIONS,
                purpose=TRANSITIVITY,
                detail={"triple": triple, "elements": {REFERENCE: first, OTHER: second}},
            )


def play(rules: RiskRules, table: Table) -> Play:
    """Ask every sequence to its end, and the diagnostics along with the first step."""
    yield from run(rules, OPTIONS, with_diagnostics(rules, list(_courses(rules)), table), [*_diagnostics(rules)], table)


STATED_RISK = stated_game(
    RiskRules, "stated choices: lotteries over three outcomes, two at a time", play=play, events=EVENTS
)
