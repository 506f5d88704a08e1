"""Charts of a tournament: how often each player won, and what it ended with."""

import altair as alt
import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.forms import bars
from ostrom.charts.render import styled
from ostrom.charts.words import ends, figures, share


def win_bars(frame: pl.DataFrame, cast: Cast, *, said: str) -> alt.LayerChart:
    """Bars of a table with `player`, `value`, `low`, `high` and `n`: the part of its games that each player won."""
    unit = share("wins, ties shared")
    title = ends(frame, cast, unit).filled("{first} wins most often, {high} of its games", "All players win as often")
    return styled(bars(frame, cast, unit=unit), title=title, subtitle=f"{said} Lines: 95% intervals.")


def final_bars(frame: pl.DataFrame, cast: Cast, *, unit: str, better: str, said: str) -> alt.LayerChart:
    """The same for what players ended with."""
    counted = figures(frame, f"mean {unit}".strip(), mean=True)
    found = ends(frame, cast, counted)
    ahead = "{first} ends with most, {high} on average" if better == "higher" else "{last} ends with least, {low}"
    title = found.filled(ahead, "All players end with the same")
    drawn = bars(frame, cast, unit=counted, ascending=better != "higher")
    return styled(drawn, title=title, subtitle=f"{said} Lines: 95% intervals.")
