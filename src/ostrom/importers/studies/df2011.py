"""Dal Bó and Fréchette 2011: repeated prisoner's dilemmas. The partner of a round is not named, so the data have
decisions. The payoff of every past round that a row lists is replayed by the matrix of the repeated game."""

from pathlib import Path
from typing import Final

import numpy as np
import polars as pl

from ostrom.games.repeated.matrices import matrix_of
from ostrom.games.repeated.rules import PRESETS
from ostrom.importers.studies.published import (
    PublishedStudy,
    StudyFigure,
    StudyReading,
    find_file,
    mean_of,
    read_rows,
)

NAME: Final = "dal-bo-2011"
DOLLARS_PER_POINT: Final = 0.006
PAST_ROUNDS: Final = 9
"""The number of past rounds that a row lists."""
_PAST: Final = ("my.decision", "other.decision", "my.payoff", "other.payoff")
_DOLLARS: Final = 1e-9


def read(folder: Path, whole: bool) -> StudyReading:
    """Return the decisions and their figures."""
    past = [f"{name}{lag}" for lag in range(1, PAST_ROUNDS + 1) for name in _PAST]
    path = find_file(folder, ("df2011_decisions.csv",))
    rows = read_rows(path, ("period", "my.decision", "delta", "r", "s", *past))
    numbers = rows.select(pl.col(name).cast(pl.Float64, strict=False) for name in ("period", "delta", "r", *past))
    # The file has dollars above the least payoff, which is 12 points.
    least = _matrix(40)[0, 1]
    reward = ((numbers["r"] / DOLLARS_PER_POINT) + least).round().cast(pl.Int64)
    table = rows.select((pl.col("my.decision") == "coop").alias("cooperated")).with_columns(
        numbers["period"].cast(pl.Int64).alias("round"), numbers["delta"].alias("continue"), reward.alias("reward")
    )
    listed, replayed = _past_payoffs(numbers, reward)
    figures = [StudyFigure("decisions", table.height), *_first_rounds(table)]
    figures += [StudyFigure("payoffs of past rounds", listed), StudyFigure("payoffs replayed", replayed)]
    return StudyReading({"decisions": table}, figures)


def _matrix(reward: int) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """Return the row player's points with this reward; the first action cooperates."""
    payoffs = matrix_of(PRESETS[NAME]["matrix"]).payoffs
    points = np.asarray([[cell[0] for cell in row] for row in payoffs], dtype=np.float64)
    points[0, 0] = reward
    return points


def _past_payoffs(numbers: pl.DataFrame, reward: pl.Series) -> tuple[int, int]:
    """Return the number of own and others' payoffs in past rounds, and of those that follow from the matrix."""
    points = {value: _matrix(value) for value in reward.unique()}
    matrices = np.stack([points[value] for value in reward.to_list()])
    row = np.arange(len(matrices))
    listed = replayed = 0
    for lag in range(1, PAST_ROUNDS + 1):
        own, other, own_paid, other_paid = (numbers[f"{name}{lag}"].fill_null(np.nan).to_numpy() for name in _PAST)
        known = np.isfinite(own) & np.isfinite(other) & np.isfinite(own_paid)
        first, second = (np.where(known, 1 - np.nan_to_num(choice), 0).astype(np.int64) for choice in (own, other))
        paid = matrices[row, first, second] * DOLLARS_PER_POINT
        equal = known & (np.abs(paid - own_paid) < _DOLLARS)
        other_known = np.isfinite(other_paid)
        others = matrices[row, second, first] * DOLLARS_PER_POINT
        equal &= ~other_known | (np.abs(others - np.nan_to_num(other_paid)) < _DOLLARS)
        listed += int(known.sum())
        replayed += int(equal.sum())
    return listed, replayed


def _first_rounds(table: pl.DataFrame) -> list[StudyFigure]:
    first = table.filter(pl.col("round") == 1)
    figures = []
    for continuation, reward in first.select("continue", "reward").unique().sort("continue", "reward").iter_rows():
        own = first.filter((pl.col("continue") == continuation) & (pl.col("reward") == reward))
        figures.append(mean_of(f"cooperation in round 1, δ {continuation:g}, R {reward}", own["cooperated"]))
    return figures


STUDY: Final = PublishedStudy(
    NAME,
    "Repeated prisoner's dilemmas",
    "Dal Bó and Fréchette 2011",
    "CC BY 4.0 by the notice of the package stratEst",
    read,
)
