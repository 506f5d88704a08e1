"""How the strategies of a batch move together: each decides for all its rows, and the rows are put back at their
seats."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ostrom.core.arrays import Array, namespace
from ostrom.core.step import ArrayForm, Draws, Field, OneSeat, Pick
from ostrom.players.strategy import Memory, RowStrategy

Scatter: TypeAlias = Callable[[Array, Pick, Array], Array]
"""Put the values of rows at their seats: (table, pick, values) → table, which may be the same one."""
_Placed: TypeAlias = list[tuple[Pick, Array]]


@dataclass(frozen=True)
class Party:
    """A strategy and the rows it holds."""

    strategy: RowStrategy
    pick: Pick


@dataclass(frozen=True)
class Mover:
    """Asks the strategies of a batch, phase by phase."""

    step: ArrayForm
    rules: Any
    needed: Mapping[str, Sequence[Field]]
    """For each phase the fields that can matter."""
    scatter: Scatter
    dense: bool = False
    """Whether every field gets a row for every seat, as those need it who read moves by seat."""

    @property
    def phases(self) -> Sequence[str]:
        """The phases of a turn."""
        return list(self.needed)

    @property
    def fields(self) -> frozenset[str]:
        """The names of all fields that can matter."""
        return frozenset(each.name for fields in self.needed.values() for each in fields)

    def move(
        self,
        phase: str,
        turn: Any,
        state: Any,
        draws: Draws,
        like: Array,
        parties: Sequence[Party],
        memories: Sequence[Memory],
    ) -> tuple[dict[str, Array], tuple[Memory, ...]]:
        """Everybody's moves of a phase, and what they remember. No memories stand for the first turn. `like` is a table
        of the type that the game is played in."""
        step, fields = self.step, self.needed[phase]
        names = [each.name for each in fields]
        seen, movers = step.observe(self.rules, phase, turn, state, draws), step.movers(self.rules, phase, state)
        absent = {each.name: each.absent for each in fields}
        placed: dict[str, _Placed] = {name: [] for name in names}
        kept: list[Memory] = []
        for index, party in enumerate(parties):
            strategy, pick = party.strategy, party.pick
            view = step.view(seen, pick)
            if not memories:
                memory = strategy.opening(view)
            else:
                memory = memories[index]
                memory = strategy.remember(view, memory) if phase == self.phases[0] else memory
            made, after = strategy.decide(phase, view, memory, names)
            kept.append(after)
            for name in made.keys() & placed.keys():
                placed[name].append((pick, _of_movers(movers, pick, made[name], absent[name])))
        return {each.name: self._seated(like, each, placed[each.name]) for each in fields}, tuple(kept)

    def _seated(self, like: Array, field: Field, placed: _Placed) -> Array:
        """(seats, games) What the rows decided, at their seats. Where strategies keep their seats, a field that need
        not have a row for every seat has none for those that never fill it in."""
        xp = namespace(like)
        dtype = like.dtype if field.dtype is None else getattr(xp, field.dtype)
        if placed and not self.dense and all(isinstance(pick, OneSeat) for pick, _ in placed):
            if not field.every_seat:
                return xp.stack([values for _, values in placed])
            rows = {pick.seat: values for pick, values in placed}
            nothing = xp.full(like.shape[1:], field.absent, dtype=dtype)
            return xp.stack([rows.get(seat, nothing) for seat in range(like.shape[0])])
        table = xp.full(like.shape, field.absent, dtype=dtype)
        for pick, values in placed:
            table = self.scatter(table, pick, values)
        return table


def _of_movers(movers: Array | None, pick: Pick, values: Array, absent: float) -> Array:
    if movers is None:
        return values
    there = pick.of_seats(movers)
    xp = namespace(there)
    return xp.where(there, values, xp.asarray(absent, dtype=values.dtype))
