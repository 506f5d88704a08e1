"""Journals of every schema there has been, brought to the present one: a chain of numbered steps, all of them in one
transaction when a journal is opened. A journal that is killed meanwhile is as it was, or as it is to be.

A step is written in SQL that never changes, as the tables of `schema` do: what a step made has to be there when the
next one comes. To change the schema, raise `schema.VERSION` and add a step at the end; store a journal of the schema
before among the tests'.
"""

import filecmp
import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Final, NamedTuple

from sqlalchemy import Connection, insert, inspect, select, text, update

from ostrom.core import InputError, RecordError
from ostrom.journal.engine import Database
from ostrom.journal.files import make_for_owner
from ostrom.journal.rows import answers_in_sum
from ostrom.journal.schema import VERSION, meta, metadata

_LOCK: Final = 0x057403
"""The name of PostgreSQL's lock under which a journal is made; any number that nobody else uses."""


class Upgrade(NamedTuple):
    """What was done to a journal of an older schema."""

    before: int
    after: int
    copy: Path | None
    """The file as it was; a database server keeps no copy."""

    def __str__(self) -> str:
        kept = "in one transaction, without a backup" if self.copy is None else f"a copy of the old one is {self.copy}"
        return f"upgraded from schema {self.before} to {self.after} ({kept})"


def check(database: Database, *, create: bool) -> Upgrade | None:
    """See that the database holds a journal that this version reads: make one where there is nothing and `create`, and
    bring one of an older schema to the present one."""
    label, file = database.location.label, database.location.file
    if file is not None:
        _check_file(file, label, create)
        if create and (reason := database.location.unwritable()):
            raise InputError(f"the journal {label} cannot be written: {reason}")
        if create:
            make_for_owner(file)
    with database.reading() as connection:
        found = schema_of(connection, label)
    if found is None and not create:
        raise InputError(f"{label} holds no journal yet; 'ostrom bench', 'run' and 'import' create one")
    if found == VERSION:
        return None
    if found is None and file is not None:
        database.keep_log_ahead()
    if found is not None and found > VERSION:
        raise RecordError(
            f"the journal {label} has schema {found} of a newer Ostrom; this version reads {VERSION}: update Ostrom"
        )
    if found is not None and found < 1:
        raise RecordError(f"the journal {label} has the unknown schema {found}; this version reads schema {VERSION}")
    if found is not None and database.only_read:
        raise InputError(
            f"the journal {label} has schema {found} of an older Ostrom and cannot be brought to schema {VERSION}, "
            f"as {database.location.unwritable()}; copy it: 'ostrom status --store sqlite:///COPY' upgrades the copy"
        )
    return _renew(database)


def _renew(database: Database) -> Upgrade | None:
    """Make the journal, or bring it to the present schema."""
    label, file = database.location.label, database.location.file
    with database.writing() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_LOCK})")
        # Asked again: another process may have done it in the meantime.
        found = schema_of(connection, label)
        if found is None:
            metadata.create_all(connection, checkfirst=False)
            connection.execute(insert(meta), {"schema_version": VERSION, "revision": 0})
        if found is None or found >= VERSION:
            return None
        copy = None if file is None else keep_copy(file, f"schema-{found}")
        migrate(connection, found)
    return Upgrade(found, VERSION, copy)


def migrate(connection: Connection, found: int) -> None:
    """Bring a journal of schema `found` to the present one, step by step, within a transaction that is handed in."""
    for step in STEPS[found - 1 :]:
        step(connection)
    connection.execute(update(meta).values(schema_version=VERSION, revision=meta.c.revision + 1))


def keep_copy(file: Path, named: str) -> Path:
    """Copy an SQLite journal as it is, beside it, under a name that tells why. To be called while a transaction
    keeps everybody from writing it; that one must not have written anything either."""
    file = Path(os.path.realpath(file))
    try:
        handle, partial = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        os.close(handle)
        try:
            # A connection of its own: SQLite copies nothing through one that is about to write.
            with closing(sqlite3.connect(file)) as source, closing(sqlite3.connect(partial)) as target:
                source.backup(target)
            shutil.copymode(file, partial)
            _sync(partial)
            for copy in _names(file, named):
                if not copy.exists():
                    os.rename(partial, copy)
                    _sync(str(file.parent))
                    return copy
                if filecmp.cmp(partial, copy, shallow=False):
                    return copy  # of an upgrade that was killed after this
        finally:
            Path(partial).unlink(missing_ok=True)
    except (OSError, sqlite3.Error) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"the journal {file} cannot be changed: it cannot be copied first: {reason}") from None
    raise AssertionError("unreachable: names never end")


