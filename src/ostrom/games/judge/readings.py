"""What judges have read: the games of a journal in which a judge read the lines of another one, each beside the game
that it is about."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ostrom.core import RecordError
from ostrom.core.spoken import Said, SpokenLine, said_in
from ostrom.journal.overview import GameRow
from ostrom.journal.record import GameRecord

FINISHED = "finished"


class Readable(Protocol):
    """Whatever hands out rows and records of games, such as a journal."""

    def games(self, experiment: str | None = None) -> Sequence[GameRow]:
        """The games of an experiment, or all, unfinished ones among them."""

    def record(self, game: str) -> GameRecord:
        """The record of a game."""


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


def readings(journal: Readable, kind: str, experiment: str | None = None) -> Iterator[Reading]:
    """The finished readings of one kind, 'quotes' or 'promises', in the order in which they were begun: all, or those
    of the games of one experiment."""
    rows = list(journal.games())
    sources = {row.id: row for row in rows}
    wanted = sources.keys() if experiment is None else {row.id for row in journal.games(experiment)}
    for row in rows:
        # What an experiment of readings calls a reading is the id of the game that was read.
        if row.game != kind or row.state != FINISHED or row.key not in wanted:
            continue
        record = journal.record(row.id)
        if record.rules["source"] != row.key:
            raise RecordError(f"the reading {row.id} is kept as one of {row.key}, and is one of another game")
        yield Reading(row.id, row.players[0], record, sources[row.key], _said(journal, record))


def _said(journal: Readable, record: GameRecord) -> dict[int, Said]:
    """The lines that a reading was given; where the judge was told a part of one only, those of the game itself."""
    lines = [SpokenLine.model_construct(**line) for line in record.rules["lines"]]
    if any(line.cut for line in lines):
        return {one.number: one for one in said_in(journal.record(record.rules["source"]).events)}
    return {line.number: Said(line.number, line.round, line.seat, line.text) for line in lines}
