"""The magnitude effect: does the discount factor depend on what is at stake? A penalty of 0 to 5 points,
5·min(1, Δ / 0.10) with Δ the greatest less the least δ of an amount, if a likelihood-ratio test rejects equal δ at 5 %.

The test compares a common δ with one an amount, at a common noise. Its statistic is divided by a scale for answers
within a condition that are alike (Rao, Scott 1984; Satorra, Bentler 2001), never by less than 1: a model that answers
the same question three times alike has not said three things. Where choices are explained without error by a common δ,
the statistic is 0. Where only indifference points are known, the same test is made with normal errors of the points."""

from dataclasses import dataclass

import numpy as np

from ostrom.games.battery.scores.fits import fitted, least_squares
from ostrom.games.battery.scores.logit import Choices, cluster_scores, explained, fit
from ostrom.games.battery.scores.score import Floats, Score, with_interval, withheld
from ostrom.games.battery.scores.time import Exponential, ExponentialByAmount, TimePoints

MOST = 5.0
FULL_DIFFERENCE = 0.10
LEVEL = 0.05


@dataclass(frozen=True, slots=True)
class Magnitude:
    """What the amounts at stake change."""

    penalty: Score
    deltas: tuple[Score, ...]
    """δ of each amount, from the least amount to the greatest."""
    statistic: float | None
    """The scaled likelihood ratio."""
    p_value: float | None
    draws: Floats
    """The penalty again from each resample, the verdict of the test being kept."""


def of_choices(choices: Choices) -> Magnitude:
    """The penalty, from all choices."""
    amounts = int(np.max(choices.features[3])) + 1
    if amounts < 2:
        return _untested("one amount alone shows no magnitude effect")
    from scipy.special import chdtrc

    apart = fitted(ExponentialByAmount(amounts), choices)
    ratio = likelihood_ratio(choices, apart.likelihood)
    return _judged(ratio, float(chdtrc(amounts - 1, ratio)), apart.parameters, apart.draws)


def likelihood_ratio(choices: Choices, best: float | None = None) -> float:
    """The scaled statistic of the test that all amounts have the same δ. `best` is the log-likelihood with a δ for each
    amount, where it is known already."""
    if explained(Exponential(), choices) is not None:
        return 0.0
    common, apart = fit(Exponential(), choices), ExponentialByAmount(int(np.max(choices.features[3])) + 1)
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
        return _untested("too few points to compare amounts")
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
    penalties = _points(draws)
    return Magnitude(with_interval(float(_points(values)[0]), penalties), deltas, ratio, p_value, penalties)


def _points(deltas: Floats) -> Floats:
    return np.asarray(MOST * np.minimum(1.0, np.ptp(deltas, axis=1) / FULL_DIFFERENCE))


def _untested(reason: str) -> Magnitude:
    return Magnitude(withheld(reason), (), None, None, np.empty(0))


def _scale(model: ExponentialByAmount, choices: Choices, rate: float, noise: float) -> float:
    """By how much the likelihood ratio is too large on average under a common δ: the mean of the eigenvalues that its
    distribution is a sum of, from the scores of whole conditions."""
    amounts = model.amounts
    scores, information = cluster_scores(model, choices, np.full(amounts, rate), noise)
    inverse = np.linalg.pinv(information)
    contrasts = np.column_stack([-np.ones((amounts - 1, 1)), np.eye(amounts - 1), np.zeros((amounts - 1, 1))])
    middle = scores.T @ scores * choices.clusters / max(1, choices.clusters - 1)
    expected = contrasts @ inverse @ contrasts.T
    shown = contrasts @ inverse @ middle @ inverse @ contrasts.T
    return max(1.0, float(np.trace(np.linalg.pinv(expected) @ shown)) / (amounts - 1))
