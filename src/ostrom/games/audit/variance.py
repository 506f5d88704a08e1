"""The parts of the variance of decisions in an audit, and the 95 % intervals of their shares. The parts are computed by
least squares over cells, with corrections that make every part unbiased. `ostrom.games.audit.effects` defines the
parts.

The share of a factor is q / (q + rest), where q is the mean square of its levels' mean effects and the rest is the sum
of all other parts.

- The interval of q inverts a test. The observed mean square is modelled as c times a noncentral χ² (Patnaik 1949), with
  the mean and variance of the effects. Their error is estimated from the differences between situations. So the
  interval is also valid if a wording matters more in one situation than in another; the residuals of all factors
  together would understate this error. Near q = 0 only the size of the error matters, and far from 0 only its component
  along the effects. In between, the weight of this component is the share of q in the mean square. The error itself is
  uncertain. The test is averaged over the χ² of the error, so that it is an F test at q = 0 and a t test far from 0.
- The test has a level of 5 %, which is divided between its tails (by tail functions: Puza and O'Neill 2006). The lower
  tail has 2.5 % (1 − exp(−λ / 2)) and the upper tail the remainder. Here λ is the excess of q over the error, divided
  by c, and exp(−λ / 2) is the central part of a noncentral χ². Far from 0 both tails have 2.5 %. At q = 0, the least
  possible value, the lower end has all 5 %, so that a share of 0 is excluded if an F test at 5 % rejects it. The upper
  end is never below the error itself, even if the observed effects are very small.
- The interval of the rest is the jackknife interval over situations on a logarithmic scale.
- MOVER (Zou and Donner 2008) combines the intervals of q and of the rest on a logarithmic scale.

The intervals of combinations and noise are jackknife t intervals over situations. They are computed from the shares
without each situation in turn."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.analysis.intervals import jackknife_reach
from ostrom.core import InputError
from ostrom.core.chance import key_of, uniform_rows

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

SEED = 736
ROUNDING = 1e-18
"""Variances up to this count as 0."""
_SINGLE_SITUATION_TOLERANCE = 1e-9
"""If the other situations contribute less than this share of the information on a factor, one situation counts as the
only source of information on it."""


class AskedQuestion(NamedTuple):
    """One question in its framing, with the decision."""

    situation: int
    cell: int
    """The number of the question's framing. Questions with the same situation and the same cell are identical."""
    levels: Mapping[str, str]
    value: float
    """The decision, from 0 to 1."""


class VarianceParts(NamedTuple):
    """The parts of the variance, with one row for each selection of situations."""

    factors: Floats
    between: Floats
    """The variance of the mean decisions of cells within a situation."""
    noise: Floats

    @property
    def whole(self) -> Floats:
        """The variance of decisions within a situation."""
        return self.between + self.noise

    @property
    def shares(self) -> Floats:
        """(selections, parts) The parts as shares of `whole`. There is one part for each factor, followed by
        combinations and noise."""
        parts = np.column_stack([self.factors, self.between - self.factors.sum(axis=1), self.noise])
        whole = self.whole[:, None]
        return np.asarray(np.divide(parts, whole, out=np.full_like(parts, np.nan), where=whole > ROUNDING))


class Means(NamedTuple):
    """The size of each factor's mean effects, and the error of this size. The error is estimated from the differences
    between situations."""

    square: Floats
    """The mean square of the observed effects, including their error."""
    error: Floats
    """The part of `square` that is due to error."""
    along: Floats
    """The component of the error in the direction of the observed effects."""
    breadth: Floats
    """The effective number of dimensions of the error. If the error is equal in all directions, this is the number of
    levels minus one. Otherwise it is lower."""
    freedom: Floats
    """The degrees of freedom of the error."""


