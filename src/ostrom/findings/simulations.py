"""Findings that are stored in a journal as experiments: summary, tables, charts, and games that can be opened. The
games are not stored: each is played again when it is opened."""

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from ostrom.analysis.provenance import source_line
from ostrom.charts import render
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.report import Block, ReportFigure, ReportPage
from ostrom.core import InputError, RecordError, UnknownName
from ostrom.core.files import parse_json
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import Match, play
from ostrom.findings.keeping import OPENINGS, parquet_bytes
from ostrom.journal.arrange import MAX_ATTACHMENT_BYTES
from ostrom.journal.schema import SIMULATION
from ostrom.journal.sql import Journal

_FILE_PATTERN: Final = re.compile(r"[/\\]|\.[A-Za-z]")
_NAME_PATTERN: Final = re.compile(r"[\w][\w.-]{0,99}")
_ADDRESS_KEYS: Final = frozenset({"url", "href"})


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
        """Name, heading and table of every chart."""
        return [
            {part: str(chart.get(part) or chart["name"]) for part in ("name", "heading", "table")}
            for chart in self.description["charts"]
            if isinstance(chart, dict) and _is_file_name(chart.get("name"))
        ]

    @cached_property
    def tables(self) -> list[str]:
        """The names of its tables."""
        tables = self.description.get("tables")
        return [name for name in tables if _is_file_name(name)] if isinstance(tables, dict) else []

    @cached_property
    def rules(self) -> dict[str, Any]:
        """The rules that did not vary."""
        rules = self.description.get("rules")
        return rules if isinstance(rules, dict) else {}

    @cached_property
    def left_out(self) -> list[str]:
        """Charts and tables that were too large for the journal."""
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

    def chart(self, name: str) -> render.StoredChart:
        """Read a chart. Raise UnknownName if there is none of this name, and RecordError if it is damaged."""
        names = [chart["name"] for chart in self.charts]
        if name not in names:
            raise UnknownName("chart", name, names, catalogue="its simulation lists them")
        data = self._read(f"charts/{name}.json.gz")
        try:
            with gzip.open(io.BytesIO(data)) as stream:
                text = stream.read(8 * MAX_ATTACHMENT_BYTES)
            spec = parse_json(text)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            raise self._damage(f"chart {name}: {error}") from None
        if not isinstance(spec, dict) or _has_address(spec):
            raise self._damage(f"chart {name}: not a chart, or it refers to an address")
        return render.StoredChart(spec)

    def table(self, name: str) -> pl.DataFrame:
        """Read a table. Raise UnknownName if there is none of this name, and RecordError if it is damaged."""
        if name not in self.tables:
            raise UnknownName("table", name, self.tables, catalogue="its simulation lists them")
        try:
            return pl.read_parquet(io.BytesIO(self._read(f"tables/{name}.parquet")))
        except (pl.exceptions.PolarsError, OSError, ValueError) as error:
            raise self._damage(f"table {name}: {error}") from None

    def files(self) -> dict[str, bytes]:
        """Further files by their names."""
        names = [name for name in self.journal.attachments.sizes(self.experiment) if name.startswith("files/")]
        return {Path(name).name: self._read(name) for name in names}

    def open(self, opening: int, number: int = 0) -> Match:
        """Play one game of the simulation, with every turn."""
        rows = self.table(OPENINGS) if OPENINGS in self.tables else pl.DataFrame({"opening": []})
        matching = rows.filter(pl.col("opening") == opening)
        if not matching.height:
            raise InputError(f"{self.experiment} has no game {opening} to open; it has {rows.height:,}")
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
        # A journal from another source must not cause files of this machine to be read.
        if from_files := [name for name in names if _FILE_PATTERN.search(name.partition(":")[2])]:
            raise InputError(f"{from_files[0]} is read from a file; type the command of the simulation to play with it")
        return play(names, game=game, rules=rules, seed=seed, number=first + number)

    @property
    def source(self) -> str:
        """The source line of its charts: title, facts and the day of its entry."""
        head = next(row for row in self.journal.ended.experiment_heads() if row["id"] == self.experiment)
        return source_line(
            str(self.description.get("title")), str(self.description.get("facts", "")), day=str(head["created"])[:10]
        )

    def write(self, folder: Path, progress: Callable[[str], None] = lambda name: None) -> WrittenReport:
        """Write its report: a page with all charts, the pictures and the tables."""
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
        title = str(self.description.get("title"))
        blocks = [Block("simulation", "Charts", figures), Block("provenance", "Provenance", definitions=definitions)]
        summary = [f"{figure.chart.title}." for figure in figures if figure.chart.title]
        page = ReportPage(title, str(self.description.get("facts", "")), summary, blocks, source=self.source)
        return page.write(folder, charts, {name: self.table(name) for name in self.tables}, progress)

    def export(self, folder: Path) -> int:
        """Write its tables (Parquet), charts (Vega-Lite), files and settings to a folder; return their number."""
        document = {"simulation": dict(self.description), "made": dict(self.provenance)}
        chart_names = [chart["name"] for chart in self.charts]
        content = {
            "simulation.json": json.dumps(document, indent=1).encode(),
            **{f"{name}.parquet": parquet_bytes(self.table(name)) for name in self.tables},
            **{f"{name}.vl.json": json.dumps(self.chart(name).to_dict()).encode() for name in chart_names},
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


def _is_file_name(value: object) -> bool:
    """Return whether the name of a chart or table is a plain file name, without a path."""
    return isinstance(value, str) and bool(_NAME_PATTERN.fullmatch(value))


def _has_address(value: Any) -> bool:
    """Return whether a chart specification would fetch or link an address."""
    if isinstance(value, dict):
        return any(name in _ADDRESS_KEYS or _has_address(child) for name, child in value.items())
    return isinstance(value, list) and any(map(_has_address, value))
