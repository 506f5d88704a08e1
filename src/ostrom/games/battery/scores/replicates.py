"""The sampling error of figures from adaptive sequences. The task is simulated many times with a subject that answers
like the observed one (a parametric bootstrap, Efron and Tibshirani 1993).

The answers themselves cannot be resampled, since each question depends on earlier answers. Instead, answers are
simulated. A theory gives the advantage of an option. Every condition may deviate from it by a shift, which is normal
with an estimated spread, and answers have logit noise. Noise and spread maximise the marginal likelihood, by quadrature
over shifts. If the theory is right, the spread is 0. Otherwise each condition keeps its own threshold, so that misfit
does not count as noise. The shifts are their expectations given the answers, stretched to the estimated spread (Louis
1984), since the expectations alone vary too little.

Simulations are arrays over subjects and sequences, with random numbers from NumPy. Two hundred simulations take about a
second."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from ostrom.core.estimates import CONFIDENCE
from ostrom.games.battery.adaptive import ENDS, SequenceSteps
from ostrom.games.battery.scores.logit import MIN_NOISE, ChoiceCounts, TheoryFit
from ostrom.games.battery.scores.score import DRAWS, Flags, Floats, Whole

SEED = 735
_NOISES = np.geomspace(1 / 32, 8.0, 21)
"""The levels of noise tried, relative to the noise fitted with the theory alone. That fit counts every deviation from
the theory as noise. Larger levels are tried all the same, since a single group of conditions can have more noise."""
_RATIOS = np.array([0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0])
"""The spreads of shifts tried in addition to 0, relative to the noise."""
_NODES = np.sinh(np.linspace(-4.0, 4.0, 45))
"""The shifts at which the likelihood is evaluated, relative to the noise and counted from the observed threshold of a
condition."""
_WEIGHTS = np.log(np.gradient(_NODES))
MAX_STRETCH = 3.0


class Answering(NamedTuple):
    """A model of a subject's answers: its noise, and the deviations of its thresholds from a theory."""

    shifts: Floats
    """The deviation of each condition's threshold from the theory."""
    noise: Floats
    """The noise in each condition."""
    criterion: float
    """The log-likelihood less Schwarz's penalty."""


def fixed_generator() -> np.random.Generator:
    """Return a generator with the same draws in every run."""
    return np.random.default_rng(SEED)


def center_draws(value: float, draws: Floats, points: int = 0) -> Floats:
    """Return draws shifted so that their mean is `value`, since simulations show how much a figure varies, not where it
    lies. `points` is the number of points from which the figure was computed. If it is given, draws are also spread, by
    the ratio of a t interval to a normal interval. The reason is that the simulated subject was itself estimated."""
    from scipy.special import stdtrit

    if not len(draws):
        return np.full(DRAWS, value)
    upper = (1 + CONFIDENCE) / 2
    wider = float(stdtrit(points - 2, upper) / stdtrit(np.inf, upper)) if points > 2 else 1.0
    return np.asarray(value + wider * (draws - np.mean(draws)))


def fit_answering(fit: TheoryFit, choices: ChoiceCounts, groups: Whole | None = None) -> Answering:
    """Estimate a subject's noise and shifts, given the theory fitted to its choices. `groups` contains the number of
    the group to which each condition belongs. Groups may be defined, for example, by stake. Each group has its own
    noise if that is better by Schwarz's criterion."""
    cells = _Cells.of(fit, choices)
    noises = max(fit.noise, MIN_NOISE) * _NOISES
    levels = cells.marginal(noises)
    cost = 0.5 * math.log(choices.total)
    one = np.zeros(choices.clusters, dtype=np.int64)
    candidates = [_best(levels, noises, rows, cost) for rows in ([one] if groups is None else [one, groups])]
    column, noise, criterion = max(candidates, key=lambda candidate: candidate[2])
    shifts = np.zeros(choices.clusters) if column == 0 else _shifts(cells, noise, float(_RATIOS[column - 1]))
    return Answering(shifts, noise, criterion - len(fit.place) * cost)


def _best(levels: Floats, noises: Floats, groups: Whole, cost: float) -> tuple[int, Floats, float]:
    """Return the column of the best spread of shifts, the noise of every condition, and the criterion. `levels` is the
    log-likelihood by noise, spread and condition. Conditions of the same group in `groups` have the same noise."""
    count = int(np.max(groups)) + 1
    sums = np.stack([np.sum(levels[:, :, groups == group], axis=2) for group in range(count)])
    totals = np.sum(np.max(sums, axis=1), axis=0)
    column = int(np.argmax(totals))
    peaks = np.array([_peak(noises, level[:, column], int(np.argmax(level[:, column]))) for level in sums])
    return column, peaks[groups], float(totals[column]) - cost * (count + (column > 0))


