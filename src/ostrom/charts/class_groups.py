"""Charts of a session's results: a line over rounds, or a bar, for each treatment of the class, for people in
publications, and for models."""

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.forms import bars
from ostrom.charts.lines import player_lines
from ostrom.charts.render import AnyChart, styled
from ostrom.charts.words import Unit, share

_SCHEMA = {"player": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64}


class ChartedGroup(NamedTuple):
    """One group of a chart."""

    name: str
    mean: float | None
    low: float | None
    high: float | None
    by_turn: Sequence[float | None]
    games: int | None


def group_chart(groups: Sequence[ChartedGroup], *, title: str, unit: str, clock: str) -> AnyChart | None:
    """Return a chart of lines if some group has values by turn, or of bars if some group has a mean; otherwise None.
    Groups with only a mean are in the table beside the chart, and not among the lines."""
    axis = share(title) if unit == "share" else Unit(unit or title, decimals=2)
    lines = [group for group in groups if len(group.by_turn) > 1]
    if lines:
        rows = [
            {"player": group.name, clock: turn, "value": value, "low": None, "high": None, "n": group.games}
            for group in lines
            for turn, value in enumerate(group.by_turn, start=1)
            if value is not None
        ]
        frame = pl.DataFrame(rows, schema={**_SCHEMA, clock: pl.Int64})
        cast = Cast.of(group.name for group in lines)
        return styled(player_lines(frame, cast, unit=axis, clock=clock), title=title)
    rows = [
        {"player": group.name, "value": group.mean, "low": group.low, "high": group.high, "n": group.games}
        for group in groups
        if group.mean is not None
    ]
    if not rows:
        return None
    cast = Cast.of(str(row["player"]) for row in rows)
    return styled(bars(pl.DataFrame(rows, schema=_SCHEMA), cast, unit=axis), title=title)
