"""The adaptive schedule: the next games are between the players whose ranks are least certain and can become certain.

The first games are balanced. After each stage the players are rated, and each pair without a clear difference gets a
weight: the larger, the likelier the pair is to be separated after all games. Then tables are chosen one by one, each to
reduce most the weighted errors of differences; a game between players of similar strength is more informative. A chosen
game counts as if it were played, with the information that the model expects of it.

A pair keeps its weight until its difference exceeds the bound by a whole standard error, so that a lead by chance is
tested again."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from ostrom.analysis.ratings import GameResults, order_free
from ostrom.core.estimates import CONFIDENCE, Floats
from ostrom.experiment.schedule import assign_seats, balanced_tables, balances, draws

FIRST_SHARE: Final = 0.4
"""The share of the games that is balanced."""
MIN_GAMES: Final = 30
"""Games of each player before the first choice."""
STAGES: Final = 6
MARGIN: Final = 1.0
"""Standard errors beyond the bound up to which a separated pair keeps its weight."""
_MIN_WEIGHT: Final = 1e-4
"""The least weight of a pair, relative to the largest."""
_TABLE_FACTOR: Final = 0.7
"""The information of a meeting at a larger table, relative to a game of two: results at one table are correlated."""


def stages_of(games: int, players: int, seats: int) -> tuple[int, ...]:
    """Return the number of games at the end of each stage. The first stage is long enough to estimate errors."""
    first = min(games, max(math.ceil(FIRST_SHARE * games), math.ceil(MIN_GAMES * players / seats)))
    return tuple(int(end) for end in np.unique(np.rint(np.linspace(first, games, STAGES))))


def next_tables(
    so_far: GameResults | None,
    names: Sequence[str],
    seats: int,
    tables: Sequence[Sequence[int]],
    until: int,
    games: int,
    seed: int,
) -> list[Sequence[int]]:
    """Return the tables after the given ones up to the end of a stage, as indices of the names; `games` is the planned
    total."""
    (balance,) = balances([("", names, seats)])
    for table in tables:
        balance.total.add(np.asarray(table))
    first = len(tables)
    if so_far is None or len(so_far.comparing) == 0 or len(so_far.names) < len(names):
        return list(balanced_tables(len(names), seats, until, seed, balance, first))
    weights, strengths, covariance = _pair_weights(so_far, names, games)
    information = np.linalg.pinv(covariance, hermitian=True)
    difference = np.abs(strengths[:, None] - strengths)
    # The information of a meeting is the variance of its result.
    gain = _TABLE_FACTOR / (2 + np.exp(difference) + np.exp(-difference))
    laplacian = np.diag(weights.sum(axis=1)) - weights
    new_tables: list[Sequence[int]] = []
    for numbers in draws(seed, range(first, until), "adaptive", len(names)):
        inverse = np.linalg.pinv(information, hermitian=True)
        chosen = _choose_players(inverse @ laplacian @ inverse, gain, numbers, seats)
        meetings = np.zeros_like(gain)
        meetings[np.ix_(chosen, chosen)] = gain[np.ix_(chosen, chosen)]
        np.fill_diagonal(meetings, 0)
        information += np.diag(meetings.sum(axis=1)) - meetings
        table = assign_seats(chosen, balance)
        balance.total.add(np.asarray(table))
        new_tables.append(table)
    return new_tables


def _pair_weights(so_far: GameResults, names: Sequence[str], games: int) -> tuple[Floats, Floats, Floats]:
    """Return the weights of pairs, the strengths, and the covariance of their errors, in the order of the names."""
    # Imported here, as a server starts without SciPy.
    from scipy.special import ndtri

    rating = order_free(so_far)
    order = [rating.names.index(name) for name in names]
    covariance = rating.covariance[np.ix_(order, order)]
    strengths = rating.theta[order]
    variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    np.fill_diagonal(variance, 1)
    z = np.abs(strengths[:, None] - strengths) / np.sqrt(variance)
    # Bonferroni's bound is close enough here: it affects the seating, not the reported tiers.
    bound = -float(ndtri((1 - CONFIDENCE) / (len(names) * (len(names) - 1))))
    # The expected distance from the bound after all games.
    shortfall = np.maximum(bound - z * np.sqrt(games / rating.games), 0)
    weights = np.where(z < bound + MARGIN, np.exp(-0.5 * shortfall**2) / variance, 0)
    weights = weights / max(float(weights.max()), np.finfo(float).tiny) + _MIN_WEIGHT
    np.fill_diagonal(weights, 0)
    return weights, strengths, covariance


def _choose_players(reduction: Floats, gain: Floats, numbers: Floats, seats: int) -> list[int]:
    """Choose greedily the players whose meetings reduce the weighted errors most: the best pair, then one at a time."""
    own = np.diag(reduction)
    value = gain * (own[:, None] + own - 2 * reduction) * (1 + 0.1 * (numbers[:, None] + numbers))
    np.fill_diagonal(value, -np.inf)
    chosen = [int(index) for index in np.unravel_index(int(np.argmax(value)), value.shape)]
    while len(chosen) < seats:
        chosen.append(int(np.argmax(value[:, chosen].sum(axis=1))))
    return chosen
