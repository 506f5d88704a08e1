"""Every chart of the catalogue draws, says who leads, and says the same in the same bytes every time."""

import re
import xml.etree.ElementTree as ET

import altair as alt
import polars as pl
import pytest
import vl_convert
from chart_tables import BY_ROUND, BY_SEAT, HOSTILE, STRIPS, TOTALS, frame_for, players

from measured import MEASURES, PICTURES, SECTIONS
from ostrom.charts import render
from ostrom.charts.catalogue import draw_picture
from ostrom.charts.families import Cast
from ostrom.charts.render import layered, wrapped
from ostrom.charts.standings import RATINGS, final_strip
from sampling import sampled

LEAD_IN_TITLE = sorted(set(PICTURES) - TOTALS - BY_SEAT - {"contribution_percent_strip", "head_to_head"})
PAGE = [
    "trueskill",
    "median_final",
    "mean_final",
    "final_strip",
    "balance_by_round",
    "rank_by_round",
    "partners_final",
    "aggregate_contribution_by_round",
    "contribution_tokens",
    "contribution_percent",
    "contribution_percent_by_round",
    "contribution_percent_strip",
    "contribution_tokens_strip",
    "aggregate_punishment_by_round",
    "punishment_spent_percent",
    "punishment_spent_percent_by_round",
    "damage_received_percent",
    "retaliation_rate",
]


def heading(chart) -> str:
    return " ".join(chart.to_dict(validate=False)["title"]["text"])


def shown(name: str, names: list[str]):
    return draw_picture(PICTURES[name], frame_for(name, names), Cast.of(names))


def title_of(name: str, frame: pl.DataFrame) -> str:
    return heading(draw_picture(PICTURES[name], frame, Cast.of(frame["player"].unique())))


def test_all_eighteen_charts_of_the_page_are_there_and_each_draws_a_measure():
    assert len(PAGE) == 18
    assert set(PAGE) <= set(PICTURES)
    assert set(PICTURES) - {RATINGS} <= set(MEASURES)
    assert sum(len(section.pictures) for section in SECTIONS) == len(PICTURES)


@pytest.mark.parametrize("name", sampled(PICTURES, 12))
def test_a_chart_of_22_players_draws_without_a_warning(name, capfd):
    picture = vl_convert.vegalite_to_svg(shown(name, players(22)).to_dict(), show_warnings=True, allowed_base_urls=[])
    assert "".join(capfd.readouterr()) == ""
    root = ET.fromstring(picture)
    texts = " ".join("".join(node.itertext()) for node in root.iter("{http://www.w3.org/2000/svg}text"))
    if name not in TOTALS | BY_SEAT:
        assert all(player in texts for player in players(22))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_has_no_word_for_a_pointer_and_no_name_of_a_column(name):
    text = " ".join(ET.fromstring(render.svg(shown(name, players(4)))).itertext())
    assert "point at" not in text.lower()
    assert not re.search(r"[a-z]_[a-z]", text)


@pytest.mark.parametrize("count", [1, pytest.param(2, marks=pytest.mark.long)])  # two are few, and drawn as 22 are
@pytest.mark.parametrize("name", sampled(PICTURES))
def test_a_chart_of_very_few_players_draws(name, count, capfd):
    vl_convert.vegalite_to_svg(shown(name, players(count)).to_dict(), show_warnings=True)
    assert "".join(capfd.readouterr()) == ""


@pytest.mark.parametrize("name", sampled(PICTURES, 12))
def test_a_chart_without_any_figure_says_so(name):
    nothing = frame_for(name, players(3)).with_columns(value=pl.lit(None, pl.Float64))
    chart = draw_picture(PICTURES[name], nothing, Cast.of(players(3)))
    assert "no figures" in heading(chart)
    assert "nothing to measure" in render.svg(chart)


@pytest.mark.parametrize("name", LEAD_IN_TITLE)
def test_the_title_names_who_leads(name):
    names = ["zeta", "alpha", "beta"]  # not in the order of the alphabet: the first has the highest values
    assert "zeta" in heading(shown(name, names))


@pytest.mark.parametrize("name", sorted(set(PICTURES) - TOTALS - STRIPS - BY_SEAT - {"head_to_head"}))
def test_the_title_names_both_ends_and_nobody_between(name):
    said = heading(shown(name, ["zeta", "alpha", "beta"]))
    assert "beta" in said
    assert "alpha" not in said


def test_a_table_of_pairs_picks_no_pair_out():
    names = ["zeta", "alpha", "beta"]
    even = frame_for("head_to_head", names).with_columns(value=0.5, low=0.3, high=0.7)
    ahead = (pl.col("player") == "alpha") & (pl.col("other_player") == "beta")
    one = even.with_columns(low=pl.when(ahead).then(0.6).otherwise("low"))
    assert title_of("head_to_head", one).startswith("In 1 of 3 pairs one ends ahead more often")
    few = even.with_columns(low=pl.lit(None, pl.Float64), high=pl.lit(None, pl.Float64))
    assert "no two players have met often enough" in title_of("head_to_head", few)


def test_who_has_few_games_leads_no_headline():
    frame = frame_for(RATINGS, ["newcomer", "alpha", "beta"]).with_columns(n=pl.Series([3, 40, 40]))
    chart = draw_picture(PICTURES[RATINGS], frame, Cast.of(["newcomer", "alpha", "beta"]))
    assert heading(chart) == "alpha has the highest rating, beta the lowest"
    assert "provisional" in render.svg(chart)


