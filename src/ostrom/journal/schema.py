"""The tables of the journal and their version. Columns are described in docs/journal.md.

JSON is stored as ASCII text. Therefore numbers are reproduced to the last bit, and every database can store any text of
a model, even one with half of a character."""

from dataclasses import fields
from typing import Any, Final, get_type_hints

from sqlalchemy import (
    DDL,
    BigInteger,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    event,
)

from ostrom.core import Call, Usage

PLAYING: Final = "playing"
FINISHED: Final = "finished"
VOID: Final = "void"
"""The state of a game without a valid result; its column `reason` says why. A suspended game also has a reason, but its
state is that of a game under way."""

DELETED: Final = "deleted"
"""The kind of a deleted experiment. No list shows such an experiment, and its id stays reserved."""
SIMULATION: Final = "simulation"
"""The kind of an experiment whose games were played by the batch engine. In the experiment's settings, the
settings of the batch engine have this key too."""

OPEN: Final = "open"
RUNNING: Final = "running"
ENDED: Final = "ended"
SESSION_STATES: Final = (OPEN, RUNNING, ENDED)
"""The states of a session: people can join; its games are being played; it is over."""
TOKEN_PURPOSES: Final = ("participant", "host", "link")
"""The purposes of a session's tokens. A link is used once, by the participant who joins with it."""
DAMAGED_ENTRY: Final = "damaged"
"""The kind of a session's entry whose content was lost. A repair also puts it into the data of such an entry."""

metadata = MetaData()


def _needed(**kinds: Any) -> list[Column[Any]]:
    """Return columns that are never null, with these types."""
    return [Column(name, kind, nullable=False) for name, kind in kinds.items()]


def _optional(**kinds: Any) -> list[Column[Any]]:
    """Return columns that may be null, with these types."""
    return [Column(name, kind) for name, kind in kinds.items()]


def _key(**kinds: Any) -> list[Column[Any]]:
    """Return the columns of a primary key whose values are chosen by Ostrom, not by the database."""
    return [Column(name, kind, primary_key=True, autoincrement=False) for name, kind in kinds.items()]


meta = Table("meta", metadata, *_key(schema_version=Integer), *_needed(revision=BigInteger))

experiments = Table(
    "experiments",
    metadata,
    *_key(serial=Integer),
    Column("id", Text, nullable=False, unique=True),
    *_needed(name=Text, kind=Text, created=Text),
    *_optional(planned=Integer),
    *_needed(settings=Text),
)

runs = Table(
    "runs",
    metadata,
    Column("experiment", ForeignKey("experiments.serial"), primary_key=True),
    *_key(number=Integer),
    *_needed(at=Text, settings=Text),
)

