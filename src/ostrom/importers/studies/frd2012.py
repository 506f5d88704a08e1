"""Fudenberg, Rand and Dreber 2012: the repeated prisoner's dilemma with errors, the last four interactions. The partner
is not named, so the data have decisions, not games."""

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

NAME: Final = "fudenberg-2012"
_COLUMNS: Final = ("treatment", "id", "game", "period", "last.choice", "last.other", "choice", "bc", "error")


def read(folder: Path, whole: bool) -> StudyReading:
    """Return the decisions and their figures."""
    rows = read_rows(find_file(folder, ("frd2012.csv.gz", "frd2012.csv")), _COLUMNS)
    parts = {person: part_of(f"frd2012:{person}") for person in rows["id"].unique()}
    table = rows.select(
        pl.col("id").alias("person"),
        pl.col("treatment").cast(pl.Int64),
        pl.col("game").cast(pl.Int64),
        pl.col("period").cast(pl.Int64),
        (pl.col("choice") == "c").alias("cooperated"),
        pl.col("last.choice").alias("own_last"),
        pl.col("last.other").alias("other_last"),
        pl.col("bc").cast(pl.Float64),
        pl.col("error").cast(pl.Float64),
        pl.col("id").replace_strict(parts, return_dtype=pl.String).alias("part"),
    )
    return StudyReading(
        {"decisions": table},
        _figures(in_figures(table, whole=whole)),
        rule_sentence("'frd2012:' and the id"),
        notes=[
            "The columns own_last and other_last have the actions after the error, and cooperated the choice before it."
        ],
    )


def _figures(table: pl.DataFrame) -> list[StudyFigure]:
    figures = [StudyFigure("decisions", table.height), StudyFigure("people", table["person"].n_unique())]
    for name, rows in (("first round", table.filter(pl.col("period") == 1)), ("all rounds", table)):
        for treatment in sorted(table["treatment"].unique()):
            own = rows.filter(pl.col("treatment") == treatment)
            figures.append(mean_of(f"cooperation, {name}, treatment {treatment}", own["cooperated"]))
    figures += _changed(table)
    return figures


def _changed(table: pl.DataFrame) -> list[StudyFigure]:
    """Return how often the last action differs from the choice before it, for each rate of errors."""
    own = table.sort("person", "game", "period").with_columns(
        before=pl.col("cooperated").shift(1).over("person", "game"), step=pl.col("period").diff().over("person", "game")
    )
    seen = own.filter((pl.col("step") == 1) & pl.col("own_last").is_in(["c", "d"]))
    seen = seen.with_columns(changed=(pl.col("own_last") == "c") != pl.col("before"))
    return [
        mean_of(f"actions changed by an error of {error:g}", seen.filter(pl.col("error") == error)["changed"])
        for error in sorted(seen["error"].unique())
    ]


STUDY: Final = PublishedStudy(
    NAME,
    "The repeated prisoner's dilemma with errors",
    "Fudenberg, Rand and Dreber 2012",
    "CC BY 4.0 by the notice of the package stratEst",
    read,
)
