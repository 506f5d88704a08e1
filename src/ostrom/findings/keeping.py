"""Keeps a finding as an experiment of a journal: the tables as Parquet and the charts as specifications among its
attachments, and the games that can be opened from it."""

import gzip
import io
import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import polars as pl

from ostrom.core.command import at_store, typed_command
from ostrom.core.errors import InputError
from ostrom.core.finding import Finding, Opening
from ostrom.journal.arrange import MAX_ATTACHMENT_BYTES
from ostrom.journal.engine import printable_url
from ostrom.journal.open import open_journal
from ostrom.journal.schema import SIMULATION
from ostrom.journal.sql import Journal
from ostrom.version import VERSION

OPENINGS: Final = "openings"
"""The table of the games that can be opened."""
MAX_TOTAL_BYTES: Final = MAX_ATTACHMENT_BYTES - 2**20
MAX_PART_BYTES: Final = MAX_ATTACHMENT_BYTES // 2
"""Bytes of one chart or table."""


def keep_finding(finding: Finding, store: str | None, name: str = "") -> str:
    """Enter a finding in the journal of a URL or path, which is created if there is none, for list, report, export and
    the pages. Return the experiment's id. It is on no leaderboard."""
    if not isinstance(finding, Finding):
        raise InputError(f"a journal keeps findings of simulations, not {type(finding).__name__}")
    with open_journal(store, create=True) as journal:
        return enter_finding(finding, journal, name)


def enter_finding(finding: Finding, journal: Journal, name: str = "") -> str:
    """Enter a finding in a journal. Return the experiment's id."""
    files = {} if finding.files is None else finding.files()
    content = {f"files/{each}": data for each, data in files.items()}
    tables = dict(finding.tables)
    if finding.openings is not None:
        tables[OPENINGS] = openings_frame(finding.openings())
    parts = {
        f"charts/{entry.name}.json.gz": _packed(entry.chart(finding).to_dict(validate=False))
        for entry in finding.chart_entries
    }
    parts |= {f"tables/{each}.parquet": parquet_bytes(table) for each, table in tables.items()}
    left_out = _add_within_limits(content, parts)
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
            each: {"rows": table.height, "columns": table.columns}
            for each, table in tables.items()
            if f"tables/{each}.parquet" in content
        },
        "left_out": left_out,
    }
    settings = {SIMULATION: description, "made": {"command": typed_command(), "version": VERSION}}
    title = name or finding.title
    return journal.new_experiment(title, kind=SIMULATION, settings=settings, planned=0, attachments=content)


def _add_within_limits(content: dict[str, bytes], parts: Mapping[str, bytes]) -> list[str]:
    """Add parts to the content while there is room. Return the names of those that were left out."""
    left_out: list[str] = []
    used = sum(map(len, content.values()))
    # Small parts come first, so that one table of millions of rows does not keep out all others.
    for name, data in sorted(parts.items(), key=lambda item: len(item[1])):
        if len(data) > MAX_PART_BYTES or used + len(data) > MAX_TOTAL_BYTES:
            left_out.append(name.partition("/")[2].partition(".")[0])
        else:
            content[name] = data
            used += len(data)
    return left_out


def stored_line(experiment: str, store: str | None) -> str:
    """Return where a finding was kept, for people."""
    return f"kept in the journal as {experiment}; to see it: ostrom serve{at_store(printable_url(store))}"


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


def _packed(spec: Mapping[str, Any]) -> bytes:
    bare = {name: value for name, value in spec.items() if name != "config"}
    text = json.dumps(bare, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return gzip.compress(text.encode("utf-8", "replace"), mtime=0)


def parquet_bytes(table: pl.DataFrame) -> bytes:
    """Return a table as a Parquet file."""
    stream = io.BytesIO()
    table.write_parquet(stream)
    return stream.getvalue()