def _names(file: Path, named: str) -> Iterator[Path]:
    """What a copy may be called: journal.schema-2.db, and so on where that is another one."""
    number = 1
    while True:
        again = "" if number == 1 else f"-{number}"
        yield file.with_name(f"{file.stem}.{named}{again}{file.suffix}")
        number += 1


def _sync(path: str) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _check_file(file: Path, label: str, create: bool) -> None:
    if file.is_dir():
        raise InputError(f"{label} is a folder; a journal is a file")
    if not file.exists() and not create:
        raise InputError(f"there is no journal {label} yet; 'ostrom bench', 'run' and 'import' create one")
    if not file.parent.is_dir():
        raise InputError(f"the journal {label} cannot be created: its folder does not exist")


def schema_of(connection: Connection, label: str) -> int | None:
    """The version of the journal's tables, or nothing where no table is; what is no journal is refused."""
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    # A file of somebody else's is left alone; in a PostgreSQL database tables of others are nothing unusual.
    taken = there if connection.dialect.name == "sqlite" else there & set(metadata.tables)
    if not taken:
        return None
    if "meta" in there and {column["name"] for column in inspector.get_columns("meta")} >= set(meta.c.keys()):
        version = connection.execute(select(meta.c.schema_version)).scalar()
        if isinstance(version, int):
            return version
    raise InputError(f"{label} is not an Ostrom journal: it has other tables; name another file or database")


def _to_2(connection: Connection) -> None:
    """Calls of models, runs, and why games are void. Nothing ever wrote calls under schema 1, so they are made anew."""
    run = connection.exec_driver_sql
    run("DROP TABLE calls")
    run("CREATE TABLE texts (digest TEXT NOT NULL PRIMARY KEY, text TEXT NOT NULL)")
    run("""CREATE TABLE calls (
        game INTEGER NOT NULL REFERENCES games (serial), place INTEGER NOT NULL, attempt INTEGER NOT NULL,
        turn INTEGER NOT NULL, phase TEXT NOT NULL, seat INTEGER NOT NULL, at TEXT NOT NULL, model TEXT NOT NULL,
        fault TEXT, input_tokens BIGINT, output_tokens BIGINT, latency FLOAT NOT NULL, cost FLOAT,
        reserved FLOAT NOT NULL, settings TEXT NOT NULL, prompt TEXT NOT NULL, finish_reason TEXT, error TEXT,
        extra TEXT NOT NULL, reply TEXT, PRIMARY KEY (game, place, attempt))""")
    if connection.dialect.name == "sqlite":
        run("""CREATE INDEX calls_accounts ON calls (game, model, fault, place, attempt, input_tokens, output_tokens,
            latency, cost, reserved)""")
    run("""CREATE TABLE runs (
        experiment INTEGER NOT NULL REFERENCES experiments (serial), number INTEGER NOT NULL, at TEXT NOT NULL,
        settings TEXT NOT NULL, PRIMARY KEY (experiment, number))""")
    run("ALTER TABLE games ADD COLUMN reason TEXT")
    run("ALTER TABLE answers ADD COLUMN cut INTEGER DEFAULT '0' NOT NULL")
    run("ALTER TABLE answers ADD COLUMN fault TEXT")


def _to_3(connection: Connection) -> None:
    """Where a game comes from, how it looks, what its seats ended with, and why it is void in a word."""
    for column in ("package", "game_version", "scene", "finals", "reason_code"):
        connection.exec_driver_sql(f"ALTER TABLE games ADD COLUMN {column} TEXT")
    connection.exec_driver_sql("ALTER TABLE games ADD COLUMN reason_seat INTEGER")


