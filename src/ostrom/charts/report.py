"""The report of an experiment: one self-contained page that needs no network, its pictures as SVG and PNG, and its
tables as CSV and Parquet. The module also writes the tidy tables of games as files without a report."""

import base64
import hashlib
import shutil
import sys
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import resources
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias

import altair as alt
import polars as pl
from jinja2 import Environment

from ostrom.analysis.default_bounds import NOTE, DefaultBounds, bounds_table
from ostrom.analysis.leaderboard import RatedPlayer, leaderboard
from ostrom.analysis.provenance import FILE, StudyProvenance, provenance_text, source_line, study_provenance
from ostrom.analysis.rating_settings import USUAL, RatingSettings
from ostrom.analysis.seated_results import estimand_of
from ostrom.analysis.study import studies_of, study_of
from ostrom.analysis.tables import GameTables
from ostrom.charts import render
from ostrom.charts.catalogue import (
    Catalogue,
    WrittenReport,
    catalogue_of,
    draw_picture,
    rating_definition,
    rating_note,
    shown_sections,
)
from ostrom.charts.families import Cast, with_names, write_csv
from ostrom.charts.forms import Section
from ostrom.charts.palette import DARK, config, dark_rules
from ostrom.charts.standings import (
    RATINGS,
    measured_columns,
    ratings_frame,
    standings_of,
)
from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.core.finding import Table
from ostrom.core.outlets import legible
from ostrom.journal.names import PlayerNames
from ostrom.journal.read import KeptGame
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal

Progress: TypeAlias = Callable[[str], None]
PAGE: Final = "report.html"


@dataclass(frozen=True)
class ReportFigure:
    """A chart with the words around it."""

    name: str
    about: str
    chart: render.Embedded
    definition: str = ""
    dots: bool = False
    table: str = ""
    """The name of the table that the chart draws, if it differs from the name of the chart."""


class TableCell(NamedTuple):
    """A cell of a table. It may have a colour, which is shown as a swatch before its text."""

    text: str
    swatch: str = ""


class ReportTable(NamedTuple):
    """A table of the page."""

    headings: Sequence[str]
    rows: Sequence[Sequence[TableCell]]
    texts: Sequence[int]
    """The indexes of the columns of names and other texts. All other columns have figures."""
    breaks: Sequence[int] = ()
    """The rows that have a line above them."""


@dataclass(frozen=True)
class Block:
    """A section of the page."""

    anchor: str
    title: str
    figures: Sequence[ReportFigure] = ()
    table: ReportTable | None = None
    definitions: Sequence[tuple[str, str, str]] = ()
    """The definitions of a section. Each has a title, a definition and a note."""


