"""The number of games that a finding needs, by simulation from a pilot.

An experiment of n games is simulated by drawing n whole games from the pilot with replacement. It is analysed like any
experiment, and either shows the finding or does not. A finding is an interval that is narrow enough, or a difference
whose interval excludes 0. To plan for a difference of a given size, the figures of one side are shifted equally in
every game, so that the two sides of the pilot differ by that size. The spread remains that of the pilot. The result is
the number of games at which the share of simulated experiments with the finding equals the desired power.

A small pilot makes the planned number of games uncertain. This number is proportional to the squared standard error in
the pilot. So the pilot is resampled, and the range of squared errors gives the range of the number. A pilot that shows
half of the true variance is too optimistic: n real games are then only as informative as n/2 games with the variance of
the pilot. So the size of every simulated experiment is multiplied by the relative squared error of a resampled pilot.
The power is thereby averaged over the uncertainty of the pilot.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Protocol

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
from ostrom.analysis.intervals import LEAST as MIN_GAMES_OF_INTERVAL
from ostrom.analysis.intervals import Difference, Ratio
from ostrom.analysis.randomisation import LEAST as MIN_GAMES_OF_ARM
from ostrom.analysis.randomisation import Arms
from ostrom.core import InputError
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.estimates import Estimate, Floats, Whole, clustered_mean, proportion
from ostrom.core.text import number_of

REPETITIONS: Final = 1000
POWER: Final = 0.8
SEED: Final = 735
"""The seed is a constant, so that the same pilot gives the same answer."""
MIN_GAMES: Final = 10
MAX_GAMES: Final = 100_000
RESAMPLED_PILOTS: Final = 200
ROUNDS: Final = 3
"""The number of rounds of simulations. Each round starts from a better guess of the number of games."""


class Goal(Protocol):
    """A finding for which games are planned."""

    arms: int
    """The number of experiments that the finding needs."""

    def is_met(self, samples: Sequence["Sample"]) -> bool:
        """Return whether these simulated experiments show the finding."""

    def error(self, samples: Sequence["Sample"]) -> float:
        """Return the standard error of the figure on which the finding is based."""

    def guess(self, error: float, games: int, power: float) -> float:
        """Return an approximate number of games that the finding needs. `error` is the standard error with `games`
        games."""


def _games_for_difference(difference: float, error: float, games: int, power: float) -> float:
    """Return the number of games that a difference needs, by the normal approximation of a two-sided test."""
    return games * (float(ndtri(0.975) + ndtri(power)) * error / difference) ** 2


@dataclass(frozen=True)
class NarrowInterval:
    """The finding that the intervals of a measure are narrower than a width, for each of these players."""

    width: float
    players: Sequence[str]
    arms = 1

    def is_met(self, samples: Sequence["Sample"]) -> bool:
        """Return whether every player has an interval, and every interval is narrow enough."""
        frame = samples[0].parts.estimates().filter(pl.col("player").is_in(self.players))
        widths = frame.select(pl.col("high") - pl.col("low")).to_series()
        return frame.height == len(self.players) and not widths.null_count() and bool((widths < self.width).all())

    def error(self, samples: Sequence["Sample"]) -> float:
        """Return the largest standard error of any player."""
        resampled = samples[0].parts.resampled()
        return float(np.max(resampled.error[resampled.keys["player"].is_in(self.players).to_numpy()]))

    def guess(self, error: float, games: int, power: float) -> float:
        """Return an approximate number of games, from the length of a normal interval."""
        return games * (2 * float(ndtri(0.975)) * error / self.width) ** 2


@dataclass(frozen=True)
class PlayersDiffer:
    """The finding that the measure of one player is above (or below) that of another in the same games."""

    difference: float
    player: str
    other: str
    arms = 1

    def is_met(self, samples: Sequence["Sample"]) -> bool:
        """Return whether the interval of the difference excludes 0, and the difference has the expected sign."""
        players = list(samples[0].pool.sums)
        sums = np.stack([samples[0].sums(player) for player in players], axis=2)
        contrast = difference_of_players(sums, players.index(self.player), players.index(self.other))
        if contrast.fit is None or contrast.games < MIN_GAMES_OF_INTERVAL:
            return False
        low, high = contrast.fit.interval()
        return low > 0 if self.difference > 0 else high < 0

    def error(self, samples: Sequence["Sample"]) -> float:
        """Return the standard error of the difference."""
        return clustered_error(samples[0].sums(self.player), samples[0].sums(self.other))

    def guess(self, error: float, games: int, power: float) -> float:
        """Return an approximate number of games, by the normal approximation of the test."""
        return _games_for_difference(self.difference, error, games, power)


@dataclass(frozen=True)
class ExperimentsDiffer:
    """The finding that a measure is higher (or lower) in the second experiment than in the first. The measure is that
    of one player, or of all players together."""

    difference: float
    player: str
    arms = 2

    def is_met(self, samples: Sequence["Sample"]) -> bool:
        """Return whether the interval of the difference excludes 0, and the difference has the expected sign."""
        arms = self._arms(samples)
        ends = arms.interval() if min(arms.games) >= MIN_GAMES_OF_ARM else None
        return ends is not None and bool(ends[0] > 0 if self.difference > 0 else ends[1] < 0)

    def error(self, samples: Sequence["Sample"]) -> float:
        """Return the standard error of the difference."""
        return float(self._arms(samples).seen[1])

    def guess(self, error: float, games: int, power: float) -> float:
        """Return an approximate number of games, by the normal approximation of the test."""
        return _games_for_difference(self.difference, error, games, power)

    def _arms(self, samples: Sequence["Sample"]) -> Arms:
        return arms_of(samples[0].sums(self.player), samples[1].sums(self.player))


class Pool:
    """The games of a pilot, from which experiments are drawn."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._ratios = ratios_of(parts)
        self.games = len(self._ratios[0].games)
        self._rows = [_rows_by_game(ratio) for ratio in self._ratios]
        self.sums = {player: sums_of(parts, player) for player in players_of(parts)}

    def parts(self, indices: Whole) -> Parts:
        """Return the games with these indices. A game that is drawn twice counts as two games."""
        names = [str(number) for number in range(len(indices))]
        ratios = []
        for ratio, (rows, starts, counts) in zip(self._ratios, self._rows, strict=True):
            sizes = counts[indices]
            first = np.repeat(starts[indices] - np.concatenate(([0], np.cumsum(sizes)[:-1])), sizes)
            game = pl.Series("game", names).gather(np.repeat(np.arange(len(indices)), sizes))
            ratios.append(ratio_with(ratio, rows[first + np.arange(sizes.sum())].with_columns(game), names))
        return with_ratios(self._parts, ratios)


