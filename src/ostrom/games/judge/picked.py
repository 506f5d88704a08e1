"""Quotes: the lines that judges picked, each with its rating, its speaker and the game in which it was said."""

from typing import Any

import polars as pl

from ostrom.games.judge.quotes import QUOTES
from ostrom.games.judge.readings import Readable, readings

COLUMNS = {
    "player": pl.String,
    "rating": pl.Int64,
    "text": pl.String,
    "reason": pl.String,
    "judge": pl.String,
    "game": pl.String,
    "experiment": pl.String,
    "round": pl.Int64,
    "seat": pl.Int64,
    "line": pl.Int64,
    "reading": pl.String,
}


def quotes(journal: Readable, experiment: str | None = None) -> pl.DataFrame:
    """Every line that a judge picked, by player and then from the highest rating down: player (who said it), rating,
    text (whole), reason, judge, game (where it was said), experiment (that game's), round, seat, line (its number in
    that game) and reading (the judge's own game). With `experiment`, those that were said in its games.

    A line that two judges picked has two rows. Ratings of one judge are comparable as far as the judge is consistent;
    those of two judges are not. A portion to which a judge gave no legal answer has no rows, and `unread` counts it."""
    rows: list[tuple[Any, ...]] = []
    for reading in readings(journal, QUOTES.name, experiment):
        source = reading.source
        for event in reading.record.events:
            if event["event"] != "line_picked":
                continue
            said = reading.said[event["line"]]
            where = (source.id, source.experiment, said.round, said.seat, said.number, reading.game)
            what = (event["rating"], said.text, event["reason"], reading.judge)
            rows.append((source.players[said.seat], *what, *where))
    table = pl.DataFrame(rows, schema=COLUMNS, orient="row")
    return table.sort(["player", "rating"], descending=[False, True], maintain_order=True)


def unread(journal: Readable, experiment: str | None = None) -> pl.DataFrame:
    """For every judge: games (that it read), portions (that it was asked about) and defaulted (those of them to which
    it gave no legal answer, so that their lines count as not read)."""
    rows = [
        (
            reading.judge,
            len(reading.record.answers),
            sum(one.provenance == "defaulted" for one in reading.record.answers),
        )
        for reading in readings(journal, QUOTES.name, experiment)
    ]
    counted = pl.DataFrame(rows, schema={"judge": pl.String, "portions": pl.Int64, "defaulted": pl.Int64}, orient="row")
    return (
        counted.group_by("judge", maintain_order=True)
        .agg(games=pl.len().cast(pl.Int64), portions=pl.col("portions").sum(), defaulted=pl.col("defaulted").sum())
        .sort("judge")
    )
