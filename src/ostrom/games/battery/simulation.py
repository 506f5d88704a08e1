"""The adaptive tasks of the battery, time and risk, for many simulated subjects at once: arrays over subjects and
sequences in place of items and answers.

It plays the full protocol with a subject whose preference is given as a function and whose answers have logit noise on
value divided by the larger amount (without noise: the better option, and either one where they are equal). Generator
and simulated subjects say the same one item at a time; here two hundred runs take about a second, which is what checks
of estimators are made of. Draws are NumPy's own: the same in distribution as those of a table, not in detail."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

MONTH = 30.42
YEAR = 365.0
AMOUNTS = (10.0, 100.0, 1000.0)
DELAYS = (1, 3, 6, 12, 24, 36, 48, 60)
FRONTS = (0, 1, 12)
BISECTIONS = 10
ANSWERS = 3
"""How many answers every step is the majority of."""
POINT, CENSORED, INVALID = 0, 1, 2

Discount = Callable[[Floats, Floats], Floats]
"""The present value of 1 after some years, given years and later amounts."""
Lottery = Callable[[Floats], Floats]
"""The value of lotteries, given probabilities of 0, 500 and 1000 on the last axis; 1000 for sure is worth 1."""


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
    cells = [(amount, delay * MONTH, front * MONTH) for amount in AMOUNTS for delay in DELAYS for front in FRONTS]
    return np.array(cells)


@cache
def risk_grid() -> Floats:
    """The 66 reference lotteries: probabilities of 0, 500 and 1000 in twelfths, interior and hypotenuse."""
    cells = [(low, 12 - low - high, high) for high in range(1, 12) for low in range(1, 13 - high)]
    return np.array(cells) / 12


def play_time(discount: Discount, noise: float, subjects: int, seed: int) -> Sequences:
    """The time task. Step 0 asks for nothing now, step 1 for the full amount now."""
    chance = np.random.default_rng(seed)
    amount, delay, front = time_grid().T
    soon, late = discount(front / YEAR, amount), discount((front + delay) / YEAR, amount)

    def ask(ratio: Floats) -> Whole:
        return _answers(ratio * soon - late, noise, chance)

    shape = subjects, len(amount)
    at_none, at_all = ask(np.zeros(shape)), ask(np.ones(shape))
    outcome = np.where(_most(at_none), INVALID, np.where(_most(at_all), POINT, CENSORED))
    ends = [(np.zeros(shape), at_none), (np.ones(shape), at_all)]
    return _bisected(ends, outcome, ask, censored=np.ones(shape), upward=np.zeros(shape, dtype=bool))


def play_risk(value: Lottery, noise: float, subjects: int, seed: int) -> Sequences:
    """The risk task. Step 0 asks for 500 for sure, which picks the axis; step 1 for its far end, 1000 or 0 for sure."""
    chance = np.random.default_rng(seed)
    reference = value(risk_grid())
    shape = subjects, len(reference)

    def ask_on(upward: npt.NDArray[np.bool_]) -> Callable[[Floats], Whole]:
        def ask(q: Floats) -> Whole:
            nothing = np.zeros_like(q)
            mix = np.where(
                upward[..., np.newaxis], np.stack([nothing, 1 - q, q], -1), np.stack([q, 1 - q, nothing], -1)
            )
            chosen = _answers(value(mix) - reference, noise, chance)
            # On y the axis gets better along its way, on x worse: counted so that a rising q is chosen more and more.
            return np.where(upward, chosen, ANSWERS - chosen)

        return ask

    sure = ask_on(np.ones(shape, dtype=bool))(np.zeros(shape))
    upward = ~_most(sure)
    ask = ask_on(upward)
    far = ask(np.ones(shape))
    outcome = np.where(_most(far), POINT, CENSORED)
    ends = [(np.zeros(shape), np.where(upward, sure, ANSWERS - sure)), (np.ones(shape), far)]
    found = _bisected(ends, outcome, ask, censored=np.ones(shape), upward=upward)
    axis_chosen = np.where(upward[..., np.newaxis], found.chosen, found.answers - found.chosen)
    return Sequences(found.asked, axis_chosen, found.answers, found.outcome, found.value, upward)


def _bisected(
    ends: list[tuple[Floats, Whole]],
    outcome: Whole,
    ask: Callable[[Floats], Whole],
    *,
    censored: Floats,
    upward: npt.NDArray[np.bool_],
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
    value = np.where(outcome == POINT, (low + high) / 2, np.where(outcome == CENSORED, censored, np.nan))
    return Sequences(
        np.stack(steps, -1), np.where(answers > 0, np.stack(found, -1), 0), answers, outcome, value, upward
    )


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


def exponential(delta: float) -> Discount:
    """δ to the power of years."""
    return lambda years, amounts: delta**years


def quasi_hyperbolic(beta: float, delta: float) -> Discount:
    """β·δ to the power of years for all that is not now (Laibson 1997)."""
    return lambda years, amounts: np.where(years > 0, beta, 1.0) * delta**years


def hyperbolic(k: float) -> Discount:
    """1 / (1 + k·years) (Mazur 1987)."""
    return lambda years, amounts: 1 / (1 + k * years)


def magnitude(years: Floats, amounts: Floats) -> Floats:
    """Exponential with δ = 0.75 + 0.1·log10(amount / 10): the more is at stake, the more patient."""
    return np.asarray((0.75 + 0.1 * np.log10(amounts / 10)) ** years)


def expected_utility(r: float) -> Lottery:
    """Utility x^(1−r), 1000 being worth 1."""
    middle = 0.5 ** (1 - r)
    return lambda lotteries: lotteries[..., 2] + middle * lotteries[..., 1]


def prospect(lotteries: Floats, alpha: float = 0.88, gamma: float = 0.61) -> Floats:
    """Cumulative prospect theory for gains (Tversky, Kahneman 1992)."""

    def weight(p: Floats) -> Floats:
        p = np.clip(p, 0, 1)
        return np.asarray(p**gamma / (p**gamma + (1 - p) ** gamma) ** (1 / gamma))

    best, not_worst = lotteries[..., 2], lotteries[..., 1] + lotteries[..., 2]
    return np.asarray(weight(best) + 0.5**alpha * (weight(not_worst) - weight(best)))
