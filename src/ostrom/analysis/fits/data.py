"""Tables of decisions for estimators: columns under their usual names, and sequences of decisions."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.core.errors import InputError
from ostrom.core.listing import brief

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
PLAYER: Final = ("player", "person", "id", "sid", "subject", "subjectid", "participant")
"""The names under which a table has its players."""
COMMON: Final[Mapping[str, Sequence[str]]] = {
    "game": ("groupid",),
    "round": ("period", "turn", "trial"),
    "seat": (),
    "session": ("sessionid",),
}
_TRUE: Final = frozenset({"c", "coop", "cooperate", "cooperates", "true", "1", "1.0", "x"})
_FALSE: Final = frozenset({"d", "defect", "defects", "false", "0", "0.0", "y"})
MAX_NAMED_COLUMNS: Final = 300
ACTION_NUMBERS: Final = frozenset({"chosen", "action", "other_action"})


def decisions_of(
    table: pl.DataFrame, columns: Mapping[str, Sequence[str]], optional: Mapping[str, Sequence[str]], keep: str = ""
) -> pl.DataFrame:
    """Return the decisions of a table with the usual names of columns, a player for each row, and the column `keep`.
    Raise InputError if a column is missing."""
    sources = {name: _source(table, name, others) for name, others in {**optional, **COMMON, **columns}.items()}
    missing = [name for name in columns if sources[name] is None]
    player = next((name for name in PLAYER if name in table.columns), None)
    if missing or player is None:
        lacking = [*missing, *(["player"] if player is None else [])]
        names = brief(table.columns, MAX_NAMED_COLUMNS)
        raise InputError(f"the table has no column {' and no column '.join(lacking)}; it has {names}")
    if keep and keep not in table.columns:
        raise InputError(f"the table has no column {keep}; it has {brief(table.columns, MAX_NAMED_COLUMNS)}")
    chosen = [_column(source).alias(name) for name, source in sources.items() if source is not None]
    label = pl.col(player).cast(pl.String)
    if player == "player" and sources["session"] is not None:
        # Studies number the players of a session.
        label = pl.col(sources["session"]).cast(pl.String) + "-" + label
    further = [pl.col(keep).cast(pl.String).alias("by")] if keep else []
    rows = table.select(label.alias("player"), *chosen, *further).drop_nulls(["player", *columns])
    if rows.is_empty():
        raise InputError("the table has no complete decisions")
    return rows


def _column(name: str) -> pl.Expr:
    """Return a column. Actions of tables of games are numbers, of which 0 is the first action, such as to cooperate."""
    return pl.col(name).cast(pl.Int64, strict=False) == 0 if name in ACTION_NUMBERS else pl.col(name)


def has_columns(table: pl.DataFrame, columns: Mapping[str, Sequence[str]]) -> bool:
    """Return whether a table has these columns, and players."""
    named = all(_source(table, name, others) is not None for name, others in columns.items())
    return named and any(name in table.columns for name in PLAYER)


def _source(table: pl.DataFrame, name: str, others: Sequence[str]) -> str | None:
    return next((one for one in (name, *others) if one in table.columns), None)


def numbers(series: pl.Series) -> Floats:
    """Return a column of numbers. Raise InputError if a cell is not a finite number."""
    values = series.cast(pl.Float64, strict=False).fill_null(np.nan).to_numpy()
    if not np.isfinite(values).all():
        cell = series[int(np.flatnonzero(~np.isfinite(values))[0])]
        raise InputError(f"the column {series.name} has {cell!r}, which is not a number")
    return np.asarray(values, dtype=np.float64)


def truths(series: pl.Series) -> npt.NDArray[np.bool_]:
    """Return a column of two-valued choices: c, coop, true or 1 is true, and d, defect, false or 0 is false. Raise
    InputError for any other cell."""
    if series.dtype == pl.Boolean:
        return np.asarray(series.to_numpy(), dtype=np.bool_)
    words = series.cast(pl.String).str.strip_chars().str.to_lowercase()
    wrong = words.filter(~words.is_in([*_TRUE, *_FALSE]))
    if len(wrong):
        raise InputError(f"the column {series.name} has {wrong[0]!r}; choices must be c or d, true or false, 1 or 0")
    return np.asarray(words.is_in([*_TRUE]).to_numpy(), dtype=np.bool_)


class Sequences(NamedTuple):
    """Decisions in the order of rounds within a game."""

    rows: pl.DataFrame
    sequence: Whole
    """The number of the sequence of each row."""
    place: Whole
    """The place of each row in its sequence, from 0."""
    unit: Whole
    names: list[str]
    """The name of each unit."""


def number_sequences(rows: pl.DataFrame, unit: str = "player") -> Sequences:
    """Return decisions sorted by player, game, seat and round. A sequence is what a player does in one seat of one
    game. With the unit `seat`, each sequence is a unit. Raise InputError if a sequence has a round twice."""
    keys = [name for name in ("player", "session", "game", "seat") if name in rows.columns]
    rows = rows.with_row_index("_row")
    if "round" in rows.columns:
        rows = rows.with_columns(pl.col("round").cast(pl.Float64, strict=False))
    rows = rows.sort(*keys, *(["round"] if "round" in rows.columns else []), "_row")
    number = rows.select(pl.struct(keys).rle_id()).to_series().to_numpy().astype(np.int64)
    first = np.flatnonzero(np.concatenate([[True], number[1:] != number[:-1]]))
    place = np.arange(len(number)) - first[number]
    if "round" in rows.columns:
        again = (np.diff(rows["round"].to_numpy()) == 0) & (np.diff(number) == 0)
        if again.any():
            row = rows.row(int(np.flatnonzero(again)[0]), named=True)
            raise InputError(
                f"{row['player']} has two decisions in round {row['round']:g} of one game; a column `game` must "
                "distinguish games"
            )
    if unit == "seat":
        names = [" · ".join(str(value) for value in row) for row in rows[first].select(keys).iter_rows()]
        return Sequences(rows, number, place, number, names)
    players, units = _codes(rows["player"])
    return Sequences(rows, number, place, units, players)


def _codes(series: pl.Series) -> tuple[list[str], Whole]:
    names = series.unique().sort().to_list()
    codes = {name: place for place, name in enumerate(names)}
    return names, np.fromiter((codes[name] for name in series), dtype=np.int64, count=len(series))


def codes_of(series: pl.Series) -> tuple[list[str], Whole]:
    """Return the distinct values of a column as texts, sorted, and the number of the value of each row."""
    return _codes(series.cast(pl.String))


def first_table(tables: Iterable[pl.DataFrame], columns: Mapping[str, Sequence[str]]) -> pl.DataFrame | None:
    """Return the first table that has these columns, or None."""
    return next((table for table in tables if has_columns(table, columns)), None)


def with_payoffs(rounds: pl.DataFrame) -> pl.DataFrame:
    """Return the rounds of matrix games with the payoffs of the four cells, as they were paid in these games. Other
    tables, and games with more than two actions or a cell that was never played, are returned without payoffs."""
    needed = {"game", "seat", "round", "action", "other_action", "points", "chosen"}
    if not needed <= set(rounds.columns) or rounds.is_empty():
        return rounds
    if int(rounds["action"].max()) > 1:  # type: ignore[arg-type]
        return rounds
    points = pl.col("points")
    cells = rounds.group_by("seat", "action", "other_action").agg(points.mean(), points.n_unique().alias("kinds"))
    if cells.height < 8 or int(cells["kinds"].max()) > 1:  # type: ignore[arg-type]
        return rounds
    paid = {(row["seat"], row["action"], row["other_action"]): row["points"] for row in cells.iter_rows(named=True)}
    rows = []
    for seat in (0, 1):
        other = 1 - seat
        own = {f"own_{'ab'[a]}{'cd'[b]}": paid[seat, a, b] for a in (0, 1) for b in (0, 1)}
        others = {f"other_{'ab'[a]}{'cd'[b]}": paid[other, b, a] for a in (0, 1) for b in (0, 1)}
        rows.append({"seat": seat, **own, **others})
    payoffs = pl.DataFrame(rows).with_columns(pl.col("seat").cast(rounds["seat"].dtype))
    return rounds.join(payoffs, on="seat", how="left").with_columns(chose_a=pl.col("chosen") == 0)
