"""The rationality score, clip(0.5·S_time + 0.5·S_risk − penalty, 0, 100), and all that it is made of. S_time is 100·δ
by the published least squares, S_risk is 100 less an error: Err_EU in `rationality`, Err_EV in
`rationality_published`.

Its interval comes from resamples of the conditions of both tasks, drawn apart. Whether there is a penalty is decided
once, by the test on all choices; resamples change its size only, for a test repeated on resamples rejects too often."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ostrom.core.estimates import proportion
from ostrom.games.battery.scores.diagnostics import Diagnostics, answer_faults, diagnostics, habits, sequence_faults
from ostrom.games.battery.scores.fits import Fitted, fitted, published_delta
from ostrom.games.battery.scores.magnitude import Magnitude, of_choices, of_points
from ostrom.games.battery.scores.risk import (
    ExpectedUtility,
    RiskErrors,
    RiskPoints,
    risk_choices,
    risk_errors,
    risk_points,
)
from ostrom.games.battery.scores.score import Floats, Score, with_interval, withheld
from ostrom.games.battery.scores.time import (
    Exponential,
    Hyperbolic,
    QuasiHyperbolic,
    TimePoints,
    time_choices,
    time_points,
)
from ostrom.games.battery.tables import answers_table, sequences_table

NOT_ASKED = "it was not asked"


@dataclass(frozen=True, slots=True)
class TimeScores:
    """What the time task shows."""

    reason: str | None
    """Why nothing of it may be scored."""
    delta: Score
    """The published least squares; missing where there is a reason against it."""
    delta_draws: Floats
    magnitude: Magnitude
    fits: tuple[Fitted, ...]
    """Exponential, quasi-hyperbolic and hyperbolic; empty where only indifference points are known."""
    censored: Score
    invalid: Score
    """Shares of the sequences."""
    diagnostics: Diagnostics
    points: TimePoints

    @property
    def best(self) -> Fitted | None:
        """The theory with the least BIC."""
        return min(self.fits, key=lambda one: one.bic, default=None)


@dataclass(frozen=True, slots=True)
class RiskScores:
    """What the risk task shows."""

    reason: str | None
    errors: RiskErrors
    """Of all points; without values where there is a reason against them."""
    interior: RiskErrors
    boundary: RiskErrors
    fit: Fitted | None
    """Expected utility: m is its one parameter."""
    censored: Score
    invalid: Score
    diagnostics: Diagnostics
    points: RiskPoints


@dataclass(frozen=True, slots=True)
class Rationality:
    """The score in both versions, and the two tasks that it comes from."""

    rationality: Score
    rationality_published: Score
    time: TimeScores | None
    risk: RiskScores | None


def rationality(tasks: Mapping[str, Sequence[Mapping[str, Any]]]) -> Rationality:
    """The scores of a subject, from the events of its tasks by their names."""
    time = time_scores(tasks["time"]) if tasks.get("time") else None
    risk = risk_scores(tasks["risk"]) if tasks.get("risk") else None
    if time is None or risk is None or time.reason or risk.reason:
        none = withheld(_told(_reason(time), _reason(risk)))
        return Rationality(none, none, time, risk)
    errors = risk.errors
    return Rationality(
        _combined(time, errors.expected_utility, errors.utility_draws),
        _combined(time, errors.expected_value, errors.value_draws),
        time,
        risk,
    )


def time_scores(events: Sequence[Mapping[str, Any]]) -> TimeScores:
    """The scores of the time task from its events."""
    answers, sequences = answers_table(events, "time"), sequences_table(events, "time")
    found = diagnostics(answers, sequences, "time")
    points = time_points(sequences)
    reason = _against(answers, sequences, found, "time")
    choices = None if reason else time_choices(answers)
    fits = (
        ()
        if choices is None
        else tuple(fitted(one, choices) for one in (Exponential(), QuasiHyperbolic(), Hyperbolic()))
    )
    if reason:
        delta, draws, magnitude = withheld(reason), np.empty(0), _unjudged(reason)
    else:
        delta, draws = published_delta(points)
        magnitude = of_points(points) if choices is None else of_choices(choices)
    return TimeScores(
        reason or delta.reason,
        delta,
        draws,
        magnitude,
        fits,
        _part(sequences, "censored"),
        _part(sequences, "invalid"),
        found,
        points,
    )


def risk_scores(events: Sequence[Mapping[str, Any]]) -> RiskScores:
    """The scores of the risk task from its events."""
    answers, sequences = answers_table(events, "risk"), sequences_table(events, "risk")
    found = diagnostics(answers, sequences, "risk")
    points = risk_points(sequences)
    reason = _against(answers, sequences, found, "risk")
    choices = None if reason else risk_choices(answers)
    if reason:
        whole = interior = boundary = _no_errors(reason)
    else:
        whole = risk_errors(points)
        interior, boundary = (risk_errors(points.only(rows)) for rows in (~points.boundary, points.boundary))
    return RiskScores(
        reason or whole.expected_value.reason,
        whole,
        interior,
        boundary,
        None if choices is None else fitted(ExpectedUtility(), choices),
        _part(sequences, "censored"),
        _part(sequences, "invalid"),
        found,
        points,
    )


def _against(answers: pl.DataFrame, sequences: pl.DataFrame, found: Diagnostics, task: str) -> str | None:
    """Why a task has no score. Where only points are known, as from other projects, there are no answers to judge."""
    reasons = answer_faults(answers, found) + habits(answers, found) if answers.height else []
    # What comes first names the cause; the rest follows from it.
    return next(iter(reasons + sequence_faults(sequences, task)), None)


def _combined(time: TimeScores, error: Score, error_draws: Floats) -> Score:
    penalty = time.magnitude.penalty.value
    if penalty is None:
        return withheld(f"time: no penalty for magnitude can be told: {time.magnitude.penalty.reason}")
    value = _clipped(100 * (time.delta.value or 0.0), 100 - (error.value or 0.0), penalty)
    # Draws of the two tasks are put side by side in different orders: the same draw must not pick both.
    patience, consistency = 100 * time.delta_draws, 100 - np.roll(error_draws, len(error_draws) // 2)
    penalties = np.full(len(patience), penalty)
    if len(time.magnitude.draws) == len(patience):
        penalties = time.magnitude.draws
    return with_interval(float(value), _clipped(patience, consistency, penalties))


def _clipped(patience: Any, consistency: Any, penalty: Any) -> Any:
    return np.clip(0.5 * patience + 0.5 * consistency - penalty, 0, 100)


def _part(sequences: pl.DataFrame, outcome: str) -> Score:
    asked = sequences["outcome"].filter(sequences["purpose"] == "score")
    if not len(asked):
        return withheld("no sequence was asked to its end")
    return proportion(int((asked == outcome).sum()) / len(asked), len(asked))


def _reason(scores: TimeScores | RiskScores | None) -> str | None:
    return NOT_ASKED if scores is None else scores.reason


def _unjudged(reason: str) -> Magnitude:
    return Magnitude(withheld(reason), (), None, None, np.empty(0))


def _no_errors(reason: str) -> RiskErrors:
    return RiskErrors(withheld(reason), withheld(reason), None, np.empty(0), np.empty(0))


def _told(time: str | None, risk: str | None) -> str:
    """The reasons of both tasks in one line."""
    if time == risk:
        return f"time and risk: {time}"
    return "; ".join(f"{task}: {reason}" for task, reason in (("time", time), ("risk", risk)) if reason)
