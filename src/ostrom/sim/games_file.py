"""Every seat of every game of a tournament in one Parquet file, written as the games come in and in bounded memory."""

from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any, Self

import numpy as np

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.files import whole
from ostrom.sim.batch import Batch, BatchResult

_ROWS = 1_000_000
"""Rows that are held before they are written."""


class GamesFile:
    """A row for each seat of each game: its number, its table, who sat where, what it ended with, its part of the win,
    in how many turns it decided, and the game's own figures. The file is there as a whole or not at all."""

    def __init__(self, path: Path, repetitions: int) -> None:
        """Every table plays `repetitions` games, one after the other."""
        try:
            import polars
        except ImportError:
            raise InputError(
                f"{field('keep')} writes Parquet, which needs the extra study: pip install 'ostrom[study]'"
            ) from None
        if path.is_dir() or not path.parent.is_dir():
            raise InputError(f"games cannot be kept in {path}: name a file in a folder that is there")
        self._polars, self._path, self._repetitions = polars, path, repetitions
        self._held: list[Any] = []
        self._parts = 0

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory(prefix="ostrom-games-")
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        try:
            if kind is None:
                self._write()
                parts = self._polars.scan_parquet(Path(self._folder.name) / "*.parquet")
                with whole(self._path) as partial:
                    parts.sink_parquet(partial)
        finally:
            self._folder.cleanup()

    def add(self, batch: Batch, result: BatchResult) -> None:
        """Take in a batch, in the order of its games."""
        seats, games = batch.seating.shape
        names = np.asarray([entry.name for entry in batch.cast])
        told: dict[str, Any] = {
            "game": np.repeat(batch.games, seats),
            "table": np.repeat(batch.games // self._repetitions, seats),
            "seat": np.tile(np.arange(seats), games),
            "player": names[batch.seating.T.ravel()],
            "final": result.finals,
            "won": result.wins,
            "turns": np.repeat(result.turns, seats),
            "turns_in": result.turns_in,
            **result.figures,
        }
        columns = {name: values.T.ravel() if values.ndim == 2 else values for name, values in told.items()}
        self._held.append(self._polars.DataFrame(columns))
        if sum(len(frame) for frame in self._held) >= _ROWS:
            self._write()

    def _write(self) -> None:
        if self._held:
            self._polars.concat(self._held).write_parquet(Path(self._folder.name) / f"{self._parts:08}.parquet")
            self._parts, self._held = self._parts + 1, []
