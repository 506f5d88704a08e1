"""The sessions of people in a journal: their settings, their entries, the personal data of their participants, and the
digests of their secret tokens.

The state of a session is computed from its entries, which are only ever added. Personal data are in a table of their
own, from which they can be deleted.
"""

import hashlib
import secrets
from collections.abc import Collection, Container, Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from ostrom.core import InputError, RecordError, UnknownName
from ostrom.journal.claims import Claims
from ostrom.journal.engine import Database
from ostrom.journal.erasing import ErasedData, RewrittenGame, clear_free_space, erase_session
from ostrom.journal.read import Columns, is_text
from ostrom.journal.rows import as_json, now, storable
from ostrom.journal.schema import (
    DELETED,
    OPEN,
    SESSION_STATES,
    TOKEN_PURPOSES,
    experiments,
    session_entries,
    session_personal,
    session_tokens,
    sessions,
)
from ostrom.journal.session_rows import entry_row, last_number
from ostrom.journal.write import add_experiment, touch

SESSION: Final = "session"
"""The kind of a session's experiment."""
REHEARSAL: Final = "rehearsal"
"""The setting of a session's experiment that is true if its participants are simulated."""
CODE_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""The characters of join codes, without those that are easily confused on a projector."""
CODE_LENGTH: Final = 6
MAX_PERSONAL_CHARACTERS: Final = 20_000
"""The largest length of one personal value."""
_MAX_NAME_CHARACTERS: Final = 200


class StaleEntries(InputError):
    """Raised if another process has added entries to a session. Nothing is stored."""


class StoredSession(NamedTuple):
    """A session in the journal."""

    serial: int
    id: str
    name: str
    code: str
    """The join code."""
    experiment: str
    """The id of the experiment whose games are the tables of the session."""
    created: str
    state: str
    """One of `SESSION_STATES`."""
    settings: dict[str, Any]
    place: str | None
    """The address (host and port) of the process that runs the session."""


class StoredEntry(NamedTuple):
    """One entry of a session."""

    number: int
    at: str
    participant: int | None
    kind: str
    data: dict[str, Any]


class NewEntry(NamedTuple):
    """An entry to be added to a session."""

    kind: str
    data: Mapping[str, Any]
    participant: int | None = None
    at: str | None = None
    """The time; None for the present time."""


class PersonalValue(NamedTuple):
    """One personal value of a participant, such as the label or a free text."""

    participant: int
    name: str
    value: Any
    at: str = ""
    """The time at which it was stored; the writer sets it."""


class StoredToken(NamedTuple):
    """The owner and the purpose of a token."""

    digest: str
    session: str
    """The id of the session."""
    participant: int | None
    """None for the host, and for a single-use link that is not used yet."""
    purpose: str
    """One of `TOKEN_PURPOSES`."""


def token_digest(token: str) -> str:
    """Return the SHA-256 of a token in hexadecimal. A slow hash is not needed, since a token has 192 random bits."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class Sessions:
    """The sessions of a journal."""

    def __init__(self, database: Database, claims: Claims) -> None:
        self._database = database
        self._claims = claims

    def create(
        self, name: str, settings: Mapping[str, Any], *, experiment_settings: Mapping[str, Any] | None = None
    ) -> StoredSession:
        """Add a session and its experiment, and return the session, which has a new join code."""
        with self._claims.writing() as connection:
            own = {**(experiment_settings or {}), SESSION: name}
            experiment = add_experiment(connection, name, SESSION, own, None)
            serial = (connection.execute(select(func.max(sessions.c.serial))).scalar() or 0) + 1
            row = {
                "serial": serial,
                "id": f"s-{serial}",
                "name": name,
                "code": _free_code(connection),
                "experiment": _experiment_serial(connection, experiment),
                "created": now(),
                "state": OPEN,
                "settings": as_json(dict(settings), "the settings of a session"),
            }
            connection.execute(insert(sessions), row)
            return _session_named(connection, f"s-{serial}")

    def all(self) -> list[StoredSession]:
        """Return all sessions, the oldest first."""
        with self._database.reading() as connection:
            return [_stored(row) for row in connection.execute(_query().order_by(sessions.c.serial))]

    def find(self, name: str) -> StoredSession:
        """Return a session by its id, or by its name if no other session has the same name."""
        with self._database.reading() as connection:
            return _session_named(connection, name)

    def by_code(self, code: str) -> StoredSession | None:
        """Return the session with this join code, or None."""
        if len(code) != CODE_LENGTH or not is_text(code):
            return None
        with self._database.reading() as connection:
            row = connection.execute(_query().where(sessions.c.code == code.upper())).first()
        return None if row is None else _stored(row)

    def of_experiment(self, experiment: str) -> StoredSession | None:
        """Return the session whose tables are the games of this experiment (by its id), or None."""
        with self._database.reading() as connection:
            row = connection.execute(_query().where(experiments.c.id == experiment)).first()
        return None if row is None else _stored(row)

    def set_state(self, session: str, state: str) -> None:
        """Set the state of a session, one of `SESSION_STATES`."""
        if state not in SESSION_STATES:
            raise InputError(f"{state!r} is not a state of sessions: {', '.join(SESSION_STATES)}")
        self._update(session, {"state": state})

    def set_place(self, session: str, place: str | None) -> None:
        """Set the address (host and port) of the process that runs a session; None if no process runs it."""
        self._update(session, {"place": place})

    def set_settings(self, session: str, changes: Mapping[str, Any]) -> None:
        """Add values to the settings of a session, or replace them."""
        with self._claims.writing() as connection:
            touch(connection)
            stored = _session_named(connection, session)
            text = as_json({**stored.settings, **changes}, "the settings of a session")
            connection.execute(update(sessions).where(sessions.c.serial == stored.serial).values(settings=text))

    def _update(self, session: str, values: Mapping[str, Any]) -> None:
        with self._claims.writing() as connection:
            touch(connection)
            serial = _session_named(connection, session).serial
            connection.execute(update(sessions).where(sessions.c.serial == serial).values(**values))

    # Entries and personal data.

    def append(
        self,
        session: str,
        entries: Sequence[NewEntry],
        *,
        after: int | None = None,
        personal: Sequence[PersonalValue] = (),
    ) -> list[int]:
        """Add entries, and personal values that belong to them, in one transaction; return the entries' numbers. With
        `after`, raise StaleEntries unless that is the number of the last entry (-1 if there is none)."""
        with self._claims.writing() as connection:
            # This comes first, since its lock prevents two writers from using the same number.
            touch(connection)
            serial = _serial_of(connection, session)
            last = last_number(connection, serial)
            if after is not None and after != last:
                raise StaleEntries(f"another process has added entries to the session {session}; read it again")
            rows = [
                entry_row(serial, last + place, entry.kind, entry.data, entry.participant, entry.at)
                for place, entry in enumerate(entries, start=1)
            ]
            if rows:
                connection.execute(insert(session_entries), rows)
            _store_personal(connection, serial, personal)
        return [row["number"] for row in rows]

    def entries(self, session: str, after: int = -1) -> list[StoredEntry]:
        """Return the entries of a session with numbers above `after`, in order."""
        with self._database.reading() as connection:
            serial = _serial_of(connection, session)
            query = select(session_entries).where(session_entries.c.session == serial)
            rows = connection.execute(
                query.where(session_entries.c.number > after).order_by(session_entries.c.number)
            ).all()
        columns = Columns.of_game(session)
        stored = []
        for expected, row in enumerate(rows, start=after + 1):
            if row.number != expected:
                raise RecordError(f"the session {session} lacks its entry {expected}")
            data = columns.mapping(row.data, f"session_entries.{row.number}.data")
            stored.append(StoredEntry(row.number, row.at, row.participant, row.kind, data))
        return stored

    def last_number(self, session: str) -> int:
        """Return the number of the last entry of a session, or -1 if there is none."""
        with self._database.reading() as connection:
            return last_number(connection, _serial_of(connection, session))

    def personal(self, session: str) -> list[PersonalValue]:
        """Return the personal values of a session, by participant and name."""
        with self._database.reading() as connection:
            serial = _serial_of(connection, session)
            query = select(session_personal).where(session_personal.c.session == serial)
            rows = connection.execute(query.order_by(session_personal.c.participant, session_personal.c.name)).all()
        columns = Columns.of_game(session)
        return [
            PersonalValue(
                row.participant, row.name, columns.json(row.value, f"session_personal.{row.name}.value"), row.at
            )
            for row in rows
        ]

    def erase(
        self, session: str, rewritten: Sequence[RewrittenGame], *, marker: str, kept_extra: Collection[str] = ()
    ) -> ErasedData:
        """Delete the personal data of a session, and replace the texts of its games. The caller must have claimed the
        experiment of the session. An entry records what was deleted."""
        with self._claims.writing() as connection:
            serial = _serial_of(connection, session)
            counts = erase_session(connection, serial, rewritten, marker=marker, kept_extra=kept_extra)
        return ErasedData(counts, clear_free_space(self._database))

    # Tokens.

    def tokens(self, session: str) -> list[StoredToken]:
        """Return the tokens of a session."""
        query = select(session_tokens, sessions.c.id).join(sessions)
        with self._database.reading() as connection:
            serial = _serial_of(connection, session)
            rows = connection.execute(query.where(session_tokens.c.session == serial)).all()
        return [_token(row) for row in rows]

    def add_token(
        self, session: str, digest: str, *, participant: int | None, purpose: str, renew: bool = False
    ) -> None:
        """Add a token. With `renew`, the other tokens of the same participant and purpose become invalid."""
        if purpose not in TOKEN_PURPOSES:
            raise InputError(f"{purpose!r} is not a purpose of tokens: {', '.join(TOKEN_PURPOSES)}")
        if (purpose == "participant") == (participant is None):
            raise InputError("exactly the tokens of participants have a participant")
        with self._claims.writing() as connection:
            touch(connection)
            serial = _serial_of(connection, session)
            if renew:
                own = (session_tokens.c.session == serial, session_tokens.c.purpose == purpose)
                connection.execute(delete(session_tokens).where(*own, session_tokens.c.participant == participant))
            row = {"digest": digest, "session": serial, "participant": participant, "purpose": purpose}
            connection.execute(insert(session_tokens), row)

    def add_links(self, session: str, digests: Sequence[str]) -> None:
        """Add single-use links."""
        with self._claims.writing() as connection:
            touch(connection)
            serial = _serial_of(connection, session)
            rows = [{"digest": digest, "session": serial, "purpose": "link"} for digest in digests]
            if rows:
                connection.execute(insert(session_tokens), rows)

    def use_link(self, session: str, digest: str, participant: int) -> bool:
        """Give a single-use link to a participant. Return False if there is no such link, or it is used already."""
        with self._claims.writing() as connection:
            touch(connection)
            serial = _serial_of(connection, session)
            link = (session_tokens.c.session == serial, session_tokens.c.digest == digest)
            free = (session_tokens.c.purpose == "link", session_tokens.c.participant.is_(None))
            used = connection.execute(update(session_tokens).where(*link, *free).values(participant=participant))
            return used.rowcount == 1

    def take_back(self, session: str, participant: int) -> None:
        """Delete the token of a person who got no place, and let the person's single-use link be used again."""
        with self._claims.writing() as connection:
            touch(connection)
            serial = _serial_of(connection, session)
            own = (session_tokens.c.session == serial, session_tokens.c.participant == participant)
            connection.execute(delete(session_tokens).where(*own, session_tokens.c.purpose == "participant"))
            link = update(session_tokens).where(*own, session_tokens.c.purpose == "link")
            connection.execute(link.values(participant=None))

    def take_back_incomplete(self, session: str, participants: Container[int]) -> None:
        """Take back the tokens and links of all people whom the session does not have."""
        given = {token.participant for token in self.tokens(session)} - {None}
        for participant in given:
            if participant is not None and participant not in participants:
                self.take_back(session, participant)

    def participant_of(self, digest: str) -> StoredToken | None:
        """Return the owner and the purpose of the token with this digest, or None."""
        query = select(session_tokens, sessions.c.id).join(sessions).where(session_tokens.c.digest == digest)
        with self._database.glancing() as connection:
            row = connection.execute(query).first()
        return None if row is None else _token(row)


