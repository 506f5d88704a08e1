"""The risk task: the distance of indifference points in the Marschak–Machina triangle from straight parallel lines.

Err_EV is the published error, against the lines of expected value; it also penalises consistent risk aversion. Err_EU
is the error against the best parallel lines of any slope: 0 for every maximiser of expected utility. Censored points,
where the choice did not reverse along the axis, are counted and excluded."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ostrom.games.battery.adaptive import SequenceSteps
from ostrom.games.battery.scores.answers import SCORE, Diagnostics, diagnostics, outcome_share, refusal
from ostrom.games.battery.scores.logit import (
    MAX_NOISE,
    MIN_NOISE,
    ChoiceCounts,
    Names,
    TheoryFit,
    choices_of,
    fit_theory,
)
from ostrom.games.battery.scores.replicates import (
    POINT,
    Sequences,
    bisect_risk,
    center_draws,
    fit_answering,
    fixed_generator,
)
from ostrom.games.battery.scores.score import DRAWS, Flags, Floats, SampledScore, Score, no_score, with_draws
from ostrom.games.battery.scores.theories import EXPECTED_UTILITY, LEAST_M, MOST_M
from ostrom.games.battery.tables import Events, answers_table, sequences_table, steps_of

_GRID = np.linspace(LEAST_M, MOST_M, 999)
_NEAR = np.linspace(-0.14, 0.14, 15)
"""The values of m that are tried for a simulated task, relative to the observed m."""
_FINER = np.linspace(-1, 1, 11)
_ZOOMS = 2
_STEPS = 4
MAX_STEP = 0.1, 0.5
"""The largest step of Fisher scoring in m and in the logarithm of the noise."""


@dataclass(frozen=True, slots=True)
class RiskPoints:
    """Indifference points, one per row."""

    q: Floats
    """The position on the axis. It is the probability of 1000 on axis y, and the probability of 0 on axis x."""
    upward: Flags
    """True if the axis is y, which has mixtures of 1000 and 500. Axis x has mixtures of 500 and 0."""
    reference: Floats
    """The probabilities of 0, 500 and 1000: (points, 3)."""
    condition: Names = field(default_factory=lambda: np.empty(0))
    """The names of the points' conditions, if choices are known."""

    @property
    def boundary(self) -> Flags:
        """True if an outcome of the reference is impossible."""
        return np.asarray(np.any(self.reference < 1e-9, axis=1))

    def only(self, rows: Flags) -> "RiskPoints":
        """Return the selected points."""
        names = self.condition[rows] if len(self.condition) else self.condition
        return RiskPoints(self.q[rows], self.upward[rows], self.reference[rows], names)


@dataclass(frozen=True, slots=True)
class RiskErrors:
    """The errors of a set of points, in percent of an axis."""

    expected_value: SampledScore
    expected_utility: SampledScore
    m: float | None = None
    """The utility of 500, if that of 1000 is 1, with which expected utility fits best."""

    def as_record(self) -> dict[str, Any]:
        """Return the errors as plain data."""
        value, utility = self.expected_value.score, self.expected_utility.score
        return {"err_eu": utility.as_record(), "err_ev": value.as_record(), "m": self.m}


class RiskReplicates(NamedTuple):
    """The results of simulated repetitions of the task."""

    q: Floats
    """The points, (draws, points). They are NaN if a sequence is censored."""
    upward: Flags
    m: Floats
    """The utility of 500 by maximum likelihood, in each draw."""


@dataclass(frozen=True, slots=True)
class RiskScores:
    """The scores of the risk task."""

    fault: Score | None
    """The reason why the task is not scored, or None."""
    errors: RiskErrors
    """The errors over all points. They have no values if there is a fault."""
    interior: RiskErrors
    boundary: RiskErrors
    fit: TheoryFit | None
    """The fit of expected utility, whose only parameter is m."""
    censored: Score
    """The share of censored sequences."""
    invalid: Score
    """The share of invalid sequences."""
    diagnostics: Diagnostics
    points: RiskPoints
    replicates: RiskReplicates | None = None
    """Simulated repetitions of the task. They are missing if there are no choices or no repeated answers."""

    @property
    def m_draws(self) -> Floats:
        """Draws of the m that would be fitted if the same subject answered the same grid again. Deviations of
        conditions from expected utility stay the same and do not count as sampling error. Without repeated answers the
        draws are those of the fit."""
        if self.fit is None:
            return np.empty(0)
        if self.replicates is None:
            return np.asarray(self.fit.draws[:, 0])
        return center_draws(float(self.fit.place[0]), self.replicates.m)

    def as_record(self) -> dict[str, Any]:
        """Return, as plain data, all results that are not scores of their own."""
        strata = {"all": self.errors, "interior": self.interior, "boundary": self.boundary}
        return {
            "censored": self.censored.as_record(),
            "invalid_sequences": self.invalid.as_record(),
            "errors": {name: errors.as_record() for name, errors in strata.items()},
            "fits": [] if self.fit is None else [self.fit.as_record()],
            **self.diagnostics.as_record(),
        }


