"""Tables of outcomes and predictions, read as samples of prediction-powered inference."""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
import polars as pl

from ostrom.analysis.prediction_powered import (
    OutcomeSample,
    PooledEstimate,
    cluster_means,
    pooled_differences,
    pooled_means,
)
from ostrom.core.errors import InputError, field

Origin: TypeAlias = Literal["independent", "by-fold", "same-people"]
"""How predictions were made: without any outcome of these people; for the people of each fold without the outcomes of
this fold; or with the outcomes of the same people."""
COLUMNS: Final = ("outcome", "prediction")
OPTIONAL: Final = ("person", "arm", "cluster", "fold")
MAX_ROWS: Final = 5_000_000


@dataclass(frozen=True, eq=False)
class PredictedOutcomes:
    """The samples of a table. A mean has one sample. A difference between arms has two if their people differ."""

    samples: tuple[OutcomeSample, ...]
    arms: tuple[str, ...]
    """The arms of a difference; empty for a mean."""
    paired: bool
    clustered: bool
    share: bool
    """True if every outcome is 0 or 1."""
    people: int
    """The number of rows with an outcome."""
    predicted: int
    """The number of rows with a prediction alone."""

    def pooled(self) -> list[PooledEstimate]:
        """Return the figure by people alone, by PPI and by PPI++."""
        return pooled_means(*self.samples) if len(self.samples) == 1 else pooled_differences(*self.samples)

    @property
    def limits(self) -> tuple[float, float]:
        """The least and the greatest possible value of the figure."""
        if not self.share:
            return (-np.inf, np.inf)
        return (-1.0, 1.0) if self.arms else (0.0, 1.0)


def read_predictions(table: pl.DataFrame, origin: Origin, between: tuple[str, str] | None = None) -> PredictedOutcomes:
    """Return the samples of a table with the columns outcome and prediction. A row without an outcome
    has only a prediction. The columns person, arm, cluster and fold are optional. `between` names two arms, whose
    difference is estimated. Raises `InputError` if columns are missing, if values are invalid, or if the outcomes of
    the same people were used to make the predictions."""
    if origin == "same-people":
        raise InputError(
            "predictions that were made with the outcomes of the same people make every interval too short; make the "
            f"predictions of each fold without its outcomes, and state {field('predictions', 'by-fold')}"
        )
    if missing := [name for name in COLUMNS if name not in table.columns]:
        raise InputError(f"the table has no column {' or '.join(missing)}; it must have {' and '.join(COLUMNS)}")
    if table.height > MAX_ROWS:
        raise InputError(f"the table has {table.height:,} rows; at most {MAX_ROWS:,} are read")
    rows = _rows(table)
    _check_folds(rows, origin)
    arms = _arms(rows, between)
    if arms:
        rows = rows.filter(pl.col("arm").is_in(arms))
    paired = _is_paired(rows, arms)
    clustered = "cluster" in rows.columns
    labelled = rows.filter(pl.col("outcome").is_not_null())
    return PredictedOutcomes(
        samples=_samples(rows, arms, paired=paired),
        arms=arms,
        paired=paired,
        clustered=clustered,
        share=bool(labelled["outcome"].is_in([0.0, 1.0]).all()) and labelled.height > 0,
        people=labelled.height // (2 if paired else 1),
        predicted=(rows.height - labelled.height) // (2 if paired else 1),
    )


def _rows(table: pl.DataFrame) -> pl.DataFrame:
    """Return the columns that are used, with numbers as numbers and empty texts as missing."""
    names = [name for name in OPTIONAL if name in table.columns]
    text = table.select(pl.col(name).cast(pl.String).str.strip_chars() for name in (*COLUMNS, *names))
    text = text.with_columns(pl.when(pl.col(name) != "").then(pl.col(name)) for name in text.columns)
    rows = text.with_columns(pl.col(name).cast(pl.Float64, strict=False) for name in COLUMNS)
    for name in COLUMNS:
        wrong = text[name].is_not_null() & ~rows[name].is_finite().fill_null(False)
        if name == "prediction":
            wrong |= text[name].is_null()
        if wrong.any():
            raise InputError(f"row {wrong.arg_true()[0] + 1} has no finite number as its {name}")
    for name in names:
        if name != "fold" and (empty := rows[name].is_null()).any():
            raise InputError(f"row {empty.arg_true()[0] + 1} has no {name}")
    return rows


