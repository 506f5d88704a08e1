"""What holds for every turn, whatever is played: money is conserved, bounds hold, and seats are alike."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.games.commons import CommonsRules
from ostrom.games.commons.rules import NO_SEAT, CommonsState, TurnMoves, erosion_of, play_turn

RULES = CommonsRules()
fractions = st.floats(0.0, 1.0) | st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0])


@st.composite
def turns(draw):
    """A state of one game and legal moves of its seats; some seats may have left."""
    seats = draw(st.integers(2, 8))

    def column(values):
        return np.asarray(draw(st.lists(values, min_size=seats, max_size=seats)))[:, None]

    present = column(st.sampled_from([True, True, True, False]))
    present[:2] = True
    capital = column(st.floats(0.0, 1e5))
    state = CommonsState(
        capital=capital,
        present=present,
        alpha=np.asarray([draw(fractions)]),
        synergy=np.asarray([round(draw(st.floats(1.2, 3.0)), 9)]),
        contributions=np.ones((seats, 1)),
        gains=np.zeros((seats, 1)),
        cooperation=np.ones(1),
    )
    votes = np.full((seats, 1), NO_SEAT)
    inside = np.flatnonzero(present[:, 0])
    for seat in inside:
        votes[seat, 0] = draw(st.sampled_from([NO_SEAT, *(int(other) for other in inside if other != seat)]))
    moves = TurnMoves(
        contributions=np.where(present, column(fractions), 0.0),
        lobby=np.where(present, column(st.floats(-1.0, 1.0)) * capital, 0.0),
        votes=votes,
    )
    return state, moves


@given(turn=turns())
def test_shares_add_up_to_the_grown_pot(turn):
    state, moves = turn
    outcome = play_turn(state, moves, RULES)
    grown = RULES.endowment * moves.contributions.sum() * state.synergy[0]
    assert np.isclose(outcome.shares.sum(), grown, rtol=1e-9, atol=1e-9)
    assert (outcome.shares >= 0.0).all()


@given(turn=turns())
def test_capital_changes_by_the_gain_and_the_cost_of_lobbying_alone(turn):
    state, moves = turn
    after = play_turn(state, moves, RULES).state
    assert np.allclose(after.capital, state.capital - np.abs(moves.lobby) + after.gains, rtol=1e-12, atol=1e-9)


@given(turn=turns())
def test_a_gain_is_what_was_kept_after_erosion_and_the_share(turn):
    state, moves = turn
    outcome = play_turn(state, moves, RULES)
    eroded = min(state.synergy[0] / 1.8, 1.0)
    kept = np.where(state.present, (1.0 - moves.contributions) * 100.0 * eroded, 0.0)
    assert np.allclose(outcome.state.gains, kept + outcome.shares, rtol=1e-12)


@given(turn=turns())
def test_redistribution_synergy_and_cooperation_stay_in_bounds(turn):
    state, moves = turn
    after = play_turn(state, moves, RULES).state
    assert 0.0 <= after.alpha[0] <= 1.0
    assert 1.2 <= after.synergy[0] <= 3.0
    assert 0.0 <= after.cooperation[0] <= 1.0


@given(turn=turns())
def test_lobbying_never_makes_capital_negative(turn):
    state, moves = turn
    everything = moves._replace(lobby=np.where(state.present, -state.capital, 0.0))
    for chosen in (moves, everything):
        assert (play_turn(state, chosen, RULES).state.capital >= 0.0).all()


@given(turn=turns())
def test_a_seat_that_left_neither_gives_nor_gets_and_keeps_its_capital(turn):
    state, moves = turn
    out = ~state.present
    outcome = play_turn(state, moves, RULES)
    assert (outcome.shares[out] == 0.0).all()
    assert (outcome.state.gains[out] == 0.0).all()
    assert (outcome.state.capital[out] == state.capital[out]).all()
    assert not outcome.state.present[out].any()


@given(turn=turns())
def test_a_seat_that_left_counts_in_no_mean(turn):
    state, moves = turn
    inside = state.present[:, 0]
    whole = play_turn(state, moves, RULES)
    small_state = CommonsState(
        *(
            values[inside] if name in ("capital", "present", "contributions", "gains") else values
            for name, values in zip(CommonsState._fields, state, strict=True)
        )
    )
    small_moves = TurnMoves(moves.contributions[inside], moves.lobby[inside], None)
    small = play_turn(small_state, small_moves, RULES)
    assert np.allclose(whole.shares[inside], small.shares, rtol=1e-9)
    assert np.allclose(whole.state.capital[inside], small.state.capital, rtol=1e-9)
    assert whole.state.cooperation[0] == small.state.cooperation[0]
    assert whole.state.synergy[0] == small.state.synergy[0]


@pytest.mark.slow
@given(turn=turns(), data=st.data())
def test_seats_are_alike(turn, data):
    state, moves = turn
    seats = len(state.capital)
    order = np.asarray(data.draw(st.permutations(range(seats))))
    place = np.argsort(order)
    renamed = np.where(moves.votes == NO_SEAT, NO_SEAT, place[moves.votes])
    swapped_state = state._replace(capital=state.capital[order], present=state.present[order])
    swapped_moves = TurnMoves(moves.contributions[order], moves.lobby[order], renamed[order])
    one, other = play_turn(state, moves, RULES), play_turn(swapped_state, swapped_moves, RULES)
    assert np.allclose(one.state.capital[order], other.state.capital, rtol=1e-9, atol=1e-9)
    assert np.allclose(one.shares[order], other.shares, rtol=1e-9, atol=1e-9)
    assert np.allclose(one.state.alpha, other.state.alpha, rtol=0, atol=1e-9)
    assert one.state.synergy[0] == other.state.synergy[0]
    assert one.state.cooperation[0] == other.state.cooperation[0]
    assert np.array_equal(one.state.present[order], other.state.present)


@given(first=turns(), second=turns())
def test_a_game_comes_out_the_same_beside_another(first, second):
    seats = min(len(first[0].capital), len(second[0].capital))
    games = [
        (
            CommonsState(*(part[:seats] if part.ndim == 2 else part for part in state)),
            TurnMoves(moves.contributions[:seats], moves.lobby[:seats], None),
        )
        for state, moves in (first, second)
    ]
    both = play_turn(
        CommonsState(*(np.concatenate(parts, axis=-1) for parts in zip(*(state for state, _ in games), strict=True))),
        TurnMoves(*(np.concatenate([moves[i] for _, moves in games], axis=-1) for i in range(2)), None),
        RULES,
    )
    for column, (state, moves) in enumerate(games):
        alone = play_turn(state, moves, RULES)
        assert both.state.capital[:, column].tolist() == alone.state.capital[:, 0].tolist()
        assert both.state.synergy[column] == alone.state.synergy[0]


@given(synergy=st.floats(1.2, 3.0), intensity=st.floats(0.0, 5.0))
def test_erosion_takes_and_never_gives(synergy, intensity):
    factor = erosion_of(np.asarray([synergy]), CommonsRules(erosion_intensity=intensity))[0]
    assert 0.0 < factor <= 1.0
    assert factor == 1.0 or synergy < 1.8
