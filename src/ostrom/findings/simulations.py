"""Findings that a journal keeps as experiments: summary, tables and charts, and the games that can be opened from them.
Games are not stored: each is played again when it is opened."""

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

_OF_A_FILE: Final = re.compile(r"[/\\]|\.[A-Za-z]")
_NAME: Final = re.compile(r"[\w][\w.-]{0,99}")
_ADDRESSES: Final = frozenset({"url", "href"})


class TableShape(NamedTuple):
    """How large a table is."""

    rows: int
    columns: list[str]


@dataclass(frozen=True)
class KeptSimulation:
    """A simulation of a journal."""

    journal: Journal
    experiment: str
    told: Mapping[str, Any]
    made: Mapping[str, Any]

    @classmethod
    def of(cls, journal: Journal, experiment: str) -> "KeptSimulation | None":
        """The simulation that an experiment is; nothing where it is none."""
        settings = journal.settings(experiment)
        told, made = settings.get(SIMULATION), settings.get("made")
        if not isinstance(told, dict) or not isinstance(told.get("charts"), list):
            return None
        return cls(journal, journal.experiment_id(experiment), told, made if isinstance(made, dict) else {})

    @cached_property
    def charts(self) -> list[dict[str, str]]:
        """Name, heading and table of every chart."""
        found = [one for one in self.told["charts"] if isinstance(one, dict) and _is_name(one.get("name"))]
        return [{part: str(one.get(part) or one["name"]) for part in ("name", "heading", "table")} for one in found]

    @cached_property
    def tables(self) -> list[str]:
        """The names of its tables."""
        found = self.told.get("tables")
        return [name for name in found if _is_name(name)] if isinstance(found, dict) else []

    @cached_property
    def rules(self) -> dict[str, Any]:
        """The rules that did not vary."""
        found = self.told.get("rules")
        return found if isinstance(found, dict) else {}

    @cached_property
    def left_out(self) -> list[str]:
        """Charts and tables that were too large for the journal."""
        found = self.told.get("left_out")
        return [str(one) for one in found] if isinstance(found, list) else []

    def shapes(self) -> dict[str, TableShape]:
        """How large each table is; none is read for it."""
        try:
            about = {name: self.told["tables"][name] for name in self.tables}
            return {name: TableShape(int(one["rows"]), list(map(str, one["columns"]))) for name, one in about.items()}
        except (LookupError, TypeError, ValueError):
            raise self._damage("its tables are not described") from None

    def chart(self, name: str) -> render.StoredChart:
        """One of its charts."""
        if name not in [one["name"] for one in self.charts]:
            raise UnknownName(
                "chart", name, [one["name"] for one in self.charts], catalogue="its simulation lists them"
            )
        data = self._read(f"charts/{name}.json.gz")
        try:
            with gzip.open(io.BytesIO(data)) as stream:
                text = stream.read(8 * MAX_ATTACHMENT_BYTES)
            spec = parse_json(text)
        except (OSError, EOFError, zlib.error, ValueError) as error:
            raise self._damage(f"chart {name}: {error}") from None
        if not isinstance(spec, dict) or _names_address(spec):
            raise self._damage(f"chart {name}: it is no chart, or names an address")
        return render.StoredChart(spec)

    def table(self, name: str) -> pl.DataFrame:
        """One of its tables."""
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
        """Play a game of the simulation by itself, with every turn."""
        rows = self.table(OPENINGS) if OPENINGS in self.tables else pl.DataFrame({"opening": []})
        found = rows.filter(pl.col("opening") == opening)
        if not found.height:
            raise InputError(f"{self.experiment} has no game {opening} to open; it has {rows.height:,}")
        try:
            row = found.row(0, named=True)
            rules, players = json.loads(row["rules"]), json.loads(row["players"])
            games, first, seed = int(row["games"]), int(row["first"]), int(self.told["seed"])
            game, names = GAMES[self.told["game"]], [str(name) for name in players]
            chosen = game.rules.model_validate(rules)
        except (LookupError, TypeError, ValueError) as error:
            raise self._damage(f"opening {opening}: {error}") from None
        if not 0 <= number < games:
            raise InputError(f"there is no game {number}; there are games 0 to {games - 1}")
        # A journal from another source must not cause files of this machine to be read.
        if strange := [name for name in names if _OF_A_FILE.search(name.partition(":")[2])]:
            raise InputError(f"{strange[0]} is read from a file; type the command of the simulation to play with it")
        return play(names, game=game, rules=chosen, seed=seed, number=first + number)

    @property
    def source(self) -> str:
        """What stands below its pictures: what it is, which games, and when it was entered."""
        head = next(row for row in self.journal.ended.experiment_heads() if row["id"] == self.experiment)
        return source_line(str(self.told.get("title")), str(self.told.get("facts", "")), day=str(head["created"])[:10])

    def write(self, folder: Path, progress: Callable[[str], None] = lambda name: None) -> WrittenReport:
        """Write its report: a page with all charts, the pictures and the tables."""
        charts: dict[str, render.AnyChart] = {one["name"]: self.chart(one["name"]) for one in self.charts}
        figures = [
            ReportFigure(
                one["name"],
                one["heading"],
                render.embedded(charts[one["name"]]),
                table=one["table"],
            )
            for one in self.charts
        ]
        made = [
            ("Made", f"by Ostrom {self.made.get('version')}", str(self.made.get("command") or "")),
            ("Seed", str(self.told.get("seed")), ""),
            ("Rules", json.dumps(self.told.get("rules")), ""),
            ("Settings", json.dumps(self.told.get("settings")), ""),
        ]
        if self.left_out:
            made.append(("Left out", ", ".join(self.left_out), "too large for a journal"))
        title = str(self.told.get("title"))
        blocks = [Block("simulation", "Charts", figures), Block("provenance", "Provenance", definitions=made)]
        short = [f"{figure.chart.title}." for figure in figures if figure.chart.title]
        page = ReportPage(title, str(self.told.get("facts", "")), short, blocks, source=self.source)
        return page.write(folder, charts, {name: self.table(name) for name in self.tables}, progress)

    def export(self, folder: Path) -> int:
        """Write its tables (Parquet), its charts (Vega-Lite), its files and what decided it into a folder; how many."""
        told = {"simulation": dict(self.told), "made": dict(self.made)}
        content = {
            "simulation.json": json.dumps(told, indent=1).encode(),
            **{f"{name}.parquet": parquet_bytes(self.table(name)) for name in self.tables},
            **{f"{one['name']}.vl.json": json.dumps(self.chart(one["name"]).to_dict()).encode() for one in self.charts},
            **self.files(),
        }
        try:
            folder.mkdir(exist_ok=True)
            for name, data in content.items():
                if Path(name).name != name:
                    raise self._damage(f"{name!r} is no name of a file")
                (folder / name).write_bytes(data)
        except OSError as error:
            raise InputError(f"the simulation cannot be written to {folder}: {error.strerror}") from error
        return len(content)

    def _read(self, name: str) -> bytes:
        try:
            return self.journal.attachments.read(self.experiment, name)
        except UnknownName as error:
            raise self._damage(str(error)) from None

    def _damage(self, what: str) -> RecordError:
        return RecordError(f"the simulation {self.experiment} is damaged: {what}")


def _is_name(value: object) -> bool:
    """Whether a journal's name of a chart or table can be that of a file, and of nothing above its folder."""
    return isinstance(value, str) and bool(_NAME.fullmatch(value))


def _names_address(value: Any) -> bool:
    """Whether a specification would have something fetched or opened."""
    if isinstance(value, dict):
        return any(name in _ADDRESSES or _names_address(each) for name, each in value.items())
    return isinstance(value, list) and any(map(_names_address, value))
