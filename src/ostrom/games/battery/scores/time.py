"""The time task: its choices and indifference points as arrays, the theories of discounting fitted to them, the
published discount factor, and the penalty for the magnitude effect.

The penalty for a discount factor that depends on the stake is 0 to 5 points. It is 5·min(1, Δ / 0.10) if a
likelihood-ratio test rejects equal δ at 5 %, and otherwise 0. Each amount at stake has its own δ, and Δ is the greatest
of these minus the least. The test compares a common δ with one for each amount, at a common noise. Its statistic is
divided by a scale of at least 1 for dependent answers within a condition (Rao, Scott 1984; Satorra, Bentler 2001),
since three equal answers of a model to the same question are not three independent observations. If a common δ explains
all choices without error, the statistic is 0. If only indifference points are known, the same test assumes normal
errors of the points."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from ostrom.games.battery.adaptive import SequenceSteps
from ostrom.games.battery.scores.answers import SCORE, Diagnostics, diagnostics, outcome_share, refusal
from ostrom.games.battery.scores.logit import (
    ChoiceCounts,
    Names,
    TheoryFit,
    choices_of,
    cluster_scores,
    exact_fit,
    fit,
    fit_theory,
)
from ostrom.games.battery.scores.modes import fit_modes
from ostrom.games.battery.scores.replicates import (
    asking_in_time,
    bisect_time,
    center_draws,
    fit_answering,
    fixed_generator,
)
from ostrom.games.battery.scores.score import DRAWS, Flags, Floats, SampledScore, Score, no_score, with_draws
from ostrom.games.battery.scores.theories import DISCOUNTING, EXPONENTIAL, LEAST_DELTA, Theory, exponential_by_amount
from ostrom.games.battery.tables import Events, answers_table, sequences_table, steps_of
from ostrom.games.battery.time import YEAR

MAX_PENALTY = 5.0
FULL_DIFFERENCE = 0.10
LEVEL = 0.05
NO_EFFECT_SHOWN = "the answers show no difference between amounts, which does not prove that there is none: no interval"
_GRID = np.linspace(LEAST_DELTA, 1.0, 991)
_ZOOMS = 4
_FINER = np.linspace(-1, 1, 21)


@dataclass(frozen=True, slots=True)
class TimePoints:
    """Indifference points, one per row."""

    ratio: Floats
    """The sooner amount relative to the later one. For a subject that waits even without a gain, it is 1, which is the
    bound."""
    years: Floats
    """The years between the two payments."""
    front: Floats
    """The years to the sooner payment."""
    amount: Floats
    """The later amount."""
    condition: Names = field(default_factory=lambda: np.empty(0))
    """The names of the points' conditions, if choices are known."""

    def only(self, rows: Flags) -> "TimePoints":
        """Return the selected points."""
        names = self.condition[rows] if len(self.condition) else self.condition
        return TimePoints(self.ratio[rows], self.years[rows], self.front[rows], self.amount[rows], names)


class TimeReplicates(NamedTuple):
    """Indifference ratios at front-end delay 0 from simulated repetitions of the task: (draws, points). They are NaN if
    a sequence is invalid."""

    ratio: Floats
    now: TimePoints
    """The observed points."""

    def deltas(self, rows: Flags, power: float | Floats = 1.0) -> Floats:
        """Return δ in every draw. It is computed from the selected points only, with ratios raised to a power."""
        ratio = self.ratio[:, rows]
        valid = np.isfinite(ratio)
        powers = np.broadcast_to(np.asarray(power, dtype=np.float64), len(ratio))[:, np.newaxis]
        raised: Floats = np.where(valid, ratio, 1.0) ** powers
        return least_squares(raised, self.now.years[rows], valid.astype(np.float64), zooms=1)


@dataclass(frozen=True, slots=True)
class MagnitudeEffect:
    """The effect of the amount at stake."""

    penalty: Score
    deltas: tuple[Score, ...] = ()
    """δ of each amount, from the least amount to the greatest."""
    statistic: float | None = None
    """The scaled likelihood ratio."""
    p_value: float | None = None
    draws: Floats = field(default_factory=lambda: np.empty(0))
    """Draws of the size of the penalty. The test decides whether the penalty applies, and this decision does not
    vary."""


