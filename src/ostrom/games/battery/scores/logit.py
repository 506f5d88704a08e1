"""Maximum likelihood fits of a theory to a subject's binary choices with a logit choice rule: parameters with their
intervals, noise, and Schwarz's criterion.

A theory gives the advantage of one option over the other, relative to the larger amount. The choice rule is P = 1 / (1
+ exp(−advantage / μ)) with noise μ. Fisher scoring runs from several starts at once. Adaptive questions need no
correction: each depends on earlier answers only, so the likelihood is the product over answers. Standard errors are
clustered by condition (Liang and Zeger 1986). So they are also valid if the theory is wrong and answers within a
condition are dependent.

Noise has a floor of a quarter of the resolution of ten bisections. Choices without any error have no likelihood
maximum: the likelihood rises as the noise falls to 0, for every parameter that explains all choices. In this case the
limit itself is used: the noise is 0, and the parameters lie in the set that explains every choice. The middle of this
set is the estimate, and its extent is the interval.

In all theories here, the condition that an option is at least as good as the other is a linear inequality in the
searched parameters. So the set is a box if every inequality is about one parameter. If some inequalities are about two,
it is a polygon, which linear programmes find. Different answers to the same question are no error if both options are
equally good."""

import math
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.core.estimates import CONFIDENCE
from ostrom.games.battery.scores.answers import SCORE
from ostrom.games.battery.scores.score import DRAWS, Floats, Score, Whole
from ostrom.games.battery.scores.theories import Theory

Names = npt.NDArray[Any]
MIN_NOISE = 2.0**-12
MAX_NOISE = 10.0
_STEPS = 40
_CLOSE, _NEAR = 1e-7, 1e-4
"""The step sizes below which a search ends. The first is for a full search, the second for a rough search that only
finds the best starting point."""
MIN_CONDITIONS = 20
"""The least number of conditions for an interval: with fewer, clustered standard errors are unreliable."""
_TOO_FEW_CONDITIONS = f"fewer than {MIN_CONDITIONS} conditions: no interval"
_EXPLAINS_ALL = "no choice contradicts it: the interval holds every value that explains them all"


@dataclass(frozen=True, slots=True)
class ChoiceCounts:
    """Binary choices, in which the answers to the same question are counted together. Every such question is a cell,
    which is one row of the arrays."""

    features: Floats
    """The features that a theory reads: (features, cells)."""
    chosen: Floats
    """The number of answers that chose the option whose advantage the theory gives."""
    answers: Floats
    cluster: Whole
    """The number of each cell's condition. Standard errors are clustered by condition."""
    clusters: int
    names: Names = field(default_factory=lambda: np.empty(0))
    """The names of the conditions, in the order of their numbers."""

    @classmethod
    def of(
        cls, features: Floats, chosen: npt.ArrayLike, answers: npt.ArrayLike, conditions: npt.ArrayLike
    ) -> "ChoiceCounts":
        """Return the counts of cells, given the names or numbers of their conditions."""
        names, cluster = np.unique(conditions, return_inverse=True)
        counts, count = (np.asarray(numbers, dtype=np.float64) for numbers in (chosen, answers))
        return cls(features, counts, count, cluster.astype(np.int64), len(names), names)

    @property
    def total(self) -> int:
        return int(np.sum(self.answers))

    @property
    def unanimous(self) -> bool:
        """True if questions were repeated and all answers to the same question agree."""
        agree = np.all((self.chosen == 0) | (self.chosen == self.answers))
        return bool(agree and np.median(self.answers) > 1)


def choices_of(answers: pl.DataFrame, option: str, *apart: str, **features: pl.Expr) -> ChoiceCounts | None:
    """Return the valid choices asked for the score, counted for each question, or None if there are none. `chosen`
    counts the choices of `option`. Choices are counted together if they have the same condition, the same features and
    the same values in the columns `apart`."""
    valid = answers.filter((pl.col("purpose") == SCORE) & pl.col("choice").is_not_null())
    if valid.is_empty():
        return None
    cells = (
        valid.with_columns(**features)
        .group_by("condition", *apart, *features, maintain_order=True)
        .agg(chosen=(pl.col("choice") == option).sum(), answers=pl.len())
    )
    read = np.stack([cells[name].to_numpy() for name in features])
    return ChoiceCounts.of(read, *(cells[name].to_numpy() for name in ("chosen", "answers", "condition")))


class Fits(NamedTuple):
    """The fits from several starting points, one per row."""

    parameters: Floats
    """(starts, parameters) The fitted parameters."""
    noise: Floats
    likelihood: Floats
    """The log-likelihood at the maximum."""


def fit(theory: Theory, choices: ChoiceCounts) -> Fits:
    """Return the best fit from all starts of the theory, at two levels of noise."""
    starts = np.repeat(theory.starts, 2, axis=0)
    noise = np.tile([0.02, 0.2], len(theory.starts))
    # A few steps identify the best start. Only the search from this start is iterated to convergence.
    rough = _climb(theory, choices, starts, noise, steps=4, close=_NEAR)
    best = int(np.argmax(rough.likelihood))
    return _climb(theory, choices, rough.parameters[[best]], rough.noise[[best]], steps=_STEPS, close=_CLOSE)


