"""Charts that are put together once are those that Altair puts together, whatever is done to them afterwards."""

import altair as alt
import polars as pl
import pytest

from ostrom.charts.palette import config
from ostrom.charts.render import choosing, layered, side_by_side, stacked, styled

SHARED = pl.DataFrame({"x": [1, 2], "y": [3, 4]})
SIZE = {"width": 300, "height": 200}


def layers(other=SHARED):
    """A line, and dots that can be pointed at; of one table or of two."""
    line = alt.Chart(SHARED).mark_line().encode(x="x:Q", y="y:Q")
    hover = alt.selection_point(name="hover", on="pointerover", fields=["x"])
    return line, alt.Chart(other).mark_circle().encode(x="x:Q", y="y:Q").add_params(hover)


@pytest.mark.parametrize("other", [SHARED, pl.DataFrame({"x": [5], "y": [6]})], ids=["one table", "two tables"])
def test_layers_are_those_of_altair(other):
    plain = alt.layer(*layers(other)).add_params(*choosing()).properties(**SIZE)
    assert layered(*layers(other), params=choosing(), **SIZE).to_dict() == plain.to_dict()


def test_rows_and_columns_are_those_of_altair():
    parts = [layers()[0].properties(**SIZE), alt.layer(*layers())]
    plain = alt.vconcat(alt.hconcat(*parts, spacing=7), alt.hconcat(parts[0])).resolve_scale(color="independent")
    apart = alt.Resolve(scale=alt.ScaleResolveMap(color="independent"))
    own = [layers()[0].properties(**SIZE), layered(*layers())]
    made = stacked(side_by_side(*own, spacing=7), side_by_side(own[0]), resolve=apart)
    assert made.to_dict() == plain.to_dict()


def test_a_style_is_what_altair_sets_and_leaves_the_chart_as_it_was():
    chart = layered(*layers(), **SIZE)
    bare = chart.to_dict()
    title = alt.TitleParams(text=["What to see"], subtitle=["and how"])
    plain = alt.layer(*layers()).properties(title=title, **SIZE).configure(**config())
    assert styled(chart, title="What to see", subtitle="and how").to_dict() == plain.to_dict()
    assert chart.to_dict() == bare


@pytest.mark.parametrize(
    "change",
    [
        lambda chart: chart.interactive(name="moved"),
        lambda chart: chart.add_params(*choosing()),
        lambda chart: chart.configure_axis(grid=False).properties(width=100),
        lambda chart: chart.encode(color=alt.value("red")),
        lambda chart: chart + alt.Chart(SHARED).mark_bar().encode(x="x:Q"),
    ],
    ids=["interactive", "parameters", "configuration", "encoding", "one more layer"],
)
def test_what_a_reader_changes_is_as_with_altair(change):
    chart, plain = layered(*layers(), **SIZE), alt.layer(*layers()).properties(**SIZE)
    bare = chart.to_dict()
    assert change(chart).to_dict() == change(plain).to_dict()
    assert chart.to_dict() == bare
