"""Lists of games: which games some filters choose, in which order, a page at a time, and what was found in each. That
lies beside the games, so that no event is decoded for a list."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, FromClause, Row, Select, Text, and_, bindparam, func, literal, or_, select, true

from ostrom.journal.arrange import IN_ARCHIVE
from ostrom.journal.overview import short_headers
from ostrom.journal.read import Columns
from ostrom.journal.schema import FINISHED, PLAYING, VOID, experiments, games, summaries
from ostrom.journal.summaries import FORM, seats_pattern, winners_json

GameOrder: TypeAlias = Literal["begun", "players", "winner", "best", "course", "rounds", "state"]
Outcome: TypeAlias = Literal["finished", "won", "shared", "void", "playing"]
"""Finished; with one winner; with several who share it; void; not over."""
_MOST_NAMES: Final = 60
"""Players whose names hold a word are looked for one by one, unless there are more."""
_BESIDE_NAMES: Final = ("label", "player", "seat")
"""What stands in the seats of every game beside the names of players and P1, P2 and so on."""
_CHAIN: Final = 500
_MOST_WORDS: Final = 8


@dataclass(frozen=True, slots=True)
class GameFilters:
    """Which games; what is not given does not matter."""

    experiment: str | None = None
    """By its id or its name."""
    state: str | None = None
    game: str | None = None
    """What records call it."""
    player: str | None = None
    winner: str | None = None
    outcome: Outcome | None = None
    highlights: tuple[str, ...] = ()
    """What they are found by; all of them."""
    text: str = ""
    """Words that stand in the names of its players, in its id, key, source or reason, or in its experiment's name."""

    # Games of archived experiments are chosen only where their experiment is.


EVERY_GAME: Final = GameFilters()


class ResolvedFilters(NamedTuple):
    """Filters in the journal's own words."""

    filters: GameFilters
    experiment: int | None
    words: tuple["WordMatches", ...]


class WordMatches(NamedTuple):
    """A word in the journal's own words."""

    word: str
    players: tuple[str, ...]
    """In whose ids, or in what they are called, it stands."""
    experiments: tuple[int, ...]
    """In whose names it stands."""


class ListedSummary(NamedTuple):
    """What was found in a game."""

    winners: tuple[int, ...]
    """Their seats."""
    best: float | None
    highlights: tuple[str, ...]
    course: tuple[float, ...]


def words_in(text: str) -> tuple[str, ...]:
    """The words of what a reader typed; of very many, the first."""
    storable = text.replace("\x00", " ").encode("utf-8", "replace").decode()
    return tuple(dict.fromkeys(storable.casefold().split()))[:_MOST_WORDS]


def match_word(word: str, players: Mapping[str, str], named: Iterable[tuple[int, str]]) -> WordMatches:
    """A word among players, by what they are called, and among experiments by their names. Databases know capitals of
    some alphabets alone, so these are compared here."""
    found = tuple(player for player, name in players.items() if word in player.casefold() or word in name.casefold())
    return WordMatches(word, found, tuple(serial for serial, name in named if word in name.casefold()))


def summary_in(row: Row[Any]) -> ListedSummary | None:
    """What was found in the game of a header."""
    if row.winners is None:
        return None
    columns = Columns.of_game(row.id)
    try:
        winners = tuple(int(one["seat"]) for one in columns.json(row.winners, "winners"))
        highlights = tuple(str(one) for one in columns.json(row.highlights, "highlights"))
        course = tuple(float(one) for one in columns.json(row.course, "course"))
    except (LookupError, TypeError, ValueError):
        raise columns.damage("summaries: they are of another form") from None
    return ListedSummary(winners, row.best, highlights, course)


_ALL: Final = games.join(experiments).outerjoin(
    summaries, and_(summaries.c.game == games.c.serial, summaries.c.form == FORM)
)
_FOUND: Final = tuple(summaries.c[name] for name in ("winners", "best", "highlights", "course"))
_ORDERS: Final[dict[GameOrder, ColumnElement[Any]]] = {
    "begun": games.c.serial,
    "players": games.c.seats,
    # A game that nobody won has no winner to be sorted by.
    "winner": func.nullif(summaries.c.winners, winners_json(())),
    "best": summaries.c.best,
    "course": summaries.c.course_mean,
    "rounds": games.c.rounds,
    "state": games.c.state,
}


