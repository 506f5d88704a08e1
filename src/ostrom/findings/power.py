"""How many games a finding takes, by simulation from a pilot.

An experiment of n games is n whole games drawn from the pilot's, with replacement, as if the pilot were all there is to
draw from. It is analysed as the product analyses any experiment, and the wanted finding is made or not: an interval
that is narrow enough, or a difference whose interval excludes 0. For a difference of a wanted size, what one side shows
is moved in every game alike, so that in the pilot the two differ by just that; the spread stays the pilot's. The chance
of the finding is followed over n until it is the wanted one.

The answer is as uncertain as the pilot is small. The number of games goes with the square of the error that the pilot
shows, so the pilot itself is drawn again, and the range of the squared errors gives the range of the answer. A pilot
that shows half of the spread there is promises too much: n games then tell as much as n/2 of its own would. So every
drawn experiment has as many games as one of the pilots drawn again is worth, and the chance that is promised is one
over all that the pilot leaves open."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import polars as pl
from scipy.special import ndtri

from ostrom.analysis.contrasts import (
    Parts,
    arms_of,
    clustered_error,
    difference_of_players,
    players_of,
    ratio_with,
    ratios_of,
    sums_of,
    with_ratios,
)
from ostrom.analysis.intervals import LEAST as LEAST_OF_INTERVALS
from ostrom.analysis.intervals import Difference, Ratio
from ostrom.analysis.randomisation import LEAST as LEAST_OF_ARMS
from ostrom.analysis.randomisation import Arms
from ostrom.core import InputError
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import Estimate, Floats, Whole, clustered_mean, proportion
from ostrom.core.text import number_of

REPETITIONS = 1000
POWER = 0.8
SEED = 735
"""Of all draws, so that the same pilot gives the same answer."""
LEAST, MOST = 10, 100_000
"""Games that are planned with: below, intervals are refused or too coarse; above, no answer is given."""
_PILOTS = 200
"""Pilots that are drawn for the range."""
_ROUNDS = 3
_RESAMPLES = 199
"""Of each drawn experiment: enough for a verdict at 5 % that is right on average, and there are thousands of them."""


class Goal(Protocol):
    """A finding that games are planned for."""

    arms: int
    """How many experiments it takes."""

    def found(self, drawn: Sequence["Drawn"]) -> bool:
        """Whether these games show it."""

    def error(self, drawn: Sequence["Drawn"]) -> float:
        """The standard error that it depends on."""

    def guess(self, error: float, games: int, power: float) -> float:
        """Return about how many games are needed, from the error of a given number."""


def _for_difference(difference: float, error: float, games: int, power: float) -> float:
    """How many games bring a difference as many standard errors away from 0 as telling it with this chance takes."""
    return games * (float(ndtri(0.975) + ndtri(power)) * error / difference) ** 2


@dataclass(frozen=True)
class NarrowInterval:
    """The intervals of a measure are narrower than wanted, for every one of some players."""

    width: float
    players: Sequence[str]
    arms = 1

    def found(self, drawn: Sequence["Drawn"]) -> bool:
        """Whether every player has an interval, and all are narrow enough."""
        frame = drawn[0].parts.estimates().filter(pl.col("player").is_in(self.players))
        widths = frame.select(pl.col("high") - pl.col("low")).to_series()
        return frame.height == len(self.players) and not widths.null_count() and bool((widths < self.width).all())

    def error(self, drawn: Sequence["Drawn"]) -> float:
        """The greatest of the players'."""
        found = drawn[0].parts.resampled()
        return float(np.max(found.error[found.keys["player"].is_in(self.players).to_numpy()]))

    def guess(self, error: float, games: int, power: float) -> float:
        """By the length of a normal interval."""
        return games * (2 * float(ndtri(0.975)) * error / self.width) ** 2


@dataclass(frozen=True)
class PlayersDiffer:
    """One player's measure is above, or below, another's of the same games."""

    difference: float
    one: str
    other: str
    arms = 1

    def found(self, drawn: Sequence["Drawn"]) -> bool:
        """Whether the interval of the difference excludes 0, on the right side."""
        players = list(drawn[0].pool.sums)
        every = np.stack([drawn[0].sums(player) for player in players], axis=2)
        found = difference_of_players(every, players.index(self.one), players.index(self.other), resamples=_RESAMPLES)
        towards = found.value if self.difference > 0 else -found.value
        return found.games >= LEAST_OF_INTERVALS and towards > found.reach

    def error(self, drawn: Sequence["Drawn"]) -> float:
        """Of the difference."""
        return clustered_error(drawn[0].sums(self.one), drawn[0].sums(self.other))

    def guess(self, error: float, games: int, power: float) -> float:
        """By the distance of the difference from 0."""
        return _for_difference(self.difference, error, games, power)


