"""The tables behind the charts: those of the games themselves, and one for each measure, as the report writes them."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

import polars as pl

from ostrom.analysis.standing import DRAW_PROBABILITY, PASSES
from ostrom.analysis.study import NothingLeft, SubjectStudy
from ostrom.charts.catalogue import rating_definition, rating_note, subject_charts
from ostrom.charts.standings import RATINGS, leaderboard_frame
from ostrom.core import UnknownName
from ostrom.web.queries.filters import Filters, choose, study_of
from ostrom.web.queries.ratings import Measured, standings
from ostrom.web.queries.subjects import all_scored, asked
from ostrom.web.service import Service
from ostrom.web.shapes.study import TableInfo, TableList, TablePage

_LONGEST: Final = 10_000
"""Characters of a text that a page of a table shows; a game's own page has all of it."""

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
    study = study_of(service, filters)
    return _of_subjects(service, study, filters) if isinstance(study, SubjectStudy) else _of_games(service, filters)


def _of_games(service: Service, filters: Filters) -> Tables:
    chosen = choose(service, filters)
    study, beside = chosen.study, chosen.catalogue.beside
    measured = Measured(service, chosen)
    rating = rating_definition(rating_note(PASSES, DRAW_PROBABILITY))
    return {
        RATINGS: (rating, lambda: leaderboard_frame(standings(service, chosen), measured, beside)),
        **{name: (one.definition, partial(measured.__getitem__, name)) for name, one in study.measures.items()},
        **{name: (study.about.get(name, ""), partial(getattr, chosen.tables, name)) for name in chosen.tables.parts},
    }


def _of_subjects(service: Service, study: SubjectStudy, filters: Filters) -> Tables:
    found = asked(service, study, filters.experiments)
    if not any(not filters.players or name in filters.players for name in found.games):
        raise NothingLeft(f"none of the subjects to be shown answered the {study.command} here")
    rows = all_scored(service, found, filters.players)
    return {name: (about, partial(table, rows)) for name, (about, table) in subject_charts(study).tables.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str) and len(value) > _LONGEST:
        return f"{value[:_LONGEST]}…"
    return value
