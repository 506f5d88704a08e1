"""The leaderboard, and the charts of every game with finals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, NamedTuple

import altair as alt
import polars as pl

from ostrom.analysis.leaderboard import MeasuredColumn, RatedPlayer
from ostrom.analysis.ratings import LEAST_GAMES, Placement
from ostrom.analysis.tables import frame
from ostrom.charts.families import Cast
from ostrom.charts.forms import INTERVALS, Bars, Drawing, Section, bars
from ostrom.charts.matrix import PairMatrix, strip
from ostrom.charts.render import styled
from ostrom.charts.words import GINI, RANK, Unit, ends, figures, named, quoted, share
from ostrom.core.estimates import Estimate
from ostrom.core.finding import number
from ostrom.core.game import Game

RATINGS: Final = "trueskill"
"""The name of the chart that draws ratings instead of a measure."""


@dataclass(frozen=True, slots=True)
class PlayerStanding:
    """A player's place in the leaderboard."""

    name: str
    mu: float
    sigma: float
    games: int
    tier: int | None = None
    """The player's tier; 1 is the best tier. No player of a tier differs significantly from the first player of this
    tier. None if no two players met, and for players that no game compares with the others."""
    defaulted: float | None = None
    """The share of the player's answers that the game gave in the player's place. None if the share is unknown."""
    repaired: float | None = None
    """The share of the player's answers that were legal only after a refusal. None if the share is unknown."""
    provisional: bool = False
    """True if the player has too few games for a tier. A provisional player is never the leader."""
    rating: Estimate | None = None
    """The rating by a method other than TrueSkill, if such a method orders the players."""
    place: Placement | None = None
    """The player's tier and ranks, with the tests on which they are based; None if no two players met."""
    by_payoff: bool = False
    """True if these tests compare ratings by payoff, and not order-free strengths."""


class LeaderboardColumn(NamedTuple):
    """A measure shown in a column of the leaderboard."""

    measure: str
    heading: str
    unit: Unit


def standings_of(rated: Sequence[RatedPlayer]) -> list[PlayerStanding]:
    """Return the standings of rated players."""
    fields = ("name", "mu", "sigma", "games", "tier", "defaulted", "repaired", "provisional")
    return [
        replace(
            PlayerStanding(*(player.values[name] for name in fields)),
            rating=player.method_rating,
            place=player.place,
            by_payoff=player.by_payoff,
        )
        for player in rated
    ]


_RATING: Final = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64, "defaulted": pl.Float64}


def ratings_frame(standings: Sequence[PlayerStanding]) -> pl.DataFrame:
    """Return the standings as the table for the chart of ratings. The rating in the table is the one that orders the
    players, by default TrueSkill."""
    by_method = any(standing.rating is not None for standing in standings)
    rows = []
    for standing in standings:
        span: tuple[float | None, ...] = standing.mu, standing.mu - standing.sigma, standing.mu + standing.sigma
        if by_method:
            own = standing.rating or Estimate(None)
            span = own.value, own.low, own.high
        rows.append((standing.name, *span, standing.games, standing.defaulted))
    table = frame(rows, {"player": pl.String, **_RATING})
    table = table.with_columns(by_method=pl.lit(True)) if by_method else table
    if all(standing.tier is None for standing in standings):
        return table
    return table.with_columns(pl.Series("tier", [standing.tier for standing in standings], dtype=pl.Int64))


def measured_columns(
    columns: Sequence[LeaderboardColumn], measured: Mapping[str, pl.DataFrame]
) -> list[MeasuredColumn]:
    """Return the measures that have columns in the leaderboard, with their figures by player."""
    return [
        MeasuredColumn(
            number(column.measure, column.heading, column.unit.format),
            dict(measured[column.measure].select("player", "value").iter_rows()),
        )
        for column in columns
    ]