@dataclass(frozen=True)
class Cells:
    """The mean decision of every cell, and the level of every factor in it. A cell is one framing of one situation."""

    levels: Mapping[str, tuple[str, ...]]
    """The varied factors with their levels, in order of appearance."""
    codes: Mapping[str, Whole]
    """For each factor, the number of its level in every cell."""
    situation: Whole
    values: Floats
    repeats: Whole
    """The number of answers in each cell."""
    within: Floats
    """The sum of squares between answers to the same question, by situation."""

    @classmethod
    def of(cls, questions: Sequence[AskedQuestion]) -> "Cells":
        """Return the cells of these answers. Raise `InputError` if there are fewer than 2 situations."""
        grouped: dict[tuple[int, int], list[AskedQuestion]] = {}
        for question in sorted(questions, key=lambda question: (question.situation, question.cell)):
            grouped.setdefault((question.situation, question.cell), []).append(question)
        numbers = {situation: place for place, situation in enumerate(dict.fromkeys(key[0] for key in grouped))}
        if len(numbers) < 2:
            raise InputError("an audit needs answers in at least 2 situations")
        answers = [np.asarray([question.value for question in cell]) for cell in grouped.values()]
        firsts = [cell[0].levels for cell in grouped.values()]
        named = {name: tuple(dict.fromkeys(question.levels[name] for question in questions)) for name in firsts[0]}
        levels = {name: values for name, values in named.items() if len(values) > 1}
        situation = np.asarray([numbers[key[0]] for key in grouped])
        return cls(
            levels=levels,
            codes={name: np.asarray([levels[name].index(framing[name]) for framing in firsts]) for name in levels},
            situation=situation,
            values=np.asarray([float(np.mean(values)) for values in answers]),
            repeats=np.asarray([len(values) for values in answers]),
            within=np.bincount(situation, [float(np.sum((v - v.mean()) ** 2)) for v in answers]).astype(np.float64),
        )

    @property
    def situations(self) -> int:
        return len(self.within)

    @cached_property
    def columns(self) -> dict[str, slice]:
        """For each factor, the columns of the design that contain its contrasts."""
        ends = np.cumsum([len(names) - 1 for names in self.levels.values()]).tolist()
        return {
            name: slice(end - len(names) + 1, end) for end, (name, names) in zip(ends, self.levels.items(), strict=True)
        }

    @cached_property
    def design(self) -> Floats:
        """(cells, contrasts) Sum-to-zero contrasts of every factor, minus each situation's mean."""
        blocks = [contrasts(len(names))[self.codes[name]] for name, names in self.levels.items()]
        return self._centred(np.hstack(blocks)) if blocks else np.empty((len(self.values), 0))

    @cached_property
    def decisions(self) -> Floats:
        """(cells, 1) The mean decisions, minus each situation's mean."""
        return self._centred(self.values[:, None])

    def _centred(self, rows: Floats) -> Floats:
        place = np.eye(self.situations)[self.situation]
        means = place.T @ rows / place.sum(axis=0)[:, None]
        return np.asarray(rows - means[self.situation], dtype=np.float64)

    @cached_property
    def solution(self) -> Floats:
        """(contrasts, cells) The matrix of the least-squares estimates."""
        return np.asarray(np.linalg.pinv(self.design), dtype=np.float64)

    @cached_property
    def residual_freedom(self) -> int:
        """The degrees of freedom of the residuals."""
        used = int(np.linalg.matrix_rank(self.design)) if self.design.size else 0
        return len(self.values) - self.situations - used

    def effects(self, name: str, estimates: Floats) -> Floats:
        """(levels, …) Return the effect of each level of a factor. `estimates` contains the estimates of its contrasts
        (contrasts, …)."""
        return np.asarray(contrasts(len(self.levels[name])) @ estimates[self.columns[name]], dtype=np.float64)

    @cached_property
    def residuals(self) -> Floats:
        """(cells, 1) The decisions minus the fit of all factors."""
        return np.asarray(self.decisions - self.design @ (self.solution @ self.decisions))

    @cached_property
    def errors(self) -> Floats:
        """For each factor, the part of the mean square of its estimated effects that comes from estimation error."""
        if self.residual_freedom < 1:
            raise InputError("there are too few answers for this many factors; use more situations")
        error = float(np.sum(self.residuals**2)) / self.residual_freedom
        spread = self.solution @ self.solution.T
        errors = []
        for name, place in self.columns.items():
            code = contrasts(len(self.levels[name]))
            errors.append(error * float(np.trace(code @ spread[place, place] @ code.T)) / len(code))
        return np.asarray(errors, dtype=np.float64)

    def means(self) -> Means:
        """Return the factors' mean effects, with errors clustered by situation."""
        return Means(*np.transpose([self._mean(name) for name in self.levels]))

    def _mean(self, name: str) -> tuple[float, float, float, float, float]:
        """Return the fields of `Means` for one factor."""
        effects = self.effects(name, self.solution)
        levels, every = len(effects), np.arange(self.situations)
        cells = [self.situation == situation for situation in every]
        by = [(effects[:, part], self.design[part], self.residuals[part, 0]) for part in cells]
        # This is each situation's contribution to the error of the effects, and the covariance that it would have if
        # all cells had error 1. The fit removes a part of the error. This scaling is exact if cells have equal errors,
        # and so are the degrees of freedom (Bell and McCaffrey 2002).
        contributions = np.stack([share @ rest for share, _, rest in by], axis=1)
        fitted = np.concatenate([share @ design for share, design, _ in by])
        covariance = -(fitted @ (self.solution @ self.solution.T) @ fitted.T).reshape(
            self.situations, levels, self.situations, levels
        )
        covariance[every, :, every] += np.stack([share @ share.T for share, _, _ in by])
        trace, true = float(np.einsum("nlnl->", covariance)), effects @ effects.T
        if trace <= _SINGLE_SITUATION_TOLERANCE * np.trace(true):
            return (np.nan,) * 5
        spread = contributions @ contributions.T * (np.trace(true) / trace)
        estimates = (effects @ self.decisions)[:, 0]
        freedom, directions = trace**2 / float(np.sum(covariance**2)), np.trace(true) ** 2 / float(np.sum(true**2))
        size = float(np.trace(spread))
        # The breadth of the error is its squared size divided by its sum of squares. Both are corrected for the bias of
        # few degrees of freedom (Bai and Saranadasa 1996).
        freedom_each = max(freedom / directions, 1.5)
        squares = (
            freedom_each**2
            / ((freedom_each - 1) * (freedom_each + 2))
            * (float(np.sum(spread**2)) - size**2 / freedom_each)
        )
        breadth = directions if squares <= 0 else float(np.clip(size**2 / squares - 2 / freedom_each, 1.0, directions))
        length = float(estimates @ estimates)
        along = float(estimates @ spread @ estimates) / length if length > ROUNDING else size / breadth
        return length / levels, size / levels, along / levels, breadth, freedom * breadth / directions

    def parts(self, picked: Floats | None = None) -> VarianceParts:
        """Return all parts of the variance. They are computed over all situations or, for each row of `picked`, over
        the situations that have a 1 in that row."""
        rows = np.ones((1, self.situations)) if picked is None else picked
        # If fewer situations are selected, errors are larger in proportion.
        errors = self.errors * (self.situations / rows.sum(axis=1))[:, None]
        estimates = self._estimates(rows)
        squares = [np.mean(self.effects(name, estimates) ** 2, axis=0) for name in self.levels]
        factors = np.stack(squares, axis=1) - errors if squares else np.empty((len(rows), 0))
        count = np.bincount(self.situation)
        freedom = rows @ np.bincount(self.situation, self.repeats - 1)
        noise = np.divide(rows @ self.within, freedom, out=np.full(len(rows), np.nan), where=freedom > 0)
        between = np.bincount(self.situation, self.decisions[:, 0] ** 2) / count
        # A cell's mean includes a part of the noise, minus the part that is in the situation's mean.
        carried = np.bincount(self.situation, 1 / self.repeats) * (1 - 1 / count) / count
        return VarianceParts(factors, (rows @ between - noise * (rows @ carried)) / rows.sum(axis=1), noise)

    @cached_property
    def _products(self) -> tuple[Floats, Floats]:
        """The cross products of each situation for least squares. They are arrays (situations, contrasts, contrasts)
        and (situations, contrasts)."""
        width = self.design.shape[1]
        squares, products = np.zeros((self.situations, width, width)), np.zeros((self.situations, width))
        for number in range(self.situations):
            part = self.situation == number
            squares[number] = self.design[part].T @ self.design[part]
            products[number] = self.design[part].T @ self.decisions[part, 0]
        return squares, products

    def _estimates(self, rows: Floats) -> Floats:
        """(contrasts, selections) Return the least-squares estimates over the selected situations."""
        squares, products = self._products
        inverse = np.linalg.pinv(np.tensordot(rows, squares, 1), hermitian=True, rcond=1e-9)
        return np.asarray(np.einsum("dij,dj->id", inverse, rows @ products), dtype=np.float64)

    def chance(self, name: str, shuffles: int) -> float:
        """Return the p-value of a factor: the share of shuffles whose F statistic is at least the observed one. The
        residuals of a fit of the other factors are shuffled within every situation (Freedman and Lane 1983)."""
        others = np.delete(self.design, self.columns[name], axis=1)
        residuals = self.decisions - others @ (np.linalg.pinv(others) @ self.decisions)
        low, high = (np.uint64(word) for word in key_of(SEED))
        numbers = np.arange(shuffles, dtype=np.uint64)
        shuffled = np.empty((len(residuals), shuffles))
        for situation in range(self.situations):
            places = np.flatnonzero(self.situation == situation)
            uniforms = [uniform_rows((low, high), numbers, f"shuffle {name}", situation, int(i)) for i in places]
            shuffled[places] = residuals[places, 0][np.argsort(np.stack(uniforms), axis=0)]
        reached = np.sum(self._ratio(name, shuffled) >= self._ratio(name, residuals)[0] * (1 - 1e-9))
        return float(1 + reached) / (1 + shuffles)

    def _ratio(self, name: str, rows: Floats) -> Floats:
        """Return the mean square of a factor's effects relative to that of the residuals."""
        estimates = self.solution @ rows
        residual = np.sum((rows - self.design @ estimates) ** 2, axis=0)
        return np.asarray(np.mean(self.effects(name, estimates) ** 2, axis=0) / np.maximum(residual, ROUNDING))


