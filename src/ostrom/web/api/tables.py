"""The tables behind charts, page by page and as files. This module also has the method behind figures (the definitions
of measures and the sources of the games) and the subjects of families of tasks. The scores of subjects are computed
only when they are needed."""

import io
import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Final, Literal

import polars as pl
from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool

from ostrom.analysis.provenance import provenance_of
from ostrom.analysis.session_people import SessionPeople, pooled_row, session_people
from ostrom.analysis.set_apart import with_people
from ostrom.analysis.study import NothingLeft, Scored, Study, SubjectStudy, all_studies
from ostrom.charts.catalogue import subject_charts
from ostrom.charts.families import Cast, with_names, write_csv
from ostrom.charts.standings import RATINGS, measured_columns
from ostrom.core import InputError, UnknownName
from ostrom.core.plugins import GAMES
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.names import PlayerNames
from ostrom.journal.schema import FINISHED
from ostrom.journal.sessions import SESSION
from ostrom.web.api.ratings import RATING_DEFINITION, LazyMeasures, board_of, definition_of
from ostrom.web.api.studies import AnyFilters, Filters, Offset, choose, experiment_ids, find_study, studies_here
from ostrom.web.cache import digest_of
from ostrom.web.replies import Shape, reply_of_ended, service_of
from ostrom.web.service import Service

MAX_SCORED_SUBJECTS: Final = 100
"""The largest number of subjects in one reply, since scoring one subject may take a second."""


@dataclass(frozen=True)
class SubjectSelection:
    """The games of every subject. Subjects are sorted by name."""

    study: SubjectStudy
    games: dict[str, tuple[str, ...]]
    left_out: tuple[str, ...] = ()
    """The excluded subjects, described in sentences."""
    names: PlayerNames | None = None
    sessions: Mapping[str, SessionPeople] = field(default_factory=dict)
    """The people of sessions, by the name of their row."""

    @property
    def cast(self) -> Cast:
        return subject_charts(self.study).cast(self.study, self.games, self.names)


def find_family(service: Service, kind: str | None) -> SubjectStudy:
    """Return the family of tasks with this name. Without a name, return the first family that has answers; if there is
    none, return any family. Raise `InputError` if the name is that of a game."""
    if kind is None:
        studies = (study for study in studies_here(service) if isinstance(study, SubjectStudy))
        # If the journal has no answers to tasks, all installed games must be searched for families.
        return next(studies, None) or next(study for study in all_studies() if isinstance(study, SubjectStudy))
    study = find_study(service, kind)
    if not isinstance(study, SubjectStudy):
        raise InputError(f"{study.spoken} rates players and does not score subjects; see /api/ratings")
    return study


def select_subjects(
    service: Service, study: SubjectStudy, experiments: Sequence[str], pool: Collection[str] = ()
) -> SubjectSelection:
    """Return the subjects of these experiments, or of all experiments that are not archived. The people of a session
    are one subject if the study can pool them; single people of sessions are included with `people` in `pool`. If no
    experiments are given, other people are excluded, unless they are pooled with the others or are the only
    subjects."""
    ids = experiment_ids(service, experiments)
    rows = [row for row in service.studies.rows(study) if row.state == FINISHED and (not ids or row.experiment in ids)]
    left_out = []
    settings = service.journal.ended.settings()
    if not ids:
        rows = [row for row in rows if settings.get(row.experiment, {}).get(ARCHIVED) is not True]
    sessions = _sessions_of(service, study, {row.id for row in rows}) if study.pooled is not None else []
    if "people" not in pool:
        of_people = frozenset[str]().union(*(people.every_game for people in sessions))
        rows = [row for row in rows if row.id not in of_people]
    if not ids:
        others = [row for row in rows if not with_people(row.players)]
        people = len({row.players[0] for row in rows} - {row.players[0] for row in others})
        if people and others and "people" not in pool:
            rows, left_out = others, [f"Apart: answers by {people:,} {'person' if people == 1 else 'people'}."]
    games: dict[str, list[str]] = {}
    for row in rows:
        games.setdefault(row.players[0], []).append(row.id)
    pooled = {people.row: people for people in sessions}
    ordered = {name: tuple(games[name]) for name in sorted(games)}
    ordered |= {row: tuple(sorted(people.every_game)) for row, people in pooled.items()}
    return SubjectSelection(study, ordered, tuple(left_out), service.player_names(), pooled)


