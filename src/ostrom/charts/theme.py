"""The one style of every chart: type, sizes and inks. Nothing in it is fetched from anywhere."""

from typing import Any, Final, TypeVar

import altair as alt

FONT: Final = "'Liberation Sans', Arial, Helvetica, sans-serif"
"""The renderer of SVG and PNG carries Liberation Sans, so pictures are the same on every machine; Arial and Helvetica,
which browsers have, are as wide letter by letter."""

WIDTH: Final = 640
STEP: Final = 21
"""The height of a row in bars and strips: a line of text with air around it."""
LINES_HEIGHT: Final = 430
"""Room for the end labels of some 30 lines."""

INK: Final = "#23272e"
SOFT: Final = "#5b6470"
PAPER: Final = "#ffffff"
GRID: Final = "rgba(128, 134, 145, 0.22)"
"""Half transparent, so that one grid serves light and dark paper."""

_Chart = TypeVar("_Chart", alt.Chart, alt.LayerChart, alt.HConcatChart, alt.VConcatChart)


def config(*, ink: str = INK, soft: str = SOFT, paper: str | None = PAPER) -> dict[str, Any]:
    """The style as a Vega-Lite configuration. The report's page passes `currentColor` for both inks and no paper, and
    so follows the reader's light or dark mode, and the printer's."""
    return {
        "background": paper,
        "font": FONT,
        # Wider at the sides, where names stand that another font may set wider.
        "padding": {"left": 24, "top": 14, "bottom": 14, "right": 26},
        "title": {
            "anchor": "start",
            "frame": "bounds",
            "color": ink,
            "fontSize": 15,
            "fontWeight": 600,
            "lineHeight": 19,
            "subtitleColor": soft,
            "subtitleFontSize": 11.5,
            "subtitleLineHeight": 15,
            "subtitlePadding": 5,
            "offset": 12,
        },
        "view": {"stroke": None},
        "axis": {
            "labelColor": ink,
            "labelFontSize": 11,
            "labelLimit": 230,
            "titleColor": soft,
            "titleFontSize": 11,
            "titleFontWeight": "normal",
            "titlePadding": 8,
            "gridColor": GRID,
            "domain": False,
            "ticks": False,
            "labelPadding": 6,
        },
        "axisX": {"labelFlush": False, "labelOverlap": True},
        "axisY": {
            "titleAlign": "left",
            "titleAngle": 0,
            "titleAnchor": "start",
            "titleBaseline": "bottom",
            "titleY": -7,
        },
        "legend": {
            "labelColor": ink,
            "labelFontSize": 11,
            "orient": "bottom",
            "direction": "horizontal",
            "symbolType": "square",
            "symbolSize": 90,
            "symbolStrokeWidth": 0,
            "symbolOpacity": 1,
            "columnPadding": 14,
            "offset": 10,
            "title": None,
        },
        "text": {"color": ink, "fontSize": 11},
        "rule": {"color": ink},
        "tick": {"color": ink},
    }


def layered(*layers: alt.Chart) -> alt.LayerChart:
    """Charts on top of each other."""
    made = alt.layer(*layers)
    assert isinstance(made, alt.LayerChart)
    return made


def styled(chart: _Chart, *, title: str, subtitle: str = "") -> _Chart:
    """The chart in the common style, under a title that says what to see."""
    heading = alt.TitleParams(text=wrapped(title, 80), subtitle=wrapped(subtitle, 116)) if title else alt.Undefined
    made: _Chart = chart.properties(title=heading).configure(**config())
    return made


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most so many characters, of like length; Vega breaks none by itself, and would let a long title run
    out of the picture."""
    lines = _filled(text, width)
    # Narrower for as long as it takes no further line: no word stands alone on the last.
    while width > 1 and len(narrower := _filled(text, width - 1)) == len(lines):
        lines, width = narrower, width - 1
    return lines


def _filled(text: str, width: int) -> list[str]:
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines or [""]
