"""The rationality score, clip(0.5·S_time + 0.5·S_risk − penalty, 0, 100), and the classifications and parameters of its
two tasks. S_time is 100·δ by the published least squares; S_risk is 100 minus an error: Err_EU, or Err_EV as published.

The interval comes from independent draws of both tasks. A test of the observed choices decides once whether our penalty
applies, and draws vary only the size of the penalty. Each draw decides anew whether the published penalty applies."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

import numpy as np

from ostrom.analysis.study import Word
from ostrom.games.battery.scores.reading import control_note, subject_fault
from ostrom.games.battery.scores.replicates import center_draws
from ostrom.games.battery.scores.risk import RiskScores, risk_scores
from ostrom.games.battery.scores.score import (
    NOT_ASKED,
    Human,
    SampledScore,
    Score,
    ScoreDefinition,
    missing_parts,
    no_score,
    score,
    with_draws,
)
from ostrom.games.battery.scores.time import TimeScores, least_squares, time_scores
from ostrom.games.battery.tables import Events, items_of

MAX_EVIDENCE: Final = 1e6
"""The cap on ratios of evidence."""
POINTS_ALONE: Final = no_score("only indifference points are known, but not the choices")


@dataclass(frozen=True)
class BatterySubject:
    """A subject that answered tasks. Scores are computed lazily from its events and cached."""

    subject: str
    tasks: Mapping[str, Events]
    """The events by task."""

    @cached_property
    def item_events(self) -> dict[str, Events]:
        """The events of answered items, by task."""
        return {task: items_of(events, task) for task, events in self.tasks.items()}

    @cached_property
    def fault(self) -> Score | None:
        """The reason why nothing of the subject may be scored: the subject does not read its questions. None if it
        does."""
        return subject_fault(self.tasks, self.item_events)

    @property
    def control_note(self) -> str | None:
        """A description of the doubt that remains after the subject's control questions, or None."""
        return control_note(self.item_events)

    @cached_property
    def time(self) -> TimeScores | None:
        """The scores of the time task, if it was asked."""
        return time_scores(self.tasks["time"], self.fault) if self.tasks.get("time") else None

    @cached_property
    def risk(self) -> RiskScores | None:
        """The scores of the risk task, if it was asked."""
        return risk_scores(self.tasks["risk"], self.fault) if self.tasks.get("risk") else None


_score = partial(score, theme="rationality")


def word(value: str | None, otherwise: Score) -> Word:
    """Return a score whose value is a word, or a missing score with its reason."""
    return Word(value) if value is not None else Word(None, otherwise.reason, otherwise.code)


