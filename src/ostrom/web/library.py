"""The library: the finished games of a journal as tables. A game that is over never changes, so each is read once,
however many studies it is part of; what ends meanwhile is added."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Final

import polars as pl

from ostrom.analysis.kinds import KINDS, AnyTables, Kind
from ostrom.analysis.moments import MOMENTS, moments_of
from ostrom.analysis.records import frame
from ostrom.games.battery.tables import PREFIX
from ostrom.journal.overview import GameRow
from ostrom.journal.pages import Ended
from ostrom.journal.read import Studied
from ostrom.journal.record import GameRecord

FINISHED: Final = "finished"


def digest_of(names: Iterable[str]) -> str:
    """A short name for these names in this order."""
    return blake2b("\n".join(names).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Volume:
    """All games of a kind that are over."""

    rows: tuple[GameRow, ...]
    """Void ones among them, in the order in which they were begun."""
    tables: AnyTables
    """Of the finished ones, in the same order."""
    moments: pl.DataFrame
    """Where their messages stand among their events."""
    digest: str
    """Names the finished games."""


@dataclass
class _Room:
    """Where a kind's volume is, and who may write it."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    stage: int = -1
    volume: Volume | None = None


class Library:
    """The volumes of a journal, which grow as games end."""

    def __init__(self, ended: Ended, go_on: Callable[[], None] = lambda: None) -> None:
        """`go_on` is called before each game that is read, and raises what ends the reading."""
        self._ended, self._go_on = ended, go_on
        self._rooms = {name: _Room() for name in KINDS}

    def volume(self, kind: Kind[Any], stage: int) -> Volume:
        """All games of a kind, as they were at this stage of the journal or later."""
        room = self._rooms[kind.command]
        with room.lock:
            if room.volume is None or room.stage < stage:
                room.volume = self._grown(kind, room.volume)
                room.stage = stage
            return room.volume

    def rows(self, kind: Kind[Any]) -> list[GameRow]:
        """All games of a kind that are over, void ones among them, without what happened in them."""
        return [row for row in self._ended.games(kind.record) if row.game == kind.record]

    def questionnaires(self) -> list[GameRow]:
        """All finished games in which a subject answered a task of the battery."""
        return [row for row in self._ended.games(PREFIX) if row.state == FINISHED]

    def records(self, games: Iterable[str]) -> Iterator[tuple[str, str, GameRecord]]:
        """The records of these games, each with its id and its experiment's."""
        yield from self._ended.records(list(games))

    def _grown(self, kind: Kind[Any], before: Volume | None) -> Volume:
        rows = tuple(self.rows(kind))
        known = set() if before is None else set(before.tables.games["game"])
        finished = [row.id for row in rows if row.state == FINISHED]
        new = [game for game in finished if game not in known]
        if before is not None and not new:
            return replace(before, rows=rows)
        digest = digest_of(finished)
        noted: list[tuple[Any, ...]] = []
        tables: AnyTables = kind.tables_of(self._noting(new, noted))
        moments = frame(noted, MOMENTS)
        if before is not None:
            tables = _joined(before.tables, tables, finished)
            moments = pl.concat([before.moments, moments])
        return Volume(rows, tables, moments, digest)

    def _noting(self, games: list[str], noted: list[tuple[Any, ...]]) -> Iterator[Studied]:
        """The records as they come, with the moments of their messages put down on the way."""
        for one in self._ended.records(games):
            self._go_on()
            noted.extend(moments_of(one.game, one.record))
            yield one


def _joined(before: AnyTables, after: AnyTables, order: list[str]) -> AnyTables:
    """All rows of both, game by game in this order: a game may end before one that was begun earlier."""
    place = pl.DataFrame({"game": order, "place": range(len(order))}, schema={"game": pl.String, "place": pl.Int64})
    made: dict[str, Any] = {
        name: pl.concat([getattr(before, name), getattr(after, name)])
        .join(place, on="game", how="left", maintain_order="left")
        .sort("place", maintain_order=True)
        .drop("place")
        for name in ("games", "seats", *before.ACTORS)
    }
    return replace(before, **made)