def cluster_scores(theory: Theory, choices: ChoiceCounts, parameters: Floats, noise: float) -> tuple[Floats, Floats]:
    """Return two arrays: the derivatives of the log-likelihood, summed within each cluster (clusters, parameters), and
    the information matrix of all choices. The last parameter is the logarithm of the noise."""
    value, slopes = theory.advantage(parameters[np.newaxis], choices.features)
    index = value[0] / noise
    chance = 1 / (1 + np.exp(-np.clip(index, -700, 700)))
    directions = np.stack([*(slope[0] / noise for slope in slopes), -index])
    terms = (choices.chosen - choices.answers * chance) * directions
    scores = np.zeros((choices.clusters, len(terms)))
    np.add.at(scores, choices.cluster, terms.T)
    information = (directions * choices.answers * chance * (1 - chance)) @ directions.T
    return scores, np.asarray(information)


def _climb(
    theory: Theory, choices: ChoiceCounts, parameters: Floats, noise: Floats, *, steps: int, close: float
) -> Fits:
    """Maximise the likelihood by Fisher scoring from these values. A step that would lower the likelihood is
    shortened."""
    low, high = theory.bounds[:, 0], theory.bounds[:, 1]
    place = np.column_stack([parameters, np.log(noise)])
    floor, ceiling = np.append(low, np.log(MIN_NOISE)), np.append(high, np.log(MAX_NOISE))
    place = np.clip(place, floor, ceiling)
    level, step = _step(theory, choices, place)
    open_rows = np.arange(len(place))
    for _ in range(steps):
        candidate = np.clip(place[open_rows] + step, floor, ceiling)
        new_level, new_step = _step(theory, choices, candidate)
        better = new_level >= level[open_rows] - 1e-9
        moved = np.max(np.abs(candidate - place[open_rows]), axis=1)
        rows = open_rows[better]
        place[rows], level[rows] = candidate[better], new_level[better]
        step = np.where(better[:, np.newaxis], new_step, step / 4)
        unconverged = moved > close
        open_rows, step = open_rows[unconverged], step[unconverged]
        if not len(open_rows):
            break
    return Fits(place[:, :-1], np.exp(place[:, -1]), level)


def _step(theory: Theory, choices: ChoiceCounts, place: Floats) -> tuple[Floats, Floats]:
    """Return the log-likelihood at every row of parameters, and the next step of Fisher scoring from there."""
    noise = np.exp(place[:, -1:])
    value, slopes = theory.advantage(place[:, :-1], choices.features)
    index = value / noise
    tail = np.exp(-np.abs(index))
    chance = np.where(index > 0, 1.0, tail) / (1 + tail)
    level = np.sum(choices.chosen * index - choices.answers * (np.maximum(index, 0) + np.log1p(tail)), axis=1)
    residual = choices.chosen - choices.answers * chance
    spread = choices.answers * chance * (1 - chance)
    directions = [*(slope / noise for slope in slopes), -index]
    count = len(directions)
    score, information = np.empty((len(place), count)), np.empty((len(place), count, count))
    for i in range(count):
        score[:, i] = np.einsum("bn,bn->b", residual, directions[i])
        spread_i = spread * directions[i]
        for j in range(i, count):
            information[:, i, j] = information[:, j, i] = np.einsum("bn,bn->b", spread_i, directions[j])
    ridge = 1e-9 * np.einsum("bii->b", information)[:, np.newaxis, np.newaxis] + 1e-12
    information += ridge * np.eye(count)
    step = np.linalg.solve(information, score[:, :, np.newaxis])[:, :, 0]
    # Limit steps to where the quadratic approximation is useful.
    length = np.maximum(1.0, np.max(np.abs(step), axis=1, keepdims=True) / 1.0)
    return np.asarray(level), step / length


ROUNDING_TOLERANCE = 1e-8
"""A choice is no error if the advantage of the other option is at most this, since so small an advantage may be a
rounding error."""


class ExactFit(NamedTuple):
    """The set of parameters that explain every choice."""

    value: Floats
    low: Floats
    high: Floats


def exact_fit(theory: Theory, choices: ChoiceCounts) -> ExactFit | None:
    """Return the set of parameters with which the theory explains every choice, or None if there are none."""
    slopes, least = theory.inequalities(choices.features)
    at_least, at_most = choices.chosen > 0, choices.chosen < choices.answers
    # Every inequality has the form slopes · parameters >= least.
    rows = np.concatenate([slopes[at_least], -slopes[at_most]])
    ends = np.concatenate([least[at_least], -least[at_most]]) - ROUNDING_TOLERANCE
    empty = ~np.any(rows, axis=1)
    if np.any(ends[empty] > 0):
        return None
    rows, ends = rows[~empty], ends[~empty]
    single = np.count_nonzero(rows, axis=1) == 1
    low, high = _box(rows[single], ends[single], theory.bounds)
    if np.any(low > high):
        return None
    if np.all(single):
        return ExactFit((low + high) / 2, low, high)
    return _polygon(rows[~single], ends[~single], low, high)


