"""Charts of the dynamics of shares: for two players the gradient of selection, and for three players the paths and rest
points of the replicator in a triangle."""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import altair as alt
import numpy as np
import polars as pl

from ostrom.charts.drawings import drawing
from ostrom.charts.palette import COLOURS, INK
from ostrom.charts.render import WIDTH, estimate_tooltips, layered, styled

_TRIANGLE_HEIGHT: Final = math.sqrt(3) / 2
_WIDTH: Final = 470
_HEIGHT: Final = round(_WIDTH * (_TRIANGLE_HEIGHT + 0.24) / 1.3)
_DOMAIN_X: Final = [-0.15, 1.15]
_DOMAIN_Y: Final = [-0.12, _TRIANGLE_HEIGHT + 0.12]
_INKS: Final = {"stable": INK, "unstable": "#ffffff", "saddle": "#b9bec6", "centre": "#ffffff", "undecided": "#b9bec6"}
STABILITY_TEXTS: Final = {
    "stable": "attracts",
    "unstable": "repels",
    "saddle": "attracts on one side and repels on another",
    "centre": "is circled",
    "undecided": "neither attracts nor repels at first order",
}


@drawing
def selection_gradient(frame: pl.DataFrame, names: tuple[str, str]) -> alt.LayerChart:
    """Draw the dynamics of two players. The table has the `share` of the first player, and `value`, `low`, `high` of
    the expected growth of this share."""
    rows = frame.sort("share")
    reach = float(np.nanmax(np.abs(rows.select("low", "high", "value").to_numpy().astype(np.float64)))) or 1.0
    domain = [-1.1 * reach, 1.1 * reach]
    x = alt.X(
        "share:Q",
        title=f"share of {names[0]}",
        scale=alt.Scale(domain=[0, 1]),
        axis=alt.Axis(format="~%", tickCount=10),
    )
    y = alt.Y(
        "value:Q",
        title=f"expected growth of {names[0]} in a step",
        scale=alt.Scale(domain=domain, nice=False),
        axis=alt.Axis(format="~g", tickCount=6),
    )
    base = alt.Chart(rows)
    tips = [alt.Tooltip("share:Q", format=".1%"), *estimate_tooltips("growth", ".4g")]
    layers = [
        alt.Chart(pl.DataFrame({"value": [0.0]})).mark_rule(opacity=0.6).encode(y=y),
        base.mark_area(opacity=0.16, color=COLOURS["Gemini"]).encode(
            x=x, y=alt.Y("low:Q", scale=alt.Scale(domain=domain)), y2="high"
        ),
        base.mark_line(strokeWidth=2.6, color=COLOURS["Gemini"]).encode(x=x, y=y, tooltip=tips),
    ]
    signs = _sign_changes(rows)
    flow = _between(signs, rows)
    if flow:
        heads = pl.DataFrame(flow)
        layers.append(
            alt.Chart(heads)
            .mark_point(shape="triangle", filled=True, size=130, color=INK, opacity=0.85)
            .encode(x=x, y=y, angle=alt.Angle("angle:Q", scale=None))
        )
    if signs:
        layers.append(
            alt.Chart(pl.DataFrame(signs))
            .mark_point(filled=True, size=110, stroke=INK, strokeWidth=1.6, opacity=1)
            .encode(
                x=x,
                y=y,
                fill=alt.Fill("ink:N", scale=None),
                tooltip=[alt.Tooltip("share:Q", format=".1%"), alt.Tooltip("kind:N")],
            )
        )
    return styled(
        layered(*layers, width=WIDTH, height=300),
        title=_gradient_title(signs, rows, names),
        subtitle="Above 0 the share grows, below it falls. Full dot: shares settle there; empty dot: they move away."
        + (" Band: 95% interval." if rows["low"].count() else ""),
    )


def _sign_changes(rows: pl.DataFrame) -> list[dict[str, float | str]]:
    """Return the interior shares at which the growth changes its sign, with the direction of each change."""
    shares, values = rows["share"].to_list(), rows["value"].to_list()
    changes: list[dict[str, float | str]] = []
    for k in range(1, len(shares) - 2):
        a, b = values[k], values[k + 1]
        if a * b < 0 or (a != 0 and b == 0 and k + 2 < len(values) - 1):
            at = shares[k] + (shares[k + 1] - shares[k]) * (a / (a - b))
            stable = a > 0
            changes.append(
                {
                    "share": at,
                    "value": 0.0,
                    "ink": INK if stable else "#ffffff",
                    "kind": "stable" if stable else "unstable",
                }
            )
    return changes


def _between(signs: Sequence[dict[str, float | str]], rows: pl.DataFrame) -> list[dict[str, float]]:
    """Return an arrow on the axis between every two rest points."""
    edges = [0.0, *(float(sign["share"]) for sign in signs), 1.0]
    shares, values = rows["share"].to_numpy(), rows["value"].to_numpy()
    arrows_drawn = []
    for low, high in pairwise(edges):
        middle = (low + high) / 2
        value = float(np.interp(middle, shares, values))
        if value != 0:
            arrows_drawn.append({"share": middle, "value": 0.0, "angle": 90.0 if value > 0 else -90.0})
    return arrows_drawn


