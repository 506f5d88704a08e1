"""Who does best: the leaderboard, the charts that every game with finals has, and the sentences that all reports have
in common."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, NamedTuple, TypeAlias

import altair as alt
import polars as pl

from ostrom.analysis.leaders import Lead
from ostrom.analysis.ratings import LEAST_GAMES
from ostrom.analysis.standing import Rated
from ostrom.analysis.tables import GameTables, answers_by_player, frame
from ostrom.charts.families import Cast
from ostrom.charts.forms import INTERVALS, Bars, Drawing, Section, bars, strip
from ostrom.charts.matrix import Matrix
from ostrom.charts.render import styled
from ostrom.charts.words import GINI, RANK, Unit, alike, ends, figures, named, quoted, share
from ostrom.core.game import Game

RATINGS: Final = "trueskill"
"""The one chart that draws ratings and not a measure."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in the leaderboard."""

    name: str
    mu: float
    sigma: float
    games: int
    tier: int | None = None
    """1 is the best; nobody in a tier is told apart, by these games, from its first. Missing where nobody met, and of
    those whom no game compares with the others."""
    defaulted: float | None = None
    """The part of its answers that the game gave in its place; missing where that is not known."""
    repaired: float | None = None
    """The part that was legal only after a refusal; missing where that is not known."""
    provisional: bool = False
    """Whether it has too few games for a place: it leads nothing."""


class Beside(NamedTuple):
    """A measure that stands beside the ratings."""

    measure: str
    heading: str
    unit: Unit


def standings_of(rated: Sequence[Rated]) -> list[Standing]:
    """What the leaderboard shows of players that were rated."""
    shown = ("name", "mu", "sigma", "games", "tier", "defaulted", "repaired", "provisional")
    return [Standing(*(record[name] for name in shown)) for record in (one.as_record() for one in rated)]


_RATING: Final = {"value": pl.Float64, "low": pl.Float64, "high": pl.Float64, "n": pl.Int64, "defaulted": pl.Float64}
_PLACE: Final = {"place": pl.Int64, "player": pl.String, "tier": pl.Int64, "mu": pl.Float64, "sigma": pl.Float64}
_SHARES: Final = {"games": pl.Int64, "defaulted": pl.Float64, "repaired": pl.Float64}


def ratings_frame(standings: Sequence[Standing]) -> pl.DataFrame:
    """The standings as the table that the chart of ratings draws."""
    rows = [(one.name, one.mu, one.mu - one.sigma, one.mu + one.sigma, one.games, one.defaulted) for one in standings]
    made = frame(rows, {"player": pl.String, **_RATING})
    if all(one.tier is None for one in standings):
        return made
    return made.with_columns(pl.Series("tier", [one.tier for one in standings], dtype=pl.Int64))


def leaderboard_frame(
    standings: Sequence[Standing], measured: Mapping[str, pl.DataFrame], beside: Sequence[Beside]
) -> pl.DataFrame:
    """The leaderboard as a table for programs: place, player, tier, mu, sigma, games, the shares of defaulted and of
    repaired answers, and the measures beside them."""
    rows = [
        (place, one.name, one.tier, one.mu, one.sigma, one.games, one.defaulted, one.repaired)
        for place, one in enumerate(standings, start=1)
    ]
    board = frame(rows, {**_PLACE, **_SHARES})
    for name, _, _ in beside:
        values = measured[name].select("player", pl.col("value").alias(name))
        board = board.join(values, on="player", how="left", maintain_order="left")
    return board


