"""Charts that rank the players: bars or lines under a title that names both ends, as both games show them."""

import altair as alt
import polars as pl

from ostrom.charts.bars import bars, strip
from ostrom.charts.families import Cast
from ostrom.charts.lines import player_lines
from ostrom.charts.theme import styled
from ostrom.charts.words import Unit, ends, named

BARS = "Lines: 95% intervals, games as units."
LINES = "Each line ends at its name. Bands: 95% intervals of the first and the last; the tables hold all."
GINI = Unit("Gini coefficient", decimals=3)


def ranked_bars(
    frame: pl.DataFrame,
    cast: Cast,
    *,
    unit: Unit,
    title: str,
    alike: str,
    subtitle: str,
    ascending: bool = False,
    notes: str = "",
) -> alt.LayerChart:
    """Bars. `title` has gaps for their two ends (`first`, `high`, `last`, `low`), `alike` is said where there is but
    one end."""
    told = ends(frame, cast, unit)
    return styled(
        bars(frame, cast, unit=unit, ascending=ascending, notes=notes),
        title=told.filled(title, alike),
        subtitle=subtitle,
    )


def ranked_lines(
    frame: pl.DataFrame,
    cast: Cast,
    *,
    unit: Unit,
    title: str,
    alike: str,
    subtitle: str = LINES,
    clock: str = "round",
    falling: bool = False,
    zero: bool = False,
) -> alt.LayerChart:
    """Lines over time. The titles' gaps are those of bars, for where the lines end, and `when`, the last of the
    rounds or turns that `clock` counts."""
    last = frame[clock].max()
    told = ends(frame.filter(pl.col(clock) == last), cast, unit)
    return styled(
        player_lines(frame, cast, unit=unit, falling=falling, zero=zero, clock=clock),
        title=told.filled(title, alike, when=last),
        subtitle=subtitle,
    )


def final_dots(
    frame: pl.DataFrame, cast: Cast, *, unit: Unit, title: str, alike: str, subtitle: str, linear: float = 2.0
) -> alt.LayerChart:
    """What every seat ended with, a dot each. Further gaps are `middle`, the median of all dots, and `poorest`, who
    ended with least; `linear` is how far the axis is linear."""
    told = ends(frame, cast, unit)
    middle = unit.say(float(frame["value"].median()))  # type: ignore[arg-type]
    poorest = named(sorted(set(frame.filter(pl.col("value") == frame["value"].min())["player"])), cast)
    return styled(
        strip(frame, cast, unit=unit, symlog=True, linear=linear, dot=16, opacity=0.5),
        title=told.filled(title, alike, middle=middle),
        subtitle=told.filled(subtitle, subtitle, poorest=poorest),
    )


def gini_bars(frame: pl.DataFrame, cast: Cast, *, subtitle: str) -> alt.LayerChart:
    """How unequally games end."""
    return ranked_bars(
        frame,
        cast,
        unit=GINI,
        title="Games with {first} end most unequally (Gini {high}), with {last} least so ({low})",
        alike="Games end with a Gini coefficient of {high}",
        subtitle=subtitle,
    )
