"""What was said in games that are over, found by its words: in any order, as phrases, by their stems, the best finds
first or by date, each with the lines around it. SQLite's FTS5 and PostgreSQL's own index do the finding; what a reader
types becomes words and phrases, and never an expression of theirs."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, column, func, literal, select, table, text

from ostrom.core.errors import InputError
from ostrom.journal.arrange import IN_ARCHIVE
from ostrom.journal.engine import Database
from ostrom.journal.read import experiment_named, game_named
from ostrom.journal.schema import MESSAGES_A_GAME, experiments, games, message_texts, messages
from ostrom.journal.summaries import searchable

Order: TypeAlias = Literal["relevance", "newest", "oldest"]
Promise: TypeAlias = Literal["made", "kept", "broken", "none"]
RANKED: Final = 5_000
"""Finds of which the best are looked for: of more, the newest so many."""
_MOST_TERMS: Final = 24
_FOUND, _END = "\x02", "\x03"
"""What stands around a find; no text of the index holds these."""
_PHRASE: Final = re.compile(r'"([^"]*)(?:"|$)')

_words: Final = table("message_words", column("rowid"), column("rank"))
_MATCHES: Final[ColumnElement[bool]] = text("message_words MATCH :terms")  # type: ignore[assignment]
_OF_PROMISES: Final = {"made": "(kept OR broken)", "kept": "kept", "broken": "broken"}
"""What a message's promise is in FTS5's words."""


@dataclass(frozen=True, slots=True)
class MessageQuery:
    """What to look for; what is empty does not matter."""

    terms: tuple[str, ...] = ()
    """Words and phrases, all of which have to be there."""
    experiments: tuple[str, ...] = ()
    """By their ids or names; where none is named, and no game, all that are not archived."""
    game: str | None = None
    """By its id or key."""
    players: tuple[str, ...] = ()
    turn: int | None = None
    promise: Promise | None = None
    order: Order = "oldest"
    offset: int = 0
    limit: int = 50
    around: int = 0
    """Lines before and after a find that come along."""

    @property
    def search(self) -> "MessageQuery":
        """The same search, whatever is shown of what it finds: what is counted depends on this alone."""
        return replace(self, order="oldest", offset=0, limit=0, around=0)


class Line(NamedTuple):
    """A line beside a find."""

    event: int
    turn: int
    seat: int
    player: str
    text: str


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """Something that was said."""

    game: str
    experiment: str
    key: str
    kind: str
    """What records call the game."""
    turn: int
    place: int
    seat: int
    player: str
    event: int
    text: str
    pieces: tuple[str, ...]
    """The text cut at what was found: every second piece is a find. Empty where no words were looked for."""
    promised: float | None
    contributed: float | None
    kept: bool | None
    before: tuple[Line, ...] = ()
    after: tuple[Line, ...] = ()


class Counts(NamedTuple):
    """How many messages a search finds, how many of them promise something, and how many of these promises were
    kept."""

    total: int
    promises: int
    kept: int


class MessagesFound(NamedTuple):
    """Some of what was found, and how much there is."""

    found: list[FoundMessage]
    total: int
    promises: int
    kept: int
    ranked: int
    """Among how many, the newest, the best were looked for; fewer than `total` where there are very many."""


def terms_of(typed: str) -> tuple[str, ...]:
    """The words and phrases of what a reader typed. What holds no letter and no figure is no word."""
    typed = searchable(typed).replace("“", '"').replace("”", '"')
    phrases = [found[1] for found in _PHRASE.finditer(typed)]
    words = _PHRASE.sub(" ", typed).split()
    terms = dict.fromkeys(" ".join(term.split()) for term in (*phrases, *words) if any(map(str.isalnum, term)))
    if typed.strip() and not terms:
        raise InputError("there is no word to look for; write one or several, or a phrase in quotation marks")
    if len(terms) > _MOST_TERMS:
        raise InputError(f"look for at most {_MOST_TERMS} words and phrases at once; these are {len(terms)}")
    return tuple(terms)


class Messages:
    """The messages of a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def moment(self, game: str, turn: int, seat: int) -> int | None:
        """The place, among the events of a game, by its id, of what a seat said in a turn; None where it is not known,
        or not one thing alone."""
        mine = and_(games.c.id == game, messages.c.turn == turn, messages.c.seat == seat)
        wanted = select(messages.c.event).join(games, games.c.serial == messages.c.game).where(mine).limit(2)
        with self._database.glancing() as connection:
            found = list(connection.execute(wanted).scalars())
        return found[0] if len(found) == 1 else None

    def find(self, query: MessageQuery, counts: "Counts | None" = None) -> MessagesFound:
        """Some of the messages that are looked for. To count all of them takes longer than to find some: who has the
        counts of the same search, in whatever order and at whatever place, gives them."""
        with self._database.reading() as connection:
            dialect = connection.dialect.name
            if dialect == "postgresql":
                connection.exec_driver_sql("SET LOCAL jit = off")
            which = list(_filters(connection, query, indexed=dialect == "sqlite" and bool(query.terms)))
            few = _few(connection, query, which) if counts is None or counts.total <= RANKED else None
            if counts is None:
                counts = _count(connection, query, which) if few is None else _count_of(few)
            ranking = query.order == "relevance" and bool(query.terms)
            floor = _floor(connection, query, which) if ranking and counts.total > RANKED else None
            if few is None or ranking:
                wanted = _page(query, dialect, floor).where(*which)
                serials = list(connection.execute(wanted, _given(query)).scalars())
            else:
                ordered = sorted((serial for serial, _ in few), reverse=query.order == "newest")
                serials = ordered[query.offset : query.offset + query.limit]
            found = _read(connection, query, serials)
        ranked = counts.total if floor is None else RANKED
        return MessagesFound(found, counts.total, counts.promises, int(counts.kept), ranked)


