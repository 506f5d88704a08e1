"""The tournament: its schedule, its result, and the file of its games."""

import importlib
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeAlias

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.arrangements import (
    MAX_CELLS,
    Arrangement,
    RoleBalance,
    arrangements,
    balance_of,
    block_of,
    block_starts,
)
from ostrom.core.chance import check_seed
from ostrom.core.files import atomic_write
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, GAMES, find_game
from ostrom.players.roster import Seated, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult, Ints, check_repetitions
from ostrom.sim.plan import Backend, Plan
from ostrom.sim.standings import SAYS, Estimand, Standing, StandingsTally, on_device

_BUFFERED_ROWS = 1_000_000


class GamesFile:
    """A Parquet file with a row per seat of each game: game, table, seat, player, final, share of the win, turns, and
    the game's own figures. It is written atomically, in bounded memory."""

    def __init__(self, path: Path, repetitions: int) -> None:
        """Every table plays `repetitions` consecutive games."""
        import polars

        if path.is_dir() or not path.parent.is_dir():
            raise InputError(f"games cannot be written to {path}: name a file in an existing folder")
        self._polars, self._path, self._repetitions = polars, path, repetitions
        self._held: list[Any] = []
        self._parts = 0
        self._games = 0

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
        """Add a batch, in the order of its games."""
        seats, games = batch.seating.shape
        names = np.asarray([entry.name for entry in batch.cast])
        # Games are numbered in order. All arrangements of a table share the numbers that determine draws.
        numbers = self._games + np.arange(games)
        self._games += games
        values_of: dict[str, Any] = {
            "game": np.repeat(numbers, seats),
            "table": np.repeat(numbers // self._repetitions, seats),
            "seat": np.tile(np.arange(seats), games),
            "player": names[batch.seating.T.ravel()],
            "final": result.finals,
            "won": result.wins,
            "turns": np.repeat(result.turns, seats),
            "turns_in": result.turns_in,
            **result.figures,
        }
        columns = {name: values.T.ravel() if values.ndim == 2 else values for name, values in values_of.items()}
        self._held.append(self._polars.DataFrame(columns))
        if sum(len(frame) for frame in self._held) >= _BUFFERED_ROWS:
            self._write()

    def _write(self) -> None:
        if self._held:
            self._polars.concat(self._held).write_parquet(Path(self._folder.name) / f"{self._parts:08}.parquet")
            self._parts, self._held = self._parts + 1, []


Progress: TypeAlias = Callable[[int], None]
"""A function that is called with the number of games just finished."""


@dataclass(frozen=True)
class Schedule:
    """The games of a tournament: one table of all entrants, or a table for every combination of `group_size` entrants.

    If seats have roles, the players of a combination play in every arrangement over the roles. If there are many
    arrangements, they play in a balanced sample of these. Each arrangement is a table of `repetitions` games. All
    arrangements of a combination have the same random draws, so that players are compared in the same role with the
    same draws. If seats differ without having roles, players exchange seats within the `repetitions` games of the
    table.
    """

    entrants: tuple[StrategyEntry, ...]
    repetitions: int
    group_size: int | None = None
    roles: tuple[str, ...] = ()
    """The role of each seat, if seats have roles."""
    exchange: bool = False
    """True if seats differ and have no roles."""

    def __post_init__(self) -> None:
        if len(self.entrants) < 2:
            raise InputError("a tournament needs at least 2 players")
        if self.group_size is not None and not 2 <= self.group_size <= len(self.entrants):
            raise InputError(
                f"invalid group size {self.group_size}: with {len(self.entrants)} players it must be "
                f"from 2 to {len(self.entrants)}"
            )
        check_repetitions(self.repetitions, self.games)

    @property
    def seats(self) -> int:
        return self.group_size or len(self.entrants)

    @property
    def combinations(self) -> int:
        """The number of different sets of players that play at a table together."""
        return math.comb(len(self.entrants), self.seats)

    @property
    def tables(self) -> int:
        return self.combinations * (len(self.arrangements) if self.roles else 1)

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The group of each seat. The seats of a group are interchangeable."""
        if self.roles:
            names = list(dict.fromkeys(self.roles))
            return tuple(names.index(role) for role in self.roles)
        return tuple(range(self.seats)) if self.exchange else (0,) * self.seats

    @cached_property
    def arrangements(self) -> tuple[Arrangement, ...]:
        """The arrangements of the players of a table over its seats."""
        return arrangements(self.groups, None if self.roles else self.repetitions)

    @property
    def games(self) -> int:
        """The total number of games. Game k is repetition k mod `repetitions` of table k div `repetitions`."""
        return self.tables * self.repetitions

    @cached_property
    def cast(self) -> tuple[StrategyEntry, ...]:
        """The distinct strategies."""
        return tuple({entrant.name: entrant for entrant in self.entrants}.values())

    def seating(self, games: Ints) -> Ints:
        """Return the index in `cast` of the strategy at each seat of these games, (seats, games)."""
        place = {entry.name: index for index, entry in enumerate(self.cast)}
        members = np.asarray([place[entrant.name] for entrant in self.entrants])
        table, repetition = np.divmod(games, self.repetitions)
        if self.roles:
            table, arrangement = np.divmod(table, len(self.arrangements))
        else:
            arrangement = block_of(repetition, self.repetitions, len(self.arrangements))
        chosen = combinations(len(self.entrants), self.seats, table)
        if len(self.arrangements) > 1:
            chosen = np.take_along_axis(chosen, np.asarray(self.arrangements)[arrangement].T, axis=0)
        return np.asarray(members[chosen])

    def draws(self, games: Ints) -> Ints:
        """Return, for each game, the number that determines its random draws. Arrangements of the same players have the
        same draws."""
        if not self.roles:
            return games
        table, repetition = np.divmod(games, self.repetitions)
        return table // len(self.arrangements) * self.repetitions + repetition

    def table(self, game: int) -> list[StrategyEntry]:
        """Return the strategy at each seat of one game."""
        if not 0 <= game < self.games:
            raise InputError(f"there is no game {game}; the tournament has games 0 to {self.games - 1}")
        return [self.cast[member] for member in self.seating(np.asarray([game]))[:, 0]]

    def draw(self, game: int) -> int:
        """Return the number that determines the random draws of one game."""
        return int(self.draws(np.asarray([game]))[0])

    def spans(self) -> Iterator[tuple[int, int]]:
        """Yield a range for each run of consecutive games with the same seating: the first game, and the first game
        after the run."""
        blocks = 1 if self.roles else len(self.arrangements)
        for table in range(self.tables):
            first = table * self.repetitions
            yield from ((first + start, first + stop) for start, stop in block_starts(self.repetitions, blocks))

    @cached_property
    def balance(self) -> RoleBalance | None:
        """The balance of roles; None if seats have no roles, or if there are too many tables to count."""
        if not self.roles or self.tables * self.seats > MAX_CELLS:
            return None
        tables = self.seating(np.arange(self.tables) * self.repetitions)
        return balance_of(tables, self.groups, len(self.cast))


def schedule_of(game: Game, entrants: Sequence[StrategyEntry], games: int, group_size: int | None = None) -> Schedule:
    """Return the schedule of a tournament. By default it has one table of all entrants, or groups of the maximum size
    if they do not fit at one table."""
    largest = game.seats.largest(len(entrants))
    if group_size is None and largest < len(entrants):
        group_size = largest
    seats = group_size or len(entrants)
    playable = game.seats.fewest <= seats <= game.seats.most and seats % game.seats.multiple == 0
    roles = game.role_names(seats) if playable else ()
    exchange = game.roles is None and not game.symmetric
    return Schedule(tuple(entrants), games, group_size, roles, exchange)


_COUNT_CAP = 2**62


def combinations(items: int, size: int, ranks: Ints) -> Ints:
    """Return the combinations of `size` out of `items` at these lexicographic ranks, (size, ranks)."""
    left = ranks.copy()
    chosen = np.zeros((size, len(ranks)), dtype=np.int64)
    filled = np.zeros(len(ranks), dtype=np.int64)
    for item in range(items):
        # For each number of filled places, the number of combinations in which this item is next. Ranks are below 2^32,
        # so larger counts may be capped to 64 bits.
        rest = items - item - 1
        fewest, most = max(0, size - rest - 1), min(item, size)
        left_over = (math.comb(rest, size - done - 1) if done < size else 0 for done in range(fewest, most + 1))
        ways = np.asarray([min(count, _COUNT_CAP) for count in left_over], dtype=np.int64)
        taking = ways[filled - fewest]
        take = left < taking
        chosen[filled[take], np.flatnonzero(take)] = item
        left -= np.where(take, 0, taking)
        filled += take
    return chosen


@dataclass(frozen=True, repr=False)
class TournamentResult:
    """The result of a tournament."""

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
    """The population that the figures describe."""
    slow: tuple[str, ...]
    """Strategies that play one game at a time in plain Python."""
    lacks_compiler: bool = False
    """True if the extra `compiled` would play these games faster and is not installed."""

    @property
    def remark(self) -> str:
        """The game's note on events that are impossible at these tables."""
        step = self.game.part("step")
        if step is None:
            return ""
        names = {field.name for phase in step.phases(self.rules) for field in step.fields(self.rules, phase)}
        makers = {
            name: sum(entry.rows is None or entry.rows.makes(name) for entry in self.schedule.entrants)
            for name in names
        }
        seats = self.schedule.seats
        remark: str = step.remark(self.rules, seats, {name: min(count, seats) for name, count in makers.items()})
        return remark


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
    """Play a tournament between strategies of a game, which are given in the forms that `play` accepts. By default, all
    strategies of the game play. `over` says whether figures describe the tables that were played, or tables with random
    opponents like the entrants. `backend` defaults to the fastest on CPUs. `chunk_size`, `workers` and `cluster` (the
    address of a Dask scheduler) affect speed and memory, never results. `keep` names a Parquet file, in which every
    seat of every game gets a row. `players_files` are files of users' strategies, which worker processes load."""
    game = find_game(game)
    schedule = schedule_of(game, strategies_of(game, entrants), games, group_size)
    game.check_seats(schedule.seats)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so it cannot be played as a tournament")
    full_rules: BaseModel = make_rules(game, rules)
    check_seed(seed)
    if over not in SAYS:
        raise InputError(f"figures must be over {' or '.join(SAYS)}, not over {over!r}")
    plan = Plan(game.name, (full_rules,), schedule, seed, backend or "numpy")
    plan = plan if backend else plan.fastest()
    start = time.perf_counter()

    def play(*consumers: Callable[[Batch, BatchResult], None]) -> None:
        for _, batch, result in plan.play(chunk_size, workers, players_files, cluster):
            for consume in consumers:
                consume(batch, result)
            progress(len(batch.games))

    standings, player_turns = _standings(plan, schedule, over, keep, play)
    return TournamentResult(
        game=game,
        schedule=schedule,
        rules=full_rules,
        seed=seed,
        backend=plan.backend,
        games=schedule.games,
        player_turns=player_turns,
        seconds=time.perf_counter() - start,
        standings=standings,
        over=over,
        slow=plan.slow,
        lacks_compiler=backend is None and plan.lacks_compiler,
    )


def _standings(
    plan: Plan, schedule: Schedule, over: Estimand, keep: Path | None, play: Callable[..., None]
) -> tuple[list[Standing], int]:
    """Play the games, and return the standings and the number of decisions."""
    game, names = GAMES[plan.game], [entry.name for entry in schedule.cast]
    higher = game.better == "higher"
    one_table = schedule.tables == len(schedule.arrangements) == 1 and len(names) == schedule.seats
    if plan.backend == "jax" and over == "tables" and one_table and keep is None and not plan.slow:
        return on_device(plan.batch(0, 1), schedule.games, unit=game.unit, higher=higher, aim=game.aim)
    if plan.backend == "compiled":
        # Intervals need SciPy, whose import takes a tenth of a second. Compiled games do not hold the interpreter's
        # lock, so it is imported while they are played.
        Thread(target=importlib.import_module, args=("scipy.special",), daemon=True).start()
    repetitions = schedule.repetitions
    tables = schedule.seating(np.arange(schedule.tables) * repetitions) if over == "opponents" else None
    with StandingsTally(
        names,
        unit=game.unit,
        higher=higher,
        repetitions=repetitions,
        over=over,
        tables=tables,
        roles=schedule.roles,
        aim=game.aim,
    ) as tally:
        if keep is None:
            play(tally.add)
        else:
            with GamesFile(keep, repetitions) as file:
                play(tally.add, file.add)
        return tally.standings(), tally.player_turns
