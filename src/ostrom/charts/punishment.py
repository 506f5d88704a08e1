"""Who punishes, who is punished, and for what."""

import altair as alt
import polars as pl

from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.lines import one_line
from ostrom.charts.ranked import BARS, ranked_bars, ranked_lines
from ostrom.charts.theme import styled
from ostrom.charts.words import share


def aggregate_punishment_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The share of all tokens that was spent on punishing, round by round."""
    unit = share("of all tokens, spent on punishing")
    rows = frame.sort("value")
    least, most = rows.row(0, named=True), rows.row(-1, named=True)
    title = (
        f"{unit.say(most['value'])} of all tokens is spent on punishing, round after round"
        if most["value"] == least["value"]
        else f"Punishing is dearest in round {most['round']}, at {unit.say(most['value'])} of all tokens, "
        f"and cheapest in round {least['round']}, at {unit.say(least['value'])}"
    )
    return styled(
        one_line(frame, unit=unit, tint=COLOURS["Claude"], zero=True),
        title=title,
        subtitle="All players together: tokens spent of tokens held at the round's start. Band: 95% interval.",
    )


def punishment_spent_percent(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The share of its balance that a player spends on punishing."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of the balance, spent"),
        title="{first} spends {high} of its balance on punishing, {last} {low}",
        alike="All spend {high} of their balance on punishing",
        subtitle=f"Mean over all rounds, also those without punishment, of spend / balance after the fund. {BARS}",
    )


def punishment_spent_percent_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The share of its tokens that a player spends on punishing, round by round."""
    return ranked_lines(
        frame,
        cast,
        unit=share("of its tokens, spent"),
        title="In the last round {first} spends {high} of its tokens on punishing, {last} {low}",
        alike="All spend {high} in the last round",
        zero=True,
    )


def damage_received_percent(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The share of its balance that a player loses to punishment."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of the balance, lost"),
        title="{first} loses {high} of its balance to punishment each round, {last} {low}",
        alike="All lose {high} of their balance to punishment each round",
        subtitle=f"Mean over all rounds of damage / balance after the fund. {BARS}",
    )


def retaliation_rate(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How often a player strikes back."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of punishments suffered, answered"),
        title="{first} strikes back at {high} of its punishers in the next round, {last} at {low}",
        alike="All strike back at {high} of their punishers",
        subtitle=f"Of the punishments suffered, those answered in the next round by punishing the punisher. {BARS}",
    )


def unprovoked_punishment(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How often punishment falls on those who gave enough."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of punishments dealt"),
        title="{high} of {first}'s punishments fall on seats that gave at least the median, {low} of {last}'s",
        alike="{high} of punishments fall on seats that gave at least the median",
        subtitle=f"Of the punishments dealt, those of a seat that gave at least the round's median. {BARS}",
    )


def antisocial_punishment(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How often punishment falls on those who gave more than the punisher."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of punishments dealt"),
        title="{high} of {first}'s punishments fall on seats that gave more than it did, {low} of {last}'s",
        alike="{high} of punishments fall on seats that gave more than the punisher",
        subtitle=f"Of the punishments dealt, those of a seat that gave more than the punisher. {BARS}",
    )