games = Table(
    "games",
    metadata,
    Column("serial", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("experiment", ForeignKey("experiments.serial"), nullable=False),
    *_needed(place=Integer, key=Text, state=Text, started=Text),
    *_optional(finished=Text, rounds=Integer),
    *_needed(ostrom=Text, game=Text),
    *_optional(seed=Text),  # A seed is less than 2**64, which may exceed the integers of SQL.
    *_needed(number=BigInteger),
    *_optional(source=Text),
    *_needed(rules=Text, seats=Text, orders=Text),
    *_optional(reason=Text),
    *_optional(package=Text, game_version=Text, scene=Text, finals=Text, reason_code=Text, reason_seat=Integer),
    *_optional(tallies=Text, decisions=Text),
    UniqueConstraint("experiment", "key"),
    UniqueConstraint("experiment", "place"),
    Index("games_by_key", "key"),
)

answers = Table(
    "answers",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    *_key(number=Integer),
    *_needed(turn=Integer, phase=Text, seat=Integer, value=Text, provenance=Text),
    Column("cut", Integer, nullable=False, server_default="0"),
    *_optional(fault=Text),
    # The key ensures that a question has only one decision, even if the program has an error.
    UniqueConstraint("game", "turn", "phase", "seat"),
)

events = Table(
    "events",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    *_key(number=Integer),
    *_needed(tag=Text, version=Integer, payload=Text),
)

tidy_tables = Table(
    "tidy_tables",
    metadata,
    *_key(game=Text, block=Integer, name=Text),
    *_needed(digest=Text, content=LargeBinary),
)

_COLUMN_TYPES: Final = {str: Text, int: BigInteger, float: Float}


def _optional_fields_of_calls() -> dict[str, type]:
    hints = get_type_hints(Call)
    return {name: kind for kind in _COLUMN_TYPES for name, hint in hints.items() if hint == kind | None}


PLAIN_CALL_FIELDS: Final = _optional_fields_of_calls()
"""The fields of a `Call` whose values are texts, integers or other numbers, or None. For each field, the table `calls`
has a column of the same name, which may be null. Texts are stored as JSON. The table, its writer, its reader and its
checks are derived from this list."""

TOKEN_FIELDS: Final = tuple(field.name for field in fields(Usage))
"""The fields of a call's usage, each a column of `calls`."""

texts = Table("texts", metadata, Column("digest", Text, primary_key=True), *_needed(text=Text))

calls = Table(
    "calls",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    *_key(place=Integer, attempt=Integer),
    *_needed(turn=Integer, phase=Text, seat=Integer, at=Text, model=Text),
    *_optional(fault=Text, **dict.fromkeys(TOKEN_FIELDS, BigInteger)),
    *_needed(latency=Float, reserved=Float, settings=Text, prompt=Text, extra=Text),
    *_optional(**{name: _COLUMN_TYPES[kind] for name, kind in PLAIN_CALL_FIELDS.items()}),
)

# Calls that were sent and have no response. If no process runs the experiment, these calls were in flight when a
# process died, and their cost is unknown.
sent_calls = Table(
    "sent_calls",
    metadata,
    *_key(serial=BigInteger),  # The number is random, since many processes may send calls at the same time.
    Column("game", ForeignKey("games.serial"), nullable=False),
    *_needed(place=Integer, attempt=Integer, turn=Integer, phase=Text, seat=Integer, at=Text, model=Text),
    *_needed(dollars=Float, tokens=BigInteger),
    *_optional(settled=Text, batch=BigInteger),
    Index("sent_calls_by_game", "game"),
)

# Batches of calls that were sent to the batch APIs of providers. While a batch is open, its calls are also among the
# sent calls.
batches = Table(
    "batches",
    metadata,
    *_key(serial=BigInteger),  # The number is random. The provider receives it as the mark of the batch.
    Column("experiment", ForeignKey("experiments.serial"), nullable=False),
    *_needed(model=Text, at=Text, calls=Integer, state=Text),
    *_optional(name=Text, seen=Text),
    Index("batches_by_experiment", "experiment"),
)

# The links of people's seats, and the clocks of open questions.
seat_links = Table(
    "seat_links",
    metadata,
    Column("experiment", ForeignKey("experiments.serial"), primary_key=True),
    *_key(seat=Integer),
    *_needed(digest=Text, opened=Integer),
    *_optional(question=Text, seconds_left=Float, place=Text),
)

# Sessions of people: each has one experiment, whose games are its tables.
sessions = Table(
    "sessions",
    metadata,
    *_key(serial=Integer),
    Column("id", Text, nullable=False, unique=True),
    *_needed(name=Text),
    Column("code", Text, nullable=False, unique=True),
    Column("experiment", ForeignKey("experiments.serial"), nullable=False),
    *_needed(created=Text, state=Text, settings=Text),
    *_optional(place=Text),
    Index("sessions_by_experiment", "experiment"),
)

# The entries of a session are only ever added; its state is computed from them. They contain no personal data.
session_entries = Table(
    "session_entries",
    metadata,
    Column("session", ForeignKey("sessions.serial"), primary_key=True),
    *_key(number=Integer),
    *_needed(at=Text),
    *_optional(participant=Integer),
    *_needed(kind=Text, data=Text),
)

# Personal data of participants. These rows can be deleted without loss to the rest of a session.
session_personal = Table(
    "session_personal",
    metadata,
    Column("session", ForeignKey("sessions.serial"), primary_key=True),
    *_key(participant=Integer, name=Text),
    *_needed(value=Text, at=Text),
)

# Digests of the secret tokens of a session: of its participants, of its host, and of single-use links.
session_tokens = Table(
    "session_tokens",
    metadata,
    *_key(digest=Text),
    Column("session", ForeignKey("sessions.serial"), nullable=False),
    *_optional(participant=Integer),
    *_needed(purpose=Text),
    Index("session_tokens_by_session", "session"),
)

# Data of an experiment other than games, such as the tables and charts of a simulation.
attachments = Table(
    "attachments",
    metadata,
    Column("experiment", ForeignKey("experiments.serial"), primary_key=True),
    *_key(name=Text),
    *_needed(content=LargeBinary),
)

# Names given to players.
labels = Table("labels", metadata, *_key(player=Text), *_needed(name=Text))

# Readers' bookmarks and notes of moments of games.
notes = Table(
    "notes",
    metadata,
    *_key(serial=Integer),
    Column("game", ForeignKey("games.serial"), nullable=False),
    *_needed(moment=Integer, at=Text, text=Text),
    Index("notes_by_game", "game"),
)

# Summaries of ended games, so that lists need not decode events. They are computed from the game. A summary is computed
# again if it is missing or its form has another version.
summaries = Table(
    "summaries",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True, autoincrement=False),
    *_needed(form=Integer, winners=Text, winner_count=Integer, highlights=Text, course=Text),
    *_optional(best=Float, course_mean=Float, title=Text, drama=Float, reasons=Text),
)