def sure(frame):
    """The table with an interval for everybody."""
    return frame.with_columns(pl.col("low", "high").fill_null(pl.col("value")))


def test_a_title_names_nobody_without_an_interval():
    frame = frame_for("retaliation_rate", ["m1", "m4", "m2"]).with_columns(value=pl.Series([0.5, 1.0, 0.2]))
    assert (
        title_of("retaliation_rate", frame)
        == "m1 retaliates against 50.0% of its punishers in the next round, m2 against 20.0%"
    )
    assert title_of("retaliation_rate", frame.head(2)) == "Retaliation: no two players have games enough to be compared"


def test_players_that_tie_for_the_lead_are_named_together():
    frame = sure(frame_for("mean_final", ["a1", "b2", "c3"])).with_columns(value=pl.Series([5.0, 5.0, 1.0]))
    assert title_of("mean_final", frame) == "a1 (and b2) ends with 5.0 tokens on average, c3 with 1.0"


def test_the_total_tells_of_the_fall_the_recovery_and_the_end():
    said = heading(shown("aggregate_contribution_by_round", players(2)))
    assert said == "From 60.0% down to 40.0% in round 2, back to 55.0% by round 4, and 30.0% at the end"


def test_the_last_round_that_gives_more_is_told_as_more():
    frame = sure(frame_for("endgame_drop", ["up", "down"])).with_columns(value=pl.Series([0.2, -0.1]))
    assert title_of("endgame_drop", frame) == "In the last round up gives 20.0 points less than before, down 10.0 more"


@pytest.mark.parametrize("name", [RATINGS, "rank_by_round", "final_strip"])
def test_the_same_table_gives_the_same_bytes_whatever_its_order(name):
    frame = frame_for(name, players(5))
    cast = Cast.of(players(5))
    first = render.svg(draw_picture(PICTURES[name], frame, cast))
    assert render.svg(draw_picture(PICTURES[name], frame.reverse(), cast)) == first
    assert render.png(first) == render.png(first)


def test_bars_are_sorted():
    spec = shown("mean_final", ["c", "a", "b"]).to_dict()
    assert spec["layer"][0]["encoding"]["y"]["scale"]["domain"] == ["c", "a", "b"]


@pytest.mark.parametrize("name", ["mean_final", "rank_by_round", "final_strip"])
def test_a_hostile_name_is_drawn_as_text(name, capfd):
    chart = shown(name, [HOSTILE, "plain", "__proto__"])
    picture = vl_convert.vegalite_to_svg(chart.to_dict(), show_warnings=True)
    assert "".join(capfd.readouterr()) == ""
    assert "<script" not in picture
    ET.fromstring(picture)


def test_strips_travel_as_lists_and_not_as_rows():
    count = 30_000
    frame = pl.DataFrame({"player": ["a"] * count, "value": [index % 7 for index in range(count)]})
    spec = draw_picture(PICTURES["contribution_tokens_strip"], frame, Cast.of(["a"])).to_dict()
    dots = spec["datasets"][spec["layer"][0]["data"]["name"]]
    assert len(dots) == 1
    assert {key: len(column) for key, column in dots[0].items()} == {"p": count, "value": count, "j": count}
    assert max(map(abs, dots[0]["j"])) <= 100


def test_titles_are_wrapped_into_lines_of_like_length():
    assert wrapped("one two three four five", 18) == ["one two three", "four five"]
    assert wrapped("", 10) == [""]


def test_lines_over_rounds_say_what_their_intervals_are():
    for name in BY_ROUND:
        subtitle = " ".join(shown(name, players(3)).to_dict()["title"]["subtitle"])
        assert "95% intervals" in subtitle


def test_titles_wrap_by_the_room_that_a_picture_has():
    title = "Contribution: highest at alpha 0.25 and synergy 1.2 (0.75), lowest at alpha 1 and synergy 1.2 (0.28)"

    def lines(width):
        points = layered(alt.Chart(pl.DataFrame({"a": [1, 2]})).mark_point().encode(x="a:Q"))
        made = render.svg(render.styled(points.properties(width=width, height=40), title=title))
        return [line for line in re.findall(r">([^<>]+)</t(?:span|ext)>", made) if line in title and len(line) > 9]

    assert [len(lines(width)) for width in (300, 600, 1200)] == [3, 2, 1]


def finals(*values):
    players = ["alpha", "beta"] * (len(values) // 2)
    frame = pl.DataFrame({"player": players, "value": [float(value) for value in values]})
    chart = final_strip(frame, Cast.of(["alpha", "beta"]), unit="points").to_dict()
    x = chart["layer"][0]["encoding"]["x"]
    return " ".join(chart["title"]["text"]), x["scale"]["domain"], x["axis"]["values"]


def test_finals_that_tie_are_not_said_to_lie_below_the_median():
    title, domain, ticks = finals(0, 0, 0, 0, 0, 5, 9, 12)
    assert title.startswith("Half of all seats end with 0 points or less, while beta once reached 12")
    assert domain[0] == 0 == ticks[0]


@pytest.mark.parametrize("values", [(-10, 10, -6, 6), (-10, -1, -6, -6), (-3000, 2, 0, 0), (0, 0, 0, 1), (4, 5, 9, 7)])
def test_all_finals_lie_on_the_axis(values):
    _, (low, high), ticks = finals(*values)
    assert low <= min(0, *values)
    assert max(0, *values) <= high
    assert ticks == sorted(ticks)
    assert 0 in ticks
    assert all(low <= tick <= high for tick in ticks)
    assert any(tick < 0 for tick in ticks) == (min(values) < 0)
