"""Payoff tables of games in which not every group met."""

import numpy as np
import pytest

from ostrom.core import InputError
from ostrom.sim.payoff_games import FittedTable, completed
from ostrom.sim.payoffs import Groups, PayoffTable

OWN, GIVEN = np.asarray([1.0, 2.0, 4.0, 3.0]), np.asarray([0.5, -1.0, 0.25, 0.0])
PLAYERS = ("a", "b", "c", "d")


def table(seating, noise=0.0):
    """Games in which a player earns a part of its own and one for each co-player."""
    seating = np.asarray(seating).T
    paid = OWN[seating] + GIVEN[seating].sum(axis=0) - GIVEN[seating]
    chance = np.random.default_rng(1)
    return PayoffTable.of_games(PLAYERS, len(seating), seating, paid + noise * chance.normal(size=paid.shape))


MIXED = [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3), (2, 2, 0), (1, 1, 3), (0, 0, 3)]


def test_where_players_add_up_what_was_not_played_is_found():
    wanted = Groups.pairs_of(PLAYERS, 3)
    found = completed(table(MIXED), wanted)
    assert isinstance(found, FittedTable)
    exact = OWN + wanted.counts @ GIVEN[:, None] - GIVEN
    there = wanted.counts > 0
    inside = there & (exact >= found.samples.payoffs[~np.isnan(found.samples.payoffs)].min())
    inside &= exact <= np.nanmax(found.samples.payoffs)
    assert inside.sum() > 20
    np.testing.assert_allclose(found.means[inside], exact[inside], atol=1e-9)


def test_games_drawn_again_tell_how_uncertain_it_is():
    found = completed(table(MIXED * 6, noise=0.2), Groups.pairs_of(PLAYERS, 3))
    drawn = [found.resampled(np.random.default_rng(k)).means[0, 0] for k in range(20)]
    assert 0.001 < np.std(drawn) < 0.5
    assert found.scaled(2.0).means[0, 0] == pytest.approx(found.means[0, 0] / 2)


def test_what_the_games_do_not_tell_is_refused():
    with pytest.raises(InputError, match="do not determine the payoffs of a group of 3"):
        completed(table([(0, 1, 1), (2, 3, 3)]), Groups.pairs_of(PLAYERS, 3))


def test_a_table_of_all_groups_stays_as_it_is():
    whole = table([(0, 0), (0, 1), (1, 1), (0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3), (3, 3)])
    assert completed(whole, Groups.all_of(PLAYERS, 2)) is whole


def test_the_error_of_the_fit_is_carried_to_groups_that_never_met():
    seating = np.repeat([(0, 1), (0, 2), (1, 3), (2, 3), (0, 0), (1, 1), (2, 2), (3, 3)], 20, axis=0)
    chance = np.random.default_rng(2)
    own, other = seating.T, seating.T[::-1]
    # Payoffs of a pair are more than the sum of two parts, and hardly vary.
    paid = chance.normal(0, 2, (4, 4))[own, other] + 0.01 * chance.normal(size=own.shape)
    fitted = completed(PayoffTable.of_games(PLAYERS, 2, own, paid), Groups.all_of(PLAYERS, 2))
    place = fitted.groups.place([1, 0, 0, 1])
    drawn = [fitted.resampled(np.random.default_rng(k)).means[place, 0] for k in range(50)]
    assert fitted.games[place] == 0
    assert np.std(drawn) > 0.3