def common_sections(game: Game) -> tuple[Section, ...]:
    """Return the charts of every game with finals, with this game's unit."""
    unit = game.unit
    final, of = f"final {unit}" if unit else "final figure", f" {quoted(unit)}" if unit else ""
    best = (
        Drawing(RATINGS, f"{'Payoff' if game.aim == 'payoff' else 'TrueSkill'} leaderboard", draw_ratings),
        Bars(
            "median_final",
            f"Median {final}",
            partial(figures, name=unit),
            f"Half of {{first}}'s games end with {{high}}{of} or more; for {{last}} it is {{low}}",
            f"Half of the games end with {{high}}{of} or more, for all players",
            f"Medians of final {unit or 'figures'}.",
            INTERVALS,
        ),
        Bars(
            "mean_final",
            f"Mean {final}",
            partial(figures, name=unit, mean=True),
            f"{{first}} ends with {{high}}{of} on average, {{last}} with {{low}}",
            f"Games end with {{high}}{of} on average, for all players",
            f"Means of final {unit or 'figures'}; a few very rich games weigh heavily.",
            INTERVALS,
        ),
        Drawing("final_strip", f"{final.capitalize()}, seat by seat", partial(final_strip, unit=unit), dots=True),
        Bars(
            "mean_rank",
            "Mean rank",
            RANK,
            "{last} has the best mean rank, {low}; {first} the worst, {high}",
            "All have the same mean rank, {low}",
            "Rank at the game's end; ties share their ranks.",
            ascending=True,
        ),
        PairMatrix(
            "head_to_head",
            "Head to head",
            share("of meetings, ended ahead"),
            "In {apart} of {pairs} one ends ahead more often, by the pair's own interval; chance alone makes {chance}",
            "",
            "Share of meetings in which the player of a row ends ahead of the player of a column; ties count half. "
            "Pale: the interval holds one half, or there are fewer than six games.",
            whom="against",
            balanced=True,
        ),
    )
    unequal = Bars(
        "inequality",
        "Inequality",
        GINI,
        "Games with {first} end most unequally (Gini {high}), with {last} least so ({low})",
        "Games end with a Gini coefficient of {high}",
        f"Mean Gini coefficient of {final if unit else 'finals'}: 0 if all end with the same.",
    )
    by_seat = Drawing("seat_effects", "Seat effects", partial(seat_effects, unit=unit))
    return (
        Section("leaderboard", "Who does best", best),
        Section("outcomes", "How games end", (unequal, by_seat)),
        Section("answers", "Answer quality", _ANSWERS),
    )


