"""A row of a batch and a single game are the same game, to the last bit."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ostrom.games.commons import CommonsRules
from ostrom.games.commons.events import SeatExcluded
from ostrom.games.commons.players import CHAMPIONS
from support import BUILT_IN, batch_of, end_of, play, turns_of

VARIANTS = {
    "defaults": {},
    "no lobbying": {"lobbying": False},
    "no voting": {"voting": False},
    "one vote is enough": {"votes_needed": 1},
    "no erosion": {"erosion": False},
    "none of them": {"lobbying": False, "voting": False, "erosion": False},
    "intensity 2": {"erosion_intensity": 2.0},
    "intensity 1.7": {"erosion_intensity": 1.7},
    "intensity 1.7, no voting": {"erosion_intensity": 1.7, "voting": False, "alpha": 0.2},
}
CAST = [CHAMPIONS[name] for name in BUILT_IN]
JUSTICIER = BUILT_IN.index("Justicier")


def assert_equal_to_single_games(rules, cast, tables, *, seed, first_game=0):
    """Every number of the batch against the record of each game; returns how many exclusions there were."""
    result = batch_of(rules, cast, tables, seed=seed, first_game=first_game)
    excluded = 0
    for column, table in enumerate(tables):
        match = play(rules, *(cast[member] for member in table), seed=seed, game=first_game + column)
        turns, end = turns_of(match), end_of(match)
        assert result.turns[column] == end.turn
        assert result.finals[:, column].tolist() == end.capitals
        assert np.flatnonzero(result.wins[:, column]).tolist() == end.winners
        assert result.wins[:, column].sum() == pytest.approx(1.0)
        for seat in range(len(table)):
            inside = [turn.contributions[seat] for turn in turns if turn.present[seat]]
            assert result.turns_in[seat, column] == len(inside)
            assert result.figures["contribution"][seat, column] == pytest.approx(sum(inside) / len(inside), rel=1e-12)
        excluded += sum(isinstance(event, SeatExcluded) for event in match.events)
    return excluded


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_fixed_table_of_all_sixteen(variant):
    rules = CommonsRules(duration=25, **VARIANTS[variant])
    table = [*range(len(CAST)), JUSTICIER]
    assert_equal_to_single_games(rules, CAST, [table] * 2, seed=31)


@pytest.mark.parametrize("variant", VARIANTS)
def test_one_fixed_table_with_voters_enough_to_exclude(variant):
    rules = CommonsRules(duration=25, **VARIANTS[variant])
    names = ["Justicier", "Parasite", "Apprenant", "Justicier", "Pavlov", "Justicier", "RandomPlayer"]
    table = [BUILT_IN.index(name) for name in names]
    excluded = assert_equal_to_single_games(rules, CAST, [table] * 4, seed=32)
    assert (excluded > 0) == rules.voting


def few_or_long(variant, seats):
    """The defaults at tables of every size, and every variant at a small and a large one; the other 35 are long."""
    kept = variant == "defaults" or seats in (3, 8)
    return pytest.param(variant, seats, marks=() if kept else pytest.mark.long)


@pytest.mark.parametrize(
    ("variant", "seats"), [few_or_long(variant, seats) for variant in VARIANTS for seats in range(2, 9)]
)
def test_random_mixed_seatings(seats, variant):
    rules = CommonsRules(duration=12, **VARIANTS[variant])
    drawn = random.Random(f"{variant} {seats}")
    # Every second seat is a Justicier's, or nearly, so that seats are voted out.
    pool = [*range(len(CAST)), *[JUSTICIER] * 10]
    tables = [[drawn.choice(pool) for _ in range(seats)] for _ in range(8)]
    assert_equal_to_single_games(rules, CAST, tables, seed=seats, first_game=1000)


def test_mixed_seatings_do_exclude():
    drawn = random.Random(5)
    pool = [*range(len(CAST)), *[JUSTICIER] * 10]
    tables = [[drawn.choice(pool) for _ in range(7)] for _ in range(20)]
    assert assert_equal_to_single_games(CommonsRules(duration=15), CAST, tables, seed=6) > 10


@pytest.mark.slow
@settings(max_examples=25)
@given(
    tables=st.integers(2, 7).flatmap(
        lambda seats: st.lists(
            st.lists(st.integers(0, len(CAST) - 1), min_size=seats, max_size=seats), min_size=1, max_size=4
        )
    ),
    seed=st.integers(0, 2**64 - 1),
    first_game=st.integers(0, 2**32 - 10),
    alpha=st.sampled_from([0.0, 0.37, 0.5, 1.0]),
)
def test_any_seating_any_seed_any_game(tables, seed, first_game, alpha):
    rules = CommonsRules(duration=10, alpha=alpha)
    assert_equal_to_single_games(rules, CAST, tables, seed=seed, first_game=first_game)


@pytest.mark.slow
def test_games_of_very_different_lengths_keep_their_own_results():
    # Columns of games that ended are cut off while the others go on.
    rules = CommonsRules(duration=30, erosion_intensity=1.7)
    drawn = random.Random(9)
    tables = [[drawn.randrange(len(CAST)) for _ in range(5)] for _ in range(25)]
    assert_equal_to_single_games(rules, CAST, tables, seed=40)
    lengths = batch_of(rules, CAST, tables, seed=40).turns
    assert lengths.min() < lengths.max() / 3


def test_the_order_of_the_games_and_of_the_cast_does_not_matter():
    drawn = random.Random(10)
    tables = [[drawn.randrange(len(CAST)) for _ in range(4)] for _ in range(30)]
    rules = CommonsRules(duration=15)
    whole = batch_of(rules, CAST, tables, seed=50)
    alone = [batch_of(rules, CAST, [table], seed=50, first_game=game) for game, table in enumerate(tables)]
    assert np.array_equal(whole.finals, np.concatenate([one.finals for one in alone], axis=1))
    turned = [[len(CAST) - 1 - member for member in table] for table in tables]
    assert np.array_equal(batch_of(rules, CAST[::-1], turned, seed=50).finals, whole.finals)


def test_another_endowment_and_other_bounds_play_the_same_too():
    rules = CommonsRules(duration=12, endowment=7.3, synergy=1.31, synergy_lowest=1.07, sensitivity=0.013, growth=0.07)
    drawn = random.Random(11)
    tables = [[drawn.randrange(len(CAST)) for _ in range(6)] for _ in range(8)]
    assert_equal_to_single_games(rules, CAST, tables, seed=60)
