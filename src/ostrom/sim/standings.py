"""How the players of a tournament stand: kept up game by game in bounded memory, and put in order at the end."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import Any, Final, Literal, Self, TypeAlias

import numpy as np

from ostrom.core.estimates import (
    Estimate,
    bounded,
    jackknife,
    median,
    stratified_mean,
    stratified_share,
    t_interval,
)
from ostrom.sim.batch import Batch, BatchResult, Floats, Whole

Estimand: TypeAlias = Literal["tables", "opponents"]
"""What figures are about: the tables that were played, or tables with opponents like these."""
SAYS: Final[Mapping[Estimand, str]] = {
    "tables": "Figures are those of the tables played: intervals hold the chance within games, and nothing else is "
    "taken to be drawn.",
    "opponents": "Figures are those against random opponents like these: intervals hold the choice of opponents, each "
    "left out in turn.",
}
"""Each in words."""
LEAST_OPPONENTS: Final = 5
"""With fewer there is no interval over random opponents."""
_IN_MEMORY = 2**20
"""Bytes of a column that stay in memory before it moves to a temporary file."""


@dataclass(frozen=True)
class Standing:
    """One player's result over all its games. A player with several seats at a table is one row, seats averaged."""

    rank: int
    """Equal win rates share a rank."""
    name: str
    games: int
    """Games in which it held a seat."""
    seats: int
    """Seats it held in all; more than its games where it sat more than once at a table."""
    win_rate: Estimate
    """Of each of its seats, the mean part of the win: 1 for the best final, shared by seats that tie."""
    mean_final: Estimate
    median_final: Estimate
    figures: Mapping[str, Estimate]
    """What else the game tells of a seat, such as its contribution: the mean over seats."""
    unit: str
    """What finals are counted in."""

    def as_record(self) -> dict[str, Any]:
        """The standing as plain data: every value under its name, and again with its interval under `estimates`. Means
        and medians of finals are named for their unit."""
        estimates = {
            "win_rate": self.win_rate,
            f"mean_{self.unit}": self.mean_final,
            f"median_{self.unit}": self.median_final,
            **{f"mean_{name}": estimate for name, estimate in self.figures.items()},
        }
        return {
            "rank": self.rank,
            "name": self.name,
            "games": self.games,
            "seats": self.seats,
            **{key: estimate.value for key, estimate in estimates.items()},
            "estimates": {key: estimate.as_record() for key, estimate in estimates.items()},
        }


