"""The parts of the variance of decisions in an audit: least squares over cells, with corrections that make every part
unbiased. What the parts mean is told in `ostrom.games.audit.effects`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.core import InputError
from ostrom.core.chance import key_of, uniform_rows

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]

SEED = 736
ROUNDING = 1e-18
"""A variance that is none."""
_ALONE = 1e-9
"""Where the fit leaves no more of what situations tell about a factor, one of them has told it alone."""


class Put(NamedTuple):
    """One question as it was put, and what was decided."""

    situation: int
    cell: int
    """Its way to be put; questions of one situation and one cell are the same to the letter."""
    levels: Mapping[str, str]
    value: float
    """The decision, from 0 to 1."""


class Parts(NamedTuple):
    """The parts of the variance, a row for each choice of situations."""

    factors: Floats
    between: Floats
    """The variance of what the cells of a situation have as their mean decisions."""
    noise: Floats

    @property
    def whole(self) -> Floats:
        """The variance of decisions within a situation."""
        return self.between + self.noise

    @property
    def shares(self) -> Floats:
        """(choices, parts) Of the whole: each factor, combinations, noise."""
        parts = np.column_stack([self.factors, self.between - self.factors.sum(axis=1), self.noise])
        whole = self.whole[:, None]
        return np.asarray(np.divide(parts, whole, out=np.full_like(parts, np.nan), where=whole > ROUNDING))


class Means(NamedTuple):
    """By factor, how far its levels' mean effects are from 0, and how well that is known from situations."""

    square: Floats
    """The mean square of the effects as they are met, with their error."""
    error: Floats
    """What the error of the effects adds to it, as they differ between situations."""
    along: Floats
    """The part of the error that lies in the direction of the effects themselves."""
    breadth: Floats
    """In how many directions the error goes: one less than there are levels where it goes equally in all, else
    fewer."""
    freedom: Floats
    """The degrees of freedom that the error is known with."""