@dataclass(frozen=True)
class ReportPage:
    """The contents of a page."""

    title: str
    facts: str
    short: Sequence[str]
    """A few sentences that summarise the report."""
    blocks: Sequence[Block]
    provenance: Sequence[StudyProvenance] = ()
    """The provenance of the page's figures. A comparison has two entries."""
    source: str = ""
    """The line below every picture, for readers who see only the picture. By default, it is computed from the
    provenance."""

    def __post_init__(self) -> None:
        if not self.source:
            sources = "; ".join(provenance.source for provenance in self.provenance)
            object.__setattr__(self, "source", sources or source_line(self.title, self.facts))
        # The provenance is the last block of every page.
        entries = [entry for provenance in self.provenance for entry in provenance.entries()]
        if entries:
            object.__setattr__(self, "blocks", [*self.blocks, Block("provenance", "Provenance", definitions=entries)])

    def write(
        self,
        folder: Path,
        charts: Mapping[str, render.AnyChart],
        tables: Mapping[str, pl.DataFrame],
        progress: Progress = lambda name: None,
    ) -> WrittenReport:
        """Write the page, its pictures and its tables into the folder. If writing fails, the folder is unchanged.
        `progress` is called with the name of each finished chart."""
        with written_whole(folder, PAGE) as aside:
            (aside / "charts").mkdir()
            for name, chart in charts.items():
                picture = render.svg(chart, self.source)
                _write_text(aside / "charts" / f"{name}.svg", picture)
                (aside / "charts" / f"{name}.png").write_bytes(render.png(picture))
                progress(name)
            (aside / "tables").mkdir()
            for name, table in tables.items():
                write_csv(table, aside / "tables" / f"{name}.csv")
                table.write_parquet(aside / "tables" / f"{name}.parquet")
            if self.provenance:
                _write_text(aside / FILE, provenance_text(self.provenance))
            _write_text(aside / PAGE, self.html())
            _write_text(aside / "summary.txt", "\n".join([*map(legible, (self.title, self.facts, *self.short)), ""]))
        return WrittenReport(folder / PAGE, len(charts), len(tables), tuple(self.short))

    def html(self) -> str:
        """Return the page as one HTML document."""
        figures = [figure for block in self.blocks for figure in block.figures]
        data = {
            "config": config(ink="currentColor", soft="currentColor", paper=None),
            "charts": [{"spec": figure.chart.spec, "dots": figure.dots} for figure in figures],
        }
        library, script = render.javascript(), _part("report.js")
        template = Environment(autoescape=True, keep_trailing_newline=True, finalize=_set).from_string(
            _part("report.html")
        )
        return template.render(
            page=self,
            policy=_policy(library, script),
            css=f"{_part('report.css')}{dark_rules()}\n",
            dark=DARK,
            numbers={figure.name: number for number, figure in enumerate(figures)},
            data=render.json_for_html(data),
            library=library,
            script=script,
        )


def _set(value: object) -> object:
    """Return a value in a form that is safe for the page: control characters in texts are escaped. The report's own
    scripts, which are marked as safe, are unchanged."""
    if not isinstance(value, str) or hasattr(value, "__html__"):
        return value
    return legible(value, lines=True, most=sys.maxsize)


def _policy(*scripts: str) -> str:
    """Return the content security policy of the page. It allows these scripts, and the pictures in the page's
    folder."""
    digests = [base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts]
    allowed = " ".join(f"'sha256-{digest}'" for digest in digests)
    return f"default-src 'none'; script-src {allowed}; style-src 'unsafe-inline'; img-src 'self' file: data:"


def _part(name: str) -> str:
    return (resources.files("ostrom.charts") / name).read_text(encoding="utf-8")


