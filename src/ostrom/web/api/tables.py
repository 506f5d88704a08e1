"""The tables behind charts: those of the games, and one for each measure, as in the report."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final

import polars as pl
from fastapi import APIRouter, Path, Query, Request, Response

from ostrom.analysis.study import NothingLeft, SubjectStudy
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import with_names
from ostrom.charts.standings import RATINGS, measured_columns
from ostrom.core import UnknownName
from ostrom.web.api.ratings import LazyMeasures, board_of, definition_of
from ostrom.web.api.studies import AnyFilters, Filters, Offset, choose, find_study
from ostrom.web.api.subjects import score_subjects, select_subjects
from ostrom.web.replies import Shape, reply_of_ended
from ostrom.web.service import Service

_MAX_CELL_CHARACTERS: Final = 10_000
"""A longer text is cut; the game's own page shows all of it."""

Tables = Mapping[str, tuple[str, Callable[[], pl.DataFrame]]]
"""By name: a table's definition, and the function that returns it."""


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
    """The reason why there are none."""


class TablePage(Shape):
    """Some rows of a table."""

    name: str
    columns: list[str]
    rows: list[list[Any]]
    total: int
    offset: int
    reason: str | None = None
    """The reason why there are no rows."""


def table_list(service: Service, filters: Filters) -> TableList:
    """Return all tables; none, with the reason, if no games are selected."""
    try:
        tables = tables_of(service, filters)
    except NothingLeft as error:
        return TableList(tables=[], reason=str(error))
    filtered = {name: (definition, filters.shown(get())) for name, (definition, get) in tables.items()}
    entries = [
        TableInfo(name=name, columns=table.columns, rows=table.height, definition=definition)
        for name, (definition, table) in filtered.items()
    ]
    return TableList(tables=entries)


def table_page(service: Service, name: str, filters: Filters, offset: int, limit: int) -> TablePage:
    """Return some rows of a table; none, with the reason, if no games are selected."""
    try:
        tables = tables_of(service, filters)
    except NothingLeft as error:
        return TablePage(name=name, columns=[], rows=[], total=0, offset=offset, reason=str(error))
    if name not in tables:
        raise UnknownName("table", name, [], catalogue="/api/tables lists them")
    return page_of_table(name, filters.shown(tables[name][1]()), offset, limit)


def page_of_table(name: str, table: pl.DataFrame, offset: int, limit: int) -> TablePage:
    """Return some rows of a table, with cells as a page shows them."""
    rows = [[_cell(value) for value in row] for row in table.slice(offset, limit).iter_rows()]
    return TablePage(name=name, columns=table.columns, rows=rows, total=table.height, offset=offset)


def tables_of(service: Service, filters: Filters) -> Tables:
    """Return every table of the selected games or subjects, with names next to ids; raise `NothingLeft` if there are
    none."""
    study = find_study(service, filters.kind)
    tables = (
        _tables_of_subjects(service, study, filters)
        if isinstance(study, SubjectStudy)
        else _tables_of_games(service, filters)
    )
    name_of = service.player_names().of

    def add_names(get: Callable[[], pl.DataFrame]) -> pl.DataFrame:
        return with_names(get(), name_of)

    return {name: (definition, partial(add_names, get)) for name, (definition, get) in tables.items()}


def _tables_of_games(service: Service, filters: Filters) -> Tables:
    selection = choose(service, filters)
    study, leaderboard_columns = selection.study, selection.catalogue.beside
    measures = LazyMeasures(service, selection)
    return {
        RATINGS: (
            definition_of(filters.rating),
            lambda: board_of(service, selection, measured_columns(leaderboard_columns, measures)).frame,
        ),
        **{name: (one.definition, partial(measures.__getitem__, name)) for name, one in study.measures.items()},
        **{
            name: (study.about.get(name, ""), partial(getattr, selection.tables, name))
            for name in selection.tables.parts
        },
    }


def _tables_of_subjects(service: Service, study: SubjectStudy, filters: Filters) -> Tables:
    selection = select_subjects(service, study, filters.experiments, filters.pool)
    if not any(not filters.players or name in filters.players for name in selection.games):
        raise NothingLeft(f"none of the chosen subjects answered the {study.command} here")
    rows = score_subjects(service, selection, filters.players)
    return {name: (about, partial(table, rows)) for name, (about, table) in subject_charts(study).tables.items()}


def _cell(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, str) and len(value) > _MAX_CELL_CHARACTERS:
        return f"{value[:_MAX_CELL_CHARACTERS]}…"
    return value


router = APIRouter(tags=["study"])


@router.get("/tables", response_model=TableList)
async def tables(request: Request, filters: AnyFilters) -> Response:
    """Every table of the selected games: the tidy ones, and one for each measure."""
    return await reply_of_ended(request, table_list, filters, slow=filters.slow)


@router.get("/tables/{name}", response_model=TablePage)
async def table(
    request: Request,
    name: Annotated[str, Path(max_length=100)],
    filters: AnyFilters,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Some rows of a table. Numbers that are not finite are null."""
    slow, like = filters.slow, ("table", name, filters)
    return await reply_of_ended(request, table_page, name, filters, offset, limit, slow=slow, like=like)
