"""The measures of Offers beside the common ones, with intervals over games."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import GAME, Measure, Resampling, enter, ratio_of
from ostrom.analysis.study import GameMeasures
from ostrom.analysis.tables import GameTables, Row, StoredRecords, common_tables, events_of, extended, frame, players_of
from ostrom.core import Registry
from ostrom.journal.record import GameRecord
from ostrom_offers import OFFERS, ROLES

BARGAINS = {"game": pl.String, "rounds": pl.Int64, "agreed": pl.Boolean, "efficiency": pl.Float64}
DIVISIONS = {"game": pl.String, "seat": pl.Int64, "player": pl.String, "role": pl.String, "share": pl.Float64}
ABOUT = {
    "bargains": "A row for each game: how many rounds it had, whether the seats agreed, and the efficiency.",
    "divisions": "A row for each seat: its role, and its share of the pie before it is discounted.",
}


@dataclass(frozen=True, slots=True)
class OffersTables(GameTables):
    """The tables of some games of Offers."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"bargains": None, "divisions": "seat", **GameTables.ACTORS}

    bargains: pl.DataFrame
    divisions: pl.DataFrame


def tables_of(records: StoredRecords) -> OffersTables:
    """The tables of some records."""
    bargains: list[Row] = []
    divisions: list[Row] = []

    def add(game: str, record: GameRecord) -> None:
        told, pie = dict(events_of(record, OFFERS.events)), record.rules["pie"]
        end, agreed = told["game_ended"], told.get("accepted")
        bargains.append((game, end["round"], agreed is not None, sum(end["values"]) / pie))
        got = agreed["parts"] if agreed else [0.0, 0.0]
        for seat, (player, role) in enumerate(zip(players_of(game, record), ROLES, strict=True)):
            divisions.append((game, seat, player, role, got[seat] / pie))

    common = common_tables(OFFERS, records, add)
    return extended(common, OffersTables, bargains=frame(bargains, BARGAINS), divisions=frame(divisions, DIVISIONS))


@Resampling
def agreement(tables: OffersTables) -> Ratio:
    """Agreement: the share of games in which an offer was accepted."""
    return ratio_of(tables, tables.bargains, GAME, pl.col("agreed").cast(pl.Int64), share=True)


@Resampling
def efficiency(tables: OffersTables) -> Ratio:
    """Efficiency: the mean over games of the sum of both finals as a part of the pie, which is what an agreement in the
    first round is worth; 0 without agreement."""
    return ratio_of(tables, tables.bargains, GAME, "efficiency", share=True)


@Resampling
def share_by_role(tables: OffersTables) -> Ratio:
    """Share by role: the mean, over the games in which the player had the role, of its share of the pie before it is
    discounted; 0 without agreement."""
    return ratio_of(tables, tables.divisions, ("player", "role"), "share", share=True)


_OWN: Registry[Measure[OffersTables]] = Registry("measure of Offers")
enter(_OWN, agreement, "Agreement", "share", GAME)
enter(_OWN, efficiency, "Efficiency", "share", GAME)
enter(_OWN, share_by_role, "Share by role", "share", ("player", "role"))

MEASURES = GameMeasures(_OWN, tables_of, ABOUT)
"""What Offers adds to the common tables and measures."""
