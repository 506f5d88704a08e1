"""Regressions over the rows of a panel, by group: the slope of an outcome on one regressor, given controls.

The controls are partialled out of both by least squares within the group; the regression of the residual outcome on the
residual regressor has the slope of the whole regression (Frisch and Waugh 1933, Lovell 1963), which is a ratio of sums
over games, Σ x̃ỹ / Σ x̃². So a slope is a `Ratio` like any other measure, with a bootstrap over games (Cameron, Gelbach
and Miller 2008). Residuals are too small where games are few, since the regression is fitted to these games; they are
adjusted by the leverage of their game, as Bell and McCaffrey (2002) do, before they enter the error. With many games
that is the cluster-robust sandwich (Liang and Zeger 1986)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.intervals import Ratio
from ostrom.analysis.measures import ratio_of
from ostrom.analysis.tables import GameTables

_LEAST_VARIATION = 1e-9
"""A residual regressor below this share of the regressor is a rounding error: the controls determine it."""


def slope_of(
    tables: GameTables,
    rows: pl.DataFrame,
    outcome: str,
    regressor: str,
    controls: Sequence[str],
    by: tuple[str, ...] = ("player",),
) -> Ratio:
    """Return the slope of the outcome on the regressor, given the controls and a constant, for each group in which the
    controls do not determine the regressor."""
    columns = rows.select(outcome, regressor, *controls).to_numpy()
    keys, group = _numbered(rows, by)
    games, game = _numbered(rows, ("game",))
    # Rows keep their order within each group.
    places = np.split(np.argsort(group, kind="stable"), np.cumsum(np.bincount(group, minlength=keys.height))[:-1])
    group_numbers = [np.zeros(0, np.int64)]
    game_numbers = [np.zeros(0, np.int64)]
    scores = [np.zeros((0, 2))]
    for number, own in enumerate(places[: keys.height]):
        own_games, place = np.unique(game[own], return_inverse=True)
        group_numbers.append(np.full(len(own_games), number))
        game_numbers.append(own_games)
        scores.append(_scores(columns[own], place))
    top, bottom = np.concatenate(scores).T
    labels = games[np.concatenate(game_numbers)].hstack(keys[np.concatenate(group_numbers)])
    sums = labels.with_columns(top=top, bottom=bottom)
    return replace(ratio_of(tables, sums, by, "top", "bottom"), own_error=True)


def _numbered(rows: pl.DataFrame, by: Sequence[str]) -> tuple[pl.DataFrame, npt.NDArray[np.int64]]:
    """Return the distinct values of these columns in their order, and for each row the position of its value."""
    keys = rows.select(by).unique(maintain_order=True)
    numbered = rows.select(by).join(keys.with_row_index("place"), on=list(by), maintain_order="left")
    return keys, numbered["place"].to_numpy().astype(np.int64)


def _scores(columns: npt.NDArray[np.float64], game: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return Σ x̃ỹ and Σ x̃² by game, (games, 2), of an outcome, a regressor and controls, with adjusted residuals. The
    slope is unchanged."""
    games = int(game.max()) + 1
    design = np.column_stack([np.ones(len(columns)), columns[:, 2:]])
    pair = columns[:, :2]
    solution, _, rank, _ = np.linalg.lstsq(design, pair, rcond=None)
    residuals = pair - design @ solution
    negligible = np.linalg.norm(residuals, axis=0) <= _LEAST_VARIATION * np.linalg.norm(pair, axis=0)
    outcome, regressor = np.where(negligible, 0.0, residuals).T
    if len(columns) - rank - 1 <= 0 or not regressor.any():
        return np.zeros((games, 2))
    whole = float(regressor @ regressor)
    slope = float(regressor @ outcome) / whole
    adjusted = _adjust_residuals(outcome - slope * regressor, np.column_stack([design, regressor]), game, games)
    score = np.bincount(game, regressor * adjusted, games)
    bottom = np.bincount(game, regressor**2, games)
    return np.column_stack([slope * bottom + score - score.sum() * bottom / whole, bottom])


def _adjust_residuals(
    residuals: npt.NDArray[np.float64], design: npt.NDArray[np.float64], game: npt.NDArray[np.int64], games: int
) -> npt.NDArray[np.float64]:
    """Return the residuals of each game times (I − H)^(−1/2), H being the game's block of the projection onto the
    design, by the eigenvalues of QᵀQ over the game's rows, which are the nonzero ones of H."""
    basis, values, _ = np.linalg.svd(design, full_matrices=False)
    basis = basis[:, values > _LEAST_VARIATION * values[0]]
    products, answers = np.zeros((games, basis.shape[1], basis.shape[1])), np.zeros((games, basis.shape[1]))
    np.add.at(products, game, basis[:, :, None] * basis[:, None, :])
    np.add.at(answers, game, basis * residuals[:, None])
    weight, axes = np.linalg.eigh(products)
    weight = np.clip(weight, 0.0, 1 - _LEAST_VARIATION)  # a game that alone determines a control has no residual
    factor = np.where(weight > _LEAST_VARIATION, (1 / np.sqrt(1 - weight) - 1) / np.maximum(weight, 1e-12), 0.5)
    more = np.einsum("gij,gj,gkj,gk->gi", axes, factor, axes, answers)
    return np.asarray(residuals + np.einsum("ri,ri->r", basis, more[game]))
