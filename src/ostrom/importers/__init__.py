"""Imports of games from other projects' logs, replayed by our rules, one file per source. This file has the parts that
importers share."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

import typer

from ostrom.core import Answer, InputError, RecordError
from ostrom.experiment import Decision, Match, replay
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.terminal.sheets import out, print_json

KIND = "import"
Name: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="The experiment to store them in; two imported sets of different names can be compared."
    ),
]


def files_in(folder: Path, suffix: str, what: str) -> list[Path]:
    """Return a folder's files with this suffix, sorted by name; raise `InputError` if it has none. `what` describes
    them."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the folder with {what}")
    files = sorted(folder.glob(f"*{suffix}"))
    if not files:
        raise InputError(f"{folder} has no {suffix} file; name the folder with {what}")
    return files


UNEXPECTED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors from reading a file that does not follow its format. Files are read one by one: such a file is skipped and
reported, and the others are imported."""


_MAX_REASON_CHARACTERS: Final = 300


def unreadable(path: Path, error: Exception) -> str:
    """Return why a file is skipped, in one line."""
    if isinstance(error, RecordError):
        return str(error)
    what = f"lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
    return f"{path.name}: unexpected content: {what[:_MAX_REASON_CHARACTERS]}"


def check_names(path: Path, *names: str) -> None:
    """Raise `RecordError` if the file's name or one of these names has a NUL or half a character, which a journal
    cannot store."""
    for name in (path.name, *names):
        if "\0" in name or name.encode("utf-8", "replace").decode() != name:
            raise RecordError(f"{path.name}: {name[:100]!r} cannot be stored as a name")


def match_of(path: Path, document: Any) -> tuple[Match, GameRecord]:
    """Replay a record by the rules; return the match, with answers marked as in the record, and the record. Raise
    `RecordError` if it is invalid or differs."""
    try:
        record = GameRecord.model_validate(document)
        check_names(path, *(seat.player for seat in record.seats))
    except UNEXPECTED as error:
        raise RecordError(unreadable(path, error)) from error
    match = replay(record)
    recorded = {(answer.turn, answer.phase, answer.seat): answer for answer in record.answers}
    decisions = []
    for decision in match.decisions:
        mark = recorded[decision.question.key]
        answer = Answer(decision.answer.value, mark.provenance, mark.cut, mark.fault)
        decisions.append(Decision(decision.question, answer))
    return replace(match, decisions=tuple(decisions)), record


def experiment_of(journal: Journal, name: str, settings: dict[str, Any]) -> str:
    """Return the experiment of this name for imported games, created if needed; raise `InputError` if its games were
    played here."""
    existing = next((row for row in journal.experiments() if row.name == name), None)
    if existing is None:
        return journal.new_experiment(name, kind=KIND, settings=settings)
    if existing.kind != KIND:
        raise InputError(f"the experiment {name!r} was not imported, but played here; import under another --name")
    return existing.id


@dataclass
class ImportReport:
    """The result of an import."""

    games: int = 0
    replayed_exactly: int = 0
    rows: int = 0
    """Rounds whose points match the matrix."""
    new: int = 0
    """Games that were not in the journal before."""
    mismatches: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


def print_report(report: ImportReport, json: bool, left_out: Mapping[str, str] | None = None) -> None:
    """Print the result of an import; exit with status 1 if something disagrees or cannot be read."""
    if json:
        print_json(asdict(report))
    else:
        counts = f"{report.replayed_exactly:,} of {report.games:,} games replayed exactly, {report.new:,} of them new"
        out.print(
            f"{counts}; {len(report.mismatches):,} do not agree, {len(report.unreadable):,} files cannot be read."
        )
        for place, reason in (left_out or {}).items():
            out.print(f"  left out: {place}: {reason}")
        for reason in (*report.mismatches, *report.unreadable):
            out.print(f"  {reason}")
    if report.mismatches or report.unreadable:
        raise typer.Exit(1)
