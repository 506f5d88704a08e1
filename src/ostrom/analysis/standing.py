"""The payoffs of players, and the figures of one player beside those of the others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from ostrom.analysis.measures import Measure, ratio_of
from ostrom.analysis.tables import GameTables
from ostrom.core.estimates import Estimate, means_of_rows


@dataclass(frozen=True, slots=True)
class Payoffs:
    """The mean payoff of one player in one game, in one role (by seat; None for all) and against one opponent (None for
    all)."""

    game: str
    """Its name in records."""
    player: str
    seat: int | None
    against: str | None
    games: int
    defaulted: int
    """The number of those games with a defaulted answer, of any player."""
    payoff: Estimate
    """The mean with its 95 % interval over games, or the reason why there is none."""


def realised_payoffs(tables: GameTables) -> list[Payoffs]:
    """Return the mean payoff of every player: in all its games, and in two-player games by seat and by opponent."""
    seats = tables.seats.drop_nulls("final").select("game", "seat", "player", "final")
    pairs = seats.filter(pl.len().over("game") == 2).with_columns(against=pl.col("player").reverse().over("game"))
    defaulted = tables.games.filter(pl.col("defaulted") > 0).select("game")
    payoffs = []
    for rows, by in ((seats, ()), (pairs, ("seat",)), (pairs, ("against",))):
        if not rows.height:
            continue
        # In games with more than two seats, a mean may depend on a few games with very high payoffs.
        ratio = replace(ratio_of(tables, rows, ("player", *by), "final"), tailed=pairs.height < seats.height)
        affected = rows.join(defaulted, on="game", how="semi").group_by("player", *by)
        counted = affected.agg(defaulted=pl.col("game").n_unique())
        for row in ratio.estimates().join(counted, on=["player", *by], how="left").iter_rows(named=True):
            paid = Estimate(row["value"], row["low"], row["high"], row["reason"])
            role = row["player"], row.get("seat"), row.get("against")
            payoffs.append(Payoffs(tables.kind, *role, row["n"], row["defaulted"] or 0, paid))
    return sorted(payoffs, key=lambda row: _sort_key(row.player, row.seat, row.against))


def _sort_key(player: str, seat: int | None, against: str | None) -> tuple[str, int, str]:
    """Sort by player; the payoff in all games first, then by seat, then by opponent."""
    return player, -1 if seat is None and against is None else 2 if seat is None else seat, against or ""


# One player among the others.


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
    """An opponent of a player."""

    player: str
    games: int
    """Games in which both have a final."""
    ahead: Estimate
    """The share of these games in which the player ended ahead; a tie counts half."""
    mean: float
    """The player's mean final in these games."""
    theirs: float


def standpoints(
    measures: Mapping[str, Measure[Any]], measured: Mapping[str, pl.DataFrame], player: str
) -> list[Standpoint]:
    """Return a player's figures by every measure that has one figure for each player."""
    rows_of_measures = []
    for name, measure in measures.items():
        if measure.by != ("player",):
            continue
        rows = {row["player"]: row for row in measured[name].iter_rows(named=True)}
        values = {name: float(row["value"]) for name, row in rows.items() if _is_figure(row["value"])}
        if not values:
            continue
        own, row = values.get(player), rows.get(player, {})
        others = {name: value for name, value in values.items() if name != player}
        estimate = Estimate(own, row.get("low"), row.get("high"), row.get("reason"))
        place = None if own is None else 1 + sum(value > own for value in others.values())
        rows_of_measures.append(Standpoint(measure, estimate, row.get("n"), place, others))
    return rows_of_measures


def _is_figure(value: object) -> bool:
    return isinstance(value, int | float) and bool(np.isfinite(value))


def games_of(tables: GameTables, player: str) -> pl.DataFrame:
    """Return every game of a player in the order of the journal: game, experiment, seat, final, rank, number of seats,
    and the players by seat."""
    seated = tables.seats.sort("game", "seat").group_by("game").agg(players=pl.col("player"))
    order = tables.games.select("game", "experiment", "seats").with_row_index("number", offset=1)
    own = tables.seats.filter(pl.col("player") == player).select("game", "seat", "final", "rank")
    return order.join(own, on="game", how="inner").join(seated, on="game", how="left").sort("number", "seat")


def rivals(tables: GameTables, player: str, *, better: str) -> list[Rival]:
    """Return the opponents of a player, those of the most games first. A game in which one of them holds several seats
    counts once, with the means of these."""
    finals = (
        tables.seats.drop_nulls("final")
        .group_by("game", "player", maintain_order=True)
        .agg(final=pl.col("final").mean())
    )
    own_finals = finals.filter(pl.col("player") == player).select("game", own="final")
    met = finals.filter(pl.col("player") != player).join(own_finals, on="game", how="inner")
    sign = 1.0 if better == "higher" else -1.0
    opponents = []
    for (other,), rows in met.group_by("player", maintain_order=True):
        lead = np.sign(np.round(sign * (rows["own"] - rows["final"]).to_numpy(), 9))
        (ahead,) = means_of_rows(((lead + 1) / 2)[np.newaxis], share=True)
        own, theirs = float(rows["own"].mean()), float(rows["final"].mean())  # type: ignore[arg-type]
        opponents.append(Rival(str(other), rows.height, ahead, own, theirs))
    return sorted(opponents, key=lambda opponent: (-opponent.games, opponent.player))