class Tally:
    """Takes in batches, in the order of their games, and gives the standings. What it gives depends on the games alone,
    not on how they were cut into batches: every figure is computed over whole columns. Beyond a size a column lies in a
    temporary file, so memory stays flat."""

    def __init__(
        self,
        names: Sequence[str],
        *,
        unit: str = "",
        higher: bool = True,
        repetitions: int = 1,
        over: Estimand = "tables",
        tables: Whole | None = None,
    ) -> None:
        """Every table plays `repetitions` games, one after the other; `tables` says who sits at which, (seats, tables),
        which intervals over opponents take."""
        self._names = names
        self._repetitions = repetitions
        self._over = over
        self._tables = tables
        self._unit = unit.replace(" ", "_") or "final"
        self._sign = 1 if higher else -1
        self._columns: dict[tuple[int, str], SpooledTemporaryFile[bytes]] = defaultdict(
            partial(SpooledTemporaryFile, _IN_MEMORY)
        )
        """The numbers of each player by name, in the order in which they came."""
        self._figures: tuple[str, ...] = ()
        """What else the game tells of a seat, by name."""
        self.games = 0
        self.player_turns = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for column in self._columns.values():
            column.close()

    def add(self, batch: Batch, result: BatchResult) -> None:
        """Take in a batch."""
        self._figures = tuple(result.figures)
        told = {"won": result.wins, "final": result.finals}
        told |= {f"figure {name}": values for name, values in result.figures.items()}
        for member in range(len(self._names)):
            # Game after game, seat after seat.
            held = np.equal(batch.seating.T, member)
            for column, values in told.items():
                self._write(member, column, values.T[held])
            per_game = held.sum(axis=1)
            self._write(member, "per game", per_game[per_game > 0])
        self.games += len(batch.games)
        self.player_turns += result.player_turns

    def _write(self, member: int, column: str, values: Any) -> None:
        self._columns[member, column].write(np.ascontiguousarray(values, dtype=np.float64).tobytes())

    def _read(self, member: int, column: str) -> Floats:
        self._columns[member, column].seek(0)
        return np.frombuffer(self._columns[member, column].read(), dtype=np.float64)

    def standings(self) -> list[Standing]:
        """Everybody, the best win rate first; equal rates by mean final."""
        rows = [self._standing(member) for member in range(len(self._names))]
        rows.sort(key=lambda row: (-_rounded(row.win_rate), -self._sign * _rounded(row.mean_final), row.name))
        ranks: list[int] = []
        for place, row in enumerate(rows):
            tied = place > 0 and _rounded(row.win_rate) == _rounded(rows[place - 1].win_rate)
            ranks.append(ranks[-1] if tied else place + 1)
        return [replace(row, rank=rank) for row, rank in zip(rows, ranks, strict=True)]

    def _standing(self, member: int) -> Standing:
        per_game = self._read(member, "per game").astype(np.int64)
        finals = self._read(member, "final")
        mean = self._mean_of(
            member, per_game, stratified_mean, lambda mean, error, freedom, _: t_interval(mean, error, freedom)
        )
        share = self._mean_of(member, per_game, stratified_share, bounded)
        middle = median(finals, len(per_game))
        if self._over == "opponents":
            middle = Estimate(middle.value, reason="a median over random opponents has no interval")
        return Standing(
            rank=0,
            name=self._names[member],
            games=len(per_game),
            seats=len(finals),
            win_rate=share("won"),
            mean_final=mean("final"),
            median_final=middle,
            figures={name: mean(f"figure {name}") for name in self._figures},
            unit=self._unit,
        )

    def _mean_of(
        self, member: int, per_game: Whole, strata: Callable[..., Estimate], units: Callable[..., Estimate]
    ) -> Callable[[str], Estimate]:
        """What makes the estimate of a column: over the tables that were played, or over random opponents."""
        if self._over == "tables":
            tables = len(per_game) // self._repetitions
            return lambda column: strata(self._read(member, column), per_game, tables)
        assert self._tables is not None
        mine = self._tables[:, np.any(self._tables == member, axis=0)]
        others = [other for other in np.unique(mine) if other != member]
        away = np.asarray([~np.any(mine == other, axis=0) for other in others]).reshape(len(others), -1)

        def estimate(column: str) -> Estimate:
            values = self._read(member, column)
            starts = np.concatenate(([0], np.cumsum(per_game)[:-1]))
            sums = np.add.reduceat(values, starts).reshape(-1, self._repetitions).sum(axis=1)
            seats = per_game.reshape(-1, self._repetitions).sum(axis=1)
            mean = float(sums.sum() / seats.sum())
            if mine.shape[1] == 1:
                return Estimate(mean, reason="one table only: nothing shows how others would do; use --group-size")
            if len(others) < LEAST_OPPONENTS or not away.any(axis=1).all():
                return Estimate(mean, reason=f"an interval over opponents takes {LEAST_OPPONENTS} that can be left out")
            error, freedom = jackknife(mean, (away @ sums) / (away @ seats))
            return units(mean, error, freedom, len(others))

        return estimate


def _rounded(estimate: Estimate) -> float:
    """The value without the rounding error of its sum, in which shares of ties stand in the order of the games."""
    assert estimate.value is not None  # every player holds a seat in some game
    return round(estimate.value, 9)
