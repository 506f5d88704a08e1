"""Who does best: the leaderboard, ratings, and what games end with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import altair as alt
import polars as pl

from ostrom.analysis.played import Played, answers_by_player
from ostrom.analysis.standing import Rated
from ostrom.charts.bars import bars
from ostrom.charts.families import Cast
from ostrom.charts.page import Cell, table
from ostrom.charts.ranked import final_dots, ranked_bars
from ostrom.charts.theme import styled
from ostrom.charts.words import TOKENS, WHOLE, Unit, ends, share


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in the leaderboard."""

    name: str
    mu: float
    sigma: float
    games: int
    tier: int | None = None
    """1 is the best; nobody in a tier is told apart, by these games, from its first. Missing where nobody met."""
    defaulted: float | None = None
    """The part of its answers that the game gave in its place; missing where that is not known."""
    repaired: float | None = None
    """The part that was legal only after a refusal; missing where that is not known."""


class Beside(NamedTuple):
    """A measure that stands beside the ratings."""

    measure: str
    heading: str
    unit: Unit


PUNISH_BESIDE: Final = (
    Beside("mean_final", "mean final tokens", TOKENS),
    Beside("median_final", "median", WHOLE),
    Beside("contribution_percent", "gives", share("", 0)),
    Beside("punishment_spent_percent", "spends on punishing", share("")),
    Beside("retaliation_rate", "strikes back", share("", 0)),
)
_OWN: Final = ("defaulted", "repaired")


def standings_of(rated: Sequence[Rated]) -> list[Standing]:
    """What the leaderboard shows of players that were rated."""
    return [
        Standing(
            one.rating.name,
            one.rating.mu,
            one.rating.sigma,
            one.rating.games,
            None if one.place is None else one.place.tier,
        )
        for one in rated
    ]


def with_answers(standings: Sequence[Standing], tables: Played) -> list[Standing]:
    """The standings with the share of defaulted and of repaired answers of each player."""
    found = answers_by_player(tables)
    return [
        replace(one, defaulted=found[one.name].defaulted_share, repaired=found[one.name].repaired_share)
        if one.name in found
        else one
        for one in standings
    ]


def ratings_frame(standings: Sequence[Standing]) -> pl.DataFrame:
    """The standings as the table that the chart of ratings draws."""
    frame = pl.DataFrame(
        {
            "player": [one.name for one in standings],
            "value": [one.mu for one in standings],
            "low": [one.mu - one.sigma for one in standings],
            "high": [one.mu + one.sigma for one in standings],
            "n": [one.games for one in standings],
            "defaulted": [one.defaulted for one in standings],
        },
        schema={
            "player": pl.String,
            "value": pl.Float64,
            "low": pl.Float64,
            "high": pl.Float64,
            "n": pl.Int64,
            "defaulted": pl.Float64,
        },
    )
    if any(one.tier is None for one in standings):
        return frame
    return frame.with_columns(pl.Series("tier", [one.tier for one in standings], dtype=pl.Int64))


def leaderboard_frame(
    standings: Sequence[Standing], measured: Mapping[str, pl.DataFrame], beside: Sequence[Beside] = PUNISH_BESIDE
) -> pl.DataFrame:
    """The leaderboard as a table for programs: place, player, tier, mu, sigma, games, the shares of defaulted and of
    repaired answers, and the measures beside them."""
    frame = pl.DataFrame(
        {
            "place": range(1, len(standings) + 1),
            "player": [one.name for one in standings],
            "tier": [one.tier for one in standings],
            "mu": [one.mu for one in standings],
            "sigma": [one.sigma for one in standings],
            "games": [one.games for one in standings],
            "defaulted": [one.defaulted for one in standings],
            "repaired": [one.repaired for one in standings],
        },
        schema={
            "place": pl.Int64,
            "player": pl.String,
            "tier": pl.Int64,
            "mu": pl.Float64,
            "sigma": pl.Float64,
            "games": pl.Int64,
            "defaulted": pl.Float64,
            "repaired": pl.Float64,
        },
    )
    for name, _, _ in beside:
        values = measured[name].select("player", pl.col("value").alias(name))
        frame = frame.join(values, on="player", how="left", maintain_order="left")
    return frame


def leaderboard_table(frame: pl.DataFrame, cast: Cast, beside: Sequence[Beside] = PUNISH_BESIDE) -> str:
    """The leaderboard as HTML, with a line above each tier."""
    headings = ["", "player", "tier", "μ", "σ", "games", *_OWN, *(heading for _, heading, _ in beside)]
    part = share("")
    skill = Unit("", decimals=3)
    rows, breaks = [], []
    tier: int | None = None
    for place, row in enumerate(frame.iter_rows(named=True)):
        if row["tier"] is not None and tier is not None and row["tier"] != tier:
            breaks.append(place)
        tier = row["tier"]
        face = cast.faces[row["player"]]
        rows.append(
            [
                Cell(str(row["place"])),
                Cell(face.label, face.colour),
                Cell("–" if row["tier"] is None else str(row["tier"])),
                Cell(skill.say(row["mu"])),
                Cell(skill.say(row["sigma"])),
                Cell(str(row["games"])),
                *(Cell(_said(row[name], part)) for name in _OWN),
                *(Cell(_said(row[name], unit)) for name, _, unit in beside),
            ]
        )
    return table(headings, rows, names=1, breaks=breaks)


def _said(value: float | None, unit: Unit) -> str:
    return "–" if value is None else unit.say(value)


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