@dataclass(frozen=True, slots=True)
class TimeScores:
    """The scores of the time task."""

    fault: Score | None
    """The reason why the task is not scored, or None."""
    delta: SampledScore
    """δ by the published least squares. It is missing if there is a fault."""
    magnitude: MagnitudeEffect
    penalty: SampledScore
    """The published penalty for the magnitude effect."""
    fits: tuple[TheoryFit, ...]
    """The fits of exponential, quasi-hyperbolic and hyperbolic discounting. There are none if only indifference points
    are known."""
    replicates: TimeReplicates | None
    """Simulated repetitions of the task. They are missing if there are no choices or no repeated answers."""
    censored: Score
    """The share of censored sequences."""
    invalid: Score
    """The share of invalid sequences."""
    diagnostics: Diagnostics
    points: TimePoints

    @property
    def best(self) -> TheoryFit | None:
        return least_bic(self.fits)

    @property
    def evidence(self) -> dict[str, float]:
        """For each theory, the strength of the evidence that the best theory has relative to it: exp(Δ BIC / 2), an
        approximation of the Bayes factor (Kass and Raftery 1995)."""
        best = self.best
        return {} if best is None else {fit.model: math.exp(min(700.0, (fit.bic - best.bic) / 2)) for fit in self.fits}

    def as_record(self) -> dict[str, Any]:
        """Return, as plain data, all results that are not scores of their own."""
        return {
            "censored": self.censored.as_record(),
            "invalid_sequences": self.invalid.as_record(),
            "delta_by_amount": [score.as_record() for score in self.magnitude.deltas],
            "likelihood_ratio": self.magnitude.statistic,
            "p_value": self.magnitude.p_value,
            "fits": [fit.as_record() | {"evidence_ratio": self.evidence[fit.model]} for fit in self.fits],
            **self.diagnostics.as_record(),
        }


def time_scores(events: Events, subject_fault: Score | None = None) -> TimeScores:
    """Return the scores of the time task from its events. `subject_fault` is set if the subject does not read its
    questions, and is then the reason why the task is not scored."""
    answers, sequences = answers_table(events, "time"), sequences_table(events, "time")
    task_diagnostics = diagnostics(answers, sequences, "time")
    points = time_points(sequences)
    fault = refusal(answers, sequences, task_diagnostics, "time") or subject_fault
    choices = None if fault else time_choices(answers)
    fits = () if choices is None else tuple(fit_theory(theory, choices) for theory in DISCOUNTING)
    replicates = None
    if fault:
        delta = penalty = SampledScore(fault)
        magnitude = MagnitudeEffect(fault)
    else:
        best, steps = least_bic(fits), steps_of(answers)
        if best is not None and choices is not None and steps.askings > 1:
            replicates = time_replicates(points, choices, best, steps)
        delta, penalty = published_delta(points, replicates), published_penalty(points, replicates)
        magnitude = points_magnitude(points) if choices is None else choices_magnitude(choices)
    return TimeScores(
        fault=delta.score if delta.score.value is None else None,
        delta=delta,
        magnitude=magnitude,
        penalty=penalty,
        fits=fits,
        replicates=replicates,
        censored=outcome_share(sequences, "censored"),
        invalid=outcome_share(sequences, "invalid"),
        diagnostics=task_diagnostics,
        points=points,
    )


def least_bic(fits: Sequence[TheoryFit]) -> TheoryFit | None:
    """Return the fit with the least BIC, or None."""
    return min(fits, key=lambda fit: fit.bic, default=None)


def time_points(sequences: pl.DataFrame) -> TimePoints:
    """Return the points of the scored sequences. Censored sequences have a point at their bound. Invalid sequences are
    left out."""
    scored = sequences.filter((pl.col("purpose") == SCORE) & (pl.col("outcome") != "invalid"))
    if scored.is_empty():
        none = np.empty(0)
        return TimePoints(none, none, none, none)
    facts, names = pl.col("facts").struct, np.array(scored["condition"].to_list())
    columns = scored.select(
        ratio=pl.col("value"),
        years=facts.field("days") / YEAR,
        # The length of a month is computed from the facts of the task's own questions.
        front=pl.when(facts.field("front_months") == 0)
        .then(0.0)
        .otherwise(facts.field("front_months") * facts.field("days") / facts.field("delay_months") / YEAR),
        amount=facts.field("later"),
    ).cast(pl.Float64)
    return TimePoints(**{name: columns[name].to_numpy() for name in columns.columns}, condition=names)


def time_choices(answers: pl.DataFrame) -> ChoiceCounts | None:
    """Return all valid choices asked for the score, or None if there are none. `chosen` counts choices of 'sooner'."""
    facts = pl.col("facts").struct
    return choices_of(
        answers,
        "sooner",
        ratio=facts.field("sooner") / facts.field("later"),
        soon=facts.field("sooner_days") / YEAR,
        late=facts.field("later_days") / YEAR,
        stake=facts.field("later").rank("dense").cast(pl.Float64) - 1,
    )


