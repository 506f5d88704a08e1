"""Imports logs of Inspect (`inspect eval ostrom/GAME`). Each sample has the record of its game. The game is replayed by
the rules and stored with its decisions."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import InputError, OstromError, RecordError
from ostrom.core.entry_points import missing_extra
from ostrom.core.files import check_regular
from ostrom.experiment import Match
from ostrom.experiment.store import keep
from ostrom.importers import (
    ImportReport,
    LoggedGame,
    Name,
    experiment_of,
    match_of,
    print_report,
    replay_games,
    unreadable,
)
from ostrom.journal.open import open_journal
from ostrom.journal.record import IN_LOGS
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar

EXPERIMENT: Final = "inspect"
_SUFFIXES: Final = (".eval", ".json")


@dataclass
class InspectReport(ImportReport):
    """The result of an import from Inspect."""

    unfinished: int = 0
    """Samples that ended in an error or were not scored."""


def logs_in(place: Path) -> list[Path]:
    """Return the path itself if it is a log, or the logs of a folder, sorted by name. Raise `InputError` if there are
    none."""
    if place.is_file():
        return [place]
    logs = sorted(path for path in place.glob("*") if path.suffix in _SUFFIXES) if place.is_dir() else []
    if not logs:
        raise InputError(f"{place} is not a log of Inspect and has none; name a .eval file, or the folder of --log-dir")
    return logs


def samples_in(path: Path) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Yield each sample of a log: its key, and its record if the game was finished."""
    try:
        from inspect_ai.log import read_eval_log
    except ModuleNotFoundError as error:
        raise missing_extra(error) or error from error
    try:
        check_regular(path)
        log = read_eval_log(str(path))
        for sample in log.samples or []:
            scores = [score.metadata or {} for score in (sample.scores or {}).values()]
            record = next((about[IN_LOGS] for about in scores if IN_LOGS in about), None)
            yield f"{log.eval.run_id}-{log.eval.task_id}-{sample.id}-{sample.epoch}", record
    except OSError as error:
        raise RecordError(f"{path.name}: cannot be read: {error.strerror or error}") from error
    except Exception as error:  # Inspect reads the log, and raises errors of many kinds for an invalid one
        raise RecordError(unreadable(path, error)) from error


def import_logs(
    place: Path, journal: Journal, progress: Callable[[], None] = lambda: None, *, name: str = EXPERIMENT
) -> InspectReport:
    """Import logs into the experiment of this name; games that it already has are not changed."""
    report = InspectReport()
    experiment = experiment_of(journal, name, {"source": "logs of Inspect"})

    def read(path: Path) -> Iterator[LoggedGame]:
        samples = list(samples_in(path))
        report.unfinished += sum(document is None for _, document in samples)
        for key, document in samples:
            if document is not None:
                yield LoggedGame(key, partial(_replay, path, key, document))

    for path, game, match in replay_games(report, logs_in(place), read, progress):
        report.new += keep(journal, experiment, match, game.key, source=path.name)
    return report


def _replay(path: Path, key: str, document: dict[str, Any]) -> Match:
    try:
        return match_of(path, document)[0]
    except OstromError as error:
        raise RecordError(f"{path.name}, {key}: {error}") from error


def command(
    log: Annotated[Path, typer.Argument(metavar="LOG", help="A log (.eval or .json), or the folder of --log-dir.")],
    name: Name = EXPERIMENT,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Import games that were played through Inspect; importing again changes nothing."""
    logs = logs_in(log)
    with open_journal(store, create=True) as journal, games_bar("logs", len(logs)) as advance:
        report = import_logs(log, journal, progress=advance, name=name)
    outcome = f"{report.unfinished:,} samples have none, {len(report.unreadable):,} logs cannot be read"
    print_report(report, json, outcome)