def _to_4(connection: Connection) -> None:
    """What the answers of a finished game come to, which is filled in for those that are there; and tidy tables, made
    once and kept in columns."""
    run = connection.exec_driver_sql
    run("ALTER TABLE games ADD COLUMN tallies TEXT")
    run("ALTER TABLE games ADD COLUMN decisions TEXT")
    content = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
    run(f"""CREATE TABLE tidy_tables (
        game TEXT NOT NULL, block INTEGER NOT NULL, name TEXT NOT NULL, digest TEXT NOT NULL,
        content {content} NOT NULL, PRIMARY KEY (game, block, name))""")
    given = text(
        "SELECT game, number, turn, phase, seat, value, provenance FROM answers WHERE game = :game ORDER BY number"
    )
    filled = text("UPDATE games SET tallies = :tallies, decisions = :decisions WHERE serial = :game")
    for game in run("SELECT serial FROM games WHERE state = 'finished'").scalars().all():
        tallies, decisions = answers_in_sum([tuple(row) for row in connection.execute(given, {"game": game})])
        connection.execute(filled, {"game": game, "tallies": tallies, "decisions": decisions})


def _to_5(connection: Connection) -> None:
    """Calls that were sent and have not come back."""
    run = connection.exec_driver_sql
    run("""CREATE TABLE sent_calls (
        serial BIGINT NOT NULL PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (serial), place INTEGER NOT NULL,
        attempt INTEGER NOT NULL, turn INTEGER NOT NULL, phase TEXT NOT NULL, seat INTEGER NOT NULL, at TEXT NOT NULL,
        model TEXT NOT NULL, dollars FLOAT NOT NULL, tokens BIGINT NOT NULL, settled TEXT)""")
    run("CREATE INDEX sent_calls_by_game ON sent_calls (game)")


def _to_6(connection: Connection) -> None:
    """The links of people's seats. Those that were handed out under older schemas were in no journal: whoever resumes
    such a game hands out new ones."""
    connection.exec_driver_sql("""CREATE TABLE seat_links (
        experiment INTEGER NOT NULL REFERENCES experiments (serial), seat INTEGER NOT NULL, digest TEXT NOT NULL,
        opened INTEGER NOT NULL, question TEXT, seconds_left FLOAT, place TEXT, PRIMARY KEY (experiment, seat))""")


def _to_7(connection: Connection) -> None:
    """What belongs to an experiment and is no game of it; the names of players; readers' notes beside moments; what was
    found in games and said in them, which is filled in when it is first wanted."""
    run = connection.exec_driver_sql
    content = "BYTEA" if connection.dialect.name == "postgresql" else "BLOB"
    run(f"""CREATE TABLE attachments (
        experiment INTEGER NOT NULL REFERENCES experiments (serial), name TEXT NOT NULL, content {content} NOT NULL,
        PRIMARY KEY (experiment, name))""")
    run("CREATE TABLE labels (player TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL)")
    run("""CREATE TABLE notes (
        serial INTEGER NOT NULL PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (serial), moment INTEGER NOT NULL,
        at TEXT NOT NULL, text TEXT NOT NULL)""")
    run("CREATE INDEX notes_by_game ON notes (game)")
    run("""CREATE TABLE summaries (
        game INTEGER NOT NULL PRIMARY KEY REFERENCES games (serial), form INTEGER NOT NULL, winners TEXT NOT NULL,
        winner_count INTEGER NOT NULL, highlights TEXT NOT NULL, course TEXT NOT NULL, best FLOAT,
        course_mean FLOAT)""")
    long = "BIGINT" if connection.dialect.name == "postgresql" else "INTEGER"
    run(f"""CREATE TABLE messages (
        serial {long} NOT NULL PRIMARY KEY, game INTEGER NOT NULL REFERENCES games (serial), event INTEGER NOT NULL,
        turn INTEGER NOT NULL, place INTEGER NOT NULL, seat INTEGER NOT NULL, player TEXT NOT NULL, promised FLOAT,
        contributed FLOAT, kept INTEGER)""")
    run("CREATE INDEX messages_by_game ON messages (game)")
    run(f"""CREATE TABLE message_texts (
        serial {long} NOT NULL PRIMARY KEY REFERENCES messages (serial) ON DELETE CASCADE, text TEXT NOT NULL)""")
    for statement in _WORDS[connection.dialect.name]:
        run(statement)