@dataclass(frozen=True)
class Sample:
    """An experiment drawn from a pool."""

    pool: Pool
    indices: Whole

    @cached_property
    def parts(self) -> Parts:
        """The numerators and denominators of the measure in the games of this experiment."""
        return self.pool.parts(self.indices)

    def sums(self, player: str) -> Floats:
        """Return the numerators and denominators of one player, summed by game."""
        return self.pool.sums[player][..., self.indices]


def _rows_by_game(ratio: Ratio) -> tuple[pl.DataFrame, Whole, Whole]:
    """Return the rows sorted by game, the first row of each game, and each game's number of rows."""
    number = pl.DataFrame({"game": list(ratio.games)}).with_row_index("number")
    rows = ratio.rows.join(number, on="game", maintain_order="left").sort("number", maintain_order=True)
    counts = np.bincount(rows["number"].to_numpy().astype(np.int64), minlength=len(ratio.games))
    return rows.drop("number"), np.concatenate(([0], np.cumsum(counts)[:-1])), counts


def shift_parts(parts: Parts, shift: float, player: str | None = None) -> Parts:
    """Return the parts of a measure, with the figures of a player, or of all players, shifted in every game."""
    if isinstance(parts, Difference):
        first = shift_parts(parts.first, shift, player)
        assert isinstance(first, Ratio)
        return replace(parts, first=first)
    shifted = pl.lit(True) if player is None else pl.col("player") == player
    top = pl.col("top").cast(pl.Float64) + pl.when(shifted).then(shift).otherwise(0.0) * pl.col("bottom")
    return ratio_with(parts, parts.rows.with_columns(top=top))


@dataclass(frozen=True)
class GamePlan:
    """The number of games that a finding needs."""

    games: int
    """The number of games of each experiment."""
    low: int
    high: int
    """`low` and `high` bound the number of games with 95 % confidence. The number is uncertain because the pilot is a
    sample."""
    chance: Estimate
    """The probability of the finding with this number of games. Its interval shows the error of the simulation."""
    repetitions: int


def chance_at(
    goal: Goal, pilot: Sequence[Parts], games: int, repetitions: int = REPETITIONS, seed: int = SEED
) -> float:
    """Return the share of simulated experiments with this number of games that show the finding."""
    return _Simulation(goal, pilot, seed).chance(games, repetitions)