# Messages, computed from the events together with the summary. The serial number of a message is the serial number of
# its game times `MESSAGES_A_GAME`, plus the index of the message in the game. So neighbouring messages have
# neighbouring numbers.
MESSAGES_A_GAME: Final = 2**26
_LONG_INTEGER: Final = BigInteger().with_variant(Integer, "sqlite")  # In SQLite this type makes the column the row id.
messages = Table(
    "messages",
    metadata,
    Column("serial", _LONG_INTEGER, primary_key=True, autoincrement=False),
    Column("game", ForeignKey("games.serial"), nullable=False),
    *_needed(event=Integer, turn=Integer, place=Integer, seat=Integer, player=Text),
    Column("label", Text, nullable=False, server_default=""),
    *_optional(details=Text),
    Index("messages_by_game", "game"),
)

# The texts are in a separate table, so that counting messages reads no text. The full-text index has the player and the
# label too: common words occur in very many messages, and looking up the player and the label of each would take longer
# than the rest of a search. The original text of a message is in the events.
message_texts = Table(
    "message_texts",
    metadata,
    Column("serial", ForeignKey("messages.serial", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    *_needed(text=Text, player=Text, label=Text),
)

_WORDS_IN_SQLITE: Final = (
    """CREATE VIRTUAL TABLE message_words USING fts5(text, player, label, content='message_texts',
    content_rowid='serial', tokenize='porter unicode61 remove_diacritics 2')""",
    # Only the column with the text affects the rank.
    "INSERT INTO message_words(message_words, rank) VALUES ('rank', 'bm25(1.0, 0.0, 0.0)')",
    """CREATE TRIGGER message_texts_added AFTER INSERT ON message_texts BEGIN
    INSERT INTO message_words(rowid, text, player, label) VALUES (new.serial, new.text, new.player, new.label);
    END""",
    """CREATE TRIGGER message_texts_gone AFTER DELETE ON message_texts BEGIN
    INSERT INTO message_words(message_words, rowid, text, player, label)
    VALUES ('delete', old.serial, old.text, old.player, old.label); END""",
)
# PostgreSQL's own configuration for English ignores words such as "all" and "in"; with this configuration, they can be
# searched for.
_WORDS_IN_POSTGRESQL: Final = (
    "CREATE TEXT SEARCH DICTIONARY ostrom_stem (TEMPLATE = snowball, Language = english)",
    "CREATE TEXT SEARCH CONFIGURATION ostrom_words (COPY = pg_catalog.simple)",
    """ALTER TEXT SEARCH CONFIGURATION ostrom_words
    ALTER MAPPING FOR asciiword, asciihword, hword_asciipart, word, hword, hword_part WITH ostrom_stem""",
    """ALTER TABLE message_texts ADD COLUMN words tsvector
    GENERATED ALWAYS AS (to_tsvector('ostrom_words', text)) STORED""",
    "CREATE INDEX message_words ON message_texts USING gin (words)",
)
WORDS: Final = {"sqlite": _WORDS_IN_SQLITE, "postgresql": _WORDS_IN_POSTGRESQL}
"""The statements that create the full-text index of each database. The index follows `message_texts` automatically."""
for _dialect, _statements in WORDS.items():
    for _statement in _statements:
        _ddl: Any = DDL(_statement)  # type: ignore[no-untyped-call]
        event.listen(message_texts, "after_create", _ddl.execute_if(dialect=_dialect))

# This index covers all columns that sums of spending need. Without it, SQLite would read every reply.
_ACCOUNTS = (
    *("game", "model", "fault", "place", "attempt"),
    *(*TOKEN_FIELDS, "latency", "cost", "reserved", "reused", "saved"),
)
Index("calls_accounts", *(calls.c[name] for name in _ACCOUNTS)).ddl_if(dialect="sqlite")
