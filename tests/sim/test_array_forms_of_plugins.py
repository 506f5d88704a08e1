"""The array form of a game from outside: rules that differ within a batch, the order of its columns, its chance, its
figures of whole games, and best responses that choose."""

import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

import ostrom
from ostrom.cli.main import app
from ostrom.core import GameChance
from ostrom.core.chance import key_of, uniform_rows
from ostrom.core.plugins import load_file
from ostrom.players.policy import Remembering, situations_of
from ostrom.players.roster import built_in_players
from ostrom.sim.best_response import problem_of
from ostrom.sim.search import Effort, Search

PLUGIN = Path(__file__).parents[1] / "haggling.py"
QUICK = Effort(games=12, generations=0, rounds=1, selection=24)


@pytest.fixture(scope="module", autouse=True)
def plugin():
    return load_file(PLUGIN)


def test_games_that_end_early_are_given_their_own_rules():
    finding = ostrom.sweep(
        game="haggling", vary=["pie=10:100:10", "impatience=0:0.8:0.4"], players=["Fair", "Patient"], games=7, seed=1
    )
    for row in finding.to_frame("efficiency").iter_rows(named=True):
        alone = ostrom.sweep(
            game="haggling",
            vary=[f"pie={row['pie']}"],
            rules={"impatience": row["impatience"]},
            players=["Fair", "Patient"],
            games=7,
            seed=1,
        )
        assert row["value"] == pytest.approx(alone.to_frame("efficiency")["value"][0])


def test_a_search_for_rules_plays_games_that_end_early():
    design = ostrom.design(
        game="haggling", vary=["pie=10:100"], maximise=["efficiency"], candidates=6, tables=2, games=3, seed=1
    )
    assert design.to_frame().height


def test_figures_of_games_are_measures_of_the_table_within_their_range():
    finding = ostrom.sweep(game="haggling", vary=["impatience=0,0.5"], players=["Fair", "Patient"], games=8, seed=1)
    frame = finding.to_frame("efficiency", "agreement")
    assert set(frame["measure"]) == {"efficiency", "agreement"}
    assert not any(":" in name for name in finding.result.outcome.measures if name.startswith("efficiency"))
    known = frame.drop_nulls("low")
    assert known["low"].min() >= 0.0
    assert known["high"].max() <= 1.0


@pytest.mark.slow
def test_columns_keep_their_order_under_jax():
    pytest.importorskip("jax")
    numpy, jax = (
        ostrom.tournament(game="haggling", players=["Fair", "Patient"], games=20, seed=1, backend=backend)
        for backend in ("numpy", "jax")
    )
    assert numpy.to_frame().columns == jax.to_frame().columns
    assert [name for name in jax.to_frame().columns if name in ("zeal", "efficiency", "agreement")] == [
        "zeal",
        "efficiency",
        "agreement",
    ]


@pytest.mark.parametrize("dtype", ["uint64", "int64", "uint32", "int32"])
def test_draws_are_the_same_for_integers_of_every_type(dtype):
    expected = [[GameChance(2**63 + 5, game).uniform("value", 3, seat) for game in range(4)] for seat in range(2)]
    games, seats, turn = np.arange(4, dtype=dtype), np.arange(2, dtype=dtype)[:, None], np.asarray(3, dtype=dtype)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        key = key_of(2**63 + 5)
        rows = uniform_rows(key, games, "value", turn, seats)
        single = uniform_rows(tuple(np.uint32(word) for word in key), games[1], "value", turn, seats[1, 0])
    assert rows.tolist() == expected
    assert float(single) == expected[1][1]


def test_a_response_is_searched_among_choices_too():
    players = {name: built_in_players("haggling")[name] for name in ("Fair", "Stubborn")}
    for seat in (0, 1):
        problem = problem_of(["Stubborn"], game="haggling", rules={"impatience": 0.0}, seed=1, seat=seat)
        assert [option.name for option in problem.choices["reply"]] == ["reject", "accept"]
        search = Search(problem, players, QUICK, lambda done: None)
        rule = search.run().rule
        assert problem.play([search.entry(rule)], 0, 20).finals.mean() == pytest.approx(20.0, abs=0.5)


def test_a_threshold_is_played_as_it_is_written():
    problem = problem_of(["Patient"], game="haggling", rules=None, seed=1, seat=1)
    search = Search(problem, dict(built_in_players("haggling")), QUICK, lambda done: None)
    base = search._race([rule for rule in search._constants() if rule.options and rule.levels], 3)
    rule = next(iter(search._thresholds(base)))
    again = type(rule).model_validate_json(rule.model_dump_json())
    entry = search.entry(again)
    played = ostrom.play([built_in_players("haggling")["Patient"], entry], game="haggling", seed=1)
    assert played.standings.filter(pl.col("seat") == 1)["final"][0] == pytest.approx(
        problem.play([entry], 0, 1).finals[0, 0]
    )


def test_the_situations_of_a_table_name_the_latest_turn_first():
    table = Remembering(memory=2, reads=(0, 1), levels={"offer": tuple(place / 16 for place in range(16))})
    situations = situations_of(table)
    assert (situations[0], situations[15]) == ("none, before: none", "1 and 2, before: 1 and 2")
    # The latest turn has the highest bits.
    assert situations[4] == "1, before: none"


def test_a_response_with_a_table_prints_it():
    words = ["respond", "repeated", "--against", "TitForTat", "--games", "4", "--seed", "1"]
    printed = CliRunner().invoke(app, words).stdout
    assert "The table of the response" in printed
    assert "in the first turn" in printed
