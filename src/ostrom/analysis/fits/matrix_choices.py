"""Choices between two rows of a 2×2 game, and their forecasts by theories of quantal response."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Self

import numpy as np
import numpy.typing as npt
import polars as pl

from ostrom.analysis.fits.data import codes_of, numbers, truths
from ostrom.core.errors import InputError

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[np.int64]
PAYOFFS: Final = tuple(f"{who}_{cell}" for cell in ("ac", "ad", "bc", "bd") for who in ("own", "other"))
"""The columns of payoffs. The rows are A and B, and the columns C and D."""
MATRIX_COLUMNS: Final[Mapping[str, Sequence[str]]] = {"choice": ("chose_a",), **dict.fromkeys(PAYOFFS, ())}
FIXED_POINT_STEPS: Final = 400
DAMPING: Final = 0.3
_LEAST: Final = 1e-12


class MatrixChoices(NamedTuple):
    """Choices, counted by player and game."""

    players: list[str]
    player: Whole
    """The player of each cell."""
    game: Whole
    """The game of each cell."""
    chose: Floats
    """The choices of row A in each cell, which is a player in a game."""
    times: Floats
    """The number of choices in each cell."""
    test: npt.NDArray[np.bool_]
    """Whether a cell is set aside for the score."""
    against_c: Floats
    """The advantage of A over B for each game if the other chooses C."""
    against_d: Floats
    other_a: Floats
    """The other's advantage of C over D if the player chooses A."""
    other_b: Floats

    @property
    def units(self) -> int:
        return len(self.players)

    def selected(self, cells: npt.NDArray[np.bool_]) -> Self:
        """Return these cells alone. Players keep their numbers."""
        fields = {name: getattr(self, name)[cells] for name in ("player", "game", "chose", "times", "test")}
        return self._replace(**fields)

    def log_likelihoods(self, chance: Floats) -> Floats:
        """Return the log likelihood of each cell, given the probability of row A in each game."""
        first = np.clip(chance, _LEAST, 1 - _LEAST)[self.game]
        return np.asarray(self.chose * np.log(first) + (self.times - self.chose) * np.log1p(-first))

    def by_player(self, values: Floats) -> Floats:
        """Return the sum of the cells of each player."""
        return np.asarray(np.bincount(self.player, weights=values, minlength=self.units), dtype=np.float64)


def count_matrix_choices(rows: pl.DataFrame) -> MatrixChoices:
    """Return the choices of a table of decisions. Raise InputError if they differ in nothing that a theory explains."""
    chose = truths(rows["choice"])
    payoffs = np.stack([numbers(rows[name]) for name in PAYOFFS], axis=1)
    games, game = np.unique(payoffs, axis=0, return_inverse=True)
    players, player = codes_of(rows["player"])
    test = truths(rows["test"]) if "test" in rows.columns else np.zeros(len(chose), dtype=np.bool_)
    cells, place = np.unique(np.stack([player, game.reshape(-1), test], axis=1), axis=0, return_inverse=True)
    place = place.reshape(-1)
    own, other = games[:, ::2].T, games[:, 1::2].T
    against_c, against_d = own[0] - own[2], own[1] - own[3]
    if not np.any(against_c) and not np.any(against_d):
        raise InputError("both rows of every game pay the same, so that choices say nothing about payoffs")
    return MatrixChoices(
        players,
        cells[:, 0],
        cells[:, 1],
        np.asarray(np.bincount(place, weights=chose.astype(np.float64)), dtype=np.float64),
        np.bincount(place).astype(np.float64),
        cells[:, 2].astype(np.bool_),
        against_c,
        against_d,
        other[0] - other[1],
        other[2] - other[3],
    )


def logistic(value: Floats) -> Floats:
    """Return the logistic function."""
    return np.asarray(1 / (1 + np.exp(-np.clip(value, -500, 500))))


def level_1(choices: MatrixChoices, precision: float) -> Floats:
    """Return the probability of A for a quantal answer to an opponent that chooses at random."""
    return logistic(precision * (choices.against_c + choices.against_d) / 2)


def level_2(choices: MatrixChoices, precision: float, opponent: float) -> Floats:
    """Return the probability of A for a quantal answer to an opponent of level 1 with the precision `opponent`."""
    column = logistic(opponent * (choices.other_a + choices.other_b) / 2)
    return logistic(precision * (column * choices.against_c + (1 - column) * choices.against_d))


def logit_equilibrium(choices: MatrixChoices, precision: float) -> Floats:
    """Return the probability of A in the logit equilibrium (McKelvey and Palfrey 1995) that damped answers reach from
    one half."""
    row = np.full(len(choices.against_c), 0.5)
    for _ in range(FIXED_POINT_STEPS):
        column = logistic(precision * (row * choices.other_a + (1 - row) * choices.other_b))
        answer = logistic(precision * (column * choices.against_c + (1 - column) * choices.against_d))
        move = answer - row
        row = row + DAMPING * move
        if np.abs(move).max(initial=0.0) < 1e-10:
            break
    return row


def payoff_scale(choices: MatrixChoices) -> float:
    """Return the mean size of a player's advantages, in which start values of precisions are measured."""
    return float(np.mean(np.abs(np.concatenate([choices.against_c, choices.against_d])))) or 1.0