def contrasts(levels: int) -> Floats:
    """(levels, levels − 1) Return a coding of the levels by contrasts, with which the effects of the levels sum to
    zero."""
    return np.vstack([np.eye(levels - 1), -np.ones(levels - 1)])


_ALPHA = 0.05
_STEPS = np.linspace(-4.0, 4.0, 9)
"""The nodes for averaging over the χ² of the error. They are in standard deviations of its cube root, which is nearly
normal (Wilson and Hilferty 1931). Twice as many nodes would move the ends of intervals by less than a hundredth of
their length."""
_HALVINGS = 20
_MAX_STANDARD_ERRORS = 40.0
"""The largest distance between the upper end of an interval and the estimate, in standard errors on the square-root
scale. For comparison, the 97.5 % quantile of t with 2 degrees of freedom is 4.3."""
_MIN_REST = 1e-3
"""The smallest value of the rest as a share of the whole. Lower values are replaced by it, since negative numbers have
no logarithm."""


def share_intervals(cells: Cells, squares: tuple[Floats, Floats] | None = None) -> tuple[Floats, Floats]:
    """Return the intervals of all shares: those of the factors, then those of combinations and noise. `squares` has the
    intervals of the factors' mean squares if they were already computed, as is done for many audits at once."""
    parts, without = cells.parts(), cells.parts(1 - np.eye(cells.situations))
    shares = parts.shares[0]
    reach = jackknife_reach(without.shares)
    low, high = shares - reach, shares + reach
    if cells.levels:
        named = slice(0, len(cells.levels))
        low[named], high[named] = _factor_intervals(squares or mean_squares(cells.means()), parts, without)
    # An estimate may be negative, although a share is not. Such an estimate then becomes the end of the interval.
    return np.minimum(low, shares), np.maximum(high, shares)