def common_sections(game: Game) -> tuple[Section, ...]:
    """The charts that every game with finals has, in the words of this one."""
    unit = game.unit
    final, of = f"final {unit}" if unit else "final figure", f" {quoted(unit)}" if unit else ""
    finals = f"final {unit or 'figures'}"
    best = (
        Drawing(RATINGS, "TrueSkill leaderboard", trueskill),
        Bars(
            "median_final",
            f"Median {final}",
            partial(figures, name=unit),
            f"Half of {{first}}'s games end with {{high}}{of} or more; for {{last}} it is {{low}}",
            f"Half of the games end with {{high}}{of} or more, whoever plays",
            f"Medians of {finals}.",
            INTERVALS,
        ),
        Bars(
            "mean_final",
            f"Mean {final}",
            partial(figures, name=unit, mean=True),
            f"{{first}} ends with {{high}}{of} on average, {{last}} with {{low}}",
            f"Games end with {{high}}{of} on average, whoever plays",
            f"Means of {finals}; a few very rich games weigh heavily.",
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
        Matrix(
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
    outcomes = (unequal, Drawing("seat_effects", "Seat effects", partial(seat_effects, unit=unit)))
    return (
        Section("leaderboard", "Who does best", best),
        Section("outcomes", "How games end", outcomes),
        Section("answers", "Answer quality", _ANSWERS),
    )


def trueskill(frame: pl.DataFrame, cast: Cast) -> alt.LayerChart:
    """Ratings: `player`, `value` (μ), `low` and `high` (μ ± σ), `n` (games), `tier` where tiers are known, and
    `defaulted`, the share of the player's answers that the game gave in its place."""
    unit = Unit("TrueSkill μ", decimals=2)
    # Who has few games leads no headline.
    sure = frame.filter(pl.col("n") >= LEAST_GAMES)
    told = ends(sure if len(sure) else frame, cast, unit)
    title = f"{told.first} has the highest rating, {told.last} the lowest"
    if told.alone and len(sure) == len(frame):
        title = f"All are rated alike, at {told.high}"
    elif len(sure) < 2:
        title = f"All ratings are provisional: no two players have {LEAST_GAMES} games"
    elif "tier" in frame.columns:
        first = frame.filter(pl.col("tier") == 1)["player"].to_list()
        # Only one whom nobody shares the first tier with is said to lead.
        title = f"{cast.label(first[0])} leads" if len(first) == 1 else f"{len(first)} players share the first tier"
        title += f"; {told.last} has the lowest rating"
    known = "defaulted" in frame.columns and frame["defaulted"].count() > 0
    notes = [
        f" ± {(row['high'] - row['low']) / 2:.2f}  ·  {row['n']} games"
        + ("  ·  provisional" if row["n"] < LEAST_GAMES else "")
        + (f"  ·  {said(row['defaulted'], share(''))}" if known else "")
        for row in frame.iter_rows(named=True)
    ]
    whose = "The share is that of" if known else "Share of"
    answers = f"{whose} defaulted answers{'.' if known else ': –, unknown for these games.'}"
    return styled(
        bars(frame.with_columns(pl.Series("note", notes, dtype=pl.String)), cast, unit=unit, notes="note"),
        title=title,
        subtitle=f"Multi-pass TrueSkill: bars are μ, lines μ ± σ. Only differences in μ are meaningful. {answers}",
    )


def said(value: float | None, unit: Unit) -> str:
    """The figure, or that there is none."""
    return "–" if value is None else unit.say(value)


def final_strip(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """Every seat of every player, by its final."""
    shown = figures(frame, f"final {unit}".strip())
    told, of = ends(frame, cast, shown), f" {unit}" if unit else ""
    middle = shown.say(float(frame["value"].median()))  # type: ignore[arg-type]
    title = f"Half of all seats end below {middle}{of}, while {told.first} once reached {told.high}"
    poorest = named(sorted(set(frame.filter(pl.col("value") == frame["value"].min())["player"])), cast)
    linear = 2.0 if float(frame["value"].abs().median()) < 200 else 200.0  # type: ignore[arg-type]
    return styled(
        strip(frame, cast, unit=shown, symlog=True, linear=linear, dot=16, opacity=0.5),
        title=f"Every seat ends with {told.high}{of}" if told.alone else title,
        subtitle=f"A dot is a seat, a stroke the median; linear near 0, then log. Least: {told.low}, {poorest}.",
    )


_MOST_SEATS: Final = 30


def seat_effects(frame: pl.DataFrame, cast: Cast, *, unit: str) -> alt.LayerChart:
    """What seats end with, whoever holds them."""
    shown = frame.sort("seat").head(_MOST_SEATS)
    seats = [f"P{seat + 1}" for seat in shown["seat"]]
    some = f" The first {_MOST_SEATS} seats." if len(shown) < len(frame) else ""
    of = f" {quoted(unit)}" if unit else ""
    form = Bars(
        "seat_effects",
        "Seat effects",
        figures(shown, unit, mean=True),
        f"{{first}} ends with {{high}}{of} on average, {{last}} with {{low}}, whoever sits there",
        f"Every seat ends with {{high}}{of} on average",
        f"Mean final of a seat.{some}",
    )
    return form.draw(shown.with_columns(pl.Series("player", seats, dtype=pl.String)), Cast.of(seats, built_in=seats))


def _seconds(frame: pl.DataFrame) -> Unit:
    return Unit("seconds an answer", decimals=1 if max(frame["value"]) >= 10 else 3)


def _flawed_alike(frame: pl.DataFrame) -> str:
    none = max(frame["value"]) == 0
    return "No answer was repaired or defaulted" if none else "{high} of all answers were repaired or defaulted"


_ANSWERS: Final = (
    Bars(
        "answer_quality",
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

# The sentences that all reports have in common.

UNTOLD: Final = "cannot be told"
"""What is said where the games do not tell players apart."""
_NAMED: Final = 6
"""So many players are named with their shares; the tables hold all."""


def answers_sentence(tables: GameTables) -> str:
    """How many answers the game gave in a player's place, and how many are unknown; of all seats, also of those that
    were left out for it."""
    answers, imported, defaulted, repaired = (
        int(tables.asked[name].sum()) for name in ("answers", "imported", "defaulted", "repaired")
    )
    own = answers - imported
    told = []
    if own:
        also = " (seats left out are counted here)" if tables.left_out.by else ""
        told.append(
            f"Of {own:,} answers, {defaulted:,} ({100 * defaulted / own:.2f}%) were defaulted (given by the game in a "
            f"player's place) and {repaired:,} ({100 * repaired / own:.2f}%) were repaired (legal only after a "
            f"rejected reply){also}."
        )
    if imported:
        told.append(
            f"{imported:,} answers were imported from logs that do not say whether any was defaulted or repaired."
        )
    return " ".join(told)


def answers_by_player_sentence(tables: GameTables, cast: Cast) -> str:
    """Whose answers were defaulted or repaired, and what part of them; nothing where nobody's were."""
    found = answers_by_player(tables)
    told = []
    for word, part_of in (("Defaulted", "defaulted_share"), ("Repaired", "repaired_share")):
        parts = [(float(getattr(one, part_of) or 0), player) for player, one in found.items()]
        some = sorted((one for one in parts if one[0]), key=lambda one: (-one[0], one[1]))
        if some:
            whose = ", ".join(f"{cast.label(player)} {100 * part:.1f}%" for part, player in some[:_NAMED])
            more = f" and {len(some) - _NAMED} more" if len(some) > _NAMED else ""
            told.append(f"{word}, as a part of a player's own answers: {whose}{more}.")
    return " ".join(told)


_SKILL = Unit("", decimals=2)
_PART = share("")

RESAMPLED: Final = (
    "Intervals are at 95% and take games as the independent units. Who does most is named where that holds against all "
    "others together. What μ ± σ spans is one standard deviation of the rating's own uncertainty."
)


class Most(NamedTuple):
    """How it is said who does something most."""

    measure: str
    verb: str
    nobody: str
    """Where nobody does it at all."""
    equally: str
    """Where all do it alike."""


Leads: TypeAlias = Callable[[str], Lead | None]
"""Who leads by a measure, by its name; nothing where there are not two to be compared."""


def found_of(
    standings: Sequence[Standing],
    measured: Mapping[str, pl.DataFrame],
    cast: Cast,
    *,
    course: Sequence[str],
    mosts: Sequence[Most],
    leads: Leads,
) -> list[str]:
    """The sentences that say what was found, in their order: who leads, the game's own on its `course`, and who does
    most of what."""
    told = [leader(standings, cast), *course]
    told += [most_of(measured[most.measure], most, cast, leads(most.measure)) for most in mosts]
    return [sentence for sentence in told if sentence]


def how_found(tables: GameTables, cast: Cast) -> list[str]:
    """What is said behind the findings: whose the answers are, and what intervals mean."""
    told = [answers_sentence(tables), answers_by_player_sentence(tables, cast), RESAMPLED]
    return [sentence for sentence in told if sentence]


def leader(standings: Sequence[Standing], cast: Cast) -> str:
    """Who leads the ratings, and who cannot be told apart from the leader."""
    if not standings:
        return ""
    best = standings[0]
    if len(standings) > 1 and alike(min(one.mu for one in standings), max(one.mu for one in standings)):
        return f"Nobody leads the ratings: all {len(standings)} players are equal, at μ {_SKILL.say(best.mu)}."
    if best.provisional:
        return f"Nobody leads the ratings: all are provisional, of players with fewer than {LEAST_GAMES} games."
    first = [one.name for one in standings if one.tier == 1]
    does = "leads the ratings with" if len(first) == 1 else "has the highest rating,"
    told = f"{cast.label(best.name)} {does} μ {_SKILL.say(best.mu)} ± {_SKILL.say(best.sigma)}"
    if len(standings) > 1 and not standings[1].provisional:
        second = standings[1]
        told += f", before {cast.label(second.name)} ({_SKILL.say(second.mu)} ± {_SKILL.say(second.sigma)})"
    if best.tier is None:
        return f"{told}."
    tiers = len({one.tier for one in standings} - {None})
    others = "it alone" if len(first) == 1 else f"{len(first)} players: {_listed(first, cast)}"
    apart = f"{tiers} tiers apart; the first holds {others}" if tiers > 1 else "nobody apart"
    told += f". The games tell {apart}."
    unlinked = [one.name for one in standings if one.tier is None and not one.provisional]
    told += f" No game compares {_listed(unlinked, cast)} with the others." if unlinked else ""
    few = [one.name for one in standings if one.provisional]
    return f"{told} With fewer than {LEAST_GAMES} games, provisional: {_listed(few, cast)}." if few else told


def _listed(players: Sequence[str], cast: Cast) -> str:
    if len(players) > 4:
        return f"{named(players[:1], cast)} to {named(players[-1:], cast)}"
    return ", ".join(cast.label(player) for player in players)


def richest(frame: pl.DataFrame, cast: Cast, unit: Unit, lead: Lead | None, *, verb: str, alike: str) -> str:
    """Who ends with most, or that it cannot be told; nothing where nobody can be compared."""
    told = ends(frame, cast, unit) if len(frame) else None
    if told is not None and told.alone:
        return told.filled("", alike)
    return "" if lead is None else _who(frame, lead, verb, cast, unit)


def most_of(frame: pl.DataFrame, most: Most, cast: Cast, lead: Lead | None) -> str:
    """Who does something most, and how much of it, or that it cannot be told; nothing where nobody can be compared."""
    known = frame.filter(pl.col("value").is_not_null())
    if lead is None:
        return ""
    told = ends(known, cast, _PART)
    if told.alone:
        return f"{most.nobody}." if max(known["value"]) == 0 else f"{most.equally}: {told.high}."
    return _who(known, lead, most.verb, cast, _PART)


def _who(frame: pl.DataFrame, lead: Lead, verb: str, cast: Cast, unit: Unit) -> str:
    """Who does something, with the figure and its interval; or that the games do not tell."""
    row = frame.row(by_predicate=pl.col("player") == lead.player, named=True)
    who, figure = cast.label(lead.player), with_interval(row, unit)
    some = f" of the {lead.compared} players with enough games" if lead.compared < lead.players else ""
    if not lead.rivals:
        return f"{who} {verb}{some}: {figure}."
    rivals = f"{named(lead.rivals, cast)}{some}"
    return f"Who {verb} {UNTOLD}: {who} is first with {figure}, and is not told apart from {rivals}."


def with_interval(row: Mapping[str, float | None], unit: Unit = _PART) -> str:
    """A figure with its interval; a share, where nothing else is said."""
    value, low, high = row["value"], row["low"], row["high"]
    assert value is not None
    if low is None or high is None:
        return unit.say(value)
    return f"{unit.say(value)} ({unit.say(low)} to {unit.say(high)})"


def span(column: pl.Series) -> str:
    """The lowest and the highest, or the one that there is."""
    low, high = column.min(), column.max()
    return f"{low!s}" if low == high else f"{low!s} to {high!s}"


def switched(column: pl.Series, name: str) -> str:
    """Whether games were played with a rule that can be on or off."""
    found = set(column.to_list())
    if len(found) > 1:
        return f"with and without {name}"
    return f"with {name}" if found == {True} else f"without {name}"