def _gradient_title(signs: Sequence[dict[str, float | str]], rows: pl.DataFrame, names: tuple[str, str]) -> str:
    inside = rows["value"].to_numpy()[1:-1]
    if not len(inside) or np.allclose(inside, 0):
        return f"Nothing but chance moves the shares of {names[0]} and {names[1]}"
    if not signs:
        return f"{names[0] if inside.mean() > 0 else names[1]} grows whatever its share"
    if len(signs) == 1:
        at = f"{100 * float(signs[0]['share']):.0f}%"
        if signs[0]["kind"] == "stable":
            return f"{names[0]} and {names[1]} live side by side, at {at} {names[0]}"
        return f"{names[0]} wins from above {at} of the population, {names[1]} from below"
    return f"{names[0]} and {names[1]} are in balance at {len(signs)} shares"


def place(shares: Sequence[float]) -> tuple[float, float]:
    """Return the position of shares in the triangle. The first player's corner is at the top, the second's on the left,
    and the third's on the right."""
    return shares[2] + shares[0] / 2, shares[0] * _TRIANGLE_HEIGHT


@drawing
def simplex(flow: pl.DataFrame, rests: pl.DataFrame, names: Sequence[str]) -> alt.LayerChart:
    """Draw the triangle. The table of lines has `path`, `point`, `a`, `b` and `c`, in the order of time. The table of
    rest points has `a`, `b`, `c` and `stability`. Names are the labels of the three corners."""
    x = alt.X("x:Q", scale=alt.Scale(domain=_DOMAIN_X, nice=False), axis=None)
    y = alt.Y("y:Q", scale=alt.Scale(domain=_DOMAIN_Y, nice=False), axis=None)
    corners = [place(stability) for stability in ((1, 0, 0), (0, 1, 0), (0, 0, 1))]
    border = pl.DataFrame([{"x": a, "y": b, "order": number} for number, (a, b) in enumerate([*corners, corners[0]])])
    sides = alt.Chart(border).mark_line(color=INK, strokeWidth=1.4).encode(x=x, y=y, order="order:Q")
    lines = _placed(flow)
    paths = (
        alt.Chart(lines)
        .mark_line(color=COLOURS["Gemini"], strokeWidth=1.3, opacity=0.75)
        .encode(x=x, y=y, detail="path:N", order="point:Q")
    )
    tips = (
        alt.Chart(_heads(lines))
        .mark_point(shape="triangle", filled=True, size=46, color=COLOURS["Gemini"], opacity=1)
        .encode(x=x, y=y, angle=alt.Angle("angle:Q", scale=None))
    )
    points = _placed(rests).with_columns(
        pl.Series("ink", [_INKS[stability] for stability in rests["stability"]]),
        pl.Series("says", [STABILITY_TEXTS[stability] for stability in rests["stability"]]),
    )
    tooltips = [
        *(alt.Tooltip(f"{column}:Q", title=name, format=".2%") for column, name in zip("abc", names, strict=True)),
        alt.Tooltip("says:N", title="it"),
    ]
    dots = (
        alt.Chart(points)
        .mark_point(filled=True, size=120, stroke=INK, strokeWidth=1.8, opacity=1)
        .encode(x=x, y=y, fill=alt.Fill("ink:N", scale=None), tooltip=tooltips)
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
    return frame.with_columns(x=pl.col("c") + pl.col("a") / 2, y=pl.col("a") * _TRIANGLE_HEIGHT)


def _heads(lines: pl.DataFrame) -> pl.DataFrame:
    """Return an arrowhead in the middle of each line."""
    arrows = []
    for _, rows in lines.group_by("path", maintain_order=True):
        xs, ys = rows["x"].to_list(), rows["y"].to_list()
        k = len(xs) // 2
        if k + 1 < len(xs) and math.hypot(xs[-1] - xs[0], ys[-1] - ys[0]) > 0.02:
            angle = math.degrees(math.atan2(xs[k + 1] - xs[k - 1], ys[k + 1] - ys[k - 1]))
            arrows.append({"x": xs[k], "y": ys[k], "angle": angle})
    return pl.DataFrame(arrows, schema={"x": pl.Float64, "y": pl.Float64, "angle": pl.Float64})


def _title(rests: pl.DataFrame, names: Sequence[str]) -> str:
    stable = [row for row in rests.iter_rows(named=True) if row["stability"] == "stable"]
    inside = [row for row in rests.iter_rows(named=True) if min(row["a"], row["b"], row["c"]) > 0]
    if len(stable) == 1:
        return f"Shares settle at {_format_shares(stable[0], names)}"
    if stable:
        return f"Where shares settle depends on where they start: {len(stable)} points attract"
    if inside and inside[0]["stability"] == "centre":
        return f"Shares go round and round {_format_shares(inside[0], names)}"
    return "Shares settle nowhere for good"


def _format_shares(row: dict[str, float], names: Sequence[str]) -> str:
    shares = dict(zip(names, (row["a"], row["b"], row["c"]), strict=True))
    alone = next((name for name, value in shares.items() if value > 1 - 1e-9), None)
    return f"{alone} alone" if alone else ", ".join(f"{100 * v:.0f}% {name}" for name, v in shares.items() if v > 1e-9)
