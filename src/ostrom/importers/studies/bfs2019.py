"""Bruhin, Fehr and Schunk 2019: binary dictator and reciprocity choices of session 1. The other person of a choice
is not named, so the data have decisions, not games."""

from pathlib import Path
from typing import Final

import polars as pl

from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    mean_of,
    read_rows,
)

NAME: Final = "bruhin-2019"
_PAYOFFS: Final = ("self_x", "other_x", "self_y", "other_y")
_KINDS: Final = {
    "dictator": "dictator choices",
    "kind": "choices after a kind act",
    "unkind": "choices after an unkind act",
}


def read(folder: Path, whole: bool) -> StudyReading:
    """Return the choices and their figures."""
    rows = read_rows(find_file(folder, ("bfs2019_session1.csv",)), ("sid", "gid", "choice_x", "q", "v", *_PAYOFFS))
    kind = pl.when(pl.col("q") == 1).then(pl.lit("kind")).when(pl.col("v") == 1).then(pl.lit("unkind"))
    table = rows.select(
        pl.col("sid").alias("person"),
        pl.col("gid").alias("item"),
        *(pl.col(name).cast(pl.Int64) for name in (*_PAYOFFS, "q", "v")),
        (pl.col("choice_x").cast(pl.Int64) == 1).alias("choice_x"),
    ).with_columns(kind=kind.otherwise(pl.lit("dictator")))
    figures = [StudyFigure("people", table["person"].n_unique()), StudyFigure("choices", table.height)]
    for name, words in _KINDS.items():
        own = table.filter(pl.col("kind") == name)
        figures += [StudyFigure(words, own.height), mean_of(f"X chosen, {words}", own["choice_x"])]
    return StudyReading(
        {"decisions": table},
        figures,
        notes=["`ostrom fit social` estimates preferences from the table of decisions."],
    )


STUDY: Final = PublishedStudy(
    NAME,
    "Binary dictator and reciprocity choices",
    "Bruhin, Fehr and Schunk 2019, session 1",
    "no terms stated with the file; read from a folder only",
    read,
)
