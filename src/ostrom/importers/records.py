"""Imports what `ostrom export` wrote: records of games, with the notes of their readers. Each game is played again by
the rules and kept as it was decided."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import OstromError, RecordError
from ostrom.core.given import parse_json
from ostrom.experiment import options as opt
from ostrom.experiment.options import open_journal
from ostrom.experiment.store import keep
from ostrom.experiment.terminal import games_bar
from ostrom.importers import ImportReport, Name, experiment_of, match_of, tell_import
from ostrom.journal.record import GameRecord
from ostrom.journal.rows import digest_of
from ostrom.journal.sql import Journal

EXPERIMENT: Final = "records"
_DECIDES: Final = {"game", "seed", "number", "source", "orders", "rules", "answers"}
"""What makes a game the same one: by this it is known again."""


def documents_in(path: Path) -> Iterator[tuple[str, Any]]:
    """Each record of a file with where it stands: a file of one record, or of lines with one each."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} is not a file of records: it is not text") from error
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield f"{path.name}, line {number}", parse_json(line)
            except ValueError as error:
                raise RecordError(f"{path}, line {number}: not a record: {error}") from error


def import_records(
    paths: list[Path], journal: Journal, progress: Callable[[], None] = lambda: None, *, name: str = EXPERIMENT
) -> ImportReport:
    """Import records into the experiment of this name. What it holds already stays as it is, but for notes that it
    lacks."""
    report = ImportReport()
    experiment = experiment_of(journal, name, {"source": "records of Ostrom"})
    for path in paths:
        progress()
        try:
            for where, document in documents_in(path):
                report.games += 1
                try:
                    report.new += _kept(journal, experiment, path, document)
                    report.replayed_exactly += 1
                except OstromError as error:
                    report.mismatches.append(f"{where}: {error}")
        except RecordError as error:
            report.unreadable.append(str(error))
    return report


def _kept(journal: Journal, experiment: str, path: Path, document: Any) -> bool:
    match, record = match_of(path, document)
    key = _key(record)
    new = keep(journal, experiment, match, key, source=record.source or path.name, notes=record.notes)
    if not new:
        game = next(row.id for row in journal.games(experiment) if row.key == key)
        journal.notes.merge(game, record.notes)
    return new


def _key(record: GameRecord) -> str:
    # What readers call a player may change; who it is does not.
    decided = {**record.model_dump(mode="json", include=_DECIDES), "seats": [seat.player for seat in record.seats]}
    return digest_of(json.dumps(decided, sort_keys=True))


def command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="What 'ostrom export' wrote: .json, or .jsonl of many."),
    ],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import games that 'ostrom export' wrote, with their notes; importing again adds new notes only."""
    with open_journal(store, create=True) as journal, games_bar("files", len(files)) as advance:
        report = import_records(files, journal, progress=advance, name=name)
    tell_import(report, json)
