"""Figures in cells of a colour scale. A figure is white or dark, whichever has more contrast to its cell."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any, Final

import altair as alt

from ostrom.charts.palette import INK

GROUND: Final = "#fbfaf7"
"""The ground of half-transparent cells. Without it, they would be dark on dark paper, and so would their figures."""
WHITE: Final = "#ffffff"
IS_DARK: Final = "dark"
"""The column that says which cells have white figures."""

_Channels = tuple[float, float, float]


def dark_cells(
    values: Iterable[float], shades: Mapping[float, str], opacities: Iterable[float] | None = None
) -> list[bool]:
    """Return for each value whether a white figure has more contrast to its cell than a dark one. `shades` has the
    colours of the scale by value, in ascending order. A half-transparent cell is mixed with the ground."""
    ground = _channels(GROUND)
    cells = []
    for value, opacity in zip(values, repeat(1.0) if opacities is None else opacities, strict=opacities is not None):
        cell = _between(ground, _shade_at(value, shades), opacity)
        cells.append(contrast(cell, _channels(WHITE)) > contrast(cell, _channels(INK)))
    return cells


def contrast(one: _Channels, other: _Channels) -> float:
    """Return the contrast of two colours as WCAG 2 defines it, between 1 and 21."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def cell_figures(base: alt.Chart, column: str, **encodings: Any) -> list[alt.Chart]:
    """Return two layers with the figures of cells: the white ones and the dark ones. The table of `base` has the column
    `IS_DARK`."""
    return [
        base.transform_filter(alt.datum[IS_DARK] == dark)
        .mark_text(color=WHITE if dark else INK, fontSize=10)
        .encode(text=alt.Text(f"{column}:N"), **encodings)
        for dark in (True, False)
    ]


def _shade_at(value: float, shades: Mapping[float, str]) -> _Channels:
    """Return the colour of a value, between the colours of its neighbours on the scale."""
    steps: Sequence[float] = list(shades)
    place = bisect_right(steps, value)
    if place in (0, len(steps)):
        return _channels(shades[steps[0 if place == 0 else -1]])
    low, high = steps[place - 1], steps[place]
    return _between(_channels(shades[low]), _channels(shades[high]), (value - low) / (high - low))


def _between(one: _Channels, other: _Channels, part: float) -> _Channels:
    red, green, blue = (start + (end - start) * part for start, end in zip(one, other, strict=True))
    return red, green, blue


def _channels(colour: str) -> _Channels:
    red, green, blue = (int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5))
    return red, green, blue


def _luminance(colour: _Channels) -> float:
    """Return the relative luminance as WCAG 2 defines it."""
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
