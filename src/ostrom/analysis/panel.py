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
    columns = rows.select(outcome, regressor, *controls).to_numpy()
    scores = np.zeros((len(columns), 2))
    for group in rows.with_row_index("row").group_by(by).agg("row")["row"]:
        scores[group.to_numpy()] = _scores(columns[group.to_numpy()])
    found = rows.select("game", *by).with_columns(top=scores[:, 0], bottom=scores[:, 1])
    return ratio_of(tables, found, by, "top", "bottom")


def _scores(columns: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(rows, 2) x̃ỹ and x̃² of every row, of an outcome, a regressor and controls. What the slope leaves of the outcome
    is stretched for what the controls have taken from it, by √((N − 1) / (N − K)); the slope stays as it is."""
    design = np.column_stack([np.ones(len(columns)), columns[:, 2:]])
    pair = columns[:, :2]
    solution, _, rank, _ = np.linalg.lstsq(design, pair, rcond=None)
    left = pair - design @ solution
    dust = np.linalg.norm(left, axis=0) <= _LEAST_VARIATION * np.linalg.norm(pair, axis=0)
    outcome, regressor = np.where(dust, 0.0, left).T
    free = len(columns) - rank - 1
    if free <= 0 or not regressor.any():
        return np.zeros_like(pair)
    explained = (regressor @ outcome) / (regressor @ regressor) * regressor
    stretched = explained + (outcome - explained) * np.sqrt((len(columns) - 1) / free)
    return np.column_stack([regressor * stretched, regressor**2])
