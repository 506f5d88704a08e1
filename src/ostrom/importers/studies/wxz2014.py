"""Wang, Xu and Zhou 2014: rock–paper–scissors over 300 rounds. The partner is not named, so the data have decisions,
not games."""

from pathlib import Path
from typing import Final

import polars as pl

from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    in_figures,
    mean_of,
    read_rows,
)
from ostrom.importers.studies.split import part_of, rule_sentence

NAME: Final = "wang-2014"
_BEATS: Final = {"r": "s", "p": "r", "s": "p"}


def read(folder: Path, whole: bool) -> StudyReading:
    """Return the decisions and their figures."""
    path = find_file(folder, ("wxz2014.csv.gz", "wxz2014.csv"))
    rows = read_rows(path, ("id", "game", "period", "choice", "other.choice", "result"))
    parts = {person: part_of(f"wxz2014:{person}") for person in rows["id"].unique()}
    table = rows.select(
        pl.col("id").alias("person"),
        pl.col("game").cast(pl.Int64),
        pl.col("period").cast(pl.Int64),
        "choice",
        pl.col("other.choice").alias("other_choice"),
        "result",
        pl.col("id").replace_strict(parts, return_dtype=pl.String).alias("part"),
    )
    return StudyReading(
        {"decisions": table},
        _figures(in_figures(table, whole=whole)),
        rule_sentence("'wxz2014:' and the id"),
        notes=[
            "As labelled, people stay less after a win than after a loss, the reverse of what the paper reports. The "
            "labels of the file may be wrong."
        ],
    )


def _figures(table: pl.DataFrame) -> list[StudyFigure]:
    beaten = pl.col("choice").replace_strict(_BEATS, default=None)
    follows = (
        pl.when(pl.col("choice") == pl.col("other_choice"))
        .then(pl.lit("tie"))
        .when(beaten == pl.col("other_choice"))
        .then(pl.lit("win"))
        .otherwise(pl.lit("lose"))
    )
    replayed = table.select((follows == pl.col("result")).sum()).item()
    own = table.sort("person", "game", "period").with_columns(
        stays=pl.col("choice") == pl.col("choice").shift(1).over("person", "game"),
        before=pl.col("result").shift(1).over("person", "game"),
    )
    return [
        StudyFigure("decisions", table.height),
        StudyFigure("people", table["person"].n_unique()),
        StudyFigure("results that follow from the choices", int(replayed)),
        *(
            mean_of(f"stays after a {name}", own.filter(pl.col("before") == result)["stays"])
            for result, name in (("win", "win"), ("lose", "loss"), ("tie", "tie"))
        ),
    ]


STUDY: Final = PublishedStudy(
    NAME,
    "Rock–paper–scissors over 300 rounds",
    "Wang, Xu and Zhou 2014",
    "Authors' copyright by the notice of the package stratEst; read from a folder only",
    read,
)
