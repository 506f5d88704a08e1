"""The tidy tables of games as files: Parquet, or CSV for spreadsheets."""

from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, TypeAlias

import polars as pl

from ostrom.analysis.provenance import study_provenance
from ostrom.analysis.study import studies_of
from ostrom.charts.families import with_names, write_csv
from ostrom.core import InputError
from ostrom.core.command import typed_command
from ostrom.journal.read import KeptGame
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal

TableFormat: TypeAlias = Literal["parquet", "csv"]
Watch: TypeAlias = Callable[[Iterable[KeptGame], int], Iterator[KeptGame]]
"""Yields games while they are read, and shows the progress."""


def _unwatched(games: Iterable[KeptGame], planned: int) -> Iterator[KeptGame]:
    return iter(games)


def write_tables(
    journal: Journal,
    output: Path,
    *,
    experiment: str | None = None,
    game: str | None = None,
    only: Collection[str] | None = None,
    kind: TableFormat = "parquet",
    watch: Watch = _unwatched,
) -> int:
    """Write the tables of finished games into a folder, a file for each table: of one `game`, by its id, of the games
    whose ids are in `only`, or of all. Each kind of game has a folder of its own if there are several. Return the
    number of games. Raise InputError if no game has tables."""
    rows = [row for row in journal.games(experiment) if row.state == FINISHED and game in (None, row.id)]
    rows = rows if only is None else [row for row in rows if row.id in only]
    studies = studies_of(dict.fromkeys(row.game for row in rows), journal)
    if not studies:
        raise InputError("no finished game here has tables; only games with final results do")
    names = journal.names.known()
    for study in studies:
        # Tables of different games may have the same name.
        folder = output if len(studies) == 1 else output / study.command
        ids = [row.id for row in rows if row.game in study.records]
        tables = study.exported(watch(journal.ended.records(ids), len(ids)))
        results = [result for result in journal.ended.results(study.records) if result.id in set(ids)]
        provenance = study_provenance(journal, study, results, typed_command())
        try:
            folder.mkdir(exist_ok=True, parents=folder != output)
        except OSError as error:
            raise InputError(f"the folder {folder} cannot be created: {error.strerror}") from error
        (folder / "provenance.json").write_text(provenance, encoding="utf-8")
        for name, table in tables.items():
            _write(with_names(table, names.of), folder / f"{name}.{kind}", kind)
    known = {name for study in studies for name in study.records}
    return sum(row.game in known for row in rows)


_NESTED: Final = (pl.List, pl.Array, pl.Struct)


def _write(table: pl.DataFrame, path: Path, kind: TableFormat) -> None:
    try:
        if kind == "parquet":
            table.write_parquet(path)
        else:
            nested = [name for name, dtype in table.schema.items() if isinstance(dtype, _NESTED)]
            write_csv(table.with_columns(pl.col(nested).map_elements(str, return_dtype=pl.String)), path)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error
