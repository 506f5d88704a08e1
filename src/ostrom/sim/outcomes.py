"""What a game of a batch came to, in figures of the whole table and of each player at it: one number for each game."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from ostrom.core.arrays import total
from ostrom.core.game import Game
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.batch import BatchResult, Floats

WELFARE: Final = "welfare"
INEQUALITY: Final = "inequality"
SURVIVAL: Final = "survival"
LENGTH: Final = "length"
_PARTS_OF_ONE: Final = frozenset({INEQUALITY, SURVIVAL, "wins"})


def outcomes_of(table: Sequence[StrategyEntry], result: BatchResult) -> dict[str, Floats]:
    """(games,) by name: `welfare`, the mean final of the table; `inequality`, the Gini coefficient of its finals;
    `survival`, the share of seats that decided in every turn, where all are asked in each; `length`, how many turns
    there were; each figure of the game as the table's mean; and `final:NAME`, `wins:NAME` and each figure of each
    player, its seats averaged. All games are of one table."""
    seats = len(table)
    stayed = result.turns_in >= result.turns
    found = {
        WELFARE: _mean(result.finals),
        INEQUALITY: gini(result.finals),
        **({} if result.in_turns else {SURVIVAL: total(stayed.astype(np.float64)) / seats}),
        LENGTH: result.turns.astype(np.float64),
        **{name: _mean(values) for name, values in result.figures.items()},
    }
    held: dict[str, list[int]] = {}
    for seat, entry in enumerate(table):
        held.setdefault(entry.name, []).append(seat)
    by_seat = {"final": result.finals, "wins": result.wins, **result.figures}
    for player, places in held.items():
        found |= {f"{name}:{player}": _mean(values[places]) for name, values in by_seat.items()}
    return found


def is_share(name: str) -> bool:
    """Whether an outcome lies between 0 and 1 in every game."""
    return name.partition(":")[0] in _PARTS_OF_ONE


def titles(game: Game, names: Sequence[str]) -> dict[str, str]:
    """What charts and tables call each outcome."""
    told = {
        WELFARE: f"mean final {game.unit}".strip(),
        INEQUALITY: "Gini coefficient of finals",
        SURVIVAL: "share of seats in to the end",
        LENGTH: f"{game.clock}s played",
    }
    return {name: told.get(name) or _title(game, name) for name in names}


def _title(game: Game, name: str) -> str:
    figure, colon, player = name.partition(":")
    figure = f"final {game.unit}".strip() if figure == "final" else figure.replace("_", " ")
    return f"{figure} of {player}" if colon else figure


def _mean(rows: Floats) -> Floats:
    return np.asarray(total(rows) / len(rows), dtype=np.float64)


def gini(finals: Floats) -> Floats:
    """(games,) Σᵢ Σⱼ |xᵢ − xⱼ| / (2 n Σ x): 0 if all are equal or have nothing; not a number where a seat
    ended below 0."""
    seats = len(finals)
    ranked = np.sort(finals, axis=0)
    whole = total(ranked)
    weighed = total(np.arange(1 - seats, seats, 2)[:, None] * ranked)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.where(whole > 0, np.maximum(weighed / (seats * whole), 0.0), 0.0)
    return np.where(ranked[0] < 0, np.nan, found)
