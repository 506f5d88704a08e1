"""The risk task: how far the points of indifference in the Marschak–Machina triangle lie from straight parallel lines.

Err_EV is the published error, against the lines of expected value. It punishes consistent risk aversion too. Err_EU is
the error against the parallel lines that fit best, whatever their slope: 0 for every maximiser of expected utility.
Censored points, where the choice did not reverse along the axis, are counted and left out."""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ostrom.games.battery.scores.answers import SCORE, Diagnostics, diagnostics, outcome_share, refusal
from ostrom.games.battery.scores.logit import (
    LEAST_NOISE,
    MOST_NOISE,
    Choices,
    Fitted,
    Names,
    choices_of,
    fitted,
)
from ostrom.games.battery.scores.replicates import answering, around, chance
from ostrom.games.battery.scores.score import DRAWS, Flags, Floats, Sampled, Score, sampled, withheld
from ostrom.games.battery.scores.theories import EXPECTED_UTILITY, LEAST_M, MOST_M
from ostrom.games.battery.simulation import POINT, Sequences, Steps, bisect_risk
from ostrom.games.battery.tables import Events, answers_table, sequences_table, steps_of

_GRID = np.linspace(LEAST_M, MOST_M, 999)
_NEAR = np.linspace(-0.14, 0.14, 15)
"""Where the m of a task that is played again is sought, around the one that was found."""
_FINER = np.linspace(-1, 1, 11)
_ZOOMS = 2
_STEPS = 4
_FURTHEST = 0.1, 0.5
"""How far one step of Fisher scoring may lead, in m and in the logarithm of the noise."""


@dataclass(frozen=True, slots=True)
class RiskPoints:
    """Indifference points, a row each."""

    q: Floats
    """The place on the axis: the weight of 1000 on y, of 0 on x."""
    upward: Flags
    """Whether the axis is y, mixes of 1000 and 500; else x, mixes of 500 and 0."""
    reference: Floats
    """The probabilities of 0, 500 and 1000: (points, 3)."""
    condition: Names = field(default_factory=lambda: np.empty(0))
    """The names of their conditions, where choices are known."""

    @property
    def boundary(self) -> Flags:
        """Whether a reference has an outcome that cannot happen."""
        return np.asarray(np.any(self.reference < 1e-9, axis=1))

    def only(self, rows: Flags) -> "RiskPoints":
        """Some of the points."""
        names = self.condition[rows] if len(self.condition) else self.condition
        return RiskPoints(self.q[rows], self.upward[rows], self.reference[rows], names)


@dataclass(frozen=True, slots=True)
class RiskErrors:
    """The errors of some points, in percent of an axis."""

    expected_value: Sampled
    expected_utility: Sampled
    m: float | None = None
    """The utility of 500 that expected utility fits best with."""

    def as_record(self) -> dict[str, Any]:
        """The errors as plain data."""
        value, utility = self.expected_value.score, self.expected_utility.score
        return {"err_eu": utility.as_record(), "err_ev": value.as_record(), "m": self.m}


class RiskReplicates(NamedTuple):
    """What comes out when the task is played again."""

    q: Floats
    """The points, (draws, points); without a number where a sequence is censored."""
    upward: Flags
    m: Floats
    """The utility of 500 by maximum likelihood, in each draw."""


@dataclass(frozen=True, slots=True)
class RiskScores:
    """What the risk task shows."""

    against: Score | None
    """Why nothing of it may be scored."""
    errors: RiskErrors
    """Of all points; without values where there is a reason against them."""
    interior: RiskErrors
    boundary: RiskErrors
    fit: Fitted | None
    """Expected utility: m is its one parameter."""
    censored: Score
    invalid: Score
    """Shares of the sequences."""
    diagnostics: Diagnostics
    points: RiskPoints
    again: RiskReplicates | None = None
    """The task played again; missing where choices, or repetitions of them, are not known."""

    @property
    def m_draws(self) -> Floats:
        """How the m of the fit varies, around it, if the same subject answers the same grid anew. How far conditions
        lie off expected utility is no error of it. Where answers were not repeated, nothing but the fit tells."""
        if self.fit is None:
            return np.empty(0)
        if self.again is None:
            return np.asarray(self.fit.draws[:, 0])
        return around(float(self.fit.place[0]), self.again.m)

    def as_record(self) -> dict[str, Any]:
        """What is not a score of its own, as plain data."""
        strata = {"all": self.errors, "interior": self.interior, "boundary": self.boundary}
        return {
            "censored": self.censored.as_record(),
            "invalid_sequences": self.invalid.as_record(),
            "errors": {name: one.as_record() for name, one in strata.items()},
            "fits": [] if self.fit is None else [self.fit.as_record()],
            **self.diagnostics.as_record(),
        }