def _query() -> Any:
    return select(sessions, experiments.c.id.label("experiment_id")).join(experiments)


def _stored(row: Row[Any]) -> StoredSession:
    settings = Columns.of_game(row.id).mapping(row.settings, "sessions.settings")
    known = (row.serial, row.id, row.name, row.code, row.experiment_id, row.created, row.state)
    return StoredSession(*known, settings, row.place)


def _token(row: Row[Any]) -> StoredToken:
    return StoredToken(row.digest, row.id, row.participant, row.purpose)


def _session_named(connection: Connection, name: str) -> StoredSession:
    rows = connection.execute(_query().where(experiments.c.kind != DELETED).order_by(sessions.c.serial)).all()
    matches = [row for row in rows if row.id == name] or [row for row in rows if row.name == name]
    if len(matches) == 1:
        return _stored(matches[0])
    if matches:
        ids = ", ".join(row.id for row in matches[:5])
        raise InputError(f"{len(matches)} sessions have the name {name!r}; name one by its id: {ids}")
    raise UnknownName("session", name, [row.name for row in rows[-5:]])


def _serial_of(connection: Connection, session: str) -> int:
    """Return the serial number of a session by its id, or by its name."""
    serial = connection.execute(select(sessions.c.serial).where(sessions.c.id == session)).scalar()
    return _session_named(connection, session).serial if serial is None else int(serial)


