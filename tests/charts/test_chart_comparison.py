"""Two experiments side by side: figures of both, the interval of the difference, and words that follow from them."""

from dataclasses import replace

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
            "reason": ["3 games on a side: a difference takes at least 6" if low is None else None, None],
            "p": [None if low is None else 0.01, 0.4],
            "differs": [low is not None and (low > 0 or (high or 0) < 0), False],
            "a": [0.5, 0.4],
            "a_low": [0.45, 0.3],
            "a_high": [0.55, 0.5],
            "n_a": [10, 10],
            "b": [0.5 + value, 0.5],
            "b_low": [0.4, 0.4],
            "b_high": [0.6, 0.6],
            "n_b": [9, 9],
        },
        schema_overrides={"low": pl.Float64, "high": pl.Float64, "reason": pl.String, "p": pl.Float64},
    )


def heading(chart) -> str:
    return " ".join(chart.to_dict()["title"]["text"])


@pytest.mark.parametrize(
    ("frame", "said"),
    [
        (compared(-0.2, -0.25, -0.15), "Giving: 50.0% in “talk”, 30.0% in “silence”: −20.0 points (−25.0 to −15.0)"),
        (
            compared(0.1, -0.1, 0.3),
            "Giving: 50.0% in “talk”, 60.0% in “silence”; no difference can be detected",
        ),
        (
            compared(0.1, None, None),
            "Giving: 50.0% in “talk”, 60.0% in “silence”; no difference can be detected: 3 games on a side: a "
            "difference takes at least 6",
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


def test_a_difference_that_does_not_hold_after_correction_is_not_named():
    frame = compared(-0.2, -0.25, -0.15).with_columns(differs=False)
    said = heading(compare_players(frame, PAIR, Cast.of(["gpt-5"]), what="Giving", unit=share("given")))
    assert said == "Giving: 50.0% in “talk”, 30.0% in “silence”; no difference can be detected"


@pytest.mark.parametrize(
    ("column", "said"),
    [
        ({"detectable": 0.12}, "no difference can be detected (with a power of 80%, one of 12.0 points would be)"),
        ({"games_differ": True}, "the games differ, but no difference of this figure can be detected"),
        ({"equivalent": True}, "the difference is smaller than the smallest of interest"),
    ],
)
def test_what_is_not_told_apart_says_what_would_be(column, said):
    frame = compared(0.1, -0.1, 0.3).with_columns(**{name: pl.lit(value) for name, value in column.items()})
    title = heading(compare_players(frame, PAIR, Cast.of(["gpt-5"]), what="Giving", unit=share("given")))
    assert title == f"Giving: 50.0% in “talk”, 60.0% in “silence”; {said}"


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_experiments_with_other_players_are_said_to_have_them(tmp_path):
    a = small_tables()
    (one, *_) = sorted(set(a.seats["player"]))
    b = replace(a, seats=a.seats.with_columns(player=pl.col("player").replace(one, "newcomer")))
    text = " ".join(write_comparison(a, b, tmp_path, pair=("one", "two")).short)
    assert f"different players: only “one” has {one}; only “two” has newcomer." in text
    assert "different players" not in " ".join(write_comparison(a, a, tmp_path, pair=("one", "two")).short)


def test_rounds_count_where_a_difference_holds():
    frame = compared(-0.2, -0.25, -0.15).drop("player").with_columns(round=pl.Series([1, 2]))
    said = heading(compare_rounds(frame, PAIR, what="Giving", unit=share("given")))
    assert said == "Giving: of 2 rounds, “silence” shows less in 1 than “talk”"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [
        (-0.25, -0.1, "no difference can be detected between “talk” and “silence” in any of 2 rounds"),
        (None, None, "too few games to detect a difference between “talk” and “silence” in any of 2 rounds"),
    ],
)
def test_rounds_name_nobody_where_no_difference_holds(low, high, said):
    frame = compared(-0.2, low, high).drop("player").with_columns(differs=False, round=pl.Series([1, 2]))
    if low is None:
        frame = frame.with_columns(p=pl.lit(None, pl.Float64))
    assert heading(compare_rounds(frame, PAIR, what="Giving", unit=share("given"))) == f"Giving: {said}"


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_the_same_games_twice_show_no_difference(tmp_path):
    written = write_comparison(small_tables(), small_tables(), tmp_path, pair=("one", "two"))
    said = " ".join(written.short)
    assert "shows more" not in said
    assert "shows less" not in said
    assert "no difference can be detected between “one” and “two”" in said
    assert "3 pairs of games share seed and seating" in said
    assert {(row["value"], row["low"], row["high"]) for row in written.differences} == {(0.0, 0.0, 0.0)}


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_players_are_named_where_their_differences_hold(tmp_path):
    a, b = small_tables(games=8), small_tables(games=8)
    b = replace(b, rounds=b.rounds.with_columns(contribution=pl.col("contribution") + (pl.col("player") == "beta")))
    said = " ".join(write_comparison(a, b, tmp_path, pair=("one", "two")).short)
    assert "“two” minus “one”, of the players that differ: Beta +" in said or "differ: beta +" in said
    assert "alpha +" not in said


@pytest.mark.slow
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


@pytest.mark.usefixtures("unpainted")
def test_experiments_without_a_common_player_are_compared_as_a_whole(tmp_path):
    write_comparison(small_tables(("a", "b", "c")), small_tables(("d", "e", "f")), tmp_path, pair=("one", "two"))
    players = pl.read_parquet(tmp_path / "tables" / "mean_final.parquet")["player"].to_list()
    assert players == ["all"]


def test_an_experiment_without_games_cannot_be_compared(tmp_path):
    with pytest.raises(InputError, match="'two' has no finished games"):
        write_comparison(small_tables(), without_defaulted(small_tables()), tmp_path, pair=("one", "two"))
