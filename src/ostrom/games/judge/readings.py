"""Readings: what judges made of what was said in the games of a journal. A reading is a game with one seat, kept in an
experiment of its own under the id of the game that was read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from ostrom.core import RecordError
from ostrom.core.spoken import Said, SpokenLine, said_in
from ostrom.games.judge.quotes import QUOTES
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal


@dataclass(frozen=True, slots=True)
class Reading:
    """One judge's reading of one game."""

    game: str
    """The id of the reading itself."""
    judge: str
    record: GameRecord
    source: GameRow
    """The game that was read."""
    said: Mapping[int, Said]
    """What was said there, whole, by the numbers of the lines."""


def readings(journal: Journal, kind: str, experiment: str | None = None) -> Iterator[Reading]:
    """The finished readings of one kind, 'quotes' or 'promises', in the order in which they were begun: all, or those
    of the games of one experiment."""
    rows = list(journal.games())
    sources = {row.id: row for row in rows}
    wanted = sources.keys() if experiment is None else {row.id for row in journal.games(experiment)}
    for row in rows:
        # What an experiment of readings calls a reading is the id of the game that was read.
        if row.game != kind or row.state != "finished" or row.key not in wanted:
            continue
        record = journal.record(row.id)
        if record.rules["source"] != row.key:
            raise RecordError(f"the reading {row.id} is stored as a reading of {row.key} but reads another game")
        yield Reading(row.id, row.players[0], record, sources[row.key], _said(journal, record))


def _said(journal: Journal, record: GameRecord) -> dict[int, Said]:
    """The lines that a reading was given; where the judge was told a part of one only, those of the game itself."""
    lines = [SpokenLine.model_construct(**line) for line in record.rules["lines"]]
    if any(line.cut for line in lines):
        return {one.number: one for one in said_in(journal.record(record.rules["source"]).events)}
    return {line.number: Said(line.number, line.round, line.seat, line.text) for line in lines}


COLUMNS = {
    **{"player": pl.String, "rating": pl.Int64, "text": pl.String, "reason": pl.String, "judge": pl.String},
    **{"game": pl.String, "experiment": pl.String, "round": pl.Int64, "seat": pl.Int64, "line": pl.Int64},
    "reading": pl.String,
}


def quotes(journal: Journal, experiment: str | None = None) -> pl.DataFrame:
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


def unread(journal: Journal, experiment: str | None = None) -> pl.DataFrame:
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


def quotes_and_judges(journal: Journal) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Every line that a judge picked, and how much each judge has read: what a page of quotes shows."""
    return quotes(journal), unread(journal)
