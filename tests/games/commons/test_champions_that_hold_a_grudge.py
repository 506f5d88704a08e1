"""Rancunier and Gradual: how long they remember, and what counts."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support import answers_of, ending_after, moves_against, play

fractions = st.sampled_from([0.0, 0.1, 0.29, 0.3, 0.31, 0.49, 0.5, 0.51, 1.0]) | st.floats(0.0, 1.0)


def tables(turns):
    return st.integers(1, 5).flatmap(
        lambda others: st.lists(st.lists(fractions, min_size=turns, max_size=turns), min_size=others, max_size=others)
    )


def gradual_by_the_rules(medians, turns):
    """Plans whole spells ahead: n turns of 0 and 2 of 1 follow on the n-th defection that counts."""
    moves, counted = [], 0
    while len(moves) < turns:
        watched = len(moves) - 1  # the turn before the one now to be played, as an index
        if watched >= 0 and medians[watched] < 0.5:
            counted += 1
            moves += [0.0] * counted + [1.0, 1.0]
            if len(moves) < turns:
                # The last turn of peace is not watched, so the turn after it is played in peace of mind.
                moves.append(1.0)
        else:
            moves.append(1.0)
    return moves[:turns]


@given(scripts=tables(10))
def test_rancunier_gives_until_any_other_ever_gave_less_than_three_tenths(scripts):
    betrayed = [any(script[turn] < 0.3 for script in scripts) for turn in range(10)]
    expected = [0.0 if any(betrayed[:turn]) else 1.0 for turn in range(10)]
    assert moves_against("Rancunier", *scripts, turns=10) == expected


def test_rancunier_never_forgives():
    assert moves_against("Rancunier", [1.0, 1.0, 0.2, 1.0], turns=8) == [1.0] * 3 + [0.0] * 5


@pytest.mark.parametrize(("gave", "after"), [(0.3, 1.0), (0.29, 0.0), (0.2999999, 0.0), (0.0, 0.0)])
def test_rancunier_bears_no_grudge_at_three_tenths(gave, after):
    assert moves_against("Rancunier", [gave, 1.0], turns=3) == [1.0, after, after]


def test_one_betrayer_among_many_is_enough_for_rancunier():
    others = [[1.0]] * 6 + [[1.0, 0.1, 1.0]]
    assert moves_against("Rancunier", *others, turns=5) == [1.0, 1.0, 0.0, 0.0, 0.0]


def test_rancunier_does_not_betray_itself():
    # Its own 0 of later turns is no grudge of another Rancunier's making, but the other's is.
    match = play(ending_after(5), "Rancunier", "Rancunier", [0.5, 0.0, 0.5])
    assert answers_of(match, 0, "contribution") == answers_of(match, 1, "contribution") == [1.0, 1.0, 0.0, 0.0, 0.0]


def test_each_new_game_starts_without_a_grudge():
    for game in range(2):
        match = play(ending_after(3), "Rancunier", [1.0, 0.0], game=game)
        assert answers_of(match, 0, "contribution") == [1.0, 1.0, 0.0]


@pytest.mark.slow
@given(scripts=tables(30))
def test_gradual_follows_its_rule_against_any_table(scripts):
    medians = [statistics.median(script[turn] for script in scripts) for turn in range(30)]
    assert moves_against("Gradual", *scripts, turns=30) == gradual_by_the_rules(medians, 30)


def test_gradual_cooperates_with_those_who_do():
    assert moves_against("Gradual", [0.5], [1.0], turns=6) == [1.0] * 6


def test_the_first_defection_costs_one_turn_and_two_of_peace():
    assert moves_against("Gradual", [1.0, 0.0, 1.0], turns=7) == [1, 1, 0, 1, 1, 1, 1]


def test_the_nth_defection_costs_n_turns():
    #         turn 1 defects; 2 punished; 3, 4 peace; 5 defects; 6, 7 punished; 8, 9 peace; 10 defects; three turns of 0
    script = [0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0]
    assert moves_against("Gradual", script, turns=16) == [1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1]


def test_defections_during_punishment_and_peace_do_not_count():
    #         the first counts; those of turns 2 (punishment), 3 and 4 (peace) do not; turn 5 is the second that counts
    script = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0]
    assert moves_against("Gradual", script, turns=12) == [1, 0, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1]


def test_gradual_against_one_who_always_defects():
    # Watched turns are 1, 5, 10, 16: after each of them come n turns of 0, then 2 of peace, then one watched again.
    expected = [1, 0, 1, 1, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1, 1, 0]
    assert moves_against("Gradual", [0.0], turns=24) == expected


def test_a_defection_is_a_median_below_a_half():
    assert moves_against("Gradual", [0.5], turns=4) == [1, 1, 1, 1]
    assert moves_against("Gradual", [0.49, 1.0], turns=3) == [1, 0, 1]
    # One of three may keep all; one of two pulls the median of 0 and 0.9 to 0.45.
    assert moves_against("Gradual", [0.0], [0.5], [1.0], turns=4) == [1, 1, 1, 1]
    assert moves_against("Gradual", [0.0, 1.0], [0.9, 1.0], turns=4) == [1, 0, 1, 1]


def test_a_median_of_exactly_a_half_between_two_is_no_defection():
    for tenths in range(5):
        low, high = tenths / 10, (10 - tenths) / 10
        assert moves_against("Gradual", [low], [high], turns=4) == [1, 1, 1, 1]


def test_half_the_endowment_given_by_pragmatique_is_no_defection():
    # At α = 0.5 the rules have Pragmatique give (0.7 − 0.5)/0.4 = 0.5, which is not below 0.5.
    match = play(ending_after(4, lobbying=False), "Gradual", "Pragmatique")
    assert answers_of(match, 0, "contribution") == [1.0] * 4


@pytest.mark.parametrize("name", ["Rancunier", "Gradual"])
def test_they_neither_lobby_nor_vote(name):
    match = play(ending_after(6), name, [0.0], [0.0], [1.0])
    assert answers_of(match, 0, "lobby") == [0.0] * 6
    assert answers_of(match, 0, "vote") == [None] * 6
