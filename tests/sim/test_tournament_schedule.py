"""Who meets whom: every combination once, in lexicographic order, found from its number alone."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.games.commons.players import CHAMPIONS
from ostrom.players.roster import choose
from ostrom.sim.tournament import Schedule, combinations, schedule_of
from support import BUILT_IN

SIZES = [*((things, size) for things in range(1, 10) for size in range(1, things + 1)), (16, 4)]
SIX = ("AlwaysCoop", "Pavlov", "Gradual", "Parasite", "Justicier", "Detective")


def entries(*names):
    return tuple(CHAMPIONS[name] for name in names)


def names_at(schedule, game):
    return [entry.name for entry in schedule.table(game)]


@pytest.mark.parametrize(("things", "size"), SIZES)
def test_combinations_stand_in_lexicographic_order(things, size):
    ranks = np.arange(math.comb(things, size))
    assert combinations(things, size, ranks).T.tolist() == [
        list(c) for c in itertools.combinations(range(things), size)
    ]


@given(data=st.data())
def test_any_range_is_unranked_without_what_lies_before_it(data):
    things = data.draw(st.integers(1, 24))
    size = data.draw(st.integers(1, things))
    tables = math.comb(things, size)
    ranks = data.draw(st.lists(st.integers(0, tables - 1), min_size=1, max_size=8))
    found = combinations(things, size, np.asarray(ranks)).T.tolist()
    for rank, chosen in zip(ranks, found, strict=True):
        assert sorted(set(chosen)) == chosen
        # The rank of a combination: how many come before it at each of its places.
        before, lowest = 0, 0
        for place, thing in enumerate(chosen):
            before += sum(math.comb(things - skipped - 1, size - place - 1) for skipped in range(lowest, thing))
            lowest = thing + 1
        assert before == rank


@pytest.mark.parametrize("seats", [64, 68, 70, 200, 1000])
def test_a_table_of_any_size_the_game_allows_can_be_seated(seats):
    # Numbers of combinations on the way there are far beyond 64 bits, though there is one table only.
    assert combinations(seats, seats, np.asarray([0, 0]))[:, 1].tolist() == list(range(seats))


def test_without_a_group_size_all_sit_at_one_table():
    schedule = Schedule(entries(*SIX), repetitions=3)
    assert (schedule.tables, schedule.seats, schedule.games) == (1, 6, 3)
    assert [names_at(schedule, game) for game in range(3)] == [list(SIX)] * 3


@pytest.mark.parametrize("group_size", range(2, 7))
def test_every_combination_plays_its_games_in_a_row(group_size):
    schedule = Schedule(entries(*SIX), repetitions=4, group_size=group_size)
    wanted = [list(table) for table in itertools.combinations(SIX, group_size) for _ in range(4)]
    assert schedule.games == len(wanted)
    assert [names_at(schedule, game) for game in range(schedule.games)] == wanted


def test_seating_points_into_the_cast():
    schedule = Schedule(entries(*SIX), repetitions=2, group_size=3)
    games = np.asarray([39, 0, 17])
    seating = schedule.seating(games)
    assert seating.shape == (3, 3)
    for column, game in enumerate(games):
        assert [schedule.cast[member].name for member in seating[:, column]] == names_at(schedule, int(game))


def test_a_player_that_enters_several_times_is_one_of_the_cast_and_sits_several_times():
    schedule = Schedule(tuple(choose(["Pavlov:3", "AlwaysBetray"])), repetitions=1, group_size=2)
    assert [entry.name for entry in schedule.cast] == ["Pavlov", "AlwaysBetray"]
    tables = [names_at(schedule, game) for game in range(schedule.games)]
    assert tables == [list(t) for t in itertools.combinations(["Pavlov", "Pavlov", "Pavlov", "AlwaysBetray"], 2)]


@pytest.mark.parametrize(
    ("names", "repetitions", "group_size", "error"),
    [
        *((SIX, 1, size, r"group size .* from 2 to 6") for size in (-1, 0, 1, 7, 100)),
        *((SIX, repetitions, None, "must be at least 1") for repetitions in (0, -5)),
        *((names, 1, None, "at least 2 players") for names in ((), ("Pavlov",))),
        (BUILT_IN, 2**32 // 1820 + 1, 4, "too many"),
    ],
)
def test_invalid_schedules_are_rejected(names, repetitions, group_size, error):
    with pytest.raises(InputError, match=error):
        Schedule(entries(*names), repetitions=repetitions, group_size=group_size)


@pytest.mark.parametrize("game", [-1, 40, 10**9])
def test_a_game_outside_the_tournament_is_refused(game):
    with pytest.raises(InputError, match="games 0 to 39"):
        Schedule(entries(*SIX), repetitions=2, group_size=3).table(game)


def test_a_game_that_has_no_room_for_all_plays_its_largest_tables():
    pairs = schedule_of(GAMES.of_command("repeated"), choose(game="repeated"), games=1)
    assert (pairs.seats, pairs.tables) == (2, 55)
    assert schedule_of(GAMES.of_command("repeated"), choose(["AllC", "AllD"], game="repeated"), games=1).tables == 1


def test_where_seats_have_roles_every_pair_sits_both_ways():
    schedule = schedule_of(GAMES["trust"], choose(["selfish", "random", "level-k"], game="trust"), games=2)
    assert (schedule.tables, schedule.games) == (6, 12)
    pairs = [tuple(names_at(schedule, game)) for game in range(0, 12, 2)]
    assert sorted(pairs) == sorted(itertools.permutations(["selfish", "random", "level-k"], 2))
    assert names_at(schedule, 1) == names_at(schedule, 0)