def _experiment_serial(connection: Connection, experiment: str) -> int:
    return int(connection.execute(select(experiments.c.serial).where(experiments.c.id == experiment)).scalar_one())


def _free_code(connection: Connection) -> str:
    """Return a join code that no session has."""
    used = set(connection.execute(select(sessions.c.code)).scalars())
    while True:
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        if code not in used:
            return code


def check_personal(entry: PersonalValue) -> tuple[str, str]:
    """Return the name and the value of a personal value for its row. Raise InputError if it cannot be stored."""
    name = storable(entry.name, "the name of a personal value")
    value = as_json(entry.value, f"the personal value {name}")
    if len(name) > _MAX_NAME_CHARACTERS or len(value) > 6 * MAX_PERSONAL_CHARACTERS:
        raise InputError(f"the personal value {name[:40]!r} is too long to be stored")
    return name, value


def _store_personal(connection: Connection, serial: int, personal: Sequence[PersonalValue]) -> None:
    """Store personal values. A value replaces an earlier one of the same participant and name."""
    for entry in personal:
        name, value = check_personal(entry)
        own = (session_personal.c.session == serial, session_personal.c.participant == entry.participant)
        connection.execute(delete(session_personal).where(*own, session_personal.c.name == name))
        row = {"session": serial, "participant": entry.participant, "name": name, "value": value, "at": now()}
        connection.execute(insert(session_personal), row)
