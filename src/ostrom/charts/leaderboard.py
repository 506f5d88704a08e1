"""Who does best: ratings, and what games end with."""

import altair as alt
import polars as pl

from ostrom.charts.bars import bars
from ostrom.charts.families import Cast
from ostrom.charts.ranked import final_dots, ranked_bars
from ostrom.charts.theme import styled
from ostrom.charts.words import TOKENS, WHOLE, Unit, ends

SKILL = Unit("TrueSkill μ", decimals=2)


def trueskill(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Ratings: `player`, `value` (μ), `low` and `high` (μ ± σ), `n` (games), `tier` where tiers are known, and
    `defaulted`, the share of the player's answers that the game gave in its place."""
    told = ends(frame, cast, SKILL)
    title = f"All are rated alike, at {told.high}" if told.alone else f"{told.first} leads; {told.last} comes last"
    if "tier" in frame.columns and not told.alone:
        top = frame.filter(pl.col("tier") == pl.col("tier").min())
        # Only a leader that no other shares the first tier with is clear of the field.
        if len(top) == 1:
            title = f"{told.first} leads, clear of the next; {told.last} comes last"
        else:
            title = f"{told.first} leads, in a first tier of {len(top)}; {told.last} comes last"
    known = "defaulted" in frame.columns and frame["defaulted"].count() > 0
    notes = [
        f" ± {(row['high'] - row['low']) / 2:.2f}  ·  {row['n']} games"
        + (f"  ·  {_defaulted(row['defaulted'])}" if known else "")
        for row in frame.iter_rows(named=True)
    ]
    answers = (
        "The share is that of defaulted answers."
        if known
        else "Share of defaulted answers: –, not known of these games."
    )
    noted = frame.with_columns(pl.Series("note", notes, dtype=pl.String))
    return styled(
        bars(noted, cast, unit=SKILL, notes="note"),
        title=title,
        subtitle=f"Multi-pass TrueSkill: bars are μ, lines μ ± σ. Only differences of μ mean something. {answers}",
    )


def _defaulted(part: float | None) -> str:
    return "–" if part is None else f"{100 * part:.1f}%"


def median_final(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The median of final tokens by player."""
    return ranked_bars(
        frame,
        cast,
        unit=WHOLE,
        title="Half of {first}'s games end with {high} tokens or more; for {last} it is {low}",
        alike="Half of the games end with {high} tokens or more, whoever plays",
        subtitle="Medians of final tokens. Lines: 95% intervals.",
    )


def mean_final(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean of final tokens by player."""
    return ranked_bars(
        frame,
        cast,
        unit=TOKENS,
        title="{first} ends with {high} tokens on average, {last} with {low}",
        alike="Games end with {high} tokens on average, whoever plays",
        subtitle="Means of final tokens; a few very rich games weigh heavily. Lines: 95% intervals.",
    )


def final_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Every game of every player, by its final tokens."""
    return final_dots(
        frame,
        cast,
        unit=Unit("final tokens", decimals=0),
        title="Half of all games end below {middle} tokens, while {first} once reached {high}",
        alike="Every game ends with {high} tokens",
        subtitle="A dot is a game, a stroke the median; linear near 0, then log. Fewest: {low}, {poorest}.",
    )
