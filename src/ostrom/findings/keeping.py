"""Stores a finding as an experiment of a journal. The experiment's attachments are the tables as Parquet, the charts as
data from which they are drawn again, and the list of games that can be opened. Such an experiment is read as a
`StoredSimulation`. Its games are not stored: each game is played again when it is opened."""

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from ostrom.analysis.provenance import source_line
from ostrom.charts import dynamics, evolution, render, simulations, sweeps
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.drawings import DrawingError, record, redraw
from ostrom.charts.report import Block, ReportFigure, ReportPage
from ostrom.core import InputError, RecordError, UnknownName
from ostrom.core.command import at_store, typed_command
from ostrom.core.entry_points import named_files_as_plugins
from ostrom.core.files import parse_json
from ostrom.core.finding import Finding, Opening
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import Match, play
from ostrom.journal.arrange import MAX_ATTACHMENT_BYTES
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.journal.schema import SIMULATION
from ostrom.journal.sql import Journal
from ostrom.version import VERSION

OPENINGS: Final = "openings"
"""The name of the table that lists the games that can be opened."""
DRAWINGS_FORM: Final = 1
"""The version of the format in which charts are stored. A chart is stored as the name of a drawing function and its
arguments."""
_MAX_DRAWING_BYTES: Final = 32 * 2**20
"""The largest size in bytes of the data of one chart after decompression."""
_MAX_CELLS: Final = 50_000_000
_MAX_TABLE_BYTES: Final = 512 * 2**20
"""The largest size in bytes of one table in memory."""
_ROWS_AT_ONCE: Final = 500_000
DRAWING_MODULES: Final = (dynamics, evolution, simulations, sweeps)
"""The modules whose functions draw stored charts."""
MAX_TOTAL_BYTES: Final = MAX_ATTACHMENT_BYTES - 2**20
MAX_PART_BYTES: Final = MAX_ATTACHMENT_BYTES // 2
"""The largest size in bytes of one stored chart or table."""


def keep_finding(finding: Finding, store: str | None, name: str = "") -> str:
    """Enter a finding in the journal at a URL or path, and return the experiment's id. The journal is created if it
    does not exist. The commands list, report and export and the pages show the finding. Leaderboards leave it out."""
    if not isinstance(finding, Finding):
        raise InputError(f"a journal keeps findings of simulations, not {type(finding).__name__}")
    with open_journal(store, create=True) as journal:
        return enter_finding(finding, journal, name)


def enter_finding(finding: Finding, journal: Journal, name: str = "") -> str:
    """Enter a finding in a journal, and return the experiment's id. An earlier run of the same command may have entered
    the same finding before it was killed. If so, return the id of that experiment."""
    files = {} if finding.files is None else finding.files()
    content = {f"files/{file}": data for file, data in files.items()}
    tables = dict(finding.tables)
    if finding.openings is not None:
        tables[OPENINGS] = openings_frame(finding.openings())
    parts, left_out = _drawings(finding)
    parts |= {f"tables/{table_name}.parquet": parquet_bytes(table) for table_name, table in tables.items()}
    left_out += _add_within_limits(content, parts)
    description = {
        "what": finding.verb,
        "title": finding.title,
        "facts": finding.summary,
        "seed": finding.seed,
        "game": None if finding.game is None else finding.game.name,
        "rules": dict(finding.rules),
        "settings": dict(finding.settings),
        "charts": [
            {"name": entry.name, "heading": entry.heading, "table": entry.table or entry.name}
            for entry in finding.chart_entries
            if f"charts/{entry.name}.json.gz" in content
        ],
        "tables": {
            table_name: {"rows": table.height, "columns": table.columns}
            for table_name, table in tables.items()
            if f"tables/{table_name}.parquet" in content
        },
        "left_out": left_out,
        "drawings": DRAWINGS_FORM,
    }
    settings = {SIMULATION: description, "made": {"command": typed_command(), "version": VERSION}}
    title = name or finding.title
    if (present := _same_simulation(journal, title, settings, content)) is not None:
        return present
    return journal.new_experiment(title, kind=SIMULATION, settings=settings, planned=0, attachments=content)


