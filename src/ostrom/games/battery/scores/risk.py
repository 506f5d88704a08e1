"""The risk task: how far the points of indifference in the Marschak–Machina triangle lie from straight parallel lines.

Err_EV is the published error, against the lines of expected value. It punishes consistent risk aversion too. Err_EU is
the error against the parallel lines that fit best, whatever their slope: 0 for every maximiser of expected utility.
Censored points, where the choice did not reverse along the axis, are counted and left out."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ostrom.games.battery.scores.answers import SCORE, Diagnostics, diagnostics, outcome_share, refusal
from ostrom.games.battery.scores.logit import Choices, Fitted, choices_of, fitted
from ostrom.games.battery.scores.score import Flags, Floats, Sampled, Score, drawn_by, once_each, sampled, withheld
from ostrom.games.battery.scores.theories import EXPECTED_UTILITY, LEAST_M, MOST_M
from ostrom.games.battery.tables import Events, answers_table, sequences_table

_GRID = np.linspace(LEAST_M, MOST_M, 999)
_FINER = np.linspace(-1, 1, 21)
_ZOOMS = 3


@dataclass(frozen=True, slots=True)
class RiskPoints:
    """Indifference points, a row each."""

    q: Floats
    """The place on the axis: the weight of 1000 on y, of 0 on x."""
    upward: Flags
    """Whether the axis is y, mixes of 1000 and 500; else x, mixes of 500 and 0."""
    reference: Floats
    """The probabilities of 0, 500 and 1000: (points, 3)."""

    @property
    def boundary(self) -> Flags:
        """Whether a reference has an outcome that cannot happen."""
        return np.asarray(np.any(self.reference < 1e-9, axis=1))

    def only(self, rows: Flags) -> "RiskPoints":
        """Some of the points."""
        return RiskPoints(self.q[rows], self.upward[rows], self.reference[rows])


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
    if against:
        whole = interior = boundary = RiskErrors(Sampled(against), Sampled(against))
    else:
        whole = risk_errors(points)
        interior, boundary = (risk_errors(points.only(rows)) for rows in (~points.boundary, points.boundary))
    return RiskScores(
        against=whole.expected_value.score if whole.expected_value.score.value is None else None,
        errors=whole,
        interior=interior,
        boundary=boundary,
        fit=None if choices is None else fitted(EXPECTED_UTILITY, choices),
        censored=outcome_share(sequences, "censored"),
        invalid=outcome_share(sequences, "invalid"),
        diagnostics=found,
        points=points,
    )


def risk_points(sequences: pl.DataFrame) -> RiskPoints:
    """The points of the sequences asked for the score."""
    asked = sequences.filter((pl.col("purpose") == SCORE) & (pl.col("outcome") == "point"))
    if asked.is_empty():
        return RiskPoints(np.empty(0), np.empty(0, dtype=bool), np.empty((0, 3)))
    reference = np.array(asked["facts"].struct.field("reference").to_list(), dtype=np.float64)
    return RiskPoints(asked["value"].to_numpy(), (asked["axis"] == "y").to_numpy(), reference)


def risk_choices(answers: pl.DataFrame) -> Choices | None:
    """All choices asked for the score, with the lottery on the axis as the option chosen; nothing where none is
    valid."""
    other, reference = (pl.col("facts").struct.field(name).list for name in ("other", "reference"))
    best, middle = (other.get(outcome) - reference.get(outcome) for outcome in (2, 1))
    return choices_of(answers, "other", "step", best=best, middle=middle)


def risk_errors(points: RiskPoints) -> RiskErrors:
    """Both errors, with bootstrap intervals over reference lotteries."""
    if len(points.q) < 2:
        none = Sampled(withheld("fewer than two indifference points"))
        return RiskErrors(none, none)
    rows = drawn_by([tuple(reference) for reference in points.reference.tolist()])
    gap = 100 * np.abs(points.q - _places(points, np.array([0.5]))[:, 0])
    value_draws = rows @ gap / np.sum(rows, axis=1)
    (error,), (m,) = _best(points, np.ones((1, len(points.q))))
    utility_draws = once_each(lambda different: _best(points, different)[0], rows)
    return RiskErrors(sampled(float(np.mean(gap)), value_draws), sampled(float(error), utility_draws), float(m))


def _best(points: RiskPoints, weights: Floats) -> tuple[Floats, Floats]:
    """Err_EU and its m for every row of weights: the least over the whole range on a grid, then finer around it."""
    total = np.sum(weights, axis=1)
    mean = weights @ np.abs(points.q[:, np.newaxis] - _places(points, _GRID)) / total[:, np.newaxis]
    best = _GRID[np.argmin(mean, axis=1)]
    error = np.min(mean, axis=1)
    reach = _GRID[1] - _GRID[0]
    for _ in range(_ZOOMS):
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST_M, MOST_M)
        gap = np.abs(points.q[:, np.newaxis] - _places(points, near.ravel())).reshape(len(points.q), *near.shape)
        mean = np.einsum("bn,nbg->bg", weights, gap) / total[:, np.newaxis]
        best, error = near[np.arange(len(near)), np.argmin(mean, axis=1)], np.min(mean, axis=1)
        reach /= 10
    return 100 * error, best


def _places(points: RiskPoints, m: Floats) -> Floats:
    """Where expected utility is indifferent, for every point and every m: (points, values of m). With m = 0.5 that is
    expected value."""
    utility = points.reference[:, 2:] + m * points.reference[:, 1:2]
    place = np.where(points.upward[:, np.newaxis], (utility - m) / (1 - m), (m - utility) / m)
    return np.asarray(np.clip(place, 0, 1))
