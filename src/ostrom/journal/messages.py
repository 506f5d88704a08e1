"""Search the messages of finished games. A search consists of words, in any order, and of phrases. It also matches
words with the same stem. Matches are ordered by relevance or by date, each with the lines around it. Matches are found
by SQLite's FTS5 or PostgreSQL's text search. They receive the user's input only as words and phrases, never as an
expression."""

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, case, column, func, literal, select, table, text

from ostrom.core.errors import InputError
from ostrom.journal.arrange import IN_ARCHIVE
from ostrom.journal.engine import Database
from ostrom.journal.read import experiment_named, game_named
from ostrom.journal.schema import MESSAGES_A_GAME, experiments, games, message_texts, messages
from ostrom.journal.summaries import searchable

Order: TypeAlias = Literal["relevance", "newest", "oldest"]
MAX_RANKED: Final = 5_000
"""The largest number of matches that are ranked by relevance. If there are more matches, only the newest are ranked."""
_MAX_TERMS: Final = 24
_MARK_START: Final = "\x02"
_MARK_END: Final = "\x03"
"""`_MARK_START` and `_MARK_END` enclose a match in a text; `searchable` removes both from texts before they are
indexed."""
_PHRASE: Final = re.compile(r'"([^"]*)(?:"|$)')

_words: Final = table("message_words", column("rowid"), column("rank"))
_MATCHES: Final[ColumnElement[bool]] = text("message_words MATCH :terms")  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """A search for messages. An empty field does not restrict the search."""

    terms: tuple[str, ...] = ()
    """The words and phrases of the search, as `terms_of` returns them."""
    experiments: tuple[str, ...] = ()
    """The ids or names of experiments. If neither experiments nor a game is given, all experiments that are not
    archived are searched."""
    game: str | None = None
    """The id or key of a game."""
    players: tuple[str, ...] = ()
    turn: int | None = None
    labels: tuple[str, ...] = ()
    """Labels. A match must have one of them."""
    without: tuple[str, ...] = ()
    """Labels. A match must have none of them."""
    counted: tuple[str, ...] = ()
    """Labels whose matches are counted."""
    order: Order = "oldest"
    offset: int = 0
    limit: int = 50
    around: int = 0
    """The number of lines before and after each match that are returned with it."""

    @property
    def search(self) -> "MessageQuery":
        """The same search without its order and page, which do not affect the counts."""
        return replace(self, order="oldest", offset=0, limit=0, around=0)

    def admits(self, label: str) -> bool:
        """Return whether messages with this label can match."""
        return (not self.labels or label in self.labels) and label not in self.without


class ContextLine(NamedTuple):
    """A line before or after a match."""

    event: int
    turn: int
    seat: int
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class MessageMatch:
    """A message that a search matched."""

    game: str
    experiment: str
    key: str
    kind: str
    """The name of the game in records."""
    turn: int
    place: int
    seat: int
    player: str
    event: int
    text: str
    pieces: tuple[str, ...]
    """The text, cut at the words of the search. Every second piece is a match. The tuple is empty if the search has no
    words."""
    label: str
    details: Mapping[str, Any] = field(default_factory=dict)
    """Further values about the message that its label defines."""
    before: tuple[ContextLine, ...] = ()
    after: tuple[ContextLine, ...] = ()


class MessageCounts(NamedTuple):
    """The number of messages that a search matches: in total, and with each label that the search counts."""

    total: int
    by_label: Mapping[str, int]


class MessageMatches(NamedTuple):
    """One page of the matches of a search."""

    matches: list[MessageMatch]
    counts: MessageCounts
    ranked: int
    """The number of matches that were ranked. If there are very many matches, only the newest are ranked, so that this
    number is less than the total."""

    @property
    def total(self) -> int:
        """The number of matches on all pages."""
        return self.counts.total


def terms_of(typed: str) -> tuple[str, ...]:
    """Return the words and phrases of a search. Words and phrases without a letter or a digit are left out."""
    typed = searchable(typed).replace("“", '"').replace("”", '"')
    phrases = [match[1] for match in _PHRASE.finditer(typed)]
    words = _PHRASE.sub(" ", typed).split()
    terms = dict.fromkeys(" ".join(term.split()) for term in (*phrases, *words) if any(map(str.isalnum, term)))
    if typed.strip() and not terms:
        raise InputError("there is no word to search for; write one or more words, or a phrase in quotation marks")
    if len(terms) > _MAX_TERMS:
        raise InputError(f"a search has at most {_MAX_TERMS} words and phrases; this one has {len(terms)}")
    return tuple(terms)