def _given(query: MessageQuery) -> dict[str, Any]:
    """The values of what is looked for."""
    return {"terms": _expression(query, query.promise)} if query.terms else {}


def _expression(query: MessageQuery, promise: Promise | None) -> str:
    """The terms, players and promise in FTS5's words. Players whose names are alike are found too: who asks for some
    looks at the names themselves as well."""
    # A text within quotation marks is a phrase, whatever it holds.
    asked = [f"text : ({' '.join(map(_phrase, query.terms))})"]
    # What holds no letter and no figure stands in no index; which ones there are else, each version knows for itself.
    if query.players and all(any(one.isascii() and one.isalnum() for one in name) for name in query.players):
        asked.append(f"player : ({' OR '.join(_phrase(searchable(name)) for name in query.players)})")
    if promise is not None and promise != "none":
        asked.append(f"promise : {_OF_PROMISES[promise]}")
    without = f" NOT promise : {_OF_PROMISES['made']}" if promise == "none" else ""
    return f"({' AND '.join(asked)}){without}"


def _phrase(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _query(terms: Sequence[str]) -> ColumnElement[Any]:
    """The terms in PostgreSQL's words."""
    made: ColumnElement[Any] = func.phraseto_tsquery(text("'ostrom_words'"), literal(terms[0]))
    for term in terms[1:]:
        made = made.op("&&")(func.phraseto_tsquery(text("'ostrom_words'"), literal(term)))
    return made


def _matching(wanted: Select[Any], query: MessageQuery, dialect: str) -> Select[Any]:
    """A statement over messages, of those alone that hold the words."""
    if not query.terms:
        return wanted.select_from(messages)
    if dialect == "sqlite":
        # The index leads: it gives what matches in the order of the serial numbers.
        return wanted.select_from(_words.join(messages, messages.c.serial == _words.c.rowid)).where(_MATCHES)
    both = messages.join(message_texts, message_texts.c.serial == messages.c.serial)
    return wanted.select_from(both).where(column("words").op("@@")(_query(query.terms)))


def _filters(connection: Connection, query: MessageQuery, *, indexed: bool) -> Iterable[ColumnElement[bool]]:
    """What messages have to be beside holding the words; an index that knows promises has seen to these."""
    place = _words.c.rowid if indexed else messages.c.serial
    if query.game is not None:
        serial = game_named(connection, query.game)[0]
        yield place.between(*_range(serial, serial))
    if query.experiments:
        serials = [experiment_named(connection, name)[0] for name in dict.fromkeys(query.experiments)]
        mine = games.c.experiment.in_(serials)
        first, last = connection.execute(select(func.min(games.c.serial), func.max(games.c.serial)).where(mine)).one()
        # Games of an experiment mostly stand together, and an index is then read there alone.
        yield place.between(*_range(first or 0, last or 0))
        yield messages.c.game.in_(select(games.c.serial).where(mine))
    elif query.game is None and (archived := list(connection.execute(IN_ARCHIVE).scalars())):
        yield messages.c.game.not_in(select(games.c.serial).where(games.c.experiment.in_(archived)))
    if query.players:
        yield messages.c.player.in_([searchable(player) for player in query.players])
    if query.turn is not None:
        yield messages.c.turn == query.turn
    if query.promise is not None and not indexed:
        yield _PROMISES[query.promise]


def _range(first: int, last: int) -> tuple[int, int]:
    """The first and the last serial number of messages of these games and those between."""
    return first * MESSAGES_A_GAME, last * MESSAGES_A_GAME + MESSAGES_A_GAME - 1


_PROMISES: Final[Mapping[Promise, ColumnElement[bool]]] = {
    "made": messages.c.kept.is_not(None),
    "kept": messages.c.kept == 1,
    "broken": messages.c.kept == 0,
    "none": messages.c.kept.is_(None),
}


def _few(
    connection: Connection, query: MessageQuery, which: Sequence[ColumnElement[bool]]
) -> list[tuple[int, int | None]] | None:
    """Of words that are looked for among some of the messages alone: the serial numbers of all finds, and whether they
    were kept. Common words stand in so many of the others that to look again for each thing that is asked of the finds
    takes as much longer. None where even so too many are found to be held."""
    if not which or not query.terms:
        return None
    wanted = _matching(select(messages.c.serial, messages.c.kept), query, connection.dialect.name).where(*which)
    rows = connection.execute(wanted.limit(RANKED + 1), _given(query)).all()
    return [(serial, kept) for serial, kept in rows] if len(rows) <= RANKED else None


def _count_of(few: Sequence[tuple[int, int | None]]) -> Counts:
    promises = [kept for _, kept in few if kept is not None]
    return Counts(len(few), len(promises), sum(promises))


def _count(connection: Connection, query: MessageQuery, which: Sequence[ColumnElement[bool]]) -> Counts:
    dialect = connection.dialect.name
    if query.terms and dialect == "sqlite" and not which:
        # The index alone tells how many: to look up what so many messages promised takes three times as long.
        def many(promise: Promise | None) -> int:
            wanted = select(func.count()).select_from(_words).where(_MATCHES)
            return int(connection.execute(wanted, {"terms": _expression(query, promise)}).scalar_one())

        if query.promise == "none":
            return Counts(many("none"), 0, 0)
        kept = 0 if query.promise == "broken" else many("kept")
        broken = 0 if query.promise == "kept" else many("broken")
        return Counts(kept + broken if query.promise else many(None), kept + broken, kept)
    figures = (func.count(), func.count(messages.c.kept), func.coalesce(func.sum(messages.c.kept), 0))
    wanted = _matching(select(*figures), query, dialect).where(*which)
    return Counts(*connection.execute(wanted, _given(query)).one())


def _floor(connection: Connection, query: MessageQuery, which: Sequence[ColumnElement[bool]]) -> int:
    """The first serial number among those that are ranked, where not all are."""
    wanted = _matching(select(messages.c.serial), query, connection.dialect.name).where(*which)
    newest = wanted.order_by(_place(query, connection.dialect.name).desc()).offset(RANKED - 1).limit(1)
    return int(connection.execute(newest, _given(query)).scalar_one())


def _place(query: MessageQuery, dialect: str) -> ColumnElement[Any]:
    return _words.c.rowid if query.terms and dialect == "sqlite" else messages.c.serial


def _rank(query: MessageQuery, dialect: str) -> ColumnElement[Any]:
    """How good a find is: the less, the better."""
    return _words.c.rank if dialect == "sqlite" else -func.ts_rank_cd(column("words"), _query(query.terms))


def _page(query: MessageQuery, dialect: str, floor: int | None) -> Select[Any]:
    place = _place(query, dialect)
    wanted = _matching(select(messages.c.serial), query, dialect)
    if floor is not None:
        wanted = wanted.where(place >= floor)
    if query.order == "relevance" and query.terms:
        wanted = wanted.order_by(_rank(query, dialect), place.desc())
    else:
        wanted = wanted.order_by(place.asc() if query.order == "oldest" else place.desc())
    return wanted.offset(query.offset).limit(query.limit)


def _read(connection: Connection, query: MessageQuery, serials: Sequence[int]) -> list[FoundMessage]:
    """The messages of these serial numbers, in this order, with the lines around them."""
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
    wanted = select(messages, message_texts.c.text, *heads).select_from(
        source.join(message_texts, message_texts.c.serial == messages.c.serial)
    )
    rows = {row.serial: row for row in connection.execute(wanted.where(messages.c.serial.in_(sorted(near))))}
    marked = _marked(connection, query, serials) if query.terms else {}
    return [_found(rows, serial, marked.get(serial, ""), query.around) for serial in serials if serial in rows]


def _marked(connection: Connection, query: MessageQuery, serials: Sequence[int]) -> dict[int, str]:
    """The texts, with marks around what was found."""
    if connection.dialect.name == "sqlite":
        marks = func.highlight(text("message_words"), 0, _FOUND, _END)
        wanted = select(_words.c.rowid, marks).where(_MATCHES, _words.c.rowid.in_(list(serials)))
    else:
        settings = f"StartSel={_FOUND}, StopSel={_END}, HighlightAll=true"
        marks = func.ts_headline(text("'ostrom_words'"), message_texts.c.text, _query(query.terms), literal(settings))
        wanted = select(message_texts.c.serial, marks).where(message_texts.c.serial.in_(list(serials)))
    return {row[0]: row[1] for row in connection.execute(wanted, _given(query))}


def _found(rows: Mapping[int, Row[Any]], serial: int, marked: str, around: int) -> FoundMessage:
    row = rows[serial]
    copied = {name: getattr(row, name) for name in ("key", "kind", "turn", "place", "seat", "player", "event", "text")}
    return FoundMessage(
        game=row.id,
        experiment=row.experiment_id,
        **copied,
        pieces=tuple(pieces_of(marked)),
        promised=row.promised,
        contributed=row.contributed,
        kept=None if row.kept is None else bool(row.kept),
        before=_lines(rows, row, range(serial - around, serial)),
        after=_lines(rows, row, range(serial + 1, serial + around + 1)),
    )


def pieces_of(marked: str) -> list[str]:
    """A marked text as pieces, every second one a find."""
    return re.split(f"{_FOUND}|{_END}", marked) if _FOUND in marked else []


def _lines(rows: Mapping[int, Row[Any]], row: Row[Any], serials: Iterable[int]) -> tuple[Line, ...]:
    near = (rows[serial] for serial in serials if serial in rows and rows[serial].game == row.game)
    return tuple(Line(one.event, one.turn, one.seat, one.player, one.text) for one in near)
