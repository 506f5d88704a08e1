"""The charts and sentences of Contribute & Punish: outcomes, contributions, punishment and reactions."""

from typing import Final

import altair as alt
import polars as pl

from ostrom.charts.catalogue import GameCharts, HumanValue, Measured, PublishedRating
from ostrom.charts.families import Cast
from ostrom.charts.forms import BAND, INTERVALS, LINES, Bars, Drawing, Lines, Section, SingleLine
from ostrom.charts.matrix import PairMatrix, strip
from ostrom.charts.palette import COLOURS
from ostrom.charts.render import styled
from ostrom.charts.sentences import Most, switched, with_interval
from ostrom.charts.standings import LeaderboardColumn
from ostrom.charts.words import RANK, TOKENS, WHOLE, Unit, ends, share
from ostrom.games.contribute_punish.tables import PunishTables

GIVEN: Final = share("of the balance, contributed")
SPENT: Final = share("of the balance, spent")
ALL_GIVEN: Final = share("of all tokens, contributed")
ALL_SPENT: Final = share("of all tokens, spent on punishing")
ANSWERED: Final = share("of punishments suffered, answered")
POINTS: Final = Unit("percentage points")
SLOPE: Final = Unit("points of its balance for each point of the others'", decimals=2)


def _contributed(rows: pl.DataFrame) -> str:
    """Return a title on the shares of tokens that were contributed in the first and last rounds. It also mentions a
    fall or recovery between these rounds."""
    first, last = rows.row(0, named=True), rows.row(-1, named=True)
    title = f"{ALL_GIVEN.say(first['value'])} of all tokens is contributed in round {first['round']}"
    if len(rows) > 1:
        title += f", {ALL_GIVEN.say(last['value'])} in round {last['round']}"
    middle = rows[1:-1]
    if len(middle) >= 2:
        trough = middle.sort("value").row(0, named=True)
        later = middle.filter(pl.col("round") > trough["round"])
        if len(later) and later["value"].max() > trough["value"] + 0.01:
            peak = later.sort("value").row(-1, named=True)
            down, back, end = (ALL_GIVEN.say(row["value"]) for row in (trough, peak, last))
            return (
                f"From {ALL_GIVEN.say(first['value'])} down to {down} in round {trough['round']}, "
                f"back to {back} by round {peak['round']}, and {end} at the end"
            )
    return title


def _punished(rows: pl.DataFrame) -> str:
    """Return a title that names the rounds with the most and the least spending on punishment."""
    rows = rows.sort("value")
    least, most = rows.row(0, named=True), rows.row(-1, named=True)
    if most["value"] == least["value"]:
        return f"{ALL_SPENT.say(most['value'])} of all tokens is spent on punishing, round after round"
    return (
        f"Punishment costs most in round {most['round']}, at {ALL_SPENT.say(most['value'])} of all tokens, "
        f"and least in round {least['round']}, at {ALL_SPENT.say(least['value'])}"
    )


def contribution_percent_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Return a chart of every contribution as a share of the balance."""
    none, all_ = float((frame["value"] == 0).mean()), float((frame["value"] == 1).mean())  # type: ignore[arg-type]
    title = f"{GIVEN.say(none)} of decisions give nothing, {GIVEN.say(all_)} give everything"
    common = frame.filter((pl.col("value") > 0) & (pl.col("value") < 1))["value"].round(3)
    if len(common):
        usual = common.value_counts(sort=True).sort(["count", "value"], descending=[True, False])["value"][0]
        title += f"; in between, {share('', 0).say(usual)} is the most frequent"
    subtitle = f"A dot is one of {len(frame):,} decisions with tokens at hand, a stroke the median."
    return styled(strip(frame, cast, unit=GIVEN, most=1.0), title=title, subtitle=subtitle)


def contribution_tokens_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Return a chart of every contribution in tokens."""
    counts = frame["value"].value_counts().sort(["count", "value"], descending=[True, False])
    favourites = ", ".join(WHOLE.say(value) for value in sorted(counts["value"].head(3)))
    range_ = ends(frame, cast, WHOLE)
    title = f"The most frequent contributions are {favourites} tokens; the largest is {range_.high}, by {range_.first}"
    return styled(
        strip(frame, cast, unit=Unit("tokens contributed in a round", decimals=0), symlog=True),
        title=f"Every contribution is {range_.high} tokens" if range_.alone else title,
        subtitle=f"A dot is one of {len(frame):,} decisions, a stroke the median. Linear near 0, logarithmic beyond.",
    )


