"""Payoff tables from games: every composition of a group is played many times on the batch engine, seats in an order
drawn by the seed. Any range of games can be played without those before it, so chunks and processes change nothing.

The k-th game of every composition has the same draws of chance, such as how long it lasts: what players earn differs by
what they do, and those who always do the same earn exactly the same."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.chance import GAMES as MOST_GAMES
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.entry_points import cores
from ostrom.core.errors import field
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import GAMES
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import numpy_engine
from ostrom.sim.batch import Batch
from ostrom.sim.cluster import Span, spans_on_processes
from ostrom.sim.payoffs import Floats, Groups, Ints, PayoffTable

Progress: TypeAlias = Callable[[int], None]

_SEATS_A_CHUNK = 131_072
_SEATS_A_SCALAR_CHUNK = 1024
_WORTH_PROCESSES = 400_000
"""Seats to play from which starting other processes pays; fewer where plain Python plays."""


@dataclass(frozen=True)
class GroupGames:
    """Games of groups: who plays, how often each composition is played, and under which rules."""

    game: str
    rules: Any
    cast: tuple[StrategyEntry, ...]
    groups: Groups
    repetitions: int
    seed: int

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if self.repetitions < 1:
            raise InputError(f"the number of games must be at least 1, got {self.repetitions}")
        if self.games > MOST_GAMES:
            raise InputError(f"{self.games:,} games are too many for one seed; at most {MOST_GAMES:,} are possible")

    @property
    def games(self) -> int:
        """In all; the (k mod repetitions)-th of composition k div repetitions is the k-th."""
        return len(self.groups) * self.repetitions

    @cached_property
    def _members(self) -> Ints:
        """(compositions, seats) Who sits in each group, before seats are drawn."""
        every = np.arange(len(self.cast))
        return np.stack([every.repeat(row) for row in self.groups.counts])

    def seating(self, numbers: Ints) -> Ints:
        """(seats, games) For each seat of each of these games the place of its player."""
        seats = np.arange(self.groups.seats)[:, None]
        drawn = uniform_rows(
            key_of(self.seed),
            np.broadcast_to((numbers % self.repetitions).astype(np.uint64), (self.groups.seats, len(numbers))),
            "population/seats",
            0,
            np.broadcast_to(seats, (self.groups.seats, len(numbers))),
        )
        order = np.argsort(drawn, axis=0, kind="stable")
        return np.asarray(self._members[numbers // self.repetitions, order])

    def batch(self, start: int, stop: int) -> Batch:
        """The games from `start` up to `stop`."""
        numbers = np.arange(start, stop)
        chance = numbers % self.repetitions
        return Batch(GAMES[self.game], self.rules, self.cast, self.seating(numbers), chance, self.seed)

    @property
    def slow(self) -> tuple[str, ...]:
        """Players that have no form over rows, and play one game at a time in plain Python."""
        plain = GAMES[self.game].step is None
        return tuple(entry.name for entry in self.cast if plain or entry.rows is None)


def play_groups(
    game: Game,
    entries: Sequence[StrategyEntry],
    groups: Groups,
    *,
    games: int,
    seed: int,
    rules: Mapping[str, Any] | BaseModel | None = None,
    workers: int | None = None,
    files: Sequence[Path] = (),
    progress: Progress = lambda done: None,
) -> PayoffTable:
    """Return the payoff table of a game, from `games` games of each composition. Where lower finals are better, payoffs
    are finals with the sign reversed."""
    game.check_seats(groups.seats)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so its seats have no payoffs")
    plan = GroupGames(game.name, make_rules(game, rules), tuple(entries), groups, games, seed)
    size = max(1, (_SEATS_A_SCALAR_CHUNK if plan.slow else _SEATS_A_CHUNK) // groups.seats)
    spans = [(start, min(start + size, plan.games)) for start in range(0, plan.games, size)]
    sign = 1.0 if game.better == "higher" else -1.0
    finals: list[Floats] = []
    many = _processes(workers, plan, len(spans))
    played = (
        (((span, _play(plan, span)) for span in spans))
        if many < 2
        else spans_on_processes(many, plan, _play, iter(spans), files)
    )
    for (start, stop), found in played:
        finals.append(sign * found)
        progress(stop - start)
    paid = np.concatenate(finals, axis=1)
    seating = plan.seating(np.arange(plan.games))
    return PayoffTable.of_games(groups.players, groups.seats, seating, paid, common=True)


def _play(plan: GroupGames, span: Span) -> Floats:
    return numpy_engine.play_batch(plan.batch(*span)).finals


def _processes(asked: int | None, plan: GroupGames, pieces: int) -> int:
    if asked is not None:
        if asked < 1:
            raise InputError(f"the number of workers must be at least 1, got {asked}")
        return min(asked, pieces)
    if "__main__" in {GAMES[plan.game].play.__module__, *(entry.module for entry in plan.cast)}:
        return 1  # what a notebook defines no other process can import
    work = plan.games * plan.groups.seats * (100 if plan.slow else 1)
    return cores() if work >= _WORTH_PROCESSES else 1


_ALIKE = 1e-6


@dataclass(frozen=True)
class FittedTable(PayoffTable):
    """A payoff table of all groups that are wanted, of which some were not played."""

    played: PayoffTable | None = None
    """The table of the games."""
    unplayed: int = 0
    """Compositions whose payoffs are estimated."""

    def resampled(self, chance: np.random.Generator) -> PayoffTable:
        """The table of as many games drawn again with replacement, whatever their composition."""
        assert self.played is not None
        counts, payoffs = _games(self.played)
        drawn = chance.integers(len(counts), size=len(counts))
        means = _means(self.groups, counts[drawn], payoffs[drawn])
        # What the games drawn do not tell stays as it was.
        return PayoffTable(self.groups, np.where(np.isnan(means), self.means, means), self.errors, self.games)

    def scaled(self, unit: float) -> PayoffTable:
        """The table in another unit."""
        assert self.played is not None
        return completed(self.played.scaled(unit), self.groups)


def completed(table: PayoffTable, groups: Groups) -> PayoffTable:
    """The table of these groups: the same where all of them were played, else with estimates for the others."""
    there = {tuple(row) for row in table.groups.counts.tolist()}
    missing = [row for row in groups.counts.tolist() if tuple(row) not in there]
    if table.samples is None or not missing:
        return table
    counts, payoffs = _games(table)
    means = _means(groups, counts, payoffs)
    unknown = np.isnan(means) & (groups.counts > 0)
    if unknown.any():
        which = groups.counts[np.flatnonzero(unknown.any(axis=1))[0]]
        raise InputError(
            f"these games do not tell what a group of {groups.said(which)} would earn; choose players who met others "
            f"who met each other, with {field('players')}"
        )
    place = {tuple(row): at for at, row in enumerate(table.groups.counts.tolist())}
    of = [place.get(tuple(row)) for row in groups.counts.tolist()]
    games = np.asarray([0 if at is None else table.games[at] for at in of], dtype=np.int64)
    errors = np.stack([np.full(len(groups.players), np.nan) if at is None else table.errors[at] for at in of])
    return FittedTable(groups, means, errors, games, table.samples, played=table, unplayed=len(missing))


def _games(table: PayoffTable) -> tuple[Ints, Floats]:
    """(games, players) twice: the seats that each player held, and what it earned at one on average."""
    assert table.samples is not None
    group = np.repeat(np.arange(len(table.groups)), table.games)
    counts, payoffs = table.groups.counts[group], np.full((len(group), len(table.players)), np.nan)
    np.put_along_axis(payoffs, table.groups.slots[group], table.samples.payoffs, axis=1)
    return counts, np.where(counts > 0, payoffs, np.nan)


def _means(groups: Groups, counts: Ints, payoffs: Floats) -> Floats:
    """(compositions, players) What was paid where a composition was played, else the fit; NaN where the games do not
    tell."""
    size = len(groups.players)
    game, player = np.nonzero(counts)
    design = _design(counts[game], player, size)
    paid = payoffs[game, player]
    weights = np.linalg.pinv(design.T @ design, hermitian=True)
    fit = weights @ (design.T @ paid)
    row, mine = np.nonzero(groups.counts)
    wanted = _design(groups.counts[row], mine, size)
    # A combination of parts that no games tell apart is no estimate.
    known = np.abs(wanted - wanted @ weights @ (design.T @ design)).max(axis=1) < _ALIKE
    made = np.full(groups.counts.shape, np.nan)
    # No estimate lies above the largest or below the smallest payoff seen.
    made[row, mine] = np.where(known, np.clip(wanted @ fit, paid.min(), paid.max()), np.nan)
    found = {tuple(one): at for at, one in enumerate(groups.counts.tolist())}
    at = np.asarray([found.get(tuple(one), -1) for one in counts.tolist()])
    sums, times = np.zeros(made.shape), np.zeros(made.shape)
    here = at[game] >= 0
    np.add.at(sums, (at[game][here], player[here]), paid[here])
    np.add.at(times, (at[game][here], player[here]), 1.0)
    return np.where(times > 0, sums / np.maximum(times, 1.0), made)


def _design(counts: Ints, player: Ints, size: int) -> Floats:
    """(rows, 2 players) Who earns, and how many of each kind it sits with."""
    own = np.eye(size)[player]
    return np.concatenate([own, counts - own], axis=1)


def said_of(table: PayoffTable) -> str:
    """What is to be said of estimates in it; nothing where there are none."""
    if not isinstance(table, FittedTable):
        return ""
    return (
        f"{table.unplayed:,} of {len(table.groups):,} groups never met: what they would earn is fitted to all games, a "
        "part of each player's own and one for each co-player, within what was ever paid"
    )
