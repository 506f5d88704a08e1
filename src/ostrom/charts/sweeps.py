"""Charts of a sweep: a line over one factor, a heat map and a phase diagram over two factors, dots over a random
design, and the importance of each factor. Each chart draws a plain table."""

from typing import Any, Final

import altair as alt
import polars as pl

from ostrom.charts.drawings import Side, drawing
from ostrom.charts.forms import SHADES
from ostrom.charts.palette import INK, PAPER
from ostrom.charts.render import STEP, WIDTH, estimate_tooltips, layered, styled
from ostrom.charts.words import Unit, figures

HEIGHT: Final = 400
_TINT: Final = "#2f7f93"
_SIDES: Final = {"above": "#2f7f93", "probably above": "#b3d3d6", "probably below": "#f4e3c8", "below": "#e0b36c"}
_KINDS: Final = {"by itself": "#1b3f6b", "with its interactions": "#6fae8e"}
_SEAM: Final = 0.04
_LINES: Final = "Pale: the 95% interval of the point holds it; dashed: where the ends of the intervals cross it."


def _fields(frame: pl.DataFrame, across: Side, up: Side, **encodings: Any) -> alt.Chart:
    """Return a chart with a cell for each point. Numeric factors have a numeric scale, so that lines can be drawn over
    the cells."""
    rows = frame
    spans: dict[str, Any] = {}
    for letter, side, kind in (("x", across, alt.X), ("y", up, alt.Y)):
        if side.numeric:
            edges = side.edges().rename({"from": f"{letter}_from", "to": f"{letter}_to"})
            last = float(edges[f"{letter}_to"][-1])
            # Cells overlap slightly, so that there is no gap between them.
            reach = pl.col(f"{letter}_to") - pl.col(f"{letter}_from")
            edges = edges.with_columns((pl.col(f"{letter}_to") + _SEAM * reach).clip(upper_bound=last))
            rows = rows.with_columns(pl.col(side.name).cast(pl.Float64)).join(edges, on=side.name, how="left")
            within = [float(edges[f"{letter}_from"][0]), last]
            spans[letter] = kind(
                f"{letter}_from:Q",
                title=side.title,
                scale=alt.Scale(domain=within, nice=False, zero=False),
                axis=alt.Axis(grid=False, values=side.ticks(), format=".4~g"),
            )
            spans[f"{letter}2"] = (alt.X2 if letter == "x" else alt.Y2)(f"{letter}_to")
        else:
            words = [_format_value(value) for value in side.values]
            rows = rows.with_columns(pl.Series(f"{letter}_word", [_format_value(value) for value in rows[side.name]]))
            spans[letter] = kind(
                f"{letter}_word:N",
                title=side.title,
                sort=None,
                scale=alt.Scale(domain=words if letter == "x" else words[::-1]),
                axis=alt.Axis(grid=False, labelAngle=0),
            )
    layers: alt.Chart = alt.Chart(rows).mark_rect().encode(**spans, **encodings)
    return layers


