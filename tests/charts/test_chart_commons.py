"""The charts and the report of the Commons: they draw, name both ends, and say what was left out."""

import json
import xml.etree.ElementTree as ET

import polars as pl
import pytest
import vl_convert
from chart_tables import BY_SEAT, HOSTILE, dots, per_pair, per_player, players, small_tables
from commons_played import commons_tables

from measured import COMMONS, COMMONS_CHARTS, COMPARED, PUNISH_CHARTS
from ostrom.analysis.leaderboard import rate_players
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import without_defaulted
from ostrom.charts import render
from ostrom.charts.catalogue import draw_picture
from ostrom.charts.comparison import write_comparison
from ostrom.charts.families import Cast
from ostrom.charts.forms import heatmap
from ostrom.charts.lines import commonly_reached, long_line
from ostrom.charts.matrix import PairMatrix
from ostrom.charts.report import write_report
from ostrom.charts.standings import RATINGS
from ostrom.charts.words import share
from ostrom.core import InputError
from sampling import sampled

TOTALS = {"cooperation_by_turn", "synergy_by_turn"}
BY_TURN = {"capital_by_turn", "contribution_by_turn", "contribution_heatmap"}


def heading(chart) -> str:
    return " ".join(chart.to_dict(validate=False)["title"]["text"])


def by_turn(names: list[str], last: int = 30) -> pl.DataFrame:
    """The first player is highest; its value falls by less than the steps between players."""
    rows = [
        (name, turn, (len(names) - place - turn / 100) / (len(names) + 1), 0.1, 0.9, 12)
        for place, name in enumerate(names)
        for turn in range(1, last + 1)
    ]
    return pl.DataFrame(rows, schema=["player", "turn", "value", "low", "high", "n"], orient="row")


def frame_for(name: str, names: list[str]) -> pl.DataFrame:
    """A table of the shape that the chart of this name draws."""
    if name in TOTALS:
        return by_turn(["all"]).drop("player")
    if name in BY_TURN:
        return by_turn(names)
    if COMMONS_CHARTS.pictures[name].dots:
        return dots(names)
    if isinstance(COMMONS_CHARTS.pictures[name], PairMatrix):
        return per_pair(names)
    frame = per_player(names)
    if name in BY_SEAT:
        return frame.with_columns(seat=pl.int_range(len(names))).drop("player")
    return frame.with_columns(pl.col("low", "high").fill_null(pl.col("value"))) if name == RATINGS else frame


@pytest.mark.parametrize(
    ("name", "count"),
    sampled([*((name, 16) for name in COMMONS_CHARTS.pictures), *((name, 1) for name in sorted(TOTALS | BY_TURN))], 6),
)
def test_a_chart_draws_without_a_warning_and_names_everybody(name, count, capfd):
    names = players(count)
    chart = draw_picture(COMMONS_CHARTS.pictures[name], frame_for(name, names), Cast.of(names))
    picture = vl_convert.vegalite_to_svg(chart.to_dict(), show_warnings=True, allowed_base_urls=[])
    assert "".join(capfd.readouterr()) == ""
    texts = " ".join(
        "".join(node.itertext()) for node in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    )
    if name not in TOTALS | BY_SEAT:
        assert all(player in texts for player in names)


@pytest.mark.parametrize(
    "name", sorted(set(COMMONS_CHARTS.pictures) - TOTALS - BY_SEAT - {"final_strip", "head_to_head"})
)
def test_the_title_names_both_ends_and_nobody_between(name):
    names = ["zeta", "alpha", "beta"]
    said = heading(draw_picture(COMMONS_CHARTS.pictures[name], frame_for(name, names), Cast.of(names)))
    assert "zeta" in said
    assert "beta" in said
    assert "alpha" not in said


@pytest.mark.parametrize("name", COMMONS_CHARTS.pictures)
def test_a_chart_without_any_figure_says_so(name):
    nothing = frame_for(name, players(3)).with_columns(value=pl.lit(None, pl.Float64))
    assert "no figures" in heading(draw_picture(COMMONS_CHARTS.pictures[name], nothing, Cast.of(players(3))))


def test_turns_that_few_games_reached_are_not_drawn():
    frame = pl.DataFrame({"turn": [1, 2, 3, 4], "value": [1.0] * 4, "n": [10, 10, 5, 4]})
    assert commonly_reached(frame)["turn"].to_list() == [1, 2, 3]


def test_long_games_share_their_columns_in_the_heatmap():
    frame = by_turn(["a", "b"], last=100)
    fields = next(iter(heatmap(frame, Cast.of(["a", "b"]), unit=share("given", 0)).to_dict()["datasets"].values()))
    assert sorted({field["start"] for field in fields})[:3] == [1, 3, 5]
    first = next(field for field in fields if field["player"] == "a" and field["start"] == 1)
    assert (first["when"], first["value"]) == ("1–2", pytest.approx((1.99 + 1.98) / 6))


def test_the_key_of_a_field_is_told_in_per_cent():
    key = render.embedded(heatmap(by_turn(["a"], last=5), Cast.of(["a"]), unit=share("given", 0))).key
    assert [text for text, _ in key] == ["0%", "25%", "50%", "75%", "100%"]


