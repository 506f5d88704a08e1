"""Find the replies of models in a journal, so that another experiment can reuse them. This module reads an index by the
content of calls, and single replies."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Row, Select, or_, select

from ostrom.core import Fault, Line, QuestionKey, Usage
from ostrom.core.text import digest_of
from ostrom.journal.engine import Database
from ostrom.journal.read import Columns, experiment_named, is_text
from ostrom.journal.record import GameRecord
from ostrom.journal.rows import as_json
from ostrom.journal.schema import TOKEN_FIELDS, calls, games, texts

_REPLY_FAULTS: Final = tuple(fault.value for fault in Fault if fault.of_reply or fault is Fault.REFUSED)
"""The faults of calls in which the model did reply. Such replies are reused too; otherwise the same game would take
another course."""
_ROWS_PER_READ: Final = 1000

GameIdentity: TypeAlias = tuple[str, str, str, str | None, int]
"""Key, game, rules, seed and number. Games with the same identity have the same random draws."""


class StoredReply(NamedTuple):
    """The position of a reply in a journal."""

    content: str
    """The digest of everything that was sent: the model, its settings, the layout and every message of the prompt."""
    game: GameIdentity
    key: QuestionKey
    source: str
    """The call that produced the reply and was charged. It stays the same in every journal that reuses the reply."""
    serial: int
    place: int
    attempt: int


@dataclass(frozen=True, slots=True)
class ReplyContent:
    """The parts of a stored reply that another experiment may use."""

    text: str | None
    """The text of the reply; None if the reply was empty or not readable."""
    finish_reason: str | None
    usage: Usage | None
    """The tokens of the call; None if they are unknown, or if this reply was itself reused."""
    saved: float | None
    """The price that this reply saved in its own experiment, if it was reused there."""
    fault: Fault | None
    extra: Mapping[str, Any]


def content_of(model: str, requested: Any, layout: int | None, prompt: Sequence[Line]) -> str:
    """Return the digest of a call's content."""
    return _digest(model, requested, layout, [[line.role, digest_of(line.text)] for line in prompt])


def _digest(model: str, requested: Any, layout: int | None, prompt: Any) -> str:
    content = json.dumps([model, requested, layout, prompt], sort_keys=True)
    return sha256(content.encode("utf-8", "surrogatepass")).hexdigest()


def identity_of(key: str, head: GameRecord) -> GameIdentity:
    """Return the identity of a game, from its record before the first event."""
    seed = None if head.seed is None else str(head.seed)
    return key, head.game, as_json(head.rules, "the rules of a game"), seed, head.number


class StoredReplies:
    """The replies of a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def index(self, models: Sequence[str], without: str | None = None) -> Iterator[StoredReply]:
        """Yield the replies of these models, in the order of games and questions. Replies of the experiment `without`
        are left out. A reply that was itself reused is left out if the journal also has the call that produced it."""
        named = [model for model in models if is_text(model)]
        with self._database.reading() as connection:
            excluded = None if without is None else experiment_named(connection, without)[0]
            heads = {
                row.serial: (row.id, (row.key, row.game, row.rules, row.seed, row.number))
                for row in connection.execute(_heads(excluded))
            }
            yielded: set[str] = set()
            # Calls that were made come first. So if two calls have the same source, the original call is yielded.
            for reused in (False, True):
                for row in connection.execute(_index(named, reused=reused)).yield_per(_ROWS_PER_READ):
                    if row.game in heads:
                        stored = _indexed(row, *heads[row.game])
                        if stored.source not in yielded:
                            yielded.add(stored.source)
                            yield stored

    def read(self, stored: StoredReply) -> ReplyContent:
        """Return the content of a reply."""
        place = (calls.c.game == stored.serial, calls.c.place == stored.place, calls.c.attempt == stored.attempt)
        with self._database.reading() as connection:
            row = connection.execute(select(calls).where(*place)).one()
        columns, column = Columns(f"a call in {stored.source}"), f"calls.{row.place}.{row.attempt}"
        return ReplyContent(
            text=columns.text(row.reply, f"{column}.reply"),
            finish_reason=columns.text(row.finish_reason, f"{column}.finish_reason"),
            usage=None
            if row.input_tokens is None
            else Usage(*(columns.whole(getattr(row, name), name) or 0 for name in TOKEN_FIELDS)),
            saved=row.saved,
            fault=columns.one_of(Fault, row.fault, f"{column}.fault"),
            extra=columns.mapping(row.extra, f"{column}.extra"),
        )

    def taken_over(self, experiment: str) -> set[str]:
        """Return the sources of the replies that an experiment has reused."""
        with self._database.reading() as connection:
            serial, name = experiment_named(connection, experiment)
            query = select(calls.c.reused).join(games).where(games.c.experiment == serial, calls.c.reused.is_not(None))
            sources = connection.execute(query).scalars().all()
        columns = Columns(f"the experiment {name}")
        return {columns.text(source, "calls.reused") or "" for source in sources}

    def sources_among(self, experiment: str, other: str) -> int:
        """Return the number of replies that an experiment has reused from calls of another experiment in this
        journal."""
        sources = self.taken_over(experiment)
        if not sources:
            return 0
        with self._database.reading() as connection:
            serial, _ = experiment_named(connection, other)
            names = ("turn", "phase", "seat", "attempt", "at", "reused")
            query: Select[Any] = select(games.c.id, *(calls.c[name] for name in names))
            query = query.join(games, calls.c.game == games.c.serial)
            rows = connection.execute(query.where(games.c.experiment == serial))
            return len(sources & {_source(row.id, row) for row in rows})


def _heads(without: int | None) -> Select[Any]:
    columns = ("serial", "id", "key", "game", "rules", "seed", "number")
    query: Select[Any] = select(*(games.c[name] for name in columns))
    return query if without is None else query.where(games.c.experiment != without)


def _index(models: Sequence[str], *, reused: bool) -> Select[Any]:
    names = ("game", "place", "attempt", "turn", "phase", "seat", "at", "model", "layout", "prompt", "reused")
    query: Select[Any] = select(*(calls.c[name] for name in names), texts.c.text.label("settings"))
    query = query.join(texts, calls.c.settings == texts.c.digest)
    query = query.where(calls.c.model.in_(models), or_(calls.c.fault.is_(None), calls.c.fault.in_(_REPLY_FAULTS)))
    query = query.where(calls.c.reused.is_not(None) if reused else calls.c.reused.is_(None))
    return query.order_by(calls.c.game, calls.c.place, calls.c.attempt)


def _indexed(row: Row[Any], id_: str, game: GameIdentity) -> StoredReply:
    columns, column = Columns.of_game(id_), f"calls.{row.place}.{row.attempt}"
    settings = columns.mapping(columns.text(row.settings, f"{column}.settings") or "{}", f"{column}.settings")
    prompt = columns.json(row.prompt, f"{column}.prompt")
    content = _digest(row.model, settings.get("requested"), row.layout, prompt)
    key = (row.turn, row.phase, row.seat)
    return StoredReply(content, game, key, _source(id_, row), row.game, row.place, row.attempt)


def _source(id_: str, row: Row[Any]) -> str:
    """Return the source of a reply, which is the call that produced it: its game, turn, phase, seat, attempt and
    time."""
    if row.reused is not None:
        return Columns.of_game(id_).text(row.reused, "calls.reused") or ""
    return f"{id_}/{row.turn}/{row.phase}/{row.seat}/{row.attempt} at {row.at}"
