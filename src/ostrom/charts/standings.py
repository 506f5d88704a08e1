"""Who does best: the leaderboard, ratings, and what games end with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import altair as alt
import polars as pl

from ostrom.analysis.standing import Rated
from ostrom.analysis.tables import GameTables, answers_by_player
from ostrom.charts.bars import bars
from ostrom.charts.families import Cast
from ostrom.charts.page import Cell, table
from ostrom.charts.ranked import BARS, final_dots, gini_bars, ranked_bars
from ostrom.charts.theme import styled
from ostrom.charts.words import RANK, Unit, ends, figures, share


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


def with_answers(standings: Sequence[Standing], tables: GameTables) -> list[Standing]:
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
    standings: Sequence[Standing], measured: Mapping[str, pl.DataFrame], beside: Sequence[Beside]
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


def leaderboard_table(frame: pl.DataFrame, cast: Cast, beside: Sequence[Beside]) -> str:
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


def median_final(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """The median of finals by player."""
    return ranked_bars(
        frame,
        cast,
        unit=figures(frame, unit),
        title=_with("Half of {first}'s games end with {high}~ or more; for {last} it is {low}", unit),
        alike=_with("Half of the games end with {high}~ or more, whoever plays", unit),
        subtitle=_with("Medians of final~. Lines: 95% intervals.", unit or "figures"),
    )


def mean_final(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """The mean of finals by player."""
    return ranked_bars(
        frame,
        cast,
        unit=figures(frame, unit, mean=True),
        title=_with("{first} ends with {high}~ on average, {last} with {low}", unit),
        alike=_with("Games end with {high}~ on average, whoever plays", unit),
        subtitle=_with(
            "Means of final~; a few very rich games weigh heavily. Lines: 95% intervals.", unit or "figures"
        ),
    )


def final_strip(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """Every seat of every player, by its final."""
    return final_dots(
        frame,
        cast,
        unit=figures(frame, f"final {unit}".strip()),
        title=_with("Half of all seats end below {middle}~, while {first} once reached {high}", unit),
        alike=_with("Every seat ends with {high}~", unit),
        subtitle="A dot is a seat, a stroke the median; linear near 0, then log. Least: {low}, {poorest}.",
        linear=2.0 if float(frame["value"].abs().median()) < 200 else 200.0,  # type: ignore[arg-type]
    )


def mean_rank(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """The mean rank by player; the best is the lowest."""
    return ranked_bars(
        frame,
        cast,
        unit=RANK,
        title="{last} has the best mean rank, {low}; {first} the worst, {high}",
        alike="All rank alike, at {low}",
        subtitle=f"Rank at the game's end; ties share their ranks. {BARS}",
        ascending=True,
    )


def inequality(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """How unequally games end."""
    what = f"final {unit}" if unit else "finals"
    return gini_bars(frame, cast, subtitle=f"Mean Gini coefficient of {what}: 0 where all end alike. {BARS}")


_MOST_SEATS: Final = 30


def seat_effects(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """What seats end with, whoever holds them."""
    shown = frame.sort("seat").head(_MOST_SEATS)
    seats = [f"P{seat + 1}" for seat in shown["seat"]]
    some = f" The first {_MOST_SEATS} seats." if len(shown) < len(frame) else ""
    return ranked_bars(
        shown.with_columns(pl.Series("player", seats, dtype=pl.String)),
        Cast.of(seats, built_in=seats),
        unit=figures(shown, unit, mean=True),
        title=_with("{first} ends with {high}~ on average, {last} with {low}, whoever sits there", unit),
        alike=_with("Every seat ends with {high}~ on average", unit),
        subtitle=f"Mean final of a seat.{some} {BARS}",
    )


def answer_quality(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How far the answers are the players' own."""
    none = float(frame["value"].max()) == 0  # type: ignore[arg-type]
    return ranked_bars(
        frame,
        cast,
        unit=share("of answers, repaired or defaulted", 2),
        title="{high} of {first}'s answers were repaired or defaulted, {low} of {last}'s",
        alike="No answer was repaired or defaulted" if none else "{high} of all answers were repaired or defaulted",
        subtitle=f"Repaired: legal only after a refusal; defaulted: given by the game. {BARS}",
    )


def answer_times(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """How long players take."""
    return ranked_bars(
        frame,
        cast,
        unit=Unit("seconds an answer", decimals=1 if float(frame["value"].max()) >= 10 else 3),  # type: ignore[arg-type]
        title="{first} takes {high} seconds for an answer, {last} {low}",
        alike="An answer takes {high} seconds",
        subtitle=f"Mean over answers of the time that their calls took. {BARS}",
        ascending=True,
    )


def _with(words: str, unit: str) -> str:
    """The words with the unit in the place of the ~, which is no gap of theirs."""
    return words.replace("~", f" {unit}".replace("{", "{{").replace("}", "}}") if unit else "")
