"""Capitaliste, Parasite and Pragmatique: what they give, and what they spend on the rule that suits them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.testing import Scripted
from support import answers_of, ending_after, given_by, moves_against, play, turns_of

tenths = st.integers(0, 10).map(lambda n: n / 10)
tables = st.integers(1, 4).flatmap(
    lambda others: st.lists(st.lists(tenths, min_size=8, max_size=8), min_size=others, max_size=others)
)


def capitals_before(match, seat=0):
    """What a seat held when each turn began."""
    return [0.0] + [turn.capitals[seat] for turn in turns_of(match)[:-1]]


def alphas_before(match):
    """The redistribution that a seat saw when each turn began."""
    return [match.rules.alpha] + [turn.alpha for turn in turns_of(match)[:-1]]


def line(alpha):
    """Pragmatique's contribution by the rules."""
    if alpha > 0.7:
        return 0.0
    return 1.0 if alpha < 0.3 else (0.7 - alpha) / 0.4


@pytest.mark.parametrize(("name", "gives", "spends"), [("Capitaliste", 0.9, -0.05), ("Parasite", 0.0, 0.05)])
@given(scripts=tables)
def test_capitaliste_and_parasite_give_and_spend_constant_fractions(name, gives, spends, scripts):
    match = play(ending_after(8), name, *scripts)
    assert given_by(match) == [gives] * 8
    assert answers_of(match, 0, "lobby") == pytest.approx([spends * held for held in capitals_before(match)])


@given(scripts=tables, alpha=st.floats(0.0, 1.0))
def test_pragmatique_gives_by_the_redistribution_it_sees(scripts, alpha):
    match = play(ending_after(8, alpha=alpha), "Pragmatique", *scripts)
    assert given_by(match) == pytest.approx([line(seen) for seen in alphas_before(match)], abs=1e-12)


@given(scripts=tables, alpha=st.sampled_from([0.0, 0.1, 0.5, 0.9, 1.0]))
def test_pragmatique_spends_three_hundredths_on_the_side_of_the_mean_it_was_on(scripts, alpha):
    match = play(ending_after(8, alpha=alpha), "Pragmatique", *scripts)
    expected = [0.0]
    for turn in turns_of(match)[:-1]:
        gap = round(sum(turn.contributions) / len(turn.contributions) - turn.contributions[0], 9)
        sign = (gap > 0) - (gap < 0)
        expected.append(sign * 0.03 * turn.capitals[0])
    assert answers_of(match, 0, "lobby") == pytest.approx(expected)


def test_the_lobby_of_the_first_turn_is_nothing_because_there_is_no_capital():
    match = play(ending_after(1), "Capitaliste", "Parasite", "Pragmatique")
    assert turns_of(match)[0].lobby == [0.0, 0.0, 0.0]
    assert turns_of(match)[0].alpha == 0.5


def test_capitaliste_and_parasite_by_hand():
    one, two = turns_of(play(ending_after(2), "Capitaliste", "Parasite"))
    # Pot 90, grown 162: 40.5 each by half, 81 to the giver by the other half; 10 and 100 were kept.
    assert one.capitals == pytest.approx([131.5, 140.5])
    assert two.lobby == pytest.approx([-6.575, 7.025])
    assert two.alpha == pytest.approx(0.5 + 0.001 * (7.025 - 6.575))


@pytest.mark.parametrize(
    ("alpha", "expected"),
    [(0.0, 1), (0.29, 1), (0.3, 1), (0.4, 0.75), (0.5, 0.5), (0.6, 0.25), (0.7, 0), (0.71, 0), (1.0, 0)],
)
def test_pragmatique_decides_from_the_first_turn_on(alpha, expected):
    assert moves_against("Pragmatique", [0.5], turns=1, alpha=alpha) == pytest.approx([expected], abs=1e-12)


def test_pragmatique_follows_a_redistribution_that_is_moved():
    other = Scripted([1.0], lobby=[0.0, 90.0, -150.0])
    match = play(ending_after(4), "Pragmatique", other)
    seen = alphas_before(match)
    assert seen[:3] == pytest.approx([0.5, 0.5, 0.59 + 0.001 * turns_of(match)[1].lobby[0]])
    assert given_by(match) == pytest.approx([(0.7 - alpha) / 0.4 for alpha in seen])


def test_pragmatique_under_the_mean_pushes_to_equal_shares_and_over_it_to_proportional_ones():
    under = turns_of(play(ending_after(2), "Pragmatique", [1.0]))
    assert under[1].lobby[0] == pytest.approx(0.03 * under[0].capitals[0])
    over = turns_of(play(ending_after(2), "Pragmatique", [0.0]))
    assert over[1].lobby[0] == pytest.approx(-0.03 * over[0].capitals[0])


@pytest.mark.parametrize("others", [[0.5], [0.3, 0.7], [0.1, 0.9, 0.5], [0.2, 0.4, 0.6, 0.8]])
def test_pragmatique_spends_nothing_where_it_gave_just_the_mean(others):
    match = play(ending_after(2, alpha=0.5), "Pragmatique", *([gave] for gave in others))
    assert answers_of(match, 0, "lobby") == [0.0, 0.0]


def test_pragmatiques_among_themselves_never_lobby():
    for alpha in (0.1, 0.37, 0.5, 0.612345, 0.9):
        match = play(ending_after(6, alpha=alpha), *["Pragmatique"] * 3)
        assert all(turn.lobby == [0.0, 0.0, 0.0] for turn in turns_of(match))
        assert {turn.alpha for turn in turns_of(match)} == {alpha}


def test_without_lobbying_they_give_the_same_and_spend_nothing():
    match = play(ending_after(5, lobbying=False), "Capitaliste", "Parasite", "Pragmatique")
    assert given_by(match, 0) == [0.9] * 5
    assert given_by(match, 1) == [0.0] * 5
    assert given_by(match, 2) == pytest.approx([0.5] * 5)
    assert all(turn.lobby == [0.0] * 3 and turn.alpha == 0.5 for turn in turns_of(match))