def _same_simulation(
    journal: Journal, title: str, settings: Mapping[str, Any], content: Mapping[str, bytes]
) -> str | None:
    """Return the id of the simulation with this title, these settings and this content, or None if there is none."""
    plain = json.loads(json.dumps(settings, default=str))
    for row in journal.experiments():
        if row.kind == SIMULATION and row.name == title and dict(row.settings) == plain:
            files = journal.attachments
            same_sizes = files.sizes(row.id) == {key: len(data) for key, data in content.items()}
            if same_sizes and all(files.read(row.id, key) == data for key, data in content.items()):
                return row.id
    return None


def _add_within_limits(content: dict[str, bytes], parts: Mapping[str, bytes]) -> list[str]:
    """Add parts to the content while there is space. Return the names of the parts that were left out."""
    left_out: list[str] = []
    used = sum(map(len, content.values()))
    # Small parts come first, so that a table of millions of rows does not displace all others.
    for name, data in sorted(parts.items(), key=lambda item: len(item[1])):
        if len(data) > MAX_PART_BYTES or used + len(data) > MAX_TOTAL_BYTES:
            left_out.append(name.partition("/")[2].partition(".")[0])
        else:
            content[name] = data
            used += len(data)
    return left_out


def stored_line(experiment: str, store: str | None) -> str:
    """Return a line for people that says where a finding was stored."""
    options = f"{named_files_as_plugins()}{at_store(printable_url(store))}"
    return f"kept in the journal as {experiment}; to see it: ostrom serve{options}"


def openings_frame(openings: Sequence[Opening]) -> pl.DataFrame:
    """Return the table of games that can be opened: labels, rules, players, and the numbers of the games."""
    return pl.DataFrame(
        {
            "opening": list(range(len(openings))),
            "label": [opening.label for opening in openings],
            "rules": [json.dumps(dict(opening.rules)) for opening in openings],
            "players": [json.dumps(list(opening.players)) for opening in openings],
            "games": [opening.games for opening in openings],
            "first": [opening.first for opening in openings],
        }
    )


def _drawings(finding: Finding) -> tuple[dict[str, bytes], list[str]]:
    """Return the charts as data from which they are drawn again, and the names of charts that are too large."""
    parts: dict[str, bytes] = {}
    left_out: list[str] = []
    for entry in finding.chart_entries:
        try:
            parts[f"charts/{entry.name}.json.gz"] = _packed(record(partial(entry.chart, finding)))
        except DrawingError:
            left_out.append(entry.name)
    return parts, left_out


def _packed(document: Mapping[str, Any]) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode("utf-8", "replace"), mtime=0)


def parquet_bytes(table: pl.DataFrame) -> bytes:
    """Return a table as a Parquet file."""
    stream = io.BytesIO()
    table.write_parquet(stream)
    return stream.getvalue()


_FILE_PATTERN: Final = re.compile(r"[/\\]|\.[A-Za-z]")
_NAME_PATTERN: Final = re.compile(r"[\w][\w.-]{0,99}")


class TableShape(NamedTuple):
    """The size of a table."""

    rows: int
    columns: list[str]


