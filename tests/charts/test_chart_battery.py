"""The charts and the report of the battery: they draw whatever is missing, name everybody, and mark what people do."""

import json
import xml.etree.ElementTree as ET

import polars as pl
import pytest
import vl_convert
from chart_tables import HOSTILE

from battery_played import battery_rows
from ostrom.charts.families import Cast
from ostrom.core import InputError
from ostrom.games.battery.charts import data, write_report
from ostrom.games.battery.charts.boards import BOARDS, PEOPLE, board_chart
from ostrom.games.battery.charts.card import PANELS, card
from ostrom.games.battery.scores.score import NOT_ASKED, Code
from ostrom.games.battery.scores.table import human_scores
from ostrom.journal.names import suggested

REASON = "time: random: 88.7 % of the answers look random; the limit is 50 %"
PAIR = ("fehr-schmidt", "refuser")
COLUMNS = ["player", "score", "value", "low", "high", "reason", "code"]


def made_up(names, *, without=(), unasked=()):
    """A table of scores; those in `without` have none."""
    rows = []
    for board in BOARDS:
        for panel in board.panels:
            for place, name in enumerate(names):
                value = panel.top * (place + 1) / (len(names) + 1)
                missing = (NOT_ASKED.reason, NOT_ASKED.code) if name in unasked else (REASON, Code.RANDOM)
                given = name not in (*without, *unasked)
                span = (value, 0.9 * value, 1.1 * value, None, None) if given else (None, None, None, *missing)
                rows.append((name, panel.score, *span))
    numbers = dict.fromkeys(("value", "low", "high"), pl.Float64)
    return pl.DataFrame(rows, schema=dict.fromkeys(COLUMNS, pl.String) | numbers, orient="row")


def drawn_texts(chart, capfd):
    """All words of the picture; Vega must have nothing to complain about."""
    picture = vl_convert.vegalite_to_svg(chart.to_dict(), show_warnings=True, allowed_base_urls=[])
    assert "".join(capfd.readouterr()) == ""
    nodes = ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}text")
    return " ".join("".join(node.itertext()) for node in nodes)


def heading(chart):
    return " ".join(chart.to_dict(validate=False)["title"]["text"])


@pytest.mark.slow
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
@pytest.mark.parametrize("names", [["alpha"], [f"model-{n}" for n in range(20)]], ids=len)
def test_a_leaderboard_names_everybody_and_marks_people(board, names, capfd):
    chart = board_chart(board, made_up(names), human_scores(), Cast.of(names))
    texts = drawn_texts(chart, capfd)
    assert all(name in texts for name in names)
    known = [panel for panel in board.panels if panel.score in human_scores()]
    assert json.dumps(chart.to_dict()).count(PEOPLE) == 2 * len(known)
    assert ("0.75" in texts) == (board.name == "rationality")
    assert ("40–60" in texts) == (board.name == "cooperation")


def test_a_subject_without_a_score_stands_last_with_the_reason(capfd):
    board, names = BOARDS[0], ["alpha", "beta", "gamma"]
    chart = board_chart(board, made_up(names, without=["alpha"]), {}, Cast.of(names))
    assert "no score: random answers" in drawn_texts(chart, capfd)
    assert REASON in json.dumps(chart.to_dict(), ensure_ascii=False)
    assert "one has no score" in heading(chart)
    assert "from 75.0 for gamma" in heading(chart)


def test_a_leaderboard_without_any_score_says_so(capfd):
    board = BOARDS[1]
    none = board_chart(board, made_up(["alpha"], without=["alpha"]), human_scores(), Cast.of(["alpha"]))
    assert "no subject has a score" in drawn_texts(none, capfd)
    unasked = board_chart(board, made_up(["alpha"], unasked=["alpha"]), human_scores(), Cast.of(["alpha"]))
    assert "no subject was asked" in drawn_texts(unasked, capfd)


def test_who_was_asked_nothing_of_a_leaderboard_is_not_in_it(capfd):
    names = ["alpha", "beta"]
    chart = board_chart(BOARDS[0], made_up(names, unasked=["beta"]), human_scores(), Cast.of(names))
    assert "beta" not in drawn_texts(chart, capfd)


@pytest.mark.slow
def test_a_leaderboard_takes_any_name(capfd):
    chart = board_chart(BOARDS[1], made_up(HOSTILE), human_scores(), Cast.of(HOSTILE))
    drawn_texts(chart, capfd)


