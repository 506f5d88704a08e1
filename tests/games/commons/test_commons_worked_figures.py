"""The figures of the rules worked by hand, each step by itself and whole turns through the game."""

import numpy as np
import pytest

from ostrom.games.commons import CommonsRules
from ostrom.games.commons.rules import erosion_of, kept_by, lobbied_alpha, next_synergy, shares_of
from ostrom.testing import Scripted
from support import end_of, ending_after, play, turns_of

SPLITS = [(1.0, [90.0, 90.0]), (0.5, [135.0, 45.0]), (0.0, [180.0, 0.0])]


@pytest.mark.parametrize(("alpha", "expected"), SPLITS)
def test_shares_of_one_giver_and_one_keeper(alpha, expected):
    gave = np.asarray([[1.0], [0.0]])
    shares = shares_of(
        gave, None, given=np.asarray([1.0]), seats=2, alpha=np.asarray([alpha]), grown=np.asarray([180.0])
    )
    assert shares[:, 0].tolist() == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(("alpha", "expected"), SPLITS)
def test_the_first_turn_of_one_giver_and_one_keeper(alpha, expected):
    match = play(ending_after(1, alpha=alpha), [1.0], [0.0])
    (turn,) = turns_of(match)
    assert turn.pot == 100.0
    assert turn.synergy == 1.8
    assert turn.shares == pytest.approx(expected)
    assert turn.gains == pytest.approx([expected[0], expected[1] + 100.0])
    assert end_of(match).capitals == turn.capitals == turn.gains


@pytest.mark.parametrize(("intensity", "factor"), [(1.0, 0.667), (2.0, 0.444), (0.0, 1.0)])
def test_kept_money_at_the_lowest_synergy(intensity, factor):
    rules = CommonsRules(erosion_intensity=intensity)
    erosion = erosion_of(np.asarray([1.2]), rules)
    assert erosion[0] == pytest.approx(factor, abs=0.0005)
    assert kept_by(np.asarray([[0.25]]), None, erosion, rules)[0, 0] == pytest.approx(75.0 * erosion[0])


def test_nothing_rots_from_the_initial_synergy_on_nor_with_erosion_off():
    assert erosion_of(np.asarray([1.8, 1.85, 3.0]), CommonsRules()).tolist() == [1.0, 1.0, 1.0]
    assert erosion_of(np.asarray([1.2]), CommonsRules(erosion=False)).tolist() == [1.0]


def test_an_empty_pot_pays_nothing_and_divides_by_nothing():
    for alpha in (0.0, 0.5, 1.0):
        shares = shares_of(
            np.zeros((3, 1)), None, given=np.zeros(1), seats=3, alpha=np.asarray([alpha]), grown=np.zeros(1)
        )
        assert shares[:, 0].tolist() == [0.0, 0.0, 0.0]


def test_lobbies_are_added_up_times_the_sensitivity_and_clamped():
    rules = CommonsRules()
    lobby = np.asarray([[100.0, 900.0, -900.0], [-40.0, 0.0, 0.0]])
    moved = lobbied_alpha(np.asarray([0.5, 0.5, 0.5]), lobby, rules)
    assert moved.tolist() == pytest.approx([0.56, 1.0, 0.0])


@pytest.mark.parametrize(
    ("cooperation", "after"), [(1.0, 1.9), (0.8, 1.9), (0.799, 1.8), (0.5, 1.8), (0.499, 1.75), (0.0, 1.75)]
)
def test_the_synergy_grows_from_eight_tenths_and_shrinks_below_a_half(cooperation, after):
    assert next_synergy(np.asarray([1.8]), np.asarray([cooperation]), CommonsRules())[0] == after


def test_the_synergy_stops_at_its_bounds():
    match = play(ending_after(20), [1.0], [1.0])
    assert [turn.synergy for turn in turns_of(match)][-8:] == [3.0] * 8
    match = play(ending_after(20), [0.0], [0.0])
    assert [turn.synergy for turn in turns_of(match)][-7:] == [1.2] * 7


def test_the_synergy_of_a_turn_serves_that_turn_and_the_update_serves_the_next():
    match = play(ending_after(3, voting=False), [0.0], [0.0])
    turns = turns_of(match)
    assert [turn.synergy for turn in turns] == [1.8, 1.75, 1.7]
    assert [turn.next_synergy for turn in turns] == [1.75, 1.7, 1.65]
    assert [turn.erosion for turn in turns] == pytest.approx([1.0, 1.75 / 1.8, 1.7 / 1.8])
    assert end_of(match).capitals == pytest.approx([100 * (1 + 1.75 / 1.8 + 1.7 / 1.8)] * 2)


def test_a_lobby_costs_its_amount_and_moves_the_shares_of_its_own_turn():
    lobbyist = Scripted([1.0], lobby=[0.0, -35.0])
    turns = turns_of(play(ending_after(2), lobbyist, [0.0]))
    # Turn 1 at α = 0.5 pays 135 and 45 + 100. Turn 2: α = 0.5 − 0.035; 200 of cooperation 0.5 leave S at 1.8.
    assert turns[1].alpha == pytest.approx(0.465)
    shares = [0.465 * 90 + 0.535 * 180, 0.465 * 90]
    assert turns[1].shares == pytest.approx(shares)
    assert turns[1].gains == pytest.approx([shares[0], shares[1] + 100.0])
    assert turns[1].capitals == pytest.approx([135.0 - 35.0 + shares[0], 145.0 + shares[1] + 100.0])


def test_three_seats_for_three_turns_by_hand():
    turns = turns_of(play(ending_after(3, voting=False), [1.0, 1.0, 0.0], [0.5, 1.0, 0.0], [0.0, 0.5, 0.25]))
    # Turn 1: pot 150, grown 270; equal part 45 each, proportional part 90 and 45. Cooperation 0.5: S stays.
    assert turns[0].capitals == pytest.approx([45 + 90, 45 + 45 + 50, 45 + 100])
    # Turn 2: pot 250, grown 450; 75 each, and 90, 90, 45. Cooperation 5/6: golden age.
    assert turns[1].gains == pytest.approx([165.0, 165.0, 75 + 45 + 50])
    assert turns[1].next_synergy == 1.9
    # Turn 3: pot 25, grown 47.5; above the initial synergy nothing rots.
    assert turns[2].erosion == 1.0
    assert turns[2].gains == pytest.approx([47.5 / 6 + 100, 47.5 / 6 + 100, 47.5 / 6 + 47.5 / 2 + 75])
    assert turns[2].next_synergy == 1.85


def test_the_highest_capital_wins_and_equal_capitals_tie():
    assert end_of(play(ending_after(2), [1.0], [0.0])).winners == [1]
    assert end_of(play(ending_after(5), [0.3], [0.3], [0.3])).winners == [0, 1, 2]


def test_dust_does_not_break_a_tie():
    # With a steady synergy the same gifts in another order earn the same, but for the last bit.
    rules = ending_after(3, erosion=False, growth=0.0, shrinkage=0.0)
    end = end_of(play(rules, [0.0, 0.1, 0.01], [0.0, 0.01, 0.1]))
    assert end.capitals[0] != end.capitals[1]
    assert end.winners == [0, 1]
