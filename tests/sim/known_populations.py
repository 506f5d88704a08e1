"""Games whose evolution is known from theory, as payoff tables."""

from collections.abc import Sequence
from itertools import product

import numpy as np

from ostrom.sim.payoffs import PayoffTable

HAWK_DOVE = PayoffTable.of_matrix(["hawk", "dove"], [[-0.5, 2], [0, 0]])
STAG_HUNT = PayoffTable.of_matrix(["stag", "hare"], [[4, 0], [3, 2]])


def linear_public_good(seats: int, factor: float, cost: float = 1.0) -> PayoffTable:
    def payoffs(counts: Sequence[int]) -> Sequence[float]:
        pot = factor * cost * counts[0] / seats
        return pot - cost, pot

    return PayoffTable.exact(["C", "D"], seats, payoffs)


def collective_risk(seats: int = 6, threshold: int = 3, cost: float = 0.1, risk: float = 1.0) -> PayoffTable:
    def payoffs(counts: Sequence[int]) -> Sequence[float]:
        left = 1.0 if counts[0] >= threshold else 1.0 - risk
        return left - cost, left

    return PayoffTable.exact(["C", "D"], seats, payoffs)


def optional_public_good(factor: float, seats: int = 5, loner: float = 1.0) -> PayoffTable:
    def payoffs(counts: Sequence[int]) -> Sequence[float]:
        givers, takers, _ = counts
        if givers + takers < 2:
            return loner, loner, loner
        pot = factor * givers / (givers + takers)
        return pot - 1, pot, loner

    return PayoffTable.exact(["C", "D", "L"], seats, payoffs)


def via_freedom(players: str = "CDLP") -> PayoffTable:
    """Hauert et al. (2007): N 5, r 3, c 1, σ 1, a fine of 1 at a cost of 0.3."""

    def payoffs(counts: Sequence[int]) -> Sequence[float]:
        there = dict(zip(players, counts, strict=True))
        givers, takers, punishers = (there.get(kind, 0) for kind in "CDP")
        taking_part = givers + takers + punishers
        if taking_part < 2:
            return [1.0] * len(players)
        pot = 3.0 * (givers + punishers) / taking_part
        earned = {"C": pot - 1, "D": pot - punishers, "L": 1.0, "P": pot - 1 - 0.3 * takers}
        return [earned[kind] for kind in players]

    return PayoffTable.exact(list(players), 5, payoffs)


def _move(kind: str, mine: list[int], theirs: list[int]) -> int:
    if kind in ("AllC", "AllD"):
        return int(kind == "AllD")
    if kind == "TFT":
        return theirs[-1] if theirs else 0
    if kind == "Grim":
        return int(any(theirs))
    if not mine:
        return 0
    return 1 - mine[-1] if theirs[-1] else mine[-1]  # Pavlov: win stay, lose shift


def repeated_dilemma(rounds: int = 100) -> PayoffTable:
    """AllC, AllD, TFT, Pavlov and Grim, payoffs per round."""
    kinds = ["AllC", "AllD", "TFT", "Pavlov", "Grim"]
    pays = np.asarray([[2, 0], [4, 1]])
    matrix = np.zeros((5, 5))
    for (i, one), (j, other) in product(enumerate(kinds), repeat=2):
        a: list[int] = []
        b: list[int] = []
        for _ in range(rounds):
            x, y = _move(one, a, b), _move(other, b, a)
            a.append(x)
            b.append(y)
        matrix[i, j] = np.mean([pays[x, y] for x, y in zip(a, b, strict=True)])
    return PayoffTable.of_matrix(kinds, matrix)


def contracts() -> PayoffTable:
    """The five strategies of Han et al. (2013)."""
    r, t, p, s, d, e = 1.0, 2.0, 0.0, -1.0, 4.0, 0.25
    rows = [
        [r - e / 2, r - e, 0, s + d - e, r - e],
        [r, r, s, s, s],
        [0, t, p, p, p],
        [t - d, t, p, p, p],
        [r, t, p, p, p],
    ]
    return PayoffTable.of_matrix(["COMP", "C", "D", "FAKE", "FREE"], rows)


def neutral(seats: int = 3) -> PayoffTable:
    return PayoffTable.exact(["a", "b"], seats, lambda counts: (1.0, 1.0))
