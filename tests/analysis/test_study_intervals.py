"""Intervals over games: exact values where they can be computed, and coverage."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from small_games import record, tables, turn

from ostrom.analysis.common_measures import mean_final
from ostrom.analysis.intervals import RESAMPLES, SEED, Difference, Ratio, medians, percentiles, weights
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


def test_few_games_have_a_value_and_no_interval_but_the_number_that_it_takes():
    made = tables(record(["a", "b", "c"], turn([0, 4, 0])), record(["a", "a", "d"], turn([0, 0, 0])))
    rows = {row["player"]: row for row in mean_final(made).iter_rows(named=True)}
    assert rows["b"]["value"] == 18
    assert [rows["b"][name] for name in ("low", "high", "error")] == [None, None, None]
    assert rows["b"]["n"] == 1
    assert rows["b"]["reason"] == "1 game: an interval needs at least 6"
    assert rows["a"]["n"] == 2
    assert rows["a"]["reason"] == "2 games: an interval needs at least 6"


def test_a_figure_of_rich_games_takes_more_games_of_all_players():
    values = np.random.default_rng(2).lognormal(sigma=2, size=120)
    frame = pl.DataFrame({"game": np.repeat(names(60), 2), "player": ["a", "b"] * 60, "top": values, "bottom": 1})
    few = frame.filter(pl.col("game").is_in(names(59)))
    whole, short = (Ratio(rows, ("player",), names(60), tailed=True).estimates() for rows in (frame, few))
    assert whole["low"].null_count() == 0
    assert short["low"].null_count() == 2
    assert set(short["reason"]) == {"59 games in all: an interval of this figure takes at least 60"}


def test_a_share_that_never_varied_still_has_a_width():
    frame = pl.DataFrame({"game": names(40), "player": ["a", "b"] * 20, "top": 1, "bottom": 1})
    alike = Ratio(frame, ("player",), names(40), share=True).estimates()
    assert alike["high"].to_list() == [1.0, 1.0]
    # What is in at most so many games stays unseen in 20 with a chance of 2.5 %: Clopper and Pearson's bound.
    assert alike["low"].to_list() == pytest.approx([0.025 ** (1 / 20)] * 2)
    other = frame.with_columns(top=pl.when((pl.col("player") == "b") & (pl.col("game") < "g2")).then(0).otherwise(1))
    beside = Ratio(other, ("player",), names(40), share=True).estimates()
    assert beside["high"][0] == 1.0
    assert 0.6 < beside["low"][0] < 1.0
    tokens = Ratio(frame, ("player",), names(40)).estimates()
    assert tokens["low"].to_list() == [None, None]
    assert set(tokens["reason"]) == {"all games agree: there is no spread for an interval"}


def test_a_player_far_from_the_others_keeps_its_own_centre():
    rng = np.random.default_rng(8)
    values = np.concatenate([rng.normal(size=50), 1000 + rng.normal(size=50)])
    frame = pl.DataFrame({"game": names(50) * 2, "player": ["a"] * 50 + ["b"] * 50, "top": values, "bottom": 1})
    made = Ratio(frame, ("player",), names(50)).estimates()
    assert all(high - low < 0.8 for low, high in made.select("low", "high").iter_rows())


def test_a_difference_is_one_figure_with_its_own_interval():
    rng = np.random.default_rng(4)
    first, second = rng.normal(size=40), rng.normal(size=40)
    one, other = (
        Ratio(pl.DataFrame({"game": names(40), "player": "a", "top": top, "bottom": 1}), ("player",), names(40))
        for top in (first, first + 0.01 * second)
    )
    row = Difference(one, other).estimates().row(0, named=True)
    # What both share cancels out within each game.
    assert row["high"] - row["low"] < 0.02
    assert row["low"] <= row["value"] <= row["high"]


def test_intervals_do_not_depend_on_the_order_of_rows():
    games = [record(["a", "b", "c"], turn([gave, 4, 0])) for gave in range(12)]
    made = tables(*games)
    rows = made.seats.select("game", "player", top="final", bottom=pl.lit(1))
    one, other = (Ratio(frame, ("player",), names(12)).estimates() for frame in (rows, rows.reverse()))
    assert one.equals(other)


def test_the_median_of_few_games_has_no_interval():
    frame = pl.DataFrame({"game": names(5), "player": "a", "value": [1, 2, 3, 4, 9]})
    row = medians(frame, ("player",), names(5)).row(0, named=True)
    reason = "5 games: an interval needs at least 6"
    assert row == {"player": "a", "value": 3.0, "low": None, "high": None, "n": 5, "reason": reason}
    more = medians(pl.concat([frame, frame.with_columns(game=pl.lit("g5")).head(1)]), ("player",), names(6))
    assert more.row(0, named=True) == {"player": "a", "value": 2.5, "low": 1.0, "high": 9.0, "n": 6, "reason": None}


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
    # Between order statistics it is held at least so often; seats of one game that are not alike make it wider.
    assert 0.915 <= covered <= (0.98 if kind == "mean" else 1)


def test_a_bound_that_the_figure_lies_beyond_cuts_nothing_off():
    chance = np.random.default_rng(1)
    game, player = names(20) * 2, ["a"] * 20 + ["b"] * 20
    top = [*chance.integers(3, 9, 20).tolist(), *chance.integers(0, 2, 20).tolist()]
    plain = ratio(game, top, [4] * 20 + [20] * 20, player)
    share, free = (one.estimates() for one in (replace(plain, share=True), replace(plain, limits=(-1e9, 1e9))))
    above = share.row(0, named=True)
    assert above["value"] > 1
    assert above["low"] < above["value"] < above["high"]
    assert (above["low"], above["high"]) == free.select("low", "high").row(0)
    assert share["low"][1] >= 0


def test_what_lies_between_limits_of_its_own_ends_there():
    """All of it on one side, in every game: it may yet be otherwise, but not beyond."""
    (result,) = replace(ratio(names(20), [-1] * 20), limits=(-1.0, 1.0)).estimates().iter_rows(named=True)
    assert result["value"] == result["low"] == -1
    assert -1 < result["high"] < -0.6
