"""Imports what `ostrom export` wrote: records of games, with the notes of their readers. Each game is played again by
the rules and kept as it was decided."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import OstromError, RecordError
from ostrom.core.files import parse_json
from ostrom.experiment.store import keep
from ostrom.importers import ImportReport, Name, experiment_of, match_of, tell_import
from ostrom.journal.open import open_journal
from ostrom.journal.record import GameRecord
from ostrom.journal.rows import digest_of
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "records"
_DECIDES: Final = {"game", "seed", "number", "source", "orders", "rules", "answers"}
"""What makes a game the same one: by this it is known again. Of a game that has a seed, all but the source: the seed
says which one it is, and a source is given to it when it is imported."""


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
    known = {row.key for row in journal.games(experiment)}
    for path in paths:
        progress()
        try:
            for where, document in documents_in(path):
                report.games += 1
                try:
                    report.new += _kept(journal, experiment, known, path, document)
                    report.replayed_exactly += 1
                except OstromError as error:
                    report.mismatches.append(f"{where}: {error}")
        except RecordError as error:
            report.unreadable.append(str(error))
    return report


def _kept(journal: Journal, experiment: str, known: set[str], path: Path, document: Any) -> bool:
    """Keep the game of a record, unless it is there: then what it lacks of the notes. `known` are the keys of the games
    that are there."""
    match, record = match_of(path, document)
    keys = _keys(record)
    source = record.source or path.name
    new = known.isdisjoint(keys) and keep(journal, experiment, match, keys[0], source=source, notes=record.notes)
    if not new:
        game = next(row.id for row in journal.games(experiment) if row.key in keys)
        journal.notes.merge(game, record.notes)
    known.add(keys[0])
    return new


def _keys(record: GameRecord) -> list[str]:
    """By what the game is kept, and then by what older versions kept it, which took the source with the rest: that of
    the record, or none, where the source that it has now was given to it when it was imported."""
    # What readers call a player may change; who it is does not.
    decided = {**record.model_dump(mode="json", include=_DECIDES), "seats": [seat.player for seat in record.seats]}
    if record.seed is None:
        return [_digest(decided)]
    drawn = {name: value for name, value in decided.items() if name != "source"}
    return [_digest(drawn), _digest(decided), _digest({**decided, "source": None})]


def _digest(decided: dict[str, Any]) -> str:
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
