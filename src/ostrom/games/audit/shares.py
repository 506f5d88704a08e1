"""The 95 % intervals of an audit's shares of variance. What the shares mean is told in `ostrom.games.audit.effects`.

Of a factor the share is q / (q + rest): q is the mean square of its levels' mean effects, the rest all other parts.

- The interval of q turns a test around. The mean square that is met is c times a noncentral χ² (Patnaik 1949), whose
  mean and variance are those of effects with an error that is known from how they differ between situations. So it
  holds where a wording matters more in one situation than in another, which the residuals of all factors together
  would understate. Near q = 0 only the size of the error counts, far from it only its part along the effects: between
  the two the weight of the latter is the part of the mean square that q would make up. The error itself is uncertain;
  the test is averaged over its χ², so that it is that of F at q = 0 and that of t far from it.
- Of the 5 % by which the test may err, what lies below is 2.5 % (1 − exp(−λ / 2)) and the remainder above (tail
  functions: Puza and O'Neill 2006), where λ is by how much q exceeds the error, over c: exp(−λ / 2) is the part of a
  noncentral χ² that is central. Far from 0 both ends have 2.5 %. At q = 0, below which there is nothing, the lower end
  has all 5 %: a share of 0 is left out where F at 5 % would say so. And the upper end is never below the error itself,
  however small the effects that were met.
- The rest has the interval of the jackknife over situations on the scale of logarithms.
- The two are put together by MOVER (Zou and Donner 2008) on the scale of logarithms.

Of combinations and noise it is that of the jackknife over situations: t, of the shares without each in turn."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import jackknife_reach
from ostrom.core.estimates import Floats
from ostrom.games.audit.variance import ROUNDING, Cells, Means, Parts

_ERRS = 0.05
_STEPS = np.linspace(-4.0, 4.0, 9)
"""Where the χ² of the error is averaged over, in standard deviations of its cube root, which is nearly normal (Wilson
and Hilferty 1931): twice as many change no end by a hundredth of the interval."""
_HALVINGS = 20
_FAR = 40.0
"""No upper end lies further from the estimate, in standard errors of the root: t with 2 degrees of freedom has 4.3."""
_LEAST_REST = 1e-3
"""Of the whole: a rest that is met smaller, or below 0, is taken for this, as it has no logarithm."""


def ends_of(cells: Cells, squares: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats]:
    """The intervals of all shares: of the factors, then of combinations and noise. `squares` are those of the factors'
    mean squares, where they were made for many audits at once."""
    here, without = cells.parts(), cells.parts(1 - np.eye(cells.situations))
    shares = here.shares[0]
    reach = jackknife_reach(without.shares)
    low, high = shares - reach, shares + reach
    if cells.levels:
        named = slice(0, len(cells.levels))
        low[named], high[named] = _of_factors(squares or mean_squares(cells.means()), here, without)
    # An estimate may lie below 0, where no share is: it is its own end.
    return np.minimum(low, shares), np.maximum(high, shares)


def _of_factors(squares: tuple[Floats, Floats], here: Parts, without: Parts) -> tuple[Floats, Floats]:
    """The intervals of the factors' shares, by MOVER of a factor's mean square and of the rest."""
    low, high = squares
    whole = here.whole[0]
    rest = np.maximum(whole - here.factors[0], _LEAST_REST * whole)
    others = np.maximum(without.whole[:, None] - without.factors, _LEAST_REST * whole)
    # The estimate takes off the error that all factors have in common, so it may lie beyond an end that does not.
    met = np.clip(here.factors[0], low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = jackknife_reach(np.log(others))
        down, up = np.log(met) - np.log(low), np.log(high) - np.log(met)
        ends = [
            # The limits where an end or the estimate is 0: the logarithms are beyond all bounds, the end is not.
            np.where(low > 0, met / rest * np.exp(-np.hypot(down, reach)), 0.0),
            np.where(met > 0, met / rest * np.exp(np.hypot(up, reach)), high / rest),
        ]
        return ends[0] / (1 + ends[0]), ends[1] / (1 + ends[1])


def mean_squares(means: Means) -> tuple[Floats, Floats]:
    """The intervals of the mean squares of the factors' true effects."""
    # Without any error the effects are what was met.
    sure = means.error <= ROUNDING + 1e-12 * means.square
    square, error, along = (np.where(sure, 1.0, part) for part in (means.square, means.error, means.along))
    tested = _Tested(means._replace(square=square, error=error, along=along))
    root = np.sqrt(square)
    high = _last(tested.not_too_large, root + _FAR * np.sqrt(np.maximum(along, error / means.breadth)))
    low = _last(tested.too_small, root)
    # What only one situation tells has no error that is known, and so no interval.
    blank = np.where(np.isfinite(means.error), 0.0, np.nan)
    return blank + np.where(sure, means.square, low), blank + np.where(sure, means.square, high)


class _Tested:
    """The tests of what a factor's mean square might be, against the one that was met."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def not_too_large(self, square: Floats) -> npt.NDArray[np.bool_]:
        """Whether one of this size may well be met as small as it was."""
        reached, allowed = self._tails(square)
        return reached >= allowed

    def too_small(self, square: Floats) -> npt.NDArray[np.bool_]:
        """Whether one of this size would hardly be met as large as it was."""
        reached, allowed = self._tails(square)
        return 1 - reached < _ERRS - allowed

    def _tails(self, square: Floats) -> tuple[Floats, Floats]:
        """How often no more would be met than was, and how seldom that may be before it is too seldom."""
        from scipy.special import chndtr

        one = self._means
        weight = square / (square + one.error)
        unit = weight * one.along + (1 - weight) * one.error / one.breadth
        # The size of the error is known from all its directions, its part along the effects from one of them.
        freedom = one.freedom / one.breadth * (weight + (1 - weight) * one.breadth)
        times, chances = _chi_squares(freedom[:, None])
        by = times / unit[:, None]
        among = np.maximum(one.error / unit, 1.0)[:, None]
        reached = np.sum(chances * chndtr(one.square[:, None] * by, among, square[:, None] * by), axis=1)
        return reached, _ERRS / 2 * -np.expm1(-np.maximum(square - one.error, 0.0) / unit / 2)


def _chi_squares(freedom: Floats) -> tuple[Floats, Floats]:
    """What a χ² may be as a multiple of its mean, and with what chance."""
    spread = 2 / (9 * freedom)
    root = np.maximum(1 - spread + np.sqrt(spread) * _STEPS, 1e-3)
    heights = (1.5 * freedom - 1) * np.log(root) - freedom * root**3 / 2
    chances = np.exp(heights - heights.max(axis=1, keepdims=True))
    return root**3, chances / chances.sum(axis=1, keepdims=True)


def _last(holds: Callable[[Floats], npt.NDArray[np.bool_]], most: Floats) -> Floats:
    """The last square for which something holds that holds from 0 on, if it does at all; the root is at most this."""
    low, high = np.zeros_like(most), most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        found = holds(middle**2)
        low, high = np.where(found, middle, low), np.where(found, high, middle)
    return np.asarray(np.where(holds(np.zeros_like(most)), low**2, 0.0), dtype=np.float64)
