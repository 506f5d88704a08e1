"""The default table: players with distinct behaviour."""

import pytest

from ostrom.core.plugins import GAMES
from ostrom.players.roster import choose
from ostrom.sim.sweep_plan import default_table

TWO_SEATS = [name for name, game in GAMES.items() if game.seats.most == 2 and not game.instrument]


@pytest.mark.parametrize("name", TWO_SEATS)
def test_the_default_table_has_the_first_two_distinct_players(name):
    game, players = GAMES[name], choose(game=name)
    table = default_table(game, players)
    assert len(table) == 2
    assert table[0] is players[0]
    # Players that were skipped play like the first.
    skipped = players[1 : players.index(table[1])]
    assert all(default_table(game, [table[0], other, table[1]])[1] is table[1] for other in skipped)


def test_the_dictator_game_has_a_selfish_and_a_generous_player():
    assert [entry.name for entry in default_table(GAMES["dictator"], choose(game="dictator"))] == [
        "exponential",
        "fehr-schmidt",
    ]


def test_equal_players_fill_the_table_in_order():
    selfish = choose(["selfish", "exponential", "hyperbolic"], game="dictator")
    assert default_table(GAMES["dictator"], selfish) == selfish[:2]


def test_a_large_table_has_all_players():
    champions = choose()
    assert default_table(GAMES["commons"], champions) == champions
