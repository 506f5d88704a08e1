"""Two experiments side by side: the difference of a measure, with the interval of the difference."""

from typing import NamedTuple

import numpy as np
import polars as pl

from ostrom.analysis.intervals import SEED, Resampled, percentiles
from ostrom.analysis.measures import Measure
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import Tables, pooled
from ostrom.core import InputError


class _Sides(NamedTuple):
    a: Resampled
    b: Resampled


def compare(tables_a: Tables, tables_b: Tables, measure: str | Measure[Tables]) -> pl.DataFrame:
    """The measure in both experiments for every group (player, round) that both have, and the difference b − a as
    value, low, high: columns of the group, value, low, high, error, a, a_low, a_high, n_a, b, b_low, b_high, n_b.

    The games of the two are resampled independently of each other, as is right for two sets of games. For two views of
    the same games (with defaulted answers and without) the interval is too wide."""
    measures = study_of(tables_a).measures
    found = measures[measure] if isinstance(measure, str) else measure
    if found.ratio is None:
        comparable = ", ".join(name for name, one in measures.items() if one.ratio)
        raise InputError(f"{found.name} cannot be compared; what can be is {comparable}")
    # Seeds apart: the same draws for both would tie the games of one to those of the other by their numbers.
    sides = _Sides(found.ratio(tables_a).resampled(seed=SEED), found.ratio(tables_b).resampled(seed=SEED + 1))
    by = sides.a.keys.columns
    common = sides.a.keys.join(sides.b.keys, on=by, how="semi", maintain_order="left")
    a, b = sides.a.at(common), sides.b.at(common)
    low, high = percentiles(b.draws - a.draws)
    unknown = (a.games < 2) | (b.games < 2)
    difference = common.with_columns(
        pl.Series("value", b.value - a.value),
        pl.Series("low", np.where(unknown, np.nan, low)),
        pl.Series("high", np.where(unknown, np.nan, high)),
        pl.Series("error", np.hypot(a.error, b.error)),
    ).with_columns(pl.col("value", "low", "high", "error").fill_nan(None))
    for name, side in zip("ab", (a, b), strict=True):
        named = {"value": name, "low": f"{name}_low", "high": f"{name}_high", "n": f"n_{name}"}
        difference = difference.join(side.frame().drop("error").rename(named), on=by, how="left", maintain_order="left")
    return difference


def compare_overall(tables_a: Tables, tables_b: Tables, measure: str | Measure[Tables]) -> pl.DataFrame:
    """The same over all players together, whoever they are; for a measure by player, one row whose player is "all"."""
    return compare(pooled(tables_a), pooled(tables_b), measure)