def time_replicates(points: TimePoints, choices: ChoiceCounts, fit: TheoryFit, steps: SequenceSteps) -> TimeReplicates:
    """Return simulated repetitions of the task. The simulated subject answers according to the fit, or according to
    exponential discounting with a factor for each amount if that explains the choices better."""
    now = points.only(points.front == 0)
    if choices.unanimous:
        return TimeReplicates(np.empty((0, len(now.ratio))), now)
    _, _, late, stake = choices.features
    if (amounts := int(np.max(stake)) + 1) > 1:
        by_amount = fit_theory(exponential_by_amount(amounts), choices)
        fit = by_amount if by_amount.bic < fit.bic else fit
    first = np.unique(choices.cluster, return_index=True)[1]
    answering = fit_answering(fit, choices, stake[first].astype(np.int64))
    if (modes := fit_modes(choices, answering)) is not None:
        return TimeReplicates(modes.play(now.years, DRAWS, fixed_generator(), steps).value, now)
    nothing = np.zeros_like(late)
    worth = -fit.theory.advantage(fit.place[np.newaxis], np.stack([nothing, nothing, late, stake])).value[0]
    which = np.searchsorted(choices.names, now.condition)
    late_worth = (worth[first] + answering.shifts)[which]
    ask = asking_in_time(np.ones(len(which)), late_worth, answering.noise[which], fixed_generator(), steps)
    played = bisect_time(ask, (DRAWS, len(which)), steps)
    return TimeReplicates(played.value, now)


def published_delta(points: TimePoints, replicates: TimeReplicates | None = None) -> SampledScore:
    """Return the published annual discount factor. It is the least-squares fit of δ^years to the indifference ratios of
    all amounts at front-end delay 0, with δ between 0.01 and 1."""
    now = points.only(points.front == 0)
    if len(now.ratio) < 2:
        return SampledScore(no_score("fewer than two indifference points at front-end delay 0"))
    value = float(least_squares(now.ratio, now.years)[0])
    delayed = now.years > 0
    spread = float(np.std(now.ratio[delayed] ** (1 / now.years[delayed])))
    if replicates is None:
        return with_draws(value, np.empty(0), spread)
    deltas = replicates.deltas(np.ones(len(now.ratio), dtype=bool))
    return with_draws(value, np.clip(center_draws(value, deltas, len(now.ratio)), LEAST_DELTA, 1.0), spread)


def published_penalty(points: TimePoints, replicates: TimeReplicates | None = None) -> SampledScore:
    """Return the published penalty. It is 5 if δ of the largest amount exceeds that of the smallest by over 0.10, 2.5
    if it exceeds it by over 0.05, and otherwise 0. Each δ is estimated by least squares at front-end delay 0."""
    now = points.only((points.front == 0) & (points.years > 0))
    amounts = np.unique(now.amount)
    if len(amounts) < 2:
        return SampledScore(no_score("one amount alone shows no magnitude effect"))
    ends = [now.amount == amount for amount in (amounts[-1], amounts[0])]
    large, small = (float(least_squares(now.ratio[rows], now.years[rows])[0]) for rows in ends)
    value = float(_published_penalty(np.array(large - small)))
    if replicates is None:
        return with_draws(value, np.empty(0))
    extremes = (replicates.now.years > 0)[:, np.newaxis] & (replicates.now.amount[:, np.newaxis] == amounts[[-1, 0]])
    more, less = (replicates.deltas(rows) for rows in extremes.T)
    return with_draws(value, _published_penalty(center_draws(large - small, more - less)))


def _published_penalty(difference: Floats) -> Floats:
    return np.asarray(np.where(difference > 0.10, 5.0, np.where(difference > 0.05, 2.5, 0.0)))


def least_squares(ratio: Floats, years: Floats, weights: Floats | None = None, zooms: int = _ZOOMS) -> Floats:
    """Return the least-squares δ for every row of weights (samples, points), or a single δ if all weights are equal.
    Ratios may differ by sample. First δ is searched on a grid over the whole range, since the sum of squares can have
    two minima. Then the best value is refined by one decimal for each zoom, by default to the seventh decimal."""
    rows = np.ones((1, len(years))) if weights is None else weights
    if not len(rows):
        return np.empty(0)
    powers = _GRID ** years[:, np.newaxis]
    # The sum of squares without the terms that do not depend on δ.
    best = _GRID[np.argmin(rows @ powers**2 - 2 * (rows * ratio) @ powers, axis=1)]
    reach = _GRID[1] - _GRID[0]
    for _ in range(zooms):
        near = np.clip(best[:, np.newaxis] + reach * _FINER, LEAST_DELTA, 1.0)
        powers = near[:, np.newaxis, :] ** years[:, np.newaxis]
        gaps = powers - np.broadcast_to(ratio, rows.shape)[:, :, np.newaxis]
        best = near[np.arange(len(near)), np.argmin(np.einsum("bn,bng->bg", rows, gaps**2), axis=1)]
        reach /= 10
    return np.asarray(best)


