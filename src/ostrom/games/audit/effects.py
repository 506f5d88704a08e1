"""How much of the variance of decisions comes from how a question is put.

The same situations are put in many ways; in each situation every level of every factor (wording, labels, order, seat,
currency, scale) occurs equally often, and every way is asked several times. With the situation's own mean removed, the
variance of decisions has these parts, which add up to the whole:

- of each factor: the variance of its levels' mean effects over all situations. The effects are least-squares estimates
  from all factors at once. Their mean square is too large by their own error; that is known from what the fit leaves
  and is taken off, so that a player without bias gives about zero, sometimes a little less (like ω², not η²).
- in combination: what ways to put the question do beyond the factors' mean effects, such as a wording that matters in
  one situation only.
- noise: the variance between answers to the very same question.

A share is a part over the sum of all. Its interval says how far the answer hangs on which situations were asked about;
how it is made is told in `ostrom.games.audit.shares`. The p-value of a factor is that of shuffling what the other
factors leave within every situation. Answers that were defaulted, and those that cannot be placed, such as naming
nobody, are counted and left out; nothing stands in for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.core import InputError
from ostrom.core.estimates import Estimate
from ostrom.games.audit.shares import ends_of
from ostrom.games.audit.variance import ROUNDING, Cells, Put
from ostrom.journal.record import GameRecord

SHUFFLES = 999
LEAST_SITUATIONS = 4
"""Fewer situations give no interval."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a factor."""

    name: str
    mean: float
    """The mean decision, as if all situations and all other factors were met equally."""
    answers: int


@dataclass(frozen=True, slots=True)
class Factor:
    """What one factor does to decisions."""

    name: str
    share: Estimate
    p: float | None
    levels: tuple[Level, ...]

    def stands(self, factors: int) -> bool:
        """Whether it is told apart from chance, where so many factors are looked at (Bonferroni)."""
        return self.p is not None and self.p * factors <= LEVEL

    def as_record(self) -> dict[str, Any]:
        """The factor as plain data."""
        levels = [{"level": one.name, "mean": one.mean, "answers": one.answers} for one in self.levels]
        return {"factor": self.name, "share": self.share.as_record(), "p": self.p, "levels": levels}


@dataclass(frozen=True, slots=True)
class Audit:
    """How robust decisions are to how the question is put."""

    factors: tuple[Factor, ...]
    """The one that explains most first."""
    combinations: Estimate
    noise: Estimate
    mean: float
    deviation: float
    """The standard deviation of decisions within a situation."""
    situations: int
    answers: int

    @property
    def leading(self) -> Factor | None:
        """The factor that explains most, if any is told apart from chance."""
        return next((factor for factor in self.factors if factor.stands(len(self.factors))), None)

    @property
    def combined(self) -> bool:
        """Whether factors in combination do more than chance would, by the interval."""
        return self.combinations.low is not None and self.combinations.low > 0

    def as_record(self) -> dict[str, Any]:
        """The audit as plain data."""
        return {
            "factors": [factor.as_record() for factor in self.factors],
            "combinations": self.combinations.as_record(),
            "noise": self.noise.as_record(),
            "mean": self.mean,
            "deviation": self.deviation,
            "situations": self.situations,
            "answers": self.answers,
        }


def audited(puts: Sequence[Put]) -> Audit:
    """The shares of all factors that the questions varied."""
    cells = Cells.of(puts)
    here = cells.parts()
    still = bool(here.whole[0] <= ROUNDING)
    low, high = ends_of(cells)
    shares = [
        _estimate(float(value), float(low[place]), float(high[place]), cells.situations, still=still)
        for place, value in enumerate(here.shares[0])
    ]
    mean = float(np.mean(cells.values))
    factors = [
        Factor(name, share, None if still else cells.chance(name, SHUFFLES), _levels(cells, name, mean))
        for name, share in zip(cells.levels, shares, strict=False)
    ]
    return Audit(
        factors=tuple(sorted(factors, key=lambda one: -(one.share.value or 0.0))),
        combinations=shares[-2],
        noise=shares[-1],
        mean=mean,
        deviation=float(np.sqrt(max(0.0, here.whole[0]))),
        situations=cells.situations,
        answers=int(np.sum(cells.repeats)),
    )


def _levels(cells: Cells, name: str, mean: float) -> tuple[Level, ...]:
    """The levels with their mean decisions, the highest first."""
    effects = cells.effects(name, cells.solution @ cells.decisions)[:, 0]
    counts = np.bincount(cells.codes[name], cells.repeats)
    found = [
        Level(level, mean + float(effect), int(count))
        for level, effect, count in zip(cells.levels[name], effects, counts, strict=True)
    ]
    return tuple(sorted(found, key=lambda level: (-level.mean, level.name)))


def _estimate(value: float, low: float, high: float, situations: int, *, still: bool) -> Estimate:
    if still:
        return Estimate(None, reason="decisions do not vary within any situation")
    if situations < LEAST_SITUATIONS:
        return Estimate(value, reason=f"an interval needs at least {LEAST_SITUATIONS} situations")
    if not np.isfinite(high - low):
        return Estimate(value, reason="one situation has all answers of some kind, so that there is no interval")
    return Estimate(value, low, high)


@dataclass(frozen=True, slots=True)
class Answers:
    """The answers of an audit that can be looked at, and how many cannot."""

    puts: tuple[Put, ...]
    aspect: str
    """Which part of the decision it is."""
    defaulted: int
    """Where the game answered in the player's place."""
    unplaced: int
    """Answers without this part, such as naming nobody."""


def answers_of(records: Iterable[GameRecord], aspect: str | None = None) -> Answers:
    """The decisions of finished audit games; of the leading part where no other is named."""
    puts: list[Put] = []
    defaulted = unplaced = 0
    known: dict[str, None] = {}
    for record in records:
        for event in record.events:
            if event["event"] != "decided":
                continue
            known |= dict.fromkeys(event["aspects"])
            if any(str(answer.provenance) == "defaulted" for answer in record.answers):
                defaulted += 1
                continue
            wanted = aspect or next(iter(event["aspects"]), None)
            if wanted not in event["aspects"]:
                unplaced += 1
                continue
            levels, value = record.rules["levels"], float(event["aspects"][wanted])
            puts.append(Put(record.rules["situation"], record.rules["cell"], levels, value))
    if aspect is not None and aspect not in known:
        raise InputError(f"these decisions have no aspect {aspect!r}; they have {', '.join(known) or 'none'}")
    return Answers(tuple(puts), aspect or next(iter(known), "decision"), defaulted, unplaced)
