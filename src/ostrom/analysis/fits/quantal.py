"""Quantal response and levels of reasoning in 2×2 games: one logit equilibrium of all players, or a mixture of random
choice, level 1 and level 2 (Stahl and Wilson 1995) between players."""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.fits.likelihood import Maximum, maximise, maximum_of, transformed
from ostrom.analysis.fits.matrix_choices import (
    MATRIX_COLUMNS,
    Floats,
    MatrixChoices,
    count_matrix_choices,
    level_1,
    level_2,
    logit_equilibrium,
    payoff_scale,
)
from ostrom.analysis.fits.result import Estimator, FitOptions, FitResult, Member, Parameter, Score, folds_of, scores_of

LEVELS: Final = ("random", "level 1", "level 2")
Forecast = Callable[[MatrixChoices, Floats], Floats]
"""A function from choices and a point to the log likelihood of each player."""


def qre_by_player(choices: MatrixChoices, point: Floats) -> Floats:
    """Return the log likelihood of each player, given the logarithm of the precision."""
    chance = logit_equilibrium(choices, float(np.exp(np.clip(point[0], -30, 30))))
    return choices.by_player(choices.log_likelihoods(chance))


def _level_1_by_player(choices: MatrixChoices, point: Floats) -> Floats:
    return choices.by_player(choices.log_likelihoods(level_1(choices, float(np.exp(np.clip(point[0], -30, 30))))))


def _joint_by_level(choices: MatrixChoices, point: Floats, per_choice: bool) -> Floats:
    """Return the logarithm of share times likelihood (players or cells, levels)."""
    first, second = np.exp(np.clip(point[2:], -30, 30))
    logits = np.array([0.0, point[0], point[1]])
    shares = logits - np.logaddexp.reduce(logits)
    chances = [
        np.full(len(choices.against_c), 0.5),
        level_1(choices, float(first)),
        level_2(choices, float(second), float(first)),
    ]
    values = [choices.log_likelihoods(chance) for chance in chances]
    if not per_choice:
        values = [choices.by_player(value) for value in values]
    return np.asarray(np.stack(values, axis=1) + shares)


def levels_by_player(choices: MatrixChoices, point: Floats) -> Floats:
    """Return the log likelihood of each player, given the logits of two shares and the logarithms of precisions."""
    return np.asarray(np.logaddexp.reduce(_joint_by_level(choices, point, False), axis=1))


def start_points(choices: MatrixChoices) -> tuple[Floats, list[Floats]]:
    """Return the start of a single precision, and the starts of the levels."""
    unit = -np.log(payoff_scale(choices))
    return np.array([unit]), [np.array([a, b, unit + 1, unit + 1]) for a, b in ((0.0, 0.0), (1.0, -1.0), (-1.0, 1.0))]


def fit_qre(rows: pl.DataFrame, options: FitOptions) -> FitResult:
    """Return the precision of the logit equilibrium."""
    choices = count_matrix_choices(rows)
    fitted = choices.selected(~choices.test)
    single, _ = start_points(choices)
    solved = maximum_of(lambda point: qre_by_player(fitted, point), [single, single + 1.5, single - 1.5])
    ((precision, error),) = transformed(solved, np.exp, ["log"])
    models: dict[str, tuple[Forecast, list[Floats]]] = {
        "level 1": (_level_1_by_player, [single]),
        "logit equilibrium": (qre_by_player, [single, single + 1.5]),
    }
    own = _player_precisions(fitted)
    counts = choices.by_player(choices.times)
    return FitResult(
        parameters=[Parameter("λ", precision, error, "precision")],
        members=[
            Member(name, int(count), {"λ": float(precision)})
            for name, count, precision in zip(choices.players, counts, own, strict=True)
        ],
        scores=_scores(choices, models, options.seed),
        decisions=int(fitted.times.sum()),
        units=solved.units,
        unit="player",
        log_likelihood=solved.log_likelihood,
        figures={"games": len(choices.against_c)},
    )


def _player_precisions(choices: MatrixChoices) -> Floats:
    """Return for each player the precision on a grid with the greatest likelihood of its own choices."""
    grid = np.concatenate([[0.0], np.geomspace(0.02, 20, 13) / payoff_scale(choices)])
    values = [
        choices.by_player(choices.log_likelihoods(logit_equilibrium(choices, float(precision)))) for precision in grid
    ]
    return np.asarray(grid[np.argmax(np.stack(values), axis=0)])


