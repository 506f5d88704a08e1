"""The default table of a game, if no players are named."""

from collections.abc import Sequence

import numpy as np

from ostrom.core.game import Game, make_rules
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import Batch, BatchResult
from ostrom.sim.numpy_engine import play_batch

_GAMES = 4
"""Games in which players are told apart."""


def usual_table(game: Game, everybody: Sequence[StrategyEntry]) -> list[StrategyEntry]:
    """All of these, or, where the game has no room for all, its usual number: the first of them who do not play alike,
    as far as a few games at tables of copies tell. Only where fewer differ than there are seats, others fill them."""
    if len(everybody) <= game.seats.most:
        return list(everybody)
    seats = game.seats.usual or game.seats.most
    chosen: dict[str, StrategyEntry] = {}
    seen: list[BatchResult] = []
    for entry in everybody:
        if len(chosen) == seats:
            break
        played = _among_copies(game, entry, seats)
        if not any(_alike(played, other) for other in seen):
            chosen[entry.name] = entry
            seen.append(played)
    others = [entry for entry in everybody if entry.name not in chosen]
    return [*chosen.values(), *others][:seats]


def _among_copies(game: Game, entry: StrategyEntry, seats: int) -> BatchResult:
    seating = np.zeros((seats, _GAMES), dtype=np.int64)
    return play_batch(Batch(game, make_rules(game, None), [entry], seating, np.arange(_GAMES), 0))


def _alike(one: BatchResult, other: BatchResult) -> bool:
    pairs = [(one.finals, other.finals), (one.turns_in, other.turns_in)]
    pairs += [(values, other.figures[name]) for name, values in one.figures.items()]
    return all(np.array_equal(mine, theirs, equal_nan=True) for mine, theirs in pairs)