def risk_scores(events: Events, unread: Score | None = None) -> RiskScores:
    """The scores of the risk task from its events; `unread` is why there are none of a subject that does not read what
    it is asked."""
    answers, sequences = answers_table(events, "risk"), sequences_table(events, "risk")
    found = diagnostics(answers, sequences, "risk")
    points = risk_points(sequences)
    against = refusal(answers, sequences, found, "risk") or unread
    choices = None if against else risk_choices(answers)
    fit = None if choices is None else fitted(EXPECTED_UTILITY, choices)
    again = None
    if against:
        whole = interior = boundary = RiskErrors(Sampled(against), Sampled(against))
    else:
        steps = steps_of(answers)
        if fit is not None and choices is not None and steps.askings > 1:
            again = risk_replicates(points, choices, fit, steps)
        whole = risk_errors(points, again)
        # Draws are of all points; parts of them are shown without an interval.
        interior, boundary = (risk_errors(points.only(rows)) for rows in (~points.boundary, points.boundary))
    return RiskScores(
        against=whole.expected_value.score if whole.expected_value.score.value is None else None,
        errors=whole,
        interior=interior,
        boundary=boundary,
        fit=fit,
        censored=outcome_share(sequences, "censored"),
        invalid=outcome_share(sequences, "invalid"),
        diagnostics=found,
        points=points,
        again=again,
    )


def risk_points(sequences: pl.DataFrame) -> RiskPoints:
    """The points of the sequences asked for the score."""
    asked = sequences.filter((pl.col("purpose") == SCORE) & (pl.col("outcome") == "point"))
    if asked.is_empty():
        return RiskPoints(np.empty(0), np.empty(0, dtype=bool), np.empty((0, 3)))
    reference = np.array(asked["facts"].struct.field("reference").to_list(), dtype=np.float64)
    names = np.array(asked["condition"].to_list())
    return RiskPoints(asked["value"].to_numpy(), (asked["axis"] == "y").to_numpy(), reference, names)


def risk_choices(answers: pl.DataFrame) -> Choices | None:
    """All choices asked for the score, with the lottery on the axis as the option chosen; nothing where none is
    valid."""
    other, reference = (pl.col("facts").struct.field(name).list for name in ("other", "reference"))
    best, middle = (other.get(outcome) - reference.get(outcome) for outcome in (2, 1))
    return choices_of(answers, "other", "step", best=best, middle=middle)


def risk_replicates(points: RiskPoints, choices: Choices, fit: Fitted, steps: Steps) -> RiskReplicates:
    """The task played again by a subject that answers as the fit has it."""
    if choices.unanimous:
        none = np.empty((0, len(points.q)))
        return RiskReplicates(none, none > 0, np.empty(0))
    shifts, noise = answering(fit, choices)
    m = float(fit.place[0])
    reference = points.reference[:, 2] + m * points.reference[:, 1]
    reference = reference + shifts[np.searchsorted(choices.names, points.condition)]

    def mixed(upward: Flags, q: Floats) -> Floats:
        return np.where(upward, m + q * (1 - m), m * (1 - q))

    played = bisect_risk(reference, mixed, noise, DRAWS, chance(), steps)
    q = np.where(played.outcome == POINT, played.value, np.nan)
    return RiskReplicates(q, played.upward, _fitted_again(played, points.reference, m, max(fit.noise, LEAST_NOISE)))


