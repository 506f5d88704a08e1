"""Comparative statics: does behaviour move with the incentives as theory says? That is harder to know by heart than any
level. Each is a least-squares slope over answers, with an interval from drawing conditions again."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ostrom.games.battery.scores.bootstrap import drawn
from ostrom.games.battery.scores.cooperation import HIGH, LOW, claim_on_scale
from ostrom.games.battery.scores.score import Floats, Score, with_interval, withheld
from ostrom.games.battery.scores.sheets import ONE_CONDITION, SCORE, Sheet, Tasks, scaling, sheet

Verdict = Literal["as predicted", "against", "flat", "undecided"]
STATICS = "statics"
"""The purpose of items that are asked for a slope alone."""


@dataclass(frozen=True, slots=True)
class Slope:
    """How an answer moves with an incentive."""

    slope: Score
    predicted: Literal[-1, 1]
    """The sign that theory gives it."""

    @property
    def verdict(self) -> Verdict | None:
        """Whether its whole interval has the predicted sign, or the other one; 'flat' where nothing moves at all."""
        low, high = self.slope.low, self.slope.high
        if self.slope.value is None or low is None or high is None:
            return None
        if low == high == 0:
            return "flat"
        ends = sorted((self.predicted * low, self.predicted * high))
        return "as predicted" if ends[0] > 0 else "against" if ends[1] < 0 else "undecided"


@dataclass(frozen=True, slots=True)
class Statics:
    """The three slopes of the battery."""

    claim: Slope
    """Claim, on the scale from 2 to 100, by the bonus on that scale: lower where undercutting pays more."""
    stag: Slope
    """Percent of choices of the stag by the hare's worth in parts of the stag's: lower where the hare is worth more."""
    contribution: Slope
    """Percent of the endowment contributed by the multiplier: higher where more comes back."""


def comparative_statics(tasks: Tasks) -> Statics:
    """The slopes of a subject, from the events of its tasks by their names."""
    claimant = sheet(tasks, "traveller", "claimant", (SCORE, STATICS))
    hunter, contributor = sheet(tasks, "stag_hunt", "chooser"), sheet(tasks, "public_goods", "contributor")
    bonus = claimant.numbers(lambda _, facts: facts["bonus"] * (HIGH - LOW) / (facts["high"] - facts["low"]))
    hare = hunter.numbers(lambda _, facts: facts["hare"] / facts["stag"])
    multiplier = contributor.numbers(lambda _, facts: facts["multiplier"])
    claims = claimant.numbers(claim_on_scale)
    stags = hunter.numbers(lambda choice, _: 100.0 * (choice == "stag"))
    shares = contributor.numbers(lambda given, facts: 100 * given / facts["endowment"])
    return Statics(
        claim=Slope(_slope(scaling(claimant, "high"), bonus, claims), -1),
        stag=Slope(_slope(hunter, hare, stags), -1),
        contribution=Slope(_slope(scaling(contributor, "endowment"), multiplier, shares), 1),
    )


def _slope(answers: Sheet, incentive: Floats, response: Floats) -> Score:
    if answers.reason is not None:
        return withheld(answers.reason)
    if len(np.unique(np.round(incentive, 9))) < 2:
        return withheld("it was asked at one incentive only")
    incentive, response = incentive - np.mean(incentive), response - np.mean(response)
    sums: list[Floats] = [
        np.asarray(np.bincount(answers.place, part, minlength=answers.conditions), dtype=np.float64)
        for part in (np.ones(len(incentive)), incentive, response, incentive**2, incentive * response)
    ]
    value = float(_least_squares(np.ones((1, answers.conditions)), sums)[0])
    if answers.conditions < 2:
        return Score(value, reason=ONE_CONDITION)
    return with_interval(value, _least_squares(drawn(answers.conditions), sums))


def _least_squares(weights: Floats, sums: list[Floats]) -> Floats:
    """The slope of every row of weights; not a number where a resample holds one incentive only."""
    count, x, y, xx, xy = (weights @ each for each in sums)
    spread = xx - x**2 / count
    flat = spread <= 1e-9 * np.maximum(xx, 1e-12)
    return np.asarray(np.where(flat, np.nan, (xy - x * y / count) / np.where(flat, 1.0, spread)) + 0.0)
