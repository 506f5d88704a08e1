"""What players give: over rounds, on average, in every decision; whether they keep their word, and hold to the end."""

import altair as alt
import polars as pl

from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.lines import one_line
from ostrom.charts.ranked import BARS, ranked_bars, ranked_lines
from ostrom.charts.strips import strip
from ostrom.charts.theme import styled
from ostrom.charts.words import TOKENS, WHOLE, Unit, ends, share

GIVEN = share("of the balance, contributed")


def aggregate_contribution_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The share of all tokens that was contributed, round by round."""
    unit = share("of all tokens, contributed")
    rows = frame.sort("round")
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    before = rows.head(len(rows) - 1)
    title = f"{unit.say(first['value'])} of all tokens is contributed in round {first['round']}"
    if len(before) >= 1:
        title += f", {unit.say(last['value'])} in round {last['round']}"
    middle = before.tail(-1)
    if len(middle) >= 2:
        # The trough and the peak after it: how far trust comes back before the end.
        trough = middle.sort("value").row(0, named=True)
        later = middle.filter(pl.col("round") > trough["round"])
        if len(later) and later["value"].max() > trough["value"] + 0.01:
            peak = later.sort("value").row(-1, named=True)
            title = (
                f"From {unit.say(first['value'])} down to {unit.say(trough['value'])} in round {trough['round']}, "
                f"back to {unit.say(peak['value'])} by round {peak['round']}, and {unit.say(last['value'])} at the end"
            )
    return styled(
        one_line(frame, unit=unit, tint=COLOURS["Gemini"]),
        title=title,
        subtitle="All players together: tokens contributed of tokens held at the round's start. Band: 95% interval.",
    )


def contribution_tokens(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Tokens given in a round."""
    return ranked_bars(
        frame,
        cast,
        unit=TOKENS,
        title="{first} gives {high} tokens in a round, {last} {low}",
        alike="All give {high} tokens in a round",
        subtitle=f"Mean contribution in tokens. {BARS}",
    )


def contribution_percent(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The share of its balance that a player gives."""
    return ranked_bars(
        frame,
        cast,
        unit=GIVEN,
        title="{first} gives {high} of what it holds, {last} {low}",
        alike="All give {high} of what they hold",
        subtitle=f"Mean over rounds of contribution / balance. {BARS}",
    )


def contribution_percent_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The share of its balance that a player gives, round by round."""
    return ranked_lines(
        frame,
        cast,
        unit=share("of the balance, contributed", 0),
        title="{first} still gives {high} in the last round, {last} {low}",
        alike="All give {high} in the last round",
    )


def contribution_percent_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Every contribution as a share of the balance."""
    none, all_ = float((frame["value"] == 0).mean()), float((frame["value"] == 1).mean())  # type: ignore[arg-type]
    title = f"{GIVEN.say(none)} of decisions give nothing, {GIVEN.say(all_)} give everything"
    common = frame.filter((pl.col("value") > 0) & (pl.col("value") < 1))["value"].round(3)
    if len(common):
        usual = common.value_counts(sort=True).sort(["count", "value"], descending=[True, False])["value"][0]
        title += f"; in between, {share('', 0).say(usual)} is the favourite"
    return styled(
        strip(frame, cast, unit=GIVEN, most=1.0),
        title=title,
        subtitle=f"A dot is one of {len(frame):,} decisions with tokens at hand, a stroke the median.",
    )


def contribution_tokens_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Every contribution in tokens."""
    counts = frame["value"].value_counts().sort(["count", "value"], descending=[True, False])
    favourites = ", ".join(WHOLE.say(value) for value in sorted(counts["value"].head(3)))
    told = ends(frame, cast, WHOLE)
    title = (
        f"Every contribution is {told.high} tokens"
        if told.alone
        else f"The favourite contributions are {favourites} tokens; the largest is {told.high}, by {told.first}"
    )
    return styled(
        strip(frame, cast, unit=Unit("tokens contributed in a round", decimals=0), symlog=True),
        title=title,
        subtitle=f"A dot is one of {len(frame):,} decisions, a stroke the median. Linear near 0, logarithmic beyond.",
    )


def endgame_drop(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How much less is given in the last round than in those before it."""
    unit = Unit("percentage points")
    points = frame.with_columns(pl.col("value", "low", "high") * 100)
    least = float(points["value"].min())  # type: ignore[arg-type]
    rest = "{low} less" if least >= 0 else f"{unit.say(-least)} more"
    return ranked_bars(
        points,
        cast,
        unit=unit,
        title="In the last round {first} gives {high} points less than before, {last} " + rest,
        alike="The last round lowers what all give by {high} points",
        subtitle=f"Fall of the contributed share from the rounds before to the last; below 0 it rises. {BARS}",
    )


def promise_keeping(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Whether players give what they said they would."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of promises kept"),
        title="{first} keeps {high} of its promises, {last} {low}",
        alike="All keep {high} of their promises",
        subtitle=f"Amounts that a message said would be contributed, and were. {BARS}",
    )
