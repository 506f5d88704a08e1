"""One line over many turns, with its interval; and which turns of games of different lengths can be drawn at all."""

import altair as alt
import polars as pl

from ostrom.charts.lines import value_axis, with_band
from ostrom.charts.theme import WIDTH, layered
from ostrom.charts.words import Unit


def commonly_reached(frame: pl.DataFrame) -> pl.DataFrame:
    """The turns of a table with `turn` and `n` that at least half of the games reached, counted for each player where
    there is a row for each: beyond them a figure speaks of the few games that happened to last. The table itself holds
    all turns."""
    reached = frame.group_by("turn").agg(pl.col("n").sum()).sort("turn")
    kept = reached.filter(pl.col("n") * 2 >= reached["n"].max())
    return frame.join(kept.select("turn"), on="turn", how="semi", maintain_order="left")


def last_turn(frame: pl.DataFrame) -> int:
    """The last turn of a table."""
    return max(int(turn) for turn in frame["turn"])


def long_line(frame: pl.DataFrame, *, unit: Unit, tint: str) -> alt.LayerChart:
    """A single line of a table with `turn`, `value`, `low` and `high`; its first, last, lowest and highest figures are
    written out."""
    rows = frame.sort("turn")
    told = _told(rows)
    shown = rows.with_columns(
        pl.Series(
            "words",
            [unit.say(value) if turn in told else "" for turn, value in rows.select("turn", "value").iter_rows()],
            dtype=pl.String,
        ),
        trough=(pl.col("value") < pl.col("value").shift(1)).fill_null(False)
        & (pl.col("value") < pl.col("value").shift(-1)).fill_null(False),
    )
    values = pl.concat([rows["low"], rows["high"], rows["value"]]).drop_nulls()
    low, high = float(values.min()), float(values.max())  # type: ignore[arg-type]
    air = (high - low) * 0.12 or max(abs(high), 1.0) * 0.1
    # The clock runs from just before the first turn to just after the last, so that no figure is cut.
    first, last = float(rows["turn"].min()), float(rows["turn"].max())  # type: ignore[arg-type]
    side = max((last - first) * 0.03, 0.5)
    x = alt.X(
        "turn:Q",
        title="turn",
        scale=alt.Scale(domain=[first - side, last + side], nice=False),
        axis=alt.Axis(grid=False, format="d", tickMinStep=1, tickCount=12),
    )
    y = value_axis(unit, low - air, high + air)
    base = alt.Chart(shown).encode(x=x)
    games = alt.Tooltip("n:Q", title="games")
    drawn = with_band(base, y, unit=unit, tint=tint, dot=40, clock=alt.Tooltip("turn:Q"), more=[games])
    # In a trough the figure stands under its point, elsewhere over it, and so clear of the line.
    words = [
        base.transform_filter(alt.datum.trough == trough)
        .mark_text(baseline="top" if trough else "bottom", dy=9 if trough else -8)
        .encode(y=y, text="words:N")
        for trough in (True, False)
    ]
    return layered(*drawn, *words).properties(width=WIDTH, height=280)


def _told(rows: pl.DataFrame) -> set[int]:
    """The turns whose figures are written out; none stands so near to another that their words would meet."""
    turns, values = rows["turn"].to_list(), rows["value"].to_list()
    wanted = [turns[0], turns[-1], turns[values.index(max(values))], turns[values.index(min(values))]]
    told: list[int] = []
    for turn in wanted:
        if all(abs(turn - other) * 14 >= turns[-1] - turns[0] for other in told):
            told.append(turn)
    return set(told)
