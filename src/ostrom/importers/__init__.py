"""Importers of games from the logs of other projects, with one module per source. Imported games are replayed by
Ostrom's rules. This module has the parts that importers share."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from json import JSONDecodeError
from pathlib import Path
from typing import Annotated, Any, Final, NamedTuple, TypeAlias

import typer

from ostrom.analysis.provenance import IMPORTED
from ostrom.core import Answer, InputError, OstromError, RecordError
from ostrom.core.files import parse_json, read_bounded_text
from ostrom.core.outlets import complain, legible
from ostrom.core.text import number_of
from ostrom.experiment import Decision, Match, replay
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.terminal.sheets import out, print_json

Name: TypeAlias = Annotated[
    str,
    typer.Option(
        metavar="NAME", help="The experiment to store them in; two imported sets of different names can be compared."
    ),
]


def files_in(folder: Path, suffix: str, what: str) -> list[Path]:
    """Return a folder's files with this suffix, sorted by name. If the folder has none (for example, if it is the root
    of a repository), return the files of the subfolder with the most such files. Raise `InputError` if there are none
    at all. `what` describes the files in messages."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the folder with {what}")
    files = sorted(path for path in folder.glob(f"*{suffix}") if path.name not in _PROJECT_FILES)
    if not files:
        files = _files_below(folder, suffix)
    if not files:
        raise InputError(f"{folder} has no {suffix} file; name the folder with {what}")
    return files


_PROJECT_FILES: Final = frozenset({"package.json", "package-lock.json", "tsconfig.json", "vercel.json"})
"""Files in the root of a repository that are not logs."""
_MAX_SEARCH_DEPTH: Final = 6
_SNIFFED_BYTES: Final = 100_000


def _files_below(folder: Path, suffix: str) -> list[Path]:
    """Return the files of the subfolder with the most files of this suffix, and print its name."""
    largest: list[Path] = []
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        is_hidden = [name for name in folders if name.startswith(".") or name == "node_modules"]
        folders[:] = [] if depth >= _MAX_SEARCH_DEPTH else sorted(set(folders) - set(is_hidden))
        files = sorted(Path(place) / name for name in names if name.endswith(suffix) and name not in _PROJECT_FILES)
        if len(files) > len(largest):
            largest = files
    if largest:
        complain(f"importing the {number_of(len(largest), 'file')} in {largest[0].parent}")
    return largest


def recognised_files(folder: Path, suffix: str, is_log: Callable[[str], bool], what: str) -> list[Path]:
    """Return the files of a folder and its subfolders whose beginning is that of a log, sorted by path. Raise
    `InputError` if there are none. `what` describes the files in messages."""
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the folder with {what}")
    files: list[Path] = []
    for place, folders, names in os.walk(folder):
        depth = len(Path(place).relative_to(folder).parts)
        visible = [name for name in folders if not name.startswith(".") and name != "node_modules"]
        folders[:] = sorted(visible) if depth < _MAX_SEARCH_DEPTH else []
        paths = (Path(place) / name for name in sorted(names) if name.endswith(suffix))
        files += [path for path in paths if path.is_file() and is_log(_beginning(path))]
    if not files:
        raise InputError(f"{folder} has no {suffix} file with {what}, neither in itself nor in its subfolders")
    return files


