"""The rationality score, clip(0.5·S_time + 0.5·S_risk − penalty, 0, 100), and what the two tasks that it is made of say
in words and parameters. S_time is 100·δ by the published least squares, S_risk is 100 less an error: Err_EU, or as
published Err_EV.

Its interval comes from resamples of the conditions of both tasks, drawn apart. Whether there is a penalty is decided
once, by the test on all choices; resamples change its size only, for a test repeated on resamples rejects too often."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from ostrom.analysis.study import Word
from ostrom.games.battery.scores.answers import Tasks
from ostrom.games.battery.scores.controls import control_fault
from ostrom.games.battery.scores.risk import RiskScores, risk_scores
from ostrom.games.battery.scores.score import (
    NOT_ASKED,
    Declared,
    Human,
    Sampled,
    Score,
    lacking,
    sampled,
    score,
    withheld,
)
from ostrom.games.battery.scores.time import TimeScores, time_scores

POINTS_ALONE: Final = withheld("only indifference points are known, not the choices")


@dataclass(frozen=True)
class Subject:
    """Who answered tasks, with what those of time and risk show, computed when it is first wanted."""

    subject: str
    tasks: Tasks
    """The events that everything comes from, by task."""

    @cached_property
    def time(self) -> TimeScores | None:
        """What the time task shows."""
        return time_scores(self.tasks["time"], control_fault(self.tasks)) if self.tasks.get("time") else None

    @cached_property
    def risk(self) -> RiskScores | None:
        """What the risk task shows."""
        return risk_scores(self.tasks["risk"], control_fault(self.tasks)) if self.tasks.get("risk") else None


_score = partial(score, theme="rationality")


def word(value: str | None, otherwise: Score) -> Word:
    """A score that is a word, or why there is none."""
    return Word(value) if value is not None else Word(None, otherwise.reason, otherwise.code)


def _rationality(one: Subject, *, published: bool) -> Score:
    time, risk = one.time, one.risk
    against = {"time": NOT_ASKED if time is None else time.against, "risk": NOT_ASKED if risk is None else risk.against}
    there = {task: score for task, score in against.items() if score is not None}
    if time is None or risk is None or there:
        reasons = {score.reason for score in there.values()}
        if len(there) == 2 and len(reasons) == 1:
            there = {"time and risk": against["time"] or NOT_ASKED}
        return lacking(there)
    penalty, draws = time.magnitude.penalty, time.magnitude.draws
    if penalty.value is None:
        return withheld(f"time: no penalty for magnitude can be told: {penalty.reason}")
    error = risk.errors.expected_value if published else risk.errors.expected_utility
    value = _clipped(100 * (time.delta.score.value or 0.0), 100 - (error.score.value or 0.0), penalty.value)
    # Draws of the two tasks are put side by side in different orders: the same draw must not pick both.
    patience, consistency = 100 * time.delta.draws, 100 - np.roll(error.draws, len(error.draws) // 2)
    penalties = draws if len(draws) == len(patience) else np.full(len(patience), penalty.value)
    return sampled(float(value), _clipped(patience, consistency, penalties)).score


def _clipped(patience: Any, consistency: Any, penalty: Any) -> Any:
    return np.clip(0.5 * patience + 0.5 * consistency - penalty, 0, 100)


@_score("rationality", "Rationality")
def rationality(one: Subject) -> Score:
    """0.5·S_time + 0.5·S_risk − penalty, between 0 and 100; S_time = 100·δ, S_risk = 100 − Err_EU."""
    return _rationality(one, published=False)


@_score("rationality_published", "Rationality, as published")
def rationality_published(one: Subject) -> Score:
    """The same with Err_EV in place of Err_EU, as EconBench has it: it punishes consistent risk aversion."""
    return _rationality(one, published=True)


@_score(
    "delta",
    "Patience δ",
    3,
    unit="a year",
    human=Human("Matousek, Havranek, Irsova 2021", 0.75, note="from an annual rate of 0.33"),
)
def delta(one: Subject) -> Sampled:
    """The annual discount factor: least squares of δ^years on indifference ratios at front-end delay 0, from 0.01 to
    1."""
    return one.time.delta if one.time else Sampled(NOT_ASKED)


@_score("err_eu", "Err_EU", 2, unit="% off")
def err_eu(one: Subject) -> Sampled:
    """100·mean|q − q̂(m)| at the m for which it is least: 0 for every maximiser of expected utility, whatever the risk
    attitude."""
    return one.risk.errors.expected_utility if one.risk else Sampled(NOT_ASKED)


@_score("err_ev", "Err_EV", 2, unit="% off")
def err_ev(one: Subject) -> Sampled:
    """100·mean|q − q_EV|: the published error, against expected value."""
    return one.risk.errors.expected_value if one.risk else Sampled(NOT_ASKED)


@_score("penalty", "Penalty")
def penalty(one: Subject) -> Score:
    """For the magnitude effect: 5·min(1, Δ/0.10), Δ the greatest less the least δ of an amount, if a test of the
    likelihood ratio rejects equal δ at 5 %; else 0."""
    return one.time.magnitude.penalty if one.time else NOT_ASKED


def _no_fit(one: Subject) -> Score:
    return NOT_ASKED if one.time is None else one.time.against or POINTS_ALONE


def _parameter(
    theory: int, parameter: int, name: str, title: str, definition: str, human: Human | None = None
) -> Declared[Score]:
    """A parameter of one of the theories of discounting, by maximum likelihood."""

    def of(one: Subject) -> Score:
        fits = one.time.fits if one.time else ()
        return fits[theory].parameters[parameter] if fits else _no_fit(one)

    return Declared(name, title, "rationality", definition, 3, of=of, human=human)


@_score("discounting", "Discounting", words=True)
def discounting(one: Subject) -> Word:
    """The theory with the least BIC over all binary choices."""
    best = one.time.best if one.time else None
    return word(None if best is None else best.model, _no_fit(one))


_BETA: Final = Human("Imai, Rutter, Camerer 2021", low=0.95, high=0.97)
_QUASI: Final = "of quasi-hyperbolic discounting by maximum likelihood."
PARAMETERS: Final = (
    _parameter(0, 0, "delta_likelihood", "δ by likelihood", "Exponential discounting by maximum likelihood."),
    _parameter(1, 0, "beta", "Present bias β", f"β {_QUASI}", _BETA),
    _parameter(1, 1, "delta_quasi", "δ beside β", f"δ {_QUASI}"),
    _parameter(2, 0, "k", "Hyperbolic k", "k of hyperbolic discounting by maximum likelihood, a year."),
)


@_score("m", "Utility of 500", 3)
def m(one: Subject) -> Score:
    """m of u = (0, m, 1) by maximum likelihood: 0.5 is risk neutral, more is averse."""
    if one.risk is None:
        return NOT_ASKED
    if one.risk.fit is not None:
        return one.risk.fit.parameters[0]
    if one.risk.errors.m is None:
        return one.risk.against or POINTS_ALONE
    return Score(one.risk.errors.m, reason=f"{POINTS_ALONE.reason}: no interval")


SCORES: Final = (rationality, rationality_published, delta, err_eu, err_ev, penalty, discounting, *PARAMETERS, m)
