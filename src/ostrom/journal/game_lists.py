"""Lists of games. Filters select the games, and the list is returned in a given order, page by page. Each game is
returned with its stored summary, so that no events need to be decoded."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, FromClause, Row, Select, Text, and_, bindparam, func, literal, or_, select, true

from ostrom.core.effects import Sentence
from ostrom.journal.arrange import IN_ARCHIVE
from ostrom.journal.overview import short_headers
from ostrom.journal.read import Columns
from ostrom.journal.schema import FINISHED, PLAYING, VOID, experiments, games, summaries
from ostrom.journal.summaries import FORM, seats_pattern, winners_json

GameOrder: TypeAlias = Literal["begun", "players", "winner", "best", "course", "rounds", "state", "drama"]
Outcome: TypeAlias = Literal["finished", "won", "shared", "void", "playing"]
"""The outcome of a game. 'finished' includes 'won' (one winner) and 'shared' (several winners). 'void' is a game
without a valid result. 'playing' is a game that is not over."""
_MAX_SINGLE_NAMES: Final = 60
"""The largest number of players for which a search by name uses a separate condition for each player."""
_WORDS_OF_SEATS: Final = ("label", "player", "seat")
"""Words that the stored seats of every game contain, in addition to the names of players and the labels P1, P2 and so
on."""
_MAX_CHAIN: Final = 500
_MAX_WORDS: Final = 8


@dataclass(frozen=True, slots=True)
class GameFilters:
    """A selection of games; an empty field does not restrict it."""

    experiment: str | None = None
    """The id or name of the experiment."""
    state: str | None = None
    game: str | None = None
    """The name in records of the game that was played."""
    player: str | None = None
    winner: str | None = None
    outcome: Outcome | None = None
    highlights: tuple[str, ...] = ()
    """Kinds of notable events; a selected game has all of them."""
    without: tuple[str, ...] = ()
    """The names in records of games that are left out, such as instruments of the laboratory."""
    text: str = ""
    """Words that a selected game contains: in its players' names, in its id, key, source or reason, or in the name of
    its experiment."""

    # Games of archived experiments are selected only if the filter names their experiment.


EVERY_GAME: Final = GameFilters()


class ResolvedFilters(NamedTuple):
    """Filters in which names are replaced by the ids of the journal."""

    filters: GameFilters
    experiment: int | None
    words: tuple["WordMatches", ...]


class WordMatches(NamedTuple):
    """A word of a search, with the players and experiments whose names contain this word."""

    word: str
    players: tuple[str, ...]
    """The ids of players whose id or name contains the word."""
    experiments: tuple[int, ...]
    """The serial numbers of experiments whose name contains the word."""


class ListedSummary(NamedTuple):
    """The summary of a game in a list."""

    winners: tuple[int, ...]
    """The seats of the winners."""
    best: float | None
    highlights: tuple[str, ...]
    course: tuple[float, ...]
    title: Sentence = ()
    """The title of the game, in which seats are shown by their names."""
    drama: float = 0.0
    reasons: tuple[str, ...] = ()
    """The reasons for the drama score, the strongest first."""


def words_in(text: str) -> tuple[str, ...]:
    """Return the words of a search, up to a limit."""
    storable = text.replace("\x00", " ").encode("utf-8", "replace").decode()
    return tuple(dict.fromkeys(storable.casefold().split()))[:_MAX_WORDS]


def match_word(word: str, players: Mapping[str, str], experiments: Iterable[tuple[int, str]]) -> WordMatches:
    """Return the players and experiments whose names contain a word. Names are compared here and not by the database,
    since databases ignore case only in some alphabets."""
    matching = tuple(player for player, name in players.items() if word in player.casefold() or word in name.casefold())
    return WordMatches(word, matching, tuple(serial for serial, name in experiments if word in name.casefold()))


def summary_in(row: Row[Any]) -> ListedSummary | None:
    """Return the summary in a row of a list, or None if the game has no summary."""
    if row.winners is None:
        return None
    columns = Columns.of_game(row.id)
    try:
        winners = tuple(int(entry["seat"]) for entry in columns.json(row.winners, "winners"))
        highlights = tuple(str(entry) for entry in columns.json(row.highlights, "highlights"))
        course = tuple(float(entry) for entry in columns.json(row.course, "course"))
        title = _SENTENCE.validate_python(tuple(columns.json(row.title or "[]", "title")))
        reasons = tuple(str(entry) for entry in columns.json(row.reasons or "[]", "reasons"))
    except (LookupError, TypeError, ValueError):
        raise columns.damage("summaries: they are of another form") from None
    return ListedSummary(winners, row.best, highlights, course, title, row.drama or 0.0, reasons)


_SENTENCE: Final[TypeAdapter[Sentence]] = TypeAdapter(Sentence)

_ALL: Final = games.join(experiments).outerjoin(
    summaries, and_(summaries.c.game == games.c.serial, summaries.c.form == FORM)
)
_SUMMARY_COLUMNS: Final = tuple(
    summaries.c[name] for name in ("winners", "best", "highlights", "course", "title", "drama", "reasons")
)
_ORDERS: Final[dict[GameOrder, ColumnElement[Any]]] = {
    "begun": games.c.serial,
    "players": games.c.seats,
    # A game without a winner has no key for sorting by winner.
    "winner": func.nullif(summaries.c.winners, winners_json(())),
    "best": summaries.c.best,
    "course": summaries.c.course_mean,
    "rounds": games.c.rounds,
    "state": games.c.state,
    "drama": summaries.c.drama,
}


def page_of(resolved: ResolvedFilters, order: GameOrder, down: bool, dialect: str) -> Select[Any]:
    """Return a statement that selects a page of games, each with the `total` number of games. A page beyond the last
    game has a single row with only the total. The whole page is read by a single statement, so that it shows one state
    of the journal."""
    conditions = list(_conditions(resolved, dialect))
    totals = select(func.count().label("total")).select_from(_needed(resolved)).where(*conditions).subquery()
    # Only the serial numbers are sorted, since rules and seats may be long.
    keys = _keys(order, down)
    place = func.row_number().over(order_by=keys).label("place")
    selection = select(games.c.serial, place).select_from(_ALL).where(*conditions).order_by(*keys)
    numbered = selection.offset(bindparam("offset")).limit(bindparam("limit")).subquery()
    page = (
        short_headers()
        .add_columns(games.c.serial, *_SUMMARY_COLUMNS, numbered.c.place)
        .join(numbered, numbered.c.serial == games.c.serial)
        .outerjoin(summaries, and_(summaries.c.game == games.c.serial, summaries.c.form == FORM))
        .subquery()
    )
    joined = select(totals.c.total, page).select_from(totals.outerjoin(page, true()))
    return joined.order_by(page.c.place)


def ids_in(resolved: ResolvedFilters, order: GameOrder, down: bool, dialect: str) -> Select[Any]:
    """Return a statement that selects the ids of all games of a list, in its order."""
    return select(games.c.id).select_from(_ALL).where(*_conditions(resolved, dialect)).order_by(*_keys(order, down))


def _keys(order: GameOrder, down: bool) -> list[ColumnElement[Any]]:
    """Return the sort keys of a list. Games without a value come last in both directions, and games with equal values
    are ordered from the newest to the oldest."""
    by = _ORDERS[order]
    if order == "begun":
        return [by.desc() if down else by.asc()]
    return [by.is_(None), by.desc() if down else by.asc(), games.c.serial.desc()]


def _needed(resolved: ResolvedFilters) -> FromClause:
    """Return the tables that must be joined because the filters refer to them."""
    filters = resolved.filters
    of_summaries = filters.winner is not None or filters.highlights or filters.outcome in ("won", "shared")
    return _ALL if of_summaries or resolved.words else games


def _conditions(resolved: ResolvedFilters, dialect: str) -> Iterable[ColumnElement[bool]]:
    filters = resolved.filters
    if resolved.experiment is not None:
        yield games.c.experiment == resolved.experiment
    else:
        yield games.c.experiment.not_in(IN_ARCHIVE)
    if filters.state is not None:
        yield games.c.state == filters.state
    if filters.game is not None:
        yield games.c.game == filters.game
    if filters.without:
        yield games.c.game.not_in(filters.without)
    if filters.player is not None:
        yield _holds(games.c.seats, seats_pattern(filters.player), dialect)
    if filters.winner is not None:
        yield _holds(summaries.c.winners, seats_pattern(filters.winner), dialect)
    if filters.outcome is not None:
        yield _OUTCOMES[filters.outcome]
    for highlight in filters.highlights:
        yield _holds(summaries.c.highlights, json.dumps(highlight), dialect)
    for word in resolved.words:
        yield or_(*_about(word, dialect))


_OUTCOMES: Final[dict[Outcome, ColumnElement[bool]]] = {
    "finished": games.c.state == FINISHED,
    "won": summaries.c.winner_count == 1,
    "shared": summaries.c.winner_count > 1,
    "void": games.c.state == VOID,
    "playing": games.c.state == PLAYING,
}


def _holds(column: ColumnElement[Any], pattern: str, dialect: str) -> ColumnElement[bool]:
    # LIKE is not used because it would ignore case.
    place = func.strpos if dialect == "postgresql" else func.instr
    return place(column, literal(pattern, Text)) > 0


def _is_in_all_seats(word: str) -> bool:
    return any(word in name for name in _WORDS_OF_SEATS) or word.removeprefix("p").isdecimal() or len(word) < 3


def _about(matches: WordMatches, dialect: str) -> Iterable[ColumnElement[bool]]:
    """Yield the conditions under which a game contains a word."""
    for column in (games.c.id, games.c.key, games.c.source):
        yield _holds(func.lower(column), matches.word, dialect)
    # Reasons and seats are JSON in plain ASCII.
    escaped = json.dumps(matches.word)[1:-1]
    yield _holds(func.lower(games.c.reason), escaped, dialect)
    if matches.experiments:
        yield games.c.experiment.in_(matches.experiments)
    players = matches.players
    if len(players) > _MAX_SINGLE_NAMES and not _is_in_all_seats(matches.word):
        # One search of all seats finds every player whose id contains the word.
        yield _holds(func.lower(games.c.seats), escaped, dialect)
        players = tuple(player for player in players if matches.word not in player.casefold())
    patterns = [_holds(games.c.seats, seats_pattern(player), dialect) for player in players]
    # SQLite limits the depth of an expression to 1,000.
    yield from (or_(*patterns[first : first + _MAX_CHAIN]) for first in range(0, len(patterns), _MAX_CHAIN))