def test_parameters_are_written_as_papers_write_them():
    assert suggested("quasi-hyperbolic:beta=0.7,delta=0.95,noise=0.1") == "quasi-hyperbolic β .7 δ .95 μ .1"
    assert suggested("level-k:k=2") == "level-k k 2"
    for name in ("openai:our-own", "fehr-schmidt", "a:b=", ":"):
        assert suggested(name) is None


@pytest.mark.slow
def test_a_card_of_every_subject_draws_all_six_panels_or_why_not(capfd):
    for one in battery_rows(PAIR):
        texts = drawn_texts(card(one, one.subject), capfd)
        for title in ("Discounting", "Marschak–Machina", "Ultimatum", "Trust", "Beauty contest", "Traveller"):
            assert title in texts
        refused = "100 % of the answers are invalid" in texts
        assert refused == (one.subject == "refuser")


@pytest.mark.parametrize("task", ["time", "risk", "ultimatum", "trust", "beauty_contest", "traveller"])
def test_a_card_of_one_task_has_its_panel_alone(task, capfd):
    (one,) = battery_rows(("fehr-schmidt",), (task,))
    made = card(one, one.subject)
    assert sum(len(row["hconcat"]) for row in made.to_dict()["vconcat"]) == 1
    drawn_texts(made, capfd)


def test_a_card_without_any_of_its_tasks_says_so(capfd):
    (one,) = battery_rows(("fehr-schmidt",), ("garp",))
    assert "none of them was asked" in drawn_texts(card(one, "fehr-schmidt"), capfd)
    assert len(PANELS) == 6


@pytest.mark.parametrize("m", [0.05, 0.3, 0.5, 0.8, 0.97])
def test_the_lines_of_expected_utility_are_parallel_and_inside_the_triangle(m):
    lines = data.triangle_lines(m)
    assert len(lines) == 7
    for x, y, x2, y2 in lines.iter_rows():
        assert min(x, y, x2, y2) >= -1e-9
        assert max(x + y, x2 + y2) <= 1 + 1e-9
        assert (y2 - y) == pytest.approx(m / (1 - m) * (x2 - x), abs=1e-9)


def test_the_curves_are_the_fitted_discount_functions():
    (one,) = battery_rows(("exponential:delta=0.9,noise=0.03",), ("time",))
    curves = data.discount_curves(one)
    delta = one.scores["delta_likelihood"].value
    year = curves.filter((pl.col("theory") == "exponential") & (pl.col("months") == 12))
    assert year["ratio"].item() == pytest.approx(delta)
    assert curves.filter(pl.col("best"))["theory"].unique().to_list() == [one.words["discounting"].value]


@pytest.mark.slow
def test_the_report_holds_leaderboards_cards_and_tables(tmp_path):
    rows = battery_rows(PAIR, ("time", "dictator", "traveller"))
    written = write_report(rows, tmp_path)
    assert (written.charts, written.tables) == (3 + len(rows), 8)
    assert len(list((tmp_path / "charts").glob("*.png"))) == written.charts
    scores = pl.read_csv(tmp_path / "tables" / "scores.csv")
    assert set(scores["player"]) == {one.subject for one in rows}
    assert scores.filter(pl.col("value").is_null())["reason"].null_count() == 0
    page = written.page.read_text(encoding="utf-8")
    assert "Matousek, Havranek, Irsova 2021" in page
    assert "refuser" in " ".join(written.short)
    # A grid that wraps by itself stays empty under the page's security policy.
    specs = json.loads(page.split('id="charts">')[1].split("</script>")[0])["charts"]
    assert not any("concat" in chart["spec"] for chart in specs)


def test_a_report_of_one_subject_is_drawn(tmp_path):
    written = write_report(battery_rows(("refuser",), ("time",)), tmp_path)
    assert written.charts == 4
    assert "No subject has a rationality score." in written.short


def test_a_report_of_nobody_is_refused(tmp_path):
    with pytest.raises(InputError, match="no answers to the battery"):
        write_report([], tmp_path)


def test_a_leaderboard_explains_lines_only_where_scores_have_intervals():
    names = ["alpha", "beta"]
    scores = made_up(names)
    bare = scores.with_columns(low=pl.lit(None, dtype=pl.Float64), high=pl.lit(None, dtype=pl.Float64))
    partly = scores.with_columns(low=pl.when(pl.col("score") != "delta").then("low"))
    subtitles = [
        " ".join(board_chart(BOARDS[0], table, {}, Cast.of(names)).to_dict(validate=False)["title"]["subtitle"])
        for table in (scores, bare, partly)
    ]
    assert subtitles[0].endswith("Lines: 95% intervals.")
    assert subtitles[1].endswith("None of these scores has an interval.")
    assert subtitles[2].endswith("Lines: 95% intervals; none for Patience δ.")