def _sessions_of(service: Service, study: SubjectStudy, games: Collection[str]) -> list[SessionPeople]:
    """Return the people of sessions who answered in these games."""
    settings = service.journal.ended.settings()
    if not any(SESSION in values for values in settings.values()):
        return []
    return session_people(service.journal.ended.results(study.records), settings, games)


def score_subject(service: Service, selection: SubjectSelection, subject: str) -> Scored:
    """Return the scores of one subject; raise `UnknownName` if it has no answers."""
    games = selection.games.get(subject)
    if games is None:
        text = f"there are no answers by {subject!r} here; /api/scores lists the subjects"
        raise UnknownName("subject", subject, [], text=text)
    people = selection.sessions.get(subject)
    if people is not None:
        return service.studies.get_or_make(
            ("scores", selection.study.command, subject, digest_of([people.source, *games])),
            lambda: pooled_row(selection.study, people, selection.study.score(service.studies.records(games))),
        )
    return service.studies.get_or_make(
        ("scores", selection.study.command, subject, digest_of(games)),
        lambda: selection.study.score(service.studies.records(games))[0],
    )


def score_subjects(service: Service, selection: SubjectSelection, subjects: Sequence[str]) -> list[Scored]:
    """Return the scores of these subjects, or of all, in the order of the report. Raise `InputError` if there are too
    many."""
    names = [name for name in selection.games if not subjects or name in subjects]
    if len(names) > MAX_SCORED_SUBJECTS:
        raise InputError(
            f"there are {len(names):,} subjects; choose at most {MAX_SCORED_SUBJECTS} of them, or an experiment"
        )
    return selection.study.in_order(score_subject(service, selection, name) for name in names)


_MAX_CELL_CHARACTERS: Final = 10_000
"""The largest number of characters of a cell. The page of the game shows the whole text."""

Tables = Mapping[str, tuple[str, Callable[[], pl.DataFrame]]]
"""The tables by name. Each has a definition and a function that returns the table."""


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
    """The reason why there are no tables."""


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
    """Return all tables. If no games are selected, return no tables and the reason."""
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
    """Return some rows of a table. If no games are selected, return no rows and the reason."""
    try:
        tables = tables_of(service, filters)
    except NothingLeft as error:
        return TablePage(name=name, columns=[], rows=[], total=0, offset=offset, reason=str(error))
    return page_of_table(name, _table(tables, name, filters), offset, limit)


def _table(tables: Tables, name: str, filters: Filters) -> pl.DataFrame:
    if name not in tables:
        raise UnknownName("table", name, [], catalogue="/api/tables lists them")
    _, get = tables[name]
    return filters.shown(get())


def page_of_table(name: str, table: pl.DataFrame, offset: int, limit: int) -> TablePage:
    """Return some rows of a table, with cells in the form that a page shows."""
    rows = [[_cell(value) for value in row] for row in table.slice(offset, limit).iter_rows()]
    return TablePage(name=name, columns=table.columns, rows=rows, total=table.height, offset=offset)


def tables_of(service: Service, filters: Filters) -> Tables:
    """Return every table of the selected games or subjects, with columns of names beside columns of ids. Raise
    `NothingLeft` if there are none."""
    study = find_study(service, filters.kind)
    if isinstance(study, SubjectStudy):
        tables = _tables_of_subjects(service, study, filters)
    else:
        tables = _tables_of_games(service, filters)
    name_of = service.player_names().of

    def add_names(get: Callable[[], pl.DataFrame]) -> pl.DataFrame:
        return with_names(get(), name_of)

    return {name: (definition, partial(add_names, get)) for name, (definition, get) in tables.items()}


