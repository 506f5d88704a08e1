"""With few games, some resamples have a denominator of 0: no measure reports a figure from them."""

import math

import numpy as np
import polars as pl
import polars.selectors as cs
import pytest
from small_games import played

import ostrom
from measured import COMPARABLE, MEASURES
from ostrom.analysis.comparison import compare
from ostrom.analysis.intervals import Ratio
from ostrom.analysis.tables import pooled
from ostrom.charts.report import write_report
from ostrom.experiment import record_of
from ostrom.games.contribute_punish.tables import tables_of

pytestmark = pytest.mark.slow

# A seed for every number of games; the others, which show the same again, are long.
SMALL = [
    pytest.param(games, seed, marks=() if place % 3 == choice else pytest.mark.long)
    for place, games in enumerate((1, 2, 3, 4, 6, 8, 10))
    for choice, seed in enumerate((0, 1, 5))
]


def unusable(frame):
    """The columns that hold something which is neither a finite number nor missing."""
    floats = frame.select(cs.float())
    return [name for name in floats.columns if not floats[name].drop_nulls().is_finite().all()]


@pytest.mark.parametrize(("games", "seed"), SMALL)
def test_every_measure_of_few_games_is_finite_or_missing(games, seed):
    tables = played(games, seed)
    for view in (tables, pooled(tables)):
        for name, measure in MEASURES.items():
            frame = measure.function(view)
            assert unusable(frame) == [], name
            if "low" in frame.columns:
                assert frame.filter(pl.col("low").is_null() != pl.col("high").is_null()).is_empty(), name


@pytest.mark.parametrize("seed", range(3))
def test_every_measure_of_one_table_is_finite_or_missing(seed):
    games = [record_of(ostrom.play(game="contribute_punish", seed=seed, number=number)) for number in range(3)]
    tables = tables_of((str(number), "e", record) for number, record in enumerate(games))
    for name, measure in MEASURES.items():
        assert unusable(measure.function(tables)) == [], name


@pytest.mark.parametrize(("games", "seed"), [(2, 0), (8, 1)])
def test_comparisons_of_few_games_are_finite_or_missing(games, seed):
    one, other = played(games, seed), played(games, seed + 1)
    for name in COMPARABLE:
        assert unusable(compare(one, other, name)) == [], name


# One game leaves most charts without a figure; the others draw thirty each.
@pytest.mark.parametrize(
    ("games", "seed"), [(1, 0), *(pytest.param(*some, marks=pytest.mark.long) for some in ((6, 5), (8, 1)))]
)
def test_a_report_of_few_games_is_drawn(games, seed, tmp_path):
    tables = played(games, seed)
    written = write_report(tables, [], tmp_path)
    assert written.page.is_file()
    for path in (tmp_path / "tables").glob("*.csv"):
        assert not {"inf", "-inf", "NaN"} & set(path.read_text(encoding="utf-8").replace("\n", ",").split(",")), (
            path.name
        )


def test_resamples_with_nothing_at_the_bottom_have_no_part_in_the_interval():
    # The last game has something at the top only: a resample of it alone has no ratio.
    games = [f"g{number}" for number in range(7)]
    rows = pl.DataFrame({"game": games, "player": "a", "top": [1, 1, 2, 1, 3, 1, 5], "bottom": [2, 4, 5, 2, 7, 3, 0]})
    drawn = Ratio(rows, ("player",), games).resampled()
    row = drawn.frame().row(0, named=True)
    assert row["n"] == 6
    assert row["low"] < row["value"] < row["high"]
    assert math.isfinite(row["error"])
    lone = Ratio(rows.filter(pl.col("game").is_in(["g0", "g6"])), ("player",), games).resampled()
    usable = lone.draws[~np.isnan(lone.draws)]
    assert len(usable) < len(lone.draws)
    assert np.isfinite(usable).all()


def test_a_figure_without_a_usable_resample_has_no_interval():
    rows = pl.DataFrame({"game": ["g0", "g1"], "player": "a", "top": [1, 5], "bottom": [2, 0]})
    row = Ratio(rows, ("player",), ["g0", "g1"]).estimates().row(0, named=True)
    assert row["value"] == 3
    assert (row["low"], row["high"], row["error"]) == (None, None, None)