@dataclass(frozen=True)
class Cells:
    """The mean decision of every cell, and the design that says how each was put."""

    levels: Mapping[str, tuple[str, ...]]
    """The factors that were varied, with their levels in the order in which they came."""
    codes: Mapping[str, Whole]
    """The level of every cell, by factor."""
    situation: Whole
    values: Floats
    repeats: Whole
    """How many answers each cell has."""
    within: Floats
    """The sum of squares between answers to the same question, by situation."""

    @classmethod
    def of(cls, puts: Sequence[Put]) -> "Cells":
        """The cells of these answers."""
        grouped: dict[tuple[int, int], list[Put]] = {}
        for put in sorted(puts, key=lambda one: (one.situation, one.cell)):
            grouped.setdefault((put.situation, put.cell), []).append(put)
        numbers = {situation: place for place, situation in enumerate(dict.fromkeys(key[0] for key in grouped))}
        if len(numbers) < 2:
            raise InputError("an audit needs answers in at least 2 situations")
        answers = [np.asarray([put.value for put in cell]) for cell in grouped.values()]
        firsts = [cell[0].levels for cell in grouped.values()]
        named = {name: tuple(dict.fromkeys(put.levels[name] for put in puts)) for name in firsts[0]}
        levels = {name: found for name, found in named.items() if len(found) > 1}
        situation = np.asarray([numbers[key[0]] for key in grouped])
        return cls(
            levels=levels,
            codes={name: np.asarray([levels[name].index(put_as[name]) for put_as in firsts]) for name in levels},
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
        """Where each factor's contrasts stand in the design."""
        ends = np.cumsum([len(found) - 1 for found in self.levels.values()]).tolist()
        return {
            name: slice(end - len(found) + 1, end) for end, (name, found) in zip(ends, self.levels.items(), strict=True)
        }

    @cached_property
    def design(self) -> Floats:
        """(cells, contrasts) Every factor in sums to zero, less each situation's mean."""
        blocks = [contrasts(len(found))[self.codes[name]] for name, found in self.levels.items()]
        return self._centred(np.hstack(blocks)) if blocks else np.empty((len(self.values), 0))

    @cached_property
    def decisions(self) -> Floats:
        """(cells, 1) The mean decisions, less each situation's mean."""
        return self._centred(self.values[:, None])

    def _centred(self, rows: Floats) -> Floats:
        place = np.eye(self.situations)[self.situation]
        means = place.T @ rows / place.sum(axis=0)[:, None]
        return np.asarray(rows - means[self.situation], dtype=np.float64)

    @cached_property
    def solution(self) -> Floats:
        """(contrasts, cells) What makes the least-squares estimates out of decisions."""
        return np.asarray(np.linalg.pinv(self.design), dtype=np.float64)

    @cached_property
    def spare(self) -> int:
        """The degrees of freedom that factors and situations leave."""
        used = int(np.linalg.matrix_rank(self.design)) if self.design.size else 0
        return len(self.values) - self.situations - used

    def effects(self, name: str, estimates: Floats) -> Floats:
        """(levels, …) The effect of each level, out of estimates (contrasts, …)."""
        return np.asarray(contrasts(len(self.levels[name])) @ estimates[self.columns[name]], dtype=np.float64)

    @cached_property
    def errors(self) -> Floats:
        """By factor, what the error of the estimates adds to the mean square of its effects."""
        if self.spare < 1:
            raise InputError("there are too few answers for so many factors; use more situations")
        left = self.decisions - self.design @ (self.solution @ self.decisions)
        error = float(np.sum(left**2)) / self.spare
        spread = self.solution @ self.solution.T
        found = []
        for name, place in self.columns.items():
            code = contrasts(len(self.levels[name]))
            found.append(error * float(np.trace(code @ spread[place, place] @ code.T)) / len(code))
        return np.asarray(found, dtype=np.float64)

    def means(self) -> Means:
        """The factors' mean effects, with errors that are clustered by situation."""
        left = self.decisions - self.design @ (self.solution @ self.decisions)
        return Means(*np.transpose([self._mean(name, left[:, 0]) for name in self.levels]))

    def _mean(self, name: str, left: Floats) -> tuple[float, float, float, float, float]:
        """Of one factor, in the order of `Means`, from what the fit leaves (cells)."""
        effects = self.effects(name, self.solution)
        levels, every = len(effects), np.arange(self.situations)
        by = [(effects[:, part], self.design[part], left[part]) for part in (self.situation == one for one in every)]
        # What each situation adds to the effects' error, and how that would vary and hang together if all cells had
        # the error 1: the fit takes some of it away. Scaled so, it is right where all are alike, and so are the degrees
        # of freedom (Bell and McCaffrey 2002).
        added = np.stack([share @ rest for share, _, rest in by], axis=1)
        fitted = np.concatenate([share @ design for share, design, _ in by])
        alike = -(fitted @ (self.solution @ self.solution.T) @ fitted.T).reshape(
            self.situations, levels, self.situations, levels
        )
        alike[every, :, every] += np.stack([share @ share.T for share, _, _ in by])
        kept, true = float(np.einsum("nlnl->", alike)), effects @ effects.T
        if kept <= _ALONE * np.trace(true):
            return (np.nan,) * 5
        spread = added @ added.T * (np.trace(true) / kept)
        found = (effects @ self.decisions)[:, 0]
        freedom, directions = kept**2 / float(np.sum(alike**2)), np.trace(true) ** 2 / float(np.sum(true**2))
        size = float(np.trace(spread))
        # The breadth of the error: its size squared over its sum of squares, both without the bias that comes from few
        # degrees of freedom (Bai and Saranadasa 1996).
        each = max(freedom / directions, 1.5)
        squares = each**2 / ((each - 1) * (each + 2)) * (float(np.sum(spread**2)) - size**2 / each)
        breadth = directions if squares <= 0 else float(np.clip(size**2 / squares - 2 / each, 1.0, directions))
        length = float(found @ found)
        along = float(found @ spread @ found) / length if length > ROUNDING else size / breadth
        return length / levels, size / levels, along / levels, breadth, freedom * breadth / directions

    def parts(self, picked: Floats | None = None) -> Parts:
        """All parts of the variance: of all situations, or of those that each row of `picked` has a 1 for."""
        rows = np.ones((1, self.situations)) if picked is None else picked
        # Fewer situations have errors that much larger.
        errors = self.errors * (self.situations / rows.sum(axis=1))[:, None]
        estimates = self._estimates(rows)
        squares = [np.mean(self.effects(name, estimates) ** 2, axis=0) for name in self.levels]
        factors = np.stack(squares, axis=1) - errors if squares else np.empty((len(rows), 0))
        count = np.bincount(self.situation)
        spare = rows @ np.bincount(self.situation, self.repeats - 1)
        noise = np.divide(rows @ self.within, spare, out=np.full(len(rows), np.nan), where=spare > 0)
        between = np.bincount(self.situation, self.decisions[:, 0] ** 2) / count
        # A cell's mean carries its part of the noise, less what the situation's mean takes of it.
        carried = np.bincount(self.situation, 1 / self.repeats) * (1 - 1 / count) / count
        return Parts(factors, (rows @ between - noise * (rows @ carried)) / rows.sum(axis=1), noise)

    @cached_property
    def _products(self) -> tuple[Floats, Floats]:
        """(situations, contrasts, contrasts) and (situations, contrasts) What least squares needs of each situation."""
        width = self.design.shape[1]
        squares, products = np.zeros((self.situations, width, width)), np.zeros((self.situations, width))
        for number in range(self.situations):
            part = self.situation == number
            squares[number] = self.design[part].T @ self.design[part]
            products[number] = self.design[part].T @ self.decisions[part, 0]
        return squares, products

    def _estimates(self, rows: Floats) -> Floats:
        """(contrasts, choices) Least squares over the situations picked."""
        squares, products = self._products
        inverse = np.linalg.pinv(np.tensordot(rows, squares, 1), hermitian=True, rcond=1e-9)
        return np.asarray(np.einsum("dij,dj->id", inverse, rows @ products), dtype=np.float64)

    def chance(self, name: str, shuffles: int) -> float:
        """How often shuffling explains as much as a factor does: of what the other factors leave, shuffled within every
        situation (Freedman and Lane 1983), by the F statistic."""
        others = np.delete(self.design, self.columns[name], axis=1)
        left = self.decisions - others @ (np.linalg.pinv(others) @ self.decisions)
        low, high = (np.uint64(word) for word in key_of(SEED))
        numbers = np.arange(shuffles, dtype=np.uint64)
        shuffled = np.empty((len(left), shuffles))
        for situation in range(self.situations):
            places = np.flatnonzero(self.situation == situation)
            drawn = [uniform_rows((low, high), numbers, f"shuffle {name}", situation, int(i)) for i in places]
            shuffled[places] = left[places, 0][np.argsort(np.stack(drawn), axis=0)]
        reached = np.sum(self._ratio(name, shuffled) >= self._ratio(name, left)[0] * (1 - 1e-9))
        return float(1 + reached) / (1 + shuffles)

    def _ratio(self, name: str, rows: Floats) -> Floats:
        """The mean square of a factor's effects over that of what is left."""
        estimates = self.solution @ rows
        left = np.sum((rows - self.design @ estimates) ** 2, axis=0)
        return np.asarray(np.mean(self.effects(name, estimates) ** 2, axis=0) / np.maximum(left, ROUNDING))


def contrasts(levels: int) -> Floats:
    """(levels, levels − 1) A code whose effects sum to zero."""
    return np.vstack([np.eye(levels - 1), -np.ones(levels - 1)])
