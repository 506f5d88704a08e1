"""The time task: every binary choice and every indifference point as arrays, the theories of discounting fitted to
them, the published discount factor, and the penalty for the magnitude effect.

Does the discount factor depend on what is at stake? The penalty is 0 to 5 points, 5·min(1, Δ / 0.10) with Δ the
greatest less the least δ of an amount, if a likelihood-ratio test rejects equal δ at 5 %. The test compares a common δ
with one an amount, at a common noise. Its statistic is divided by a scale for answers within a condition that are alike
(Rao, Scott 1984; Satorra, Bentler 2001), never by less than 1: a model that answers the same question three times alike
has not said three things. Where choices are explained without error by a common δ, the statistic is 0. Where only
indifference points are known, the same test is made with normal errors of the points."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from ostrom.games.battery.scores.answers import SCORE, Diagnostics, diagnostics, outcome_share, refusal
from ostrom.games.battery.scores.logit import Choices, Fitted, choices_of, cluster_scores, explained, fit, fitted
from ostrom.games.battery.scores.score import Flags, Floats, Sampled, Score, drawn_by, once_each, sampled, withheld
from ostrom.games.battery.scores.theories import DISCOUNTING, EXPONENTIAL, LEAST_DELTA, Theory, exponential_by_amount
from ostrom.games.battery.tables import Events, answers_table, sequences_table
from ostrom.games.battery.theories import YEAR

MOST_PENALTY = 5.0
FULL_DIFFERENCE = 0.10
LEVEL = 0.05
_GRID = np.linspace(LEAST_DELTA, 1.0, 991)
_ZOOMS = 4
_FINER = np.linspace(-1, 1, 21)


@dataclass(frozen=True, slots=True)
class TimePoints:
    """Indifference points, a row each."""

    ratio: Floats
    """Sooner amount in parts of the later one. Of a subject that waits even for no gain it is 1, the bound."""
    years: Floats
    """Between the two payments."""
    front: Floats
    """Years to the sooner one."""
    amount: Floats
    """The later amount."""

    def only(self, rows: Flags) -> "TimePoints":
        """Some of the points."""
        return TimePoints(self.ratio[rows], self.years[rows], self.front[rows], self.amount[rows])


@dataclass(frozen=True, slots=True)
class Magnitude:
    """What the amounts at stake change."""

    penalty: Score
    deltas: tuple[Score, ...] = ()
    """δ of each amount, from the least amount to the greatest."""
    statistic: float | None = None
    """The scaled likelihood ratio."""
    p_value: float | None = None
    draws: Floats = field(default_factory=lambda: np.empty(0))
    """The penalty again from each resample, the verdict of the test being kept."""


@dataclass(frozen=True, slots=True)
class TimeScores:
    """What the time task shows."""

    against: Score | None
    """Why nothing of it may be scored."""
    delta: Sampled
    """The published least squares; missing where there is a reason against it."""
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

    def as_record(self) -> dict[str, Any]:
        """What is not a score of its own, as plain data."""
        return {
            "censored": self.censored.as_record(),
            "invalid_sequences": self.invalid.as_record(),
            "delta_by_amount": [score.as_record() for score in self.magnitude.deltas],
            "likelihood_ratio": self.magnitude.statistic,
            "p_value": self.magnitude.p_value,
            "fits": [fit.as_record() for fit in self.fits],
            **self.diagnostics.as_record(),
        }


def time_scores(events: Events, unread: Score | None = None) -> TimeScores:
    """The scores of the time task from its events; `unread` is why there are none of a subject that does not read what
    it is asked."""
    answers, sequences = answers_table(events, "time"), sequences_table(events, "time")
    found = diagnostics(answers, sequences, "time")
    points = time_points(sequences)
    against = refusal(answers, sequences, found, "time") or unread
    choices = None if against else time_choices(answers)
    if against:
        delta, magnitude = Sampled(against), Magnitude(against)
    else:
        delta = published_delta(points)
        magnitude = of_points(points) if choices is None else of_choices(choices)
    return TimeScores(
        against=delta.score if delta.score.value is None else None,
        delta=delta,
        magnitude=magnitude,
        fits=() if choices is None else tuple(fitted(theory, choices) for theory in DISCOUNTING),
        censored=outcome_share(sequences, "censored"),
        invalid=outcome_share(sequences, "invalid"),
        diagnostics=found,
        points=points,
    )


def time_points(sequences: pl.DataFrame) -> TimePoints:
    """The points of the sequences asked for the score; censored ones at their bound, invalid ones not at all."""
    asked = sequences.filter((pl.col("purpose") == SCORE) & (pl.col("outcome") != "invalid"))
    if asked.is_empty():
        none = np.empty(0)
        return TimePoints(none, none, none, none)
    facts = pl.col("facts").struct
    columns = asked.select(
        ratio=pl.col("value"),
        years=facts.field("days") / YEAR,
        # Months are as long as the task's own, which its facts give for the delay.
        front=pl.when(facts.field("front_months") == 0)
        .then(0.0)
        .otherwise(facts.field("front_months") * facts.field("days") / facts.field("delay_months") / YEAR),
        amount=facts.field("later"),
    ).cast(pl.Float64)
    return TimePoints(**{name: columns[name].to_numpy() for name in columns.columns})


def time_choices(answers: pl.DataFrame) -> Choices | None:
    """All choices asked for the score, with 'sooner' as the option chosen; nothing where none is valid."""
    facts = pl.col("facts").struct
    return choices_of(
        answers,
        "sooner",
        ratio=facts.field("sooner") / facts.field("later"),
        soon=facts.field("sooner_days") / YEAR,
        late=facts.field("later_days") / YEAR,
        stake=facts.field("later").rank("dense").cast(pl.Float64) - 1,
    )


def published_delta(points: TimePoints) -> Sampled:
    """The published estimator of the annual discount factor: least squares of δ^years on indifference ratios at
    front-end delay 0, over all amounts, δ between 0.01 and 1."""
    now = points.only(points.front == 0)
    if len(now.ratio) < 2:
        return Sampled(withheld("fewer than two indifference points at front-end delay 0"))
    value = float(least_squares(now.ratio, now.years)[0])
    conditions = list(zip(now.years.tolist(), now.amount.tolist(), strict=True))
    draws = once_each(lambda rows: least_squares(now.ratio, now.years, rows), drawn_by(conditions))
    return sampled(value, draws)


def least_squares(ratio: Floats, years: Floats, weights: Floats | None = None) -> Floats:
    """δ for every row of weights (samples, points), or one for all points alike. The whole range is searched on a grid
    first, for the sum of squares can have two minima; then the best place is refined to the seventh decimal."""
    rows = np.ones((1, len(ratio))) if weights is None else weights
    best = _GRID[np.argmin(rows @ (_GRID ** years[:, np.newaxis] - ratio[:, np.newaxis]) ** 2, axis=1)]
    reach = _GRID[1] - _GRID[0]
    for _ in range(_ZOOMS):
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST_DELTA, 1.0)
        gaps = near[:, np.newaxis, :] ** years[:, np.newaxis] - ratio[:, np.newaxis]
        best = near[np.arange(len(near)), np.argmin(np.einsum("bn,bng->bg", rows, gaps**2), axis=1)]
        reach /= 10
    return np.asarray(best)


def of_choices(choices: Choices) -> Magnitude:
    """The penalty, from all choices."""
    amounts = int(np.max(choices.features[3])) + 1
    if amounts < 2:
        return Magnitude(withheld("one amount alone shows no magnitude effect"))
    from scipy.special import chdtrc

    apart = fitted(exponential_by_amount(amounts), choices)
    ratio = likelihood_ratio(choices, apart.likelihood)
    return _judged(ratio, float(chdtrc(amounts - 1, ratio)), apart.parameters, apart.draws)


def likelihood_ratio(choices: Choices, best: float | None = None) -> float:
    """The scaled statistic of the test that all amounts have the same δ. `best` is the log-likelihood with a δ for each
    amount, where it is known already."""
    if explained(EXPONENTIAL, choices) is not None:
        return 0.0
    common, apart = fit(EXPONENTIAL, choices), exponential_by_amount(int(np.max(choices.features[3])) + 1)
    if best is None:
        best = 0.0 if explained(apart, choices) is not None else float(fit(apart, choices).likelihood[0])
    ratio = max(0.0, 2 * (best - float(common.likelihood[0])))
    return ratio / _scale(apart, choices, float(common.parameters[0, 0]), float(common.noise[0]))


def of_points(points: TimePoints) -> Magnitude:
    """The penalty where only indifference points are known: those at front-end delay 0, with normal errors."""
    from scipy.special import fdtrc

    now = points.only((points.front == 0) & (points.years > 0))
    amounts = np.unique(now.amount)
    if len(amounts) < 2 or len(now.ratio) <= len(amounts):
        return Magnitude(withheld("too few points to compare amounts"))
    groups = [now.only(now.amount == amount) for amount in amounts]
    deltas = np.array([least_squares(one.ratio, one.years)[0] for one in groups])
    apart = sum(float(np.sum((delta**one.years - one.ratio) ** 2)) for delta, one in zip(deltas, groups, strict=True))
    common = float(np.sum((least_squares(now.ratio, now.years)[0] ** now.years - now.ratio) ** 2))
    # Errors below the resolution of ten bisections are no evidence of anything.
    floor = len(now.ratio) * 2.0**-22
    excess = max(common, floor) / max(apart, floor)
    more, free = len(amounts) - 1, len(now.ratio) - len(amounts)
    # The same ratio by its F distribution: with two dozen points chi-square would reject too often.
    p_value = float(fdtrc(more, free, (excess - 1) * free / more))
    ratio = len(now.ratio) * float(np.log(excess))
    return _judged(ratio, p_value, tuple(Score(float(delta)) for delta in deltas), deltas[np.newaxis])


def _judged(ratio: float, p_value: float, deltas: tuple[Score, ...], draws: Floats) -> Magnitude:
    if p_value >= LEVEL:
        return Magnitude(Score(0.0, 0.0, 0.0), deltas, ratio, p_value, np.zeros(len(draws)))
    values = np.array([[score.value or 0.0 for score in deltas]])
    penalties = _penalty(draws)
    return Magnitude(sampled(float(_penalty(values)[0]), penalties).score, deltas, ratio, p_value, penalties)


def _penalty(deltas: Floats) -> Floats:
    return np.asarray(MOST_PENALTY * np.minimum(1.0, np.ptp(deltas, axis=1) / FULL_DIFFERENCE))


def _scale(theory: Theory, choices: Choices, rate: float, noise: float) -> float:
    """By how much the likelihood ratio is too large on average under a common δ: the mean of the eigenvalues that its
    distribution is a sum of, from the scores of whole conditions."""
    amounts = len(theory.bounds)
    scores, information = cluster_scores(theory, choices, np.full(amounts, rate), noise)
    inverse = np.linalg.pinv(information)
    contrasts = np.column_stack([-np.ones((amounts - 1, 1)), np.eye(amounts - 1), np.zeros((amounts - 1, 1))])
    middle = scores.T @ scores * choices.clusters / max(1, choices.clusters - 1)
    expected = contrasts @ inverse @ contrasts.T
    shown = contrasts @ inverse @ middle @ inverse @ contrasts.T
    return max(1.0, float(np.trace(np.linalg.pinv(expected) @ shown)) / (amounts - 1))
