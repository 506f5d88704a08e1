"""The charts and sentences of Contribute & Punish: what players give, whom they punish, how games unfold."""

from typing import Final

import altair as alt
import polars as pl

from ostrom.charts.bars import strip
from ostrom.charts.catalogue import GameCharts, Measured, Picture, Section
from ostrom.charts.families import COLOURS, Cast
from ostrom.charts.lines import one_line
from ostrom.charts.ranked import BARS, LINES, ranked_bars, ranked_lines
from ostrom.charts.standings import Beside
from ostrom.charts.summary import Most, switched, with_interval
from ostrom.charts.theme import styled
from ostrom.charts.words import RANK, TOKENS, WHOLE, Unit, ends, share
from ostrom.games.contribute_punish.tables import Tables

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


BALANCE = Unit("median balance, tokens", decimals=0)


def balance_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The median balance at the end of every round."""
    fallen = _fallen(frame)
    note = f"{fallen} of {frame['player'].n_unique()} hold less at the end than they once did. " if fallen else ""
    return ranked_lines(
        frame,
        cast,
        unit=BALANCE,
        title="{first} ends with the highest median balance, {high}; {last} with the lowest, {low}",
        alike="All hold {high} tokens at the end",
        subtitle=note + LINES,
    )


def rank_by_round(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean rank at the end of every round."""
    # The best rank is the lowest number.
    return ranked_lines(
        frame,
        cast,
        unit=RANK,
        title="{last} ends with the best mean rank, {low}; {first} with the worst, {high}",
        alike="All rank alike at the end, at {low}",
        falling=True,
    )


def partners_final(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """What the other seats of a player's games end with."""
    return ranked_bars(
        frame,
        cast,
        unit=TOKENS,
        title="{first}'s partners end with {high} tokens on average, {last}'s with {low}",
        alike="Partners end with {high} tokens, whoever they meet",
        subtitle="Mean final tokens of the other seats in a player's games. Lines: 95% intervals.",
    )


def welfare(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """What games reached of what full cooperation would have given."""
    return ranked_bars(
        frame,
        cast,
        unit=share("of full cooperation's tokens"),
        title="Games with {first} reach {high} of what full cooperation gives, with {last} {low}",
        alike="Games reach {high} of what full cooperation would give",
        subtitle="Final tokens of a player's games against those of full contribution. Lines: 95% intervals.",
    )


def _fallen(frame: pl.DataFrame) -> int:
    """How many players hold less at the end than they once did."""
    peaks = frame.sort("round").group_by("player").agg(pl.col("value").max().alias("peak"), pl.col("value").last())
    return len(peaks.filter(pl.col("value") < pl.col("peak")))


_SECTIONS: Final = (
    Section(
        "outcomes",
        "How games unfold",
        (
            Picture("balance_by_round", "Balance by round", balance_by_round),
            Picture("rank_by_round", "Mean rank by round", rank_by_round),
            Picture("partners_final", "Partners' final tokens", partners_final),
            Picture("welfare", "Welfare", welfare),
        ),
    ),
    Section(
        "contributions",
        "What players give",
        (
            Picture(
                "aggregate_contribution_by_round",
                "Aggregate contribution by round",
                aggregate_contribution_by_round,
            ),
            Picture("contribution_tokens", "Mean contribution, tokens", contribution_tokens),
            Picture("contribution_percent", "Mean contribution, per cent", contribution_percent),
            Picture(
                "contribution_percent_by_round",
                "Contribution by round, per cent",
                contribution_percent_by_round,
            ),
            Picture(
                "contribution_percent_strip",
                "Every contribution, per cent",
                contribution_percent_strip,
                dots=True,
            ),
            Picture(
                "contribution_tokens_strip",
                "Every contribution, tokens",
                contribution_tokens_strip,
                dots=True,
            ),
            Picture("endgame_drop", "Endgame drop", endgame_drop),
            Picture("promise_keeping", "Promise keeping", promise_keeping),
        ),
    ),
    Section(
        "punishment",
        "Who punishes whom",
        (
            Picture(
                "aggregate_punishment_by_round",
                "Aggregate punishment by round",
                aggregate_punishment_by_round,
            ),
            Picture("punishment_spent_percent", "Punishment spent", punishment_spent_percent),
            Picture(
                "punishment_spent_percent_by_round",
                "Punishment spent by round",
                punishment_spent_percent_by_round,
            ),
            Picture("damage_received_percent", "Damage received", damage_received_percent),
            Picture("retaliation_rate", "Retaliation", retaliation_rate),
            Picture("unprovoked_punishment", "Unprovoked punishment", unprovoked_punishment),
            Picture("antisocial_punishment", "Antisocial punishment", antisocial_punishment),
        ),
    ),
)

_MOSTS: Final = (
    Most(
        "contribution_percent",
        "gives the largest part of its balance",
        "Nobody gives anything",
        "All give the same part of their balance",
    ),
    Most(
        "punishment_spent_percent",
        "spends the largest part of its balance on punishing",
        "Nobody spends anything on punishing",
        "All spend the same part of their balance on punishing",
    ),
    Most(
        "retaliation_rate",
        "strikes back most often",
        "Nobody strikes back",
        "All who are punished strike back equally often",
    ),
)


def _course(measured: Measured) -> list[str]:
    """How much was contributed, at first and in the end."""
    total = measured["aggregate_contribution_by_round"].sort("round")
    if not len(total):
        return []
    first, last = total.row(0, named=True), total.row(-1, named=True)
    return [
        f"Of all tokens, {with_interval(first)} is contributed in round {first['round']} and {with_interval(last)} "
        f"in round {last['round']}."
    ]


def _facts(tables: Tables) -> list[str]:
    """With what rules games were played."""
    return [switched(tables.games["messages"], "messages")]


CHARTS: Final = GameCharts(
    sections=_SECTIONS,
    beside=(
        Beside("median_final", "median", WHOLE),
        Beside("contribution_percent", "gives", share("", 0)),
        Beside("punishment_spent_percent", "spends on punishing", share("")),
        Beside("retaliation_rate", "strikes back", share("", 0)),
    ),
    compared={
        "aggregate_contribution_by_round": share("of all tokens, contributed"),
        "contribution_percent_pooled": share("of all tokens held, contributed"),
        "aggregate_punishment_by_round": share("of all tokens, spent on punishing"),
        "punishment_spent_percent": share("of the balance, spent"),
        "retaliation_rate": share("of punishments suffered, answered"),
    },
    facts=_facts,
    course=_course,
    mosts=_MOSTS,
)
"""What Contribute & Punish adds to the common charts."""