@dataclass(frozen=True)
class ExperimentsDiffer:
    """A measure is higher, or lower, in a second experiment than in a first, for one player or for all together."""

    difference: float
    player: str
    arms = 2

    def found(self, drawn: Sequence["Drawn"]) -> bool:
        """Whether the interval of the difference excludes 0, on the right side."""
        arms = self._arms(drawn)
        ends = arms.interval() if min(arms.games) >= LEAST_OF_ARMS else None
        return ends is not None and bool(ends[0] > 0 if self.difference > 0 else ends[1] < 0)

    def error(self, drawn: Sequence["Drawn"]) -> float:
        """Of the difference."""
        return float(self._arms(drawn).seen[1])

    def guess(self, error: float, games: int, power: float) -> float:
        """By the distance of the difference from 0."""
        return _for_difference(self.difference, error, games, power)

    def _arms(self, drawn: Sequence["Drawn"]) -> Arms:
        return arms_of(drawn[0].sums(self.player), drawn[1].sums(self.player))


class Pool:
    """The games of a pilot, to draw experiments from."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._ratios = ratios_of(parts)
        self.games = len(self._ratios[0].games)
        self._rows = [_by_game(ratio) for ratio in self._ratios]
        self.sums = {player: sums_of(parts, player) for player in players_of(parts)}

    def parts(self, picked: Whole) -> Parts:
        """These games, by their numbers; each is a game of its own, however often it is drawn."""
        names = [str(number) for number in range(len(picked))]
        made = []
        for ratio, (rows, starts, counts) in zip(self._ratios, self._rows, strict=True):
            many = counts[picked]
            first = np.repeat(starts[picked] - np.concatenate(([0], np.cumsum(many)[:-1])), many)
            game = pl.Series("game", names).gather(np.repeat(np.arange(len(picked)), many))
            made.append(ratio_with(ratio, rows[first + np.arange(many.sum())].with_columns(game), names))
        return with_ratios(self._parts, made)


@dataclass(frozen=True)
class Drawn:
    """An experiment that was drawn."""

    pool: Pool
    picked: Whole

    @cached_property
    def parts(self) -> Parts:
        """What the measure divides by what in it."""
        return self.pool.parts(self.picked)

    def sums(self, player: str) -> Floats:
        """The same of one player, summed by game."""
        return self.pool.sums[player][..., self.picked]


def _by_game(ratio: Ratio) -> tuple[pl.DataFrame, Whole, Whole]:
    """The rows game by game, where each game's begin, and how many they are."""
    number = pl.DataFrame({"game": list(ratio.games)}).with_row_index("number")
    rows = ratio.rows.join(number, on="game", maintain_order="left").sort("number", maintain_order=True)
    counts = np.bincount(rows["number"].to_numpy().astype(np.int64), minlength=len(ratio.games))
    return rows.drop("number"), np.concatenate(([0], np.cumsum(counts)[:-1])), counts


def moved(parts: Parts, shift: float, player: str | None = None) -> Parts:
    """The same with what a player shows, or everybody, moved by so much in every game."""
    if isinstance(parts, Difference):
        first = moved(parts.first, shift, player)
        assert isinstance(first, Ratio)
        return replace(parts, first=first)
    whose = pl.lit(True) if player is None else pl.col("player") == player
    top = pl.col("top").cast(pl.Float64) + pl.when(whose).then(shift).otherwise(0.0) * pl.col("bottom")
    return ratio_with(parts, parts.rows.with_columns(top=top))


@dataclass(frozen=True)
class Planned:
    """The number of games that a finding takes."""

    games: int
    """In each experiment."""
    low: int
    high: int
    """Its range, at 95 %, for the pilot is a sample."""
    chance: Estimate
    """The chance of the finding with this many games; its interval is that of the simulation."""
    repetitions: int


def chance_at(
    goal: Goal, pilot: Sequence[Parts], games: int, repetitions: int = REPETITIONS, seed: int = SEED
) -> float:
    """Return the share of experiments of this many games in which the finding is made."""
    return _Simulation(goal, pilot, seed).chance(games, repetitions)


