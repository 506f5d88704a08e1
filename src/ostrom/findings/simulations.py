"""A simulation as an experiment of a journal: what was found, in words, tables and charts, and the games that can be
opened from it. Its games are not stored: each is played again by itself when somebody opens it."""

import gzip
import io
import json
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final, NamedTuple

import polars as pl

from ostrom.analysis.provenance import source_line
from ostrom.charts import render
from ostrom.charts.catalogue import WrittenReport
from ostrom.charts.report import Block, ReportFigure, ReportPage
from ostrom.core import InputError, RecordError, UnknownName
from ostrom.core.command import typed_command
from ostrom.core.files import parse_json
from ostrom.core.game import Game
from ostrom.core.listing import brief
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import Match, play
from ostrom.journal.arrange import MOST_BYTES
from ostrom.journal.engine import at_store
from ostrom.journal.open import open_journal
from ostrom.journal.schema import SIMULATION
from ostrom.journal.sql import Journal
from ostrom.version import VERSION

OPENINGS: Final = "openings"
"""The table of the games that can be opened."""
_ROOM: Final = MOST_BYTES - 2**20
_LARGEST: Final = MOST_BYTES // 2
"""Bytes of one chart or table."""
_OF_A_FILE: Final = re.compile(r"[/\\]|\.[A-Za-z]")
_NAME: Final = re.compile(r"[\w][\w.-]{0,99}")
_ADDRESSES: Final = frozenset({"url", "href"})


class TableShape(NamedTuple):
    """How large a table is."""

    rows: int
    columns: list[str]


class Drawn(NamedTuple):
    """A chart of a simulation."""

    name: str
    heading: str
    chart: render.AnyChart
    table: str = ""
    """The table that it draws, where that does not bear its name."""


@dataclass(frozen=True, repr=False)
class Simulation:
    """What is kept of a simulation."""

    what: str
    """'tournament', 'sweep', 'evolution', 'response', 'exploitability' or 'design'."""
    title: str
    facts: str
    """What was done, in a sentence or two."""
    game: Game | None
    """Nothing where payoffs came from a file."""
    rules: Mapping[str, Any]
    seed: int
    settings: Mapping[str, Any]
    """All else that decides what comes out."""
    charts: Sequence[Drawn]
    tables: Mapping[str, pl.DataFrame]
    openings: pl.DataFrame | None = None
    """Games that can be opened: `opening`, `label`, `rules` and `players` (JSON), and how many `games` it has, which
    are numbered from `first` on."""
    files: Mapping[str, bytes] = field(default_factory=dict)
    """Further files by their names, such as the strategy that was found."""

    def __repr__(self) -> str:
        return f"<Simulation: {brief([self.title])}: {brief(self.tables)}>"

    def keep(self, journal: Journal, name: str = "") -> str:
        """Enter it in a journal; the id of the experiment."""
        charts = {one.name: one.chart.to_dict(validate=False) for one in self.charts}
        content: dict[str, bytes] = {f"files/{each}": data for each, data in self.files.items()}
        left_out: list[str] = []
        used = sum(map(len, content.values()))
        parts = {f"charts/{each}.json.gz": _packed(spec) for each, spec in charts.items()}
        tables = {**self.tables, **({} if self.openings is None else {OPENINGS: self.openings})}
        parts |= {f"tables/{each}.parquet": _parquet(table) for each, table in tables.items()}
        # Small ones first, so that one table of millions of rows does not keep out all others.
        for each, data in sorted(parts.items(), key=lambda item: len(item[1])):
            if len(data) > _LARGEST or used + len(data) > _ROOM:
                left_out.append(each.partition("/")[2].partition(".")[0])
            else:
                content[each], used = data, used + len(data)
        told = {
            **{part: getattr(self, part) for part in ("what", "title", "facts", "seed")},
            "game": None if self.game is None else self.game.name,
            "rules": dict(self.rules),
            "settings": dict(self.settings),
            "charts": [
                {"name": one.name, "heading": one.heading, "table": one.table or one.name}
                for one in self.charts
                if f"charts/{one.name}.json.gz" in content
            ],
            "tables": {
                each: {"rows": table.height, "columns": table.columns}
                for each, table in tables.items()
                if f"tables/{each}.parquet" in content
            },
            "left_out": left_out,
        }
        settings = {SIMULATION: told, "made": {"command": typed_command(), "version": VERSION}}
        title = name or self.title
        return journal.new_experiment(title, kind=SIMULATION, settings=settings, planned=0, attachments=content)


def keep_in(store: str | None, simulation: Simulation, name: str = "") -> str:
    """Enter a simulation in the journal of a URL or path, which is made where there is none."""
    with open_journal(store, create=True) as journal:
        return simulation.keep(journal, name)


def kept_line(experiment: str, store: str | None) -> str:
    """Where a simulation was kept, for people."""
    return f"kept in the journal as {experiment}; to see it: ostrom serve{at_store(store)}"


def openings_of(
    rows: Sequence[tuple[str, Mapping[str, Any], Sequence[str]]], games: int = 1, first: int = 0
) -> pl.DataFrame:
    """The table of games that can be opened: labels, rules and who sits at the table. Every opening has as many
    games."""
    return pl.DataFrame(
        {
            "opening": list(range(len(rows))),
            "label": [label for label, _, _ in rows],
            "rules": [json.dumps(dict(rules)) for _, rules, _ in rows],
            "players": [json.dumps(list(players)) for _, _, players in rows],
            "games": [games] * len(rows),
            "first": [first] * len(rows),
        }
    )


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
                text = stream.read(8 * MOST_BYTES)
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
        # A journal that somebody handed on must not have files of this machine read.
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
            **{f"{name}.parquet": _parquet(self.table(name)) for name in self.tables},
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


def _packed(spec: Mapping[str, Any]) -> bytes:
    bare = {name: value for name, value in spec.items() if name != "config"}
    text = json.dumps(bare, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode("utf-8", "replace"), mtime=0)


def _parquet(table: pl.DataFrame) -> bytes:
    stream = io.BytesIO()
    table.write_parquet(stream)
    return stream.getvalue()


def _names_address(value: Any) -> bool:
    """Whether a specification would have something fetched or opened."""
    if isinstance(value, dict):
        return any(name in _ADDRESSES or _names_address(each) for name, each in value.items())
    return isinstance(value, list) and any(map(_names_address, value))