def page_of(meant: ResolvedFilters, order: GameOrder, down: bool, dialect: str) -> Select[Any]:
    """Some of the games, each beside the `total`; past the last game there is the total alone. One statement, which
    sees one moment by itself."""
    which = list(_conditions(meant, dialect))
    counted = select(func.count().label("total")).select_from(_needed(meant)).where(*which).subquery()
    # Sorted by their numbers alone: rules and seats may be long.
    keys = _keys(order, down)
    place = func.row_number().over(order_by=keys).label("place")
    chosen = select(games.c.serial, place).select_from(_ALL).where(*which).order_by(*keys)
    numbered = chosen.offset(bindparam("offset")).limit(bindparam("limit")).subquery()
    page = (
        short_headers()
        .add_columns(games.c.serial, *_FOUND, numbered.c.place)
        .join(numbered, numbered.c.serial == games.c.serial)
        .outerjoin(summaries, and_(summaries.c.game == games.c.serial, summaries.c.form == FORM))
        .subquery()
    )
    both = select(counted.c.total, page).select_from(counted.outerjoin(page, true()))
    return both.order_by(page.c.place)


def ids_in(meant: ResolvedFilters, order: GameOrder, down: bool, dialect: str) -> Select[Any]:
    """The ids of all games of a list, in its order."""
    return select(games.c.id).select_from(_ALL).where(*_conditions(meant, dialect)).order_by(*_keys(order, down))


def _keys(order: GameOrder, down: bool) -> list[ColumnElement[Any]]:
    """What a list is sorted by; what has no value comes last either way, and the newest first among equals."""
    by = _ORDERS[order]
    if order == "begun":
        return [by.desc() if down else by.asc()]
    return [by.is_(None), by.desc() if down else by.asc(), games.c.serial.desc()]


def _needed(meant: ResolvedFilters) -> FromClause:
    """The tables that the filters ask for, and no more."""
    filters = meant.filters
    of_summaries = filters.winner is not None or filters.highlights or filters.outcome in ("won", "shared")
    return _ALL if of_summaries or meant.words else games


def _conditions(meant: ResolvedFilters, dialect: str) -> Iterable[ColumnElement[bool]]:
    filters = meant.filters
    if meant.experiment is not None:
        yield games.c.experiment == meant.experiment
    else:
        yield games.c.experiment.not_in(IN_ARCHIVE)
    if filters.state is not None:
        yield games.c.state == filters.state
    if filters.game is not None:
        yield games.c.game == filters.game
    if filters.player is not None:
        yield _holds(games.c.seats, seats_pattern(filters.player), dialect)
    if filters.winner is not None:
        yield _holds(summaries.c.winners, seats_pattern(filters.winner), dialect)
    if filters.outcome is not None:
        yield _OUTCOMES[filters.outcome]
    for highlight in filters.highlights:
        yield _holds(summaries.c.highlights, json.dumps(highlight), dialect)
    for word in meant.words:
        yield or_(*_about(word, dialect))


_OUTCOMES: Final[dict[Outcome, ColumnElement[bool]]] = {
    "finished": games.c.state == FINISHED,
    "won": summaries.c.winner_count == 1,
    "shared": summaries.c.winner_count > 1,
    "void": games.c.state == VOID,
    "playing": games.c.state == PLAYING,
}


def _holds(where: ColumnElement[Any], pattern: str, dialect: str) -> ColumnElement[bool]:
    # LIKE would take capitals and small letters for the same.
    place = func.strpos if dialect == "postgresql" else func.instr
    return place(where, literal(pattern, Text)) > 0


def _stands_in_all(word: str) -> bool:
    return any(word in name for name in _BESIDE_NAMES) or word.removeprefix("p").isdecimal() or len(word) < 3


def _about(meant: WordMatches, dialect: str) -> Iterable[ColumnElement[bool]]:
    """Where a word may stand."""
    for where in (games.c.id, games.c.key, games.c.source):
        yield _holds(func.lower(where), meant.word, dialect)
    # Reasons and seats are JSON in plain ASCII.
    escaped = json.dumps(meant.word)[1:-1]
    yield _holds(func.lower(games.c.reason), escaped, dialect)
    if meant.experiments:
        yield games.c.experiment.in_(meant.experiments)
    sought = meant.players
    if len(sought) > _MOST_NAMES and not _stands_in_all(meant.word):
        # One look at all seats finds those in whose ids it stands.
        yield _holds(func.lower(games.c.seats), escaped, dialect)
        sought = tuple(player for player in sought if meant.word not in player.casefold())
    patterns = [_holds(games.c.seats, seats_pattern(player), dialect) for player in sought]
    # SQLite takes no chain of a thousand and more.
    yield from (or_(*patterns[first : first + _CHAIN]) for first in range(0, len(patterns), _CHAIN))
