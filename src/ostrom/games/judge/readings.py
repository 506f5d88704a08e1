"""Readings: a judge reads what was said in the games of a journal, and what it picked is read back. A reading is a game
with one seat, kept in an experiment of its own under the id of the game that was read: whoever judges again asks only
about games that were not read yet."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from ostrom.core import GameChance, RecordError
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import MESSAGE, Said, SpokenLine, lines_of, said_in
from ostrom.experiment.match import Fixture, make_rules
from ostrom.games.judge.quotes import QUOTES
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.players.base import Contestant
from ostrom.players.roster import description

_FINISHED, _PLAYING = "finished", "playing"


@dataclass(frozen=True)
class Judging:
    """One judge and what it is to read. A judge that is described otherwise, or reads by other rules, is another one;
    what there is to read may grow."""

    kind: Game
    """What it reads for: quotes or promises."""
    judge: Contestant
    rules: Any
    """Without source and lines, which each game brings."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides how it reads, as plain data."""
        rules = self.rules.model_dump(mode="json", exclude={"source", "lines"})
        return {"game": self.kind.name, "judge": description(self.judge), "rules": rules}

    def experiment(self, journal: Journal, *, create: bool = True) -> str | None:
        """The experiment that holds its readings: the one that is there, or a new one."""
        for row in journal.experiments():
            if row.kind == self.kind.command and row.settings == self.settings:
                return row.id
        name = f"{self.kind.command} by {self.judge.name}"
        return journal.new_experiment(name, kind=self.kind.command, settings=self.settings) if create else None

    def unread(self, journal: Journal, experiment: str | None, sources: Sequence[GameRow]) -> list[GameRow]:
        """Those of the games that it has not read to the end."""
        read = {row.key for row in journal.games(experiment) if row.state != _PLAYING} if experiment else set()
        return [row for row in sources if row.id not in read]

    def fixtures(self, journal: Journal, sources: Sequence[GameRow]) -> Iterator[Fixture]:
        """A reading of each game in which something was said, made when it is its turn."""
        for row in sources:
            if lines := lines_of(journal.record(row.id).events):
                rules = make_rules(self.kind, {**self.settings["rules"], "source": row.id, "lines": lines})
                # A reading draws no chance.
                yield Fixture(row.id, self.kind, rules, [self.judge], GameChance(0, 0))


def judging_of(kind: Game, judge: Contestant, **rules: Any) -> Judging:
    """How a judge reads, with these rules or the usual ones."""
    return Judging(kind, judge, make_rules(kind, rules))


def speaking_games(journal: Journal, experiment: str | None = None) -> list[GameRow]:
    """The finished games of an experiment, or all, of those kinds in which seats speak."""
    return [row for row in journal.games(experiment) if row.state == _FINISHED and _speaks(row.game)]


def _speaks(game: str) -> bool:
    return game in GAMES and MESSAGE in GAMES[game].events


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
        if row.game != kind or row.state != _FINISHED or row.key not in wanted:
            continue
        record = journal.record(row.id)
        if record.rules["source"] != row.key:
            raise RecordError(f"the reading {row.id} is kept as one of {row.key}, and is one of another game")
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
