"""Boards of items: paired differences by hand, clusters, missing items, and the error rate among equal models."""

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from coverage_parts import part
from ostrom.analysis.items import ItemScores, board_of_items, mean_scores, rate_items, scores_of_table
from ostrom.analysis.ratings import tiers
from ostrom.cli.main import app
from ostrom.core import InputError

study = part("items")


def scores_of(values, units=None):
    table = np.asarray(values, dtype=float)
    numbers = np.arange(len(table)) if units is None else np.asarray(units)
    return ItemScores(tuple("abcdefgh"[: table.shape[1]]), table, numbers, table.size, units is not None)


def error_of(rating, first=0, second=1):
    covariance = rating.covariance
    return float(np.sqrt(covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]))


def test_with_all_items_the_difference_of_two_models_is_that_of_their_means():
    values = np.random.default_rng(1).integers(0, 2, (80, 2))
    rating = rate_items(scores_of(values))
    assert rating.theta[0] - rating.theta[1] == pytest.approx(np.subtract(*values.mean(axis=0)))
    # Of two models, the six borrowed units have the same variance, so the error is the jackknife's of paired items.
    paired = (values[:, 0] - values[:, 1]).astype(float)
    assert error_of(rating) == pytest.approx(paired.std(ddof=0) / np.sqrt(79) * np.sqrt(80 / 79), rel=1e-6)


def test_what_is_hard_for_all_cancels_out():
    chance = np.random.default_rng(2)
    values = chance.normal(size=(60, 3))
    plain, shifted = rate_items(scores_of(values)), rate_items(scores_of(values + 50 * chance.normal(size=(60, 1))))
    assert shifted.theta == pytest.approx(plain.theta, abs=1e-9)
    assert error_of(shifted) == pytest.approx(error_of(plain))


def test_copies_of_an_item_in_its_cluster_say_nothing_new():
    values = np.random.default_rng(3).normal(size=(40, 3))
    once = rate_items(scores_of(values))
    copied = rate_items(scores_of(np.repeat(values, 5, axis=0), np.repeat(np.arange(40), 5)))
    assert copied.games == once.games == 40
    assert copied.theta == pytest.approx(once.theta)
    assert copied.covariance == pytest.approx(once.covariance)
    assert error_of(rate_items(scores_of(np.repeat(values, 5, axis=0)))) < 0.6 * error_of(once)


def test_models_are_compared_on_common_items_alone():
    # The model a answers only the easy half; there it is as good as b.
    hard = np.repeat([0.0, 1.0], 30)[:, None] + np.random.default_rng(4).normal(0, 0.1, (60, 2))
    hard[:30, 0] = np.nan
    rating = rate_items(scores_of(hard))
    assert np.nanmean(hard[:, 0]) - np.nanmean(hard[:, 1]) > 0.4
    assert abs(rating.theta[0] - rating.theta[1]) < 0.1
    assert {place.tier for place in tiers(rating)} == {1}


def test_models_without_common_items_are_listed_apart():
    values = np.random.default_rng(5).normal(size=(60, 5))
    values[:30, 3:] = np.nan
    values[30:, :3] = np.nan
    places = {place.name: place for place in tiers(rate_items(scores_of(values)))}
    assert [places[name].tier is None for name in "abcde"] == [False, False, False, True, True]
    with pytest.raises(InputError, match="no two models have an item in common"):
        rate_items(scores_of([[1, np.nan], [np.nan, 1]]))


def test_a_model_that_is_always_right_beats_one_that_is_always_wrong():
    board = board_of_items(scores_of(np.tile([1.0, 0.0], (30, 1))))
    assert [place.tier for place in board.places] == [1, 2]
    assert board.firsts == ["a"]


def test_identical_models_share_a_tier_and_no_number_of_items_tells_them_apart():
    values = np.random.default_rng(6).integers(0, 2, (50, 1)).repeat(2, axis=1)
    board = board_of_items(scores_of(values))
    assert [place.tier for place in board.places] == [1, 1]
    assert board.pairs[0].items is None


def test_lower_scores_may_be_better():
    values = np.random.default_rng(7).normal(size=(60, 2)) + np.asarray([0, 3])
    board = board_of_items(scores_of(values), lower_is_better=True)
    assert [place.name for place in board.places] == ["a", "b"]
    difference = board.pairs[0].difference
    assert difference.low < difference.value < difference.high < 0
    assert board.means["b"] > board.means["a"]


def test_an_interval_of_a_share_stays_within_0_and_1_and_one_over_many_items_is_students(monkeypatch):
    values = (np.random.default_rng(8).random((200, 2)) < 0.98).astype(float)
    for estimate in mean_scores(scores_of(values)):
        assert 0 <= estimate.low < estimate.value < estimate.high <= 1
    monkeypatch.setattr("ostrom.analysis.items.MAX_RESAMPLED_UNITS", 10)
    normal = np.random.default_rng(9).normal(size=(200, 2))
    (estimate, _) = mean_scores(scores_of(normal))
    assert estimate.high - estimate.value == pytest.approx(1.972 * normal[:, 0].std(ddof=1) / np.sqrt(200), rel=1e-3)


def test_attempts_are_averaged_and_the_order_of_rows_does_not_matter():
    rows = [(m, f"q{i}", float((i * 7 + n + k) % 3), k) for i in range(15) for n, m in enumerate("ab") for k in (1, 2)]
    table = pl.DataFrame(rows, schema=["model", "item", "score", "attempt"], orient="row")
    scores = scores_of_table(table)
    assert scores.attempts == 60
    assert scores.items == 15
    shuffled = scores_of_table(table.sample(fraction=1, shuffle=True, seed=1))
    assert np.array_equal(shuffled.scores, scores.scores)


REFUSED = {
    "a missing column": ("model,item\na,1", "no column score"),
    "a score that is no number": ("model,item,score\na,1,high\nb,1,2", "row 1 has no finite number as its score"),
    "an infinite score": ("model,item,score\na,1,inf\nb,1,2", "row 1 has no finite number"),
    "an answer twice": ("model,item,score\na,1,1\na,1,2\nb,1,2", "row 1 has a model and an item.*'attempt'"),
    "an item in two clusters": ("model,item,score,cluster\na,1,1,x\nb,1,2,y", "item '1' is in 2 clusters"),
    "a single model": ("model,item,score\na,1,1", "1 models; a comparison needs 2"),
    "an item without a name": ("model,item,score\na,,1\nb,1,2", "row 1 has no item"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_table_of_items_is_refused_in_one_line(case, tmp_path):
    text, reason = REFUSED[case]
    (tmp_path / "items.csv").write_text(text)
    result = CliRunner().invoke(app, ["ratings", "--items", str(tmp_path / "items.csv")])
    assert isinstance(result.exception, InputError)
    with pytest.raises(InputError, match=reason):
        raise result.exception


@pytest.mark.slow
@pytest.mark.parametrize("clusters", [0, 20])
def test_the_thin_study_of_equal_models_holds(clusters):
    (line,) = study.equals(200, 200, clusters=clusters)
    assert line.low <= 0.05
    assert line.rate <= 0.1
