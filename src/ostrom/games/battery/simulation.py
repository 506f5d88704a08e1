"""The adaptive tasks of the battery, time and risk, for many simulated subjects at once, as arrays over subjects and
sequences.

Subjects answer the full protocol with logit noise on value divided by the larger amount; without noise they choose the
better option, and either one if they are equal. Seated subjects give the same answers one item at a time; here two
hundred runs take about a second, as the checks of estimators need. Draws are NumPy's own: equal in distribution to
those of a table, not in detail."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.games.battery.risk import OUTCOMES
from ostrom.games.battery.subjects import Economicus
from ostrom.games.battery.time import YEAR, TimeRules

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

ANSWERS = 3
"""The number of answers to every step of the full protocol."""
POINT, CENSORED, INVALID = 0, 1, 2


class SequenceSteps(NamedTuple):
    """The length of sequences."""

    bisections: int = 10
    askings: int = ANSWERS

    def most(self, chosen: Whole) -> Flags:
        """Return whether this many answers are a majority."""
        return np.asarray(2 * chosen > self.askings)


FULL = SequenceSteps()


@dataclass(frozen=True, slots=True)
class Sequences:
    """The answers of subjects: arrays of (subjects, sequences), with steps on a third axis. A step that was not asked
    has no answers."""

    asked: Floats
    """The sooner amount as a share of the later one, or the position q on the axis: (subjects, sequences, steps)."""
    chosen: Whole
    """The number of answers that chose the sooner amount, or the lottery on the axis."""
    answers: Whole
    """The number of answers: 3 or 0."""
    outcome: Whole
    """POINT, CENSORED or INVALID."""
    value: Floats
    """The indifference point; the bound if censored; NaN if invalid."""
    upward: Flags
    """In the risk task, true if the axis is y, mixes of 1000 and 500."""


@cache
def time_grid() -> Floats:
    """Return the 72 conditions of the time task: later amount, delay and front-end delay, the last two in days."""
    rules = TimeRules()
    return np.array(rules.grid) * [1.0, rules.month, rules.month]


@cache
def risk_grid() -> Floats:
    """Return the 66 reference lotteries: probabilities of 0, 500 and 1000 in twelfths, interior and hypotenuse."""
    cells = [(low, 12 - low - high, high) for high in range(1, 12) for low in range(1, 13 - high)]
    return np.array(cells) / 12


def play_time(subject: Economicus, noise: float, subjects: int, seed: int) -> Sequences:
    """Play the time task. Step 0 asks for nothing now, step 1 for the full amount now."""
    amount, delay, front = time_grid().T
    soon, late = (subject.discount(days / YEAR, amount) for days in (front, front + delay))
    return bisect_time(soon, late, noise, subjects, np.random.default_rng(seed))


def bisect_time(
    soon: Floats, late: Floats, noise: float, subjects: int, chance: np.random.Generator, steps: SequenceSteps = FULL
) -> Sequences:
    """Play the time task for subjects to whom the full amount is worth `soon` at the sooner and `late` at the later
    date of each sequence."""

    def ask(ratio: Floats) -> Whole:
        return _draw_answers(ratio * soon - late, noise, chance, steps.askings)

    shape = subjects, len(late)
    at_none, at_all = ask(np.zeros(shape)), ask(np.ones(shape))
    outcome = np.where(steps.most(at_none), INVALID, np.where(steps.most(at_all), POINT, CENSORED))
    ends = [(np.zeros(shape), at_none), (np.ones(shape), at_all)]
    return _bisect(ends, outcome, ask, np.zeros(shape, dtype=bool), steps)


def play_risk(subject: Economicus, noise: float, subjects: int, seed: int) -> Sequences:
    """Play the risk task. Step 0 asks for 500 for sure, which selects the axis; step 1 for its far end, 1000 or 0 for
    sure."""

    def mixed(upward: Flags, q: Floats) -> Floats:
        nothing = np.zeros_like(q)
        up, down = np.stack([nothing, 1 - q, q], -1), np.stack([q, 1 - q, nothing], -1)
        return np.asarray(subject.valued(np.where(upward[..., np.newaxis], up, down), OUTCOMES))

    reference = subject.valued(risk_grid(), OUTCOMES)
    return bisect_risk(reference, mixed, noise, subjects, np.random.default_rng(seed))


def bisect_risk(
    reference: Floats,
    mixed: Callable[[Flags, Floats], Floats],
    noise: float,
    subjects: int,
    chance: np.random.Generator,
    steps: SequenceSteps = FULL,
) -> Sequences:
    """Play the risk task for subjects to whom the reference lottery of each sequence is worth `reference`, and the
    lottery at a position on an axis (y if upward) `mixed`."""
    shape = subjects, len(reference)

    def ask_on(upward: Flags) -> Callable[[Floats], Whole]:
        def ask(q: Floats) -> Whole:
            chosen = _draw_answers(mixed(upward, q) - reference, noise, chance, steps.askings)
            # Lotteries improve along y and worsen along x; count so that choices increase with q on both.
            return np.where(upward, chosen, steps.askings - chosen)

        return ask

    sure = ask_on(np.ones(shape, dtype=bool))(np.zeros(shape))
    upward = ~steps.most(sure)
    ask = ask_on(upward)
    far = ask(np.ones(shape))
    outcome = np.where(steps.most(far), POINT, CENSORED)
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
    """Bisect the sequences whose choice reverses between the ends."""
    low, high = np.zeros(outcome.shape), np.ones(outcome.shape)
    points, counts = [place for place, _ in ends], [chosen for _, chosen in ends]
    for _ in range(steps.bisections):
        middle = (low + high) / 2
        chosen = ask(middle)
        above = steps.most(chosen)
        high, low = np.where(above, middle, high), np.where(above, low, middle)
        points.append(middle)
        counts.append(chosen)
    reversing = (outcome == POINT)[..., np.newaxis]
    answers = np.where((np.arange(len(points)) < 2) | reversing, steps.askings, 0)
    value = np.where(outcome == POINT, (low + high) / 2, np.where(outcome == CENSORED, 1.0, np.nan))
    chosen = np.where(answers > 0, np.stack(counts, -1), 0)
    return Sequences(np.stack(points, -1), chosen, answers, outcome, value, upward)


def _draw_answers(advantage: Floats, noise: float, chance: np.random.Generator, askings: int) -> Whole:
    """Draw how many of the askings choose the option with this advantage."""
    if noise == 0:
        sure = (advantage > 0).astype(np.int64) * askings
        # Smaller differences are rounding errors.
        tied = np.abs(advantage) < 1e-12
        return np.where(tied, chance.binomial(askings, 0.5, advantage.shape), sure)
    with np.errstate(over="ignore"):
        return chance.binomial(askings, 1 / (1 + np.exp(-advantage / noise)))
