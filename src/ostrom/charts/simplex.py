"""Three players as a triangle: a corner for each kind, lines along which the replicator moves shares, and its rest
points."""

import math
from collections.abc import Sequence
from typing import Final

import altair as alt
import polars as pl

from ostrom.charts.render import INK, styled
from ostrom.charts.together import layered

_HIGH: Final = math.sqrt(3) / 2
_WIDTH: Final = 470
_HEIGHT: Final = round(_WIDTH * (_HIGH + 0.24) / 1.3)
_DOMAIN_X: Final = [-0.15, 1.15]
_DOMAIN_Y: Final = [-0.12, _HIGH + 0.12]
_INKS: Final = {"stable": INK, "unstable": "#ffffff", "saddle": "#b9bec6", "centre": "#ffffff", "undecided": "#b9bec6"}
SAYS: Final = {
    "stable": "attracts",
    "unstable": "repels",
    "saddle": "attracts on one side and repels on another",
    "centre": "is circled",
    "undecided": "neither attracts nor repels at first order",
}


def place(shares: Sequence[float]) -> tuple[float, float]:
    """Return the position of shares: the first player's corner at the top, the second's left, the third's right."""
    return shares[2] + shares[0] / 2, shares[0] * _HIGH


def simplex(flow: pl.DataFrame, rests: pl.DataFrame, names: Sequence[str]) -> alt.LayerChart:
    """Draw the triangle. Tables: `path`, `point`, `a`, `b`, `c` of the lines, in the order of time; `a`, `b`, `c` and
    `stability` of the rest points. Names are the labels of the three corners."""
    x = alt.X("x:Q", scale=alt.Scale(domain=_DOMAIN_X, nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=_DOMAIN_Y, nice=False), axis=None)
    corners = [place(one) for one in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    border = pl.DataFrame([{"x": a, "y": b, "order": number} for number, (a, b) in enumerate([*corners, corners[0]])])
    sides = alt.Chart(border).mark_line(color=INK, strokeWidth=1.4).encode(x=x, y=y, order="order:Q")
    lines = _placed(flow)
    paths = (
        alt.Chart(lines)
        .mark_line(color="#0072b2", strokeWidth=1.3, opacity=0.75)
        .encode(x=x, y=y, detail="path:N", order="point:Q")
    )
    tips = (
        alt.Chart(_heads(lines))
        .mark_point(shape="triangle", filled=True, size=46, color="#0072b2", opacity=1)
        .encode(x=x, y=y, angle=alt.Angle("angle:Q", scale=None))
    )
    points = _placed(rests).with_columns(
        pl.Series("ink", [_INKS[one] for one in rests["stability"]]),
        pl.Series("says", [SAYS[one] for one in rests["stability"]]),
    )
    title = [
        *(alt.Tooltip(f"{column}:Q", title=name, format=".2%") for column, name in zip("abc", names, strict=True)),
        alt.Tooltip("says:N", title="it"),
    ]
    dots = (
        alt.Chart(points)
        .mark_point(filled=True, size=120, stroke=INK, strokeWidth=1.8, opacity=1)
        .encode(x=x, y=y, fill=alt.Fill("ink:N", scale=None), tooltip=title)
    )
    labels = [
        alt.Chart(pl.DataFrame({"x": [a], "y": [b], "name": [name]}))
        .mark_text(align=align, baseline=baseline, dx=dx, dy=dy, fontSize=13, fontWeight=600)
        .encode(x=x, y=y, text="name:N")
        for (a, b), name, align, baseline, dx, dy in zip(
            corners, names, ("center", "right", "left"), ("bottom", "top", "top"), (0, -6, 6), (-12, 8, 8), strict=True
        )
    ]
    return styled(
        layered(sides, paths, tips, dots, *labels, width=_WIDTH, height=_HEIGHT),
        title=_title(rests, names),
        subtitle="Lines: the replicator’s paths. Black dot: shares settle there; grey: some paths lead there, others "
        "away. Empty: all lead away, or around it.",
    )


def _placed(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(x=pl.col("c") + pl.col("a") / 2, y=pl.col("a") * _HIGH)


def _heads(lines: pl.DataFrame) -> pl.DataFrame:
    """Return an arrow in the middle of each line."""
    chart = []
    for _, rows in lines.group_by("path", maintain_order=True):
        xs, ys = rows["x"].to_list(), rows["y"].to_list()
        k = len(xs) // 2
        if k + 1 < len(xs) and math.hypot(xs[-1] - xs[0], ys[-1] - ys[0]) > 0.02:
            angle = math.degrees(math.atan2(xs[k + 1] - xs[k - 1], ys[k + 1] - ys[k - 1]))
            chart.append({"x": xs[k], "y": ys[k], "angle": angle})
    return pl.DataFrame(chart, schema={"x": pl.Float64, "y": pl.Float64, "angle": pl.Float64})


def _title(rests: pl.DataFrame, names: Sequence[str]) -> str:
    stable = [row for row in rests.iter_rows(named=True) if row["stability"] == "stable"]
    inside = [row for row in rests.iter_rows(named=True) if min(row["a"], row["b"], row["c"]) > 0]
    if len(stable) == 1:
        return f"Shares settle at {_said(stable[0], names)}"
    if stable:
        return f"Where shares settle depends on where they start: {len(stable)} points attract"
    if inside and inside[0]["stability"] == "centre":
        return f"Shares go round and round {_said(inside[0], names)}"
    return "Shares settle nowhere for good"


def _said(row: dict[str, float], names: Sequence[str]) -> str:
    shares = dict(zip(names, (row["a"], row["b"], row["c"]), strict=True))
    alone = next((name for name, value in shares.items() if value > 1 - 1e-9), None)
    return f"{alone} alone" if alone else ", ".join(f"{100 * v:.0f}% {name}" for name, v in shares.items() if v > 1e-9)