def choices_magnitude(choices: ChoiceCounts) -> MagnitudeEffect:
    """Return the magnitude effect and its penalty, computed from all choices."""
    amounts = int(np.max(choices.features[3])) + 1
    if amounts < 2:
        return MagnitudeEffect(no_score("one amount alone shows no magnitude effect"))
    from scipy.special import chdtrc

    by_amount = fit_theory(exponential_by_amount(amounts), choices)
    ratio = likelihood_ratio(choices, by_amount.likelihood)
    return _magnitude_effect(ratio, float(chdtrc(amounts - 1, ratio)), by_amount.parameters, by_amount.draws)


def likelihood_ratio(choices: ChoiceCounts, best: float | None = None) -> float:
    """Return the scaled statistic of the test for equal δ of all amounts. `best` is the log-likelihood with a δ for
    each amount, if it is already known."""
    if exact_fit(EXPONENTIAL, choices) is not None:
        return 0.0
    common, by_amount = fit(EXPONENTIAL, choices), exponential_by_amount(int(np.max(choices.features[3])) + 1)
    if best is None:
        best = 0.0 if exact_fit(by_amount, choices) is not None else float(fit(by_amount, choices).likelihood[0])
    ratio = max(0.0, 2 * (best - float(common.likelihood[0])))
    return ratio / _scale(by_amount, choices, float(common.parameters[0, 0]), float(common.noise[0]))


def points_magnitude(points: TimePoints) -> MagnitudeEffect:
    """Return the magnitude effect and its penalty, computed from the indifference points at front-end delay 0 alone,
    assuming normal errors."""
    from scipy.special import fdtrc

    now = points.only((points.front == 0) & (points.years > 0))
    amounts = np.unique(now.amount)
    if len(amounts) < 2 or len(now.ratio) <= len(amounts):
        return MagnitudeEffect(no_score("too few points to compare amounts"))
    groups = [now.only(now.amount == amount) for amount in amounts]
    deltas = np.array([least_squares(group.ratio, group.years)[0] for group in groups])
    residual = sum(
        float(np.sum((delta**group.years - group.ratio) ** 2)) for delta, group in zip(deltas, groups, strict=True)
    )
    common = float(np.sum((least_squares(now.ratio, now.years)[0] ** now.years - now.ratio) ** 2))
    # Errors below the resolution of ten bisections carry no evidence.
    floor = len(now.ratio) * 2.0**-22
    excess = max(common, floor) / max(residual, floor)
    more, free = len(amounts) - 1, len(now.ratio) - len(amounts)
    # The F distribution of the same ratio is used, since the chi-square distribution rejects too often with two dozen
    # points.
    p_value = float(fdtrc(more, free, (excess - 1) * free / more))
    ratio = len(now.ratio) * float(np.log(excess))
    return _magnitude_effect(ratio, p_value, tuple(Score(float(delta)) for delta in deltas), deltas[np.newaxis])


def _magnitude_effect(ratio: float, p_value: float, deltas: tuple[Score, ...], draws: Floats) -> MagnitudeEffect:
    if p_value >= LEVEL:
        return MagnitudeEffect(Score(0.0, reason=NO_EFFECT_SHOWN), deltas, ratio, p_value, np.zeros(len(draws)))
    values = np.array([[score.value or 0.0 for score in deltas]])
    penalties = _penalty(draws)
    return MagnitudeEffect(with_draws(float(_penalty(values)[0]), penalties).score, deltas, ratio, p_value, penalties)


def _penalty(deltas: Floats) -> Floats:
    return np.asarray(MAX_PENALTY * np.minimum(1.0, np.ptp(deltas, axis=1) / FULL_DIFFERENCE))


def _scale(theory: Theory, choices: ChoiceCounts, rate: float, noise: float) -> float:
    """Return the factor by which dependent answers inflate the likelihood ratio on average if δ is the same for all
    amounts. This is the mean of the eigenvalues that weight the χ² distribution of the ratio. It is estimated from the
    derivatives of the likelihood, summed within conditions, and is at least 1."""
    amounts = len(theory.bounds)
    scores, information = cluster_scores(theory, choices, np.full(amounts, rate), noise)
    inverse = np.linalg.pinv(information)
    contrasts = np.column_stack([-np.ones((amounts - 1, 1)), np.eye(amounts - 1), np.zeros((amounts - 1, 1))])
    middle = scores.T @ scores * choices.clusters / max(1, choices.clusters - 1)
    expected = contrasts @ inverse @ contrasts.T
    observed = contrasts @ inverse @ middle @ inverse @ contrasts.T
    return max(1.0, float(np.trace(np.linalg.pinv(expected) @ observed)) / (amounts - 1))
