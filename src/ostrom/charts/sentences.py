"""The sentences that all reports have in common: who leads, who does most of what, and whose the answers are."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import polars as pl

from ostrom.analysis.contrasts import Lead
from ostrom.analysis.ratings import LEAST_GAMES
from ostrom.analysis.tables import GameTables, answers_by_player
from ostrom.charts.families import Cast
from ostrom.charts.standings import PlayerStanding
from ostrom.charts.words import Unit, alike, ends, named, share

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
    standings: Sequence[PlayerStanding],
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


def leader(standings: Sequence[PlayerStanding], cast: Cast) -> str:
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