def _box(rows: Floats, ends: Floats, bounds: Floats) -> tuple[Floats, Floats]:
    """Return the least and greatest value of each parameter under inequalities that involve one parameter each."""
    low, high = bounds[:, 0].copy(), bounds[:, 1].copy()
    which = np.argmax(rows != 0, axis=1)
    slope = rows[np.arange(len(rows)), which]
    limit = ends / slope
    np.maximum.at(low, which[slope > 0], limit[slope > 0])
    np.minimum.at(high, which[slope < 0], limit[slope < 0])
    return low, high


def _polygon(rows: Floats, ends: Floats, low: Floats, high: Floats) -> ExactFit | None:
    """Return the set of parameters under inequalities that involve several parameters. The set is described by its
    extreme corners along each parameter. Return None if it is empty."""
    from scipy.optimize import linprog

    box = list(zip(low, high, strict=True))
    corners = []
    for parameter in range(len(low)):
        for sign in (1.0, -1.0):
            goal = np.zeros(len(low))
            goal[parameter] = sign
            solution = linprog(goal, A_ub=-rows, b_ub=-ends, bounds=box)
            if not solution.success:
                return None
            corners.append(solution.x)
    points = np.array(corners)
    return ExactFit(points.mean(axis=0), points.min(axis=0), points.max(axis=0))


@dataclass(frozen=True, slots=True)
class TheoryFit:
    """The fit of a theory to all choices."""

    theory: Theory
    parameters: tuple[Score, ...]
    place: Floats
    """The fitted parameters on the scale on which the theory's parameters are searched."""
    noise: float
    """μ of the logit rule. It is 0 if the theory explains every choice."""
    likelihood: float
    """The log-likelihood. It is 0 if the theory explains every choice."""
    bic: float
    """Schwarz's criterion; a lower value is better (Schwarz 1978). It counts the number of answers as the sample size,
    and the noise as a parameter."""
    draws: Floats
    """Normal draws of the parameters with their standard errors, (draws, parameters). All draws are equal if the theory
    explains every choice."""

    @property
    def model(self) -> str:
        return self.theory.name

    def as_record(self) -> dict[str, Any]:
        """Return the fit as plain data."""
        parameters = [score.as_record() for score in self.parameters]
        return {"model": self.model, "parameters": parameters, "noise": self.noise, "bic": self.bic}


def fit_theory(theory: Theory, choices: ChoiceCounts) -> TheoryFit:
    """Return the maximum likelihood fit. Intervals are t intervals on the searched scale, with standard errors
    clustered by condition and one degree of freedom fewer than conditions. If the theory explains every choice, the
    interval is the set of all such parameters."""
    from scipy.special import stdtrit

    cost = (len(theory.bounds) + 1) * math.log(choices.total)
    exact = exact_fit(theory, choices)
    if exact is not None:
        scores = tuple(
            replace(score, reason=_EXPLAINS_ALL) for score in _scores(theory, exact.value, exact.low, exact.high)
        )
        same = np.repeat(theory.reported(exact.value)[np.newaxis], DRAWS, axis=0)
        return TheoryFit(theory, scores, exact.value, 0.0, 0.0, cost, same)
    best = fit(theory, choices)
    place, noise, level = best.parameters[0], float(best.noise[0]), float(best.likelihood[0])
    covariance = _covariance(theory, choices, place, noise)
    normal = np.random.default_rng(735).multivariate_normal(place, covariance, DRAWS)
    draws = theory.reported(np.clip(normal, theory.bounds[:, 0], theory.bounds[:, 1]))
    if choices.unanimous:
        scores = _scores(theory, place, place, place)
    elif choices.clusters < MIN_CONDITIONS:
        scores = tuple(Score(float(value), reason=_TOO_FEW_CONDITIONS) for value in theory.reported(place))
    else:
        reach = float(stdtrit(choices.clusters - 1, (1 + CONFIDENCE) / 2)) * np.sqrt(np.diag(covariance))
        ends = np.clip([place - reach, place + reach], theory.bounds[:, 0], theory.bounds[:, 1])
        scores = _scores(theory, place, *ends)
    return TheoryFit(theory, scores, place, noise, level, cost - 2 * level, draws)


def _covariance(theory: Theory, choices: ChoiceCounts, place: Floats, noise: float) -> Floats:
    scores, information = cluster_scores(theory, choices, place, noise)
    inverse = np.linalg.pinv(information, hermitian=True)
    covariance = inverse @ (scores.T @ scores) @ inverse * choices.clusters / max(1, choices.clusters - 1)
    return np.asarray(covariance[:-1, :-1])


def _scores(theory: Theory, value: Floats, low: Floats, high: Floats) -> tuple[Score, ...]:
    """Return the parameters on the reported scale with their intervals. The ends of an interval are sorted, since a
    reported parameter may fall as the searched one rises."""
    ends = np.sort(theory.reported(np.stack([low, high])), axis=0)
    return tuple(Score(float(v), float(a), float(b)) for v, a, b in zip(theory.reported(value), *ends, strict=True))
