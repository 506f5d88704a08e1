"""The method behind figures: definitions of measures, the source of the games, and the tables of charts as files."""

import io
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import polars as pl
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from ostrom.analysis.provenance import provenance_of
from ostrom.analysis.study import NothingLeft, Study, SubjectStudy
from ostrom.charts.families import write_csv
from ostrom.core import InputError, UnknownName
from ostrom.core.plugins import GAMES
from ostrom.web.api.ratings import RATING_DEFINITION
from ostrom.web.api.studies import AnyFilters, Filters, choose, find_study
from ostrom.web.api.subjects import select_subjects
from ostrom.web.api.tables import TableInfo, table_list, tables_of
from ostrom.web.replies import Shape, reply_of_ended, service_of
from ostrom.web.service import Service

Format = Literal["csv", "parquet"]
_TYPES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}


class MethodEntry(Shape):
    """A definition or a source."""

    title: str
    text: str
    note: str = ""


class Method(Shape):
    """The method behind the figures of some games."""

    kind: str
    title: str
    definitions: list[MethodEntry]
    """The definition of each measure."""
    provenance: list[MethodEntry]
    """The sources of the games."""
    tables: list[TableInfo]
    reason: str | None = None
    """The reason why there are no tables."""


def method(service: Service, filters: Filters) -> Method:
    """Return the method behind the figures of the selected games."""
    study = find_study(service, filters.kind)
    try:
        listing = table_list(service, filters)
        tables, reason = listing.tables, listing.reason
    except InputError as error:
        tables, reason = [], str(error)
    return Method(
        kind=study.command,
        title=study.title,
        definitions=_definitions(study),
        provenance=_provenance(service, study, filters),
        tables=tables,
        reason=reason,
    )


def _definitions(study: Study[Any] | SubjectStudy) -> list[MethodEntry]:
    if isinstance(study, SubjectStudy):
        return [MethodEntry(title=one.title, text=one.definition) for one in study.scales]
    measures = [
        MethodEntry(title=name.replace("_", " ").capitalize(), text=one.definition, note=one.notes)
        for name, one in study.measures.items()
    ]
    return [MethodEntry(title="Ratings", text=RATING_DEFINITION), *measures]


def _provenance(service: Service, study: Study[Any] | SubjectStudy, filters: Filters) -> list[MethodEntry]:
    """Return the sources of exactly the games behind the figures."""
    try:
        games = _games(service, study, filters)
    except NothingLeft:
        return []
    kinds = [study.game] if isinstance(study, Study) else [GAMES[name] for name in study.records]
    results = [one for one in service.journal.ended.results(study.records) if one.id in games]
    provenance = provenance_of(service.journal, study.title, kinds, results, None)
    return [MethodEntry(title=title, text=text, note=note) for title, text, note in provenance.entries()]


def _games(service: Service, study: Study[Any] | SubjectStudy, filters: Filters) -> set[str]:
    if isinstance(study, SubjectStudy):
        return {game for games in select_subjects(service, study, filters.experiments).games.values() for game in games}
    return set(choose(service, filters).tables.games["game"])


def table_file(service: Service, name: str, filters: Filters, kind: Format) -> bytes:
    """Return a complete table as a file; raise `InputError` if there is none."""
    try:
        tables = tables_of(service, filters)
    except NothingLeft as error:
        raise InputError(str(error)) from error
    if name not in tables:
        raise UnknownName("table", name, [], catalogue="/api/tables lists them")
    return _content(filters.shown(tables[name][1]()), kind)


def _content(table: pl.DataFrame, kind: Format) -> bytes:
    if kind == "parquet":
        buffer = io.BytesIO()
        table.write_parquet(buffer)
        return buffer.getvalue()
    with TemporaryDirectory() as folder:
        write_csv(table, FilePath(folder) / "table.csv")
        return (FilePath(folder) / "table.csv").read_bytes()


router = APIRouter(tags=["study"])


@router.get("/method", response_model=Method)
async def method_of(request: Request, filters: AnyFilters) -> Response:
    """The method behind the figures of the selected games: definitions, sources, and the tables of the charts."""
    return await reply_of_ended(request, method, filters, slow=filters.slow)


@router.get(
    "/tables/{name}/file",
    response_class=Response,
    responses={200: {"content": {type_: {} for type_ in _TYPES.values()}}},
)
async def file_of_table(
    request: Request,
    name: Annotated[str, Path(max_length=100)],
    filters: AnyFilters,
    format_: Annotated[Format, Query(alias="format", description="A spreadsheet's CSV, or Parquet.")] = "csv",
) -> Response:
    """A complete table as a file. In CSV files a player's text is never a formula."""
    content = await run_in_threadpool(table_file, service_of(request), name, filters, format_)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format_}"'}
    return Response(content, media_type=_TYPES[format_], headers=headers)
