"""A leader is named only where the games tell it apart from every other."""

import numpy as np
import polars as pl
import pytest

from ostrom.analysis.contrasts import lead_of
from ostrom.analysis.intervals import Ratio

GAMES = [f"g{number:03}" for number in range(80)]


def figure(values):
    """What each of some players shows in each of the first games."""
    rows = [
        (game, player, value) for player, shown in values.items() for game, value in zip(GAMES, shown, strict=False)
    ]
    frame = pl.DataFrame(rows, schema={"game": pl.String, "player": pl.String, "top": pl.Float64}, orient="row")
    return Ratio(frame.with_columns(bottom=1), ("player",), GAMES)


@pytest.fixture
def drawn():
    """Draws of three players, the first far above the others."""
    chance = np.random.default_rng(6)
    return {name: level + chance.standard_normal(80) for name, level in (("a", 3.0), ("b", 1.0), ("c", 0.95))}


def test_one_who_is_clear_of_all_leads(drawn):
    found = lead_of(figure(drawn))
    assert (found.player, found.rivals, found.compared, found.players) == ("a", (), 3, 3)


def test_the_lowest_of_two_that_are_close_does_not_lead(drawn):
    found = lead_of(figure(drawn), highest=False)
    assert {found.player, *found.rivals} == {"b", "c"}


def test_one_game_makes_no_leader(drawn):
    found = lead_of(figure({**drawn, "d": [100.0]}))
    assert (found.player, found.rivals, found.compared, found.players) == ("a", (), 3, 4)
    assert lead_of(figure({"a": drawn["a"], "d": [100.0]})) is None


def test_players_that_never_vary_are_told_apart():
    found = lead_of(figure({"a": [2.0] * 20, "b": [1.0] * 20, "c": [1.5, 1.0] * 10}))
    assert (found.player, found.rivals) == ("a", ())


def test_of_equal_players_few_are_named():
    chance = np.random.default_rng(9)
    named = [
        not lead_of(figure({name: chance.standard_normal(30) for name in players})).rivals
        for players in ("ab", "abcdef")
        for _ in range(60)
    ]
    assert np.mean(named) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / len(named))