def _format_value(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _point_tooltips(across: Side, up: Side, name: str, unit: Unit) -> list[alt.Tooltip]:
    factors = [alt.Tooltip(f"{side.name}:{'Q' if side.numeric else 'N'}", title=side.title) for side in (across, up)]
    return [alt.Tooltip("point:Q"), *factors, *estimate_tooltips(name, unit.precise)]


@drawing
def heat_map(
    frame: pl.DataFrame,
    across: Side,
    up: Side,
    *,
    measure: str,
    boundary: pl.DataFrame | None = None,
    subtitle: str = "",
) -> alt.LayerChart:
    """Draw the values of a table as cells, and the line of `boundary`. The table has the two factors, `point`, `value`,
    `low` and `high`. Higher values are darker."""
    rows = frame.drop_nulls("value")
    unit = figures(rows, measure, mean=True)
    low, high = float(rows["value"].min()), float(rows["value"].max())  # type: ignore[arg-type]
    reach = (high - low) or 1.0
    steps = [low + place * reach for place in SHADES]
    shades = alt.Color(
        "value:Q",
        scale=alt.Scale(domain=steps, range=list(SHADES.values()), clamp=True),
        legend=alt.Legend(
            title=measure,
            titleFontWeight="normal",
            type="gradient",
            gradientLength=260,
            gradientThickness=11,
            format=unit.axis,
        ),
    )
    tooltip = _point_tooltips(across, up, measure, unit)
    layers = [_fields(rows, across, up, color=shades, tooltip=tooltip)]
    if boundary is not None and len(boundary):
        layers += _boundary(boundary, across, up)
    top, bottom = (rows.sort("value", maintain_order=True)[place] for place in (-1, 0))
    title = f"{_capital(measure)}: highest {_where(top, unit, across, up)}, lowest {_where(bottom, unit, across, up)}"
    if low == high:
        title = f"{_capital(measure)} is {unit.say(low)} everywhere"
    return styled(layered(*layers, width=WIDTH - 120, height=HEIGHT), title=title, subtitle=subtitle)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _where(row: pl.DataFrame, unit: Unit, *sides: Side) -> str:
    places = " and ".join(f"{side.title} {_format_value(row[side.name][0])}" for side in sides)
    return f"at {places} ({unit.say(row['value'][0])})"


def _boundary(boundary: pl.DataFrame, across: Side, up: Side) -> list[alt.Chart]:
    """Return the marks of a boundary. For two numeric factors (columns `kind`, `x`, `y`, `x2`, `y2`), the marks are the
    segments of the boundary. The ends of its interval are dashed. For a categorical factor (columns `at`, `low`,
    `high`), the marks are a line for each value of the factor. Its length is that of the interval."""
    if "kind" not in boundary.columns:
        edges = across.edges()
        data = boundary.with_columns(
            pl.Series("y_word", [_format_value(value) for value in boundary[up.name]]),
            pl.col("low").fill_null(edges["from"][0]),
            pl.col("high").fill_null(edges["to"][-1]),
        )
        base = alt.Chart(data).encode(y=alt.Y("y_word:N", sort=None))
        reach = base.mark_rule(strokeWidth=2, color=INK).encode(x=alt.X("low:Q", title=across.title), x2="high:Q")
        return [reach, base.mark_tick(thickness=3, size=26, color=INK).encode(x=alt.X("at:Q", title=across.title))]
    layers = []
    for mean, colour, width, dash in (
        (False, INK, 0.9, [3, 2]),
        (True, PAPER, 4.6, [1, 0]),
        (True, INK, 2.0, [1, 0]),
    ):
        rows = boundary.filter((pl.col("kind") == "value") == mean)
        mark = alt.Chart(rows).mark_rule(color=colour, strokeWidth=width, strokeDash=dash, strokeCap="round")
        x, y = alt.X("x:Q", title=across.title), alt.Y("y:Q", title=up.title)
        layers.append(mark.encode(x=x, x2=alt.X2("x2"), y=y, y2=alt.Y2("y2")))
    return layers


@drawing
def phase_diagram(
    sides: pl.DataFrame,
    across: Side,
    up: Side,
    *,
    condition: str,
    boundary: pl.DataFrame,
    crossings: pl.DataFrame,
    subtitle: str = "",
) -> alt.LayerChart:
    """Draw two phases and the boundary between them. The table has the factors, `value` (the measure minus the level)
    and `side`. Cells whose interval includes the level are pale. The title names the `crossings`."""
    above = pl.col("value") > 0
    unsure = pl.when(above).then(pl.lit("probably above")).otherwise(pl.lit("probably below"))
    rows = sides.drop_nulls("value").with_columns(
        phase=pl.when(pl.col("side") == "unsure").then(unsure).otherwise("side")
    )
    colour = alt.Color(
        "phase:N", scale=alt.Scale(domain=list(_SIDES), range=list(_SIDES.values())), legend=alt.Legend()
    )
    tooltip = _point_tooltips(across, up, "above by", Unit("", decimals=3))
    layers = [_fields(rows, across, up, color=colour, tooltip=tooltip)]
    if len(boundary):
        layers += _boundary(boundary, across, up)
    chart = layered(*layers, width=WIDTH - 120, height=HEIGHT)
    title = boundary_title(crossings, across, condition, up)
    return styled(chart, title=title, subtitle=f"{subtitle} {_LINES}".strip())


def boundary_title(boundary: pl.DataFrame, across: Side, condition: str, up: Side | None = None) -> str:
    """Return the position of a boundary as text."""
    if not len(boundary):
        return f"{_capital(condition)} is crossed nowhere"
    ends = boundary.sort("at", maintain_order=True)
    first, last = ends[0], ends[-1]
    text = f"{_capital(condition)} is crossed at {across.title} {first['at'][0]:.3g}"
    if up is None:
        interval_text = "" if first["low"][0] is None or first["high"][0] is None else _interval(first)
        return text + interval_text if len(boundary) == 1 else f"{text} and {len(boundary) - 1} times more"
    if len(boundary) == 1:
        return f"{text}, {up.title} {_format_value(first[up.name][0])}"
    first_value, last_value = (_format_value(end[up.name][0]) for end in (first, last))
    return f"{text} ({up.title} {first_value}) to {last['at'][0]:.3g} ({up.title} {last_value})"


def _interval(row: pl.DataFrame) -> str:
    return f" (95% interval {row['low'][0]:.3g} to {row['high'][0]:.3g})"


@drawing
def factor_line(
    frame: pl.DataFrame,
    across: Side,
    *,
    measure: str,
    level: float | None = None,
    boundary: pl.DataFrame | None = None,
    condition: str = "",
    subtitle: str = "",
) -> alt.LayerChart:
    """Draw a line with its interval over one factor. The table has the factor, `value`, `low` and `high`. A mark shows
    the point at which the line crosses `level`, and is as wide as the interval of this point."""
    rows = frame.drop_nulls("value").with_columns(
        pl.col("low").fill_null(pl.col("value")), pl.col("high").fill_null(pl.col("value"))
    )
    unit = figures(rows, measure, mean=True)
    if across.numeric:
        rows = rows.with_columns(place=pl.col(across.name).cast(pl.Float64))
        axis = alt.Axis(grid=False, values=across.ticks(), format=".4~g")
        x = alt.X("place:Q", title=across.title, axis=axis, scale=alt.Scale(zero=False, nice=False))
    else:
        rows = rows.with_columns(pl.Series("place", [_format_value(value) for value in rows[across.name]]))
        words = [_format_value(value) for value in across.values]
        x = alt.X("place:N", title=across.title, sort=None, scale=alt.Scale(domain=words), axis=alt.Axis(labelAngle=0))
    y = alt.Y("value:Q", title=measure, scale=alt.Scale(zero=unit.share), axis=alt.Axis(tickCount=6, format=unit.axis))
    base = alt.Chart(rows).encode(x=x)
    tooltip = [alt.Tooltip("point:Q"), *estimate_tooltips(measure, unit.precise)]
    dots = base.mark_circle(size=34, color=_TINT, opacity=1).encode(y=y, tooltip=tooltip)
    reach: dict[str, Any] = {"y": alt.Y("low:Q", title=measure), "y2": alt.Y2("high:Q")}
    layers = [base.mark_rule(color=_TINT, strokeWidth=2).encode(**reach), dots]
    if across.numeric:
        band = base.mark_area(color=_TINT, opacity=0.2).encode(**reach)
        layers = [band, base.mark_line(color=_TINT, strokeWidth=2.4).encode(y=y), dots]
    layers += _crossed(across, level, boundary)
    top, bottom = (rows.sort("value", maintain_order=True)[place] for place in (-1, 0))
    title = f"{_capital(measure)}: highest {_where(top, unit, across)}, lowest {_where(bottom, unit, across)}"
    if boundary is not None and condition:
        title = boundary_title(boundary, across, condition)
    return styled(layered(*layers, width=WIDTH, height=320), title=title, subtitle=subtitle)


def _crossed(across: Side, level: float | None, boundary: pl.DataFrame | None) -> list[alt.Chart]:
    if level is None or boundary is None or not len(boundary) or not across.numeric:
        return []
    rows = boundary.with_columns(
        pl.col("low", "high").fill_null(pl.col("at")), level=pl.lit(level), words=pl.col("at").round(3).cast(pl.String)
    )
    base = alt.Chart(rows).encode(y=alt.Y("level:Q"))
    line = alt.Chart(rows[:1]).mark_rule(strokeDash=[4, 3], opacity=0.6).encode(y=alt.Y("level:Q"))
    reach = base.mark_rule(strokeWidth=4, color=INK).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    dot = base.mark_circle(size=70, color=INK, opacity=1).encode(x=alt.X("at:Q"))
    words = base.mark_text(align="left", dx=9, dy=-10, fontWeight=600).encode(x=alt.X("at:Q"), text="words:N")
    return [line, reach, dot, words]


@drawing
def dots_over(frame: pl.DataFrame, across: Side, *, measure: str, subtitle: str = "") -> alt.LayerChart:
    """Draw every point of a random design over one of its factors."""
    rows = frame.drop_nulls("value")
    unit = figures(rows, measure, mean=True)
    kind = "Q" if across.numeric else "N"
    data = (
        rows
        if across.numeric
        else rows.with_columns(pl.Series(across.name, [_format_value(v) for v in rows[across.name]]))
    )
    base = alt.Chart(data).encode(
        x=alt.X(f"{across.name}:{kind}", title=across.title, scale=alt.Scale(zero=False), axis=alt.Axis(grid=False)),
        y=alt.Y(
            "value:Q", title=measure, scale=alt.Scale(zero=unit.share), axis=alt.Axis(tickCount=6, format=unit.axis)
        ),
    )
    dot = base.mark_circle(size=30, color=_TINT, opacity=0.55).encode(
        tooltip=[alt.Tooltip("point:Q"), *estimate_tooltips(measure, unit.precise)]
    )
    title = f"{_capital(measure)} over {across.title}, all other factors as they were drawn"
    return styled(layered(dot, width=WIDTH, height=320), title=title, subtitle=subtitle)


@drawing
def index_bars(indices: pl.DataFrame, *, measure: str, subtitle: str = "") -> alt.LayerChart:
    """Draw Sobol indices. There are two bars for each factor, and below them the interactions of pairs of factors. The
    table has `factor`, `kind`, `value`, `low` and `high`."""
    parts = {"first": "by itself", "total": "with its interactions", "interaction": "with its interactions"}
    rows = indices.with_columns(
        pl.col("kind").replace_strict(parts).alias("part"),
        pl.col("low").fill_null(pl.col("value")),
        pl.col("high").fill_null(pl.col("value")),
    )
    rows = rows.with_columns(
        figure=pl.Series([f"{100 * value:.0f}%" for value in rows["value"]], dtype=pl.String),
        edge=pl.max_horizontal("value", "high", pl.lit(0.0)),
    )
    factors = list(dict.fromkeys(rows["factor"]))
    height = alt.Step(STEP)
    base = alt.Chart(rows).encode(
        y=alt.Y("factor:N", title=None, sort=None, scale=alt.Scale(domain=factors), axis=alt.Axis(grid=False)),
        yOffset=alt.YOffset("part:N", scale=alt.Scale(domain=list(_KINDS))),
    )
    x = alt.X("value:Q", title="share of the variance over points", axis=alt.Axis(format="~%", tickCount=6))
    bar = base.mark_bar().encode(
        x=x,
        color=alt.Color(
            "part:N", scale=alt.Scale(domain=list(_KINDS), range=list(_KINDS.values())), legend=alt.Legend()
        ),
        tooltip=[alt.Tooltip("factor:N"), alt.Tooltip("kind:N"), *estimate_tooltips("share", ".1%")],
    )
    reach = base.mark_rule(strokeWidth=1.4, opacity=0.75).encode(x=alt.X("low:Q"), x2=alt.X2("high:Q"))
    words = base.mark_text(align="left", dx=6).encode(x=alt.X("edge:Q"), text=alt.Text("figure:N"))
    totals = rows.filter(pl.col("kind") == "total").sort("value", descending=True, maintain_order=True)
    title = f"{_capital(measure)} depends most on {totals['factor'][0]}" if len(totals) > 1 else _capital(measure)
    chart = layered(bar, reach, words, width=WIDTH - 160, height=height)
    return styled(chart, title=title, subtitle=f"Sobol indices. Lines: 95% intervals. {subtitle}".strip())
