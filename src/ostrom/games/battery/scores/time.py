"""The time task: every binary choice and every indifference point as arrays, the theories of discounting fitted to
them, the published discount factor, and the penalty for the magnitude effect.

Does the discount factor depend on what is at stake? The penalty is 0 to 5 points, 5·min(1, Δ / 0.10) with Δ the
greatest less the least δ of an amount, if a likelihood-ratio test rejects equal δ at 5 %. The test compares a common δ
with one an amount, at a common noise. Its statistic is divided by a scale for answers within a condition that are alike
(Rao, Scott 1984; Satorra, Bentler 2001), never by less than 1: a model that answers the same question three times alike
has not said three things. Where choices are explained without error by a common δ, the statistic is 0. Where only
indifference points are known, the same test is made with normal errors of the points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ostrom.games.battery.scores.answers import SCORE, Diagnostics, diagnostics, outcome_share, refusal
from ostrom.games.battery.scores.logit import (
    Choices,
    Fitted,
    Names,
    choices_of,
    cluster_scores,
    explained,
    fit,
    fitted,
)
from ostrom.games.battery.scores.replicates import answering, around, chance
from ostrom.games.battery.scores.score import DRAWS, Flags, Floats, Sampled, Score, sampled, withheld
from ostrom.games.battery.scores.theories import DISCOUNTING, EXPONENTIAL, LEAST_DELTA, Theory, exponential_by_amount
from ostrom.games.battery.simulation import Steps, bisect_time
from ostrom.games.battery.tables import Events, answers_table, sequences_table, steps_of
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
    condition: Names = field(default_factory=lambda: np.empty(0))
    """The names of their conditions, where choices are known."""

    def only(self, rows: Flags) -> "TimePoints":
        """Some of the points."""
        names = self.condition[rows] if len(self.condition) else self.condition
        return TimePoints(self.ratio[rows], self.years[rows], self.front[rows], self.amount[rows], names)


class TimeReplicates(NamedTuple):
    """The points at front-end delay 0 when the task is played again: (draws, points), without a number where a sequence
    is invalid."""

    ratio: Floats
    now: TimePoints
    """Those that were found."""

    def again(self, rows: Flags, power: float | Floats = 1.0) -> Floats:
        """δ of some of the points in every draw, the ratios raised to a power."""
        ratio = self.ratio[:, rows]
        valid = np.isfinite(ratio)
        powers = np.broadcast_to(np.asarray(power, dtype=np.float64), len(ratio))[:, np.newaxis]
        raised: Floats = np.where(valid, ratio, 1.0) ** powers
        return least_squares(raised, self.now.years[rows], valid.astype(np.float64), zooms=1)


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
    penalty: Sampled
    """The published penalty for magnitude."""
    fits: tuple[Fitted, ...]
    """Exponential, quasi-hyperbolic and hyperbolic; empty where only indifference points are known."""
    again: TimeReplicates | None
    """The task played again; missing where choices, or repetitions of them, are not known."""
    censored: Score
    invalid: Score
    """Shares of the sequences."""
    diagnostics: Diagnostics
    points: TimePoints

    @property
    def best(self) -> Fitted | None:
        """The theory with the least BIC."""
        return least_bic(self.fits)

    @property
    def evidence(self) -> dict[str, float]:
        """How many times as much evidence there is for the best theory as for each: exp(Δ BIC / 2), an approximation
        of the Bayes factor (Kass and Raftery 1995)."""
        best = self.best
        return {} if best is None else {one.model: math.exp(min(700.0, (one.bic - best.bic) / 2)) for one in self.fits}

    def as_record(self) -> dict[str, Any]:
        """What is not a score of its own, as plain data."""
        return {
            "censored": self.censored.as_record(),
            "invalid_sequences": self.invalid.as_record(),
            "delta_by_amount": [score.as_record() for score in self.magnitude.deltas],
            "likelihood_ratio": self.magnitude.statistic,
            "p_value": self.magnitude.p_value,
            "fits": [fit.as_record() | {"evidence_ratio": self.evidence[fit.model]} for fit in self.fits],
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
    fits = () if choices is None else tuple(fitted(theory, choices) for theory in DISCOUNTING)
    again = None
    if against:
        delta = penalty = Sampled(against)
        magnitude = Magnitude(against)
    else:
        best, steps = least_bic(fits), steps_of(answers)
        if best is not None and choices is not None and steps.askings > 1:
            again = time_replicates(points, choices, best, steps)
        delta, penalty = published_delta(points, again), published_penalty(points, again)
        magnitude = of_points(points) if choices is None else of_choices(choices)
    return TimeScores(
        against=delta.score if delta.score.value is None else None,
        delta=delta,
        magnitude=magnitude,
        penalty=penalty,
        fits=fits,
        again=again,
        censored=outcome_share(sequences, "censored"),
        invalid=outcome_share(sequences, "invalid"),
        diagnostics=found,
        points=points,
    )


def least_bic(fits: Sequence[Fitted]) -> Fitted | None:
    """The fit with the least BIC, if there is any."""
    return min(fits, key=lambda one: one.bic, default=None)


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
    return TimePoints(**{name: columns[name].to_numpy() for name in columns.columns}, condition=_names(asked))


def _names(sequences: pl.DataFrame) -> Names:
    return np.array(sequences["condition"].to_list())


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


def time_replicates(points: TimePoints, choices: Choices, fit: Fitted, steps: Steps) -> TimeReplicates:
    """The task played again by a subject that answers as the fit has it."""
    now = points.only(points.front == 0)
    if choices.unanimous:
        return TimeReplicates(np.empty((0, len(now.ratio))), now)
    shifts, noise = answering(fit, choices)
    _, _, late, stake = choices.features
    nothing = np.zeros_like(late)
    worth = -fit.theory.advantage(fit.place[np.newaxis], np.stack([nothing, nothing, late, stake])).value[0]
    first = np.unique(choices.cluster, return_index=True)[1]
    which = np.searchsorted(choices.names, now.condition)
    late_worth = (worth[first] + shifts)[which]
    played = bisect_time(np.ones(len(which)), late_worth, noise, DRAWS, chance(), steps)
    return TimeReplicates(played.value, now)


def published_delta(points: TimePoints, again: TimeReplicates | None = None) -> Sampled:
    """The published estimator of the annual discount factor: least squares of δ^years on indifference ratios at
    front-end delay 0, over all amounts, δ between 0.01 and 1."""
    now = points.only(points.front == 0)
    if len(now.ratio) < 2:
        return Sampled(withheld("fewer than two indifference points at front-end delay 0"))
    value = float(least_squares(now.ratio, now.years)[0])
    delayed = now.years > 0
    spread = float(np.std(now.ratio[delayed] ** (1 / now.years[delayed])))
    draws = np.empty(0) if again is None else _within(around(value, again.again(np.ones(len(now.ratio), dtype=bool))))
    return sampled(value, draws, spread)


def _within(deltas: Floats) -> Floats:
    return np.clip(deltas, LEAST_DELTA, 1.0)


def published_penalty(points: TimePoints, again: TimeReplicates | None = None) -> Sampled:
    """The published penalty: 5 where δ of the largest amount exceeds that of the smallest by over 0.10, 2.5 where by
    over 0.05, else nothing. Each δ is by least squares at front-end delay 0."""
    now = points.only((points.front == 0) & (points.years > 0))
    amounts = np.unique(now.amount)
    if len(amounts) < 2:
        return Sampled(withheld("one amount alone shows no magnitude effect"))
    ends = [now.amount == amount for amount in (amounts[-1], amounts[0])]
    large, small = (float(least_squares(now.ratio[rows], now.years[rows])[0]) for rows in ends)
    value = float(_published(np.array(large - small)))
    if again is None:
        return sampled(value, np.empty(0))
    kept = (again.now.years > 0)[:, np.newaxis] & (again.now.amount[:, np.newaxis] == amounts[[-1, 0]])
    more, less = (again.again(rows) for rows in kept.T)
    return sampled(value, _published(around(large - small, more - less)))


def _published(difference: Floats) -> Floats:
    return np.asarray(np.where(difference > 0.10, 5.0, np.where(difference > 0.05, 2.5, 0.0)))


def least_squares(ratio: Floats, years: Floats, weights: Floats | None = None, zooms: int = _ZOOMS) -> Floats:
    """δ for every row of weights (samples, points), or one for all points alike; ratios may differ by sample. The whole
    range is searched on a grid first, for the sum of squares can have two minima; then the best place is refined to the
    seventh decimal, or by fewer zooms to a decimal each."""
    rows = np.ones((1, len(years))) if weights is None else weights
    if not len(rows):
        return np.empty(0)
    powers = _GRID ** years[:, np.newaxis]
    # The sum of squares, less what no δ changes.
    best = _GRID[np.argmin(rows @ powers**2 - 2 * (rows * ratio) @ powers, axis=1)]
    reach = _GRID[1] - _GRID[0]
    for _ in range(zooms):
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST_DELTA, 1.0)
        powers = near[:, np.newaxis, :] ** years[:, np.newaxis]
        gaps = powers - np.broadcast_to(ratio, rows.shape)[:, :, np.newaxis]
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
