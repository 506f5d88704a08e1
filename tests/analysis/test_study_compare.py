"""Two experiments side by side."""

import numpy as np
import pytest
from small_games import record, tables, turn, values

from measured import COMPARABLE, COMPARED, MEASURES
from ostrom.analysis.study import compare
from ostrom.analysis.tables import pooled
from ostrom.core import InputError, UnknownName


def games(count, seed, *, low, high, players=("a", "b", "c")):
    rng = np.random.default_rng(seed)
    return tables(*(record(players, turn(rng.integers(low, high, size=3)), turn([0, 1, 2])) for _ in range(count)))


def test_the_difference_is_b_less_a_for_the_players_of_both():
    a, b = games(30, 1, low=0, high=5), games(40, 2, low=10, high=20, players=("a", "b", "d"))
    frame = compare(a, b, "contribution_tokens")
    assert frame["player"].to_list() == ["a", "b"]
    row = frame.row(0, named=True)
    alone = [values(MEASURES["contribution_tokens"].function(one))["a"] for one in (a, b)]
    assert [row["a"], row["b"]] == alone
    assert row["value"] == pytest.approx(alone[1] - alone[0])
    assert [row["n_a"], row["n_b"]] == [30, 40]
    assert 0 < row["low"] < row["value"] < row["high"]
    assert row["high"] - row["low"] == pytest.approx(2 * 1.96 * row["error"], rel=0.15)


def test_overall_takes_all_players_together():
    a, b = games(30, 1, low=0, high=5), games(30, 2, low=10, high=20, players=("x", "y", "z"))
    assert compare(a, b, "mean_final").height == 0
    row = compare(pooled(a), pooled(b), "mean_final").row(0, named=True)
    assert row["player"] == "all"
    assert row["value"] == pytest.approx(b.seats["final"].mean() - a.seats["final"].mean())
    assert row["low"] > 0


def test_measures_by_round_are_compared_round_by_round():
    a, b = games(20, 1, low=0, high=5), games(20, 2, low=10, high=20)
    frame = compare(a, b, MEASURES["aggregate_contribution_by_round"])
    assert frame["round"].to_list() == [1, 2]
    assert frame["low"][0] > 0


def test_the_interval_of_no_difference_holds_zero_in_95_of_100():
    held = 0
    for seed in range(100):
        a, b = games(25, seed, low=0, high=20), games(25, 1000 + seed, low=0, high=20)
        row = compare(pooled(a), pooled(b), "contribution_tokens").row(0, named=True)
        held += row["low"] <= 0 <= row["high"]
    assert held >= 88


def test_the_two_sides_are_drawn_apart():
    same = games(30, 1, low=0, high=20)
    row = compare(same, same, "contribution_tokens").row(0, named=True)
    assert row["value"] == 0
    assert row["low"] < 0 < row["high"]


def test_what_has_one_game_has_no_interval_of_the_difference():
    row = compare(games(1, 1, low=0, high=5), games(9, 2, low=0, high=5), "mean_final").row(0, named=True)
    assert [row["low"], row["high"], row["a_low"], row["error"]] == [None] * 4
    assert row["value"] is not None


def test_what_cannot_be_compared_says_so():
    assert set(COMPARED) <= set(COMPARABLE)
    made = games(2, 1, low=0, high=5)
    with pytest.raises(InputError, match="median_final cannot be compared; it must be one of mean_final"):
        compare(made, made, "median_final")
    with pytest.raises(UnknownName, match="did you mean mean_final"):
        compare(made, made, "mean_finals")


@pytest.mark.parametrize("name", COMPARABLE)
def test_everything_comparable_compares(name):
    made = games(5, 1, low=0, high=20)
    assert set(MEASURES[name].by) <= set(compare(made, made, name).columns)