class _Cells(NamedTuple):
    """Choices grouped by condition."""

    advantage: Floats
    chosen: Floats
    answers: Floats
    cluster: Whole
    starts: Whole
    change: Floats
    """For each condition, the advantage at which the majority of choices changes."""

    @classmethod
    def of(cls, fit: TheoryFit, choices: ChoiceCounts) -> "_Cells":
        advantage = fit.theory.advantage(fit.place[np.newaxis], choices.features).value[0]
        order = np.argsort(choices.cluster, kind="stable")
        chosen, answers, cluster = choices.chosen[order], choices.answers[order], choices.cluster[order]
        starts = np.searchsorted(cluster, np.arange(choices.clusters))
        return cls(advantage[order], chosen, answers, cluster, starts, _changes(advantage, choices))

    def marginal(self, noises: Floats) -> Floats:
        """Return the log-likelihood of the answers of each condition: (noises, spreads of shifts, conditions)."""
        levels = np.empty((len(noises), 1 + len(_RATIOS), len(self.change)))
        for row, noise in enumerate(noises):
            levels[row, 0] = self.likelihood(np.zeros_like(self.change), noise, np.zeros(1))[:, 0]
            inner = self.likelihood(self.change, noise, _NODES)
            places = self.change[:, np.newaxis] / noise + _NODES
            for column, ratio in enumerate(_RATIOS, start=1):
                levels[row, column] = np.logaddexp.reduce(inner + _prior(places, ratio), axis=1)
        return levels

    def likelihood(self, change: Floats, noise: float | Floats, nodes: Floats) -> Floats:
        """Return the log-likelihood of the answers of each condition at each shift: (conditions, nodes)."""
        noise = np.broadcast_to(noise, change.shape)[self.cluster]
        index = ((self.advantage - change[self.cluster]) / noise)[:, np.newaxis] - nodes
        worse = self.answers[:, np.newaxis] * (np.maximum(index, 0) + np.log1p(np.exp(-np.abs(index))))
        return np.asarray(np.add.reduceat(self.chosen[:, np.newaxis] * index - worse, self.starts))


def _changes(advantage: Floats, choices: ChoiceCounts) -> Floats:
    most = 2 * choices.chosen > choices.answers
    above, below = np.full(choices.clusters, np.inf), np.full(choices.clusters, -np.inf)
    np.minimum.at(above, choices.cluster[most], advantage[most])
    np.maximum.at(below, choices.cluster[~most], advantage[~most])
    above, below = np.where(np.isinf(above), below, above), np.where(np.isinf(below), above, below)
    return np.asarray((above + below) / 2)


def _prior(places: Floats, ratio: float) -> Floats:
    return np.asarray(_WEIGHTS - 0.5 * (places / ratio) ** 2 - np.log(ratio * np.sqrt(2 * np.pi)))


def _peak(noises: Floats, levels: Floats, row: int) -> float:
    """Return the noise with the highest log-likelihood, at the vertex of the parabola through the best grid point and
    its two neighbours."""
    row = min(max(row, 1), len(levels) - 2)
    before, best, after = levels[row - 1 : row + 2]
    bend = before - 2 * best + after
    step = 0.5 * (before - after) / bend if bend < 0 else 0.0
    return float(noises[row] * (noises[1] / noises[0]) ** np.clip(step, -1, 1))


def _shifts(cells: _Cells, noise: Floats, ratio: float) -> Floats:
    places = (cells.change / noise)[:, np.newaxis] + _NODES
    chances = cells.likelihood(cells.change, noise, _NODES) + _prior(places, ratio)
    chances = np.exp(chances - np.logaddexp.reduce(chances, axis=1, keepdims=True))
    mean = np.sum(chances * places, axis=1)
    rest = np.sum(chances * places**2, axis=1) - mean**2
    stretch = np.sqrt(1 + np.mean(rest) / max(float(np.mean(mean**2)), 1e-12))
    return np.asarray(noise * mean * min(float(stretch), MAX_STRETCH))


POINT, CENSORED, INVALID = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Sequences:
    """The answers of simulated subjects: arrays of (subjects, sequences), with steps on a third axis. A step that was
    not asked has no answers."""

    asked: Floats
    """The sooner amount as a share of the later one, or the position q on the axis: (subjects, sequences, steps)."""
    chosen: Whole
    """The number of answers that chose the sooner amount, or the lottery on the axis."""
    answers: Whole
    outcome: Whole
    value: Floats
    """The indifference point. It is the bound if the sequence is censored, and NaN if it is invalid."""
    upward: Flags
    """In the risk task, true if the axis is y, which has mixtures of 1000 and 500."""


