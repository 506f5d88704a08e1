"""Payoff tables from games. Every composition of a group is played many times on the batch engine. The seed determines
a random order of seats. Any range of games can be played independently, so results do not depend on chunks and
processes. The k-th game of every composition has the same random draws (common random numbers). So players with the
same behaviour have exactly equal payoffs.

In an experiment, some groups of players may not have met. The payoffs of these groups are estimated by least squares
over all games. In the model, a payoff is the sum of an effect of the player and an effect of each co-player, without
interactions. Compositions that were played keep their payoffs.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from pydantic import BaseModel
from typing_extensions import override

from ostrom.core import InputError
from ostrom.core.chance import check_seed, key_of, uniform_rows
from ostrom.core.entry_points import cores
from ostrom.core.errors import field
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.text import number_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim import numpy_engine
from ostrom.sim.batch import Batch, Floats, Ints, check_repetitions, plain_players
from ostrom.sim.payoffs import Groups, PayoffTable
from ostrom.sim.plan import SEATS_PER_CHUNK, SEATS_PER_PLAIN_CHUNK, Span, run_spans

Progress: TypeAlias = Callable[[int], None]

_PLAIN_COST = 100
"""The approximate cost of a seat played in plain Python, relative to a seat played over arrays."""
_WORTH_PROCESSES = 400_000
"""The number of seats above which starting other processes saves time."""


@dataclass(frozen=True)
class GroupGames:
    """Games of groups: the players, the number of games per composition, and the rules."""

    game: str
    rules: Any
    cast: tuple[StrategyEntry, ...]
    groups: Groups
    repetitions: int
    seed: int

    def __post_init__(self) -> None:
        check_seed(self.seed)
        check_repetitions(self.repetitions, self.games)

    @property
    def games(self) -> int:
        """The total number of games. Game k is repetition k mod `repetitions` of composition k div `repetitions`."""
        return len(self.groups) * self.repetitions

    @cached_property
    def _members(self) -> Ints:
        """(compositions, seats) The players of each group, before seats are drawn."""
        players = np.arange(len(self.cast))
        return np.stack([players.repeat(row) for row in self.groups.counts])

    def seating(self, numbers: Ints) -> Ints:
        """Return the index of the player at each seat of these games, (seats, games)."""
        seats = np.arange(self.groups.seats)[:, None]
        draws = uniform_rows(
            key_of(self.seed),
            np.broadcast_to((numbers % self.repetitions).astype(np.uint64), (self.groups.seats, len(numbers))),
            "population/seats",
            0,
            np.broadcast_to(seats, (self.groups.seats, len(numbers))),
        )
        order = np.argsort(draws, axis=0, kind="stable")
        return np.asarray(self._members[numbers // self.repetitions, order])

    def batch(self, start: int, stop: int) -> Batch:
        """Return the games from `start` up to `stop`."""
        numbers = np.arange(start, stop)
        chance = numbers % self.repetitions
        return Batch(GAMES[self.game], self.rules, self.cast, self.seating(numbers), chance, self.seed)


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
    """Return the payoff table from `games` games of each composition. If lower finals are better, payoffs are finals
    with the opposite sign."""
    game.check_seats(groups.seats)
    if game.finals is None:
        raise InputError(f"{game.command} has no final results, so its seats have no payoffs")
    plan = GroupGames(game.name, make_rules(game, rules), tuple(entries), groups, games, seed)
    slow = bool(plain_players(game, entries, [plan.rules]))
    size = max(1, (SEATS_PER_PLAIN_CHUNK if slow else SEATS_PER_CHUNK) // groups.seats)
    spans = [(start, min(start + size, plan.games)) for start in range(0, plan.games, size)]
    sign = 1.0 if game.better == "higher" else -1.0
    finals: list[Floats] = []
    processes = _processes(workers, plan, len(spans), slow)
    for (start, stop), chunk in run_spans(plan, _play, spans, processes=processes, files=lambda: files):
        finals.append(sign * chunk)
        progress(stop - start)
    paid = np.concatenate(finals, axis=1)
    seating = plan.seating(np.arange(plan.games))
    return PayoffTable.of_games(groups.players, groups.seats, seating, paid, common=True)


def _play(plan: GroupGames, span: Span) -> Floats:
    return numpy_engine.play_batch(plan.batch(*span)).finals


def _processes(requested: int | None, plan: GroupGames, chunks: int, slow: bool) -> int:
    if requested is not None:
        if requested < 1:
            raise InputError(f"the number of workers must be at least 1, got {requested}")
        return min(requested, chunks)
    if "__main__" in {GAMES[plan.game].play.__module__, *(entry.module for entry in plan.cast)}:
        return 1  # Other processes cannot import strategies that a notebook defines.
    work = plan.games * plan.groups.seats * (_PLAIN_COST if slow else 1)
    return cores() if work >= _WORTH_PROCESSES else 1


_IDENTIFIED_BELOW = 1e-6


@dataclass(frozen=True)
class FittedTable(PayoffTable):
    """A payoff table in which some compositions are estimated."""

    played: PayoffTable | None = None
    """The table of the compositions that were played."""
    unplayed: int = 0
    """Number of compositions with estimated payoffs."""
    misfit: float = 0.0
    """The standard deviation of the differences between the payoffs of compositions and their fitted values. It is NaN
    if the games do not determine it."""

    @property
    @override
    def played_once(self) -> bool:
        return math.isnan(self.misfit) or super().played_once

    @property
    @override
    def once(self) -> str:
        return super().once if super().played_once else "the games do not determine the error of the fit"

    @override
    def resampled(self, chance: np.random.Generator) -> PayoffTable:
        assert self.played is not None
        counts, payoffs = _games(self.played)
        drawn = chance.integers(len(counts), size=len(counts))
        means = _means(self.groups, counts[drawn], payoffs[drawn])
        # Payoffs that the resample does not identify keep their estimates.
        means = np.where(np.isnan(means), self.means, means)
        if self.misfit:
            unplayed = self.games == 0
            off = self.misfit * chance.standard_normal((int(unplayed.sum()), means.shape[1]))
            means[unplayed] = np.clip(means[unplayed] + off, np.nanmin(payoffs), np.nanmax(payoffs))
        return PayoffTable(self.groups, means, self.errors, self.games)

    @override
    def scaled(self, unit: float) -> PayoffTable:
        assert self.played is not None
        return completed(self.played.scaled(unit), self.groups)


def completed(table: PayoffTable, groups: Groups) -> PayoffTable:
    """Return the table of these groups, in which the payoffs of compositions that were not played are estimated. Raise
    InputError if the games do not determine the estimates."""
    played_groups = {tuple(row) for row in table.groups.counts.tolist()}
    missing = [row for row in groups.counts.tolist() if tuple(row) not in played_groups]
    if table.samples is None or not missing:
        return table
    counts, payoffs = _games(table)
    means = _means(groups, counts, payoffs)
    unknown = np.isnan(means) & (groups.counts > 0)
    if unknown.any():
        example = groups.counts[np.flatnonzero(unknown.any(axis=1))[0]]
        raise InputError(
            f"these games do not determine the payoffs of a group of {groups.in_words(example)}; choose players whose "
            f"co-players also met each other, with {field('players')}"
        )
    places_of = {tuple(row): place for place, row in enumerate(table.groups.counts.tolist())}
    places = [places_of.get(tuple(row)) for row in groups.counts.tolist()]
    games = np.asarray([0 if place is None else table.games[place] for place in places], dtype=np.int64)
    errors = np.stack(
        [np.full(len(groups.players), np.nan) if place is None else table.errors[place] for place in places]
    )
    misfit = _misfit(table, counts, payoffs)
    return FittedTable(groups, means, errors, games, table.samples, played=table, unplayed=len(missing), misfit=misfit)


def _misfit(table: PayoffTable, counts: Ints, payoffs: Floats) -> float:
    """Return the standard deviation of the differences between the mean payoffs of the compositions that were played
    and their fitted values. The variance within compositions is subtracted first. If no composition was played twice,
    nothing is subtracted. Return NaN if the fit has as many parameters as there are payoffs."""
    game, player = np.nonzero(counts)
    design = _design(counts[game], player, len(table.players))
    weights = np.linalg.pinv(design.T @ design, hermitian=True)
    row, earner = np.nonzero(table.groups.counts)
    fit = _design(table.groups.counts[row], earner, len(table.players)) @ weights @ (design.T @ payoffs[game, player])
    times = table.games[row]
    freedom = len(row) - int(np.linalg.matrix_rank(design))
    if freedom < 1:
        return math.nan
    between = float(np.sum(times * (table.means[row, earner] - fit) ** 2)) / freedom
    # The squared error of a composition times its number of games is the variance of its games.
    again = times > 1
    variances = times[again] * table.errors[row, earner][again] ** 2
    within = float(np.average(variances, weights=times[again] - 1)) if again.any() else 0.0
    return math.sqrt(max(between - within, 0.0) / float(times.mean()))


def _games(table: PayoffTable) -> tuple[Ints, Floats]:
    """Return two arrays (games, players): the number of seats of each player, and its mean payoff per seat."""
    assert table.samples is not None
    group = np.repeat(np.arange(len(table.groups)), table.games)
    counts, payoffs = table.groups.counts[group], np.full((len(group), len(table.players)), np.nan)
    np.put_along_axis(payoffs, table.groups.slots[group], table.samples.payoffs, axis=1)
    return counts, np.where(counts > 0, payoffs, np.nan)


def _means(groups: Groups, counts: Ints, payoffs: Floats) -> Floats:
    """Return the payoffs, (compositions, players). A payoff is observed if the composition was played, and otherwise
    fitted. It is NaN if it is not identified."""
    size = len(groups.players)
    game, player = np.nonzero(counts)
    design = _design(counts[game], player, size)
    paid = payoffs[game, player]
    weights = np.linalg.pinv(design.T @ design, hermitian=True)
    fit = weights @ (design.T @ paid)
    row, earner = np.nonzero(groups.counts)
    wanted = _design(groups.counts[row], earner, size)
    # Contrasts outside the row space of the design matrix are not identified.
    known = np.abs(wanted - wanted @ weights @ (design.T @ design)).max(axis=1) < _IDENTIFIED_BELOW
    means = np.full(groups.counts.shape, np.nan)
    # Estimates are clipped to the range of observed payoffs.
    means[row, earner] = np.where(known, np.clip(wanted @ fit, paid.min(), paid.max()), np.nan)
    place_of = {tuple(counts_row): place for place, counts_row in enumerate(groups.counts.tolist())}
    place = np.asarray([place_of.get(tuple(counts_row), -1) for counts_row in counts.tolist()])
    sums, times = np.zeros(means.shape), np.zeros(means.shape)
    known_group = place[game] >= 0
    np.add.at(sums, (place[game][known_group], player[known_group]), paid[known_group])
    np.add.at(times, (place[game][known_group], player[known_group]), 1.0)
    return np.where(times > 0, sums / np.maximum(times, 1.0), means)


def _design(counts: Ints, player: Ints, size: int) -> Floats:
    """Return the design matrix (rows, 2 · players). Its columns are indicators of the player that earns the payoff, and
    the number of seats of each player among the co-players."""
    own = np.eye(size)[player]
    return np.concatenate([own, counts - own], axis=1)


def note_of(table: PayoffTable) -> str:
    """Return a note on the number of estimated payoffs of a table. The note is empty if no payoffs are estimated."""
    if not isinstance(table, FittedTable):
        return ""
    assert table.played is not None
    again = int(np.sum(table.played.games > 1))
    if not math.isfinite(table.misfit):
        error = "No game shows how well this fits"
    elif table.misfit:
        error = f"The residual standard deviation of the fit is {table.misfit:.3g}"
    else:
        error = (
            f"No misfit was detected in the groups that met; {number_of(again, 'group')} met more than once and showed "
            "how payoffs vary. For the other groups, the fit is an assumption"
        )
    return (
        f"{table.unplayed:,} of {len(table.groups):,} groups never met. Their payoffs are estimated from all games: "
        "each is the sum of an effect of the player and an effect of each co-player, within the range of the payoffs "
        f"that occurred. {error}"
    )
