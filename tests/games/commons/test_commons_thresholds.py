"""Floating point must not decide: thresholds fall where the decimals say, and the synergy is an exact decimal."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core.arrays import total
from ostrom.games.commons import CommonsRules
from ostrom.games.commons.events import Erosion, GoldenAge
from ostrom.games.commons.rules import cooperation_of, next_synergy
from support import ending_after, play, turns_of

RULES = CommonsRules()

DUSTY_GOLDEN = [[8] * 10, [8] * 6, [7, 8, 8, 8, 9], [7, 8, 9]]
"""Tenths whose mean is 0.8 and comes out below it in plain floats."""
DUSTY_HALF = [[4, 4, 5, 5, 5, 5, 5, 5, 6, 6], [3, 4, 4, 4, 4, 7, 9], [3, 3, 4, 4, 7, 9]]
"""Tenths whose mean is 0.5 and comes out below it in plain floats."""


def column(*values):
    return np.asarray(values, dtype=np.float64)[:, None]


def plain_mean(tenths):
    """The mean as floating point has it, in the order of the seats."""
    so_far = 0.0
    for tenth in tenths:
        so_far += tenth / 10
    return so_far / len(tenths)


def synergy_after(tenths, synergy=1.8):
    given = total(column(*(tenth / 10 for tenth in tenths)))
    return next_synergy(np.asarray([synergy]), cooperation_of(given, len(tenths)), RULES)[0]


def test_plain_floats_would_decide_the_examples_wrongly():
    assert all(plain_mean(tenths) < 0.8 for tenths in DUSTY_GOLDEN)
    assert all(plain_mean(tenths) < 0.5 for tenths in DUSTY_HALF)


@pytest.mark.parametrize("tenths", DUSTY_GOLDEN)
def test_a_mean_of_exactly_eight_tenths_is_a_golden_age(tenths):
    assert sum(tenths) == 8 * len(tenths)
    assert synergy_after(tenths) == 1.9
    assert synergy_after(tenths[::-1]) == 1.9


@pytest.mark.parametrize("tenths", DUSTY_HALF)
def test_a_mean_of_exactly_a_half_is_no_erosion(tenths):
    assert sum(tenths) == 5 * len(tenths)
    assert synergy_after(tenths) == 1.8
    assert synergy_after(tenths[::-1]) == 1.8


@given(tenths=st.lists(st.integers(0, 10), min_size=2, max_size=12))
def test_the_decimals_decide_in_every_order(tenths):
    exact = sum(tenths)
    seats = len(tenths)
    expected = 1.9 if exact >= 8 * seats else 1.75 if exact < 5 * seats else 1.8
    assert synergy_after(tenths) == expected
    assert synergy_after(sorted(tenths)) == expected


@given(
    target=st.sampled_from([8, 5]),
    seats=st.integers(2, 12),
    data=st.data(),
)
def test_means_that_hit_a_threshold_exactly_are_at_it(target, seats, data):
    # Pairs of opposite steps away from the target leave the mean on it.
    tenths = [target] * seats
    for i in range(seats // 2):
        step = data.draw(st.integers(0, min(target, 10 - target)))
        tenths[2 * i] += step
        tenths[2 * i + 1] -= step
    tenths = data.draw(st.permutations(tenths))
    assert synergy_after(tenths) == (1.9 if target == 8 else 1.8)


def test_whole_games_on_the_threshold_stay_on_it():
    scripts = [[tenth / 10] for tenth in DUSTY_GOLDEN[0]]
    match = play(ending_after(12, lobbying=False), *scripts)
    assert [turn.next_synergy for turn in turns_of(match)][:3] == [1.9, 2.0, 2.1]
    assert [type(event) for event in match.events if isinstance(event, GoldenAge | Erosion)] == [GoldenAge]
    assert turns_of(match)[0].cooperation == 0.8


def test_whole_games_at_a_half_never_leave_the_initial_synergy():
    match = play(ending_after(12, lobbying=False), *([tenth / 10] for tenth in DUSTY_HALF[0]))
    assert {turn.next_synergy for turn in turns_of(match)} == {1.8}
    assert not [event for event in match.events if isinstance(event, GoldenAge | Erosion)]


@given(steps=st.lists(st.sampled_from([1.0, 0.6, 0.0]), max_size=120))
def test_the_synergy_is_exactly_the_decimal_however_it_got_there(steps):
    synergy = np.asarray([1.8])
    hundredths = 180
    for cooperation in steps:
        synergy = next_synergy(synergy, np.asarray([cooperation]), RULES)
        hundredths += 10 if cooperation >= 0.8 else -5 if cooperation < 0.5 else 0
        hundredths = min(max(hundredths, 120), 300)
        assert synergy[0] == hundredths / 100


def test_the_synergy_of_a_whole_game_is_exactly_the_decimal():
    match = play(ending_after(40, voting=False), [0.0] * 9 + [1.0] * 31, [0.0] * 9 + [1.0] * 31)
    hundredths = [180 - 5 * turn for turn in range(1, 10)]
    while len(hundredths) < 40:
        hundredths.append(min(hundredths[-1] + 10, 300))
    assert [turn.next_synergy for turn in turns_of(match)] == [value / 100 for value in hundredths]


def test_back_at_the_initial_synergy_nothing_rots():
    # Two steps of 0.05 down and one of 0.1 up: 1.8 again, and not a hair below.
    match = play(ending_after(4, voting=False), [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0])
    assert turns_of(match)[3].synergy == 1.8
    assert turns_of(match)[3].erosion == 1.0


def test_a_real_difference_of_a_billionth_counts():
    for cooperation, expected in ((0.8 - 1e-9, 1.8), (0.8 - 1e-10, 1.9), (0.5 - 1e-9, 1.75), (0.5 - 1e-10, 1.8)):
        settled_mean = cooperation_of(np.asarray([cooperation * 4]), 4)
        assert next_synergy(np.asarray([1.8]), settled_mean, RULES)[0] == expected
