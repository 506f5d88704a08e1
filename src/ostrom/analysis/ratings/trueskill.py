"""TrueSkill for free-for-all games (Herbrich, Minka and Graepel, "TrueSkill: a Bayesian skill rating system", NIPS
2006), written with arrays. One call rates many independent games with the same number of seats.

First, the outcome of a comparison gives the first two moments of the difference between two performances. They are the
moments of a normal distribution that is truncated by the outcome.

Let t be the difference and e the draw margin, both in standard deviations. In the paper, V is the shift of the mean,
and W is the share of the variance that the outcome removes. Wins and draws use one formula. Each outcome is an
interval, and most of the mass is at one end, the near end. The interval of a win is bounded by the margin at the near
end and unbounded at the far end. The interval of a draw has the margin at both ends, and the near end is on the side of
the mean. Densities and masses are divided by the density at the near end, which turns Φ into the scaled erfcx, so that
nothing underflows in the tails: Φ(-y) = φ(y) · √(π/2) · erfcx(y/√2).

Then messages give the performance of each seat from the outcome of a game. Every seat is a separate team. Neighbours in
the ranking are linked by the difference of their performances, which the outcome truncates, so the factor graph is a
chain. Messages run along the chain forward and back until none changes by more than `TOLERANCE`, at most `MAX_SWEEPS`
times. This is the schedule of the `trueskill` package, so that both programs agree game by game and not only in the
limit.

Arrays have the shape (seats, columns). Each column is a game, with its seats sorted from the best to the worst. Many
games are computed in each step. A game that has converged keeps its messages while the others continue, so games do not
depend on each other.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.core import InputError
from ostrom.core.estimates import Floats

_ROOT_PI = 1 / math.sqrt(math.pi)
_UNBOUNDED = 1e10
_LOG_ZERO = -600.0
"""The logarithm of a density that is negligible, even when multiplied by an infinite bound."""


class Scratch(NamedTuple):
    """Scratch arrays, reused in every step. The first fields are arrays of two rows. Each of these arrays is followed
    by its two rows as views. The last fields are arrays of one row."""

    ends: Floats
    near_end: Floats
    far_end: Floats
    mass: Floats
    near_mass: Floats
    far_mass: Floats
    squares: Floats
    near_square: Floats
    far_square: Floats
    toward: Floats
    far: Floats
    density: Floats
    drop: Floats
    v: Floats


def scratch(columns: int) -> Scratch:
    """Return scratch arrays for this number of comparisons."""
    return Scratch(*with_rows(np.empty((3, 2, columns))), *np.empty((5, columns)))


def with_rows(pairs: Floats) -> list[Floats]:
    """Return each array of two rows, followed by its first row and its second row."""
    return [part for pair in pairs for part in (pair, pair[0], pair[1])]


class ComparisonOutcome(NamedTuple):
    """The outcomes of comparisons. In each column, the first seat beat the second, or the two seats drew."""

    ends: Floats
    """(2, columns) The near end and the far end of the interval, relative to a mean of 0."""
    pull: Floats
    """(columns,) A number for each comparison. This number minus the mean is positive if the outcome increases the
    mean. A win always increases the mean."""

    def cut(self, mean: Floats, doubled: Floats, shift: Floats, taken: Floats, scratch: Scratch) -> None:
        """Compute how the outcome changes a difference, given its mean and its doubled variance, (columns,). The mean
        moves by `shift`, which is V times the standard deviation. The variance loses the share `taken`, which is W.
        Both results are written into the given arrays."""
        from scipy.special import erfcx

        ends, near_end, far_end, mass, near_mass, far_mass, squares, near_square, far_square, *rows = scratch
        toward, far, density, drop, v = rows
        # Units of √2 standard deviations remove the factors of erfcx.
        np.sqrt(doubled, toward)
        np.divide(self.ends, toward, ends)
        np.subtract(self.pull, mean, v)
        np.copysign(toward, v, toward)
        np.divide(mean, toward, v)
        np.subtract(ends, v, ends)
        erfcx(ends, mass)
        np.multiply(ends, ends, squares)
        # This is the density at the far end relative to the near end. Values that would underflow are set to about 0.
        np.subtract(near_square, far_square, far)
        np.maximum(far, _LOG_ZERO, out=far)
        np.exp(far, far)
        np.multiply(far, far_mass, far_mass)
        np.subtract(near_mass, far_mass, density)
        np.divide(_ROOT_PI, density, density)
        np.subtract(1, far, drop)
        np.multiply(density, drop, v)
        np.multiply(v, toward, shift)
        # 2 · density · (far density · far end - near end + density · drop²)
        np.multiply(v, drop, v)
        np.multiply(far, far_end, far)
        np.subtract(far, near_end, far)
        np.add(far, v, far)
        np.add(density, density, density)
        np.multiply(far, density, taken)


def outcomes(draws: npt.NDArray[np.bool_], margin: float) -> list[ComparisonOutcome]:
    """Return the outcomes of comparisons (comparisons, columns). Two seats draw if their performances differ by less
    than the margin."""
    ends = np.where(draws[:, None], [[-margin], [margin]], [[margin], [_UNBOUNDED]])
    return list(map(ComparisonOutcome, ends, np.where(draws, 0.0, _UNBOUNDED)))


TOLERANCE = 0.0001
MAX_SWEEPS = 10
_MIN_VARIANCE_SHARE = 2.0**-40
"""The smallest share of its variance that a difference keeps. Far in the tails, this share is a difference between
nearly equal numbers, and a rounding error must not make it 0."""

Flags = npt.NDArray[np.bool_]


class Message(NamedTuple):
    """A message about performances. It has a precision (1/variance) and a weight (mean/variance), because messages are
    combined by adding these."""

    precision: Floats
    weight: Floats


def outcome_message(mean: Floats, variance: Floats, tied: Flags, margin: float) -> Message:
    """Return the message of the outcome about performances with these means and variances, (seats, columns). `tied`
    (seats - 1, columns) is true if a seat tied with the next seat."""
    chain = _Chain(mean, variance, tied, margin)
    if len(mean) == 2:
        chain.compare_two()
    else:
        chain.settle()
    return chain.message()


class _Chain:
    """The chain of seats and differences. Difference d lies between seat d on its left and seat d + 1 on its right. For
    each difference, `left` and `right` have the mean and variance of these two seats, given all other information.

    Two conventions save work in every step. First, means on the right have the opposite sign. So a difference is a sum,
    and a step uses the same formula in both directions. A seat's mean changes its sign whenever the steps move across
    it. Second, variances are doubled, and precisions and weights are halved.
    """

    def __init__(self, mean: Floats, variance: Floats, tied: Flags, margin: float) -> None:
        seats, columns = mean.shape
        self.last = seats - 2
        """The last difference, and the number of steps in each direction."""
        self.outcomes = outcomes(tied, margin)
        self.expected = np.empty((seats, 2, columns))
        """The weight and precision of each seat."""
        doubled = variance + variance
        np.divide(mean, doubled, out=self.expected[:, 0])
        np.divide(1, doubled, out=self.expected[:, 1])
        self.sides = np.empty((2, seats - 1, 2, columns))
        self.left, self.right = self.sides
        self.left[:, 0], self.left[:, 1] = mean[:-1], doubled[:-1]
        np.negative(mean[1:], out=self.right[:, 0])
        self.right[:, 1] = doubled[1:]
        self.done = np.empty((4, max(2 * self.last, 1), columns))
        """For each step of a sweep, in order: the mean and doubled variance of the difference, and the changes of both
        by truncation."""
        self.cuts = np.zeros((2, self.done.shape[1], columns))
        """The message of the truncation about the difference, as precision and weight."""

    def compare_two(self) -> None:
        """Compare two seats. A single difference needs no iteration."""
        self.done[:2, 0] = self.left[0] + self.right[0]
        mean, doubled, shift, taken = self.done[:, 0]
        self.outcomes[0].cut(mean, doubled, shift, taken, scratch(len(mean)))
        self.cuts = _messages(*self.done)

    def settle(self) -> None:
        """Sweep until every game has converged."""
        steps = self.steps()
        # For a converged game, the sides and the first and last differences are stored separately.
        sides, ends = np.empty_like(self.sides), np.empty_like(self.cuts[:, :2])
        running = np.ones(self.sides.shape[-1], dtype=bool)
        for sweep in range(1, MAX_SWEEPS + 1):
            for step in steps:
                step.take()
            change = self.change()
            stopping = running & (change <= TOLERANCE) if sweep < MAX_SWEEPS else running
            if stopping.any():
                np.copyto(sides, self.sides, where=stopping)
                np.copyto(ends, self.cuts[:, : self.last + 1 : self.last], where=stopping)
                running = running & ~stopping
                if not running.any():
                    break
        self.left, self.right = sides
        self.cuts = ends

    def steps(self) -> list["_Step"]:
        """Return the steps forward and back along the chain."""
        left, right, expected, last = self.left, self.right, self.expected, self.last
        turned = expected * [[-1.0], [1.0]]
        forth = [(d, right[d], expected[d + 1], left[d + 1]) for d in range(last)]
        back = [(d, left[d], turned[d], right[d - 1]) for d in range(last, 0, -1)]
        columns = self.done.shape[-1]
        room = (scratch(columns), *with_rows(np.empty((2, 2, columns))))
        return [
            _Step(self.outcomes[d], left[d], right[d], other, seat, into, note[:2], *note, *room)
            for (d, other, seat, into), note in zip(forth + back, self.done.swapaxes(0, 1), strict=True)
        ]

    def change(self) -> Floats:
        """Return the largest change of a message about a difference since the previous message, (columns,)."""
        earlier, now, last = self.cuts, _messages(*self.done), self.last
        # Compare the forward steps with the previous sweep, and the steps back with the forward steps of this sweep.
        before = np.concatenate((earlier[:, :1], earlier[:, : last - 1 : -1], now[:, last - 1 : 0 : -1]), axis=1)
        before -= now
        precision, weight = np.abs(before, out=before).max(axis=1)
        self.cuts = now
        return np.asarray(np.maximum(np.sqrt(precision), weight))

    def message(self) -> Message:
        """Return the message of the differences on both sides of each seat."""
        weight, precision = self.expected[1:-1, 0], self.expected[1:-1, 1]
        total = np.empty((2, *self.expected.shape[::2]))
        total[:, 0] = _passed_on(self.cuts[:, 0], self.right[0])
        total[:, -1] = _passed_on(self.cuts[:, -1], self.left[-1])
        total[1, -1] *= -1
        # The sweeps have updated the inner seats. The message to such a seat is the information from both sides minus
        # the prior.
        above, below = 2 / self.left[1:, 1], 2 / self.right[:-1, 1]
        total[0, 1:-1] = above + below - 4 * precision
        total[1, 1:-1] = above * self.left[1:, 0] - below * self.right[:-1, 0] - 4 * weight
        return Message(*total)


class _Step(NamedTuple):
    """One step, which truncates a difference and updates one of its two seats."""

    outcome: ComparisonOutcome
    left: Floats
    right: Floats
    known: Floats
    """The information about the seat that is not updated, which is `left` or `right`."""
    expected: Floats
    """The prior of the updated seat."""
    into: Floats
    """The information about the updated seat for the next difference."""
    difference: Floats
    """The mean and doubled variance of the difference, in one array and separately."""
    mean: Floats
    variance: Floats
    shift: Floats
    taken: Floats
    scratch: Scratch
    message: Floats
    """A scratch array. All following fields are scratch arrays too, and all steps share them."""
    weight: Floats
    left_over: Floats
    total: Floats
    total_weight: Floats
    precision: Floats

    def take(self) -> None:
        """Compute one step from `left` and `right`, the messages of the two sides. The results are written into the
        other arrays."""
        outcome, left, right, known, expected, into, difference, mean, variance, shift, taken, scratch, *rows = self
        message, weight, left_over, total, total_weight, precision = rows
        np.add(left, right, difference)
        outcome.cut(mean, variance, shift, taken, scratch)
        # The message times the prior is multiplied by the remaining variance. So nothing is divided by 0: if `taken` is
        # 0, there is no message.
        np.multiply(known, taken, message)
        np.add(weight, shift, weight)
        np.subtract(variance, left_over, left_over)
        np.multiply(expected, left_over, total)
        np.subtract(total_weight, weight, weight)
        np.add(precision, taken, precision)
        np.divide(message, precision, into)


def _messages(mean: Floats, doubled: Floats, shift: Floats, taken: Floats) -> Floats:
    """Return the message of truncation about a difference, (2, steps, columns), as precision and weight. It is the
    distribution after truncation divided by the distribution before."""
    left_over = 1 - taken
    np.maximum(left_over, _MIN_VARIANCE_SHARE, out=left_over)
    left_over *= doubled
    np.divide(2, left_over, out=left_over)
    messages = np.empty((2, *taken.shape))
    np.multiply(taken, left_over, out=messages[0])
    weight = np.multiply(mean, taken, out=messages[1])
    weight += shift
    weight *= left_over
    return messages


def _passed_on(cut: Floats, other: Floats) -> Floats:
    """Return the message of a difference about one of its seats, (2, columns), from the message of truncation and the
    information about the other seat. The mean of the other seat has the same sign as in the difference."""
    precision, weight = cut
    mean, doubled = other
    room = 1 + precision * doubled / 2
    return np.stack((precision / room, (weight - precision * mean) / room))


_MIN_DRAW, _MAX_DRAW = 0.0001, 0.9999
"""The bounds of the draw probability. Beyond these bounds, the variance of a drawn difference is below the rounding
error."""


@dataclass(frozen=True)
class TrueSkill:
    """The constants of the model."""

    mu: float = 10.0
    sigma: float = 25 / 3
    beta: float = 25 / 6
    """The standard deviation of a performance in one game."""
    tau: float = 0.0
    """The standard deviation of a skill's change from one game to the next."""
    draw_probability: float = 0.1
    """The probability that equal players draw. It determines the margin within which performances count as equal."""

    def __post_init__(self) -> None:
        if not math.isfinite(self.mu):
            raise InputError(f"mu is {self.mu}; it must be a finite number")
        if not (0 < self.sigma < math.inf and 0 < self.beta < math.inf):
            raise InputError(f"sigma is {self.sigma} and beta {self.beta}; both must be finite and above 0")
        if not 0 <= self.tau < math.inf:
            raise InputError(f"tau is {self.tau}; it must be finite, and 0 or more")
        if self.draw_probability != 0 and not _MIN_DRAW <= self.draw_probability <= _MAX_DRAW:
            raise InputError(
                f"the draw probability is {self.draw_probability}; it must be 0, or from {_MIN_DRAW} to {_MAX_DRAW}"
            )

    @property
    def margin(self) -> float:
        """The difference of performances below which two seats draw."""
        from scipy.special import ndtri

        return float(ndtri((self.draw_probability + 1) / 2)) * math.sqrt(2) * self.beta


class Skills(NamedTuple):
    """Beliefs about skills. They are given as precision (1/σ²) and weight (μ/σ²), because evidence is combined by
    adding these."""

    precision: Floats
    weight: Floats


def rate(model: TrueSkill, skills: Skills, tied: Flags) -> Skills:
    """Return the skills after the games, (seats, columns). Each column is a game with its seats sorted from the best to
    the worst. `tied` (seats - 1, columns) is true if a seat tied with the next seat. Raises `InputError` for a tie if
    the draw probability is 0.

    The chain compares only neighbours, so the order of tied seats matters slightly, as in the `trueskill` package.
    """
    if model.draw_probability == 0 and tied.any():
        raise InputError("a game has a tie, which a draw probability of 0 rules out; it must be above 0 here")
    variance = 1 / skills.precision + model.tau**2
    mean = skills.weight / skills.precision
    noise = model.beta**2
    message = outcome_message(mean, variance + noise, tied, model.margin)
    # A message about a performance contains less information about the skill, because of the noise between the two.
    discount = 1 / (1 + noise * message.precision)
    return Skills(1 / variance + discount * message.precision, mean / variance + discount * message.weight)
