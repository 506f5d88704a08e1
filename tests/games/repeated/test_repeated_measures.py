"""The measures of repeated games, against games whose moves are known."""

from functools import cache

import numpy as np
import pytest

from ostrom.core import GameChance
from ostrom.experiment import play_match, record_of
from ostrom.games.repeated import REPEATED, Rules
from ostrom.games.repeated.charts import CHARTS
from ostrom.games.repeated.measures import MEASURES, tables_of
from ostrom.games.repeated.players import STRATEGIES
from ostrom.games.repeated.theory import eigenjesus
from ostrom.players.strategy import find_strategy

NAMES = ("AllC", "AllD", "TitForTat", "Grim")


def tables(*pairs, **settings):
    rules = Rules(**settings)
    matches = [
        play_match(REPEATED, rules, [find_strategy(STRATEGIES, name) for name in pair], GameChance(1, number))
        for number, pair in enumerate(pairs)
    ]
    return tables_of((str(number), "e", record_of(match)) for number, match in enumerate(matches))


@cache
def round_robin():
    """Each with each and with itself, from both seats."""
    return tables(*[(one, other) for one in NAMES for other in NAMES], rounds=200)


def values(measure, kept):
    frame = MEASURES.measures[measure].function(kept)
    return dict(zip(frame["player"], frame["value"], strict=True))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("cooperating_rating", (1, 0, 0.67, 0.67)),
        ("eigenjesus", (0.58, 0, 0.58, 0.58)),
        ("eigenmoses", (0.37, -0.37, 0.60, 0.60)),
    ],
)
def test_morality_is_that_of_axelrods_documentation(measure, expected):
    found = values(measure, round_robin())
    assert tuple(np.round([found[name] for name in NAMES], 2)) == expected


def test_what_a_game_shows_of_both():
    """Tit for tat and a player that defects in every second round, having begun with C: CDCD… against CCDC…"""
    kept = tables(("TitForTat", "memory-one:0,0,1,1"), rounds=9)
    other = "memory-one:0,0,1,1"
    assert values("first_round", kept) == {"TitForTat": 1, other: 1}
    assert values("cooperation", kept) == pytest.approx({"TitForTat": 5 / 9, other: 5 / 9})
    assert values("retaliation", kept)["TitForTat"] == 1
    assert values("forgiveness", kept)["TitForTat"] == 1
    assert values("after_cd", kept)["TitForTat"] == 0
    assert values("after_dc", kept)["TitForTat"] == 1
    assert values("after_cc", kept) == {"TitForTat": 1, other: 0}
    # From the third round on they alternate: seven of the eight rounds after the first.
    assert values("alternation", kept) == pytest.approx({"TitForTat": 7 / 8, other: 7 / 8})


def test_the_surplus_is_what_a_player_gets_above_its_security_level():
    found = values("surplus", tables(("TitForTat", "AllD"), rounds=200))
    assert found == pytest.approx({"TitForTat": 199 / 200 - 1, "AllD": 204 / 200 - 1})


def test_what_was_meant_counts_and_not_what_the_noise_made_of_it():
    kept = tables(("AllC", "AllD"), rounds=300, noise=0.3)
    assert values("cooperation", kept) == {"AllC": 1, "AllD": 0}
    assert 0.6 < values("cooperating_rating", kept)["AllC"] < 0.8


def test_both_players_of_a_round_are_named_with_their_seats():
    """So that players of one name and different descriptions are told apart in both columns."""
    columns = round_robin().rounds.columns
    assert [f"{who}" in columns for who in ("seat", "player", "other", "other_player")] == [True] * 4


@pytest.mark.parametrize(
    "rates",
    [
        np.zeros((3, 3)),  # nobody cooperates
        [[np.nan, 1], [1, np.nan]],  # λ and −λ
        [[np.nan, 1], [0, np.nan]],
        [[1, np.nan], [np.nan, 1]],  # two who met nobody but themselves
        [[np.nan, 1, np.nan, np.nan], [1, np.nan, np.nan, np.nan], [np.nan] * 3 + [1], [np.nan] * 2 + [1, np.nan]],
    ],
)
def test_a_table_without_one_principal_eigenvector_has_no_eigenjesus(rates):
    assert np.isnan(eigenjesus(np.asarray(rates, dtype=float))).all()


def test_a_measure_without_one_principal_eigenvector_says_so():
    kept = tables(("AllD", "Grim"), ("Grim", "AllD"), rounds=1)
    for measure, vector in (("eigenjesus", False), ("eigenmoses", False), ("cooperation", True)):
        frame = MEASURES.measures[measure].function(kept)
        assert frame["value"].is_not_null().to_list() == [vector, vector]
        if not vector:
            assert set(frame["reason"]) == {"the table of cooperation has no one principal eigenvector"}
    assert values("eigenjesus", round_robin())["AllC"] > 0


@pytest.mark.parametrize(("matrix", "action"), [("prisoners-dilemma", "cooperate"), ("matching-pennies", "heads")])
def test_the_first_round_is_told_in_the_words_of_the_matrix(matrix, action):
    kept = tables(("AllC", "AllD"), ("TitForTat", "AllC"), rounds=2, matrix=matrix)
    (sentence,) = CHARTS.course({"first_round": MEASURES.measures["first_round"].function(kept)})
    assert f"choose “{action}” in 75.0% of their games" in CHARTS.wording(kept)(sentence)


@pytest.mark.parametrize(("matrix", "action"), [("prisoners-dilemma", "defect"), ("matching-pennies", "tails")])
def test_retaliation_is_told_in_the_words_of_the_matrix(matrix, action):
    wording = CHARTS.wording(tables(("AllC", "AllD"), rounds=2, matrix=matrix))
    most = next(most for most in CHARTS.mosts if most.measure == "retaliation")
    assert wording(most.verb) == f"answers “{action}” with “{action}” most often"
    assert wording(most.equally) == f"All answer “{action}” with “{action}” equally often"


def test_the_facts_of_a_report_name_the_matrix():
    assert list(CHARTS.facts(tables(("AllC", "AllD"), rounds=2, matrix="matching-pennies"))) == ["matching-pennies"]
    own = '{"rows": ["a", "b"], "columns": ["a", "b"], "payoffs": [[[2, 2], [0, 3]], [[3, 0], [1, 1]]]}'
    assert list(CHARTS.facts(tables(("AllC", "AllD"), rounds=2, matrix=own))) == ["a matrix with the actions a, b"]