def _factor_intervals(
    squares: tuple[Floats, Floats], parts: VarianceParts, without: VarianceParts
) -> tuple[Floats, Floats]:
    """Return the intervals of the factors' shares. MOVER computes them from a factor's mean square and the rest."""
    low, high = squares
    total = parts.whole[0]
    rest = np.maximum(total - parts.factors[0], _MIN_REST * total)
    others = np.maximum(without.whole[:, None] - without.factors, _MIN_REST * total)
    # The estimate is reduced by an error that all factors share, but the interval's ends are not always. So the
    # estimate may be outside the interval.
    observed = np.clip(parts.factors[0], low, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = jackknife_reach(np.log(others))
        down, up = np.log(observed) - np.log(low), np.log(high) - np.log(observed)
        ends = [
            # If an end or the estimate is 0, its logarithm diverges, but the end of the interval does not. These are
            # the limits.
            np.where(low > 0, observed / rest * np.exp(-np.hypot(down, reach)), 0.0),
            np.where(observed > 0, observed / rest * np.exp(np.hypot(up, reach)), high / rest),
        ]
        return ends[0] / (1 + ends[0]), ends[1] / (1 + ends[1])


def mean_squares(means: Means) -> tuple[Floats, Floats]:
    """Return the intervals of the mean squares of the factors' true effects."""
    # Without error, the true effects equal the observed ones.
    sure = means.error <= ROUNDING + 1e-12 * means.square
    square, error, along = (np.where(sure, 1.0, part) for part in (means.square, means.error, means.along))
    test = _SquareTest(means._replace(square=square, error=error, along=along))
    root = np.sqrt(square)
    high = _last_square(
        test.not_too_large, root + _MAX_STANDARD_ERRORS * np.sqrt(np.maximum(along, error / means.breadth))
    )
    low = _last_square(test.too_small, root)
    # Effects that are known from a single situation have no known error, so they have no interval.
    blank = np.where(np.isfinite(means.error), 0.0, np.nan)
    return blank + np.where(sure, means.square, low), blank + np.where(sure, means.square, high)


class _SquareTest:
    """Tests of hypothetical mean squares of a factor against the observed one."""

    def __init__(self, means: Means) -> None:
        self._means = means

    def not_too_large(self, square: Floats) -> npt.NDArray[np.bool_]:
        """Return whether the hypothesis of a mean square of this size is compatible with an observation as small as the
        observed one."""
        reached, allowed = self._tails(square)
        return reached >= allowed

    def too_small(self, square: Floats) -> npt.NDArray[np.bool_]:
        """Return whether a mean square of this size is too small to explain the observation."""
        reached, allowed = self._tails(square)
        return 1 - reached < _ALPHA - allowed

    def _tails(self, square: Floats) -> tuple[Floats, Floats]:
        """Return the probability of an observation that is at most as large as the observed one, and the smallest
        probability that the test accepts."""
        from scipy.special import chndtr

        means = self._means
        weight = square / (square + means.error)
        unit = weight * means.along + (1 - weight) * means.error / means.breadth
        # At q = 0, all directions together estimate the size of the error. Far from 0, a single direction estimates the
        # component of the error along the effects.
        freedom = means.freedom / means.breadth * (weight + (1 - weight) * means.breadth)
        times, chances = _chi_squares(freedom[:, None])
        by = times / unit[:, None]
        among = np.maximum(means.error / unit, 1.0)[:, None]
        reached = np.sum(chances * chndtr(means.square[:, None] * by, among, square[:, None] * by), axis=1)
        return reached, _ALPHA / 2 * -np.expm1(-np.maximum(square - means.error, 0.0) / unit / 2)


def _chi_squares(freedom: Floats) -> tuple[Floats, Floats]:
    """Return nodes that approximate a χ² distribution divided by its mean, with their probabilities."""
    spread = 2 / (9 * freedom)
    root = np.maximum(1 - spread + np.sqrt(spread) * _STEPS, 1e-3)
    heights = (1.5 * freedom - 1) * np.log(root) - freedom * root**3 / 2
    chances = np.exp(heights - heights.max(axis=1, keepdims=True))
    return root**3, chances / chances.sum(axis=1, keepdims=True)


def _last_square(holds: Callable[[Floats], npt.NDArray[np.bool_]], most: Floats) -> Floats:
    """Return the largest mean square for which a condition holds, or 0 if it does not hold at 0. The condition must
    hold up to some limit and not beyond it. `most` is the largest square root of the result."""
    low, high = np.zeros_like(most), most
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        holding = holds(middle**2)
        low, high = np.where(holding, middle, low), np.where(holding, high, middle)
    return np.asarray(np.where(holds(np.zeros_like(most)), low**2, 0.0), dtype=np.float64)
