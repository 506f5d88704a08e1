"""Regressions over the rows of a panel, by group: the slope of an outcome on one regressor, given controls.

The controls are partialled out of both by least squares within the group; what is left of the outcome on what is left
of the regressor has the slope of the whole regression (Frisch and Waugh 1933, Lovell 1963), and that is a ratio of sums
over games, Σ x̃ỹ / Σ x̃². So a slope is a `Ratio` like any other measure, with a bootstrap over games (Cameron, Gelbach
and Miller 2008). A regression follows the games it is made of, and the more so the fewer they are; so what it leaves of
each game is stretched by what it took from it, as Bell and McCaffrey (2002) do, before it enters the error. With many
games that is the cluster-robust sandwich (Liang and Zeger 1986)."""

from collections.abc import Sequence
from dataclasses import replace

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
    keys, group = _numbered(rows, by)
    known, game = _numbered(rows, ("game",))
    # In the rows' own order within each group.
    places = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group, minlength=keys.height))[:-1])
    whose, where, scores = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)], [np.zeros((0, 2))]
    for number, own in enumerate(places[: keys.height]):
        here, place = np.unique(game[own], return_inverse=True)
        whose.append(np.full(len(here), number))
        where.append(here)
        scores.append(_scores(columns[own], place))
    top, bottom = np.concatenate(scores).T
    found = known[np.concatenate(where)].hstack(keys[np.concatenate(whose)]).with_columns(top=top, bottom=bottom)
    return replace(ratio_of(tables, found, by, "top", "bottom"), own_error=True)


def _numbered(rows: pl.DataFrame, by: Sequence[str]) -> tuple[pl.DataFrame, npt.NDArray[np.int64]]:
    """What differs in these columns, in the order in which it first stands there, and of each row its place in it."""
    known = rows.select(by).unique(maintain_order=True)
    placed = rows.select(by).join(known.with_row_index("place"), on=list(by), maintain_order="left")
    return known, placed["place"].to_numpy().astype(np.int64)


def _scores(columns: npt.NDArray[np.float64], game: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """(games, 2) Σ x̃ỹ and Σ x̃² by game, of an outcome, a regressor and controls, with what the slope leaves of the
    outcome stretched. The slope stays as it is."""
    games = int(game.max()) + 1
    design = np.column_stack([np.ones(len(columns)), columns[:, 2:]])
    pair = columns[:, :2]
    solution, _, rank, _ = np.linalg.lstsq(design, pair, rcond=None)
    left = pair - design @ solution
    dust = np.linalg.norm(left, axis=0) <= _LEAST_VARIATION * np.linalg.norm(pair, axis=0)
    outcome, regressor = np.where(dust, 0.0, left).T
    if len(columns) - rank - 1 <= 0 or not regressor.any():
        return np.zeros((games, 2))
    whole = float(regressor @ regressor)
    slope = float(regressor @ outcome) / whole
    stretched = _stretched(outcome - slope * regressor, np.column_stack([design, regressor]), game, games)
    off, bottom = np.bincount(game, regressor * stretched, games), np.bincount(game, regressor**2, games)
    return np.column_stack([slope * bottom + off - off.sum() * bottom / whole, bottom])


def _stretched(
    left: npt.NDArray[np.float64], design: npt.NDArray[np.float64], game: npt.NDArray[np.int64], games: int
) -> npt.NDArray[np.float64]:
    """What is left of the rows of each game, times (I − H)^(−1/2) of the game, H being its part of the projection onto
    the design. By the eigenvalues of QᵀQ over the game's rows, which are those of H that are not 0."""
    basis, values, _ = np.linalg.svd(design, full_matrices=False)
    basis = basis[:, values > _LEAST_VARIATION * values[0]]
    products, answers = np.zeros((games, basis.shape[1], basis.shape[1])), np.zeros((games, basis.shape[1]))
    np.add.at(products, game, basis[:, :, None] * basis[:, None, :])
    np.add.at(answers, game, basis * left[:, None])
    weight, axes = np.linalg.eigh(products)
    weight = np.clip(weight, 0.0, 1 - _LEAST_VARIATION)  # a game that alone fixes a control says nothing of its own
    factor = np.where(weight > _LEAST_VARIATION, (1 / np.sqrt(1 - weight) - 1) / np.maximum(weight, 1e-12), 0.5)
    more = np.einsum("gij,gj,gkj,gk->gi", axes, factor, axes, answers)
    return np.asarray(left + np.einsum("ri,ri->r", basis, more[game]))
