"""A batch of games with the same number of seats. This module has the seating of the games, the joint moves of
strategies over rows, and the results."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, Self, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from ostrom.core import InputError
from ostrom.core.arrays import Array, namespace, round_values
from ostrom.core.chance import GAMES as MAX_GAMES
from ostrom.core.chance import key_of
from ostrom.core.game import Game
from ostrom.core.step import ArrayForm, Draws, Field, Kernel, OneSeat, Pick, each_array, varying
from ostrom.players.strategy import Memory, RowStrategy, StrategyEntry

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Games to play at once."""

    game: Game
    rules: Any
    """The rules of all games. A number that differs between games is an array (games,), as computed by
    `core.step.stacked`."""
    cast: Sequence[StrategyEntry]
    """The distinct strategies at the tables of all games."""
    seating: Ints
    """(seats, games) For each seat of each game, the index of its strategy in `cast`."""
    games: Ints
    """(games,) The number of each game, which seeds its random draws."""
    seed: int

    @cached_property
    def step(self) -> ArrayForm | None:
        """The array form of the game, if it has one for these rules."""
        return array_form(self.game, self.rules)

    @property
    def draws(self) -> Draws:
        return Draws(self.games.astype(np.uint64), key_of(self.seed))

    def part(self, games: Any) -> "Batch":
        """Return the batch of the games at these indices."""
        rules = each_array(self.rules, lambda values: values[games])
        return replace(self, rules=rules, seating=self.seating[:, games], games=self.games[games])

    @cached_property
    def one_table(self) -> bool:
        """True if each seat has the same strategy in all games."""
        return bool((self.seating == self.seating[:, :1]).all())

    @cached_property
    def kernel(self) -> Kernel | None:
        """The compiled form of the game, if it supports all strategies of the cast."""
        return kernel_of(self.game, self.cast)

    def needed(self, step: ArrayForm) -> dict[str, Sequence[Field]]:
        """Return, for each phase of a turn, the fields that can have an effect at these tables."""
        needed = {}
        for phase in step.phases(self.rules):
            makers = {field.name: self._makers(field.name) for field in step.fields(self.rules, phase)}
            needed[phase] = step.needed(self.rules, phase, makers)
        return needed

    def _makers(self, field: str) -> Ints:
        """Return, for each game, the number of seats that ever set a field: (games,)."""
        makes = np.asarray([entry.rows is None or entry.rows.makes(field) for entry in self.cast])
        return np.asarray(makes[self.seating].sum(axis=0))


@dataclass(frozen=True)
class BatchResult:
    """Results of the games of a batch, in their order."""

    turns: Ints
    """(games,) The length of each game."""
    finals: Floats
    """(seats, games)"""
    turns_in: Ints
    """(seats, games) The number of turns in which each seat decided."""
    figures: dict[str, Floats]
    """(seats, games) The game's own figures, such as contribution, by name."""
    higher: bool = True
    """True if a higher final is better."""
    in_turns: bool = False
    """True if seats are asked only in some turns. A seat that was not asked may then still be in the game."""
    of_games: frozenset[str] = frozenset()
    """The names of the figures that are the same for all seats of a game."""

    @classmethod
    def empty(cls, batch: Batch) -> Self:
        """Return results of zeros for a batch."""
        shape = batch.seating.shape
        turns, turns_in = np.zeros(shape[1], dtype=np.int64), np.zeros(shape, dtype=np.int64)
        in_turns = batch.step is not None and batch.step.in_turns
        of_games = frozenset() if batch.step is None else frozenset(batch.step.of_games)
        return cls(turns, np.zeros(shape), turns_in, {}, batch.game.better == "higher", in_turns, of_games)

    def add(self, games: Any, turns: Any, finals: Any, turns_in: Any, figures: Mapping[str, Any] | None = None) -> None:
        """Store the results of the games at these indices of the batch."""
        self.turns[games] = turns
        self.finals[:, games] = finals
        self.turns_in[:, games] = turns_in
        for name, values in (figures or {}).items():
            self.figures.setdefault(name, np.zeros(self.finals.shape))[:, games] = values

    @property
    def wins(self) -> Floats:
        """(seats, games) 1 for the winner; tied seats share the 1 equally."""
        finals = round_values(self.finals) if self.higher else -round_values(self.finals)
        finals = np.where(np.isnan(finals), -np.inf, finals)  # A seat without a final does not win.
        best = finals == finals.max(axis=0)
        return np.asarray(best / best.sum(axis=0), dtype=np.float64)

    @property
    def player_turns(self) -> int:
        return int(self.turns_in.sum())


def array_form(game: Game, rules: Any) -> ArrayForm | None:
    """Return the array form of a game, or None if it has none for these rules."""
    step: ArrayForm | None = game.part("step")
    return None if step is None or not step.covers(rules) else step


def limits_of(step: ArrayForm, rules: Any, seats: int) -> Mapping[str, tuple[float, float]]:
    """Return the range of each figure. If the rules differ between games of the batch, the ranges may differ too. In
    this case, return no ranges."""
    return dict.fromkeys(step.shares, (0.0, 1.0)) if varying(rules) else step.limits(rules, seats)


