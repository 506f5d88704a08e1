"""Figures in cells of a colour scale can be read."""

from typing import Any

import numpy as np
import polars as pl
import pytest
from test_chart_inks import contrast

from ostrom.charts.cells import GROUND, WHITE, dark_cells
from ostrom.charts.families import Cast
from ostrom.charts.forms import BAND, SHADES, SingleLine
from ostrom.charts.matrix import BALANCED
from ostrom.charts.palette import INK
from ostrom.charts.plain import player_cells
from ostrom.charts.words import share

LEAST = 3.8
"""Where both inks have equal contrast to a cell, it is 3.87; everywhere else the better one has more."""


def mixed(one: str, other: str, part: float) -> str:
    """The colour between two colours."""
    pairs = zip(*([int(colour[at : at + 2], 16) for at in (1, 3, 5)] for colour in (one, other)), strict=True)
    return "#" + "".join(f"{round(start + (end - start) * part):02x}" for start, end in pairs)


@pytest.mark.parametrize("opacity", [1.0, 0.4])
@pytest.mark.parametrize("shades", [SHADES, BALANCED], ids=["one way", "balanced"])
def test_figures_have_contrast_to_their_cells(shades: dict[float, str], opacity: float) -> None:
    values = np.linspace(0, 1, 201)
    steps, colours = list(shades), list(shades.values())
    for value, dark in zip(values, dark_cells(values, shades, [opacity] * len(values)), strict=True):
        place = min(int(value * 4), 3)
        shade = mixed(colours[place], colours[place + 1], (value - steps[place]) * 4)
        assert contrast(WHITE if dark else INK, mixed(GROUND, shade, opacity)) > LEAST, value


def test_a_pale_cell_has_dark_figures_whatever_its_value() -> None:
    assert dark_cells([0.0, 1.0], SHADES) == [False, True]
    assert dark_cells([0.0, 1.0], SHADES, [0.4, 0.4]) == [False, False]
    frame = pl.DataFrame(
        {
            "player": ["a", "a", "b", "b"],
            "group": ["x", "y"] * 2,
            "value": [0.0, 1.0, 1.0, 0.5],
            "low": [None, None, 0.9, None],
            "high": [None, None, 1.0, None],
            "n": [3, 3, 30, 3],
        }
    )
    means = pl.DataFrame({"player": ["b", "a"], "value": [0.75, 0.5]})
    spec = player_cells(frame, means, Cast.of(["a", "b"]), unit=share("given", 0)).to_dict()
    rows: list[dict[str, Any]] = next(iter(spec["datasets"].values()))
    assert [row["dark"] for row in rows] == [False, False, True, False]
    assert spec["layer"][0]["mark"]["color"] == GROUND


@pytest.mark.parametrize("known", [True, False])
def test_a_line_speaks_of_its_band_only_if_it_has_one(known: bool) -> None:
    ends = [0.4, 0.5] if known else [None, None]
    frame = pl.DataFrame({"round": [1, 2], "value": [0.5, 0.6], "low": ends, "high": ends, "n": [5, 5]})
    frame = frame.with_columns(pl.col("low", "high").cast(pl.Float64))
    line = SingleLine("a", "A", share("given"), "A", f"Of all. {BAND}", "#6387ff")
    subtitle = " ".join(line.draw(frame, Cast.of([])).to_dict()["title"]["subtitle"])
    assert (BAND in subtitle, "Too few games for intervals." in subtitle) == (known, not known)
