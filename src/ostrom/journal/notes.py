"""Readers' notes: bookmarks of moments of games, and texts about them. They are the only entries of a journal that can
be changed and deleted; no measure reads them.

This module also stores data with which people can continue after the host was restarted: digests of the links to their
seats (never the links themselves), and the remaining time of each open question.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ostrom.core import InputError, UnknownName
from ostrom.journal.engine import Database
from ostrom.journal.read import Columns, experiment_named, game_named
from ostrom.journal.record import LONGEST_NOTE, RecordedNote
from ostrom.journal.rows import as_json, now
from ostrom.journal.schema import events, experiments, games, notes, seat_links
from ostrom.journal.write import add_notes, touch

_MAX_SERIAL: Final = 2**31 - 1


class Note(NamedTuple):
    """A note about a moment of a game."""

    serial: int
    game: str
    """The id of the game."""
    moment: int
    """The moment in the game: the number of events before it."""
    at: str
    """The time when the note was last written."""
    text: str
    """The text; empty if the note is only a bookmark."""


class Notes:
    """The notes of a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, game: str) -> list[Note]:
        """Return the notes of a game, by its id or its key, in the order of its moments."""
        with self._database.reading() as connection:
            return _of_game(connection, *game_named(connection, game))

    def all(self, experiment: str | None = None) -> list[Note]:
        """Return the notes of all games, or of an experiment's games, in the order of games and of moments."""
        query = select(notes, games.c.id).join(games).order_by(games.c.serial, notes.c.moment, notes.c.serial)
        with self._database.reading() as connection:
            if experiment is not None:
                query = query.where(games.c.experiment == experiment_named(connection, experiment)[0])
            return [_note(row, row.id) for row in connection.execute(query)]

    def add(self, game: str, moment: int, text: str) -> list[Note]:
        """Add a note at a moment of a game; return the notes of the game."""
        with self._database.writing() as connection:
            touch(connection)  # This comes first, since its lock prevents two writers from using the same number.
            serial, name = game_named(connection, game)
            event_count = connection.execute(select(func.count()).where(events.c.game == serial)).scalar_one()
            if not 0 <= moment <= event_count:
                raise InputError(
                    f"the game {name} has {event_count:,} events; the moment of a note must be from 0 to that"
                )
            add_notes(connection, serial, [RecordedNote(moment=moment, at=now(), text=_valid_text(text))])
            return _of_game(connection, serial, name)

    def merge(self, game: str, offered: Sequence[RecordedNote]) -> int:
        """Add those notes of a record that the game in the journal does not have yet. Return the number of added
        notes."""
        with self._database.writing() as connection:
            touch(connection)
            serial, name = game_named(connection, game)
            present = {(note.moment, note.text) for note in _of_game(connection, serial, name)}
            new = {(note.moment, note.text): note for note in offered if (note.moment, note.text) not in present}
            add_notes(connection, serial, list(new.values()))
        return len(new)

    def edit(self, game: str, note: int, text: str) -> list[Note]:
        """Change a note of a game. Return the notes of the game."""
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
        """Delete a note of a game. Return the notes of the game."""
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
    """Return whether a note's number is small enough for a database."""
    return 0 <= note <= _MAX_SERIAL


def _check_changed(result: Any, game: str, note: int) -> None:
    if result is None or result.rowcount == 0:
        raise UnknownName("note", str(note), [], text=f"the game {game} has no note {note}")


def _valid_text(text: str) -> str:
    if len(text) > LONGEST_NOTE:
        raise InputError(f"a note has {LONGEST_NOTE:,} characters at most; this one has {len(text):,}")
    return text.strip()


class StoredSeat(NamedTuple):
    """A person's seat, as it was last stored."""

    seat: int
    digest: str
    """The SHA-256 of the token in the link, in hexadecimal. A slow hash is not needed, since a token has 192 random
    bits."""
    opened: bool = False
    """True if the link was ever opened."""
    question: str | None = None
    """The id of the question that was open, or None if there was none."""
    left: float | None = None
    """The number of seconds that remained for the open question."""


class SeatLinks:
    """The links of people's seats in all experiments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, experiment: str, digests: Mapping[int, str], place: str | None) -> None:
        """Replace the links of some seats of an experiment, and the address (host and port) to which the links lead."""
        with self._database.writing() as connection:
            serial = experiment_named(connection, experiment)[0]
            of_experiment = seat_links.c.experiment == serial
            connection.execute(delete(seat_links).where(of_experiment, seat_links.c.seat.in_(list(digests))))
            if digests:
                rows = [{"experiment": serial, "seat": seat, "digest": digest} for seat, digest in digests.items()]
                connection.execute(insert(seat_links), [{**row, "opened": 0} for row in rows])
            connection.execute(update(seat_links).where(of_experiment).values(place=place))

    def keep_clocks(self, experiment: str, seats: Iterable[StoredSeat]) -> None:
        """Store the progress of seats. The journal's revision is not raised, since no page shows this progress."""
        with self._database.writing() as connection:
            serial = experiment_named(connection, experiment)[0]
            for seat in seats:
                chosen = (seat_links.c.experiment == serial, seat_links.c.seat == seat.seat)
                state = {"opened": int(seat.opened), "question": seat.question, "seconds_left": seat.left}
                connection.execute(update(seat_links).where(*chosen).values(state))

    def of(self, experiment: str) -> list[StoredSeat]:
        """Return the seats of an experiment."""
        columns = [seat_links.c[name] for name in ("seat", "digest", "opened", "question", "seconds_left")]
        with self._database.reading() as connection:
            of_experiment = seat_links.c.experiment == experiment_named(connection, experiment)[0]
            rows = connection.execute(select(*columns).where(of_experiment).order_by(seat_links.c.seat)).all()
        return [StoredSeat(row.seat, row.digest, bool(row.opened), row.question, row.seconds_left) for row in rows]

    def place(self, experiment: str) -> str | None:
        """Return the address (host and port) to which the links of an experiment lead."""
        with self._database.reading() as connection:
            of_experiment = seat_links.c.experiment == experiment_named(connection, experiment)[0]
            return connection.execute(select(seat_links.c.place).where(of_experiment).limit(1)).scalar()

    def experiments(self) -> dict[str, str]:
        """Return the id of the experiment of each link, by the link's digest."""
        query = select(seat_links.c.digest, experiments.c.id).join(experiments)
        with self._database.glancing() as connection:
            return {row.digest: row.id for row in connection.execute(query)}
