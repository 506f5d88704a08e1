"""The draws of a game depend on seed, game, purpose, turn, seat and draw only."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import GameChance, InputError, seats
from ostrom.core.chance import check_seed, key_of, uniform_rows

seeds = st.integers(0, 2**64 - 1)
games = st.integers(0, 2**32 - 1)
turns = st.integers(1, 2**20)


@given(seed=seeds, numbers=st.lists(games, min_size=1, max_size=5), turn=turns, seat=st.integers(0, 50))
def test_an_array_of_games_draws_what_each_game_draws_alone(seed, numbers, turn, seat):
    rows = uniform_rows(key_of(seed), np.asarray(numbers, dtype=np.uint64), "champion", turn, seat)
    assert rows.dtype == np.float64
    assert rows.tolist() == [GameChance(seed, game).uniform("champion", turn, seat) for game in numbers]


@given(seed=seeds, game=games, turn=turns, draw=st.integers(0, 9))
def test_an_array_of_seats_draws_what_each_seat_draws_alone(seed, game, turn, draw):
    held = np.arange(6, dtype=np.uint64)
    rows = uniform_rows(key_of(seed), np.full(6, game, dtype=np.uint64), "order", turn, held, draw)
    assert rows.tolist() == [GameChance(seed, game).uniform("order", turn, seat, draw) for seat in range(6)]


@given(seed=seeds, game=games, turn=turns, seat=st.integers(0, 100), draw=st.integers(0, 100))
def test_a_draw_is_in_the_unit_interval_and_the_same_every_time(seed, game, turn, seat, draw):
    number = GameChance(seed, game).uniform("shadow", turn, seat, draw)
    assert 0.0 <= number < 1.0
    assert number == GameChance(seed, game).uniform("shadow", turn, seat, draw)


@pytest.mark.parametrize("draw", [2**16 - 1, 2**16, 2**16 + 1, 200_000, 2**20])
def test_a_draw_is_in_the_unit_interval_however_many_came_before(draw):
    try:
        number = GameChance(1).uniform("champion", turn=1, seat=0, draw=draw)
    except InputError:
        return  # to refuse is honest; to leave the interval is not
    assert 0.0 <= number < 1.0


def test_a_draw_changes_with_every_part_of_its_name():
    chances = [GameChance(1, 1), GameChance(2, 1), GameChance(1 + 2**32, 1), GameChance(1, 2)]
    numbers = {chance.uniform("champion", 1, 1, 1) for chance in chances}
    names = [("shadow", 1, 1, 1), ("champion", 2, 1, 1), ("champion", 1, 2, 1), ("champion", 1, 1, 2)]
    numbers |= {GameChance(1, 1).uniform(*name) for name in names}
    assert len(numbers) == 8


def test_draws_do_not_depend_on_what_was_drawn_before():
    chance = GameChance(7)
    alone = GameChance(7).uniform("champion", 5, 2)
    for turn in range(1, 5):
        chance.uniform("champion", turn)
    assert chance.uniform("champion", 5, 2) == alone


@pytest.mark.parametrize("seed", [0, 12345])
def test_draws_are_spread_evenly(seed):
    drawn = uniform_rows(key_of(seed), np.arange(100_000, dtype=np.uint64), "champion", 3, 1)
    assert abs(drawn.mean() - 0.5) < 0.005
    assert abs(drawn.var() - 1 / 12) < 0.002
    tenths = np.bincount((drawn * 10).astype(int), minlength=10)
    # Nine degrees of freedom: chi-squared above 33.7 has a chance of one in ten thousand.
    assert ((tenths - 10_000) ** 2 / 10_000).sum() < 33.7


def test_draws_of_neighbouring_turns_and_seats_are_not_correlated():
    numbers = np.arange(50_000, dtype=np.uint64)
    here = uniform_rows(key_of(3), numbers, "champion", 1, 0)
    for turn, seat in ((2, 0), (1, 1)):
        there = uniform_rows(key_of(3), numbers, "champion", turn, seat)
        assert abs(np.corrcoef(here, there)[0, 1]) < 0.02


@given(seed=seeds, count=st.integers(1, 12), turn=turns)
def test_an_order_is_a_permutation_and_the_same_every_time(seed, count, turn):
    chance = GameChance(seed)
    order = chance.order(seats(count), "seating", turn)
    assert sorted(order) == list(seats(count))
    assert chance.order(reversed(seats(count)), "seating", turn) == order


def test_every_order_comes_about_equally_often():
    seen: dict[tuple[int, ...], int] = {}
    for game in range(3000):
        order = tuple(seat.index for seat in GameChance(5, game).order(seats(3), "seating", 1))
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 6
    assert all(400 < times < 600 for times in seen.values())


@pytest.mark.parametrize("seed", [-1, 2**64, 2**70])
def test_a_seed_out_of_range_is_refused_and_the_range_is_told(seed):
    with pytest.raises(InputError, match=r"whole number from 0 to 2\^64 - 1"):
        GameChance(seed)
    with pytest.raises(InputError, match=str(seed)):
        check_seed(seed)


@pytest.mark.parametrize("game", [-1, 2**32])
def test_a_game_out_of_range_is_refused(game):
    with pytest.raises(InputError, match="games are numbered from 0"):
        GameChance(1, game)


def test_the_first_and_the_last_seed_and_game_are_allowed():
    assert check_seed(0) == 0
    assert check_seed(2**64 - 1) == 2**64 - 1
    assert 0.0 <= GameChance(2**64 - 1, 2**32 - 1).uniform("shadow", 1) < 1.0