def draw_ratings(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Draw ratings. The table has `player`, `value`, `low` and `high`: TrueSkill's μ ± σ or, if there is a column
    `by_method`, the rating of another method with its interval. It also has `n` (games), `tier` if tiers are known, and
    `defaulted`, the share of the player's answers that the game gave in its place."""
    by_method = "by_method" in frame.columns
    unit = Unit("rating" if by_method else "TrueSkill μ", decimals=2)
    # Players with few games are not named in the title.
    ranked = frame.filter(pl.col("n") >= LEAST_GAMES)
    extremes = ends(ranked if len(ranked) else frame, cast, unit)
    title = f"{extremes.first} has the highest rating, {extremes.last} the lowest"
    if extremes.alone and len(ranked) == len(frame):
        title = f"All are rated alike, at {extremes.high}"
    elif len(ranked) < 2:
        title = f"All ratings are provisional: no two players have {LEAST_GAMES} games"
    elif "tier" in frame.columns:
        first = frame.filter(pl.col("tier") == 1)["player"].to_list()
        # A player leads only if no other player is in the first tier.
        title = f"{cast.label(first[0])} leads" if len(first) == 1 else f"{len(first)} players share the first tier"
        title += f"; {extremes.last} has the lowest rating"
    answers_known = "defaulted" in frame.columns and frame["defaulted"].count() > 0
    notes = [
        ("" if row["low"] is None else f" ± {(row['high'] - row['low']) / 2:.2f}")
        + f"  ·  {row['n']} games"
        + ("  ·  provisional" if row["n"] < LEAST_GAMES else "")
        + (f"  ·  {format_or_dash(row['defaulted'], share(''))}" if answers_known else "")
        for row in frame.iter_rows(named=True)
    ]
    prefix = "The share is that of" if answers_known else "Share of"
    answers = f"{prefix} defaulted answers{'.' if answers_known else ': –, unknown for these games.'}"
    return styled(
        bars(frame.with_columns(pl.Series("note", notes, dtype=pl.String)), cast, unit=unit, notes="note"),
        title=title,
        subtitle=f"{_BY_METHOD if by_method else _TRUESKILL} {answers}",
    )


_TRUESKILL: Final = "Multi-pass TrueSkill: bars are μ, lines μ ± σ. Only differences in μ are meaningful."
_BY_METHOD: Final = "Bars are the rating that orders the players, relative to the others; lines are 95% intervals."


def format_or_dash(value: float | None, unit: Unit) -> str:
    """Return the figure as text, or a dash if there is no figure."""
    return "–" if value is None else unit.say(value)


def final_strip(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """Draw the final of every seat of every player."""
    unit_of_axis = figures(frame, f"final {unit}".strip())
    extremes, of = ends(frame, cast, unit_of_axis), f" {unit}" if unit else ""
    middle = unit_of_axis.say(float(frame["value"].median()))  # type: ignore[arg-type]
    title = f"Half of all seats end with {middle}{of} or less, while {extremes.first} once reached {extremes.high}"
    poorest = named(sorted(set(frame.filter(pl.col("value") == frame["value"].min())["player"])), cast)
    linear = 2.0 if float(frame["value"].abs().median()) < 200 else 200.0  # type: ignore[arg-type]
    return styled(
        strip(frame, cast, unit=unit_of_axis, symlog=True, linear=linear, dot=16, opacity=0.5),
        title=f"Every seat ends with {extremes.high}{of}" if extremes.alone else title,
        subtitle=f"A dot is a seat, a stroke the median; linear near 0, then log. Least: {extremes.low}, {poorest}.",
    )


MAX_SEATS: Final = 30


def seat_effects(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """Draw the mean final of each seat."""
    rows = frame.sort("seat").head(MAX_SEATS)
    seats = [f"P{seat + 1}" for seat in rows["seat"]]
    some = f" The first {MAX_SEATS} seats." if len(rows) < len(frame) else ""
    of = f" {quoted(unit)}" if unit else ""
    form = Bars(
        "seat_effects",
        "Seat effects",
        figures(rows, unit, mean=True),
        f"{{first}} ends with {{high}}{of} on average, {{last}} with {{low}}, for any player",
        f"Every seat ends with {{high}}{of} on average",
        f"Mean final of a seat.{some}",
    )
    return form.draw(rows.with_columns(pl.Series("player", seats, dtype=pl.String)), Cast.of(seats, built_in=seats))


def _seconds(frame: pl.DataFrame) -> Unit:
    return Unit("seconds an answer", decimals=1 if max(frame["value"]) >= 10 else 3)


def _flawed_alike(frame: pl.DataFrame) -> str:
    none = max(frame["value"]) == 0
    return "No answer was repaired or defaulted" if none else "{high} of all answers were repaired or defaulted"


_ANSWERS: Final = (
    Bars(
        "repaired_or_defaulted",
        "Answers repaired or defaulted",
        share("of answers, repaired or defaulted", 2),
        "{high} of {first}'s answers were repaired or defaulted, {low} of {last}'s",
        _flawed_alike,
        "Repaired: legal only after a rejected reply; defaulted: given by the game in a player's place.",
        optional=True,
    ),
    Bars(
        "answer_times",
        "Answer times",
        _seconds,
        "{first} takes {high} seconds for an answer, {last} {low}",
        "An answer takes {high} seconds",
        "Mean over answers of the time that their calls took.",
        ascending=True,
        optional=True,
    ),
)