@dataclass(frozen=True)
class StoredSimulation:
    """A simulation in a journal."""

    journal: Journal
    experiment: str
    description: Mapping[str, Any]
    provenance: Mapping[str, Any]

    @classmethod
    def of(cls, journal: Journal, experiment: str) -> "StoredSimulation | None":
        """Return the simulation of an experiment, or None if it is not a simulation."""
        settings = journal.settings(experiment)
        description = settings.get(SIMULATION)
        if not isinstance(description, dict) or not isinstance(description.get("charts"), list):
            return None
        provenance = settings.get("made")
        if not isinstance(provenance, dict):
            provenance = {}
        return cls(journal, journal.experiment_id(experiment), description, provenance)

    @cached_property
    def charts(self) -> list[dict[str, str]]:
        """The name, heading and table of every chart that can be drawn."""
        return self._described_charts if self.description.get("drawings") == DRAWINGS_FORM else []

    @cached_property
    def outdated(self) -> list[str]:
        """The names of charts that an older version stored in another format."""
        return [] if self.charts else [chart["heading"] for chart in self._described_charts]

    @cached_property
    def _described_charts(self) -> list[dict[str, str]]:
        return [
            {part: str(chart.get(part) or chart["name"]) for part in ("name", "heading", "table")}
            for chart in self.description["charts"]
            if isinstance(chart, dict) and _is_file_name(chart.get("name"))
        ]

    @cached_property
    def tables(self) -> list[str]:
        """The names of the simulation's tables."""
        tables = self.description.get("tables")
        return [name for name in tables if _is_file_name(name)] if isinstance(tables, dict) else []

    @cached_property
    def rules(self) -> dict[str, Any]:
        """The rules that did not vary."""
        rules = self.description.get("rules")
        return rules if isinstance(rules, dict) else {}

    @cached_property
    def left_out(self) -> list[str]:
        """The names of charts and tables that were too large for the journal."""
        names = self.description.get("left_out")
        return [str(name) for name in names] if isinstance(names, list) else []

    def shapes(self) -> dict[str, TableShape]:
        """Return the size of each table, without reading it."""
        try:
            shapes = {name: self.description["tables"][name] for name in self.tables}
            return {
                name: TableShape(int(shape["rows"]), [str(column) for column in shape["columns"]])
                for name, shape in shapes.items()
            }
        except (LookupError, TypeError, ValueError):
            raise self._damage("its tables are not described") from None

    def chart(self, name: str) -> render.AnyChart:
        """Draw a chart from its stored data. Raise UnknownName if there is no chart with this name, and RecordError if
        the data are damaged."""
        names = [chart["name"] for chart in self.charts]
        if name not in names:
            raise UnknownName("chart", name, names, catalogue="its simulation lists them")
        data = self._read(f"charts/{name}.json.gz")
        try:
            with gzip.open(io.BytesIO(data)) as stream:
                text = stream.read(_MAX_DRAWING_BYTES + 1)
            if len(text) > _MAX_DRAWING_BYTES:
                raise ValueError(f"it has more than {_MAX_DRAWING_BYTES >> 20} MiB")
            chart: render.AnyChart = redraw(parse_json(text))
        except (OSError, EOFError, zlib.error, ValueError, DrawingError) as error:
            raise self._damage(f"chart {name}: {error}") from None
        return chart

    def table(self, name: str) -> pl.DataFrame:
        """Read a table. Raise UnknownName if there is no table with this name, and RecordError if the table is
        damaged."""
        if name not in self.tables:
            raise UnknownName("table", name, self.tables, catalogue="its simulation lists them")
        try:
            return read_bounded_parquet(self._read(f"tables/{name}.parquet"))
        except (pl.exceptions.PolarsError, OSError, ValueError) as error:
            raise self._damage(f"table {name}: {error}") from None

    def files(self) -> dict[str, bytes]:
        """Further files of the simulation, by name."""
        names = [name for name in self.journal.attachments.sizes(self.experiment) if name.startswith("files/")]
        return {Path(name).name: self._read(name) for name in names}

    def open(self, opening: int, number: int = 0) -> Match:
        """Play one game of the simulation again, with every turn."""
        rows = self.table(OPENINGS) if OPENINGS in self.tables else pl.DataFrame({"opening": []})
        matching = rows.filter(pl.col("opening") == opening)
        if not matching.height:
            raise InputError(
                f"{self.experiment} has no game {opening} to open; the number of its games is {rows.height:,}"
            )
        try:
            row = matching.row(0, named=True)
            games = int(row["games"])
            first = int(row["first"])
            seed = int(self.description["seed"])
            game = GAMES[self.description["game"]]
            names = [str(name) for name in json.loads(row["players"])]
            rules = game.rules.model_validate(json.loads(row["rules"]))
        except (LookupError, TypeError, ValueError) as error:
            raise self._damage(f"opening {opening}: {error}") from None
        if not 0 <= number < games:
            raise InputError(f"there is no game {number}; there are games 0 to {games - 1}")
        # A journal from another source must not be able to make this machine read its own files.
        if from_files := [name for name in names if _FILE_PATTERN.search(name.partition(":")[2])]:
            raise InputError(
                f"the player {from_files[0]} is read from a file; to play with it, run the command of the simulation "
                "again"
            )
        return play(names, game=game, rules=rules, seed=seed, number=first + number)

    @property
    def source(self) -> str:
        """The source line of its charts: title, facts and the day of its entry."""
        head = next(row for row in self.journal.ended.experiment_heads() if row["id"] == self.experiment)
        return source_line(
            str(self.description.get("title")), str(self.description.get("facts", "")), day=str(head["created"])[:10]
        )

    def write(self, folder: Path, progress: Callable[[str], None] = lambda name: None) -> WrittenReport:
        """Write the simulation's report: a page with all charts, the pictures and the tables."""
        charts: dict[str, render.AnyChart] = {entry["name"]: self.chart(entry["name"]) for entry in self.charts}
        figures = [
            ReportFigure(entry["name"], entry["heading"], render.embedded(charts[entry["name"]]), table=entry["table"])
            for entry in self.charts
        ]
        definitions = [
            ("Made", f"by Ostrom {self.provenance.get('version')}", str(self.provenance.get("command") or "")),
            ("Seed", str(self.description.get("seed")), ""),
            ("Rules", json.dumps(self.description.get("rules")), ""),
            ("Settings", json.dumps(self.description.get("settings")), ""),
        ]
        if self.left_out:
            definitions.append(("Left out", ", ".join(self.left_out), "too large for a journal"))
        if self.outdated:
            definitions.append(("Not drawn", ", ".join(self.outdated), "stored by an older version; run it again"))
        title = str(self.description.get("title"))
        blocks = [Block("simulation", "Charts", figures), Block("provenance", "Provenance", definitions=definitions)]
        summary = [f"{figure.chart.title}." for figure in figures if figure.chart.title]
        page = ReportPage(title, str(self.description.get("facts", "")), summary, blocks, source=self.source)
        return page.write(folder, charts, {name: self.table(name) for name in self.tables}, progress)

    def export(self, folder: Path) -> int:
        """Write the tables (Parquet), charts (Vega-Lite), files and settings to a folder. Return the number of
        files."""
        document = {"simulation": dict(self.description), "made": dict(self.provenance)}
        specifications = {entry["name"]: self.chart(entry["name"]).to_dict(validate=False) for entry in self.charts}
        content = {
            "simulation.json": json.dumps(document, indent=1).encode(),
            **{f"{name}.parquet": parquet_bytes(self.table(name)) for name in self.tables},
            **{f"{name}.vl.json": json.dumps(chart).encode() for name, chart in specifications.items()},
            **self.files(),
        }
        try:
            folder.mkdir(exist_ok=True)
            for name, data in content.items():
                if Path(name).name != name:
                    raise self._damage(f"{name!r} is not a valid file name")
                (folder / name).write_bytes(data)
        except OSError as error:
            raise InputError(f"{folder} is not writable: {error.strerror}") from error
        return len(content)

    def _read(self, name: str) -> bytes:
        try:
            return self.journal.attachments.read(self.experiment, name)
        except UnknownName as error:
            raise self._damage(str(error)) from None

    def _damage(self, reason: str) -> RecordError:
        return RecordError(f"the simulation {self.experiment} is damaged: {reason}")


