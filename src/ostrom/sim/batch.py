"""A batch: many games of one size, who sits where in each, how the strategies move together, and what came out."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from ostrom.core import InputError
from ostrom.core.arrays import Array, namespace, rounded
from ostrom.core.chance import key_of
from ostrom.core.game import Game
from ostrom.core.step import ArrayForm, Draws, Field, Kernel, OneSeat, Pick, each_array
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Games to be played at once."""

    game: Game
    rules: Any
    """Of all games; a number that differs between them is an array (games,), as `core.step.stacked` makes it."""
    cast: Sequence[StrategyEntry]
    """The strategies that may sit at a table, each once."""
    seating: Ints
    """(seats, games) For each seat of each game, the place of its strategy in `cast`."""
    games: Ints
    """(games,) The number of each game, which names its draws of chance."""
    seed: int

    @cached_property
    def step(self) -> ArrayForm | None:
        """The array form of the game, where it has one."""
        step: ArrayForm | None = self.game.part("step")
        return step

    @property
    def draws(self) -> Draws:
        return Draws(self.games.astype(np.uint64), key_of(self.seed))

    def part(self, games: Any) -> "Batch":
        """The games at these places."""
        rules = each_array(self.rules, lambda values: values[games])
        return replace(self, rules=rules, seating=self.seating[:, games], games=self.games[games])

    @cached_property
    def one_table(self) -> bool:
        """Whether the same strategies sit at the same seats in every game."""
        return bool((self.seating == self.seating[:, :1]).all())

    @cached_property
    def kernel(self) -> Kernel | None:
        """The compiled form of the game, where it has one that knows all who may sit at a table."""
        return kernel_of(self.game, self.cast)

    def needed(self, step: ArrayForm) -> dict[str, Sequence[Field]]:
        """For each phase of a turn the fields that can matter at these tables."""
        return {
            phase: step.needed(self.rules, phase, {each.name: self._makers(each.name) for each in fields})
            for phase in step.phases(self.rules)
            for fields in [step.fields(self.rules, phase)]
        }

    def _makers(self, field: str) -> Ints:
        """(games,) How many seats ever fill in a field."""
        makes = np.asarray([entry.rows is None or entry.rows.makes(field) for entry in self.cast])
        return np.asarray(makes[self.seating].sum(axis=0))


@dataclass(frozen=True)
class BatchResult:
    """What came out, in the order of the batch's games."""

    turns: Ints
    """(games,) How long each game lasted."""
    finals: Floats
    """(seats, games) What each seat held at the end."""
    turns_in: Ints
    """(seats, games) In how many turns each seat decided."""
    figures: dict[str, Floats]
    """(seats, games) What else is told of each seat."""
    higher: bool = True
    """Whether the higher final is the better one."""
    in_turns: bool = False
    """Whether seats are asked in some turns only, so that who was not asked has not left."""

    @classmethod
    def empty(cls, batch: Batch) -> Self:
        """Room for what comes out of a batch."""
        shape = batch.seating.shape
        turns, turns_in = np.zeros(shape[1], dtype=np.int64), np.zeros(shape, dtype=np.int64)
        in_turns = batch.step is not None and batch.step.in_turns
        return cls(turns, np.zeros(shape), turns_in, {}, batch.game.better == "higher", in_turns)

    def add(self, games: Any, turns: Any, finals: Any, turns_in: Any, figures: Mapping[str, Any] | None = None) -> None:
        """Put down what came out of these games, by their places in the batch."""
        self.turns[games] = turns
        self.finals[:, games] = finals
        self.turns_in[:, games] = turns_in
        for name, values in (figures or {}).items():
            self.figures.setdefault(name, np.zeros(self.finals.shape))[:, games] = values

    @property
    def wins(self) -> Floats:
        """(seats, games) 1 for the winner; seats that tie share it."""
        finals = rounded(self.finals) if self.higher else -rounded(self.finals)
        finals = np.where(np.isnan(finals), -np.inf, finals)  # who has no final cannot win
        best = finals == finals.max(axis=0)
        return np.asarray(best / best.sum(axis=0), dtype=np.float64)

    @property
    def player_turns(self) -> int:
        return int(self.turns_in.sum())


def kernel_of(game: Game, cast: Sequence[StrategyEntry]) -> Kernel | None:
    """The compiled form of a game, where there is one that knows these strategies, and what it takes is installed."""
    strategies = [entry.rows for entry in cast]
    if game.kernel is None or None in strategies:
        return None
    try:
        kernel: Kernel = game.part("kernel")
    except ImportError:
        return None
    return kernel if kernel.covers(strategies) else None


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
        return list(self.needed)

    @property
    def fields(self) -> frozenset[str]:
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
            there = pick.of_seats(movers) if step.in_turns and movers is not None else None
            if not memories:
                memory = strategy.opening(view)
            else:
                memory = memories[index]
                if phase == self.phases[0]:
                    memory = _where(there, strategy.remember(view, memory), memory)
            made, after = strategy.decide(phase, view, memory, names)
            kept.append(_where(there, after, memory))
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


def _where(there: Array | None, new: Memory, old: Memory) -> Memory:
    """What rows remember: the new where they are asked, else the old."""
    if there is None or new is old:
        return new
    if isinstance(new, tuple):
        return tuple(_where(there, one, other) for one, other in zip(new, old, strict=True))
    return namespace(there).where(there, new, old)


def _of_movers(movers: Array | None, pick: Pick, values: Array, absent: float) -> Array:
    if movers is None:
        return values
    there = pick.of_seats(movers)
    xp = namespace(there)
    return xp.where(there, values, xp.asarray(absent, dtype=values.dtype))


Reward: TypeAlias = Literal["gain", "final", "rank"]
"""What a seat is rewarded with: after each step what it gained since the one before (of the quantity that the game's
scene declares as final); at the end its final; or at the end 1 for the first rank, 0 for the last, between by rank,
where seats that tie share the mean. Where lower finals are better, gains and finals have the other sign."""


def check_reward(reward: str) -> None:
    """Refuse what is no reward."""
    if reward not in get_args(Reward):
        raise InputError(f"there is no reward {reward!r}; it must be one of {', '.join(get_args(Reward))}")
