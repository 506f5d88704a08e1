"""Any experiment in the form of Psych-201, read with a file of patterns.

A line of the data is a person with a text, in which the person's answers, and nothing else, stand in `<<…>>`. The
pattern file has regular expressions for whole lines. The named groups of a *context* line are stored. The named groups
of a *decision* line, together with the current context, are a row of a table. A line that matches `block` forgets the
context. Answers that no pattern reads are counted and reported."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.core import InputError
from ostrom.core.files import MAX_SETTINGS_BYTES, parse_toml, read_bounded_text
from ostrom.core.text import first_problem
from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    in_figures,
    read_people,
)
from ostrom.importers.studies.split import part_of, rule_sentence

MAX_LINE: Final = 4_000
"""The largest number of characters of a line that patterns read. It bounds the time of a regular expression."""
MAX_REPORTED: Final = 5
_ANSWER: Final = re.compile(r"<<.*?>>")
_FRAMEWORK_COLUMNS: Final = ("person", "order", "part")


class DecisionPattern(BaseModel):
    """A line with an answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    table: str = Field("decisions", pattern=r"^[a-z][a-z0-9_]{0,39}$", description="The table that has these rows.")
    line: str = Field(description="A regular expression for the whole line, with named groups.")


class PatternFile(BaseModel):
    """The patterns of an experiment in the form of Psych-201."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    name: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$", description="The name of the study, one word.")
    title: str = Field(max_length=200)
    source: str = Field(max_length=400, description="The publication.")
    terms: str = Field(max_length=400, description="The terms of use that the source states.")
    file: str = Field("prompts.jsonl.zip", max_length=200, description="The name of the file of data.")
    block: str | None = Field(None, description="A line that begins a new block, at which the context is forgotten.")
    context: list[str] = Field(default_factory=list, description="Regular expressions of lines with facts.")
    decisions: list[DecisionPattern] = Field(min_length=1)
    numbers: list[str] = Field(default_factory=list, description="The groups that are numbers.")
    split: list[str] = Field(
        default_factory=lambda: ["person"],
        min_length=1,
        description="The groups whose values, joined by '-', decide to which part of the split a row belongs.",
    )


@dataclass(frozen=True)
class _Patterns:
    file: PatternFile
    block: re.Pattern[str] | None
    context: list[re.Pattern[str]]
    decisions: list[tuple[str, re.Pattern[str]]]


def load_patterns(path: Path) -> PublishedStudy:
    """Return the study that a pattern file describes. Raise InputError if the file is invalid."""
    try:
        file = PatternFile.model_validate(parse_toml(read_bounded_text(path, MAX_SETTINGS_BYTES)))
    except ValidationError as error:
        raise InputError(f"{path}: {first_problem(error)}") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {' '.join(str(error).split())[:200]}") from error
    patterns = _Patterns(
        file,
        None if file.block is None else _compiled(path, file.block),
        [_compiled(path, line) for line in file.context],
        [(decision.table, _compiled(path, decision.line)) for decision in file.decisions],
    )
    groups = {
        name for pattern in (*patterns.context, *(one for _, one in patterns.decisions)) for name in pattern.groupindex
    }
    if reserved := groups.intersection(_FRAMEWORK_COLUMNS):
        raise InputError(f"{path}: a group is called {min(reserved)}, which is the name of a column of every table")
    if unknown := {*file.numbers, *file.split} - groups - {"person"}:
        raise InputError(f"{path}: no pattern has a group {min(unknown)}")
    return PublishedStudy(file.name, file.title, file.source, file.terms, partial(_read, patterns))


def _compiled(path: Path, text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise InputError(f"{path}: {text[:100]!r} is not a regular expression: {error}") from error


def _read(patterns: _Patterns, folder: Path, whole: bool) -> StudyReading:
    rows: dict[str, list[dict[str, Any]]] = {table: [] for table, _ in patterns.decisions}
    people = answers = unread = 0
    missed: list[str] = []
    for person in read_people(find_file(folder, (patterns.file.file,))):
        people += 1
        answers += len(_ANSWER.findall(person["text"]))
        for line in _decisions(patterns, str(person["participant"]), person["text"], rows):
            unread += len(_ANSWER.findall(line))
            if len(missed) < MAX_REPORTED:
                missed.append(f"participant {str(person['participant'])[:60]}: no pattern reads: {line[:200]}")
    tables = {name: _table(patterns.file, own) for name, own in rows.items()}
    figures = [
        StudyFigure("people", people),
        StudyFigure("answers", answers),
        StudyFigure("answers read", answers - unread),
    ]
    for name, table in tables.items():
        shown = in_figures(table, whole=whole)
        figures.append(StudyFigure(f"rows of {name}", shown.height))
        for column in patterns.file.numbers:
            values = shown[column].drop_nulls() if column in shown.columns else pl.Series(dtype=pl.Float64)
            if len(values):
                figures.append(StudyFigure(f"mean {column} of {name}", float(values.mean()), len(values)))  # type: ignore[arg-type]
    key = " and ".join(patterns.file.split)
    return StudyReading(tables, figures, rule_sentence(f"'{patterns.file.name}:' and {key}"), mismatches=missed)


def _decisions(patterns: _Patterns, person: str, text: str, rows: dict[str, list[dict[str, Any]]]) -> list[str]:
    """Add a person's decisions to the rows of their tables, and return the lines with answers that no pattern reads."""
    context: dict[str, str] = {}
    order, unread = 0, []
    for line in text.splitlines():
        short = line[:MAX_LINE]
        if patterns.block is not None and patterns.block.fullmatch(short):
            context = {}
        for pattern in patterns.context:
            if (match := pattern.fullmatch(short)) is not None:
                context |= _groups(match)
        for table, pattern in patterns.decisions:
            if (match := pattern.fullmatch(short)) is not None:
                order += 1
                rows[table].append({"person": person, "order": order, **context, **_groups(match)})
                break
        else:
            if "<<" in line:
                unread.append(line)
    return unread


def _groups(match: re.Match[str]) -> Mapping[str, str]:
    return {name: value for name, value in match.groupdict().items() if value is not None}


def _table(file: PatternFile, rows: list[dict[str, Any]]) -> pl.DataFrame:
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["person", "order"]
    table = pl.DataFrame([[row.get(name) for name in names] for row in rows], schema=names, orient="row", strict=False)
    table = table.with_columns(
        pl.col(name).cast(pl.Float64, strict=False) for name in file.numbers if name in table.columns
    )
    keys = ["-".join(str(row.get(name, "")) for name in file.split) for row in rows]
    parts = {key: part_of(f"{file.name}:{key}") for key in set(keys)}
    return table.with_columns(pl.Series("part", [parts[key] for key in keys], dtype=pl.String))
