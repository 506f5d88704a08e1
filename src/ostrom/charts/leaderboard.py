"""Who does best: ratings, and what games end with."""

import altair as alt
import polars as pl

from ostrom.charts.bars import bars
from ostrom.charts.families import Cast
from ostrom.charts.strips import strip
from ostrom.charts.theme import styled
from ostrom.charts.words import TOKENS, WHOLE, Unit, ends, named

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
    told = ends(frame, cast, WHOLE)
    title = (
        f"Half of the games end with {told.high} tokens or more, whoever plays"
        if told.alone
        else f"Half of {told.first}'s games end with {told.high} tokens or more; for {told.last} it is {told.low}"
    )
    return styled(bars(frame, cast, unit=WHOLE), title=title, subtitle="Medians of final tokens. Lines: 95% intervals.")


def mean_final(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean of final tokens by player."""
    told = ends(frame, cast, TOKENS)
    title = (
        f"Games end with {told.high} tokens on average, whoever plays"
        if told.alone
        else f"{told.first} ends with {told.high} tokens on average, {told.last} with {told.low}"
    )
    return styled(
        bars(frame, cast, unit=TOKENS),
        title=title,
        subtitle="Means of final tokens; a few very rich games weigh heavily. Lines: 95% intervals.",
    )


def final_strip(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Every game of every player, by its final tokens."""
    told = ends(frame, cast, WHOLE)
    middle = float(frame["value"].median())  # type: ignore[arg-type]
    poorest = named(sorted(set(frame.filter(pl.col("value") == frame["value"].min())["player"])), cast)
    title = (
        f"Half of all games end below {WHOLE.say(middle)} tokens, while {told.first} once reached {told.high}"
        if not told.alone
        else f"Every game ends with {told.high} tokens"
    )
    return styled(
        strip(frame, cast, unit=Unit("final tokens", decimals=0), symlog=True, dot=16, opacity=0.5),
        title=title,
        subtitle=f"A dot is a game, a stroke the median; linear near 0, then log. Fewest: {told.low}, {poorest}.",
    )
