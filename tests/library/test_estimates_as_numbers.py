"""An estimate behaves as its value, and unpacks into columns."""

import pandas as pd
import polars as pl
import pytest

from ostrom import Estimate, InputError
from ostrom.core.listing import frame_of

HALF = Estimate(0.5, 0.25, 0.75)
NONE = Estimate(None, reason="fewer than 2 games")


def test_it_is_a_number() -> None:
    assert float(HALF) == 0.5
    assert f"{HALF:.1%}" == "50.0%"
    assert f"{HALF}" == str(HALF) == "0.5 (0.25 to 0.75)"
    assert max([HALF, Estimate(0.75)], key=float).value == 0.75


def test_it_compares_by_its_value_with_numbers_and_with_others() -> None:
    assert 0.4 < HALF < 0.6
    assert HALF == 0.5
    assert HALF != 0.6
    assert Estimate(0.5, 0, 1) <= HALF
    assert sorted([Estimate(3.0), Estimate(1.0)])[0] == 1
    assert Estimate(0.5, 0, 1) != HALF, "two estimates are the same where their intervals are"
    assert hash(HALF) == hash(0.5)
    with pytest.raises(TypeError):
        _ = HALF < "a"


def test_without_a_value_it_is_no_number_and_says_why() -> None:
    with pytest.raises(InputError, match="fewer than 2 games"):
        float(NONE)
    assert f"{NONE:.2f}" == "–"
    assert not NONE < 1
    assert not NONE >= 0
    assert NONE != 0
    assert Estimate(None, reason="fewer than 2 games") == NONE


def test_it_unpacks_into_columns() -> None:
    value, low, high = HALF
    assert (value, low, high) == (0.5, 0.25, 0.75)
    assert pl.DataFrame([HALF, NONE]).columns == ["value", "low", "high", "reason", "code"]
    assert pd.DataFrame([HALF, NONE], columns=["value", "low", "high"])["high"][0] == 0.75
    frame = frame_of([{"player": "A", "wins": HALF, "mean": NONE}])
    assert frame.columns == ["player", "wins", "wins_low", "wins_high", "mean", "mean_low", "mean_high"]
    assert frame.schema["mean_low"] == pl.Float64
