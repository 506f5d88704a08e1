"""Policies over rows. Each kind of rule is a row strategy, which can play any game that has an array form."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from typing_extensions import override

from ostrom.core.arrays import Array, namespace
from ostrom.core.step import ArrayForm, Field, Moves
from ostrom.players.strategy import Memory, RowStrategy


@dataclass(frozen=True)
class _Rows(RowStrategy):
    step: ArrayForm  # type: ignore[misc]  # an instance attribute, as policies play any game


@dataclass(frozen=True)
class ConstantPolicyRows(_Rows):
    """Plays the same level between the bounds of the rules in every turn."""

    levels: tuple[tuple[str, float], ...]
    options: tuple[tuple[str, float], ...] = ()

    @override
    def makes(self, field: str) -> bool:
        return field in dict((*self.levels, *self.options))

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        moves = _at_levels(self.step, view, {name: level for name, level in self.levels if name in fields})
        for name, value in self.options:
            if name in fields:
                first = self.step.features(view)[0]
                moves[name] = _option(self.step, phase, view, name, namespace(first).full_like(first, value))
        return moves, memory


@dataclass(frozen=True)
class ThresholdRows(_Rows):
    """Chooses one option if a feature is above a level, and another option otherwise."""

    field: str
    reads: int
    level: float
    above: float
    below: float

    @override
    def makes(self, field: str) -> bool:
        return field == self.field

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        if self.field not in fields:
            return {}, memory
        feature = self.step.features(view)[self.reads]
        xp = namespace(feature)
        chosen = xp.where(feature > self.level, xp.full_like(feature, self.above), xp.full_like(feature, self.below))
        return {self.field: _option(self.step, phase, view, self.field, chosen)}, memory


def _option(step: ArrayForm, phase: str, view: Any, name: str, values: Array) -> Array:
    """Return the numbers of options in the type of their field."""
    dtype = next(field.dtype for field in step.fields(view.rules, phase) if field.name == name)
    return values if dtype is None else namespace(values).astype(values, getattr(namespace(values), dtype))


def _at_levels(step: ArrayForm, view: Any, levels: Mapping[str, Any]) -> dict[str, Array]:
    """Return the moves at these levels between the bounds of the rules."""
    moves = {}
    for name, level in levels.items():
        bounds = step.bounds(view, name)
        if bounds is not None:
            low, high = bounds
            moves[name] = _cast(low + level * (high - low), low)
    return moves


def _cast(values: Array, like: Array) -> Array:
    """Return values in the type of a field, rounded if it is an integer type."""
    xp = namespace(like)
    if xp.isdtype(like.dtype, "integral"):
        return xp.astype(xp.round(values), like.dtype)
    return xp.astype(values, like.dtype)


@dataclass(frozen=True)
class FieldRows(_Rows):
    """Determines each field of its moves by a separate strategy."""

    sources: tuple[tuple[str, RowStrategy], ...]

    @property
    def parts(self) -> tuple[RowStrategy, ...]:
        """The distinct strategies."""
        return tuple(dict.fromkeys(source for _, source in self.sources))

    @override
    def makes(self, field: str) -> bool:
        source = dict(self.sources).get(field)
        return source is not None and source.makes(field)

    @override
    def opening(self, view: Any) -> Memory:
        return tuple(part.opening(view) for part in self.parts)

    @override
    def remember(self, view: Any, memory: Memory) -> Memory:
        return tuple(part.remember(view, own) for part, own in zip(self.parts, memory, strict=True))

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        decisions = [part.decide(phase, view, own, fields) for part, own in zip(self.parts, memory, strict=True)]
        by_part = dict(zip(self.parts, (moves for moves, _ in decisions), strict=True))
        chosen = {name: by_part[source].get(name) for name, source in self.sources}
        moves = {name: values for name, values in chosen.items() if values is not None}
        return moves, tuple(own for _, own in decisions)


@dataclass(frozen=True)
class TurnRows(_Rows):
    """Plays one strategy for some turns, and then another one. The second strategy remembers all turns."""

    turns: int
    first: RowStrategy
    then: RowStrategy

    @override
    def makes(self, field: str) -> bool:
        return self.first.makes(field) or self.then.makes(field)

    @override
    def opening(self, view: Any) -> Memory:
        return (self.first.opening(view), self.then.opening(view))

    @override
    def remember(self, view: Any, memory: Memory) -> Memory:
        return (self.first.remember(view, memory[0]), self.then.remember(view, memory[1]))

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        first, before = self.first.decide(phase, view, memory[0], fields)
        second, after = self.then.decide(phase, view, memory[1], fields)
        early = turn_of(view) <= self.turns
        absent = {field.name: field for field in self.step.fields(view.rules, phase)}
        names = [name for name in {**first, **second} if name in fields]
        moves = {name: _either(early, first.get(name), second.get(name), absent[name]) for name in names}
        return moves, (before, after)


def turn_of(view: Any) -> Any:
    """Return the turn or round of a view."""
    return view.turn if hasattr(view, "turn") else view.round


def _either(early: Any, first: Array | None, second: Array | None, field: Field) -> Array:
    like = first if first is not None else second
    xp = namespace(like)
    nothing = xp.full_like(like, field.absent)
    return xp.where(xp.asarray(early), nothing if first is None else first, nothing if second is None else second)


@dataclass(frozen=True)
class TableRows(_Rows):
    """A policy that looks up its moves in tables. The index encodes the last turns as bits."""

    memory: int
    reads: tuple[int, ...]
    levels: tuple[tuple[str, tuple[float, ...]], ...]

    @override
    def makes(self, field: str) -> bool:
        return field in dict(self.levels)

    @override
    def opening(self, view: Any) -> Memory:
        bits = self._bits(view)
        ones = namespace(bits).ones_like(bits)
        return (ones * (2 ** (self.memory * len(self.reads)) - 1),)

    @override
    def remember(self, view: Any, memory: Memory) -> Memory:
        # The latest turn has the highest bits.
        bits = len(self.reads)
        older = memory[0] // 2**bits
        return (older + self._bits(view) * 2 ** (bits * (self.memory - 1)),)

    def _bits(self, view: Any) -> Array:
        features = self.step.features(view)
        xp = namespace(features[0])
        return sum(xp.astype(features[place] > 0.5, xp.int32) * 2**bit for bit, place in enumerate(self.reads))

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        xp = namespace(memory[0])
        levels = {name: xp.take(xp.asarray(table), memory[0]) for name, table in self.levels if name in fields}
        return _at_levels(self.step, view, levels), memory


def network_size(inputs: int, hidden: int, outputs: int) -> int:
    """Return the number of weights of a network."""
    return hidden * (inputs + hidden + 1) + outputs * (inputs + hidden + 1)


@dataclass(frozen=True)
class NetworkRows(_Rows):
    """A strategy with corrections by a recurrent network: h ← tanh(A·(x, h, 1)), correction = B·(x, h, 1), as a
    fraction of the range between the bounds. If all weights are 0, there are no corrections."""

    base: RowStrategy
    inputs: int
    hidden: int
    outputs: tuple[str, ...]
    weights: tuple[float, ...]

    @override
    def makes(self, field: str) -> bool:
        return field in self.outputs or self.base.makes(field)

    @override
    def opening(self, view: Any) -> Memory:
        features = self.step.features(view)
        xp = namespace(features[0])
        return (self.base.opening(view), tuple(xp.zeros_like(features[0]) for _ in range(self.hidden)))

    @override
    def remember(self, view: Any, memory: Memory) -> Memory:
        # The state of the network changes only when it decides.
        return (self.base.remember(view, memory[0]), memory[1])

    @override
    def decide(self, phase: str, view: Any, memory: Memory, fields: Collection[str]) -> tuple[Moves, Memory]:
        moves, base_memory = self.base.decide(phase, view, memory[0], fields)
        features = self.step.features(view)
        xp, width = namespace(features[0]), self.inputs + self.hidden + 1
        weights = xp.reshape(xp.asarray(self.weights, dtype=features[0].dtype), (-1, width, 1))
        inputs = features[: self.inputs]
        state = memory[1]
        if self.hidden:
            state = tuple(xp.tanh(_sums(weights[: self.hidden], [*inputs, *state])))
        corrections = _sums(weights[self.hidden :], [*inputs, *state])
        by_field = {name: corrections[place] for place, name in enumerate(self.outputs) if name in fields}
        return corrected(self.step, view, moves, by_field), (base_memory, state)


def corrected(step: ArrayForm, view: Any, moves: Moves, corrections: Mapping[str, Array]) -> dict[str, Array]:
    """Return corrected moves. Corrections are fractions of the range between the bounds."""
    result = dict(moves)
    for name, correction in corrections.items():
        bounds = step.bounds(view, name)
        if bounds is None:
            continue
        low, high = bounds
        xp = namespace(low)
        base = result[name] if name in result else xp.clip(xp.zeros_like(low), low, high)
        result[name] = _cast(xp.clip(base + correction * (high - low), low, high), low)
    return result


def _sums(weights: Array, inputs: Sequence[Array]) -> Array:
    """(units, rows) Return the weighted sums of the inputs, for weights of shape (units, inputs + 1, 1). The last input
    is the constant 1. Terms are added one by one, because rounding in a matrix product would depend on the number of
    rows."""
    sums = weights[:, len(inputs)] + weights[:, 0] * inputs[0]
    for place in range(1, len(inputs)):
        sums = sums + weights[:, place] * inputs[place]
    return sums
