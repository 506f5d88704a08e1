"""Imports the output of `ostrom export`: records of games, with notes that readers wrote about them. Each game is
replayed by the rules and stored with its decisions."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import OstromError, RecordError
from ostrom.core.files import parse_json, read_bounded_text
from ostrom.core.text import digest_of
from ostrom.experiment.store import keep
from ostrom.importers import Name, RoundsReport, experiment_of, match_of, print_report
from ostrom.journal.open import open_journal
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "records"
_IDENTITY_FIELDS: Final = {"game", "seed", "number", "source", "orders", "rules", "answers"}
"""The fields that identify a game. A game with a seed is identified without its source, because an import may set the
source."""


def documents_in(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield each record of a file with its position in the file. The file has a single record, or one record per
    line."""
    try:
        text = read_bounded_text(path)
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
) -> RoundsReport:
    """Import records into the experiment of this name. If the experiment already has a game, only missing notes are
    added to the stored game."""
    report = RoundsReport()
    experiment = experiment_of(journal, name, {"source": "records of Ostrom"})
    known = {row.key for row in journal.games(experiment)}
    for path in paths:
        progress()
        try:
            for where, document in documents_in(path):
                report.games += 1
                try:
                    report.new += _store(journal, experiment, known, path, document)
                    report.replayed_exactly += 1
                except OstromError as error:
                    report.mismatches.append(f"{where}: {error}")
        except RecordError as error:
            report.unreadable.append(str(error))
    return report


def _store(journal: Journal, experiment: str, known: set[str], path: Path, document: Any) -> bool:
    """Store the game of a record and return True, or add its new notes to the stored game. `known` are the keys of the
    stored games."""
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
    """Return the key of a game, and the keys that older versions of Ostrom may have given it. Older keys included the
    source of the game. In these keys, the source is None if an import set it."""
    # A player's display name may change; its id does not.
    identity = {
        **record.model_dump(mode="json", include=_IDENTITY_FIELDS),
        "seats": [seat.player for seat in record.seats],
    }
    if record.seed is None:
        return [_digest(identity)]
    without_source = {name: value for name, value in identity.items() if name != "source"}
    return [_digest(without_source), _digest(identity), _digest({**identity, "source": None})]


def _digest(identity: dict[str, Any]) -> str:
    return digest_of(json.dumps(identity, sort_keys=True))


def command(
    files: Annotated[
        list[Path],
        typer.Argument(metavar="FILE", help="Files from 'ostrom export': .json, or .jsonl with many games."),
    ],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import games that 'ostrom export' wrote, with their notes; importing again adds new notes only."""
    with open_journal(store, create=True) as journal, games_bar("files", len(files)) as advance:
        report = import_records(files, journal, progress=advance, name=name)
    print_report(report, json)
