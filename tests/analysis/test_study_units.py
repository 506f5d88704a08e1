"""Games that depend on each other are one unit, and opponents that a full round robin fixes are no chance."""

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from small_games import record, tables, turn

from ostrom.analysis.common_measures import log_final, mean_final
from ostrom.analysis.comparison import compare
from ostrom.analysis.measures import of_schedule, ratio_of, units_of
from ostrom.analysis.ratings import GameResults, order_free
from ostrom.analysis.tables import GameTables


def drawn(count, seed, *, repeats, correlation, players=("a", "b", "c")):
    """Games in which as many repeats share their draws, with finals of this correlation within them."""
    rng = np.random.default_rng(seed)
    played = tables(*(record(players, turn([1, 1, 1]), turn([1, 1, 1])) for _ in range(count)))
    common = np.repeat(rng.standard_normal((count // repeats, 3)), repeats, axis=0)
    own = rng.standard_normal((count, 3))
    finals = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    games = played.games.with_columns(
        seed=pl.lit(1, pl.UInt64), number=pl.Series(np.arange(count) // repeats, dtype=pl.Int64)
    )
    return replace(played, games=games, seats=played.seats.with_columns(final=pl.Series(finals.ravel())))


def widths(ratio):
    return ratio.estimates().select(pl.col("high") - pl.col("low")).to_series().mean()


def test_games_of_the_same_draws_are_one_unit():
    played = drawn(120, 1, repeats=10, correlation=0.9)
    assert units_of(played) == [place // 10 for place in range(120)]
    frame = mean_final.ratio(played).estimates()
    assert frame["n"].to_list() == [120] * 3
    assert widths(log_final(played)) > 2 * widths(replace(log_final(played), units=None))


def test_a_column_of_clusters_names_the_units():
    played = drawn(120, 1, repeats=1, correlation=0.0)
    assert units_of(played) is None
    clustered = replace(played, games=played.games.with_columns(cluster=pl.int_range(pl.len()) // 60))
    assert len(set(units_of(clustered))) == 2
    (reason, *_) = log_final(clustered).estimates()["reason"]
    assert reason == "2 units of games that depend on each other: an interval needs at least 3"


@pytest.mark.slow
def test_intervals_of_repeated_seeds_hold():
    held = []
    for world in range(60):
        frame = log_final(drawn(100, world, repeats=5, correlation=0.5)).estimates()
        held += ((frame["low"] <= 0) & (frame["high"] >= 0)).to_list()
    assert np.mean(held) >= 0.9


def test_repeated_seeds_of_two_experiments_are_compared_by_unit():
    a, b = (drawn(60, seed, repeats=5, correlation=0.9) for seed in (1, 2))
    row = compare(a, b, "mean_final").row(1, named=True)
    single = [replace(side, games=side.games.with_columns(number=pl.int_range(pl.len()))) for side in (a, b)]
    assert row["error"] > 1.5 * compare(*single, "mean_final").row(1, named=True)["error"]


@pytest.mark.parametrize("each", [1, 4])
def test_opponents_of_a_full_round_robin_are_no_chance(each):
    rng, meetings = np.random.default_rng(3), [("a", "b"), ("a", "c"), ("b", "c")] * 4 * each
    played = tables(*(record(pair, turn([1, 1]), turn([1, 1])) for pair in meetings))
    level = {"a": 0.0, "b": 100.0, "c": 200.0}
    finals = [level[pair[1 - seat]] + rng.standard_normal() for pair in meetings for seat in range(2)]
    played = replace(played, seats=played.seats.with_columns(final=pl.Series(finals)))
    ratio = ratio_of(played, played.seats, ("player",), "final")
    stratified = of_schedule(played, ratio)
    assert stratified.estimates()["value"].to_list() == pytest.approx(ratio.estimates()["value"].to_list())
    ideal = 2 * 1.96 / np.sqrt(8 * each)
    assert widths(stratified) < 1.6 * ideal
    assert widths(ratio) > 10 * ideal
    fewer = replace(played, games=played.games.filter(~pl.col("game").is_in(["g0", "g3", "g6"])))
    assert of_schedule(fewer, ratio).strata is None


def crossing(seed, clusters=10, draws=8, players=("a", "b")):
    """Games of every cluster with every draw; a third of the variance of finals is of each, and a third is own."""
    rng, count = np.random.default_rng(seed), clusters * draws
    cluster, draw = np.repeat(np.arange(clusters), draws), np.tile(np.arange(draws), clusters)
    finals = rng.standard_normal((clusters, 2))[cluster] + rng.standard_normal((draws, 2))[draw]
    finals = (finals + rng.standard_normal((count, 2))) / np.sqrt(3)
    names = [f"g{number}" for number in range(count)]
    games = pl.DataFrame({"game": names, "seats": 2, "seed": 1, "number": draw, "cluster": cluster})
    seats = pl.DataFrame(
        {
            "game": np.repeat(names, 2),
            "seat": np.tile([0, 1], count),
            "player": list(players) * count,
            "final": finals.ravel(),
        }
    )
    return GameTables(games, seats)


@pytest.mark.slow
def test_units_of_two_kinds_that_cross_both_count():
    held: dict[bool, list[bool]] = {True: [], False: []}
    for world in range(100):
        ratio = log_final(crossing(world))
        assert len(set(ratio.crossed)) == 8
        for both in held:
            frame = (ratio if both else replace(ratio, crossed=None)).estimates()
            held[both] += ((frame["low"] <= 0) & (frame["high"] >= 0)).to_list()
    assert np.mean(held[True]) >= 0.9
    assert np.mean(held[False]) < 0.88


def test_draws_within_clusters_do_not_cross():
    played = crossing(1)
    nested = played.games.with_columns(number=pl.int_range(pl.len()) // 2)
    assert log_final(replace(played, games=nested)).crossed is None


def test_strengths_over_units_of_two_kinds_have_the_errors_of_both():
    rng = np.random.default_rng(3)
    cluster, draw = np.repeat(np.arange(12), 12), np.tile(np.arange(12), 12)
    names, seated = ("a", "b", "c"), np.argsort(rng.random((144, 3)), axis=1)
    luck = rng.standard_normal((12, 3))[cluster] + rng.standard_normal((12, 3))[draw]
    scores = np.take_along_axis(luck + rng.standard_normal((144, 3)), seated, axis=1)
    crossed, one, other = (
        order_free(GameResults(names, seated, scores, None, draws, clusters))
        for draws, clusters in ((draw, cluster), (None, cluster), (draw, None))
    )
    variance, alone = np.diag(crossed.covariance), [np.diag(one.covariance), np.diag(other.covariance)]
    assert (variance >= np.max(alone, axis=0) - 1e-12).all()
    assert variance.sum() > 1.2 * np.max(np.sum(alone, axis=1))
    assert crossed.strengths[0].high - crossed.theta[0] > one.strengths[0].high - one.theta[0]
