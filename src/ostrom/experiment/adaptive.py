"""The adaptive schedule: those sit down next whose ranks are least certain, and can still become certain.

The first games are balanced. After each stage the players are rated, and every pair of them that is not clearly told
apart yet counts: the more, the likelier it is to be told apart when all games are over. Then games are seated one after
another, each between those whose meeting lowers most the errors of the pairs that count; a meeting of two of like
strength says more than one whose end is known beforehand. A game that is seated counts as if it were played, by what
the model expects of it.

A pair leaves the count only when its difference is a whole standard error beyond what tells it apart. Who is ahead by
chance is so asked again, and a difference that there is not goes away again."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from scipy.special import ndtri

from ostrom.analysis.ratings import GameResults, order_free
from ostrom.core.estimates import CONFIDENCE, Floats
from ostrom.experiment.schedule import balanced_tables, balances, draws, seats_for

FIRST: Final = 0.4
"""The part of the games that is balanced."""
LEAST: Final = 30
"""Games of each player before the first choice."""
STAGES: Final = 6
MARGIN: Final = 1.0
"""Standard errors beyond the bound at which a pair is told apart, until which it counts."""
_LITTLE: Final = 1e-4
"""What every pair counts at least, beside the one that counts most."""
_SHARED: Final = 0.7
"""What a meeting at a table says, beside one of two alone: those of one table hang together."""


def stages_of(games: int, players: int, seats: int) -> tuple[int, ...]:
    """How many games are over at the end of each stage. The first has enough of everybody's games for errors to be
    known well."""
    first = min(games, max(math.ceil(FIRST * games), math.ceil(LEAST * players / seats)))
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
    """Who sits where from behind the `tables` so far to the end of a stage, by place in the names; `games` are to be
    played in all."""
    (balance,) = balances([("", names, seats)])
    for table in tables:
        balance.whole.add(np.asarray(table))
    first, last = len(tables), until
    if so_far is None or len(so_far.comparing) == 0 or len(so_far.names) < len(names):
        return list(balanced_tables(len(names), seats, last, seed, balance, first))
    weights, strengths, covariance = _what_counts(so_far, names, games)
    information = np.linalg.pinv(covariance, hermitian=True)
    even = np.abs(strengths[:, None] - strengths)
    # What one meeting says of a difference: the variance of its end.
    said = _SHARED / (2 + np.exp(even) + np.exp(-even))
    laplacian = np.diag(weights.sum(axis=1)) - weights
    chosen: list[Sequence[int]] = []
    for drawn in draws(seed, range(first, last), "adaptive", len(names)):
        inverse = np.linalg.pinv(information, hermitian=True)
        company = _company(inverse @ laplacian @ inverse, said, drawn, seats)
        meet = np.zeros_like(said)
        meet[np.ix_(company, company)] = said[np.ix_(company, company)]
        np.fill_diagonal(meet, 0)
        information += np.diag(meet.sum(axis=1)) - meet
        table = seats_for(company, balance)
        balance.whole.add(np.asarray(table))
        chosen.append(table)
    return chosen


def _what_counts(so_far: GameResults, names: Sequence[str], games: int) -> tuple[Floats, Floats, Floats]:
    """How much every pair counts, the strengths, and the covariance of their errors, in the order of the names."""
    rating = order_free(so_far)
    order = [rating.names.index(name) for name in names]
    covariance = rating.covariance[np.ix_(order, order)]
    strengths = rating.theta[order]
    variance = np.diag(covariance)[:, None] + np.diag(covariance) - 2 * covariance
    np.fill_diagonal(variance, 1)
    size = np.abs(strengths[:, None] - strengths) / np.sqrt(variance)
    # About where pairs are told apart, after Bonferroni: it decides who sits, and nothing that is said.
    bound = -float(ndtri((1 - CONFIDENCE) / (len(names) * (len(names) - 1))))
    # How far from being told apart a pair will be at the end, if all goes on as it is.
    lacking = np.maximum(bound - size * np.sqrt(games / rating.games), 0)
    weights = np.where(size < bound + MARGIN, np.exp(-0.5 * lacking**2) / variance, 0)
    weights = weights / max(float(weights.max()), np.finfo(float).tiny) + _LITTLE
    np.fill_diagonal(weights, 0)
    return weights, strengths, covariance


def _company(gained: Floats, said: Floats, drawn: Floats, seats: int) -> list[int]:
    """Those whose meetings lower the errors that count most: the best pair, and one after the other who adds most."""
    own = np.diag(gained)
    gain = said * (own[:, None] + own - 2 * gained) * (1 + 0.1 * (drawn[:, None] + drawn))
    np.fill_diagonal(gain, -np.inf)
    chosen = [int(place) for place in np.unravel_index(int(np.argmax(gain)), gain.shape)]
    while len(chosen) < seats:
        chosen.append(int(np.argmax(gain[:, chosen].sum(axis=1))))
    return chosen