_WORDS: Final = {
    "sqlite": (
        """CREATE VIRTUAL TABLE message_words USING fts5(text, content='message_texts', content_rowid='serial',
        tokenize='porter unicode61 remove_diacritics 2')""",
        """CREATE TRIGGER message_texts_added AFTER INSERT ON message_texts BEGIN
        INSERT INTO message_words(rowid, text) VALUES (new.serial, new.text); END""",
        """CREATE TRIGGER message_texts_gone AFTER DELETE ON message_texts BEGIN
        INSERT INTO message_words(message_words, rowid, text) VALUES ('delete', old.serial, old.text); END""",
    ),
    "postgresql": (
        "CREATE TEXT SEARCH DICTIONARY ostrom_stem (TEMPLATE = snowball, Language = english)",
        "CREATE TEXT SEARCH CONFIGURATION ostrom_words (COPY = pg_catalog.simple)",
        """ALTER TEXT SEARCH CONFIGURATION ostrom_words
        ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH ostrom_stem""",
        """ALTER TABLE message_texts ADD COLUMN words tsvector
        GENERATED ALWAYS AS (to_tsvector('ostrom_words', text)) STORED""",
        "CREATE INDEX message_words ON message_texts USING gin (words)",
    ),
}


def _to_8(connection: Connection) -> None:
    """Who said what, and whether it was kept, beside the text in the index of words."""
    run = connection.exec_driver_sql
    promise = "CASE messages.kept WHEN 1 THEN 'kept' WHEN 0 THEN 'broken' ELSE '' END"
    if connection.dialect.name == "postgresql":
        for name in ("player", "promise"):
            run(f"ALTER TABLE message_texts ADD COLUMN {name} TEXT DEFAULT '' NOT NULL")
            run(f"ALTER TABLE message_texts ALTER COLUMN {name} DROP DEFAULT")
        run(f"""UPDATE message_texts SET player = messages.player, promise = {promise} FROM messages
            WHERE messages.serial = message_texts.serial""")
        return
    run("DROP TABLE message_words")
    run("DROP TRIGGER message_texts_added")
    run("DROP TRIGGER message_texts_gone")
    run("ALTER TABLE message_texts RENAME TO bare_texts")
    run("""CREATE TABLE message_texts (
        serial INTEGER NOT NULL PRIMARY KEY REFERENCES messages (serial) ON DELETE CASCADE, text TEXT NOT NULL,
        player TEXT NOT NULL, promise TEXT NOT NULL)""")
    run(f"""INSERT INTO message_texts SELECT bare_texts.serial, bare_texts.text, messages.player, {promise}
        FROM bare_texts JOIN messages ON messages.serial = bare_texts.serial""")
    run("DROP TABLE bare_texts")
    run("""CREATE VIRTUAL TABLE message_words USING fts5(text, player, promise, content='message_texts',
        content_rowid='serial', tokenize='porter unicode61 remove_diacritics 2')""")
    run("INSERT INTO message_words(message_words, rank) VALUES ('rank', 'bm25(1.0, 0.0, 0.0)')")
    run("INSERT INTO message_words(message_words) VALUES ('rebuild')")
    run("""CREATE TRIGGER message_texts_added AFTER INSERT ON message_texts BEGIN
        INSERT INTO message_words(rowid, text, player, promise) VALUES (new.serial, new.text, new.player, new.promise);
        END""")
    run("""CREATE TRIGGER message_texts_gone AFTER DELETE ON message_texts BEGIN
        INSERT INTO message_words(message_words, rowid, text, player, promise)
        VALUES ('delete', old.serial, old.text, old.player, old.promise); END""")


STEPS: Final[tuple[Callable[[Connection], None], ...]] = (_to_2, _to_3, _to_4, _to_5, _to_6, _to_7, _to_8)
"""The first leads from schema 1 to 2."""
