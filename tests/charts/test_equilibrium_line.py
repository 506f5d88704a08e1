"""The equilibrium as a line: where the games of a measure have one, its table says so and its chart draws it."""

import pytest

from ostrom.analysis.study import study_of_game
from ostrom.charts.catalogue import catalogue_of, draw_picture
from ostrom.charts.render import embedded
from ostrom.core.plugins import GAMES
from ostrom.experiment import play, record_of
from ostrom.journal.read import KeptGame


def chart_of(command, measure, players, matrices=({},)):
    game = GAMES.of_command(command)
    study = study_of_game(game)
    kept = [
        KeptGame(f"g{k}", "e", record_of(play(players, game=game, rules=game.rules(**settings), seed=k)))
        for k, settings in enumerate(matrices)
    ]
    tables = study.tables(kept)
    frame, found = study.measures[measure].function(tables), catalogue_of(study)
    return frame, embedded(draw_picture(found.pictures[measure], frame, found.cast(players, [tables])))


@pytest.mark.parametrize(
    ("matrices", "level"),
    [
        ([{"matrix": "prisoners-dilemma"}], 0.0),
        ([{"matrix": "chicken"}], 1 / 3),
        ([{"matrix": "stag-hunt"}], None),
        ([{"matrix": "prisoners-dilemma"}, {"matrix": "chicken"}], None),
    ],
)
def test_cooperation_by_round_of_a_matrix_with_one_equilibrium(matrices, level):
    frame, chart = chart_of("repeated", "cooperation_by_round", ["TitForTat", "AllD"], matrices)
    told = frame["equilibrium"].unique().to_list() if "equilibrium" in frame.columns else []
    assert told == ([] if level is None else [pytest.approx(level)])
    assert ("equilibrium" in chart.subtitle) == (level is not None)


@pytest.mark.parametrize(("multiplier", "level"), [(1.6, 0.0), (6, 1.0), (5, None)])
def test_contributions_by_round(multiplier, level):
    players = ["Cooperator", "FreeRider", "Cooperator", "FreeRider", "Cooperator"]
    settings = [{"multiplier": multiplier, "rounds": 2, "messages": False}]
    frame, chart = chart_of("punish", "aggregate_contribution_by_round", players, settings)
    assert (frame["equilibrium"][0] if "equilibrium" in frame.columns else None) == level
    assert ("Dashed" in chart.subtitle) == (level is not None)
