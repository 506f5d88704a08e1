"""Readers' notes: bookmarks of moments of games, and what somebody wrote beside them. They are the only entries of a
journal that may be changed and taken away again; no measure reads them."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, delete, func, select, update

from ostrom.core import InputError, UnknownName
from ostrom.journal.engine import Database
from ostrom.journal.read import Columns, experiment_named, game_named
from ostrom.journal.record import LONGEST_NOTE, RecordedNote
from ostrom.journal.rows import as_json, now
from ostrom.journal.schema import events, games, notes
from ostrom.journal.write import add_notes, touch

_MOST_SERIAL: Final = 2**31 - 1


class Note(NamedTuple):
    """What a reader left at a moment of a game."""

    serial: int
    game: str
    """Its id."""
    moment: int
    """How many of the game's events had been seen there."""
    at: str
    """When it was written last."""
    text: str
    """Empty where the moment is bookmarked, and no more."""


class Notes:
    """The notes of a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, game: str) -> list[Note]:
        """Those of a game, by its id or its key, in the order of its moments."""
        with self._database.reading() as connection:
            return _of_game(connection, *game_named(connection, game))

    def all(self, experiment: str | None = None) -> list[Note]:
        """Those of an experiment's games, or all, in the order of games and moments."""
        wanted = select(notes, games.c.id).join(games).order_by(games.c.serial, notes.c.moment, notes.c.serial)
        with self._database.reading() as connection:
            if experiment is not None:
                wanted = wanted.where(games.c.experiment == experiment_named(connection, experiment)[0])
            return [_note(row, row.id) for row in connection.execute(wanted)]

    def add(self, game: str, moment: int, text: str) -> list[Note]:
        """Leave a note at a moment of a game; the notes that the game has then."""
        with self._database.writing() as connection:
            touch(connection)  # first of all, as it is the lock that keeps two writers from taking one number
            serial, name = game_named(connection, game)
            happened = connection.execute(select(func.count()).where(events.c.game == serial)).scalar_one()
            if not 0 <= moment <= happened:
                raise InputError(f"the game {name} has {happened:,} events; a note stands at a moment from 0 to that")
            add_notes(connection, serial, [RecordedNote(moment=moment, at=now(), text=_checked(text))])
            return _of_game(connection, serial, name)

    def merge(self, game: str, some: Sequence[RecordedNote]) -> int:
        """Take over those notes of a record that its game has not, each once; how many there were."""
        with self._database.writing() as connection:
            touch(connection)
            serial, name = game_named(connection, game)
            there = {(note.moment, note.text) for note in _of_game(connection, serial, name)}
            new = {(one.moment, one.text): one for one in some if (one.moment, one.text) not in there}
            add_notes(connection, serial, list(new.values()))
        return len(new)

    def edit(self, game: str, note: int, text: str) -> list[Note]:
        """Write a note of a game anew; the notes that the game has then."""
        with self._database.writing() as connection:
            touch(connection)
            serial, name = game_named(connection, game)
            said = {"text": as_json(_checked(text), "a note"), "at": now()}
            changed = connection.execute(update(notes).where(*_is(serial, note)).values(said)) if _fits(note) else None
            _check_found(changed, name, note)
            return _of_game(connection, serial, name)

    def delete(self, game: str, note: int) -> list[Note]:
        """Take a note of a game away; the notes that the game has then."""
        with self._database.writing() as connection:
            touch(connection)
            serial, name = game_named(connection, game)
            gone = connection.execute(delete(notes).where(*_is(serial, note))) if _fits(note) else None
            _check_found(gone, name, note)
            return _of_game(connection, serial, name)


def _of_game(connection: Connection, serial: int, name: str) -> list[Note]:
    wanted = select(notes).where(notes.c.game == serial).order_by(notes.c.moment, notes.c.serial)
    return [_note(row, name) for row in connection.execute(wanted)]


def _note(row: Row[Any], game: str) -> Note:
    text = Columns.of_game(game).text(row.text, f"notes.{row.serial}.text")
    return Note(row.serial, game, row.moment, row.at, text or "")


def _is(game: int, note: int) -> tuple[Any, Any]:
    return notes.c.game == game, notes.c.serial == note


def _fits(note: int) -> bool:
    """Whether a database can be asked for a note of this number; what it cannot hold it has not."""
    return 0 <= note <= _MOST_SERIAL


def _check_found(result: Any, game: str, note: int) -> None:
    if result is None or result.rowcount == 0:
        raise UnknownName("note", str(note), [], text=f"the game {game} has no note {note}")


def _checked(text: str) -> str:
    if len(text) > LONGEST_NOTE:
        raise InputError(f"a note has {LONGEST_NOTE:,} characters at most; this one has {len(text):,}")
    return text.strip()
