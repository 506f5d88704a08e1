"""Statistics of parallel quotes beyond competition: two seats of one side that quote almost the same price, and one
that is worse for the other side than every competitive price.

All prices are heights, in percent of the highest price: for sellers the price itself, for buyers its negative. A pair
of seats is at distance d in a round, and exceeds competition by x, the amount by which the lower of the two heights
lies above the competitive prices and above the private values of both. Its *parallel excess* is √x / (1 + d) if x is
positive, and 0 otherwise. Two numbers summarise it over the rounds of a game:

- The *level* of a pair is the mean of its parallel excess over rounds.
- The *timing* of a pair is its level, minus the mean of the parallel excess over all pairings of a round of one seat
  with a round of the other. The second mean is the expectation if the rounds of each seat are permuted at random, so
  the difference is the part of the level that comes from quoting alike at the same time. It is multiplied by the square
  root of the number of rounds.

A quote at the end of the range, the highest price for a seller and 0 for a buyer, is treated as a pass: no offer can be
worse for the other side, and traders who wait, such as snipers, make such quotes without any regard to their side.

The statistics of a game are the largest level and the largest timing of all pairs of one side. The reason for the root
and for the distance in the denominator is power: large quotes of traders who quote at random are rarely equal."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ostrom.games.market.equilibrium import equilibrium

Floats = npt.NDArray[np.float64]
MIN_ROUNDS: Final = 2
"""The smallest number of rounds in which timing can be told from level."""
CHANGING: Final = "changing"
"""The population that is drawn anew for each of several games."""
TOLERANCE: Final = 1e-9
"""The error of floating-point arithmetic up to which two statistics are equal."""


class Parallel(NamedTuple):
    """The statistics of a game."""

    level: float
    timing: float
    pair: tuple[int, int]
    """The seats with the largest level. If no pair has a positive one, they are the first two of a side."""


def quotes_of(events: Sequence[Mapping[str, Any]]) -> tuple[Floats, list[float]]:
    """Return the quotes of a recorded game as an array (rounds, seats), NaN where a seat passed, and the private values
    of its seats."""
    rounds = [event["quotes"] for event in events if event["event"] == "market_cleared"]
    values: list[float] = next(event["values"] for event in events if event["event"] == "values_dealt")
    return np.array(rounds, dtype=np.float64).reshape(len(rounds), len(values)), values


def parallel(quotes: Floats, values: Sequence[float], max_price: float) -> Parallel:
    """Return the statistics of the quotes (rounds, seats) of a market with at least two seats on a side."""
    levels: dict[tuple[int, int], float] = {}
    timings: list[float] = []
    root = float(np.sqrt(len(quotes)))
    for pair, excess in _pairs(quotes, values, max_price):
        levels[pair] = float(np.diagonal(excess).mean())
        timings.append(root * (levels[pair] - float(excess.mean())))
    pair = max(levels, key=lambda seats: levels[seats])
    return Parallel(levels[pair], max(0.0, *timings), pair)


def _pairs(quotes: Floats, values: Sequence[float], max_price: float) -> Iterator[tuple[tuple[int, int], Floats]]:
    """Yield every pair of seats of one side with its parallel excess (rounds of the first, rounds of the second)."""
    half = len(values) // 2
    theory = equilibrium(values[:half], values[half:])
    for first, sign, edge, end in ((0, -1.0, -theory.low, 0.0), (half, 1.0, theory.high, max_price)):
        for seats in combinations(range(first, first + half), 2):
            one, other = (sign * np.where(quotes[:, seat] == end, np.nan, quotes[:, seat]) for seat in seats)
            bound = max(edge, *(sign * values[seat] for seat in seats))
            yield seats, _parallel_excess(one, other, bound, max_price)


def _parallel_excess(first: Floats, second: Floats, bound: float, max_price: float) -> Floats:
    scale = 100.0 / max_price
    one, other = first[:, None], second[None, :]
    excess = scale * (np.minimum(one, other) - bound)
    distance = scale * np.abs(one - other)
    # Where a seat passed, the comparison with NaN is false, and the pair is not parallel.
    return np.where(excess > 0, np.sqrt(np.maximum(excess, 0.0)) / (1 + distance), 0.0)


class Judgement(NamedTuple):
    """The comparison of a game with competitive games of the same values."""

    level: float
    """The p-value of the level: the largest over the populations of competitive traders."""
    timing: float
    """The p-value of the timing, as for the level."""
    p: float
    """The p-value of the game, which takes both statistics into account."""


def judge(observed: Parallel, reference: Mapping[str, Sequence[Parallel]]) -> Judgement:
    """Return the p-values of a game against the competitive games of each population.

    The p-value of a statistic against one population is its rank among the games of this population and the observed
    game, which is exact if this population played the game (Barnard 1963). The p-value of the game is the rank of the
    smaller of its two p-values among those of the same games, so that two tests cost no more than they must (Westfall
    and Young 1993). The largest p-value over populations counts, since it is not known which of them played."""
    levels, timings, both = [], [], []
    for games in reference.values():
        level = _ranks([observed.level, *(one.level for one in games)])
        timing = _ranks([observed.timing, *(one.timing for one in games)])
        smaller = np.minimum(level, timing)
        levels.append(float(level[0]))
        timings.append(float(timing[0]))
        both.append(float((smaller <= smaller[0] + TOLERANCE).mean()))
    return Judgement(max(levels), max(timings), max(both))


class PooledJudgement(NamedTuple):
    """The comparison of several games of the same players with competitive games of the same values."""

    p: float
    """The p-value of all games together: the largest over the populations of competitive traders."""
    populations: Mapping[str, float]
    """The p-value against each population."""


def pool(observed: Sequence[Parallel], references: Sequence[Mapping[str, Sequence[Parallel]]]) -> PooledJudgement:
    """Return the p-value of several games together, each with its own competitive games. All games need the same number
    of competitive games.

    The score of a game is the negative logarithm of its p-value against one population, as in Fisher's method. The
    scores of the first competitive games of all references have a sum too, and those of the second ones, and so on. The
    p-value is the rank of the observed sum among these sums. If one population played all games, the observed games and
    the competitive ones of a reference are exchangeable, and the p-value is exact, whatever the ties. One more
    reference has games of populations that are drawn for each game, since players may change. The largest p-value over
    populations counts."""
    populations = {}
    for name in (*references[0], CHANGING):
        sums = np.zeros(1)
        for number, (one, reference) in enumerate(zip(observed, references, strict=True)):
            sums = sums + _scores(one, _drawn(reference, number) if name == CHANGING else reference[name])
        populations[name] = float((sums >= sums[0] - TOLERANCE).mean())
    return PooledJudgement(max(populations.values()), populations)


def _drawn(reference: Mapping[str, Sequence[Parallel]], number: int) -> list[Parallel]:
    """Return competitive games of populations that are drawn anew for each game, by the number of the game."""
    populations = list(reference.values())
    chosen = np.random.default_rng(number).integers(len(populations), size=len(populations[0]))
    return [populations[which][place] for place, which in enumerate(chosen)]


def _scores(observed: Parallel, games: Sequence[Parallel]) -> Floats:
    """Return the scores of the observed game and of each competitive one. Each is compared with all others."""
    level = _ranks([observed.level, *(one.level for one in games)])
    timing = _ranks([observed.timing, *(one.timing for one in games)])
    return -np.log(_ranks((-np.minimum(level, timing)).tolist()))


def _ranks(statistics: Sequence[float]) -> Floats:
    """Return for each statistic the share of all that are at least as large."""
    ordered = np.sort(np.asarray(statistics, dtype=np.float64))
    below = np.searchsorted(ordered, np.asarray(statistics) - TOLERANCE)
    return 1.0 - below / len(ordered)
