"""What the outcome of a comparison says about the difference of two performances: the first two moments of a normal
distribution cut off by the outcome.

With t the difference in standard deviations and e the draw margin likewise, Herbrich, Minka and Graepel, "TrueSkill:
a Bayesian skill rating system" (NIPS 2006), call V the shift of the mean and W the share of the variance that the
outcome takes away. Wins and draws go through one formula. Both are an interval of which one end, the near one, holds
most of the mass: a win is bounded there by the margin and unbounded at the far end; a draw has the margin at both
ends, and near is the one on the side of the mean. Densities and masses are divided by the density at the near end,
which turns Φ into the scaled erfcx, so that nothing underflows in the tails: Φ(-y) = φ(y) · √(π/2) · erfcx(y/√2)."""

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import erfcx

from ostrom.core.estimates import Floats

_ROOT_PI = 1 / math.sqrt(math.pi)
_UNBOUNDED = 1e10
"""Stands for an end at infinity."""
_NOTHING = -600.0
"""The logarithm of a density that is as good as 0, also when multiplied by an end at infinity."""


class Scratch(NamedTuple):
    """Arrays to compute in, so that none is made anew in every step: pairs with their two rows, then rows."""

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
    """Room for as many comparisons."""
    return Scratch(*with_rows(np.empty((3, 2, columns))), *np.empty((5, columns)))


def with_rows(pairs: Floats) -> list[Floats]:
    """Each pair followed by its two rows."""
    return [part for pair in pairs for part in (pair, pair[0], pair[1])]


class Outcome(NamedTuple):
    """How comparisons came out: in each column the first beat the second, or the two drew."""

    ends: Floats
    """(2, columns) The near end and the far end, as seen from a mean of 0."""
    pull: Floats
    """(columns,) Less the mean, it is positive where the outcome moves the mean up: always after a win."""

    def cut(self, mean: Floats, doubled: Floats, shift: Floats, taken: Floats, scratch: Scratch) -> None:
        """(columns,) How the outcome changes a difference that was expected with this mean and half of this doubled
        variance. The mean moves by `shift`, V times the standard deviation; the variance loses the share `taken` of
        itself, W. Both are written into the arrays given."""
        ends, near_end, far_end, mass, near_mass, far_mass, squares, near_square, far_square, *rows = scratch
        toward, far, density, drop, v = rows
        # In units of √2 standard deviations, which spares the factors of erfcx.
        np.sqrt(doubled, toward)
        np.divide(self.ends, toward, ends)
        np.subtract(self.pull, mean, v)
        np.copysign(toward, v, toward)
        np.divide(mean, toward, v)
        np.subtract(ends, v, ends)
        erfcx(ends, mass)
        np.multiply(ends, ends, squares)
        # The density at the far end, that at the near end being 1; what would underflow is as good as nothing.
        np.subtract(near_square, far_square, far)
        np.maximum(far, _NOTHING, out=far)
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


def outcomes(drawn: npt.NDArray[np.bool_], margin: float) -> list[Outcome]:
    """The outcomes of comparisons (comparisons, columns) in which performances that differ by less than the margin
    draw."""
    ends = np.where(drawn[:, None], [[-margin], [margin]], [[margin], [_UNBOUNDED]])
    return list(map(Outcome, ends, np.where(drawn, 0.0, _UNBOUNDED)))
