"""Readers' notes: bookmarks of moments of games, and texts. They are the only entries of a journal that can be changed
and deleted; no measure reads them."""

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

_MAX_SERIAL: Final = 2**31 - 1


class Note(NamedTuple):
    """A note at a moment of a game."""

    serial: int
    game: str
    """Its id."""
    moment: int
    """The number of the game's events before it."""
    at: str
    """When it was last written."""
    text: str
    """Empty for a bookmark alone."""


class Notes:
    """The notes of a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, game: str) -> list[Note]:
        """Return the notes of a game, by its id or its key, in the order of its moments."""
        with self._database.reading() as connection:
            return _of_game(connection, *game_named(connection, game))

    def all(self, experiment: str | None = None) -> list[Note]:
        """Return the notes of an experiment's games, or all, in the order of games and moments."""
        query = select(notes, games.c.id).join(games).order_by(games.c.serial, notes.c.moment, notes.c.serial)
        with self._database.reading() as connection:
            if experiment is not None:
                query = query.where(games.c.experiment == experiment_named(connection, experiment)[0])
            return [_note(row, row.id) for row in connection.execute(query)]

    def add(self, game: str, moment: int, text: str) -> list[Note]:
        """Add a note at a moment of a game; return the notes of the game."""
        with self._database.writing() as connection:
            touch(connection)  # First, since this lock keeps two writers from taking one number.
            serial, name = game_named(connection, game)
            event_count = connection.execute(select(func.count()).where(events.c.game == serial)).scalar_one()
            if not 0 <= moment <= event_count:
                raise InputError(
                    f"the game {name} has {event_count:,} events; the moment of a note must be from 0 to that"
                )
            add_notes(connection, serial, [RecordedNote(moment=moment, at=now(), text=_valid_text(text))])
            return _of_game(connection, serial, name)

    def merge(self, game: str, offered: Sequence[RecordedNote]) -> int:
        """Add the notes of a record that its game lacks, each once; return their number."""
        with self._database.writing() as connection:
            touch(connection)
            serial, name = game_named(connection, game)
            present = {(note.moment, note.text) for note in _of_game(connection, serial, name)}
            new = {(note.moment, note.text): note for note in offered if (note.moment, note.text) not in present}
            add_notes(connection, serial, list(new.values()))
        return len(new)

    def edit(self, game: str, note: int, text: str) -> list[Note]:
        """Change a note of a game; return the notes of the game."""
        with self._database.writing() as connection:
            touch(connection)
            serial, name = game_named(connection, game)
            content = {"text": as_json(_valid_text(text), "a note"), "at": now()}
            changed = (
                connection.execute(update(notes).where(*_is(serial, note)).values(content)) if _fits(note) else None
            )
            _check_changed(changed, name, note)
            return _of_game(connection, serial, name)

    def delete(self, game: str, note: int) -> list[Note]:
        """Delete a note of a game; return the notes of the game."""
        with self._database.writing() as connection:
            touch(connection)
            serial, name = game_named(connection, game)
            deleted = connection.execute(delete(notes).where(*_is(serial, note))) if _fits(note) else None
            _check_changed(deleted, name, note)
            return _of_game(connection, serial, name)


def _of_game(connection: Connection, serial: int, name: str) -> list[Note]:
    query = select(notes).where(notes.c.game == serial).order_by(notes.c.moment, notes.c.serial)
    return [_note(row, name) for row in connection.execute(query)]


def _note(row: Row[Any], game: str) -> Note:
    text = Columns.of_game(game).text(row.text, f"notes.{row.serial}.text")
    return Note(row.serial, game, row.moment, row.at, text or "")


def _is(game: int, note: int) -> tuple[Any, Any]:
    return notes.c.game == game, notes.c.serial == note


def _fits(note: int) -> bool:
    """Return whether a database can store this number of a note."""
    return 0 <= note <= _MAX_SERIAL


def _check_changed(result: Any, game: str, note: int) -> None:
    if result is None or result.rowcount == 0:
        raise UnknownName("note", str(note), [], text=f"the game {game} has no note {note}")


def _valid_text(text: str) -> str:
    if len(text) > LONGEST_NOTE:
        raise InputError(f"a note has {LONGEST_NOTE:,} characters at most; this one has {len(text):,}")
    return text.strip()