def _rationality(subject: BatterySubject, *, published: bool) -> Score:
    time, risk = subject.time, subject.risk
    faults = {"time": NOT_ASKED if time is None else time.fault, "risk": NOT_ASKED if risk is None else risk.fault}
    missing = {task: score for task, score in faults.items() if score is not None}
    if time is None or risk is None or missing:
        reasons = {score.reason for score in missing.values()}
        if len(missing) == 2 and len(reasons) == 1:
            missing = {"time and risk": faults["time"] or NOT_ASKED}
        return missing_parts(missing)
    penalty = time.penalty if published else SampledScore(time.magnitude.penalty, time.magnitude.draws)
    if penalty.value is None:
        return no_score(f"time: the penalty for magnitude cannot be determined: {penalty.score.reason}")
    error = risk.errors.expected_value if published else risk.errors.expected_utility
    value = _clipped(100 * (time.delta.value or 0.0), 100 - (error.value or 0.0), penalty.value)
    if not len(time.delta.draws) or not len(error.draws):
        return with_draws(float(value), np.empty(0)).score
    # Combine the draws of the two tasks in different orders, since the tasks are independent.
    consistency = 100 - np.roll(error.draws, len(error.draws) // 2)
    return with_draws(float(value), _clipped(100 * time.delta.draws, consistency, penalty.draws)).score


def _clipped(patience: Any, consistency: Any, penalty: Any) -> Any:
    return np.clip(0.5 * patience + 0.5 * consistency - penalty, 0, 100)


@_score("rationality", "Rationality", bounds=(0.0, 100.0))
def rationality(subject: BatterySubject) -> Score:
    """0.5·S_time + 0.5·S_risk − penalty, between 0 and 100, with S_time = 100·δ and S_risk = 100 − Err_EU."""
    return _rationality(subject, published=False)


@_score("rationality_published", "Rationality, as published", bounds=(0.0, 100.0))
def rationality_published(subject: BatterySubject) -> Score:
    """The rationality score with Err_EV instead of Err_EU and with the published penalty, as in EconBench. It penalises
    consistent risk aversion. It penalises impatience with small amounts only."""
    return _rationality(subject, published=True)


@_score(
    "delta",
    "Patience δ",
    3,
    unit="a year",
    human=Human("Matousek, Havranek, Irsova 2021", 0.75, note="from an annual rate of 0.33"),
)
def delta(subject: BatterySubject) -> SampledScore:
    """The annual discount factor, between 0.01 and 1: the least-squares fit of δ^years to indifference ratios at
    front-end delay 0."""
    return subject.time.delta if subject.time else SampledScore(NOT_ASKED)


@_score("err_eu", "Err_EU", 2, unit="% off", bounds=(0.0, math.inf))
def err_eu(subject: BatterySubject) -> SampledScore:
    """The mean error 100·mean|q − q̂(m)| of expected utility at the m for which it is least. It is 0 for every
    maximiser of expected utility, whatever the risk attitude."""
    return subject.risk.errors.expected_utility if subject.risk else SampledScore(NOT_ASKED)


@_score("err_ev", "Err_EV", 2, unit="% off", bounds=(0.0, math.inf))
def err_ev(subject: BatterySubject) -> SampledScore:
    """The published error 100·mean|q − q_EV| against expected value."""
    return subject.risk.errors.expected_value if subject.risk else SampledScore(NOT_ASKED)


@_score("penalty", "Penalty")
def penalty(subject: BatterySubject) -> Score:
    """The penalty for the magnitude effect. It is 5·min(1, Δ/0.10) if a likelihood-ratio test rejects equal δ of all
    amounts at 5 %, and otherwise 0. Δ is the greatest δ of an amount minus the least."""
    return subject.time.magnitude.penalty if subject.time else NOT_ASKED


@_score("penalty_published", "Penalty, as published")
def penalty_published(subject: BatterySubject) -> SampledScore:
    """The published penalty. It is 5 if δ of the largest amount exceeds that of the smallest by over 0.10, 2.5 if it
    exceeds it by over 0.05, and otherwise 0. Each δ is the least-squares fit at front-end delay 0."""
    return subject.time.penalty if subject.time else SampledScore(NOT_ASKED)


@_score("delta_corrected", "Patience δ, curvature taken out", 3, unit="a year")
def delta_corrected(subject: BatterySubject) -> SampledScore:
    """δ of utility instead of money. It is the least-squares fit of δ^years to ratios to the power α. Utility is u =
    x^α, where α = log2(1/m) is the curvature of the same subject in the risk task (Andersen, Harrison, Lau, Rutström
    2008)."""
    plain = delta(subject)
    if subject.time is None or plain.value is None:
        return plain
    curvature = m(subject)
    if curvature.value is None:
        return SampledScore(missing_parts({"risk": curvature}))
    now = subject.time.points.only(subject.time.points.front == 0)
    value = float(least_squares(now.ratio ** exponent(curvature.value), now.years)[0])
    draws, replicates = subject.risk.m_draws if subject.risk else np.empty(0), subject.time.replicates
    if not len(draws) or replicates is None:
        return with_draws(value, np.empty(0))
    # The draws of the two tasks are combined in different orders, as in the rationality score.
    powers = exponent(np.roll(draws, len(draws) // 2)) if len(replicates.ratio) else 1.0
    deltas = replicates.deltas(np.ones(len(now.ratio), dtype=bool), powers)
    return with_draws(value, np.clip(center_draws(value, deltas, len(now.ratio)), 0.01, 1))


def exponent(m: Any) -> Any:
    """Return α of u = x^α, given m, the utility of 500 relative to that of 1000."""
    return -np.log2(m)


def _no_fit(subject: BatterySubject) -> Score:
    return NOT_ASKED if subject.time is None else subject.time.fault or POINTS_ALONE


def _parameter(
    theory: int, parameter: int, name: str, title: str, definition: str, human: Human | None = None
) -> ScoreDefinition[Score]:
    """Declare a score: a parameter of one of the theories of discounting, fitted by maximum likelihood."""

    def of(subject: BatterySubject) -> Score:
        fits = subject.time.fits if subject.time else ()
        return fits[theory].parameters[parameter] if fits else _no_fit(subject)

    return ScoreDefinition(name, title, "rationality", definition, 3, of=of, human=human)


@_score("discounting", "Discounting", words=True)
def discounting(subject: BatterySubject) -> Word:
    """The theory of discounting with the least BIC over all binary choices. `discounting_evidence` says how certain it
    is."""
    best = subject.time.best if subject.time else None
    return word(None if best is None else best.model, _no_fit(subject))


@_score("discounting_evidence", "Evidence for it")
def discounting_evidence(subject: BatterySubject) -> Score:
    """The evidence for the best theory of discounting relative to the next best, exp(Δ BIC / 2). A value of 3 is hardly
    worth mentioning, 20 is strong (Kass and Raftery 1995)."""
    ratios = sorted(subject.time.evidence.values()) if subject.time else []
    if len(ratios) < 2:
        return _no_fit(subject)
    return Score(min(ratios[1], MAX_EVIDENCE), reason="a ratio of evidence: no interval")


_BETA: Final = Human("Imai, Rutter, Camerer 2021", low=0.95, high=0.97)
_QUASI: Final = "of quasi-hyperbolic discounting by maximum likelihood."
PARAMETERS: Final = (
    _parameter(0, 0, "delta_likelihood", "δ by likelihood", "Exponential discounting by maximum likelihood."),
    _parameter(1, 0, "beta", "Present bias β", f"β {_QUASI}", _BETA),
    _parameter(1, 1, "delta_quasi", "δ beside β", f"δ {_QUASI}"),
    _parameter(2, 0, "k", "Hyperbolic k", "k of hyperbolic discounting by maximum likelihood, a year."),
)


@_score("m", "Utility of 500", 3)
def m(subject: BatterySubject) -> Score:
    """m of u = (0, m, 1) by maximum likelihood. A value of 0.5 is risk neutral, a higher one is risk averse."""
    if subject.risk is None:
        return NOT_ASKED
    if subject.risk.fit is not None:
        return subject.risk.fit.parameters[0]
    if subject.risk.errors.m is None:
        return subject.risk.fault or POINTS_ALONE
    return Score(subject.risk.errors.m, reason=f"{POINTS_ALONE.reason}: no interval")


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
