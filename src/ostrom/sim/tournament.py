"""The tournament: who meets whom, and how everybody stands when all have met."""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.chance import check_seed
from ostrom.core.errors import field
from ostrom.core.files import atomic_write
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, GAMES, find_game
from ostrom.players.roster import Seated, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Ints
from ostrom.sim.plan import Backend, Plan
from ostrom.sim.standings import SAYS, Estimand, Standing, Tally, on_device

_BUFFERED_ROWS = 1_000_000
"""Rows that are held before they are written."""


class GamesFile:
    """A row for each seat of each game: its number, its table, who sat where, what it ended with, its part of the win,
    in how many turns it decided, and the game's own figures. The file is there as a whole or not at all."""

    def __init__(self, path: Path, repetitions: int) -> None:
        """Every table plays `repetitions` games, one after the other."""
        try:
            import polars
        except ImportError:
            raise InputError(
                f"{field('keep')} writes Parquet, which needs the extra study: pip install 'ostrom[study]'"
            ) from None
        if path.is_dir() or not path.parent.is_dir():
            raise InputError(f"games cannot be kept in {path}: name a file in a folder that is there")
        self._polars, self._path, self._repetitions = polars, path, repetitions
        self._held: list[Any] = []
        self._parts = 0

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory(prefix="ostrom-games-")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None:
                self._write()
                parts = self._polars.scan_parquet(Path(self._folder.name) / "*.parquet")
                with atomic_write(self._path) as partial:
                    parts.sink_parquet(partial)
        finally:
            self._folder.cleanup()

    def add(self, batch: Batch, result: BatchResult) -> None:
        """Take in a batch, in the order of its games."""
        seats, games = batch.seating.shape
        names = np.asarray([entry.name for entry in batch.cast])
        told: dict[str, Any] = {
            "game": np.repeat(batch.games, seats),
            "table": np.repeat(batch.games // self._repetitions, seats),
            "seat": np.tile(np.arange(seats), games),
            "player": names[batch.seating.T.ravel()],
            "final": result.finals,
            "won": result.wins,
            "turns": np.repeat(result.turns, seats),
            "turns_in": result.turns_in,
            **result.figures,
        }
        columns = {name: values.T.ravel() if values.ndim == 2 else values for name, values in told.items()}
        self._held.append(self._polars.DataFrame(columns))
        if sum(len(frame) for frame in self._held) >= _BUFFERED_ROWS:
            self._write()

    def _write(self) -> None:
        if self._held:
            self._polars.concat(self._held).write_parquet(Path(self._folder.name) / f"{self._parts:08}.parquet")
            self._parts, self._held = self._parts + 1, []


Progress: TypeAlias = Callable[[int], None]
"""Told how many more games are done."""


@dataclass(frozen=True)
class Schedule:
    """All entrants at one table, or every combination of `group_size` of them; each table plays `repetitions` games.
    Where seats have roles of their own, everybody moves up a seat until all have had each: those are tables too."""

    entrants: tuple[StrategyEntry, ...]
    repetitions: int
    group_size: int | None = None
    roles: bool = False

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise InputError("a tournament needs at least 2 players")
        if self.group_size is not None and not 2 <= self.group_size <= len(self.entrants):
            raise InputError(
                f"invalid group size {self.group_size}: with {len(self.entrants)} players it must be "
                f"from 2 to {len(self.entrants)}"
            )
        if self.repetitions < 1:
            raise InputError(f"the number of games must be at least 1, got {self.repetitions}")
        if self.games > MOST_GAMES:
            raise InputError(f"{self.games:,} games are too many for one seed; at most {MOST_GAMES:,} are possible")

    @property
    def seats(self) -> int:
        return self.group_size or len(self.entrants)

    @property
    def tables(self) -> int:
        return math.comb(len(self.entrants), self.seats) * self._turns

    @property
    def _turns(self) -> int:
        """In how many orders the same players sit."""
        return self.seats if self.roles else 1

    @property
    def games(self) -> int:
        """How many games there are in all; game k is the (k mod repetitions)-th of table k div repetitions."""
        return self.tables * self.repetitions

    @cached_property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """Every strategy once, however many seats it may hold."""
        return tuple({entrant.name: entrant for entrant in self.entrants}.values())

    def seating(self, games: Ints) -> Ints:
        """(seats, games) For each seat of each of these games, the place of its strategy in `cast`."""
        place = {entry.name: index for index, entry in enumerate(self.cast)}
        members = np.asarray([place[entrant.name] for entrant in self.entrants])
        table, turned = np.divmod(games // self.repetitions, self._turns)
        chosen = combinations(len(self.entrants), self.seats, table)
        if self.roles:
            chosen = np.take_along_axis(chosen, (np.arange(self.seats)[:, None] + turned) % self.seats, axis=0)
        return np.asarray(members[chosen])

    def table(self, game: int) -> list[StrategyEntry]:
        """Who sits at which seat in one game."""
        if not 0 <= game < self.games:
            raise InputError(f"there is no game {game}; the tournament has games 0 to {self.games - 1}")
        return [self.cast[member] for member in self.seating(np.asarray([game]))[:, 0]]


def schedule_of(game: Game, entrants: Sequence[StrategyEntry], games: int, group_size: int | None = None) -> Schedule:
    """The tournament of a game: without a size all sit at one table, or, where it has no room for all, as many as it
    seats."""
    if group_size is None and len(entrants) > game.seats.most:
        group_size = game.seats.most
    return Schedule(tuple(entrants), games, group_size, game.roles)


_PLENTY = 2**62


def combinations(things: int, size: int, ranks: Ints) -> Ints:
    """(size, ranks) The combinations of `size` out of `things` that stand at these ranks in lexicographic order."""
    left = ranks.copy()
    chosen = np.zeros((size, len(ranks)), dtype=np.int64)
    filled = np.zeros(len(ranks), dtype=np.int64)
    for thing in range(things):
        # How many combinations take this thing next, by how many places are filled already: no more than things came
        # before, no fewer than leave room for all that are to come. Ranks are below 2^32, so what is far above that may
        # be cut to what 64 bits hold.
        rest = things - thing - 1
        fewest, most = max(0, size - rest - 1), min(thing, size)
        left_over = (math.comb(rest, size - done - 1) if done < size else 0 for done in range(fewest, most + 1))
        ways = np.asarray([min(count, _PLENTY) for count in left_over], dtype=np.int64)
        taking = ways[filled - fewest]
        take = left < taking
        chosen[filled[take], np.flatnonzero(take)] = thing
        left -= np.where(take, 0, taking)
        filled += take
    return chosen


@dataclass(frozen=True, repr=False)
class TournamentResult:
    """What a tournament found out."""

    game: Game
    schedule: Schedule
    rules: BaseModel
    seed: int
    backend: Backend
    games: int
    player_turns: int
    seconds: float
    standings: Sequence[Standing]
    over: Estimand
    """What its figures are about."""
    slow: tuple[str, ...]
    """Strategies at the tables that play one game at a time in plain Python."""

    @property
    def remark(self) -> str:
        """What the game says of what cannot happen at these tables."""
        step = self.game.part("step")
        if step is None:
            return ""
        names = {field.name for phase in step.phases(self.rules) for field in step.fields(self.rules, phase)}
        able = {name: sum(one.rows is None or one.rows.makes(name) for one in self.schedule.entrants) for name in names}
        seats = self.schedule.seats
        said: str = step.remark(self.rules, seats, {name: min(count, seats) for name, count in able.items()})
        return said


def tournament(
    entrants: Sequence[Seated] | None = None,
    *,
    games: int = 50,
    seed: int = 0,
    game: str | Game = DEFAULT_GAME,
    rules: Mapping[str, Any] | BaseModel | None = None,
    group_size: int | None = None,
    over: Estimand = "tables",
    backend: Backend | None = None,
    chunk_size: int | None = None,
    workers: int | None = None,
    players_files: Sequence[Path] = (),
    cluster: str | None = None,
    keep: Path | None = None,
    progress: Progress = lambda done: None,
) -> TournamentResult:
    """Play a tournament between strategies of a game, as `play` takes them; without a list, between all. Its
    figures are `over` the tables that were played, or over random opponents like those that were entered. Without a
    `backend` it is played on what is fastest on processors. `chunk_size`, `workers` and `cluster` (the address of a
    Dask scheduler) change how fast it goes and how much memory it takes, never what comes out; `keep` names a Parquet
    file for every seat of every game; `players_files` tells worker processes where users' strategies are defined."""
    game = find_game(game)
    schedule = schedule_of(game, strategies_of(game, entrants), games, group_size)
    game.check_seats(schedule.seats)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be played as a tournament")
    whole: BaseModel = make_rules(game, rules)
    check_seed(seed)
    if over not in SAYS:
        raise InputError(f"figures are over {' or '.join(SAYS)}, not over {over!r}")
    plan = Plan(game.name, (whole,), schedule, seed, backend or "numpy")
    plan = plan if backend else plan.fastest()
    start = time.perf_counter()

    def play(*takers: Callable[[Batch, BatchResult], None]) -> None:
        for _, batch, result in plan.play(chunk_size, workers, players_files, cluster):
            for take in takers:
                take(batch, result)
            progress(len(batch.games))

    standings, player_turns = _standings(plan, schedule, over, keep, play)
    return TournamentResult(
        game=game,
        schedule=schedule,
        rules=whole,
        seed=seed,
        backend=plan.backend,
        games=schedule.games,
        player_turns=player_turns,
        seconds=time.perf_counter() - start,
        standings=standings,
        over=over,
        slow=plan.slow,
    )


def _standings(
    plan: Plan, schedule: Schedule, over: Estimand, keep: Path | None, play: Callable[..., None]
) -> tuple[list[Standing], int]:
    """Play, and put everybody in order; and how many decisions were made."""
    game, names = GAMES[plan.game], [entry.name for entry in schedule.cast]
    higher, one_table = game.better == "higher", schedule.tables == 1 and len(names) == schedule.seats
    if plan.backend == "jax" and over == "tables" and one_table and keep is None and not plan.slow:
        return on_device(plan.batch(0, 1), schedule.games, unit=game.unit, higher=higher)
    repetitions = schedule.repetitions
    tables = schedule.seating(np.arange(schedule.tables) * repetitions) if over == "opponents" else None
    with Tally(names, unit=game.unit, higher=higher, repetitions=repetitions, over=over, tables=tables) as tally:
        if keep is None:
            play(tally.add)
        else:
            with GamesFile(keep, repetitions) as file:
                play(tally.add, file.add)
        return tally.standings(), tally.player_turns