def risk_scores(events: Events, subject_fault: Score | None = None) -> RiskScores:
    """Return the scores of the risk task from its events. `subject_fault` is set if the subject does not read its
    questions, and is then the reason why the task is not scored."""
    answers, sequences = answers_table(events, "risk"), sequences_table(events, "risk")
    task_diagnostics = diagnostics(answers, sequences, "risk")
    points = risk_points(sequences)
    fault = refusal(answers, sequences, task_diagnostics, "risk") or subject_fault
    choices = None if fault else risk_choices(answers)
    fit = None if choices is None else fit_theory(EXPECTED_UTILITY, choices)
    replicates = None
    if fault:
        overall = interior = boundary = RiskErrors(SampledScore(fault), SampledScore(fault))
    else:
        steps = steps_of(answers)
        if fit is not None and choices is not None and steps.askings > 1:
            replicates = risk_replicates(points, choices, fit, steps)
        overall = risk_errors(points, replicates)
        # Draws exist only for all points together, so the errors of subsets of points have no interval.
        interior, boundary = (risk_errors(points.only(rows)) for rows in (~points.boundary, points.boundary))
    return RiskScores(
        fault=overall.expected_value.score if overall.expected_value.score.value is None else None,
        errors=overall,
        interior=interior,
        boundary=boundary,
        fit=fit,
        censored=outcome_share(sequences, "censored"),
        invalid=outcome_share(sequences, "invalid"),
        diagnostics=task_diagnostics,
        points=points,
        replicates=replicates,
    )


def risk_points(sequences: pl.DataFrame) -> RiskPoints:
    """Return the points of the scored sequences."""
    scored = sequences.filter((pl.col("purpose") == SCORE) & (pl.col("outcome") == "point"))
    if scored.is_empty():
        return RiskPoints(np.empty(0), np.empty(0, dtype=bool), np.empty((0, 3)))
    reference = np.array(scored["facts"].struct.field("reference").to_list(), dtype=np.float64)
    names = np.array(scored["condition"].to_list())
    return RiskPoints(scored["value"].to_numpy(), (scored["axis"] == "y").to_numpy(), reference, names)


def risk_choices(answers: pl.DataFrame) -> ChoiceCounts | None:
    """Return all valid choices asked for the score, or None if there are none. `chosen` counts choices of the lottery
    on the axis."""
    other, reference = (pl.col("facts").struct.field(name).list for name in ("other", "reference"))
    best, middle = (other.get(outcome) - reference.get(outcome) for outcome in (2, 1))
    return choices_of(answers, "other", "step", best=best, middle=middle)


def risk_replicates(points: RiskPoints, choices: ChoiceCounts, fit: TheoryFit, steps: SequenceSteps) -> RiskReplicates:
    """Return simulated repetitions of the task. The simulated subject answers according to the fit."""
    if choices.unanimous:
        none = np.empty((0, len(points.q)))
        return RiskReplicates(none, none > 0, np.empty(0))
    answering, which = fit_answering(fit, choices), np.searchsorted(choices.names, points.condition)
    m = float(fit.place[0])
    reference = points.reference[:, 2] + m * points.reference[:, 1]
    reference = reference + answering.shifts[which]

    def mixed(upward: Flags, q: Floats) -> Floats:
        return np.where(upward, m + q * (1 - m), m * (1 - q))

    played = bisect_risk(reference, mixed, answering.noise[which], DRAWS, fixed_generator(), steps)
    q = np.where(played.outcome == POINT, played.value, np.nan)
    return RiskReplicates(q, played.upward, _refit(played, points.reference, m, max(fit.noise, MIN_NOISE)))


