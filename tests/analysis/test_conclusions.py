"""Conclusions about players hold together, and say nothing where names mean nothing."""

import numpy as np
import pytest

from ostrom.analysis.conclusions import LEVEL, conclusions_of, leading, shuffled_names, traits_of
from ostrom.analysis.study import study_of
from ostrom.charts.conclusion_texts import conclusion_sentence
from ostrom.experiment import make_rules, record_of
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import Part
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.games.contribute_punish.tables import tables_of
from ostrom.journal.read import KeptGame
from ostrom.players.roster import seat_players

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def tables():
    cast = seat_players(CONTRIBUTE_PUNISH.name, [], [])[:5]
    rules = make_rules(CONTRIBUTE_PUNISH, {"messages": False, "rounds": 4})
    games = play_games(Part(CONTRIBUTE_PUNISH, rules, cast, 4, 40, 1).fixtures(""))
    return tables_of(KeptGame(key, "x", record_of(match)) for key, match in games)


def measures_of(study, tables):
    return {trait.measure: study.measures[trait.measure].function(tables) for trait in traits_of(study)}


def test_conclusions_are_about_real_differences(tables):
    study = study_of(tables)
    drawn = conclusions_of(study, tables, measures_of(study, tables), shuffles=199)
    assert drawn
    for one in drawn:
        assert one.chance <= LEVEL
        assert (one.value - one.others) * one.size > 0
        assert one.low <= one.value <= one.high
        seats = tables.seats.filter((tables.seats["game"] == one.example) & (tables.seats["player"] == one.player))
        assert seats.height
    pairs = leading(drawn, 3)
    text = conclusion_sentence(pairs[0], study, pairs[0][0].player)
    assert text.startswith(pairs[0][0].player)
    assert "than the other players at its tables" in text


def test_names_that_mean_nothing_lead_to_few_conclusions(tables):
    study = study_of(tables)
    stated = 0
    for world in range(10):
        shuffled = shuffled_names(tables, world)
        stated += bool(conclusions_of(study, shuffled, measures_of(study, shuffled), shuffles=99))
    assert stated <= 3  # By chance alone, 4 or more of 10 occur once in a thousand runs of this test.


def test_exchanging_names_keeps_each_game(tables):
    shuffled = shuffled_names(tables, 1)
    for game in tables.games["game"].head(5):
        own, other = (frame.filter(frame["game"] == game).sort("seat") for frame in (tables.seats, shuffled.seats))
        assert sorted(own["player"]) == sorted(other["player"])
        assert np.array_equal(own["final"], other["final"])
