"""People pooled with predictions: the worked example to six digits, tables, refusals, and coverage in a few worlds."""

import numpy as np
import polars as pl
import pytest
from typer.testing import CliRunner

from coverage_parts import part
from ostrom.analysis.prediction_powered import OutcomeSample, pooled_differences, pooled_means, tuned_weight
from ostrom.analysis.prediction_tables import read_predictions
from ostrom.cli.main import app
from ostrom.core import InputError
from ostrom.core.errors import spell_fields

study = part("predictions")


def sample(*columns):
    return OutcomeSample(*(np.asarray(column.split(), dtype=float) for column in columns))


FIRST = sample("12 5 20 0 10 15 8 20", "14 2 16 5 4 18 11 20", "10 6 15 18 2 9 14 5 11 3 7 16 19 10 12 8")
SECOND = sample("4 9 0 14 7 10 2 6", "9 6 3 12 11 7 0 10", "7 5 9 12 6 10 1 7 11 3 8 5 13 7 6 8")


def test_the_worked_example_of_a_mean():
    alone, full, tuned = pooled_means(FIRST)
    assert (alone.value, round(alone.error, 6)) == (11.25, 2.483877)
    assert (full.value, round(full.error, 6), round(full.effective, 6)) == (10.3125, 1.888887, 13.833690)
    assert round(tuned.weights[0], 6) == 0.853462
    assert (round(tuned.value, 6), round(tuned.plain_error, 6), round(tuned.error, 6)) == (
        10.449880,
        1.734432,
        1.819511,
    )
    assert (round(tuned.plain_effective, 6), round(tuned.effective, 6)) == (16.407230, 14.908736)
    assert (round(tuned.estimate.low, 6), round(tuned.estimate.high, 6)) == (5.997698, 14.902062)


def test_the_worked_example_of_a_difference():
    assert round(tuned_weight(SECOND), 6) == 0.710425
    assert (round(pooled_means(SECOND)[2].value, 6), round(pooled_means(SECOND)[2].error, 6)) == (6.588803, 1.403827)
    alone, full, tuned = pooled_differences(FIRST, SECOND)
    assert (alone.value, round(alone.error, 6)) == (4.75, 2.956530)
    assert (full.value, round(full.error, 6)) == (3.6875, 2.400560)
    assert (round(tuned.value, 6), round(tuned.plain_error, 6), round(tuned.error, 6)) == (3.861077, 2.177852, 2.298119)
    assert (round(tuned.estimate.low, 6), round(tuned.estimate.high, 6)) == (-1.146093, 8.868247)


def test_useless_and_perverse_predictions_have_no_weight():
    constant = OutcomeSample(FIRST.outcomes, np.full(8, 3.0), np.full(16, 3.0))
    perverse = OutcomeSample(FIRST.outcomes, -FIRST.predictions, -FIRST.others)
    for bad in (constant, perverse):
        alone, _, tuned = pooled_means(bad)
        assert tuned.weights == (0.0,)
        assert tuned.value == alone.value
        assert tuned.effective < alone.effective == 8
    assert constant.correlation is None


def table(*rows, columns=("outcome", "prediction")):
    return pl.DataFrame([[None if cell is None else str(cell) for cell in row] for row in rows], columns, orient="row")


def rows_of(one, *more):
    known = [(y, f, *more) for y, f in zip(one.outcomes, one.predictions, strict=True)]
    return [*known, *((None, f, *more) for f in one.others)]


def test_a_table_gives_the_same_as_its_columns():
    outcomes = read_predictions(table(*rows_of(FIRST)), "independent")
    assert outcomes.pooled() == pooled_means(FIRST)
    assert (outcomes.people, outcomes.predicted, outcomes.share) == (8, 16, False)
    both = table(*rows_of(FIRST, "a"), *rows_of(SECOND, "b"), columns=("outcome", "prediction", "arm"))
    assert read_predictions(both, "independent", ("a", "b")).pooled() == pooled_differences(FIRST, SECOND)
    assert read_predictions(both, "independent", ("b", "a")).pooled()[2].value == pytest.approx(-3.861077, abs=1e-6)


def test_the_same_people_in_both_arms_are_paired():
    columns = ("outcome", "prediction", "arm", "person")
    people = [(*row, f"p{n}") for n, row in enumerate(rows_of(FIRST, "a"))]
    people += [(*row, f"p{n}") for n, row in enumerate(rows_of(SECOND, "b"))]
    outcomes = read_predictions(table(*reversed(people), columns=columns), "independent", ("a", "b"))
    pairs = (getattr(FIRST, name) - getattr(SECOND, name) for name in ("outcomes", "predictions", "others"))
    assert outcomes.paired
    assert outcomes.people == 8
    assert outcomes.pooled()[2].value == pytest.approx(pooled_means(OutcomeSample(*pairs))[2].value)


