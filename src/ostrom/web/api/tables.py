"""The tables behind the charts: those of the games themselves, and one for each measure, as the report writes them."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final

import polars as pl
from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.analysis.standing import DRAW_PROBABILITY, PASSES
from ostrom.analysis.study import NothingLeft, SubjectStudy
from ostrom.charts.catalogue import rating_definition, rating_note, subject_charts
from ostrom.charts.standings import RATINGS, leaderboard_frame
from ostrom.web.api.ratings import Measured, standings
from ostrom.web.api.studies import AnyFilters, Filters, Offset, all_scored, asked, choose, is_slow, study_meant
from ostrom.web.replies import Shape, reply_of_ended, unknown
from ostrom.web.service import Service

_LONGEST: Final = 10_000
"""Characters of a text that a page of a table shows; a game's own page has all of it."""

Tables = Mapping[str, tuple[str, Callable[[], pl.DataFrame]]]
"""By name: what a table is, and how to get it."""


class TableInfo(Shape):
    """A table that can be read."""

    name: str
    columns: list[str]
    rows: int
    definition: str


class TableList(Shape):
    """All tables of some games."""

    tables: list[TableInfo]
    reason: str | None = None
    """Why there are none."""


class TablePage(Shape):
    """Some rows of a table."""

    name: str
    columns: list[str]
    rows: list[list[Any]]
    total: int
    offset: int
    reason: str | None = None
    """Why nothing is left to be put into tables."""


def table_list(service: Service, filters: Filters) -> TableList:
    """All tables; none, and the reason, where nothing is left."""
    try:
        tables = _tables(service, filters)
    except NothingLeft as error:
        return TableList(tables=[], reason=str(error))
    shown = {name: (definition, filters.shown(get())) for name, (definition, get) in tables.items()}
    listed = [
        TableInfo(name=name, columns=table.columns, rows=table.height, definition=definition)
        for name, (definition, table) in shown.items()
    ]
    return TableList(tables=listed)


def table_page(service: Service, name: str, filters: Filters, offset: int, limit: int) -> TablePage:
    """Some rows of a table; none, and the reason, where nothing is left."""
    try:
        tables = _tables(service, filters)
    except NothingLeft as error:
        return TablePage(name=name, columns=[], rows=[], total=0, offset=offset, reason=str(error))
    if name not in tables:
        raise unknown("table", name, f"there is no table called {name!r}; /api/tables lists them")
    table = filters.shown(tables[name][1]())
    rows = [[_plain(value) for value in row] for row in table.slice(offset, limit).iter_rows()]
    return TablePage(name=name, columns=table.columns, rows=rows, total=table.height, offset=offset)


def _tables(service: Service, filters: Filters) -> Tables:
    study = study_meant(service, filters.kind)
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


router = APIRouter(tags=["study"])


@router.get("/tables", response_model=TableList)
async def tables(request: Request, filters: AnyFilters) -> Response:
    """Every table of the chosen games: the tidy ones, and one for each measure."""
    return await reply_of_ended(request, table_list, filters, slow=is_slow(filters))


@router.get("/tables/{name}", response_model=TablePage)
async def table(
    request: Request,
    name: Annotated[str, Path(max_length=100)],
    filters: AnyFilters,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Some rows of a table. What is no finite number is null."""
    slow, like = is_slow(filters), ("table", name, filters)
    return await reply_of_ended(request, table_page, name, filters, offset, limit, slow=slow, like=like)