def _refit(played: Sequences, reference: Floats, m: float, noise: float) -> Floats:
    """Return the m fitted by maximum likelihood in each simulated task. Fisher scoring of m and the logarithm of the
    noise starts from the observed values. A few steps suffice, since the results lie close to these values."""
    from scipy.special import expit

    draws = len(played.asked)
    middle = (1 - played.asked - reference[:, 1, np.newaxis]).reshape(draws, -1)
    axis = np.where(played.upward[..., np.newaxis], played.asked, 0.0)
    best = (axis - reference[:, 2, np.newaxis]).reshape(draws, -1)
    chosen, answers = (counts.reshape(draws, -1) for counts in (played.chosen, played.answers))
    place, level = np.full(draws, m), np.full(draws, np.log(noise))
    for _ in range(_STEPS):
        slope, index = (term / np.exp(level)[:, np.newaxis] for term in (middle, best + place[:, np.newaxis] * middle))
        part = expit(index)
        missed, weight = chosen - answers * part, answers * part * (1 - part)
        up, down = (np.einsum("ab,ab->a", missed, term) for term in (slope, -index))
        own, both, other = (
            np.einsum("ab,ab,ab->a", weight, *pair) for pair in ((slope, slope), (slope, -index), (index, index))
        )
        # The 2×2 system is solved explicitly.
        determinant = np.maximum(own * other - both**2, np.finfo(np.float64).tiny)
        ahead, wider = (other * up - both * down) / determinant, (own * down - both * up) / determinant
        place = np.clip(place + np.clip(ahead, -MAX_STEP[0], MAX_STEP[0]), LEAST_M, MOST_M)
        level = np.clip(level + np.clip(wider, -MAX_STEP[1], MAX_STEP[1]), np.log(MIN_NOISE), np.log(MAX_NOISE))
    return np.asarray(place)


def risk_errors(points: RiskPoints, replicates: RiskReplicates | None = None) -> RiskErrors:
    """Return both errors, with intervals if simulations are given."""
    if len(points.q) < 2:
        none = SampledScore(no_score("fewer than two indifference points"))
        return RiskErrors(none, none)
    q, upward = points.q[np.newaxis], points.upward[np.newaxis]
    (value,) = _error(q, upward, points.reference, np.array([0.5]))
    (error,), (m,) = _best(q, upward, points.reference, _GRID)
    if replicates is None:
        value_draws = utility_draws = np.empty(0)
    else:
        value_draws = center_draws(
            value, _error(replicates.q, replicates.upward, points.reference, np.full(len(replicates.q), 0.5))
        )
        near = np.clip(m + _NEAR, LEAST_M, MOST_M)
        utility_draws = center_draws(error, _best(replicates.q, replicates.upward, points.reference, near)[0])
    return RiskErrors(
        with_draws(float(value), np.maximum(value_draws, 0), _spread(points, 0.5)),
        with_draws(float(error), np.maximum(utility_draws, 0), _spread(points, float(m))),
        float(m),
    )


def _spread(points: RiskPoints, m: float) -> float:
    return float(
        np.std(100 * _distances(points.q[np.newaxis], points.upward[np.newaxis], points.reference, np.array([m])))
    )


def _error(q: Floats, upward: Flags, reference: Floats, m: Floats) -> Floats:
    """Return, for each row of points, their mean distance in percent from the points that expected utility with that
    row's m predicts."""
    return 100 * np.nanmean(_distances(q, upward, reference, m), axis=1) if len(q) else np.empty(0)


def _best(q: Floats, upward: Flags, reference: Floats, grid: Floats) -> tuple[Floats, Floats]:
    """Return Err_EU and its m for every row of points. The m with the least error is searched on a grid, and then
    refined."""
    near, reach = np.broadcast_to(grid, (len(q), len(grid))), grid[1] - grid[0]
    rows = np.arange(len(q))
    for _ in range(1 + _ZOOMS):
        count = near.shape[1]
        points, axes = np.repeat(q, count, axis=0), np.repeat(upward, count, axis=0)
        mean = _error(points, axes, reference, near.ravel()).reshape(near.shape)
        least = np.argmin(mean, axis=1)
        best, error = near[rows, least], mean[rows, least]
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST_M, MOST_M)
        reach /= 5
    return error, best


def _distances(q: Floats, upward: Flags, reference: Floats, m: Floats) -> Floats:
    """(samples, points) Return the distance of points from those at which a maximiser of expected utility is
    indifferent."""
    place = m[:, np.newaxis]
    utility = reference[:, 2] + place * reference[:, 1]
    indifferent = np.where(upward, (utility - place) / (1 - place), (place - utility) / place)
    return np.asarray(np.abs(q - np.clip(indifferent, 0, 1)))
