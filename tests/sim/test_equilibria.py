"""Equilibria of games that are known."""

import numpy as np
import pytest
from known_populations import HAWK_DOVE, linear_public_good, optional_public_good

from ostrom.core import InputError
from ostrom.sim.equilibria import equilibria, is_zero_sum, reduce_game, symmetric_equilibria, value
from ostrom.sim.payoffs import PayoffTable

DILEMMA = np.asarray([[3.0, 0.0], [5.0, 1.0]])


def test_a_dilemma_has_one():
    (only,) = equilibria(DILEMMA, DILEMMA.T)
    assert (only.row, only.column, only.row_payoff) == ((0, 1), (0, 1), 1)
    assert only.pure
    assert only.symmetric


def test_battle_of_the_sexes_has_three():
    row, column = np.asarray([[10.0, 0], [0, 7]]), np.asarray([[7.0, 0], [0, 10]])
    found = equilibria(row, column)
    assert [one.pure for one in found] == [True, True, False]
    assert found[2].row == pytest.approx((10 / 17, 7 / 17))
    assert found[2].column == pytest.approx((7 / 17, 10 / 17))


def test_matching_pennies_has_none_that_is_pure():
    row = np.asarray([[1.0, -1], [-1, 1]])
    (only,) = equilibria(row, -row)
    assert only.row == pytest.approx((0.5, 0.5))
    assert is_zero_sum(row, -row)
    assert value(row)[0] == pytest.approx(0, abs=1e-12)


def test_hawks_and_doves():
    found = equilibria(HAWK_DOVE.matrix, HAWK_DOVE.matrix.T)
    assert [one.row for one in found if one.symmetric] == [pytest.approx((0.8, 0.2))]
    assert sum(one.pure for one in found) == 2
    assert symmetric_equilibria(HAWK_DOVE) == [pytest.approx((0.8, 0.2))]


def test_every_equilibrium_is_one():
    chance = np.random.default_rng(4)
    for _ in range(6):
        row, column = chance.integers(0, 20, (2, 3, 4)).astype(float) + chance.random((2, 3, 4))
        found = equilibria(row, column)
        assert len(found) % 2 == 1  # of a game that is not degenerate (Wilson 1971)
        for one in found:
            x, y = np.asarray(one.row), np.asarray(one.column)
            assert (row @ y).max() <= x @ row @ y + 1e-7
            assert (x @ column).max() <= x @ column @ y + 1e-7


def test_symmetric_equilibria_of_larger_groups():
    assert symmetric_equilibria(linear_public_good(5, 3)) == [(0.0, 1.0)]
    assert symmetric_equilibria(linear_public_good(5, 6)) == [(1.0, 0.0)]
    inside = [shares for shares in symmetric_equilibria(optional_public_good(3.0)) if min(shares) > 0]
    assert inside == [pytest.approx((0.26933, 0.26933, 0.46134), abs=5e-6)]


def test_dominated_and_repeated_actions_leave_a_large_game_small():
    chance = np.random.default_rng(7)
    core = chance.random((3, 3))
    row = np.full((14, 14), -5.0)
    row[:3, :3], row[:3, 3:] = core, 2.0
    row[3:, :] -= np.arange(11)[:, None]
    small = [[*result.row, *result.column] for result in equilibria(core, core.T)]
    large = [[*result.row[:3], *result.column[:3]] for result in equilibria(row, row.T)]
    assert np.asarray(large) == pytest.approx(np.asarray(small))
    repeated = np.repeat(np.repeat(core, 5, axis=0), 5, axis=1)
    reduced = reduce_game(repeated, repeated.T)
    assert (reduced.rows, reduced.complete) == ((0, 5, 10), True)


def test_equilibria_of_a_large_game_mix_few_actions():
    chance = np.random.default_rng(11)
    row, column = chance.random((2, 12, 12))
    row[np.arange(12), np.arange(12)] = column[np.arange(12), np.arange(12)] = 2.0
    assert not reduce_game(row, column).complete
    found = equilibria(row, column)
    assert {result.row.index(1.0) for result in found if result.pure} == set(range(12))
    assert max(sum(share > 0 for share in result.row) for result in found) == 2


def test_too_many_actions_are_refused():
    diagonal = np.eye(25)
    with pytest.raises(InputError, match="at most 24 actions per player, got 25 that are not dominated"):
        equilibria(diagonal, diagonal)
    with pytest.raises(InputError, match="only groups of 2"):
        _ = PayoffTable.exact(["a", "b"], 3, lambda counts: (1.0, 1.0)).matrix
