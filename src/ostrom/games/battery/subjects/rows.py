"""Subjects over rows: the theory of a subject, and its noise, for many games at once. What is drawn is what the same
subject draws in a single game, and what it decides is the same, but for a draw that falls within rounding of the
border between two answers."""

from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from ostrom.core.arrays import Array
from ostrom.core.specs import Amount, Stepped
from ostrom.core.step import Moves
from ostrom.games.battery.numbers import Number, either, floor, largest, smallest
from ostrom.games.battery.step import RoleView
from ostrom.games.battery.subjects.base import STEPS, TIE, Division, allowed, role_of
from ostrom.players.strategy import Memory, RowStrategy

_ROWS_AT_ONCE: Final = 8192
"""Rows whose answers are weighed at once, so that they stay in cache."""


@dataclass(frozen=True)
class SubjectRows(RowStrategy):
    """A subject over rows."""

    subject: Any

    def with_settings(self, given: Mapping[str, float]) -> "SubjectRows":
        """The same with these parameters of the subject."""
        return replace(self, subject=replace(self.subject, **given))

    def decide(self, phase: str, view: RoleView, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        """Answer."""
        return {view.part.field: self.answers(view)}, memory

    @abstractmethod
    def answers(self, view: RoleView) -> Array:
        """An amount, or the place of an option, for each row."""

    def draw(self, view: RoleView) -> Array:
        """The subject's own draw."""
        return view.draw(self.subject.purpose_in(view.task))


class TheoryRows(SubjectRows):
    """One with a theory: by the method of the role."""

    def answers(self, view: RoleView) -> Array:
        """The best answer, or a noisy one."""
        if view.xp.__name__ != "numpy" or not self.subject.noise:
            return self._answers(view)
        return view.xp.concat([self._answers(piece) for piece in view.pieces(_ROWS_AT_ONCE)])

    def _answers(self, view: RoleView) -> Array:
        act = role_of(view.task, view.part.role).act
        if act == "show_penny":
            one, other = (self._shown(view, view.asked_at(seat)[0]) for seat in (0, 1))
            return view.xp.where(view.xp.asarray(view.seat) == 0, one, other)
        found = getattr(self.subject, act)(view.facts)
        if isinstance(found, Division):
            return self._number(view, found, view.range)
        return self._option(view, found, self.subject.noise)

    def _shown(self, view: RoleView, facts: Any) -> Array:
        worth = self.subject.side(facts)
        if worth is None:
            return view.xp.where(self.draw(view) < 0.5, 0, 1)
        return self._option(view, worth, self.subject.everywhere)

    def _option(self, view: RoleView, worth: Mapping[str, Number], noise: float) -> Array:
        """The place of the option that is picked."""
        values = view.xp.stack([view.zero + value for value in worth.values()])
        places = view.xp.asarray([view.part.options.index(name) for name in worth])
        return places[self._picked(view, values, noise)]

    def _number(self, view: RoleView, division: Division, spec: Amount) -> Array:
        """The number that is picked among even steps of all that is allowed."""
        xp, best = view.xp, allowed(view.zero + division.best, spec)
        noise = self.subject.noise if division.worth else self.subject.everywhere
        if noise == 0:
            return best
        low, width = view.zero + spec.low, view.zero + (spec.high - spec.low)
        fine = either(spec.whole & (width <= 2 * STEPS), floor(width), view.zero + STEPS)
        # An array, since a compiler may divide by a constant through its reciprocal, and so err.
        steps = largest(view.zero + fine, view.zero + 1.0)
        most = int(xp.max(steps)) if xp.__name__ == "numpy" else 2 * STEPS if _is_whole(spec) else STEPS
        count = xp.arange(most + 1, dtype=view.zero.dtype)[:, None]
        grid, there = low + width * count / steps, count <= steps
        if division.worth:
            values = division.worth(grid)
        else:
            values = -xp.abs(grid - division.best) / either(width == 0, view.zero + 1.0, width)
        picked = self._picked(view, xp.where(there, values, -xp.inf), noise, steps)
        return either(width == 0, best, allowed(low + width * picked / steps, spec))

    def _picked(self, view: RoleView, values: Array, noise: float, last: Array | None = None) -> Array:
        """(rows,) The place of the first of the best (entries, rows) without noise, else of one by the logit rule."""
        xp = view.xp
        top = xp.max(values, axis=0)
        if noise == 0:
            return xp.argmax(values >= top - TIE, axis=0)
        weights = xp.exp((values - top) / noise)
        drawn = self.draw(view) * xp.cumulative_sum(weights, axis=0)[-1]
        # One weight after the other is taken off, as in a single game.
        left = xp.cumulative_sum(xp.concat([drawn[None], -weights]), axis=0)[1:]
        below = left < 0
        end = len(values) - 1 if last is None else xp.astype(last, xp.int64)
        return xp.where(xp.any(below, axis=0), xp.argmax(below, axis=0), end)


def _is_whole(spec: Amount) -> bool:
    """Whether it may be a whole number, in which its range is divided."""
    return isinstance(spec, Stepped) or bool(spec.whole)


class RandomRows(SubjectRows):
    """Anything that is allowed."""

    def answers(self, view: RoleView) -> Array:
        """One of the options, or a number between the bounds."""
        drawn = self.draw(view)
        if view.part.options:
            return floor(drawn * len(view.part.options))
        spec = view.range
        width = spec.high - spec.low
        whole, even = floor(spec.low + drawn * (width + 1)), spec.low + drawn * width
        return allowed(either(spec.whole, whole, even) + view.zero, spec)


@dataclass(frozen=True)
class FixedRows(SubjectRows):
    """One whose answers do not hang on the amounts."""

    def answers(self, view: RoleView) -> Array:
        """The option, or the number."""
        if view.part.options:
            return view.zero + self.option(view)
        return allowed(view.zero + self.number(view.range), view.range)

    @abstractmethod
    def option(self, view: RoleView) -> Any:
        """The place of an option."""

    def number(self, spec: Amount) -> Number:
        """The least."""
        return spec.low


class AlwaysARows(FixedRows):
    """Whatever is labelled A."""

    def option(self, view: RoleView) -> Array:
        """The one that is called A."""
        return view.called_a


class AlwaysFirstRows(FixedRows):
    """Whatever is shown first."""

    def option(self, view: RoleView) -> Array:
        """The one at the first place."""
        return view.shown_first


class ConstantRows(FixedRows):
    """Always the same."""

    def option(self, view: RoleView) -> int:
        """The one whose name comes first."""
        options: Sequence[str] = view.part.options
        return options.index(min(options))

    def number(self, spec: Amount) -> Number:
        """10, or the nearest that is allowed."""
        return smallest(largest(10.0, spec.low), spec.high)


class SilentRows(SubjectRows):
    """No answer: the fallback of the game stands in its place."""

    def answers(self, view: RoleView) -> Array:
        """The fallback."""
        return view.zero + view.rules.fallback(view.part.role)