def test_clusters_count_as_their_means():
    rows = [(y + shift, f - shift, f"c{n}") for n, (y, f) in enumerate(rows_of(FIRST)[:8]) for shift in (-1, 1)]
    rows += [(None, f, f"d{n}") for n, f in enumerate(FIRST.others) for _ in range(3)]
    outcomes = read_predictions(table(*rows, columns=("outcome", "prediction", "cluster")), "independent")
    assert outcomes.pooled()[2].value == pytest.approx(pooled_means(FIRST)[2].value)
    assert outcomes.pooled()[2].people == 8
    assert outcomes.people == 16


def test_the_interval_of_a_share_stays_within_0_and_1(tmp_path):
    rows = ["outcome,prediction", *(f"{int(n > 0)},{n}" for n in range(10)), *(f",{n}" for n in range(20))]
    (tmp_path / "share.csv").write_text("\n".join(rows))
    result = CliRunner().invoke(app, ["pool", str(tmp_path / "share.csv"), "--predictions", "independent"])
    assert result.exit_code == 0
    assert "Share · 10 outcomes, 20 predictions alone" in result.output
    outcomes = read_predictions(pl.read_csv(tmp_path / "share.csv", infer_schema=False), "independent")
    assert outcomes.share
    assert outcomes.limits == (0.0, 1.0)


def test_folds_are_as_the_docs_say():
    rows = [(*row, "" if row[0] is None else n % 2) for n, row in enumerate(rows_of(FIRST))]
    names = ("outcome", "prediction", "fold")
    assert read_predictions(table(*rows, columns=names), "by-fold").pooled() == pooled_means(FIRST)
    for wrong, reason in {
        (1.0, 2.0, ""): "row 25 has an outcome but no fold",
        (None, 2.0, 1): "row 25 has a fold but no outcome",
    }.items():
        with pytest.raises(InputError, match=reason):
            read_predictions(table(*rows, wrong, columns=names), "by-fold")
    one = [(*row[:2], "" if row[0] is None else 0) for row in rows]
    with pytest.raises(InputError, match="all in one fold"):
        read_predictions(table(*one, columns=names), "by-fold")
    with pytest.raises(InputError, match="needs a column fold"):
        read_predictions(table(*rows_of(FIRST)), "by-fold")
    with pytest.raises(InputError, match="has a column fold"):
        read_predictions(table(*rows, columns=names), "independent")


def test_predictions_made_with_the_same_people_are_refused():
    with pytest.raises(InputError, match="with the outcomes of the same people make every interval too short"):
        read_predictions(table(*rows_of(FIRST)), "same-people")


GROUP = ("outcome", "prediction", "cluster")
PERSON = ("outcome", "prediction", "person")
ARM = ("outcome", "prediction", "arm")
BOTH = ("outcome", "prediction", "arm", "person")
REFUSED = {
    "no outcomes": (("prediction",), [(1,)], None, "no column outcome"),
    "an outcome in words": (GROUP[:2], [("high", 1)], None, "row 1 has no finite number as its outcome"),
    "no prediction": (GROUP[:2], [(1, None)], None, "row 1 has no finite number as its prediction"),
    "an infinite prediction": (GROUP[:2], [(1, "inf")], None, "row 1 has no finite number as its prediction"),
    "few outcomes": (GROUP[:2], [(1, 2), (None, 1)], None, "1 outcome: an interval needs at least 6"),
    "no further predictions": (GROUP[:2], [(n, n) for n in range(6)], None, "0 predictions without an outcome"),
    "a mixed cluster": (GROUP, [(1, 2, "x"), (None, 2, "x")], None, "cluster 'x' has people with and without"),
    "a person twice": (PERSON, [(1, 2, "x"), (1, 2, "x")], None, "person 'x' has two rows; average them"),
    "arms without a direction": (ARM, [(1, 2, "x"), (1, 2, "y")], None, "has the arms x, y; name two"),
    "an unknown arm": (ARM, [(1, 2, "x"), (1, 2, "y")], ("x", "z"), "needs two of the arms x, y"),
    "half a pair": (BOTH, [(1, 2, "x", "p"), (1, 2, "y", "p"), (1, 2, "x", "q")], ("x", "y"), "1 of 2 people"),
    "a pair with one outcome": (BOTH, [(1, 2, "x", "p"), (None, 2, "y", "p")], ("x", "y"), "in one arm only"),
    "arms of no column": (GROUP[:2], [(1, 2)], ("x", "y"), "needs a column arm"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_pooled_is_refused_in_one_line(case):
    columns, rows, between, reason = REFUSED[case]
    with pytest.raises(InputError) as refused:
        read_predictions(table(*rows, columns=columns), "independent", between)
    text = spell_fields(str(refused.value), lambda name, value: name)
    assert reason in text
    assert "\n" not in text


@pytest.mark.slow
def test_the_thin_study_of_coverage_holds():
    for correlation in (-0.6, 0.0, 0.9):
        line, plain = study.of_means(10, 200, correlation, 300)
        assert line.low <= 0.95 <= line.high
        assert plain.rate < line.rate
    (by_fold,), (same,) = (list(study.STUDIES[place](200)) for place in (-3, -1))
    assert by_fold.low <= 0.95 <= by_fold.high
    assert same.high < 0.95