def _beginning(path: Path) -> str:
    """Return the beginning of a file, or an empty text if it is not readable."""
    try:
        with path.open("rb") as file:
            return file.read(_SNIFFED_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


UNEXPECTED: Final = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors from reading a file that does not follow its format. Such a file is skipped and reported, and the others are
imported."""
_MAX_REASON_CHARACTERS: Final = 300


def unreadable(path: Path, error: Exception) -> str:
    """Return the reason for skipping a file, in one line."""
    if isinstance(error, RecordError):
        return str(error)
    what = f"lacks {error}" if isinstance(error, KeyError) else " ".join(str(error).split())
    return f"{path.name}: unexpected content: {what[:_MAX_REASON_CHARACTERS]}"


def check_names(path: Path, *names: str) -> None:
    """Raise `RecordError` if the file's name or one of these names has a NUL or a lone surrogate, which a journal
    cannot store."""
    for name in (path.name, *names):
        if "\0" in name or name.encode("utf-8", "replace").decode() != name:
            raise RecordError(f"{path.name}: {name[:100]!r} cannot be stored as a name")


def read_typed_lines(path: Path, source: str, required_fields: Mapping[str, Sequence[str]]) -> list[Mapping[str, Any]]:
    """Read a log that has one JSON object per line, with its kind in the field `type`; the first is of type 'init' and
    the last of type 'final'. `required_fields` has the fields that each type must have; `source` names the logs in
    messages. Raise `RecordError` with the line and the reason if the log is invalid or cut off."""
    try:
        text = read_bounded_text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path.name}: cannot be read: {getattr(error, 'strerror', None) or error}") from error
    # Lines are split only at line feeds, because a player's text may contain other separators.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    rows = [_typed_line(f"{path.name}: line {number}", line, source, required_fields) for number, line in lines]
    if not rows or rows[0]["type"] != "init":
        raise RecordError(f"{path.name}: line 1: a log of {source} begins with a line of type 'init'")
    if rows[-1]["type"] != "final":
        raise RecordError(f"{path.name}: line {len(rows)}: the log is cut off; the last line must be of type 'final'")
    return rows


def _typed_line(where: str, line: str, source: str, required_fields: Mapping[str, Sequence[str]]) -> Mapping[str, Any]:
    try:
        row = parse_json(line)
    except ValueError as error:
        reason = error.msg if isinstance(error, JSONDecodeError) else str(error)
        raise RecordError(f"{where}: broken JSON: {reason}") from error
    if not isinstance(row, dict) or not isinstance(row.get("type"), str):
        raise RecordError(f"{where}: not an event of {source}")
    missing = [name for name in required_fields.get(row["type"], ()) if name not in row]
    if missing:
        raise RecordError(f"{where}: {row['type']} lacks {', '.join(missing)}")
    return row


def match_of(path: Path, document: Any) -> tuple[Match, GameRecord]:
    """Replay a record. Return the match, whose answers have the provenance of the record, and the record itself. Raise
    `RecordError` if the record is invalid or differs from the rules."""
    try:
        record = GameRecord.model_validate(document)
        check_names(path, *(seat.player for seat in record.seats))
    except UNEXPECTED as error:
        raise RecordError(unreadable(path, error)) from error
    match = replay(record)
    recorded = {(answer.turn, answer.phase, answer.seat): answer for answer in record.answers}
    decisions = []
    for decision in match.decisions:
        source = recorded[decision.question.key]
        answer = Answer(decision.answer.value, source.provenance, source.cut, source.fault)
        decisions.append(Decision(decision.question, answer))
    return replace(match, decisions=tuple(decisions)), record


def experiment_of(journal: Journal, name: str, settings: dict[str, Any]) -> str:
    """Return the experiment with this name for imported games, and create it if needed. Raise `InputError` if the games
    of that experiment were not imported but played by Ostrom."""
    existing = next((row for row in journal.experiments() if row.name == name), None)
    if existing is None:
        return journal.new_experiment(name, kind=IMPORTED, settings=settings)
    if existing.kind != IMPORTED:
        raise InputError(f"the experiment {name!r} was not imported, but played here; import under another --name")
    return existing.id


@dataclass
class ImportReport:
    """The result of an import."""

    games: int = 0
    replayed_exactly: int = 0
    new: int = 0
    """Games that were not in the journal before."""
    mismatches: list[Any] = field(default_factory=list)
    """Differences between logs and Ostrom's rules, as texts or as records that contain a text."""
    unreadable: list[str] = field(default_factory=list)
    """Files that are not readable, each with the reason."""


@dataclass
class RoundsReport(ImportReport):
    """The result of an import that also counts rounds."""

    rows: int = 0
    """Rounds whose points match the matrix."""


class LoggedGame(NamedTuple):
    """A game of a log."""

    key: str
    replay: Callable[[], Match]
    """A function that replays the game by Ostrom's rules. It raises `OstromError` if the log differs from them."""


def replay_games(
    report: ImportReport,
    files: Iterable[Path],
    read: Callable[[Path], Iterable[LoggedGame]],
    progress: Callable[[], None],
) -> Iterator[tuple[Path, LoggedGame, Match]]:
    """Read files, and yield each game whose replay equals its log. All other games are counted and reported."""
    for path in files:
        progress()
        try:
            games = list(read(path))
        except RecordError as error:
            report.unreadable.append(str(error))
            continue
        for game in games:
            report.games += 1
            try:
                match = game.replay()
            except OstromError as error:
                report.mismatches.append(str(error))
                continue
            report.replayed_exactly += 1
            yield path, game, match


def print_report(report: ImportReport, json: bool, outcome: str = "", notes: Sequence[str] = ()) -> None:
    """Print the result of an import; exit with status 1 if games differ or files are unreadable. The first printed
    sentence ends with the text `outcome`."""
    mismatches, unreadable = report.mismatches, report.unreadable
    outcome = outcome or f"{len(mismatches):,} do not agree, {len(unreadable):,} files cannot be read"
    if json:
        print_json(asdict(report))
    else:
        counts = f"{report.replayed_exactly:,} of {report.games:,} games replayed exactly, {report.new:,} of them new"
        out.print(f"{counts}; {outcome}.")
        for line in (*notes, *mismatches, *unreadable):
            out.print(legible(f"  {line}"))
    if mismatches or unreadable:
        raise typer.Exit(1)
