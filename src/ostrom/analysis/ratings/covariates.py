"""Covariates of seats, by which rating methods adjust: a number for each seat of each game. A text, such as a role, has
one covariate for each of its entries but the first in the order of the alphabet."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import polars as pl

from ostrom.analysis.ratings.method import GameResults
from ostrom.core import InputError

MAX_COVARIATES: Final = 20


def with_covariates(results: GameResults, columns: Sequence[tuple[str, Sequence[Sequence[Any]]]]) -> GameResults:
    """Return the results with covariates. Each column has a name, and a list for each game with the entry of each seat.
    Entries are all numbers, or texts. Raises `InputError` if an entry is missing or not finite, or if a column has one
    entry only."""
    names: list[str] = []
    tables: list[np.ndarray] = []
    for name, games in columns:
        for label, values in _coded(name, games):
            table = np.zeros(results.players.shape)
            for row, own in enumerate(values):
                table[row, : len(own)] = own
            names.append(label)
            tables.append(table)
    if len(names) > MAX_COVARIATES:
        raise InputError(f"there are {len(names)} covariates; ratings adjust for at most {MAX_COVARIATES}")
    return replace(results, covariates=np.stack(tables, axis=2), covariate_names=tuple(names))


def _coded(name: str, games: Sequence[Sequence[Any]]) -> list[tuple[str, list[list[float]]]]:
    """Return the covariates of a column, each with its name and a number for each seat."""
    entries = [entry for game in games for entry in game]
    if any(entry is None for entry in entries):
        raise InputError(f"a seat has no {name}, so ratings cannot be adjusted for it")
    if len(set(entries)) < 2:
        raise InputError(f"all seats have the same {name}, so ratings cannot be adjusted for it")
    try:
        numbers = [[float(entry) for entry in game] for game in games]
    except ValueError:
        levels = sorted({str(entry) for entry in entries})
        return [
            (f"{name}={level}", [[float(str(entry) == level) for entry in game] for game in games])
            for level in levels[1:]
        ]
    if not all(np.isfinite(number) for game in numbers for number in game):
        raise InputError(f"a seat has a {name} that is not a finite number")
    return [(name, numbers)]


def adjust_for_columns(results: GameResults, table: pl.DataFrame, columns: Sequence[str]) -> GameResults:
    """Return the results of a table with the columns `game`, `player` and `score`, with covariates from its other
    columns. The rows of a game are its seats, in order. Raises `InputError` for unknown columns."""
    if missing := [name for name in columns if name not in table.columns]:
        raise InputError(f"the table has no column {' or '.join(missing)}; there are {', '.join(table.columns)}")
    rows = table.group_by(pl.col("game").cast(pl.String), maintain_order=True).agg(*columns)
    return with_covariates(results, [(name, rows[name].to_list()) for name in dict.fromkeys(columns)])
