"""The arithmetic of adaptive sequences: what the majority of a step is, and how an interval is halved. Pure values,
with no questions in them."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Vote:
    """What the askings of one step came to."""

    choice: str | None
    """What more than half of all askings chose; missing where nothing was."""
    reason: str | None = None
    """Why there is no majority."""


def majority(answers: Sequence[str | None]) -> Vote:
    """The choice of more than half of the askings. A missing answer counts for nobody and is not asked again: of three
    askings two that agree are a majority, two that disagree are none, and neither is one alone."""
    counts = Counter(answer for answer in answers if answer is not None)
    if counts:
        choice, count = counts.most_common(1)[0]
        if 2 * count > len(answers):
            return Vote(choice)
    return Vote(None, f"no majority: {counts.total()} of {len(answers)} answers valid")


@dataclass(frozen=True, slots=True)
class Ending:
    """What a sequence came to."""

    outcome: Literal["point", "censored", "invalid"]
    value: float | None = None
    reason: str | None = None


def decimals(amount: float, halvings: int) -> int:
    """To how many decimals a part of an amount is shown, so that no step is lost: 4, or more for fine steps of small
    amounts."""
    return max(4, math.ceil(halvings * math.log10(2) - math.log10(amount)))


@dataclass(frozen=True, slots=True)
class Bracket:
    """An interval whose ends are chosen differently, so that a point of indifference lies within it."""

    low: float = 0.0
    high: float = 1.0
    halvings: int = 0

    @property
    def middle(self) -> float:
        """The point to ask next; at last, the estimate."""
        return (self.low + self.high) / 2

    def halved(self, *, as_high: bool) -> "Bracket":
        """The half that is left when the choice at the middle is that of the high end, or of the low one."""
        if as_high:
            return Bracket(self.low, self.middle, self.halvings + 1)
        return Bracket(self.middle, self.high, self.halvings + 1)