def test_a_long_line_writes_out_its_ends_and_its_extremes():
    frame = (
        by_turn(["all"])
        .drop("player")
        .with_columns(value=pl.when(pl.col("turn") == 12).then(0.9).when(pl.col("turn") == 20).then(0.1).otherwise(0.5))
    )
    rows = next(iter(long_line(frame, unit=share("given"), tint="#000000").to_dict()["datasets"].values()))
    assert {row["turn"]: row["words"] for row in rows if row["words"]} == {
        1: "50.0%",
        12: "90.0%",
        20: "10.0%",
        30: "50.0%",
    }
    assert [row["turn"] for row in rows if row["trough"]] == [20]


@pytest.mark.slow
def test_the_report_of_the_commons(tmp_path):
    made = commons_tables(("alpha", HOSTILE, "gamma"))
    assert study_of(made) is COMMONS
    rated = rate_players(made, passes=2, draw_probability=0.1)
    written = write_report(made, rated, tmp_path)
    html = written.page.read_text(encoding="utf-8")
    assert "<h1>The Commons</h1>" in html
    assert "<script>alert" not in html
    for measure in COMMONS.measures.values():
        assert (tmp_path / "tables" / f"{measure.name}.csv").is_file()
    for name in set(COMMONS_CHARTS.pictures) - {"answer_times"}:
        assert (tmp_path / "charts" / f"{name}.png").is_file()
    for name in ("games", "seats", "turns", "economy"):
        assert pl.read_parquet(tmp_path / "tables" / f"{name}.parquet").equals(getattr(made, name))
    assert 'href="tables/contribution_by_turn.csv"' in html
    assert 'href="tables/contribution_heatmap.csv"' not in html
    board = pl.read_parquet(tmp_path / "tables" / "trueskill.parquet")
    # Alpha answered 24 times in four games of six turns; two of its answers were the game's.
    alpha = board.row(by_predicate=pl.col("player") == "alpha", named=True)
    assert (alpha["defaulted"], alpha["repaired"]) == (pytest.approx(2 / 24), 0)
    said = (tmp_path / "summary.txt").read_text(encoding="utf-8")
    assert "4 games of the Commons, 3 players, 3 seats, 6 turns, with lobbying, with voting." in said
    assert "Of 72 answers, 2 (2.78%) were defaulted" in said
    assert "Defaulted, as a part of a player's own answers: alpha 8.3%." in said


def test_the_script_of_reports_is_made_once():
    assert render.javascript() is render.javascript()


def test_the_script_of_reports_is_kept_for_the_next_one_and_made_again_where_it_is_damaged(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr("vl_convert.javascript_bundle", lambda snippet: made.append(snippet) or "the\nscript")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    script = render.javascript.__wrapped__
    assert [script(), script()] == ["the\nscript"] * 2
    [kept] = (tmp_path / "cache" / "ostrom").iterdir()
    assert len(made) == 1
    for damage in (kept.read_bytes()[:-1], b"", b"\xff"):
        kept.write_bytes(damage)
        assert [script(), script()] == ["the\nscript"] * 2
    assert len(made) == 4
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert script() == "the\nscript"
    assert len(made) == 5


@pytest.mark.slow
@pytest.mark.usefixtures("unpainted")
def test_the_report_says_on_top_what_was_left_out(tmp_path):
    kept = without_defaulted(commons_tables(), "seat")
    rated = rate_players(kept, passes=2, draw_probability=0.1)
    written = write_report(kept, rated, tmp_path)
    assert written.short[0] == "About: 3 players in 4 games of the Commons with 2 to 3 seats; opponents balanced."
    assert written.short[1] == ("Left out for defaulted answers: 2 of 12 seats; the other seats of their games stay.")
    # What was left out is still counted where answers are.
    assert any("Of 72 answers, 2 (2.78%) were defaulted" in sentence for sentence in written.short)
    html = written.page.read_text(encoding="utf-8")
    assert html.index("Left out for defaulted answers: 2 of 12 seats") < html.index("leads the ratings")
    data = json.loads(html.split('id="charts">')[1].split("</script>")[0])
    rows = [row for rows in data["charts"][0]["spec"]["datasets"].values() for row in rows]
    (alpha,) = [row for row in rows if row["player"] == "alpha"]
    assert alpha["note"].endswith("  ·  2 games  ·  provisional  ·  8.3%")


@pytest.mark.slow
def test_the_commons_is_compared_with_the_commons_alone(tmp_path):
    written = write_comparison(commons_tables(), without_defaulted(commons_tables()), tmp_path, pair=("one", "two"))
    assert written.charts == len(COMMONS_CHARTS.compared)
    assert "Left out for defaulted answers: 2 of 4 games." in written.short[1]
    with pytest.raises(InputError, match="'one' has games of the Commons, 'two' of Contribute & Punish"):
        write_comparison(commons_tables(), small_tables(), tmp_path, pair=("one", "two"))


def test_every_report_shows_what_its_game_measures():
    assert tuple(PUNISH_CHARTS.compared) == COMPARED
    for charts in (PUNISH_CHARTS, COMMONS_CHARTS):
        measures = charts.study.measures
        assert {one.source for one in charts.pictures.values()} - {RATINGS} <= set(measures)
        assert all(measures[name].ratio for name in charts.compared)
        assert {one.measure for one in charts.leaderboard} <= set(measures)
