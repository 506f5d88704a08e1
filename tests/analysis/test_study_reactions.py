"""Regressions of contributions: planted coefficients are recovered, and strategies have the expected ones."""

import numpy as np
import polars as pl
import pytest
from small_games import played, record, tables, turn

from coverage_parts import part
from measured import MEASURES
from ostrom.games.contribute_punish.reactions import rounds_in_sequence, rounds_with_promises, slope_of

measures_studied = part("measures")


def planted(games=400, seed=1, **effects):
    """Games of one player whose rule is linear in what came before, and others whose rounds are noise."""
    return measures_studied.planted(np.random.default_rng(seed), games, **effects)


def estimates(made, name):
    return MEASURES[name].function(made).filter(pl.col("player") == "subject").row(0, named=True)


@pytest.mark.parametrize("slope", [0.0, 0.5])
@pytest.mark.parametrize("response", [-0.1, 0.15])
def test_the_rule_that_was_planted_is_found_again(slope, response):
    made = planted(others=slope, punished=response)
    following, answering = (estimates(made, name) for name in ("conditional_cooperation", "punishment_response"))
    assert following["value"] == pytest.approx(slope, abs=4 * following["error"])
    assert answering["value"] == pytest.approx(response, abs=4 * answering["error"])
    assert following["error"] < 0.05
    assert answering["error"] < 0.02


def test_the_effect_of_a_promise_that_was_planted_is_found_again():
    made = planted(promised=0.12, others_promised=-0.2)
    result = estimates(made, "promise_effect")
    assert result["value"] == pytest.approx(0.12, abs=4 * result["error"])
    assert result["others"] == pytest.approx(-0.2, abs=0.06)
    assert result["others_low"] < -0.2 < result["others_high"]


@pytest.mark.slow
def test_strategies_show_what_they_do():
    made = played(80, seed=3)
    slopes = {row["player"]: row["value"] for row in MEASURES["conditional_cooperation"].function(made).to_dicts()}
    # Like for like, but for the rounding to whole tokens; others give a fixed part, or what chance gives.
    assert slopes["ConditionalCooperator"] == pytest.approx(1.0, abs=0.05)
    for steady in ("Cooperator", "FreeRider", "AltruisticPunisher", "AntisocialPunisher"):
        assert slopes[steady] == pytest.approx(0.0, abs=0.05), steady
    punished = {row["player"]: row["value"] for row in MEASURES["punishment_response"].function(made).to_dicts()}
    for deaf in ("ConditionalCooperator", "Cooperator", "FreeRider", "AltruisticPunisher"):
        assert punished[deaf] == pytest.approx(0.0, abs=0.05), deaf


def _weights(design, games):
    """For every column the part of what is left of it, beside the others, that lies in each game."""
    result = []
    for place in range(2):
        rest = np.delete(design, place, axis=1)
        left = design[:, place] - rest @ np.linalg.lstsq(rest, design[:, place], rcond=None)[0]
        result.append([left[games == game] @ left[games == game] / (left @ left) for game in dict.fromkeys(games)])
    return np.asarray(result).T


def test_a_slope_and_its_error_are_those_of_the_whole_regression():
    made = planted(games=60, others=0.4, punished=0.1)
    rows = rounds_in_sequence(made).filter(pl.col("player") == "subject")
    names = ["others_before", "punished_before", "gave_before", "round", "last"]
    design = np.column_stack([rows.select(names).to_numpy(), np.ones(rows.height)])
    outcome = rows["gave"].to_numpy()
    bread = np.linalg.inv(design.T @ design)
    coefficients = bread @ design.T @ outcome
    left, by_game = outcome - design @ coefficients, []
    for game in rows["game"].unique(maintain_order=True):
        mine = design[(rows["game"] == game).to_numpy()]
        values, axes = np.linalg.eigh(np.eye(len(mine)) - mine @ bread @ mine.T)
        stretched = axes @ (values**-0.5 * (axes.T @ left[(rows["game"] == game).to_numpy()]))
        by_game.append(mine.T @ stretched)
    games = len(by_game)
    # Bell and McCaffrey's sandwich; the sum of what it is made of is not quite 0, and is taken out.
    influence = np.asarray(by_game) @ bread
    weight = _weights(design, rows["game"].to_numpy())
    for place, name in enumerate(("conditional_cooperation", "punishment_response")):
        result = estimates(made, name)
        assert result["value"] == pytest.approx(coefficients[place])
        off = influence[:, place] - influence[:, place].sum() * weight[:, place]
        assert result["error"] == pytest.approx(np.sqrt(off @ off * games / (games - 1)))
        assert result["n"] == games


def test_what_a_row_holds():
    game = record(
        ["a", "b", "c"],
        turn([10, 5, 0], punish=[(1, 2, 2)], said=[(0, "I will contribute 10."), (1, "Hello.")]),
        turn([4, 4, 4], said=[(0, "I'll contribute $4"), (2, "I'll contribute 4 tokens.")]),
    )
    made = tables(game)
    rows = {row["player"]: row for row in rounds_with_promises(made).to_dicts()}
    assert set(rows) == {"a", "b", "c"}
    a, c = rows["a"], rows["c"]
    assert (a["gave_before"], a["others_before"], a["punished_before"]) == (10 / 20, 5 / 40, 0.0)
    assert (c["gave_before"], c["others_before"], c["punished_before"]) == (0.0, 15 / 40, 1.0)
    assert (a["promised"], a["others_promised"], a["last"]) == (1.0, 1 / 2, 1.0)
    assert (rows["b"]["promised"], rows["b"]["others_promised"]) == (0.0, 1.0)


def test_a_regressor_that_the_controls_say_already_has_no_slope():
    made = planted(games=20)
    rows = rounds_in_sequence(made).with_columns(twice=2 * pl.col("gave_before") + 1, never=pl.lit(0.0))
    for name in ("twice", "never"):
        assert slope_of(made, rows, "gave", name, ["gave_before", "round"]).estimates().height == 0


@pytest.mark.parametrize("name", ["conditional_cooperation", "punishment_response", "promise_effect"])
def test_games_of_one_round_have_no_slope(name):
    assert MEASURES[name].function(tables(record(["a", "b", "c"], turn([1, 2, 3])))).height == 0


@pytest.mark.slow
def test_the_thin_study_of_coverage_holds():
    lines = [line for study in measures_studied.THIN for line in study(60)]
    assert lines
    for line in lines:
        assert line.high >= 0.95, line