def read_bounded_parquet(data: bytes) -> pl.DataFrame:
    """Read a table. Raise ValueError if it is larger than any table that the lab stores. The size is checked before the
    table is loaded into memory, since a few bytes of Parquet can represent millions of rows."""
    schema = pl.read_parquet_schema(io.BytesIO(data))
    if nested := [name for name, kind in schema.items() if kind.is_nested() or kind == pl.Object]:
        raise ValueError(f"its column {nested[0][:40]!r} has lists")
    rows = int(pl.scan_parquet(io.BytesIO(data)).select(pl.len()).collect().item())
    cells = rows * max(1, len(schema))
    if cells > _MAX_CELLS:
        raise ValueError(f"it has {cells:,} cells; a stored table has at most {_MAX_CELLS:,}")
    parts: list[pl.DataFrame] = []
    size = 0
    for first in range(0, max(rows, 1), _ROWS_AT_ONCE):
        part = (
            pl.read_parquet(io.BytesIO(data), n_rows=_ROWS_AT_ONCE)
            if rows <= _ROWS_AT_ONCE
            else (pl.scan_parquet(io.BytesIO(data)).slice(first, _ROWS_AT_ONCE).collect())
        )
        size += int(part.estimated_size())
        if size > _MAX_TABLE_BYTES:
            raise ValueError(f"it has more than {_MAX_TABLE_BYTES >> 20} MiB")
        parts.append(part)
    return pl.concat(parts)


def _is_file_name(value: object) -> bool:
    """Return whether the name of a chart or table is a plain file name, without a path."""
    return isinstance(value, str) and bool(_NAME_PATTERN.fullmatch(value))
