"""Cooperation and depth of reasoning, reported one by one: how often the stag, how much for all, how often a pass,
which claim, which guess; and the label that cooperation earns.

Comparative statics: does behaviour move with the incentives as theory says? That is harder to know by heart than any
level. Each is a least-squares slope over answers, with an interval from drawing conditions again."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ostrom.core.estimates import proportion
from ostrom.games.battery.scores.score import Floats, Score, drawn, with_interval, withheld
from ostrom.games.battery.scores.sheets import (
    NOT_ASKED,
    ONE_CONDITION,
    SCORE,
    Sheet,
    Tasks,
    joined,
    mean,
    scaling,
    sheet,
)

LEVELS = 4
"""Nagel's levels, from 0 to 3."""
LOW, HIGH = 2.0, 100.0
"""The scale on which claims are reported."""
COOPERATIVE, MIXED = 65.0, 40.0
"""From which mean of stag, contribution and pass, in percent, a subject is called so."""

Label = Literal["cooperative", "mixed", "competitive"]
Published = Literal["high", "level 1", "level 0"]


@dataclass(frozen=True, slots=True)
class Depth:
    """How many steps ahead guesses go, by Nagel's neighbourhoods 50·p^(n ± ¼) (Nagel 1995)."""

    levels: tuple[Score, ...]
    """The share of guesses, in percent, in the neighbourhood of each level."""
    level: int | None
    """The level in whose neighbourhood most guesses lie; missing where most lie in none."""
    published: Published | None
    """By the mean guess and the published cut-offs: up to 22 'high', up to 33 'level 1', else 'level 0'."""


@dataclass(frozen=True, slots=True)
class CooperationScores:
    """What a subject does where others decide too."""

    stag: Score
    """Share of choices of the stag, in percent."""
    contribution: Score
    """Mean share of the endowment that is contributed, in percent."""
    passes: Score
    """Share of passes over all nodes asked, in percent."""
    claim: Score
    """Mean claim on the scale from 2 to 100, at the bonus of the grid."""
    guess: Score
    """Mean guess."""
    depth: Depth
    heads: Score
    """Share of heads over both roles, in percent, with Wilson's interval; 50 is what cannot be exploited."""
    heads_by_role: Mapping[str, Score]
    cooperation: Score
    """Mean of stag, contribution and pass, those left out that were not asked."""
    label: Label | None
    """By `cooperation`: from 65 'cooperative', from 40 'mixed', else 'competitive'."""


def cooperation_scores(tasks: Tasks) -> CooperationScores:
    """The scores of a subject, from the events of its tasks by their names."""
    hunter, contributor = sheet(tasks, "stag_hunt", "chooser"), sheet(tasks, "public_goods", "contributor")
    mover, claimant = sheet(tasks, "centipede", "mover"), sheet(tasks, "traveller", "claimant")
    guesser, pennies = sheet(tasks, "beauty_contest", "guesser"), sheet(tasks, "matching_pennies", "chooser")
    stag = mean(hunter.numbers(lambda choice, _: 100.0 * (choice == "stag")), hunter)
    contribution = mean(
        contributor.numbers(lambda given, facts: 100 * given / facts["endowment"]), scaling(contributor, "endowment")
    )
    passes = mean(mover.numbers(lambda choice, _: 100.0 * (choice == "pass")), mover)
    parts = [("stag", *stag), ("contribution", *contribution), ("pass", *passes)]
    there = [part for part in parts if part[1].reason != NOT_ASKED]
    cooperation = joined(there or parts, lambda *scores: np.mean(scores, axis=0))[0]
    return CooperationScores(
        stag=stag[0],
        contribution=contribution[0],
        passes=passes[0],
        claim=mean(claimant.numbers(claim_on_scale), scaling(claimant, "high"))[0],
        guess=mean(guesser.numbers(lambda guess, _: float(guess)), guesser)[0],
        depth=_depth(guesser),
        heads=_heads(pennies),
        heads_by_role={role: _heads(pennies.only(_of_role(role))) for role in ("matcher", "mismatcher")},
        cooperation=cooperation,
        label=None if cooperation.value is None else label_of(cooperation.value),
    )


def label_of(cooperation: float) -> Label:
    """What a subject is called for its mean of stag, contribution and pass."""
    return "cooperative" if cooperation >= COOPERATIVE else "mixed" if cooperation >= MIXED else "competitive"


def claim_on_scale(claim: Any, facts: Mapping[str, Any]) -> float:
    """A claim's place between the least and the greatest, on the scale from 2 to 100."""
    return float(LOW + (HIGH - LOW) * (claim - facts["low"]) / (facts["high"] - facts["low"]))


def neighbourhood(level: int, p: float, middle: float = 50.0) -> tuple[float, float]:
    """Nagel's neighbourhood of a level, middle·p^(n ± ¼): its least and greatest number."""
    ends = (middle * p ** (level - 0.25), middle * p ** (level + 0.25))
    return min(ends), max(ends)


def level_of(guess: float, p: float, middle: float = 50.0) -> int | None:
    """The level in whose neighbourhood a guess lies, if any."""
    for level in range(LEVELS):
        low, high = neighbourhood(level, p, middle)
        if low <= guess <= high:
            return level
    return None


def published_depth(guess: float) -> Published:
    """The published classification of a mean guess."""
    return "high" if guess <= 22 else "level 1" if guess <= 33 else "level 0"


def _depth(guesser: Sheet) -> Depth:
    if guesser.reason is not None:
        return Depth(tuple(withheld(guesser.reason) for _ in range(LEVELS)), None, None)
    found = [
        level_of(guess, facts["p"], (facts["low"] + facts["high"]) / 2)
        for guess, facts in zip(guesser.answers, guesser.facts, strict=True)
    ]
    shares = tuple(mean(np.array([100.0 * (one == level) for one in found]), guesser)[0] for level in range(LEVELS))
    most = Counter(found).most_common(1)
    return Depth(shares, most[0][0] if most else None, published_depth(float(np.mean(guesser.answers))))


def _of_role(role: str) -> Any:
    return lambda facts: facts["role"] == role


def _heads(pennies: Sheet) -> Score:
    if pennies.reason is not None:
        return withheld(pennies.reason)
    if not pennies.answers:
        return withheld("there is no answer to score")
    share = proportion(pennies.answers.count("heads") / len(pennies.answers), len(pennies.answers))
    value, low, high = (None if one is None else 100 * one for one in (share.value, share.low, share.high))
    return Score(value, low, high)


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
