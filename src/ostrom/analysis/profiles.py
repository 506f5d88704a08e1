"""One player among all: where it stands by every measure, who it met and who ended ahead, and each of its games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from ostrom.analysis.measures import Measure
from ostrom.analysis.tables import GameTables
from ostrom.core.estimates import Estimate, means_of_rows


@dataclass(frozen=True, slots=True)
class Standpoint:
    """A player's figure by one measure, beside those of all others."""

    measure: Measure[Any]
    estimate: Estimate
    games: int | None
    place: int | None
    """Counted from the highest figure; those who tie share the best place. Missing where it has no figure."""
    others: dict[str, float]
    """The figures of all others that have one, by player."""


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody whom a player met."""

    player: str
    games: int
    """In which both sat at the table, and both ended with something."""
    ahead: Estimate
    """The share of these games in which the player ended ahead; a tie is half of it."""
    mean: float
    """What the player ended with in these games, on average."""
    theirs: float
    """What the other ended with."""


def standpoints(
    measures: Mapping[str, Measure[Any]], measured: Mapping[str, pl.DataFrame], player: str
) -> list[Standpoint]:
    """Where a player stands by every measure that has one figure for each player."""
    found = []
    for name, measure in measures.items():
        if measure.by != ("player",):
            continue
        rows = {row["player"]: row for row in measured[name].iter_rows(named=True)}
        values = {one: float(row["value"]) for one, row in rows.items() if _is_figure(row["value"])}
        if not values:
            continue
        mine, row = values.get(player), rows.get(player, {})
        others = {one: value for one, value in values.items() if one != player}
        estimate = Estimate(mine, row.get("low"), row.get("high"), row.get("reason"))
        place = None if mine is None else 1 + sum(value > mine for value in others.values())
        found.append(Standpoint(measure, estimate, row.get("n"), place, others))
    return found


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and bool(np.isfinite(value))


def games_of(tables: GameTables, player: str) -> pl.DataFrame:
    """Every game of a player in the order of the journal: game, experiment, seat, final, rank, how many seats, and who
    sat there, by seat."""
    seated = tables.seats.sort("game", "seat").group_by("game").agg(players=pl.col("player"))
    order = tables.games.select("game", "experiment", "seats").with_row_index("number", offset=1)
    mine = tables.seats.filter(pl.col("player") == player).select("game", "seat", "final", "rank")
    return order.join(mine, on="game", how="inner").join(seated, on="game", how="left").sort("number", "seat")


def rivals(tables: GameTables, player: str, *, better: str) -> list[Rival]:
    """Everybody whom a player met, those of the most games first. Of a game in which one of them holds several seats
    the means of these count, so that a game is one observation."""
    finals = (
        tables.seats.drop_nulls("final")
        .group_by("game", "player", maintain_order=True)
        .agg(final=pl.col("final").mean())
    )
    mine = finals.filter(pl.col("player") == player).select("game", own="final")
    met = finals.filter(pl.col("player") != player).join(mine, on="game", how="inner")
    sign = 1.0 if better == "higher" else -1.0
    found = []
    for (other,), rows in met.group_by("player", maintain_order=True):
        lead = np.sign(np.round(sign * (rows["own"] - rows["final"]).to_numpy(), 9))
        (ahead,) = means_of_rows(((lead + 1) / 2)[np.newaxis], share=True)
        own, theirs = float(rows["own"].mean()), float(rows["final"].mean())  # type: ignore[arg-type]
        found.append(Rival(str(other), rows.height, ahead, own, theirs))
    return sorted(found, key=lambda one: (-one.games, one.player))