def bisect_time(ask: Callable[[Floats], Whole], shape: tuple[int, ...], steps: SequenceSteps) -> Sequences:
    """Play the time task for simulated subjects. `ask` gets the ratio of the sooner to the later amount for each
    subject and sequence. It returns the number of askings in which the sooner amount is chosen."""
    at_none, at_all = ask(np.zeros(shape)), ask(np.ones(shape))
    outcome = np.where(steps.is_majority(at_none), INVALID, np.where(steps.is_majority(at_all), POINT, CENSORED))
    ends = [(np.zeros(shape), at_none), (np.ones(shape), at_all)]
    return _bisect(ends, outcome, ask, np.zeros(shape, dtype=bool), steps)


def asking_in_time(
    soon: Floats, late: Floats, noise: float | Floats, chance: np.random.Generator, steps: SequenceSteps
) -> Callable[[Floats], Whole]:
    """Return the function that answers for simulated subjects in `bisect_time`. For these subjects, the full amount is
    worth `soon` at the sooner date and `late` at the later date of each sequence."""
    return lambda ratio: draw_answers(ratio * soon - late, noise, chance, steps.askings)


def bisect_risk(
    reference: Floats,
    mixed: Callable[[Flags, Floats], Floats],
    noise: float | Floats,
    subjects: int,
    chance: np.random.Generator,
    steps: SequenceSteps,
) -> Sequences:
    """Play the risk task for simulated subjects. `reference` is the worth of each sequence's reference lottery. `mixed`
    is a function that returns the worth of the lottery at a position on an axis. The axis is y if upward."""
    shape = subjects, len(reference)

    def ask_on(upward: Flags) -> Callable[[Floats], Whole]:
        def ask(q: Floats) -> Whole:
            chosen = draw_answers(mixed(upward, q) - reference, noise, chance, steps.askings)
            # Lotteries improve along y and worsen along x. So choices are counted in such a way that they increase with
            # q on both axes.
            return np.where(upward, chosen, steps.askings - chosen)

        return ask

    sure = ask_on(np.ones(shape, dtype=bool))(np.zeros(shape))
    upward = ~steps.is_majority(sure)
    ask = ask_on(upward)
    far = ask(np.ones(shape))
    outcome = np.where(steps.is_majority(far), POINT, CENSORED)
    ends = [(np.zeros(shape), np.where(upward, sure, steps.askings - sure)), (np.ones(shape), far)]
    sequences = _bisect(ends, outcome, ask, upward, steps)
    return replace(
        sequences, chosen=np.where(upward[..., np.newaxis], sequences.chosen, sequences.answers - sequences.chosen)
    )


def _bisect(
    ends: list[tuple[Floats, Whole]],
    outcome: Whole,
    ask: Callable[[Floats], Whole],
    upward: Flags,
    steps: SequenceSteps,
) -> Sequences:
    """Bisect the sequences in which the choices at the two ends differ."""
    low, high = np.zeros(outcome.shape), np.ones(outcome.shape)
    points, counts = [place for place, _ in ends], [chosen for _, chosen in ends]
    for _ in range(steps.bisections):
        middle = (low + high) / 2
        chosen = ask(middle)
        above = steps.is_majority(chosen)
        high, low = np.where(above, middle, high), np.where(above, low, middle)
        points.append(middle)
        counts.append(chosen)
    reversing = (outcome == POINT)[..., np.newaxis]
    answers = np.where((np.arange(len(points)) < ENDS) | reversing, steps.askings, 0)
    value = np.where(outcome == POINT, (low + high) / 2, np.where(outcome == CENSORED, 1.0, np.nan))
    chosen = np.where(answers > 0, np.stack(counts, -1), 0)
    return Sequences(np.stack(points, -1), chosen, answers, outcome, value, upward)


def draw_answers(advantage: Floats, noise: float | Floats, chance: np.random.Generator, askings: int) -> Whole:
    """Draw at random, and return, the number of askings in which the option with this advantage is chosen."""
    if np.all(np.asarray(noise) == 0):
        sure = (advantage > 0).astype(np.int64) * askings
        # Smaller differences are rounding errors.
        tied = np.abs(advantage) < 1e-12
        return np.where(tied, chance.binomial(askings, 0.5, advantage.shape), sure)
    with np.errstate(over="ignore"):
        return chance.binomial(askings, 1 / (1 + np.exp(-advantage / noise)))
