"""The adaptive tasks of the battery, time and risk, for many simulated subjects at once: arrays over subjects and
sequences in place of items and answers.

It plays the full protocol with a subject whose answers have logit noise on value divided by the larger amount (without
noise: the better option, and either one where they are equal). Generator and seated subjects say the same one item at a
time; here two hundred runs take about a second, which is what checks of estimators are made of. Draws are NumPy's own:
the same in distribution as those of a table, not in detail."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import numpy.typing as npt

from ostrom.games.battery.risk import OUTCOMES
from ostrom.games.battery.subjects import Economicus
from ostrom.games.battery.theories import YEAR
from ostrom.games.battery.time import TimeRules

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

BISECTIONS = 10
ANSWERS = 3
"""How many answers every step is the majority of."""
POINT, CENSORED, INVALID = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Sequences:
    """What subjects answered: arrays of (subjects, sequences), steps on a third axis. A step that was not asked has no
    answers."""

    asked: Floats
    """The sooner amount in parts of the later one, or the place q on the axis: (subjects, sequences, steps)."""
    chosen: Whole
    """How many of the answers chose the sooner amount, or the lottery on the axis."""
    answers: Whole
    """How many answers were given: 3 or none."""
    outcome: Whole
    """POINT, CENSORED or INVALID."""
    value: Floats
    """The point of indifference; of a censored sequence the bound; not a number where invalid."""
    upward: npt.NDArray[np.bool_]
    """In risk: whether the axis is y, mixes of 1000 and 500."""


@cache
def time_grid() -> Floats:
    """The 72 conditions of the time task: later amount, delay and front-end delay, both in days."""
    rules = TimeRules()
    return np.array(rules.grid) * [1.0, rules.month, rules.month]


@cache
def risk_grid() -> Floats:
    """The 66 reference lotteries: probabilities of 0, 500 and 1000 in twelfths, interior and hypotenuse."""
    cells = [(low, 12 - low - high, high) for high in range(1, 12) for low in range(1, 13 - high)]
    return np.array(cells) / 12


def play_time(subject: Economicus, noise: float, subjects: int, seed: int) -> Sequences:
    """The time task. Step 0 asks for nothing now, step 1 for the full amount now."""
    chance = np.random.default_rng(seed)
    amount, delay, front = time_grid().T
    soon, late = (subject.discount(days / YEAR, amount) for days in (front, front + delay))

    def ask(ratio: Floats) -> Whole:
        return _answers(ratio * soon - late, noise, chance)

    shape = subjects, len(amount)
    at_none, at_all = ask(np.zeros(shape)), ask(np.ones(shape))
    outcome = np.where(_most(at_none), INVALID, np.where(_most(at_all), POINT, CENSORED))
    ends = [(np.zeros(shape), at_none), (np.ones(shape), at_all)]
    return _bisected(ends, outcome, ask, upward=np.zeros(shape, dtype=bool))


def play_risk(subject: Economicus, noise: float, subjects: int, seed: int) -> Sequences:
    """The risk task. Step 0 asks for 500 for sure, which picks the axis; step 1 for its far end, 1000 or 0 for sure."""
    chance = np.random.default_rng(seed)
    reference = subject.valued(risk_grid(), OUTCOMES)
    shape = subjects, len(reference)

    def ask_on(upward: npt.NDArray[np.bool_]) -> Callable[[Floats], Whole]:
        def ask(q: Floats) -> Whole:
            nothing = np.zeros_like(q)
            up, down = np.stack([nothing, 1 - q, q], -1), np.stack([q, 1 - q, nothing], -1)
            mix = np.where(upward[..., np.newaxis], up, down)
            chosen = _answers(subject.valued(mix, OUTCOMES) - reference, noise, chance)
            # On y the axis gets better along its way, on x worse: counted so that a rising q is chosen more and more.
            return np.where(upward, chosen, ANSWERS - chosen)

        return ask

    sure = ask_on(np.ones(shape, dtype=bool))(np.zeros(shape))
    upward = ~_most(sure)
    ask = ask_on(upward)
    far = ask(np.ones(shape))
    outcome = np.where(_most(far), POINT, CENSORED)
    ends = [(np.zeros(shape), np.where(upward, sure, ANSWERS - sure)), (np.ones(shape), far)]
    found = _bisected(ends, outcome, ask, upward)
    return replace(found, chosen=np.where(upward[..., np.newaxis], found.chosen, found.answers - found.chosen))


def _bisected(
    ends: list[tuple[Floats, Whole]], outcome: Whole, ask: Callable[[Floats], Whole], upward: npt.NDArray[np.bool_]
) -> Sequences:
    """Ten halvings of what lies between the ends, where the choice reverses between them."""
    low, high = np.zeros(outcome.shape), np.ones(outcome.shape)
    steps, found = [asked for asked, _ in ends], [chosen for _, chosen in ends]
    for _ in range(BISECTIONS):
        middle = (low + high) / 2
        chosen = ask(middle)
        high, low = np.where(_most(chosen), middle, high), np.where(_most(chosen), low, middle)
        steps.append(middle)
        found.append(chosen)
    reversing = (outcome == POINT)[..., np.newaxis]
    answers = np.where((np.arange(len(steps)) < 2) | reversing, ANSWERS, 0)
    value = np.where(outcome == POINT, (low + high) / 2, np.where(outcome == CENSORED, 1.0, np.nan))
    chosen = np.where(answers > 0, np.stack(found, -1), 0)
    return Sequences(np.stack(steps, -1), chosen, answers, outcome, value, upward)


def _most(chosen: Whole) -> npt.NDArray[np.bool_]:
    return np.asarray(2 * chosen > ANSWERS)


def _answers(advantage: Floats, noise: float, chance: np.random.Generator) -> Whole:
    """How many of three answers choose the option with this advantage."""
    if noise == 0:
        sure = (advantage > 0).astype(np.int64) * ANSWERS
        # The least difference that can be meant; smaller ones are rounding errors.
        tied = np.abs(advantage) < 1e-12
        return np.where(tied, chance.binomial(ANSWERS, 0.5, advantage.shape), sure)
    with np.errstate(over="ignore"):
        return chance.binomial(ANSWERS, 1 / (1 + np.exp(-advantage / noise)))