class _Simulation:
    """Experiments drawn from a pilot. The number of an experiment determines its random draws."""

    def __init__(self, goal: Goal, pilot: Sequence[Parts], seed: int) -> None:
        self._goal = goal
        self._pools = [Pool(parts) for parts in pilot]
        self._key = key_of(seed)
        self._number = 0
        self.games = min(pool.games for pool in self._pools)

    def chance(self, games: int, repetitions: int) -> float:
        """Return the share of simulated experiments with this number of games that show the finding."""
        factors = np.resize(self._relative_variance, repetitions)
        samples = (self._draw(max(MIN_GAMES, round(games * factor))) for factor in factors)
        return sum(self._goal.is_met(sample) for sample in samples) / repetitions

    def error(self) -> float:
        """Return the standard error in the pilot. Raise InputError if it is 0 or unknown."""
        error = self._goal.error([Sample(pool, np.arange(pool.games)) for pool in self._pools])
        if not np.isfinite(error):
            raise InputError(_too_small(self.games))
        if error <= 0:
            raise InputError(
                "the measure is the same in all games of the pilot, so no number of games can be planned from it"
            )
        return error

    @cached_property
    def _relative_variance(self) -> Floats:
        """The squared errors of resampled pilots, relative to that of the pilot. Resampled pilots vary around the pilot
        as the pilot varies around the true distribution. So their spread shows how far the pilot may understate the
        variance."""
        errors = np.asarray([self._goal.error(self._draw()) for _ in range(RESAMPLED_PILOTS)])
        return np.asarray((errors[np.isfinite(errors)] / self.error()) ** 2)

    def range(self) -> tuple[float, float]:
        """Return two factors. The planned number of games times these factors gives the lower and the upper end of its
        range."""
        low, high = np.quantile(self._relative_variance, (0.025, 0.975))
        if low <= 0:
            raise InputError(_too_small(self.games))
        return 1 / float(high), 1 / float(low)

    def _draw(self, games: int | None = None) -> list[Sample]:
        """Draw an experiment with this number of games. By default, it has as many games as the pilot."""
        self._number += 1
        samples = []
        for arm, pool in enumerate(self._pools):
            count = pool.games if games is None else games
            number = np.full(count, self._number, dtype=np.uint64)
            uniform = uniform_rows(self._key, number, "power", np.arange(count, dtype=np.uint64), arm)
            samples.append(Sample(pool, (uniform * pool.games).astype(np.int64)))
        return samples


def _too_small(games: int) -> str:
    return f"a pilot of {number_of(games, 'game')} does not show how much the measure varies; play more games"


def plan_games(
    goal: Goal,
    pilot: Sequence[Parts],
    *,
    power: float = POWER,
    repetitions: int = REPETITIONS,
    progress: Callable[[], None] = lambda: None,
    seed: int = SEED,
) -> GamePlan:
    """Return the plan with the smallest number of games that shows the finding with this power."""
    simulation = _Simulation(goal, pilot, seed)
    games = _bounded(goal.guess(simulation.error(), simulation.games, power))
    points: list[tuple[float, float]] = []
    for round_ in range(ROUNDS):
        # The first round covers a wide range of numbers of games. Later rounds stay close to the current solution.
        factors = (0.6, 0.8, 1.0, 1.3, 1.7) if round_ == 0 else (0.9, 1.0, 1.1)
        for factor in factors:
            size = max(MIN_GAMES, round(games * factor))
            points.append((size, simulation.chance(size, max(1, repetitions // (ROUNDS * len(factors))))))
            progress()
        games = _bounded(_solve(points, games, power))
    chance = proportion(simulation.chance(games, repetitions), repetitions)
    low, high = simulation.range()
    return GamePlan(games, max(MIN_GAMES, int(games * low)), int(np.ceil(games * high)), chance, repetitions)


def _bounded(games: float) -> int:
    if not np.isfinite(games) or games > MAX_GAMES:
        raise InputError(
            f"this plan needs more than {MAX_GAMES:,} games; plan for a larger difference or a wider interval"
        )
    return max(MIN_GAMES, int(np.ceil(games)))


def _solve(points: Sequence[tuple[float, float]], games: float, power: float) -> float:
    """Return the number of games at which the chance equals the desired power. To find it, a line is fitted to the
    probits of the chances at the points, against the square roots of their numbers of games. Points near `games` have
    higher weights."""
    sizes, chances = (np.asarray(column) for column in zip(*points, strict=True))
    weights = np.exp(-0.5 * (np.log(sizes / games) / 0.3) ** 2) + 1e-6
    slope, level = np.polyfit(np.sqrt(sizes), ndtri(np.clip(chances, 0.005, 0.995)), 1, w=np.sqrt(weights))
    if slope <= 0:
        return games * (2.0 if float(np.mean(chances)) < power else 0.5)
    root = (float(ndtri(power)) - level) / slope
    return float(np.clip(root**2 if root > 0 else 0.0, games / 3, games * 3))


def total_of(figures: Sequence[float], games: int) -> Estimate:
    """Return the total of a figure over this many games, estimated from its value in each game of the pilot."""
    mean = clustered_mean(np.asarray(figures, dtype=np.float64), np.ones(len(figures), dtype=np.int64))
    value, low, high = (None if end is None else end * games for end in (mean.value, mean.low, mean.high))
    return Estimate(value, low, high, mean.reason)
