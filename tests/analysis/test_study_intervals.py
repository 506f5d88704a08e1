"""Intervals over games: right where they can be reckoned, and covering the truth as often as they say."""

import numpy as np
import polars as pl
import pytest
from small_games import record, tables, turn

from ostrom.analysis.intervals import RESAMPLES, SEED, Ratio, medians, percentiles, weights
from ostrom.analysis.measures import mean_final
from ostrom.core import GameChance
from ostrom.core.estimates import clustered_mean


def names(count):
    return [f"g{number}" for number in range(count)]


def ratio(game, top, bottom=None, group=None):
    frame = pl.DataFrame({"game": game, "top": top, "bottom": bottom or [1] * len(top)})
    return Ratio(frame.with_columns(player=pl.Series(group or ["a"] * len(top))), ("player",), sorted(set(game)))


def test_weights_count_the_games_drawn_and_never_change():
    drawn = weights(7)
    assert drawn.shape == (RESAMPLES, 7)
    assert (drawn.sum(axis=1) == 7).all()
    assert drawn.mean(axis=0) == pytest.approx(np.ones(7), abs=0.15)
    # The draws are named ones: game by game, anybody can find them again.
    picked = [int(7 * GameChance(SEED, 3).uniform("bootstrap", turn=draw)) for draw in range(7)]
    assert drawn[3].tolist() == [picked.count(game) for game in range(7)]
    assert not np.array_equal(weights(7, SEED + 1), drawn)


def test_percentiles_pass_over_what_is_not_a_number():
    draws = np.column_stack([np.arange(101.0), np.where(np.arange(101) < 41, np.arange(101.0), np.nan)])
    low, high = percentiles(draws)
    assert low == pytest.approx([2.5, 1.0])
    assert high == pytest.approx([97.5, 39.0])


def test_the_error_is_that_of_the_clustered_mean():
    values = np.array([1.0, 4.0, 2.0, 2.0, 9.0, 5.0])
    one = ratio(["g0", "g0", "g1", "g2", "g2", "g2"], values.tolist()).estimates().row(0, named=True)
    known = clustered_mean(values, np.array([2, 1, 3]))
    assert one["value"] == pytest.approx(known.value)
    # The t quantile for 2 degrees of freedom.
    assert known.high - known.value == pytest.approx(4.302653 * one["error"], rel=1e-6)


def test_the_error_and_the_spread_of_resamples_agree():
    rng = np.random.default_rng(5)
    game = np.repeat(names(200), 4)
    values = np.repeat(rng.normal(size=200), 4) + rng.normal(size=800)
    drawn = ratio(game.tolist(), values.tolist()).resampled()
    assert drawn.draws.std() == pytest.approx(drawn.error[0], rel=0.1)
    # Taken as 800 independent values they would look nearly twice as exact.
    assert drawn.error[0] > 1.5 * values.std() / np.sqrt(800)


def test_one_game_has_a_value_and_no_interval():
    made = tables(record(["a", "b", "c"], turn([0, 4, 0])), record(["a", "a", "d"], turn([0, 0, 0])))
    rows = {row["player"]: row for row in mean_final(made).iter_rows(named=True)}
    assert rows["b"]["value"] == 18
    assert [rows["b"][name] for name in ("low", "high", "error")] == [None, None, None]
    assert rows["b"]["n"] == 1
    assert rows["a"]["n"] == 2
    assert rows["a"]["low"] <= rows["a"]["value"] <= rows["a"]["high"]


def test_intervals_do_not_depend_on_the_order_of_rows():
    games = [record(["a", "b", "c"], turn([gave, 4, 0])) for gave in range(12)]
    made = tables(*games)
    rows = made.seats.select("game", "player", top="final", bottom=pl.lit(1))
    one, other = (Ratio(frame, ("player",), names(12)).estimates() for frame in (rows, rows.reverse()))
    assert one.equals(other)


def test_medians_of_resamples_are_medians_of_the_games_drawn():
    rng = np.random.default_rng(3)
    game = rng.integers(0, 9, size=40)
    values = rng.integers(0, 30, size=40)
    frame = pl.DataFrame({"game": [f"g{number}" for number in game], "player": ["a"] * 40, "value": values})
    row = medians(frame, ("player",), names(9)).row(0, named=True)
    slow = [np.median(np.repeat(values, drawn[game].astype(int))) for drawn in weights(9)]
    low, high = percentiles(np.array(slow)[:, None])
    assert row == {"player": "a", "value": np.median(values), "low": low[0], "high": high[0], "n": len(set(game))}


@pytest.mark.parametrize("kind", ["mean", "median"])
def test_intervals_cover_the_truth_in_95_of_100(kind):
    # 400 experiments of 80 games with 3 alike seats each; the truth is 0 for the mean and for the median.
    rng = np.random.default_rng(11)
    count, games, seats = 400, 80, 3
    values = np.repeat(rng.normal(size=(games, count)), seats, axis=0) + rng.normal(size=(games * seats, count))
    frame = pl.DataFrame(
        {
            "game": np.tile(np.repeat(names(games), seats), count),
            "player": np.repeat(np.arange(count), games * seats),
            "value": values.T.ravel(),
        }
    )
    if kind == "median":
        estimates = medians(frame, ("player",), names(games))
    else:
        rows = frame.select("game", "player", top="value", bottom=pl.lit(1))
        estimates = Ratio(rows, ("player",), names(games)).estimates()
    covered = estimates.select(((pl.col("low") <= 0) & (pl.col("high") >= 0)).mean()).item()
    assert estimates.height == count
    assert 0.915 <= covered <= 0.98
