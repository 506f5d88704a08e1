"""The tables behind the charts: those of the games themselves, and one for each measure, as the report writes them."""

import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final

import polars as pl

from ostrom.analysis.chosen import NothingLeft
from ostrom.analysis.standing import DRAW_PROBABILITY, PASSES
from ostrom.charts.catalogue import RATINGS
from ostrom.charts.editions import EDITIONS, rating_definition, rating_note
from ostrom.charts.standings import leaderboard_frame
from ostrom.core import UnknownName
from ostrom.games.battery.charts.data import scores_frame
from ostrom.games.battery.charts.report import TABLES
from ostrom.games.battery.scores.table import SubjectScores
from ostrom.web.queries.filters import Filters, choose
from ostrom.web.queries.measured import Measured, standings
from ostrom.web.queries.subjects import all_scored, asked
from ostrom.web.service import Service
from ostrom.web.shapes.study import TableInfo, TableList, TablePage

_LONGEST: Final = 10_000
"""Characters of a text that a page of a table shows; a game's own page has all of it."""
_TIDY: Final = {
    "games": "A row for each game: its rules, and how many of its answers were defaulted or repaired.",
    "seats": "A row for each seat: who held it, and how it ended; rank 1 is best, those who tie share their ranks.",
    "rounds": "A row for each seat's round: its balance at the start, after the fund and at the end, and its doing.",
    "punishments": "A row for each punishment, in the order in which they were dealt.",
    "messages": "A row for each message; silence has none.",
    "turns": "A row for each seat's turn: what it held, gave, lobbied for and gained, and its vote.",
    "economy": "A row for each turn of a game: the seats still in, α, synergy, the pot and cooperation.",
    "scores": "A row for each score of each subject.",
}

Tables = Mapping[str, tuple[str, Callable[[], pl.DataFrame]]]
"""By name: what a table is, and how to get it."""


def table_list(service: Service, filters: Filters) -> TableList:
    """All tables; none, and the reason, where nothing is left."""
    try:
        tables = _tables(service, filters)
    except NothingLeft as error:
        return TableList(tables=[], reason=str(error))
    listed = []
    for name, (definition, get) in tables.items():
        table = filters.shown(get())
        listed.append(TableInfo(name=name, columns=table.columns, rows=table.height, definition=definition))
    return TableList(tables=listed)


def table_page(service: Service, name: str, filters: Filters, offset: int, limit: int) -> TablePage:
    """Some rows of a table; none, and the reason, where nothing is left."""
    try:
        tables = _tables(service, filters)
    except NothingLeft as error:
        return TablePage(name=name, columns=[], rows=[], total=0, offset=offset, reason=str(error))
    if name not in tables:
        unknown = UnknownName("table", name, [])
        unknown.args = (f"there is no table called {name!r}; /api/tables lists them",)
        raise unknown
    table = filters.shown(tables[name][1]())
    rows = [[_plain(value) for value in row] for row in table.slice(offset, limit).iter_rows()]
    return TablePage(name=name, columns=table.columns, rows=rows, total=table.height, offset=offset)


def _tables(service: Service, filters: Filters) -> Tables:
    return _of_battery(service, filters) if filters.kind == "battery" else _of_games(service, filters)


def _of_games(service: Service, filters: Filters) -> Tables:
    edition = EDITIONS[filters.kind]
    chosen = choose(service, filters)
    measured = Measured(service, chosen)
    rating = rating_definition(edition, rating_note(PASSES, DRAW_PROBABILITY))
    return {
        RATINGS: (rating, lambda: leaderboard_frame(standings(service, chosen), measured, edition.beside)),
        **{name: (one.definition, partial(measured.__getitem__, name)) for name, one in edition.kind.measures.items()},
        **{name: (_TIDY[name], partial(getattr, chosen.tables, name)) for name in edition.tidy},
    }


def _of_battery(service: Service, filters: Filters) -> Tables:
    found = asked(service, filters.experiments)
    if not any(not filters.players or name in filters.players for name in found.games):
        raise NothingLeft("none of the subjects to be shown answered the battery here")
    rows = all_scored(service, found, filters.players)
    return {
        "scores": (_TIDY["scores"], lambda: scores_frame(rows)),
        **{name: (" ".join((of.__doc__ or "").split()), partial(_of_all, of, rows)) for name, of in TABLES.items()},
    }


def _of_all(of: Callable[[SubjectScores], pl.DataFrame], rows: Sequence[SubjectScores]) -> pl.DataFrame:
    return pl.concat([of(one) for one in rows])


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]}…"
    return value