def fit_levels(rows: pl.DataFrame, options: FitOptions) -> FitResult:
    """Return the shares of levels among players, and their precisions."""
    choices = count_matrix_choices(rows)
    fitted = choices.selected(~choices.test)
    single, starts = start_points(choices)
    solved: Maximum = maximum_of(lambda point: levels_by_player(fitted, point), starts)
    figures = transformed(solved, levels_of, ["share"] * 3 + ["log"] * 2)
    joint = _joint_by_level(fitted, solved.point, False)
    posterior = np.exp(joint - np.logaddexp.reduce(joint, axis=1)[:, np.newaxis])
    counts = choices.by_player(choices.times)
    models: dict[str, tuple[Forecast, list[Floats]]] = {
        "level 1": (_level_1_by_player, [single]),
        "level-k mixture": (levels_by_player, starts[:1]),
    }
    names = [*LEVELS, "λ of level 1", "λ of level 2"]
    return FitResult(
        parameters=[
            Parameter(name, estimate, error, "share" if name in LEVELS else "precision")
            for name, (estimate, error) in zip(names, figures, strict=True)
        ],
        members=[
            Member(name, int(count), dict(zip(LEVELS, row.tolist(), strict=True)))
            for name, count, row in zip(choices.players, counts, posterior, strict=True)
        ],
        scores=_scores(choices, models, options.seed),
        decisions=int(fitted.times.sum()),
        units=solved.units,
        unit="player",
        log_likelihood=solved.log_likelihood,
        figures={"games": len(choices.against_c), "mixture_of_choices": _mixture_of_choices(choices, starts)},
    )


def levels_of(point: Floats) -> Floats:
    """Return the shares of levels and the two precisions."""
    logits = np.array([0.0, point[0], point[1]])
    shares = np.exp(logits - np.logaddexp.reduce(logits))
    return np.concatenate([shares, np.exp(point[2:])])


def _mixture_of_choices(choices: MatrixChoices, starts: list[Floats]) -> dict[str, float] | None:
    """Return the mixture in which every choice, not every player, has a level, and its log loss for the decisions that
    were set aside. None if no decisions were set aside."""
    if not choices.test.any():
        return None
    per_cell = _one_choice_a_cell(choices)
    fitted, test = per_cell.selected(~per_cell.test), per_cell.selected(per_cell.test)
    weight = fitted.times

    def by_cell(point: Floats) -> Floats:
        return np.asarray(weight * np.logaddexp.reduce(_joint_by_level(_single(fitted), point, True), axis=1))

    point, _ = maximise(by_cell, starts[:1])
    loss = -test.times * np.logaddexp.reduce(_joint_by_level(_single(test), point, True), axis=1)
    names = ("random", "level_1", "level_2", "precision_1", "precision_2")
    values = dict(zip(names, levels_of(point).tolist(), strict=True))
    return {**values, "log_loss": float(loss.sum() / test.times.sum())}


def _one_choice_a_cell(choices: MatrixChoices) -> MatrixChoices:
    """Return cells that are a game and a row; `times` is the number of its choices."""
    game = np.tile(choices.game, 2)
    test = np.tile(choices.test, 2)
    first = np.repeat([1.0, 0.0], len(choices.game))
    count = np.concatenate([choices.chose, choices.times - choices.chose])
    keys, place = np.unique(np.stack([game, test, first], axis=1), axis=0, return_inverse=True)
    total = np.bincount(place.reshape(-1), weights=count)
    return choices._replace(
        player=np.zeros(len(keys), dtype=np.int64),
        game=keys[:, 0].astype(np.int64),
        test=keys[:, 1].astype(np.bool_),
        chose=keys[:, 2],
        times=np.asarray(total, dtype=np.float64),
    )


def _single(cells: MatrixChoices) -> MatrixChoices:
    return cells._replace(times=np.ones(len(cells.times)))


def _scores(choices: MatrixChoices, models: dict[str, tuple[Forecast, list[Floats]]], seed: int) -> list[Score]:
    """Return the log losses for decisions that were set aside or, without any, for the players of each fold."""
    if choices.test.any():
        parts: list[npt.NDArray[np.bool_]] = [choices.test]
    else:
        folds = folds_of(choices.units, seed)[choices.player]
        parts = [folds == fold for fold in range(int(folds.max()) + 1)]
    tested = np.zeros(choices.units)
    losses: dict[str, Floats] = {name: np.zeros(choices.units) for name in ("chance", *models)}
    for part in parts:
        fitted, test = choices.selected(~part), choices.selected(part)
        tested += test.by_player(test.times)
        losses["chance"] += np.log(2) * test.by_player(test.times)
        for name, (by_player, starts) in models.items():
            point, _ = maximise(lambda at, fitted=fitted, by_player=by_player: by_player(fitted, at), starts)  # type: ignore[misc]
            # A mixture gives a player without decisions the likelihood 1.
            losses[name] -= by_player(test, point)
    seen = tested > 0
    return scores_of({name: loss[seen] for name, loss in losses.items()}, tested[seen])


QRE: Final = Estimator(
    "qre",
    "All players choose by the logit equilibrium with one precision λ, per unit of payoff.",
    MATRIX_COLUMNS,
    {"test": ()},
    fit_qre,
    classes=False,
)
LEVEL_K: Final = Estimator(
    "level-k",
    "Each player chooses at random, answers a random opponent (level 1), or answers an opponent of level 1 (level 2), "
    "with logit errors.",
    MATRIX_COLUMNS,
    {"test": ()},
    fit_levels,
)
