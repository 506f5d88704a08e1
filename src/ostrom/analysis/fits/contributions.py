"""Contributions to a public good: what a player gave, what the others gave in the round before, and who depends on
whom."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.fits.data import codes_of, numbers
from ostrom.core.errors import InputError

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
CONTRIBUTION: Final[Mapping[str, Sequence[str]]] = {"contribution": ("cont", "c", "senderscontribution")}
FURTHER: Final[Mapping[str, Sequence[str]]] = {
    "others_before": (),
    "endowment": (),
    "group": ("groupid",),
    "others_sum": ("otherscontrib",),
}
"""The columns that a table of contributions may have. Without `others_before`, it is computed from groups."""


class NextContributions(NamedTuple):
    """Decisions after the first round of a player."""

    players: list[str]
    player: Whole
    cluster: Whole
    """The independent unit of each decision: a game, a session, a group or a player."""
    cluster_word: str
    contribution: Floats
    own_before: Floats
    others_before: Floats
    endowment: float


def next_contributions(rows: pl.DataFrame) -> NextContributions:
    """Return the decisions that follow another round of the same player. Raise InputError if there are too few."""
    rows = rows.with_columns(
        pl.col("contribution").cast(pl.Float64, strict=False),
        round=pl.col("round").cast(pl.Float64, strict=False) if "round" in rows.columns else pl.lit(1.0),
    )
    keys = [name for name in ("session", "game") if name in rows.columns]
    sequence = [*keys, "player", *(["seat"] if "seat" in rows.columns else [])]
    if rows.select(pl.struct([*sequence, "round"]).n_unique()).item() < rows.height:
        raise InputError("a player has two contributions in one round of a game; columns must distinguish its games")
    rows = rows.sort(*sequence, "round")
    if "others_before" not in rows.columns:
        rows = _with_others(rows, keys)
        rows = rows.with_columns(others_before=pl.col("_others").shift(1).over(sequence))
    follows = pl.col("round").shift(1).over(sequence) == pl.col("round") - 1
    rows = rows.with_columns(own_before=pl.when(follows).then(pl.col("contribution").shift(1).over(sequence)))
    endowment = float(rows[name].cast(pl.Float64).max()) if (name := "endowment") in rows.columns else None  # type: ignore[arg-type]
    greatest = float(rows["contribution"].max())  # type: ignore[arg-type]
    word, label = _cluster(rows, keys)
    rows = rows.with_columns(_cluster=label).drop_nulls(["own_before", "others_before", "contribution"])
    if rows.height < 10:
        raise InputError("there are fewer than 10 decisions that follow a round with known contributions of others")
    players, player = codes_of(rows["player"])
    _, cluster = codes_of(rows["_cluster"])
    return NextContributions(
        players,
        player,
        cluster,
        word,
        numbers(rows["contribution"]),
        numbers(rows["own_before"]),
        numbers(rows["others_before"]),
        greatest if endowment is None else endowment,
    )


def _with_others(rows: pl.DataFrame, keys: Sequence[str]) -> pl.DataFrame:
    group = [*keys, *(["group"] if "group" in rows.columns else []), "round"]
    if len(group) == 1:
        raise InputError("the table has neither a column game nor group, so that others' contributions are unknown")
    total, count = pl.col("contribution").sum().over(group), pl.len().over(group)
    mean = (total - pl.col("contribution")) / (count - 1)
    return rows.with_columns(_others=pl.when(count > 1).then(mean))


def _cluster(rows: pl.DataFrame, keys: Sequence[str]) -> tuple[str, pl.Expr]:
    """Return the word for independent units, and their labels: groups if players stay in them, else games or
    sessions."""
    join = pl.concat_str([pl.col(key).cast(pl.String) for key in keys], separator="·") if keys else pl.lit("")
    if "group" in rows.columns:
        stay = rows.group_by([*keys, "player"]).agg(pl.col("group").n_unique())["group"].max() == 1
        if stay:
            return "group", pl.concat_str([join, pl.col("group").cast(pl.String)], separator="·")
    if keys:
        return keys[-1], join
    return "player", pl.col("player")
