"""The library: the finished games of a journal as tables. A game that is over never changes, so each is read once,
however many studies it is part of; what ends meanwhile is added."""

import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, Final

from ostrom.analysis.study import AnyStudy, Study
from ostrom.analysis.tables import GameTables, joined
from ostrom.journal.overview import GameRow
from ostrom.journal.pages import Ended
from ostrom.journal.read import KeptGame

FINISHED: Final = "finished"


def digest_of(names: Iterable[str]) -> str:
    """A short name for these names in this order."""
    return blake2b("\n".join(names).encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Volume:
    """All games of a kind that are over."""

    rows: tuple[GameRow, ...]
    """Void ones among them, in the order in which they were begun."""
    tables: GameTables
    """Of the finished ones, in the same order."""
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
        self._rooms: dict[str, _Room] = {}
        self._lock = threading.Lock()

    def volume(self, study: Study[Any], stage: int) -> Volume:
        """All games of a kind, as they were at this stage of the journal or later."""
        with self._lock:
            room = self._rooms.setdefault(study.command, _Room())
        with room.lock:
            if room.volume is None or room.stage < stage:
                room.volume = self._grown(study, room.volume)
                room.stage = stage
            return room.volume

    def rows(self, study: AnyStudy) -> list[GameRow]:
        """All games of a study that are over, void ones among them, without what happened in them."""
        return self._ended.games(study.records)

    def records(self, games: Iterable[str]) -> Iterator[KeptGame]:
        """The records of these games, each with its id and its experiment's."""
        for one in self._ended.records(list(games)):
            self._go_on()
            yield one

    def _grown(self, study: Study[Any], before: Volume | None) -> Volume:
        rows = tuple(self.rows(study))
        known = set() if before is None else set(before.tables.games["game"])
        finished = [row.id for row in rows if row.state == FINISHED]
        new = [game for game in finished if game not in known]
        if before is not None and not new:
            return replace(before, rows=rows)
        tables: GameTables = study.tables(self.records(new))
        if before is not None:
            # A game may end before one that was begun earlier.
            tables = joined(before.tables, tables, finished)
        return Volume(rows, tables, digest_of(finished))
