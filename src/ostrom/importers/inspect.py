"""Imports logs of Inspect (`inspect eval ostrom/GAME`): each sample carries the record of its game, which is replayed
by the rules and stored with its decisions."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from ostrom.core import InputError, OstromError, RecordError
from ostrom.core.entry_points import missing_extra
from ostrom.experiment.store import keep
from ostrom.importers import Name, experiment_of, match_of, unreadable
from ostrom.journal.open import open_journal
from ostrom.journal.record import IN_LOGS
from ostrom.journal.sql import Journal
from ostrom.terminal import options as opt
from ostrom.terminal.progress import games_bar
from ostrom.terminal.sheets import out, print_json

EXPERIMENT: Final = "inspect"
_SUFFIXES: Final = (".eval", ".json")


@dataclass
class InspectReport:
    """The result of an import from Inspect."""

    games: int = 0
    replayed_exactly: int = 0
    new: int = 0
    unfinished: int = 0
    """Samples that ended in an error or were not scored."""
    mismatches: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


def logs_in(place: Path) -> list[Path]:
    """Return this log, or a folder's logs sorted by name; raise `InputError` if there are none."""
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
    """Import logs into the experiment of this name; games that it has already stay unchanged."""
    report = InspectReport()
    experiment = experiment_of(journal, name, {"source": "logs of Inspect"})
    for path in logs_in(place):
        progress()
        try:
            samples = list(samples_in(path))
        except RecordError as error:
            report.unreadable.append(str(error))
            continue
        for key, document in samples:
            if document is None:
                report.unfinished += 1
                continue
            report.games += 1
            try:
                match, _ = match_of(path, document)
            except OstromError as error:
                report.mismatches.append(f"{path.name}, {key}: {error}")
                continue
            report.replayed_exactly += 1
            report.new += keep(journal, experiment, match, key, source=path.name)
    return report


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
    if json:
        print_json(asdict(report))
    else:
        counts = f"{report.replayed_exactly:,} of {report.games:,} games replayed exactly, {report.new:,} of them new"
        out.print(f"{counts}; {report.unfinished:,} samples have none, {len(report.unreadable):,} logs cannot be read.")
        for reason in (*report.mismatches, *report.unreadable):
            out.print(f"  {reason}")
    if report.mismatches or report.unreadable:
        raise typer.Exit(1)
