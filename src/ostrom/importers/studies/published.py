"""Published studies of people: what a reader of a study returns, and the files that readers share."""

import csv
import gzip
import io
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import polars as pl

from ostrom.core import InputError, RecordError
from ostrom.core.files import MAX_FILE_BYTES, parse_json, read_bounded
from ostrom.experiment import Match

MAX_UNPACKED_BYTES: Final = 512 * 2**20
"""The largest size of a packed file after unpacking."""
HELD_OUT: Final = "held-out"


@dataclass(frozen=True)
class StudyFigure:
    """A count or a mean of a study."""

    name: str
    value: float | int
    rows: int | None = None
    """The number of rows over which it is a mean; None for a count."""


@dataclass(frozen=True, eq=False)
class ReplayedGame:
    """A game of people, replayed by Ostrom's rules."""

    key: str
    match: Match
    source: str


@dataclass(eq=False)
class StudyReading:
    """The data of a study."""

    tables: dict[str, pl.DataFrame]
    """Decisions by name of the table. A column `part` says to which part of the split a row belongs."""
    figures: list[StudyFigure]
    split: str = ""
    """The rule of the split in a sentence; empty for a study that is given as a whole."""
    games: Sequence[ReplayedGame] = ()
    mismatches: list[str] = field(default_factory=list)
    """Places where the source disagrees with itself or with the rules."""
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class PublishedStudy:
    """A study whose files can be read."""

    name: str
    title: str
    source: str
    """The publication."""
    terms: str
    """The terms of use that the source states."""
    read: Callable[[Path, bool], StudyReading]
    """A function of the folder, and of whether held-out data are included in the figures."""


def find_file(folder: Path, names: Sequence[str]) -> Path:
    """Return the first file of these names in a folder or its subfolders. Raise InputError if there is none."""
    if folder.is_file() and folder.name in names:
        return folder
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}; name the folder with {' or '.join(names)}")
    for name in names:
        paths = sorted(path for path in folder.rglob(name) if path.is_file() and "__MACOSX" not in path.parts)
        if paths:
            return paths[0]
    raise InputError(f"{folder} has no file {' or '.join(names)}, neither in itself nor in its subfolders")


def read_rows(path: Path, required: Sequence[str]) -> pl.DataFrame:
    """Return a comma-separated file, which may be packed by gzip, with all cells as text. Raise RecordError if it is
    not readable or lacks a column."""
    try:
        content = read_bounded(path)
        if path.suffix == ".gz":
            with gzip.open(io.BytesIO(content)) as packed:
                content = packed.read(MAX_UNPACKED_BYTES + 1)
        if len(content) > MAX_UNPACKED_BYTES:
            raise RecordError(f"{path.name}: it is larger than {MAX_UNPACKED_BYTES >> 20} MiB")
        rows = pl.read_csv(content, infer_schema=False)
    except (OSError, EOFError, pl.exceptions.PolarsError) as error:
        raise RecordError(f"{path.name}: cannot be read: {' '.join(str(error).split())[:200]}") from error
    if missing := [name for name in required if name not in rows.columns]:
        raise RecordError(f"{path.name}: there is no column {', '.join(missing)}")
    return rows


def read_people(path: Path) -> Iterator[Mapping[str, Any]]:
    """Yield the lines of a file of the form of Psych-201: a `prompts.jsonl`, or a zip file with one. Each line has the
    fields text, experiment and participant. Raise RecordError for any other line."""
    try:
        if path.suffix == ".zip":
            with zipfile.ZipFile(io.BytesIO(read_bounded(path))) as archive:
                entry = next(
                    (
                        one
                        for one in archive.infolist()
                        if one.filename.rpartition("/")[2] == "prompts.jsonl"
                        and not one.filename.startswith("__MACOSX/")
                    ),
                    None,
                )
                if entry is None:
                    raise RecordError(f"{path.name}: it has no prompts.jsonl")
                with archive.open(entry) as packed:
                    content = packed.read(MAX_UNPACKED_BYTES + 1)
        else:
            content = read_bounded(path, MAX_FILE_BYTES)
    except (OSError, EOFError, zipfile.BadZipFile, NotImplementedError, RuntimeError) as error:
        raise RecordError(f"{path.name}: cannot be read: {' '.join(str(error).split())[:200]}") from error
    if len(content) > MAX_UNPACKED_BYTES:
        raise RecordError(f"{path.name}: it is larger than {MAX_UNPACKED_BYTES >> 20} MiB")
    for number, line in enumerate(content.split(b"\n"), start=1):
        if line.strip():
            yield _person(path, number, line)


def _person(path: Path, number: int, line: bytes) -> Mapping[str, Any]:
    try:
        person = parse_json(line)
    except ValueError as error:
        raise RecordError(f"{path.name}: line {number}: broken JSON: {error}") from error
    if not isinstance(person, dict) or not isinstance(person.get("text"), str):
        raise RecordError(f"{path.name}: line {number}: it has no text")
    if missing := [name for name in ("experiment", "participant") if person.get(name) is None]:
        raise RecordError(f"{path.name}: line {number}: it has no {' and no '.join(missing)}")
    return person


def dict_rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a comma-separated text with a header."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def mean_of(name: str, values: pl.Series) -> StudyFigure:
    """Return the mean of a column as a figure."""
    mean = values.cast(pl.Float64).mean()
    return StudyFigure(name, float("nan") if mean is None else float(mean), len(values))  # type: ignore[arg-type]


def in_figures(table: pl.DataFrame, *, whole: bool) -> pl.DataFrame:
    """Return the rows that figures describe: the given part, or all rows."""
    return table if whole else table.filter(pl.col("part") != HELD_OUT)
