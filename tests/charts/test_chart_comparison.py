"""Two experiments side by side: figures of both, the interval of the difference, and words that follow from them."""

import polars as pl
import pytest
from chart_tables import HOSTILE, small_tables

from measured import COMPARED
from ostrom.analysis.tables import without_defaulted
from ostrom.charts.comparison import Pair, compare_players, compare_rounds, write_comparison
from ostrom.charts.families import Cast
from ostrom.charts.words import TOKENS, share
from ostrom.core import InputError

PAIR = Pair("talk", "silence")


def compared(value: float, low: float | None, high: float | None) -> pl.DataFrame:
    """Everybody together, and one player."""
    return pl.DataFrame(
        {
            "player": ["all", "gpt-5"],
            "value": [value, 0.1],
            "low": [low, -0.1],
            "high": [high, 0.3],
            "a": [0.5, 0.4],
            "a_low": [0.45, 0.3],
            "a_high": [0.55, 0.5],
            "n_a": [10, 10],
            "b": [0.5 + value, 0.5],
            "b_low": [0.4, 0.4],
            "b_high": [0.6, 0.6],
            "n_b": [9, 9],
        },
        schema_overrides={"low": pl.Float64, "high": pl.Float64},
    )


def heading(chart) -> str:
    return " ".join(chart.to_dict()["title"]["text"])


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (compared(-0.2, -0.25, -0.15), "Giving: 50.0% in “talk”, 30.0% in “silence”: −20.0 points (−25.0 to −15.0)"),
        (
            compared(0.1, -0.1, 0.3),
            "Giving: 50.0% in “talk”, 60.0% in “silence”; no difference can be detected, as its interval includes 0",
        ),
        (
            compared(0.1, None, None),
            "Giving: 50.0% in “talk”, 60.0% in “silence”; too few games to detect a difference",
        ),
    ],
)
def test_the_title_says_whether_the_difference_is_clear(frame, said):
    assert heading(compare_players(frame, PAIR, Cast.of(["gpt-5"]), what="Giving", unit=share("given"))) == said


def test_differences_of_shares_are_drawn_in_points_and_tokens_in_tokens():
    for unit, points in ((share("given"), -20.0), (TOKENS, -0.2)):
        chart = compare_players(compared(-0.2, -0.25, -0.15), PAIR, Cast.of(["gpt-5"]), what="Giving", unit=unit)
        values = [row["value"] for rows in chart.to_dict()["datasets"].values() for row in rows if "weight" in row]
        assert values[0] == pytest.approx(points)


def test_rounds_count_where_the_interval_excludes_zero():
    frame = compared(-0.2, -0.25, -0.15).drop("player").with_columns(round=pl.Series([1, 2]))
    said = heading(compare_rounds(frame, PAIR, what="Giving", unit=share("given")))
    assert said == (
        "Giving: “silence” shows less than “talk”, averaged over the rounds; in 1 of 2 rounds the interval excludes 0"
    )


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (
            -0.25,
            0.1,
            "no difference between “talk” and “silence” can be told; in each of 2 rounds its interval includes 0",
        ),
        (
            0.0,
            0.0,
            "no difference between “talk” and “silence” can be told; in each of 2 rounds its interval includes 0",
        ),
        (None, None, "too few games to detect a difference between “talk” and “silence”"),
    ],
)
def test_rounds_name_nobody_where_no_interval_excludes_zero(low, high, said):
    bounds = [pl.lit(low, pl.Float64).alias("low"), pl.lit(high, pl.Float64).alias("high")]
    frame = compared(-0.2, low, high).drop("player").with_columns(*bounds, round=pl.Series([1, 2]))
    assert heading(compare_rounds(frame, PAIR, what="Giving", unit=share("given"))) == f"Giving: {said}"


def test_the_same_games_twice_show_no_difference(tmp_path):
    written = write_comparison(small_tables(), small_tables(), tmp_path, pair=("one", "two"))
    said = " ".join(written.short)
    assert "shows more" not in said
    assert "shows less" not in said
    assert "no difference between “one” and “two” can be told" in said


def test_a_comparison_writes_page_pictures_and_tables(tmp_path):
    a, b = small_tables(("x", HOSTILE, "z")), small_tables(("x", "other", "z"), games=4)
    written = write_comparison(a, b, tmp_path, pair=("same", "same"))
    html = written.page.read_text(encoding="utf-8")
    assert "<script>alert" not in html
    assert "same (1) against same (2)" in html
    for name in COMPARED:
        assert (tmp_path / "charts" / f"{name}.svg").is_file()
        assert (tmp_path / "tables" / f"{name}.parquet").is_file()
    assert written.charts == len(COMPARED)
    assert "Of 135 answers, 3 (2.22%) were defaulted" in (tmp_path / "summary.txt").read_text(encoding="utf-8")


def test_experiments_without_a_common_player_are_compared_as_a_whole(tmp_path):
    write_comparison(small_tables(("a", "b", "c")), small_tables(("d", "e", "f")), tmp_path, pair=("one", "two"))
    players = pl.read_parquet(tmp_path / "tables" / "mean_final.parquet")["player"].to_list()
    assert players == ["all"]


def test_an_experiment_without_games_cannot_be_compared(tmp_path):
    with pytest.raises(InputError, match="'two' has no finished games"):
        write_comparison(small_tables(), without_defaulted(small_tables()), tmp_path, pair=("one", "two"))
