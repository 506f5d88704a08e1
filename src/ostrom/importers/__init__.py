"""Reads others' logs and replays them through our rules, one file a source. Here is what importers share."""

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
        metavar="NAME", help="The experiment to keep them in; two imported sets of different names can be compared."
    ),
]


def files_in(folder: Path, suffix: str, what: str) -> list[Path]:
    """The files of a folder that end so, in the order of their names; at least one. `what` says what they are."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the folder with {what}")
    files = sorted(folder.glob(f"*{suffix}"))
    if not files:
        raise InputError(f"{folder} has no {suffix} file; name the folder with {what}")
    return files


UNEXPECTED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What reading may raise where a file holds something else than its format says. Each file is read for itself: such a
one is skipped and named, and the others are imported."""


def unreadable(path: Path, error: Exception) -> str:
    """Why a file is skipped, in one line."""
    if isinstance(error, RecordError):
        return str(error)
    what = f"lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
    return f"{path.name}: unexpected content: {what[:_MOST]}"


_MOST: Final = 300


def check_names(path: Path, *names: str) -> None:
    """Refuse a file whose name, or the name of whose game, no column of a journal holds: with a NUL, or half a
    character."""
    for name in (path.name, *names):
        if "\0" in name or name.encode("utf-8", "replace").decode() != name:
            raise RecordError(f"{path.name}: {name[:100]!r} cannot be stored as a name")


def match_of(path: Path, document: Any) -> tuple[Match, GameRecord]:
    """The game of a record, played again by the rules, with its answers marked as they were; and the record."""
    try:
        record = GameRecord.model_validate(document)
        check_names(path, *(seat.player for seat in record.seats))
    except UNEXPECTED as error:
        raise RecordError(unreadable(path, error)) from error
    match = replay(record)
    told = {(answer.turn, answer.phase, answer.seat): answer for answer in record.answers}
    decisions = [
        Decision(one.question, Answer(one.answer.value, was.provenance, was.cut, was.fault))
        for one in match.decisions
        for was in [told[one.question.key]]
    ]
    return replace(match, decisions=tuple(decisions)), record


def experiment_of(journal: Journal, name: str, settings: dict[str, Any]) -> str:
    """The experiment of this name, which imported games are kept under; made where there is none."""
    known = next((row for row in journal.experiments() if row.name == name), None)
    if known is None:
        return journal.new_experiment(name, kind=KIND, settings=settings)
    if known.kind != KIND:
        raise InputError(f"the experiment {name!r} was not imported, but played here; import under another --name")
    return known.id


@dataclass
class ImportReport:
    """What an import did."""

    games: int = 0
    replayed_exactly: int = 0
    rows: int = 0
    """Rounds whose points are those of the matrix."""
    new: int = 0
    """Games that the journal did not hold yet."""
    mismatches: list[str] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)


def tell_import(report: ImportReport, json: bool, left_out: Mapping[str, str] | None = None) -> None:
    """Say what an import did; where something does not agree or cannot be read, the exit status is 1."""
    if json:
        print_json(asdict(report))
    else:
        kept = f"{report.replayed_exactly:,} of {report.games:,} games replayed exactly, {report.new:,} of them new"
        out.print(f"{kept}; {len(report.mismatches):,} do not agree, {len(report.unreadable):,} files cannot be read.")
        for place, reason in (left_out or {}).items():
            out.print(f"  left out: {place}: {reason}")
        for reason in (*report.mismatches, *report.unreadable):
            out.print(f"  {reason}")
    if report.mismatches or report.unreadable:
        raise typer.Exit(1)
