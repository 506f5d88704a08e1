"""Who sits down where nobody was named: players that do not play alike."""

import pytest

from ostrom.core.plugins import GAMES
from ostrom.players.roster import choose
from ostrom.sim.sweep_plan import default_table

TWO_SEATS = [name for name, game in GAMES.items() if game.seats.most == 2 and not game.instrument]


@pytest.mark.parametrize("name", TWO_SEATS)
def test_the_first_two_who_differ_sit_down(name):
    game, everybody = GAMES[name], choose(game=name)
    table = default_table(game, everybody)
    assert len(table) == 2
    assert table[0] is everybody[0]
    # Whoever was passed over plays as the first does.
    passed_over = everybody[1 : everybody.index(table[1])]
    assert all(default_table(game, [table[0], other, table[1]])[1] is table[1] for other in passed_over)


def test_in_the_dictator_game_one_gives_and_one_does_not():
    assert [entry.name for entry in default_table(GAMES["dictator"], choose(game="dictator"))] == [
        "exponential",
        "fehr-schmidt",
    ]


def test_where_nobody_differs_the_first_sit_down():
    selfish = choose(["selfish", "exponential", "hyperbolic"], game="dictator")
    assert default_table(GAMES["dictator"], selfish) == selfish[:2]


def test_where_all_have_room_all_sit_down():
    champions = choose()
    assert default_table(GAMES["commons"], champions) == champions