def _check_folds(rows: pl.DataFrame, origin: Origin) -> None:
    if origin == "independent":
        if "fold" in rows.columns:
            raise InputError(
                f"the table has a column fold; state {field('predictions', 'by-fold')}, or leave out the column"
            )
        return
    if "fold" not in rows.columns:
        raise InputError(f"{field('predictions', 'by-fold')} needs a column fold")
    known = rows["outcome"].is_not_null()
    wrong = known & rows["fold"].is_null()
    if wrong.any():
        raise InputError(f"row {wrong.arg_true()[0] + 1} has an outcome but no fold")
    wrong = ~known & rows["fold"].is_not_null()
    if wrong.any():
        raise InputError(
            f"row {wrong.arg_true()[0] + 1} has a fold but no outcome; the prediction of a person without an outcome "
            "must be the mean over the models of all folds, and its fold must be empty"
        )
    if rows["fold"].drop_nulls().n_unique() < 2:
        raise InputError("the people are all in one fold; cross-fitting needs at least 2 folds")
    for name in ("cluster", "person"):
        if name in rows.columns:
            several = rows.filter(known).group_by(name).agg(pl.col("fold").n_unique()).filter(pl.col("fold") > 1)
            if several.height:
                raise InputError(f"{name} {several[name].min()!r} is in several folds; it must be in one")


def _arms(rows: pl.DataFrame, between: tuple[str, str] | None) -> tuple[str, ...]:
    if "arm" not in rows.columns:
        if between is not None:
            raise InputError(f"{field('between')} needs a column arm")
        return ()
    names = rows["arm"].unique().sort().to_list()
    if between is None:
        shown = ", ".join(str(name)[:60] for name in names[:8])
        raise InputError(f"the table has the arms {shown}; name two of them with {field('between')}")
    if between[0] == between[1] or not set(between) <= set(names):
        raise InputError(f"{field('between')} needs two of the arms {', '.join(str(name)[:60] for name in names[:8])}")
    return between


def _is_paired(rows: pl.DataFrame, arms: tuple[str, ...]) -> bool:
    """Return whether the same people are in both arms. Raise InputError if only some are, or if a person has two rows
    in an arm."""
    if "person" not in rows.columns:
        return False
    keys = ["person", "arm"] if arms else ["person"]
    if (again := rows.select(keys).is_duplicated()).any():
        raise InputError(
            f"person {rows['person'][again.arg_true()[0]]!r} has two rows{' in an arm' if arms else ''}; average them, "
            "or name the people in the column cluster and leave out the column person"
        )
    if not arms:
        return False
    count = rows.group_by("person").agg(pl.len(), known=pl.col("outcome").is_not_null().n_unique())
    pairs = int((count["len"] == 2).sum())
    if pairs not in (0, count.height):
        raise InputError(f"{pairs} of {count.height} people are in both arms; either all must be, or none")
    if pairs and (count["known"] > 1).any():
        raise InputError("some people have an outcome in one arm only; a paired difference needs both outcomes")
    return pairs > 0


def _samples(rows: pl.DataFrame, arms: tuple[str, ...], *, paired: bool) -> tuple[OutcomeSample, ...]:
    if not arms:
        return (_sample(rows),)
    if not paired:
        if "cluster" in rows.columns:
            shared = rows.group_by("cluster").agg(pl.col("arm").n_unique()).filter(pl.col("arm") > 1)
            if shared.height:
                raise InputError(f"cluster {shared['cluster'].min()!r} is in both arms; name people to pair them")
        return tuple(_sample(rows.filter(pl.col("arm") == arm)) for arm in arms)
    first, second = (rows.filter(pl.col("arm") == arm).sort("person") for arm in arms)
    if "cluster" in rows.columns and not first["cluster"].equals(second["cluster"]):
        raise InputError("a person is in different clusters in the two arms; it must be in one")
    return (_sample(first.with_columns(first[name] - second[name] for name in COLUMNS)),)


def _sample(rows: pl.DataFrame) -> OutcomeSample:
    """Return the rows as a sample. With clusters, the units are means of clusters."""
    known = rows.filter(pl.col("outcome").is_not_null())
    others = rows.filter(pl.col("outcome").is_null())
    if "cluster" not in rows.columns:
        columns = (known["outcome"], known["prediction"], others["prediction"])
        return OutcomeSample(*(column.to_numpy().astype(np.float64) for column in columns))
    if shared := set(known["cluster"]) & set(others["cluster"]):
        raise InputError(
            f"cluster {min(shared)!r} has people with and without an outcome; a cluster must be wholly one or the other"
        )
    numbers = [part["cluster"].rank("dense").to_numpy().astype(np.int64) for part in (known, known, others)]
    columns = (known["outcome"], known["prediction"], others["prediction"])
    return OutcomeSample(
        *(cluster_means(column.to_numpy(), number) for column, number in zip(columns, numbers, strict=True))
    )
