"""The export of a session to a folder: tidy tables, tables in oTree's shapes, or transcripts."""

import json
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.charts.families import write_csv
from ostrom.core import InputError
from ostrom.core.files import write_text
from ostrom.core.redaction import Redactor
from ostrom.findings.otree_tables import otree_long, otree_wide
from ostrom.findings.session_data import SessionData, load_session_data, tidy_tables
from ostrom.findings.transcripts import prompts_of, transcripts, write_transcripts
from ostrom.journal.sql import Journal

TRANSCRIPTS: Final = "prompts.jsonl.zip"
SESSION: Final = "session.json"


class SessionFormat(StrEnum):
    """The formats of a session's data."""

    tidy = "tidy"
    otree_wide = "otree-wide"
    otree_long = "otree-long"
    psych_201 = "psych-201"


def export_session(
    journal: Journal, name: str, format_: SessionFormat, folder: Path, *, personal: bool = False
) -> dict[str, int]:
    """Write the data of a session to a new or empty folder. Return the number of rows or lines of each file."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder} exists already; name a new or empty folder")
    data = load_session_data(journal, name, personal=personal)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"the folder {folder} cannot be created: {error.strerror}") from None
    if format_ is SessionFormat.psych_201:
        return {TRANSCRIPTS: write_transcripts(folder / TRANSCRIPTS, transcripts(data, prompts_of(journal, data)))}
    makers = {
        SessionFormat.tidy: tidy_tables,
        SessionFormat.otree_wide: otree_wide,
        SessionFormat.otree_long: otree_long,
    }
    tables: Mapping[str, pl.DataFrame] = makers[format_](data)
    counts = {}
    for table, rows in tables.items():
        write_csv(rows, folder / f"{table}.csv")
        counts[f"{table}.csv"] = rows.height
    if format_ is SessionFormat.tidy:
        write_text(folder / SESSION, json.dumps(_description(data), indent=2) + "\n")
        counts[SESSION] = 1
    return counts


def _description(data: SessionData) -> dict[str, Any]:
    """Return the file of the session with its seed, so that groups and draws can be recomputed. Labels are left out."""
    settings = data.session.settings
    file = data.file.model_dump(mode="json")
    file["session"]["labels"] = []
    described = {"id": data.session.id, "name": data.session.name, "created": data.session.created}
    return {**described, "seed": settings.get("seed"), "file": Redactor().data(file)}