def _tables_of_games(service: Service, filters: Filters) -> Tables:
    selection = choose(service, filters)
    study, leaderboard_columns = selection.study, selection.catalogue.leaderboard
    measures = LazyMeasures(service, selection)
    return {
        RATINGS: (
            definition_of(selection.rating),
            lambda: board_of(service, selection, measured_columns(leaderboard_columns, measures)).frame,
        ),
        **{name: (measure.definition, partial(measures.__getitem__, name)) for name, measure in study.measures.items()},
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
    """Return every table of the selected games: the tidy tables, and one table for each measure."""
    return await reply_of_ended(request, table_list, filters, slow=filters.slow)


@router.get("/tables/{name}", response_model=TablePage)
async def table(
    request: Request,
    name: Annotated[str, Path(max_length=100)],
    filters: AnyFilters,
    offset: Offset = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 100,
) -> Response:
    """Return some rows of a table. Numbers that are not finite are null."""
    slow, like = filters.slow, ("table", name, filters)
    return await reply_of_ended(request, table_page, name, filters, offset, limit, slow=slow, like=like)


Format = Literal["csv", "parquet"]
_TYPES = {"csv": "text/csv; charset=utf-8", "parquet": "application/vnd.apache.parquet"}


class MethodEntry(Shape):
    """A definition of a measure or a source of games."""

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
        return [MethodEntry(title=scale.title, text=scale.definition) for scale in study.scales]
    measures = [
        MethodEntry(title=name.replace("_", " ").capitalize(), text=measure.definition, note=measure.notes)
        for name, measure in study.measures.items()
    ]
    return [MethodEntry(title="Ratings", text=RATING_DEFINITION), *measures]


def _provenance(service: Service, study: Study[Any] | SubjectStudy, filters: Filters) -> list[MethodEntry]:
    """Return the sources of the games on which the figures are based."""
    try:
        games = _games(service, study, filters)
    except NothingLeft:
        return []
    kinds = [study.game] if isinstance(study, Study) else [GAMES[name] for name in study.records]
    results = [result for result in service.journal.ended.results(study.records) if result.id in games]
    provenance = provenance_of(service.journal, study.title, kinds, results, None)
    return [MethodEntry(title=title, text=text, note=note) for title, text, note in provenance.entries()]


def _games(service: Service, study: Study[Any] | SubjectStudy, filters: Filters) -> set[str]:
    if isinstance(study, SubjectStudy):
        return {game for games in select_subjects(service, study, filters.experiments).games.values() for game in games}
    return set(choose(service, filters).tables.games["game"])


def table_file(service: Service, name: str, filters: Filters, kind: Format) -> bytes:
    """Return a complete table as a file. Raise `InputError` if there is no such table."""
    try:
        tables = tables_of(service, filters)
    except NothingLeft as error:
        raise InputError(str(error)) from error
    table = _table(tables, name, filters)
    if kind == "parquet":
        buffer = io.BytesIO()
        table.write_parquet(buffer)
        return buffer.getvalue()
    with TemporaryDirectory() as folder:
        write_csv(table, FilePath(folder) / "table.csv")
        return (FilePath(folder) / "table.csv").read_bytes()


@router.get("/method", response_model=Method)
async def method_of(request: Request, filters: AnyFilters) -> Response:
    """Return the method behind the figures of the selected games: definitions, sources, and the tables of the
    charts."""
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
    """Return a complete table as a file. In CSV files, texts of players are never formulas."""
    content = await run_in_threadpool(table_file, service_of(request), name, filters, format_)
    headers = {"Content-Disposition": f'attachment; filename="{name}.{format_}"'}
    return Response(content, media_type=_TYPES[format_], headers=headers)
