"""`ostrom import study` reads published data of people: replayed games go to the journal, decisions to tables."""

from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import InputError
from ostrom.core.errors import UnknownName
from ostrom.core.files import check_folder
from ostrom.core.finding import Column, Finding, Table, number
from ostrom.core.game import imported
from ostrom.core.listing import brief
from ostrom.core.text import number_of
from ostrom.experiment.store import keep
from ostrom.importers import experiment_of
from ostrom.importers.studies import STUDIES
from ostrom.importers.studies.psych201 import load_patterns
from ostrom.importers.studies.published import PublishedStudy, StudyReading
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.render import show

MAX_MISMATCHES: Final = 12
"""The number of mismatches that a terminal shows. JSON has all."""


def study_of(name: str) -> PublishedStudy:
    """Return the study of this name, or the study that a pattern file describes."""
    if name.endswith(".toml"):
        return load_patterns(Path(name))
    if name not in STUDIES:
        raise UnknownName("study", name[:60], [], catalogue=f"it must be {' or '.join(STUDIES)}, or a .toml file")
    study = imported(STUDIES[name])
    assert isinstance(study, PublishedStudy)
    return study


def finding_of(study: PublishedStudy, reading: StudyReading, new: int) -> Finding:
    """Return the counts and means of a study, with its split and terms. `new` is the number of games that were added
    to the journal."""
    rows = [{"figure": one.name, "value": one.value, "rows": one.rows} for one in reading.figures]
    columns = [
        Column("figure", "figure", wraps=True),
        number("value", "value", cell=lambda row: _text(row["value"])),
        number("rows", "rows", spare=1),
    ]
    mismatches = reading.mismatches
    shown = [f"Mismatch: {text}" for text in mismatches[:MAX_MISMATCHES]]
    if len(mismatches) > MAX_MISMATCHES:
        shown.append(f"{len(mismatches) - MAX_MISMATCHES:,} further mismatches are in the JSON output.")
    facts: dict[str, Any] = {
        "study": study.name,
        "source": study.source,
        "terms": study.terms,
        "split": reading.split or None,
        "tables": {name: {"rows": table.height, "columns": table.columns} for name, table in reading.tables.items()},
        "games": len(reading.games),
        "new": new,
        "mismatches": mismatches,
    }
    tables = brief((f"{name} ({number_of(table.height, 'row')})" for name, table in reading.tables.items()), 400)
    replayed = [f"{number_of(len(reading.games), 'game')} replayed, {new:,} of them new."] if reading.games else []
    return Finding(
        verb="import-study",
        title=study.title,
        facts=facts,
        parts=[Table("figures", columns, rows, title=f"{study.title} · {study.source}")],
        sentences=[
            *replayed,
            f"Tables: {tables}.",
            *([reading.split] if reading.split else []),
            *reading.notes,
            *shown,
            f"Terms: {study.terms}. A model that was trained on text may have read these data.",
        ],
    )


def _text(value: float | int) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4f}"


def write_tables(reading: StudyReading, output: Path) -> None:
    """Write the tables of a study to a folder, as Parquet."""
    for name, table in reading.tables.items():
        path = output / f"{name}.parquet"
        try:
            table.write_parquet(path)
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def _stored(reading: StudyReading, study: PublishedStudy, name: str | None, store: str | None) -> int:
    """Store the replayed games, and return the number of those that are new."""
    if not reading.games:
        return 0
    with open_journal(store, create=True) as journal:
        experiment = experiment_of(journal, name or study.name, {"source": study.source})
        return sum(keep(journal, experiment, one.match, one.key, source=one.source) for one in reading.games)


def command(
    study: Annotated[
        str, typer.Argument(metavar="NAME|FILE.toml", help=f"The study: {', '.join(STUDIES)}; or a pattern file.")
    ],
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder with the files of the study.")],
    whole: Annotated[
        bool, typer.Option("--whole", help="Compute figures for held-out data too, if the folder has any.")
    ] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="DIR", help="Write the tables of decisions as Parquet.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(metavar="NAME", help="The experiment for replayed games; by default the study's name.")
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import a published study of people: games where the rules allow a replay, tables of decisions elsewhere."""
    published = study_of(study)
    if output is not None:
        check_folder(output)
    reading = published.read(folder, whole)
    new = _stored(reading, published, name, store)
    if output is not None:
        write_tables(reading, output)
    show(finding_of(published, reading, new), json=json)
