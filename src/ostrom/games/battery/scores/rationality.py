"""The rationality score, clip(0.5·S_time + 0.5·S_risk − penalty, 0, 100), and what the two tasks that it is made of say
in words and parameters. S_time is 100·δ by the published least squares, S_risk is 100 less an error: Err_EU, or as
published Err_EV.

Its interval comes from draws of both tasks, apart. Whether our penalty applies is decided once, by the test on all
choices; draws change its size only. The published one is judged anew in every draw."""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from ostrom.analysis.study import Word
from ostrom.games.battery.scores.answers import Tasks
from ostrom.games.battery.scores.controls import control_fault
from ostrom.games.battery.scores.replicates import around
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
from ostrom.games.battery.scores.time import TimeScores, least_squares, time_scores

MOST_EVIDENCE: Final = 1e6
"""Beyond this a ratio of evidence is not counted."""
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
    less = time.penalty if published else Sampled(time.magnitude.penalty, time.magnitude.draws)
    if less.value is None:
        return withheld(f"time: no penalty for magnitude can be told: {less.score.reason}")
    error = risk.errors.expected_value if published else risk.errors.expected_utility
    value = _clipped(100 * (time.delta.value or 0.0), 100 - (error.value or 0.0), less.value)
    if not len(time.delta.draws) or not len(error.draws):
        return sampled(float(value), np.empty(0)).score
    # Draws of the two tasks are put side by side in different orders: the same draw must not pick both.
    consistency = 100 - np.roll(error.draws, len(error.draws) // 2)
    return sampled(float(value), _clipped(100 * time.delta.draws, consistency, less.draws)).score


def _clipped(patience: Any, consistency: Any, penalty: Any) -> Any:
    return np.clip(0.5 * patience + 0.5 * consistency - penalty, 0, 100)


@_score("rationality", "Rationality")
def rationality(one: Subject) -> Score:
    """0.5·S_time + 0.5·S_risk − penalty, between 0 and 100; S_time = 100·δ, S_risk = 100 − Err_EU."""
    return _rationality(one, published=False)


@_score("rationality_published", "Rationality, as published")
def rationality_published(one: Subject) -> Score:
    """The same with Err_EV in place of Err_EU and the published penalty, as EconBench has it: it punishes consistent
    risk aversion, and impatience with small amounts alone."""
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


@_score("penalty_published", "Penalty, as published")
def penalty_published(one: Subject) -> Sampled:
    """5 where δ of the largest amount exceeds that of the smallest by over 0.10, 2.5 where by over 0.05, else 0; each
    by least squares at front-end delay 0."""
    return one.time.penalty if one.time else Sampled(NOT_ASKED)


@_score("delta_corrected", "Patience δ, curvature taken out", 3, unit="a year")
def delta_corrected(one: Subject) -> Sampled:
    """δ of utility in place of money: least squares of δ^years on ratios to the power α, with u = x^α, α = log2(1/m),
    the curvature that the same subject shows in the risk task (Andersen, Harrison, Lau, Rutström 2008)."""
    plain = delta(one)
    if one.time is None or plain.value is None:
        return plain
    curvature = m(one)
    if curvature.value is None:
        return Sampled(lacking({"risk": curvature}))
    now = one.time.points.only(one.time.points.front == 0)
    value = float(least_squares(now.ratio ** exponent(curvature.value), now.years)[0])
    draws, again = one.risk.m_draws if one.risk else np.empty(0), one.time.again
    if not len(draws) or again is None:
        return sampled(value, np.empty(0))
    # In another order than those of the other task, as above.
    powers = exponent(np.roll(draws, len(draws) // 2)) if len(again.ratio) else 1.0
    return sampled(value, np.clip(around(value, again.again(np.ones(len(now.ratio), dtype=bool), powers)), 0.01, 1))


def exponent(m: Any) -> Any:
    """α of u = x^α, given the utility of 500 where that of 1000 is 1."""
    return -np.log2(m)


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
    """The theory with the least BIC over all binary choices; how sure that is stands under `discounting_evidence`."""
    best = one.time.best if one.time else None
    return word(None if best is None else best.model, _no_fit(one))


@_score("discounting_evidence", "Evidence for it")
def discounting_evidence(one: Subject) -> Score:
    """How many times as much evidence there is for that theory as for the next best, exp(Δ BIC / 2): 3 is hardly worth
    mentioning, 20 is strong (Kass and Raftery 1995)."""
    ratios = sorted(one.time.evidence.values()) if one.time else []
    if len(ratios) < 2:
        return _no_fit(one)
    return Score(min(ratios[1], MOST_EVIDENCE), reason="a ratio of evidence: no interval")


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


SCORES: Final = (
    rationality,
    rationality_published,
    delta,
    delta_corrected,
    err_eu,
    err_ev,
    penalty,
    penalty_published,
    discounting,
    discounting_evidence,
    *PARAMETERS,
    m,
)
