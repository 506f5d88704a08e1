"""The leaderboard: ratings with what else a reader wants to see of each player on one line."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import polars as pl

from ostrom.charts.families import Cast
from ostrom.charts.page import Cell, table
from ostrom.charts.words import TOKENS, WHOLE, Unit, share
from ostrom.study.played import Played, answers_by_player
from ostrom.study.standing import Rated


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
