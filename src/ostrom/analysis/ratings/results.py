"""The results of games as arrays: who sat where, and with what score. Every rating starts from these; where they come
from is left to others."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.core import InputError
from ostrom.core.estimates import Floats, Whole

EMPTY_SEAT = -1
"""Stands in `players` where a game has fewer seats than the widest."""


@dataclass(frozen=True, eq=False)
class GameResults:
    """Games by row, seats by column. Higher scores are better, equal scores are ties.

    One name may hold several seats of a game. Each rating says what it makes of that; a game all of whose seats are
    held by one name compares nobody and counts for no rating."""

    names: tuple[str, ...]
    players: Whole
    """(games, seats) The place in `names` of who held the seat, or EMPTY_SEAT."""
    scores: Floats
    """(games, seats) What counts is their order within a game. Where nobody sits the score is not looked at."""

    def __post_init__(self) -> None:
        if self.players.ndim != 2 or self.players.shape != self.scores.shape:
            raise InputError(
                f"players {self.players.shape} and scores {self.scores.shape} must both be tables of games by seats"
            )
        if len(set(self.names)) != len(self.names):
            raise InputError("two players have the same name; names must tell players apart")
        if not np.issubdtype(self.players.dtype, np.integer):
            raise InputError(f"players are given as {self.players.dtype}; they must be places in the list of names")
        unknown = (self.players < EMPTY_SEAT) | (self.players >= len(self.names))
        self._refuse(unknown, "has a seat held by an unknown player")
        self._refuse((self.sizes < 2)[:, None], "has fewer than 2 seats; a rating compares at least 2")
        self._refuse(self.seated & ~np.isfinite(self.scores), "has a score that is not a finite number")

    def _refuse(self, wrong: npt.NDArray[np.bool_], what: str) -> None:
        games = np.flatnonzero(wrong.any(axis=1))
        if len(games):
            raise InputError(f"game {games[0]} {what}")

    @property
    def games(self) -> int:
        return len(self.players)

    @cached_property
    def seated(self) -> npt.NDArray[np.bool_]:
        """(games, seats) Where somebody sits."""
        return np.asarray(self.players != EMPTY_SEAT)

    @cached_property
    def sizes(self) -> Whole:
        """(games,) How many sit at each table."""
        return np.asarray(self.seated.sum(axis=1))

    @cached_property
    def copies(self) -> Whole:
        """(games, seats) How many seats of the game the seat's player holds, this one included."""
        return np.asarray((self.players[:, :, None] == self.players[:, None, :]).sum(axis=2))

    @cached_property
    def comparing(self) -> Whole:
        """The games in which at least two names meet, in their order."""
        return np.flatnonzero((self.seated & (self.copies < self.sizes[:, None])).any(axis=1))

    def games_of(self) -> Whole:
        """(names,) In how many games each player held a seat."""
        share = np.where(self.seated, 1 / self.copies, 0.0)
        held = np.bincount(self.players[self.seated], weights=share[self.seated], minlength=len(self.names))
        return np.rint(held).astype(np.int64)

    def mean_scores(self) -> Floats:
        """(names,) The mean score over all seats each player held; not a number for who held none."""
        held = np.bincount(self.players[self.seated], minlength=len(self.names))
        total = np.bincount(self.players[self.seated], weights=self.scores[self.seated], minlength=len(self.names))
        return np.asarray(np.divide(total, held, out=np.full(len(self.names), np.nan), where=held > 0))


def results_of_table(table: pl.DataFrame, *, lower_is_better: bool = False) -> GameResults:
    """Results from a table with a row a seat: `game`, `player` and `score`. Other columns are passed over."""
    if missing := [name for name in ("game", "player", "score") if name not in table.columns]:
        raise InputError(f"the table has no column {' or '.join(missing)}; it must have game, player and score")
    seats = table.select(pl.col("game", "player").cast(pl.String), pl.col("score").cast(pl.Float64, strict=False))
    for name in seats.columns:
        if (empty := seats[name].is_null()).any():
            what = "number as its score" if name == "score" else name
            raise InputError(f"row {empty.arg_true()[0] + 1} has no {what}")
    games: dict[str, list[tuple[str, float]]] = {}
    for game, player, score in seats.iter_rows():
        games.setdefault(game, []).append((player, -score if lower_is_better else score))
    for game, held in games.items():
        if len(held) < 2:
            raise InputError(f"game {game!r} has one row; a rating compares at least 2 seats")
    return results_of(list(games.values()))


def results_of(games: Sequence[Sequence[tuple[str, float]]]) -> GameResults:
    """Results from games written as lists of (name, score), seat after seat. Names stand in the order of the alphabet,
    so that what is computed does not depend on who happened to appear first."""
    names = tuple(sorted({name for game in games for name, _ in game}))
    place = {name: index for index, name in enumerate(names)}
    widest = max((len(game) for game in games), default=0)
    players = np.full((len(games), widest), EMPTY_SEAT, dtype=np.int64)
    scores = np.zeros((len(games), widest))
    for row, game in enumerate(games):
        players[row, : len(game)] = [place[name] for name, _ in game]
        scores[row, : len(game)] = [score for _, score in game]
    return GameResults(names, players, scores)