@contextmanager
def written_whole(folder: Path, page: str) -> Iterator[Path]:
    """Yield an empty folder for a report. When the context ends, the files in the empty folder replace those of an
    earlier report in `folder`. The page is moved last. If writing fails, `folder` is unchanged. If moving the files
    fails, `folder` has no page, so that an earlier page is never combined with later pictures. Raises `InputError` if
    the folder is not writable."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".report-", dir=folder))
        try:
            yield aside
            _move(aside, folder, page)
        finally:
            shutil.rmtree(aside, ignore_errors=True)
    except OSError as error:
        raise InputError(f"the report cannot be written to {folder}: {error.strerror or error}") from error


def _move(aside: Path, folder: Path, page: str) -> None:
    files = sorted(path.relative_to(aside) for path in aside.rglob("*") if path.is_file())
    for parent in sorted({folder / path.parent for path in files}):
        parent.mkdir(parents=True, exist_ok=True)
    (folder / page).unlink(missing_ok=True)
    for path in sorted(files, key=lambda path: path == Path(page)):
        (aside / path).replace(folder / path)


def _write_text(path: Path, text: str) -> None:
    """Write a text file that is the same on every system. Characters that cannot be encoded are replaced."""
    path.write_bytes(text.encode("utf-8", "replace"))


def write_report(
    tables: GameTables,
    rated: Sequence[RatedPlayer],
    folder: Path,
    *,
    title: str = "",
    rating: RatingSettings = USUAL,
    notes: Sequence[str] = (),
    registered: Collection[str] | None = None,
    provenance: StudyProvenance | None = None,
    names: PlayerNames | None = None,
    bounds: DefaultBounds | None = None,
    progress: Progress = lambda name: None,
    catalogue: Catalogue[Any] | None = None,
    pictures: bool = True,
) -> WrittenReport:
    """Write the report of these games into the folder. If that fails, the folder is unchanged. `rated` has the players,
    the best first. `rating` has the settings of their ratings. `notes` are shown before the sentences. If measures are
    `registered`, all other measures are marked as exploratory. `names` are the names in the journal. `bounds` are
    the bounds under defaulted answers. `progress` is called with the name of each finished chart. The `catalogue` is by
    default that of the registered game. Without `pictures`, charts are only part of the page and are not written as
    separate files. Raises `InputError` if there are no games."""
    catalogue = catalogue or catalogue_of(study_of(tables))
    if not len(tables.games):
        raise InputError(f"there are no finished games of {catalogue.study.spoken} to report on")
    # Sentences on exclusions still name excluded players.
    cast = catalogue.cast(tables.all_seats["player"].to_list(), [tables], names)
    measured = {name: measure.function(tables) for name, measure in catalogue.study.measures.items()}
    standings = standings_of(rated)
    rating = rating.for_game(catalogue.study.game)
    board = leaderboard(
        rated,
        rating,
        tables.games.height,
        unit=catalogue.study.game.unit,
        name_of=cast.label,
        measured=measured_columns(catalogue.leaderboard, measured),
    )
    sections = shown_sections(catalogue.sections, measured)
    sources = {**measured, RATINGS: ratings_frame(standings)}
    charts = {
        picture.name: draw_picture(picture, sources[RATINGS if picture.name == RATINGS else picture.source], cast)
        for section in sections
        for picture in section.pictures
    }
    leaders, bounded = page_table(board, cast, group="tier"), _bounds_blocks(bounds, cast)
    page = ReportPage(
        title=title or catalogue.study.title,
        facts=catalogue.facts(tables),
        short=[
            estimand_of(tables),
            *notes,
            *tables.left_out.sentences(cast.label),
            *catalogue.sentences(tables, standings, measured, cast),
        ],
        blocks=_blocks(
            catalogue, sections, charts, leaders, rating_definition(rating_note(rating)), registered, bounded
        ),
        provenance=() if provenance is None else (provenance,),
    )
    written = {RATINGS: board.frame, **measured, **tables.parts}
    if bounds is not None and bounded:
        written["default_bounds"] = bounds.frame
    name_of = (names or PlayerNames.of_players(cast.faces)).of
    files = charts if pictures else {}
    return page.write(folder, files, {name: with_names(table, name_of) for name, table in written.items()}, progress)


def _blocks(
    catalogue: Catalogue[Any],
    sections: Sequence[Section],
    charts: Mapping[str, alt.LayerChart],
    board: ReportTable,
    rating: str,
    registered: Collection[str] | None,
    further: Sequence[Block] = (),
) -> list[Block]:
    """Return the sections of the page. The `further` sections follow those with charts."""
    measures = catalogue.study.measures

    def marked(text: str, name: str) -> str:
        if registered is None:
            return text
        return f"{text} · {'registered' if name in registered else 'exploration'}"

    blocks = [Block("table", "Leaderboard", table=board)]
    for section in sections:
        figures = [
            ReportFigure(
                picture.name,
                marked(picture.heading, picture.source),
                render.embedded(charts[picture.name]),
                rating if picture.name == RATINGS else measures[picture.source].definition,
                picture.dots,
                picture.source,
            )
            for picture in section.pictures
        ]
        blocks.append(Block(section.anchor, section.title, figures))
    entries = [
        ("TrueSkill", rating, ""),
        *((marked(measure.title, name), measure.definition, measure.notes) for name, measure in measures.items()),
    ]
    people = [(figure.quantity, figure.value, ". ".join(filter(None, figure[2:]))) for figure in catalogue.own.people]
    people_block = [Block("people", "People", definitions=people)] if people else []
    return [*blocks, *further, *people_block, Block("definitions", "Definitions", definitions=entries)]


def _bounds_blocks(bounds: DefaultBounds | None, cast: Cast) -> list[Block]:
    """Return the section with the bounds under defaulted answers, if there are any bounds."""
    if bounds is None or bounds.frame.is_empty():
        return []
    table = bounds_table(bounds, cast.label)
    definitions = [("The columns", NOTE, bounds.unbounded_sentence)]
    return [Block(table.name, table.title, table=page_table(table, cast, group="measure"), definitions=definitions)]


def page_table(table: Table, cast: Cast, *, group: str) -> ReportTable:
    """Return a table of players for the page. A line separates rows with different values of the column `group`."""
    columns = [column for column in table.columns if column.heading is not None]
    texts = [place for place, column in enumerate(columns) if not column.number]
    names = next(place for place in texts if columns[place].name == "player")
    rows = []
    for row in table.rows:
        cells = [TableCell(column.text(row)) for column in columns]
        face = cast.faces[row["player"]]
        cells[names] = TableCell(face.label, face.colour)
        rows.append(cells)
    pairs = pairwise(row[group] for row in table.rows)
    breaks = [place for place, pair in enumerate(pairs, start=1) if None not in pair and pair[0] != pair[1]]
    return ReportTable([column.title or column.heading or "" for column in columns], rows, texts, breaks)


TableFormat: TypeAlias = Literal["parquet", "csv"]
Watch: TypeAlias = Callable[[Iterable[KeptGame], int], Iterator[KeptGame]]
"""A function that yields games while they are read, and shows the progress of reading."""


def _unwatched(games: Iterable[KeptGame], planned: int) -> Iterator[KeptGame]:
    return iter(games)


def write_tables(
    journal: Journal,
    output: Path,
    *,
    experiment: str | None = None,
    game: str | None = None,
    only: Collection[str] | None = None,
    kind: TableFormat = "parquet",
    watch: Watch = _unwatched,
) -> int:
    """Write the tables of finished games into a folder, one file for each table. By default, all finished games are
    written; `game` limits them to the game with this id, and `only` limits them to games with these ids. If there are
    several kinds of games, each kind has its own folder. Return the number of games. Raise InputError if no game has
    tables."""
    rows = [row for row in journal.games(experiment) if row.state == FINISHED and game in (None, row.id)]
    rows = rows if only is None else [row for row in rows if row.id in only]
    studies = studies_of(dict.fromkeys(row.game for row in rows), journal)
    if not studies:
        raise InputError("no finished game here has tables; only games with final results do")
    names = journal.names.known()
    for study in studies:
        # Tables of different games may have the same name.
        folder = output if len(studies) == 1 else output / study.command
        ids = [row.id for row in rows if row.game in study.records]
        tables = study.exported(watch(journal.ended.records(ids), len(ids)))
        results = [result for result in journal.ended.results(study.records) if result.id in set(ids)]
        provenance = study_provenance(journal, study, results, typed_command())
        try:
            folder.mkdir(exist_ok=True, parents=folder != output)
        except OSError as error:
            raise InputError(f"the folder {folder} cannot be created: {error.strerror}") from error
        (folder / "provenance.json").write_text(provenance, encoding="utf-8")
        for name, table in tables.items():
            _write(with_names(table, names.of), folder / f"{name}.{kind}", kind)
    known = {name for study in studies for name in study.records}
    return sum(row.game in known for row in rows)


_NESTED: Final = (pl.List, pl.Array, pl.Struct)


def _write(table: pl.DataFrame, path: Path, kind: TableFormat) -> None:
    try:
        if kind == "parquet":
            table.write_parquet(path)
        else:
            nested = [name for name, dtype in table.schema.items() if isinstance(dtype, _NESTED)]
            write_csv(table.with_columns(pl.col(nested).map_elements(str, return_dtype=pl.String)), path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
