"""How figures came about: what each measure is, where the games come from, and the tables behind charts as files."""

import io
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import polars as pl
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from ostrom.analysis.provenance import provenance_of
from ostrom.analysis.study import NothingLeft, Study, SubjectStudy
from ostrom.charts.spreadsheet import write_csv
from ostrom.core import InputError, UnknownName
from ostrom.core.plugins import GAMES
from ostrom.web.api.ratings import RATING_DEFINITION
from ostrom.web.api.studies import AnyFilters, Filters, choose, study_meant
from ostrom.web.api.subjects import asked
from ostrom.web.api.tables import TableInfo, table_list, tables_of
from ostrom.web.replies import Shape, reply_of_ended, service_of
from ostrom.web.service import Service

Format = Literal["csv", "parquet"]
_TYPES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}


class MethodEntry(Shape):
    """Something that is to be known of the figures."""

    title: str
    text: str
    note: str = ""


class Method(Shape):
    """How the figures of some games came about."""

    kind: str
    title: str
    definitions: list[MethodEntry]
    """What each measure is."""
    provenance: list[MethodEntry]
    """Where the games come from."""
    tables: list[TableInfo]
    reason: str | None = None
    """Why there are no tables."""


def method(service: Service, filters: Filters) -> Method:
    """The method behind the figures of the chosen games."""
    study = study_meant(service, filters.kind)
    try:
        found = table_list(service, filters)
        tables, reason = found.tables, found.reason
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
    """Of exactly those games that the figures are made of."""
    try:
        wanted = _games(service, study, filters)
    except NothingLeft:
        return []
    kinds = [study.game] if isinstance(study, Study) else [GAMES[name] for name in study.records]
    results = [one for one in service.journal.ended.results(study.records) if one.id in wanted]
    made = provenance_of(service.journal, study.title, kinds, results, None)
    return [MethodEntry(title=title, text=text, note=note) for title, text, note in made.entries()]


def _games(service: Service, study: Study[Any] | SubjectStudy, filters: Filters) -> set[str]:
    if isinstance(study, SubjectStudy):
        return {game for games in asked(service, study, filters.experiments).games.values() for game in games}
    return set(choose(service, filters).tables.games["game"])


def table_file(service: Service, name: str, filters: Filters, kind: Format) -> bytes:
    """A whole table as a file."""
    try:
        tables = tables_of(service, filters)
    except NothingLeft as error:
        raise InputError(str(error)) from error
    if name not in tables:
        raise UnknownName("table", name, [], catalogue="/api/tables lists them")
    return _content(filters.shown(tables[name][1]()), kind)


def _content(table: pl.DataFrame, kind: Format) -> bytes:
    if kind == "parquet":
        held = io.BytesIO()
        table.write_parquet(held)
        return held.getvalue()
    with TemporaryDirectory() as folder:
        write_csv(table, FilePath(folder) / "table.csv")
        return (FilePath(folder) / "table.csv").read_bytes()


router = APIRouter(tags=["study"])


@router.get("/method", response_model=Method)
async def method_of(request: Request, filters: AnyFilters) -> Response:
    """How the figures of the chosen games came about: definitions, provenance, and the tables behind the charts."""
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
    """A whole table as a file. In a CSV file what somebody wrote is a text, and never a formula."""
    content = await run_in_threadpool(table_file, service_of(request), name, filters, format_)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format_}"'}
    return Response(content, media_type=_TYPES[format_], headers=headers)
