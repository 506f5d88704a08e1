"""The tidy tables of a journal's games as files, for the command and for the library: Parquet, or CSV that opens in a
spreadsheet."""

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
from ostrom.journal.sql import Journal

TableFormat: TypeAlias = Literal["parquet", "csv"]
Watch: TypeAlias = Callable[[Iterable[KeptGame], int], Iterator[KeptGame]]
"""Hands on games that are read, and shows how far it is."""


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
    """Write the tables of the games that are meant into a folder, a file for each; how many games they hold. These
    are one `game`, by its id, or those whose ids are in `only`, or all. Where games of several kinds are meant, each
    kind has a folder of its own."""
    there = [row for row in journal.games(experiment) if row.state == "finished" and game in (None, row.id)]
    there = there if only is None else [row for row in there if row.id in only]
    studies = studies_of(dict.fromkeys(row.game for row in there), journal)
    if not studies:
        raise InputError("no finished game here has tables; only games with final results do")
    names = journal.names.known()
    for study in studies:
        # What two games call the same is not the same table.
        folder = output if len(studies) == 1 else output / study.command
        mine = [row.id for row in there if row.game in study.records]
        tables = study.exported(watch(journal.ended.records(mine), len(mine)))
        chosen = [one for one in journal.ended.results(study.records) if one.id in set(mine)]
        made = study_provenance(journal, study, chosen, typed_command())
        try:
            folder.mkdir(exist_ok=True, parents=folder != output)
        except OSError as error:
            raise InputError(f"the folder {folder} cannot be created: {error.strerror}") from error
        (folder / "provenance.json").write_text(made, encoding="utf-8")
        for name, table in tables.items():
            _write(with_names(table, names.of), folder / f"{name}.{kind}", kind)
    known = {name for study in studies for name in study.records}
    return sum(row.game in known for row in there)


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
