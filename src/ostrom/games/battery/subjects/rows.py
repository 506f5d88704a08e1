"""Simulated subjects for the batch engine, which plays many games at once. A subject has one row for each of its seats.
Draws and decisions equal those of the same subject in a single game. The only exceptions are draws that differ from the
border between two answers by no more than a rounding error."""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from typing_extensions import override

from ostrom.core.arrays import Array
from ostrom.core.specs import Amount, Stepped
from ostrom.core.step import Moves
from ostrom.games.battery.numbers import Number, either, floor, largest
from ostrom.games.battery.step import RoleView
from ostrom.games.battery.subjects.base import STEPS, TIE, Division, role_of, round_allowed
from ostrom.players.strategy import Memory, RowStrategy

MAX_CACHED_ROWS: Final = 8192
"""The number of rows that are computed together. It is small enough that they fit in the processor's cache."""


@dataclass(frozen=True)
class SubjectRows(RowStrategy):
    """The form of a subject that the batch engine plays."""

    subject: Any

    @override
    def with_settings(self, settings: Mapping[str, float]) -> "SubjectRows":
        return replace(self, subject=replace(self.subject, **settings))

    @override
    def decide(self, phase: str, view: RoleView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        return {view.part.field: self.answers(view)}, memory

    @abstractmethod
    def answers(self, view: RoleView) -> Array:
        """Return an amount, or the position of an option, for each row."""

    def draw(self, view: RoleView) -> Array:
        """Return a random number for each row, drawn for the purpose of the subject."""
        return view.draw(self.subject.purpose_in(view.rules.task))


class TheoryRows(SubjectRows):
    """The batch form of a subject with a theory. It answers by the subject's method for the role."""

    @override
    def answers(self, view: RoleView) -> Array:
        if view.xp.__name__ != "numpy" or not self.subject.noise:
            return self._answers(view)
        return view.xp.concat([self._answers(piece) for piece in view.pieces(MAX_CACHED_ROWS)])

    def _answers(self, view: RoleView) -> Array:
        act = role_of(view.rules.task, view.part.role).act
        if act == "show_penny":
            first, second = (self._side(view, view.question_at(seat)[0]) for seat in (0, 1))
            return view.xp.where(view.xp.asarray(view.seat) == 0, first, second)
        choice = getattr(self.subject, act)(view.facts)
        if isinstance(choice, Division):
            return self._number(view, choice, view.range)
        return self._option(view, choice)

    def _side(self, view: RoleView, facts: Any) -> Array:
        worth = self.subject.side(facts)
        if worth is None:
            return view.xp.where(self.draw(view) < 0.5, 0, 1)
        return self._option(view, worth)

    def _option(self, view: RoleView, worth: Mapping[str, Number]) -> Array:
        values = view.xp.stack([view.zero + value for value in worth.values()])
        places = view.xp.asarray([view.part.options.index(name) for name in worth])
        return places[self._pick(view, values)]

    def _number(self, view: RoleView, division: Division, spec: Amount) -> Array:
        """Return for each row the number chosen among evenly spaced numbers over the allowed range."""
        xp, best = view.xp, round_allowed(view.zero + division.best, spec)
        if self.subject.noise == 0:
            return best
        low, width = view.zero + spec.low, view.zero + (spec.high - spec.low)
        fine = either(spec.whole & (width <= 2 * STEPS), floor(width), view.zero + STEPS)
        # The step is an array, because compilers may replace a division by a constant by a multiplication with its
        # reciprocal, which adds a rounding error.
        steps = largest(view.zero + fine, view.zero + 1.0)
        most = int(xp.max(steps)) if xp.__name__ == "numpy" else 2 * STEPS if _is_whole(spec) else STEPS
        count = xp.arange(most + 1, dtype=view.zero.dtype)[:, None]
        grid, exists = low + width * count / steps, count <= steps
        if division.worth:
            values = division.worth(grid)
        else:
            values = -xp.abs(grid - division.best) / either(width == 0, view.zero + 1.0, width)
        picked = self._pick(view, xp.where(exists, values, -xp.inf), steps)
        return either(width == 0, best, round_allowed(low + width * picked / steps, spec))

    def _pick(self, view: RoleView, values: Array, last: Array | None = None) -> Array:
        """(rows,) Return the position of the chosen entry in each row, given the worth of all entries (entries, rows).
        Without noise, it is the first of the best entries. With noise, it is chosen by the logit rule."""
        xp, noise = view.xp, self.subject.noise
        top = xp.max(values, axis=0)
        if noise == 0:
            return xp.argmax(values >= top - TIE, axis=0)
        weights = xp.exp((values - top) / noise)
        target = self.draw(view) * xp.cumulative_sum(weights, axis=0)[-1]
        # Weights are subtracted one after the other, as in a single game, so that rounding is the same.
        remainder = xp.cumulative_sum(xp.concat([target[None], -weights]), axis=0)[1:]
        below = remainder < 0
        end = len(values) - 1 if last is None else xp.astype(last, xp.int64)
        return xp.where(xp.any(below, axis=0), xp.argmax(below, axis=0), end)


def _is_whole(spec: Amount) -> bool:
    """Return whether the range may be divided into whole numbers."""
    return isinstance(spec, Stepped) or bool(spec.whole)


class HabitRows(SubjectRows):
    """The batch form of a subject whose answers do not depend on the amounts."""

    @override
    def answers(self, view: RoleView) -> Array:
        draw = partial(self.draw, view)
        answer = self.subject.option(view, draw) if view.options else self.subject.number(view, draw)
        return view.zero + answer


class SilentRows(SubjectRows):
    """The batch form of a subject that never gives a valid answer, so that the game records its fallback."""

    @override
    def answers(self, view: RoleView) -> Array:
        return view.zero + view.rules.fallback(view.part.role)
