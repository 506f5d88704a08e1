"""Axelrod's morality metrics, after the library of that name: who cooperates, and with whom. All of them start from the
table of cooperation: how often each player, in a row, cooperates with each other, in a column."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ostrom.core.arrays import Array


@dataclass(frozen=True)
class Morality:
    """One figure for each player."""

    cooperating: tuple[float, ...]
    """How often it cooperates with others, the mean over them."""
    good_partner: tuple[float, ...]
    """In which share of its matches with others it cooperates at least as often as the other does."""
    eigenjesus: tuple[float, ...]
    """How far it cooperates with those who cooperate, whoever they cooperate with: the principal eigenvector of the
    table of cooperation. Not a number where the table has no one such."""
    eigenmoses: tuple[float, ...]
    """The same where defecting against those who defect counts as well: of the table from −1 to 1."""


def cooperating_rating(rates: Array) -> Array:
    """The mean of each row without the diagonal; pairs that never met are not a number, and left out."""
    others = np.where(np.eye(len(rates), dtype=bool), np.nan, rates)
    met = ~np.isnan(others)
    return np.asarray(np.nansum(others, axis=1) / np.maximum(met.sum(axis=1), 1))


def principal(matrix: Array) -> Array:
    """The eigenvector of the largest eigenvalue by size, of length 1, its sum not below 0. Not a number where there is
    no one such: where all eigenvalues are 0, or several are the largest. Which vector came out would then depend on the
    order of the players."""
    values, vectors = np.linalg.eig(matrix)
    sizes = np.abs(values)
    largest = sizes.max()
    if largest <= 1e-12 or np.sum(sizes >= largest * (1 - 1e-9)) > 1:
        return np.full(len(values), np.nan)
    vector = np.real(vectors[:, np.argmax(sizes)])
    total = vector.sum()
    sign = np.sign(total if abs(total) > 1e-12 else vector[np.argmax(np.abs(vector))])
    return np.asarray(np.where(np.abs(vector) < 1e-12, 0.0, vector * (sign or 1.0)))


def eigenjesus(rates: Array) -> Array:
    """Of the table of cooperation with self-play on the diagonal."""
    return principal(np.nan_to_num(rates, nan=0.0))


def eigenmoses(rates: Array) -> Array:
    """Of the same table from −1 (always defects) to 1; who never met counts as 0."""
    return principal(np.nan_to_num(2.0 * rates - 1.0, nan=0.0))


def good_partner_rating(rates: Array) -> Array:
    """Over the pairs that met; Axelrod's counts repetitions of a match one by one, which is the same for one each."""
    met = ~np.isnan(rates) & ~np.eye(len(rates), dtype=bool)
    good = met & (np.nan_to_num(rates) >= np.nan_to_num(rates.T) - 1e-12)
    return np.asarray(good.sum(axis=1) / np.maximum(met.sum(axis=1), 1))


def morality(rates: Sequence[Sequence[float]] | Array) -> Morality:
    """All four from the table of cooperation."""
    table = np.asarray(rates, dtype=np.float64)
    found = (cooperating_rating(table), good_partner_rating(table), eigenjesus(table), eigenmoses(table))
    return Morality(*(tuple(one.tolist()) for one in found))
