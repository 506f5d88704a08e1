"""Regressions over the rows of a panel, by group: the slope of an outcome on one regressor, given controls.

The controls are partialled out of both by least squares within the group; what is left of the outcome on what is left
of the regressor has the slope of the whole regression (Frisch and Waugh 1933, Lovell 1963), and that is a ratio of sums
over games, Σ x̃ỹ / Σ x̃². So a slope is a `Ratio` like any other measure: its linearised error is the cluster-robust
sandwich with games as clusters (Liang and Zeger 1986), and its interval is a bootstrap over games (Cameron, Gelbach and
Miller 2008), in which what was partialled out stays as it is."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import ratio_of
from ostrom.analysis.tables import GameTables

_LEAST_VARIATION = 1e-9
"""What is left of a regressor below this part of it is rounding error: the controls say all that it says."""


def slope_of(
    tables: GameTables,
    rows: pl.DataFrame,
    outcome: str,
    regressor: str,
    controls: Sequence[str],
    by: tuple[str, ...] = ("player",),
) -> Ratio:
    """The slope of the outcome on the regressor, given the controls and a constant, for each group in which the
    regressor varies beside them."""
    residuals = [
        group.select("game", *by).with_columns(top=left * part[:, 0], bottom=left**2)
        for group in rows.partition_by(*by, maintain_order=True)
        for part in [_left_of(group.select(outcome, regressor).to_numpy(), group.select(controls).to_numpy())]
        for left in [part[:, 1]]
    ]
    empty = rows.head(0).select("game", *by, top=pl.lit(0.0), bottom=pl.lit(0.0))
    return ratio_of(tables, pl.concat([empty, *residuals]), by, "top", "bottom")


def _left_of(columns: npt.NDArray[np.float64], controls: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """What least squares on the controls and a constant leave of each column."""
    design = np.column_stack([np.ones(len(columns)), controls])
    left = columns - design @ np.linalg.lstsq(design, columns, rcond=None)[0]
    dust = np.linalg.norm(left, axis=0) <= _LEAST_VARIATION * np.linalg.norm(columns, axis=0)
    return np.where(dust, 0.0, left)