class _Simulation:
    """Experiments drawn from a pilot, each by a number of its own."""

    def __init__(self, goal: Goal, pilot: Sequence[Parts], seed: int) -> None:
        self._goal = goal
        self._pools = [Pool(parts) for parts in pilot]
        self._key = key_of(seed)
        self._number = 0
        self.games = min(pool.games for pool in self._pools)

    def chance(self, games: int, repetitions: int) -> float:
        """Return the share of experiments of this many games in which the finding is made."""
        worth = np.resize(self._worth, repetitions)
        return sum(self._goal.found(self._draw(max(LEAST, round(games * one)))) for one in worth) / repetitions

    def error(self) -> float:
        """The error that the pilot shows; one that shows none is of no use."""
        found = self._goal.error([Drawn(pool, np.arange(pool.games)) for pool in self._pools])
        if not np.isfinite(found):
            raise InputError(
                f"a pilot of {number_of(self.games, 'game')} does not show how much the measure varies; play more games"
            )
        if found <= 0:
            raise InputError("in the pilot the measure is the same in all games, so that none can be planned from it")
        return found

    @cached_property
    def _worth(self) -> Floats:
        """What a game of the pilot is worth in true games: pilots drawn from this one stand to it as it stands to the
        truth, so that where they show less spread than it does, it may show less than there is."""
        errors = np.asarray([self._goal.error(self._draw()) for _ in range(_PILOTS)])
        return np.asarray((errors[np.isfinite(errors)] / self.error()) ** 2)

    def range(self) -> tuple[float, float]:
        """By what factor a number of games may be off either way, since the error that the pilot shows is."""
        low, high = np.quantile(self._worth, (0.025, 0.975))
        return 1 / float(high), 1 / float(low)

    def _draw(self, games: int | None = None) -> list[Drawn]:
        """Draw an experiment of this many games, or of as many as the pilot has."""
        self._number += 1
        drawn = []
        for arm, pool in enumerate(self._pools):
            count = pool.games if games is None else games
            number = np.full(count, self._number, dtype=np.uint64)
            uniform = uniform_rows(self._key, number, "power", np.arange(count, dtype=np.uint64), arm)
            drawn.append(Drawn(pool, (uniform * pool.games).astype(np.int64)))
        return drawn


def plan_games(
    goal: Goal,
    pilot: Sequence[Parts],
    *,
    power: float = POWER,
    repetitions: int = REPETITIONS,
    progress: Callable[[], None] = lambda: None,
    seed: int = SEED,
) -> Planned:
    """The least number of games with which the finding is made with this chance."""
    simulation = _Simulation(goal, pilot, seed)
    games = _bounded(goal.guess(simulation.error(), simulation.games, power))
    points: list[tuple[float, float]] = []
    for round_ in range(_ROUNDS):
        # First wide, then close around what the points so far say.
        spread = (0.6, 0.8, 1.0, 1.3, 1.7) if round_ == 0 else (0.9, 1.0, 1.1)
        for factor in spread:
            n = max(LEAST, round(games * factor))
            points.append((n, simulation.chance(n, max(1, repetitions // (_ROUNDS * len(spread))))))
            progress()
        games = _bounded(_solved(points, games, power))
    chance = proportion(simulation.chance(games, repetitions), repetitions)
    low, high = simulation.range()
    return Planned(games, max(LEAST, int(games * low)), int(np.ceil(games * high)), chance, repetitions)


def _bounded(games: float) -> int:
    if not np.isfinite(games) or games > MOST:
        raise InputError(f"that takes more than {MOST:,} games; ask for a larger difference or a wider interval")
    return max(LEAST, int(np.ceil(games)))


def _solved(points: Sequence[tuple[float, float]], games: float, power: float) -> float:
    """Where the chance is the wanted one: its probit, as a line over the square root of the number of games through
    the points, the near ones above all."""
    n, chance = (np.asarray(column) for column in zip(*points, strict=True))
    weight = np.exp(-0.5 * (np.log(n / games) / 0.3) ** 2) + 1e-6
    slope, level = np.polyfit(np.sqrt(n), ndtri(np.clip(chance, 0.005, 0.995)), 1, w=np.sqrt(weight))
    if slope <= 0:
        return games * (2.0 if float(np.mean(chance)) < power else 0.5)
    root = (float(ndtri(power)) - level) / slope
    return float(np.clip(root**2 if root > 0 else 0.0, games / 3, games * 3))


def costs_of(figures: Floats, games: int) -> Estimate:
    """Return what this many games cost, from the cost of each game of the pilot."""
    each = clustered_mean(figures, np.ones(len(figures), dtype=np.int64))
    value, low, high = (None if end is None else end * games for end in (each.value, each.low, each.high))
    return Estimate(value, low, high, each.reason)
