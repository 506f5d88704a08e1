"""The tables of the journal and their version. Columns are described in docs/journal.md.

JSON is kept as text in plain ASCII: numbers come back to the last bit, and whatever a model writes, half a character
included, can be stored in any database.
"""

from typing import Final

from sqlalchemy import BigInteger, Column, Float, ForeignKey, Index, Integer, MetaData, Table, Text, UniqueConstraint

VERSION: Final = 3
"""Raised when a table changes, together with a step in `migrations`."""

PLAYING: Final = "playing"
FINISHED: Final = "finished"
VOID: Final = "void"
"""A game that came to nothing; its `reason` says why."""

metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("schema_version", Integer, primary_key=True, autoincrement=False),
    Column("revision", BigInteger, nullable=False),
)

experiments = Table(
    "experiments",
    metadata,
    Column("serial", Integer, primary_key=True, autoincrement=False),
    Column("id", Text, nullable=False, unique=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("created", Text, nullable=False),
    Column("planned", Integer),
    Column("settings", Text, nullable=False),
)

runs = Table(
    "runs",
    metadata,
    Column("experiment", ForeignKey("experiments.serial"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False),
    Column("settings", Text, nullable=False),
)

games = Table(
    "games",
    metadata,
    Column("serial", Integer, primary_key=True),
    Column("id", Text, nullable=False, unique=True),
    Column("experiment", ForeignKey("experiments.serial"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("key", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("finished", Text),
    Column("rounds", Integer),
    Column("ostrom", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("seed", Text),  # up to 2**64, which no integer of SQL holds
    Column("number", BigInteger, nullable=False),
    Column("source", Text),
    Column("rules", Text, nullable=False),
    Column("seats", Text, nullable=False),
    Column("orders", Text, nullable=False),
    Column("reason", Text),
    # Since schema 3; of games from before they are null.
    Column("package", Text),
    Column("game_version", Text),
    Column("scene", Text),
    Column("finals", Text),
    Column("reason_code", Text),
    Column("reason_seat", Integer),
    UniqueConstraint("experiment", "key"),
    UniqueConstraint("experiment", "place"),
    Index("games_by_key", "key"),
)

answers = Table(
    "answers",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("value", Text, nullable=False),
    Column("provenance", Text, nullable=False),
    Column("cut", Integer, nullable=False, server_default="0"),
    Column("fault", Text),
    # A question that is decided is never decided again, whatever a program does wrong.
    UniqueConstraint("game", "turn", "phase", "seat"),
)

events = Table(
    "events",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("tag", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("payload", Text, nullable=False),
)

texts = Table("texts", metadata, Column("digest", Text, primary_key=True), Column("text", Text, nullable=False))

calls = Table(
    "calls",
    metadata,
    Column("game", ForeignKey("games.serial"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("attempt", Integer, primary_key=True, autoincrement=False),
    Column("turn", Integer, nullable=False),
    Column("phase", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("at", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("fault", Text),
    Column("input_tokens", BigInteger),
    Column("output_tokens", BigInteger),
    Column("latency", Float, nullable=False),
    Column("cost", Float),
    Column("reserved", Float, nullable=False),
    Column("settings", Text, nullable=False),
    Column("prompt", Text, nullable=False),
    Column("finish_reason", Text),
    Column("error", Text),
    Column("extra", Text, nullable=False),
    Column("reply", Text),
)

# Holds all that the accounts ask for: SQLite would else read every reply to get at the figures beside it.
Index(
    "calls_accounts",
    *(
        calls.c[name]
        for name in (
            *("game", "model", "fault", "place", "attempt"),
            *("input_tokens", "output_tokens", "latency", "cost", "reserved"),
        )
    ),
).ddl_if(dialect="sqlite")
