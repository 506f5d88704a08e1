"""The charts of a sweep: valid specifications that say where things are."""

import altair as alt
import numpy as np
import polars as pl
import pytest

import ostrom
from ostrom.charts.render import svg
from ostrom.charts.sweeps import Side, boundary_title
from ostrom.findings.pictures import write_files
from ostrom.findings.sweep_tables import Sweep, describe
from ostrom.sim.effects import Condition, contour
from support import sweep

RULES = ostrom.CommonsRules(duration=6)
TABLE = ["Opportuniste:2", "Pavlov", "RandomPlayer"]


def findings(vary, boundary=None, measures=("contribution",), **more):
    result = sweep(vary, games=6, seed=3, players=TABLE, rules=RULES, **more)
    condition = Condition.of(boundary, result.measures) if boundary else None
    return describe(Sweep(result, measures, condition))


CASES = {
    "one": ({"alpha": "0:1:0.2"}, "contribution=0.7", {}, ["line-contribution"]),
    "words": ({"voting": "yes,no"}, None, {}, ["line-contribution"]),
    "two": (
        {"alpha": "0:1:0.2", "synergy": [1.5, 2, 3]},
        "contribution=0.7",
        {},
        ["heatmap-contribution", "indices-contribution", "phases"],
    ),
    "mixed": (
        {"voting": "yes,no", "alpha": "0:1:0.2"},
        "contribution=0.7",
        {},
        ["heatmap-contribution", "indices-contribution", "phases"],
    ),
    "lhs": (
        {"alpha": "0:1", "synergy": "1.5:3"},
        None,
        {"design": "lhs", "points": 6},
        ["dots-contribution-alpha", "dots-contribution-synergy"],
    ),
    "sobol": (
        {"alpha": "0:1", "synergy": "1.5:3"},
        None,
        {"design": "sobol", "points": 4},
        ["dots-contribution-alpha", "dots-contribution-synergy", "indices-contribution"],
    ),
    "three": (
        {"alpha": [0, 1], "synergy": [1.5, 3], "voting": "yes,no"},
        "contribution=0.7",
        {},
        ["indices-contribution"],
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_every_design_has_its_charts(case):
    vary, boundary, more, names = CASES[case]
    found = findings(vary, boundary, **more)
    drawn = {name: found.chart(name) for name in found.charts}
    assert list(drawn) == names
    for chart in drawn.values():
        assert chart.to_dict(validate=True)["title"]["text"]


def test_tables_and_charts_are_written(tmp_path):
    found = findings({"alpha": "0:1:0.5", "synergy": [1.5, 3]}, "contribution=0.7")
    tables, pictures = write_files(found, tmp_path)
    for table in tables:
        file = tmp_path / "tables" / table
        assert len(pl.read_parquet(file.with_suffix(".parquet"))) == len(pl.read_csv(file.with_suffix(".csv")))
    for picture in pictures:
        assert (tmp_path / "charts" / f"{picture}.svg").read_text().startswith("<svg")
        assert (tmp_path / "charts" / f"{picture}.png").read_bytes()[:4] == b"\x89PNG"
    assert {path.name for path in tmp_path.iterdir()} == {"tables", "charts"}, "as of reports and evolutions"
    assert {"points", "indices", "effects", "boundary"} == set(tables)


def test_a_name_that_is_a_formula_of_vega_is_only_a_name():
    found = findings({"table": "Pavlov:2;Opportuniste:2"})
    assert all("signal" not in str(chart.to_dict()["title"]) and svg(chart) for chart in map(found.chart, found.charts))


def test_fields_meet_halfway_between_their_numbers():
    edges = Side("alpha", [0, 0.1, 0.5], True).edges()
    assert edges["from"].to_list() == pytest.approx([-0.05, 0.05, 0.3])
    assert edges["to"].to_list() == pytest.approx([0.05, 0.3, 0.7])


def test_the_contour_of_a_plane_is_a_straight_line():
    found = findings({"alpha": "0:1:0.25", "synergy": [1.5, 2, 2.5, 3]})
    x, y = np.asarray([[alpha, synergy] for alpha, synergy in found.result.plan.values]).T
    found.result.outcomes["contribution"] = np.repeat((x + y - 2.6)[:, None], 6, axis=1)
    pieces = contour(found.result.outcome, Condition("contribution", 0.0), "alpha", "synergy").filter(kind="value")
    for ends in (("x", "y"), ("x2", "y2")):
        assert np.sum(pieces.select(ends).to_numpy(), axis=1) == pytest.approx(2.6)
    assert len(pieces) > 3


def test_a_saddle_is_cut_twice():
    found = findings({"alpha": [0, 1], "synergy": [1.5, 3]})
    for middle in (1.0, -1.0):
        values = np.asarray([2.0 + middle, -2.0, -2.0, 2.0 + middle])  # by alpha, then synergy
        found.result.outcomes["contribution"] = np.repeat(values[:, None], 6, axis=1)
        pieces = contour(found.result.outcome, Condition("contribution", 0.0), "alpha", "synergy").filter(kind="value")
        assert len(pieces) == 2


def test_where_nothing_is_crossed_the_title_says_so():
    nothing = pl.DataFrame({"at": [], "low": [], "high": []})
    assert (
        boundary_title(nothing, Side("alpha", [0, 1], True), "contribution = 2")
        == "Contribution = 2 is crossed nowhere"
    )


def test_charts_are_altair_charts():
    found = findings({"alpha": [0, 1]})
    assert all(isinstance(found.chart(name), alt.LayerChart) for name in found.charts)