def kernel_of(game: Game, cast: Sequence[StrategyEntry]) -> Kernel | None:
    """Return the compiled form of a game. Return None if the game has none for these strategies, or if the dependencies
    of the compiled form are missing."""
    rows = [entry.rows for entry in cast]
    if game.kernel is None or None in rows:
        return None
    try:
        kernel: Kernel = game.part("kernel")
    except ImportError:
        return None
    return kernel if kernel.covers(rows) else None


def plain_players(game: Game, cast: Sequence[StrategyEntry], points: Sequence[Any]) -> tuple[str, ...]:
    """Return the names of the strategies that play one game at a time in plain Python, under any of these rules."""
    plain = game.step is None or any(array_form(game, rules) is None for rules in points)
    return tuple(entry.name for entry in cast if plain or entry.rows is None)


def check_repetitions(repetitions: int, games: int) -> None:
    """Raise InputError unless each table plays at least one game, and the number of games is small enough to number all
    games within one seed."""
    if repetitions < 1:
        raise InputError(f"the number of games must be at least 1, got {repetitions}")
    if games > MAX_GAMES:
        raise InputError(f"{games:,} games are too many for one seed; at most {MAX_GAMES:,} are possible")


Scatter: TypeAlias = Callable[[Array, Pick, Array], Array]
"""A function that writes the values of rows at their seats: (table, pick, values) → table. It may change the table in
place."""
_Placed: TypeAlias = list[tuple[Pick, Array]]


@dataclass(frozen=True)
class Party:
    """A strategy and the rows (seats of games) that it plays."""

    strategy: RowStrategy
    pick: Pick


@dataclass(frozen=True)
class Mover:
    """Collects the moves of all strategies of a batch, phase by phase."""

    step: ArrayForm
    rules: Any
    needed: Mapping[str, Sequence[Field]]
    """The fields of each phase that can have an effect at these tables."""
    scatter: Scatter
    dense: bool = False
    """True if every field has a row for every seat. Callers that read moves by seat need this."""

    @property
    def phases(self) -> Sequence[str]:
        return list(self.needed)

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(field.name for fields in self.needed.values() for field in fields)

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
        """Return the moves of a phase by field, and the memories of the parties. If `memories` is empty, the phase is
        in the first turn. `like` is an array of the shape and type of the game's values."""
        step, fields = self.step, self.needed[phase]
        names = [field.name for field in fields]
        observation, movers = step.observe(self.rules, phase, turn, state, draws), step.movers(self.rules, phase, state)
        absent = {field.name: field.absent for field in fields}
        values_by_field: dict[str, _Placed] = {name: [] for name in names}
        memories_after: list[Memory] = []
        for place, party in enumerate(parties):
            strategy, pick = party.strategy, party.pick
            view = step.view(observation, pick)
            asked = pick.of_seats(movers) if step.in_turns and movers is not None else None
            if not memories:
                memory = strategy.opening(view)
            else:
                memory = memories[place]
                if phase == self.phases[0]:
                    memory = _where(asked, strategy.remember(view, memory), memory)
            decisions, after = strategy.decide(phase, view, memory, names)
            memories_after.append(_where(asked, after, memory))
            for name in decisions.keys() & values_by_field.keys():
                values_by_field[name].append((pick, _of_movers(movers, pick, decisions[name], absent[name])))
        moves = {field.name: self._seated(like, field, values_by_field[field.name]) for field in fields}
        return moves, tuple(memories_after)

    def _seated(self, like: Array, field: Field, picked: _Placed) -> Array:
        """Return the values of a field by seat, (seats, games). If each strategy has one seat, a field that not all
        seats need has rows only for the seats that set it."""
        xp = namespace(like)
        dtype = like.dtype if field.dtype is None else getattr(xp, field.dtype)
        if picked and not self.dense and all(isinstance(pick, OneSeat) for pick, _ in picked):
            if not field.every_seat:
                return xp.stack([values for _, values in picked])
            rows = {pick.seat: values for pick, values in picked}
            absent = xp.full(like.shape[1:], field.absent, dtype=dtype)
            return xp.stack([rows.get(seat, absent) for seat in range(like.shape[0])])
        table = xp.full(like.shape, field.absent, dtype=dtype)
        for pick, values in picked:
            table = self.scatter(table, pick, values)
        return table


def _where(asked: Array | None, new: Memory, old: Memory) -> Memory:
    if asked is None or new is old:
        return new
    if isinstance(new, tuple):
        return tuple(_where(asked, new_part, old_part) for new_part, old_part in zip(new, old, strict=True))
    return namespace(asked).where(asked, new, old)


def _of_movers(movers: Array | None, pick: Pick, values: Array, absent: float) -> Array:
    if movers is None:
        return values
    asked = pick.of_seats(movers)
    xp = namespace(asked)
    return xp.where(asked, values, xp.asarray(absent, dtype=values.dtype))


Reward: TypeAlias = Literal["gain", "final", "rank"]
"""The reward of a seat. "gain" is the change, since the previous step, of the quantity that the scene declares to be
the final. "final" is the seat's final, which is paid at the end of the game. "rank" is also paid at the end. It is 1
for the first rank, 0 for the last, and linear in between. Tied seats get the mean of their ranks. If lower finals are
better, gains and finals have the opposite sign."""


def check_reward(reward: str) -> None:
    """Raise InputError for an unknown reward."""
    if reward not in get_args(Reward):
        raise InputError(f"there is no reward {reward!r}; it must be one of {', '.join(get_args(Reward))}")