def _in_points(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.with_columns(pl.col("value", "low", "high") * 100)


def _less(points: pl.DataFrame) -> str:
    """Return a title on the changes of players' contributions in the last round. The title is also correct if some
    players contribute more."""
    least = min(points["value"])
    rest = "{low} less" if least >= 0 else f"{POINTS.say(-least)} more"
    return "In the last round {first} gives {high} points less than before, {last} " + rest


def _fallen(frame: pl.DataFrame) -> str:
    """Return a sentence on the number of players that have less at the end than at some earlier time."""
    peaks = frame.sort("round").group_by("player").agg(pl.col("value").max().alias("peak"), pl.col("value").last())
    fallen = len(peaks.filter(pl.col("value") < pl.col("peak")))
    return f"{fallen} of {len(peaks)} hold less at the end than they once did. {LINES}" if fallen else LINES


_UNFOLD: Final = (
    Lines(
        "balance_by_round",
        "Balance by round",
        Unit("median balance, tokens", decimals=0),
        "{first} ends with the highest median balance, {high}; {last} with the lowest, {low}",
        "All hold {high} tokens at the end",
        _fallen,
    ),
    Lines(
        "rank_by_round",
        "Mean rank by round",
        # The best rank is the lowest number, 1.
        RANK,
        "{last} ends with the best mean rank, {low}; {first} with the worst, {high}",
        "All rank alike at the end, at {low}",
        falling=True,
    ),
    Bars(
        "partners_final",
        "Partners' final tokens",
        TOKENS,
        "{first}'s partners end with {high} tokens on average, {last}'s with {low}",
        "Partners end with {high} tokens, whichever player they meet",
        "Mean final tokens of the other seats in a player's games.",
        INTERVALS,
    ),
    Bars(
        "welfare",
        "Welfare",
        share("of full cooperation's tokens"),
        "Games with {first} reach {high} of what full cooperation gives, with {last} {low}",
        "Games reach {high} of what full cooperation would give",
        "Final tokens of a player's games against those of full contribution.",
        INTERVALS,
    ),
)
_GIVE: Final = (
    SingleLine(
        "aggregate_contribution_by_round",
        "Aggregate contribution by round",
        ALL_GIVEN,
        _contributed,
        f"All players together: tokens contributed of tokens held at the round's start. {BAND}",
        COLOURS["Gemini"],
    ),
    Bars(
        "contribution_tokens",
        "Mean contribution, tokens",
        TOKENS,
        "{first} gives {high} tokens in a round, {last} {low}",
        "All give {high} tokens in a round",
        "Mean contribution in tokens.",
    ),
    Bars(
        "contribution_percent",
        "Mean contribution, per cent",
        GIVEN,
        "{first} gives {high} of what it holds, {last} {low}",
        "All give {high} of what they hold",
        "Mean over the rounds of all that it contributed / all that it held in the round.",
    ),
    Lines(
        "contribution_percent_by_round",
        "Contribution by round, per cent",
        share("of the balance, contributed", 0),
        "{first} still gives {high} in the last round, {last} {low}",
        "All give {high} in the last round",
    ),
    PairMatrix(
        "contribution_by_partner",
        "Who gives with whom",
        GIVEN,
        "{first} gives {high} of what it holds, on average over those it sits with; {last} {low}",
        "All give {high} of what they hold, with any partner",
        "Mean share of its balance that the player of a row gives in games with the player of a column. "
        "Pale: fewer than six games together.",
        whom="with",
    ),
    Drawing("contribution_percent_strip", "Every contribution, per cent", contribution_percent_strip, dots=True),
    Drawing("contribution_tokens_strip", "Every contribution, tokens", contribution_tokens_strip, dots=True),
    Bars(
        "endgame_drop",
        "Endgame drop",
        POINTS,
        _less,
        "The last round lowers what all give by {high} points",
        "Fall of the contributed share from the rounds before to the last; below 0 it rises.",
        rows=_in_points,
    ),
    Bars(
        "promise_keeping",
        "Promise keeping",
        share("of promises kept"),
        "{first} keeps {high} of its promises, {last} {low}",
        "All keep {high} of their promises",
        "Contributions promised in a message that were then made.",
    ),
)
_REACT: Final = (
    Bars(
        "conditional_cooperation",
        "Conditional cooperation",
        SLOPE,
        "For each point more that the others gave, {first} gives {high} points more in the next round, {last} {low}",
        "For each point more that the others gave, all give {high} points more in the next round",
        "Slope of the contributed part on the others' in the round before; its own, punishment and round held equal.",
    ),
    Bars(
        "punishment_response",
        "Response to punishment",
        POINTS,
        "After a punishment {first} gives {high} points more of its balance, {last} {low}",
        "After a punishment all give {high} points more of their balance",
        "Difference that punishment in the round before makes, the round and what all had given held equal.",
        rows=_in_points,
    ),
    Bars(
        "promise_effect",
        "Effect of a promise",
        POINTS,
        "With a promise {first} gives {high} points more of its balance than without, {last} {low}",
        "With a promise all give {high} points more of their balance than without",
        "Difference between rounds with a promise of its own and without, the round and what came before held equal.",
        rows=_in_points,
    ),
)
_PUNISH: Final = (
    SingleLine(
        "aggregate_punishment_by_round",
        "Aggregate punishment by round",
        ALL_SPENT,
        _punished,
        f"All players together: tokens spent of tokens held at the round's start. {BAND}",
        COLOURS["Claude"],
        zero=True,
    ),
    Bars(
        "punishment_spent_percent",
        "Punishment spent",
        SPENT,
        "{first} spends {high} of its balance on punishing, {last} {low}",
        "All spend {high} of their balance on punishing",
        "Mean over all rounds, also those without punishment, of spend / balance after the fund.",
    ),
    Lines(
        "punishment_spent_percent_by_round",
        "Punishment spent by round",
        share("of its tokens, spent"),
        "In the last round {first} spends {high} of its tokens on punishing, {last} {low}",
        "All spend {high} in the last round",
        zero=True,
    ),
    Bars(
        "damage_received_percent",
        "Damage received",
        share("of the balance, lost"),
        "{first} loses {high} of its balance to punishment each round, {last} {low}",
        "All lose {high} of their balance to punishment each round",
        "Mean over all rounds of damage / balance before the round's first hit.",
    ),
    PairMatrix(
        "punishment_by_target",
        "Who punishes whom",
        share("of rounds together, punished"),
        "{first} punishes each of the others in {high} of their rounds together, {last} in {low}",
        "All punish each other in {high} of their rounds together",
        "Share of rounds together in which the player of a row punishes the player of a column. "
        "Pale: fewer than six games together.",
        whom="punished",
    ),
    Bars(
        "retaliation_rate",
        "Retaliation",
        ANSWERED,
        "{first} retaliates against {high} of its punishers in the next round, {last} against {low}",
        "All retaliate against {high} of their punishers",
        "Of the punishments suffered, those answered in the next round by punishing the punisher. "
        "Strokes: how often it punishes a seat that did not punish it.",
        reference="base",
    ),
    Bars(
        "unprovoked_punishment",
        "Unprovoked punishment",
        share("of punishments dealt"),
        "{high} of {first}'s punishments fall on seats that gave at least the median, {low} of {last}'s",
        "{high} of punishments fall on seats that gave at least the median",
        "Of the punishments dealt, those against a seat that gave at least the round's median. "
        "Strokes: the share that random targets would give.",
        reference="random",
    ),
    Bars(
        "antisocial_punishment",
        "Antisocial punishment",
        share("of punishments dealt"),
        "{high} of {first}'s punishments fall on seats that gave a larger part than it did, {low} of {last}'s",
        "{high} of punishments fall on seats that gave a larger part than the punisher",
        "Of the punishments dealt, those against a seat that gave a larger part of its balance than the punisher. "
        "Strokes: the share that random targets would give.",
        reference="random",
    ),
)

_MOSTS: Final = (
    Most(
        "contribution_percent",
        "gives the largest part of its balance",
        "No player gives anything",
        "All give the same part of their balance",
    ),
    Most(
        "punishment_spent_percent",
        "spends the largest part of its balance on punishing",
        "No player spends anything on punishing",
        "All spend the same part of their balance on punishing",
    ),
    Most(
        "retaliation_rate",
        "retaliates most often",
        "No player retaliates",
        "All who are punished retaliate equally often",
    ),
)


def _course(measured: Measured) -> list[str]:
    """Return sentences on the first and the last contributions."""
    total = measured["aggregate_contribution_by_round"].sort("round")
    if not len(total):
        return []
    first, last = total.row(0, named=True), total.row(-1, named=True)
    return [
        f"Of all tokens, {with_interval(first)} is contributed in round {first['round']} and {with_interval(last)} "
        f"in round {last['round']}."
    ]


def _facts(tables: PunishTables) -> list[str]:
    return [switched(tables.games["messages"], "messages")]


_DIFFERENCES: Final = (
    "Groups of four with a new endowment in every period, of which this is the share, at a marginal return of 0.4; "
    "here tokens are kept from round to round, and the share is of all that a player holds."
)
_PEOPLE: Final = (
    HumanValue(
        "contributed without punishment", "38 % (mean over ten periods, partners)", "Fehr, Gächter 2000", _DIFFERENCES
    ),
    HumanValue(
        "contributed with punishment", "85 % (mean over ten periods, partners)", "Fehr, Gächter 2000", _DIFFERENCES
    ),
    HumanValue("contributed with punishment", "29–90 % in 16 cities", "Herrmann, Thöni, Gächter 2008", _DIFFERENCES),
)
CHARTS: Final = GameCharts(
    sections=(
        Section("outcomes", "How games unfold", _UNFOLD),
        Section("contributions", "What players give", _GIVE),
        Section("punishment", "Who punishes whom", _PUNISH),
        Section("reactions", "What moves them", _REACT),
    ),
    leaderboard=(
        LeaderboardColumn("median_final", "median", WHOLE),
        LeaderboardColumn("contribution_percent", "gives", share("", 0)),
        LeaderboardColumn("punishment_spent_percent", "spends on punishing", share("")),
        LeaderboardColumn("retaliation_rate", "retaliates", share("", 0)),
    ),
    compared={
        "aggregate_contribution_by_round": ALL_GIVEN,
        "contribution_percent_pooled": share("of all tokens held, contributed"),
        "aggregate_punishment_by_round": ALL_SPENT,
        "punishment_spent_percent": SPENT,
        "retaliation_rate": ANSWERED,
        "conditional_cooperation": SLOPE,
        "punishment_response": share("of the balance, given more after punishment"),
    },
    facts=_facts,
    course=_course,
    mosts=_MOSTS,
    people=_PEOPLE,
    published=(
        PublishedRating("PGG-Bench", 0.4, 200, "Its page states 0.1, which does not give its table; 0.4 does."),
    ),
)
"""The charts of Contribute & Punish, in addition to those that all games have."""