def _fitted_again(played: Sequences, reference: Floats, m: float, noise: float) -> Floats:
    """m by maximum likelihood in each of the tasks played again: Fisher scoring from where the one that was seen has
    it, m and the logarithm of the noise together. A few steps do, for they lie close."""
    from scipy.special import expit

    draws = len(played.asked)
    middle = (1 - played.asked - reference[:, 1, np.newaxis]).reshape(draws, -1)
    axis = np.where(played.upward[..., np.newaxis], played.asked, 0.0)
    best = (axis - reference[:, 2, np.newaxis]).reshape(draws, -1)
    chosen, answers = (counts.reshape(draws, -1) for counts in (played.chosen, played.answers))
    place, level = np.full(draws, m), np.full(draws, np.log(noise))
    for _ in range(_STEPS):
        slope, index = (one / np.exp(level)[:, np.newaxis] for one in (middle, best + place[:, np.newaxis] * middle))
        part = expit(index)
        missed, weight = chosen - answers * part, answers * part * (1 - part)
        up, down = (np.einsum("ab,ab->a", missed, one) for one in (slope, -index))
        own, both, other = (
            np.einsum("ab,ab,ab->a", weight, *pair) for pair in ((slope, slope), (slope, -index), (index, index))
        )
        # Two unknowns, so the step is written out.
        whole = np.maximum(own * other - both**2, np.finfo(np.float64).tiny)
        ahead, wider = (other * up - both * down) / whole, (own * down - both * up) / whole
        place = np.clip(place + np.clip(ahead, -_FURTHEST[0], _FURTHEST[0]), LEAST_M, MOST_M)
        level = np.clip(level + np.clip(wider, -_FURTHEST[1], _FURTHEST[1]), np.log(LEAST_NOISE), np.log(MOST_NOISE))
    return np.asarray(place)


def risk_errors(points: RiskPoints, again: RiskReplicates | None = None) -> RiskErrors:
    """Both errors, with intervals where the task was played again."""
    if len(points.q) < 2:
        none = Sampled(withheld("fewer than two indifference points"))
        return RiskErrors(none, none)
    q, upward = points.q[np.newaxis], points.upward[np.newaxis]
    (value,) = _error(q, upward, points.reference, np.array([0.5]))
    (error,), (m,) = _best(q, upward, points.reference, _GRID)
    if again is None:
        value_draws = utility_draws = np.empty(0)
    else:
        value_draws = around(value, _error(again.q, again.upward, points.reference, np.full(len(again.q), 0.5)))
        near = np.clip(m + _NEAR, LEAST_M, MOST_M)
        utility_draws = around(error, _best(again.q, again.upward, points.reference, near)[0])
    return RiskErrors(
        sampled(float(value), np.maximum(value_draws, 0), _spread(points, 0.5)),
        sampled(float(error), np.maximum(utility_draws, 0), _spread(points, float(m))),
        float(m),
    )


def _spread(points: RiskPoints, m: float) -> float:
    return float(np.std(100 * _gaps(points.q[np.newaxis], points.upward[np.newaxis], points.reference, np.array([m]))))


def _error(q: Floats, upward: Flags, reference: Floats, m: Floats) -> Floats:
    """The mean distance in percent of each row of points from expected utility with that row's m."""
    return 100 * np.nanmean(_gaps(q, upward, reference, m), axis=1) if len(q) else np.empty(0)


def _best(q: Floats, upward: Flags, reference: Floats, grid: Floats) -> tuple[Floats, Floats]:
    """Err_EU and its m for every row of points: the least on a grid, then finer around it."""
    near, reach = np.broadcast_to(grid, (len(q), len(grid))), grid[1] - grid[0]
    rows = np.arange(len(q))
    for _ in range(1 + _ZOOMS):
        count = near.shape[1]
        each, axes = np.repeat(q, count, axis=0), np.repeat(upward, count, axis=0)
        mean = _error(each, axes, reference, near.ravel()).reshape(near.shape)
        least = np.argmin(mean, axis=1)
        best, error = near[rows, least], mean[rows, least]
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST_M, MOST_M)
        reach /= 5
    return error, best


def _gaps(q: Floats, upward: Flags, reference: Floats, m: Floats) -> Floats:
    """How far points lie from where expected utility is indifferent: (samples, points)."""
    place = m[:, np.newaxis]
    utility = reference[:, 2] + place * reference[:, 1]
    found = np.where(upward, (utility - place) / (1 - place), (place - utility) / place)
    return np.asarray(np.abs(q - np.clip(found, 0, 1)))
