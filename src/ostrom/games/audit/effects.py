"""The share of the variance of decisions that comes from the framing of a question.

The same situations are asked in many framings; in each situation every level of every factor (wording, labels, order,
seat, currency, scale) occurs equally often, and every framing is asked several times. After removing each situation's
mean, the variance of decisions is the sum of these parts:

- of each factor: the variance of its levels' mean effects over all situations. The effects are least-squares
  estimates from all factors at once. Their mean square exceeds the true one by their error, which is estimated from
  the residuals and subtracted, so that a player without bias has about zero, sometimes slightly less (like ω², not
  η²).
- in combination: effects of framings beyond the factors' mean effects, such as a wording that matters in one
  situation only.
- noise: the variance between answers to the identical question.

A share is a part divided by the sum. Its interval says how much the share depends on the selection of situations; see
`ostrom.games.audit.variance`. The p-value of a factor comes from shuffling the residuals of the other factors within
every situation. Answers that were defaulted, and those without a position, such as naming no player, are counted and
excluded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ostrom.core import InputError
from ostrom.core.estimates import Estimate
from ostrom.games.audit.variance import ROUNDING, AskedQuestion, Cells, share_intervals
from ostrom.journal.record import GameRecord

SHUFFLES = 999
MIN_SITUATIONS = 4
"""With fewer situations there is no interval."""
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a factor."""

    name: str
    mean: float
    """The mean decision, with equal weights for all situations and levels of other factors."""
    answers: int


@dataclass(frozen=True, slots=True)
class FactorEffect:
    """The effect of one factor on decisions."""

    name: str
    share: Estimate
    p: float | None
    levels: tuple[Level, ...]

    def is_significant(self, factors: int) -> bool:
        """Return whether the factor is significant among this many factors (Bonferroni)."""
        return self.p is not None and self.p * factors <= LEVEL

    def as_record(self) -> dict[str, Any]:
        """Return the factor as plain data."""
        levels = [{"level": level.name, "mean": level.mean, "answers": level.answers} for level in self.levels]
        return {"factor": self.name, "share": self.share.as_record(), "p": self.p, "levels": levels}


@dataclass(frozen=True, slots=True)
class Audit:
    """The robustness of decisions to the framing of a question."""

    factors: tuple[FactorEffect, ...]
    """In descending order of their shares."""
    combinations: Estimate
    noise: Estimate
    mean: float
    deviation: float
    """The standard deviation of decisions within a situation."""
    situations: int
    answers: int

    @property
    def leading(self) -> FactorEffect | None:
        """The significant factor with the largest share, if any."""
        return next((factor for factor in self.factors if factor.is_significant(len(self.factors))), None)

    @property
    def combined(self) -> bool:
        """True if combinations of factors have an effect beyond chance, by the interval."""
        return self.combinations.low is not None and self.combinations.low > 0

    def as_record(self) -> dict[str, Any]:
        """Return the audit as plain data."""
        return {
            "factors": [factor.as_record() for factor in self.factors],
            "combinations": self.combinations.as_record(),
            "noise": self.noise.as_record(),
            "mean": self.mean,
            "deviation": self.deviation,
            "situations": self.situations,
            "answers": self.answers,
        }


def audit_effects(questions: Sequence[AskedQuestion]) -> Audit:
    """Return the shares of all varied factors."""
    cells = Cells.of(questions)
    parts = cells.parts()
    is_constant = bool(parts.whole[0] <= ROUNDING)
    low, high = share_intervals(cells)
    shares = [
        _estimate(float(value), float(low[place]), float(high[place]), cells.situations, is_constant=is_constant)
        for place, value in enumerate(parts.shares[0])
    ]
    mean = float(np.mean(cells.values))
    factors = [
        FactorEffect(name, share, None if is_constant else cells.chance(name, SHUFFLES), _levels(cells, name, mean))
        for name, share in zip(cells.levels, shares, strict=False)
    ]
    return Audit(
        factors=tuple(sorted(factors, key=lambda factor: -(factor.share.value or 0.0))),
        combinations=shares[-2],
        noise=shares[-1],
        mean=mean,
        deviation=float(np.sqrt(max(0.0, parts.whole[0]))),
        situations=cells.situations,
        answers=int(np.sum(cells.repeats)),
    )


def _levels(cells: Cells, name: str, mean: float) -> tuple[Level, ...]:
    """Return the levels with their mean decisions, the highest first."""
    effects = cells.effects(name, cells.solution @ cells.decisions)[:, 0]
    counts = np.bincount(cells.codes[name], cells.repeats)
    levels = [
        Level(level, mean + float(effect), int(count))
        for level, effect, count in zip(cells.levels[name], effects, counts, strict=True)
    ]
    return tuple(sorted(levels, key=lambda level: (-level.mean, level.name)))


def _estimate(value: float, low: float, high: float, situations: int, *, is_constant: bool) -> Estimate:
    if is_constant:
        return Estimate(None, reason="decisions do not vary within any situation")
    if situations < MIN_SITUATIONS:
        return Estimate(value, reason=f"an interval needs at least {MIN_SITUATIONS} situations")
    if not np.isfinite(high - low):
        return Estimate(value, reason="one situation has all answers of some kind, so that there is no interval")
    return Estimate(value, low, high)


@dataclass(frozen=True, slots=True)
class AuditAnswers:
    """The usable answers of an audit, and the number of others."""

    questions: tuple[AskedQuestion, ...]
    aspect: str
    """The part of the decision."""
    defaulted: int
    """The number of answers that the game supplied for the player."""
    unplaced: int
    """The number of answers without this part, such as naming no player."""


def answers_of(records: Iterable[GameRecord], aspect: str | None = None) -> AuditAnswers:
    """Return the decisions of finished audit games; by default their leading part."""
    questions: list[AskedQuestion] = []
    defaulted = unplaced = 0
    aspects: dict[str, None] = {}
    for record in records:
        for event in record.events:
            if event["event"] != "decided":
                continue
            aspects |= dict.fromkeys(event["aspects"])
            if any(str(answer.provenance) == "defaulted" for answer in record.answers):
                defaulted += 1
                continue
            name = aspect or next(iter(event["aspects"]), None)
            if name not in event["aspects"]:
                unplaced += 1
                continue
            levels, value = record.rules["levels"], float(event["aspects"][name])
            questions.append(AskedQuestion(record.rules["situation"], record.rules["cell"], levels, value))
    if aspect is not None and aspect not in aspects:
        raise InputError(f"these decisions have no aspect {aspect!r}; they have {', '.join(aspects) or 'none'}")
    return AuditAnswers(tuple(questions), aspect or next(iter(aspects), "decision"), defaulted, unplaced)