class Messages:
    """The messages of a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def moment(self, game: str, turn: int, seat: int) -> int | None:
        """Return the index, among the game's events, of a seat's message in a turn; None if it is unknown, or if the
        seat had several messages."""
        chosen = and_(games.c.id == game, messages.c.turn == turn, messages.c.seat == seat)
        query = select(messages.c.event).join(games, games.c.serial == messages.c.game).where(chosen).limit(2)
        with self._database.glancing() as connection:
            indices = list(connection.execute(query).scalars())
        return indices[0] if len(indices) == 1 else None

    def find(self, query: MessageQuery, counts: MessageCounts | None = None) -> MessageMatches:
        """Return one page of matches. `counts` are the counts of the same search, if they are known, since counting
        takes longer than reading a page."""
        with self._database.reading() as connection:
            dialect = connection.dialect.name
            if dialect == "postgresql":
                connection.exec_driver_sql("SET LOCAL jit = off")
            filters = list(_filters(connection, query, indexed=dialect == "sqlite" and bool(query.terms)))
            few = _few(connection, query, filters) if counts is None or counts.total <= MAX_RANKED else None
            if counts is None:
                counts = _count(connection, query, filters) if few is None else _count_of(query, few)
            by_relevance = query.order == "relevance" and bool(query.terms)
            floor = _floor(connection, query, filters) if by_relevance and counts.total > MAX_RANKED else None
            if few is None or by_relevance:
                page = _page(query, dialect, floor).where(*filters)
                serials = list(connection.execute(page, _parameters(query)).scalars())
            else:
                ordered = sorted((serial for serial, _ in few), reverse=query.order == "newest")
                serials = ordered[query.offset : query.offset + query.limit]
            matches = _read(connection, query, serials)
        return MessageMatches(matches, counts, counts.total if floor is None else MAX_RANKED)


def _parameters(query: MessageQuery) -> dict[str, Any]:
    return {"terms": _expression(query, query.labels, query.without)} if query.terms else {}


def _expression(query: MessageQuery, labels: Sequence[str], without: Sequence[str]) -> str:
    """Return the search as an expression of FTS5. The expression may also match players with similar names, so
    `_filters` later compares the exact names."""
    # Text within quotation marks is a phrase, whatever it contains.
    parts = [f"text : ({' '.join(map(_phrase, query.terms))})"]
    # A name without letters or digits is not in the index. For other characters, the version of SQLite determines
    # whether they are indexed.
    if query.players and all(
        any(character.isascii() and character.isalnum() for character in name) for name in query.players
    ):
        parts.append(f"player : ({' OR '.join(_phrase(searchable(name)) for name in query.players)})")
    if labels:
        parts.append(f"label : ({' OR '.join(map(_phrase, labels))})")
    excluded = f" NOT label : ({' OR '.join(map(_phrase, without))})" if without else ""
    return f"({' AND '.join(parts)}){excluded}"


def _phrase(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _tsquery(terms: Sequence[str]) -> ColumnElement[Any]:
    """Return the words and phrases of a search as a text search query of PostgreSQL."""
    query: ColumnElement[Any] = func.phraseto_tsquery(text("'ostrom_words'"), literal(terms[0]))
    for term in terms[1:]:
        query = query.op("&&")(func.phraseto_tsquery(text("'ostrom_words'"), literal(term)))
    return query


def _matching(statement: Select[Any], query: MessageQuery, dialect: str) -> Select[Any]:
    """Restrict a statement over messages to those that contain the words."""
    if not query.terms:
        return statement.select_from(messages)
    if dialect == "sqlite":
        # The index is joined first, since it yields matches in the order of their serial numbers.
        return statement.select_from(_words.join(messages, messages.c.serial == _words.c.rowid)).where(_MATCHES)
    both = messages.join(message_texts, message_texts.c.serial == messages.c.serial)
    return statement.select_from(both).where(column("words").op("@@")(_tsquery(query.terms)))


def _filters(connection: Connection, query: MessageQuery, *, indexed: bool) -> Iterable[ColumnElement[bool]]:
    """Yield the conditions of a search other than its words. If `indexed`, the full-text index has already applied the
    labels."""
    place = _words.c.rowid if indexed else messages.c.serial
    if query.game is not None:
        serial = game_named(connection, query.game)[0]
        yield place.between(*_range(serial, serial))
    if query.experiments:
        serials = [experiment_named(connection, name)[0] for name in dict.fromkeys(query.experiments)]
        chosen = games.c.experiment.in_(serials)
        first, last = connection.execute(select(func.min(games.c.serial), func.max(games.c.serial)).where(chosen)).one()
        # The games of an experiment usually have neighbouring serial numbers, so the range limits how much of an index
        # is read.
        yield place.between(*_range(first or 0, last or 0))
        yield messages.c.game.in_(select(games.c.serial).where(chosen))
    elif query.game is None and (archived := list(connection.execute(IN_ARCHIVE).scalars())):
        yield messages.c.game.not_in(select(games.c.serial).where(games.c.experiment.in_(archived)))
    if query.players:
        yield messages.c.player.in_([searchable(player) for player in query.players])
    if query.turn is not None:
        yield messages.c.turn == query.turn
    if query.labels and not indexed:
        yield messages.c.label.in_(query.labels)
    if query.without and not indexed:
        yield messages.c.label.not_in(query.without)


def _range(first: int, last: int) -> tuple[int, int]:
    """Return the range of serial numbers from the first message of the game `first` to the last message of the game
    `last`."""
    return first * MESSAGES_A_GAME, last * MESSAGES_A_GAME + MESSAGES_A_GAME - 1


def _few(
    connection: Connection, query: MessageQuery, filters: Sequence[ColumnElement[bool]]
) -> list[tuple[int, str]] | None:
    """Return the serial number and label of all matches of a search that has words and filters. Return None if there
    are too many matches to keep in memory. Reading them once is faster than searching again for the counts and for the
    page."""
    if not filters or not query.terms:
        return None
    statement = _matching(select(messages.c.serial, messages.c.label), query, connection.dialect.name).where(*filters)
    rows = connection.execute(statement.limit(MAX_RANKED + 1), _parameters(query)).all()
    return [(serial, label) for serial, label in rows] if len(rows) <= MAX_RANKED else None


def _count_of(query: MessageQuery, few: Sequence[tuple[int, str]]) -> MessageCounts:
    labels = Counter(label for _, label in few)
    return MessageCounts(len(few), {label: labels[label] for label in query.counted})


def _count(connection: Connection, query: MessageQuery, filters: Sequence[ColumnElement[bool]]) -> MessageCounts:
    dialect = connection.dialect.name
    if query.terms and dialect == "sqlite" and not filters:
        return _count_in_index(connection, query)
    sums = [func.coalesce(func.sum(case((messages.c.label == label, 1), else_=0)), 0) for label in query.counted]
    statement = _matching(select(func.count(), *sums), query, dialect).where(*filters)
    total, *by_label = connection.execute(statement, _parameters(query)).one()
    return MessageCounts(total, dict(zip(query.counted, map(int, by_label), strict=True)))


def _count_in_index(connection: Connection, query: MessageQuery) -> MessageCounts:
    """Count the matches with the full-text index alone; reading the labels of all matches would take three times as
    long."""

    def count(labels: Sequence[str], without: Sequence[str]) -> int:
        statement = select(func.count()).select_from(_words).where(_MATCHES)
        return int(connection.execute(statement, {"terms": _expression(query, labels, without)}).scalar_one())

    by_label = {label: count((label,), ()) if query.admits(label) else 0 for label in query.counted}
    if query.labels and set(query.labels) <= set(query.counted):
        return MessageCounts(sum(by_label.values()), by_label)
    return MessageCounts(count(query.labels, query.without), by_label)


def _floor(connection: Connection, query: MessageQuery, filters: Sequence[ColumnElement[bool]]) -> int:
    """Return the serial number of the oldest match that is ranked."""
    statement = _matching(select(messages.c.serial), query, connection.dialect.name).where(*filters)
    newest = statement.order_by(_place(query, connection.dialect.name).desc()).offset(MAX_RANKED - 1).limit(1)
    return int(connection.execute(newest, _parameters(query)).scalar_one())


def _place(query: MessageQuery, dialect: str) -> ColumnElement[Any]:
    return _words.c.rowid if query.terms and dialect == "sqlite" else messages.c.serial


def _rank(query: MessageQuery, dialect: str) -> ColumnElement[Any]:
    """Return the expression by which matches are ranked; the lowest value is the best."""
    return _words.c.rank if dialect == "sqlite" else -func.ts_rank_cd(column("words"), _tsquery(query.terms))


def _page(query: MessageQuery, dialect: str, floor: int | None) -> Select[Any]:
    place = _place(query, dialect)
    statement = _matching(select(messages.c.serial), query, dialect)
    if floor is not None:
        statement = statement.where(place >= floor)
    if query.order == "relevance" and query.terms:
        statement = statement.order_by(_rank(query, dialect), place.desc())
    else:
        statement = statement.order_by(place.asc() if query.order == "oldest" else place.desc())
    return statement.offset(query.offset).limit(query.limit)


def _read(connection: Connection, query: MessageQuery, serials: Sequence[int]) -> list[MessageMatch]:
    """Return the messages with these serial numbers, in this order, each with the lines around it."""
    if not serials:
        return []
    near = {
        serial + step
        for serial in serials
        for step in range(-query.around, query.around + 1)
        if 0 <= serial % MESSAGES_A_GAME + step < MESSAGES_A_GAME
    }
    heads = (games.c.id, games.c.key, games.c.game.label("kind"), experiments.c.id.label("experiment_id"))
    source = messages.join(games, games.c.serial == messages.c.game).join(
        experiments, experiments.c.serial == games.c.experiment
    )
    statement = select(messages, message_texts.c.text, *heads).select_from(
        source.join(message_texts, message_texts.c.serial == messages.c.serial)
    )
    rows = {row.serial: row for row in connection.execute(statement.where(messages.c.serial.in_(sorted(near))))}
    marked = _marked(connection, query, serials) if query.terms else {}
    return [_match(rows, serial, marked.get(serial, ""), query.around) for serial in serials if serial in rows]


def _marked(connection: Connection, query: MessageQuery, serials: Sequence[int]) -> dict[int, str]:
    """Return the texts of messages by serial number, with marks around the words of the search."""
    if connection.dialect.name == "sqlite":
        marks = func.highlight(text("message_words"), 0, _MARK_START, _MARK_END)
        statement = select(_words.c.rowid, marks).where(_MATCHES, _words.c.rowid.in_(list(serials)))
    else:
        settings = f"StartSel={_MARK_START}, StopSel={_MARK_END}, HighlightAll=true"
        marks = func.ts_headline(text("'ostrom_words'"), message_texts.c.text, _tsquery(query.terms), literal(settings))
        statement = select(message_texts.c.serial, marks).where(message_texts.c.serial.in_(list(serials)))
    return {row[0]: row[1] for row in connection.execute(statement, _parameters(query))}


def _match(rows: Mapping[int, Row[Any]], serial: int, marked: str, around: int) -> MessageMatch:
    row = rows[serial]
    names = ("key", "kind", "turn", "place", "seat", "player", "event", "text", "label")
    return MessageMatch(
        game=row.id,
        experiment=row.experiment_id,
        **{name: getattr(row, name) for name in names},
        pieces=tuple(pieces_of(marked)),
        details={} if row.details is None else json.loads(row.details),
        before=_lines(rows, row, range(serial - around, serial)),
        after=_lines(rows, row, range(serial + 1, serial + around + 1)),
    )


def pieces_of(marked: str) -> list[str]:
    """Split a marked text into pieces, of which every second one is a match. Return an empty tuple for a text without
    marks."""
    return re.split(f"{_MARK_START}|{_MARK_END}", marked) if _MARK_START in marked else []


def _lines(rows: Mapping[int, Row[Any]], row: Row[Any], serials: Iterable[int]) -> tuple[ContextLine, ...]:
    near = (rows[serial] for serial in serials if serial in rows and rows[serial].game == row.game)
    return tuple(ContextLine(line.event, line.turn, line.seat, line.player, line.text) for line in near)
