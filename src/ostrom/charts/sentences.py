"""The sentences that all reports share: the leader, the players that do most of something, and the provenance of
answers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple, TypeAlias

import polars as pl

from ostrom.analysis.contrasts import Lead
from ostrom.analysis.ratings import LEAST_GAMES
from ostrom.analysis.tables import GameTables, answers_by_player
from ostrom.charts.families import Cast
from ostrom.charts.standings import PlayerStanding
from ostrom.charts.words import Unit, alike, ends, named, share

UNDETERMINED: Final = "cannot be told"
"""Written where the games do not show a significant difference."""
MAX_NAMED_PLAYERS: Final = 6
"""The most players named with their shares; the tables have all."""


def answers_sentence(tables: GameTables) -> str:
    """Return the numbers of defaulted, repaired and imported answers in a sentence, of all seats, also excluded
    ones."""
    answers, imported, defaulted, repaired = (
        int(tables.all_seats[name].sum()) for name in ("answers", "imported", "defaulted", "repaired")
    )
    own = answers - imported
    sentences = []
    if own:
        also = " (seats left out are counted here)" if tables.left_out.by else ""
        sentences.append(
            f"Of {own:,} answers, {defaulted:,} ({100 * defaulted / own:.2f}%) were defaulted (given by the game in a "
            f"player's place) and {repaired:,} ({100 * repaired / own:.2f}%) were repaired (legal only after a "
            f"rejected reply){also}."
        )
    if imported:
        sentences.append(
            f"{imported:,} answers were imported from logs that do not say whether any was defaulted or repaired."
        )
    return " ".join(sentences)


def answers_by_player_sentence(tables: GameTables, cast: Cast) -> str:
    """Return the players' shares of defaulted and repaired answers in a sentence; empty where there are none."""
    counts = answers_by_player(tables)
    sentences = []
    for word, part_of in (("Defaulted", "defaulted_share"), ("Repaired", "repaired_share")):
        parts = [(float(getattr(one, part_of) or 0), player) for player, one in counts.items()]
        some = sorted((one for one in parts if one[0]), key=lambda one: (-one[0], one[1]))
        if some:
            listed = ", ".join(f"{cast.label(player)} {100 * part:.1f}%" for part, player in some[:MAX_NAMED_PLAYERS])
            more = f" and {len(some) - MAX_NAMED_PLAYERS} more" if len(some) > MAX_NAMED_PLAYERS else ""
            sentences.append(f"{word}, as a part of a player's own answers: {listed}{more}.")
    return " ".join(sentences)


_SKILL = Unit("", decimals=2)
_PART = share("")

RESAMPLED: Final = (
    "Intervals are at 95% and take games as the independent units. Who does most is named where that holds against all "
    "others together. What μ ± σ spans is one standard deviation of the rating's own uncertainty."
)


class Most(NamedTuple):
    """The words for the player that does most of something."""

    measure: str
    verb: str
    none_do: str
    """The sentence where no player does it."""
    equally: str
    """The sentence where all do it equally."""


Leads: TypeAlias = Callable[[str], Lead | None]
"""Returns the leader by a measure's name, or None where no two players can be compared."""


def finding_sentences(
    standings: Sequence[PlayerStanding],
    measured: Mapping[str, pl.DataFrame],
    cast: Cast,
    *,
    course: Sequence[str],
    mosts: Sequence[Most],
    leads: Leads,
) -> list[str]:
    """Return the sentences on findings, in order: the leader, the game's own on its `course`, and the players that do
    most of something."""
    sentences = [leader(standings, cast), *course]
    sentences += [most_of(measured[most.measure], most, cast, leads(most.measure)) for most in mosts]
    return [sentence for sentence in sentences if sentence]


def method_sentences(tables: GameTables, cast: Cast) -> list[str]:
    """Return the sentences after the findings: the provenance of answers, and the meaning of intervals."""
    sentences = [answers_sentence(tables), answers_by_player_sentence(tables, cast), RESAMPLED]
    return [sentence for sentence in sentences if sentence]


def leader(standings: Sequence[PlayerStanding], cast: Cast) -> str:
    """Return who leads the ratings, and the players that do not differ significantly from the leader."""
    if not standings:
        return ""
    best = standings[0]
    if len(standings) > 1 and alike(min(one.mu for one in standings), max(one.mu for one in standings)):
        return f"No player leads the ratings: all {len(standings)} players are equal, at μ {_SKILL.say(best.mu)}."
    if best.provisional:
        return f"No player leads the ratings: all are provisional, of players with fewer than {LEAST_GAMES} games."
    first = [one.name for one in standings if one.tier == 1]
    does = "leads the ratings with" if len(first) == 1 else "has the highest rating,"
    text = f"{cast.label(best.name)} {does} μ {_SKILL.say(best.mu)} ± {_SKILL.say(best.sigma)}"
    if len(standings) > 1 and not standings[1].provisional:
        second = standings[1]
        text += f", before {cast.label(second.name)} ({_SKILL.say(second.mu)} ± {_SKILL.say(second.sigma)})"
    if best.tier is None:
        return f"{text}."
    tiers = len({one.tier for one in standings} - {None})
    others = "it alone" if len(first) == 1 else f"{len(first)} players: {_list_players(first, cast)}"
    apart = f"{tiers} tiers apart; the first holds {others}" if tiers > 1 else "no players apart"
    text += f". The games tell {apart}."
    unlinked = [one.name for one in standings if one.tier is None and not one.provisional]
    text += f" No game compares {_list_players(unlinked, cast)} with the others." if unlinked else ""
    few = [one.name for one in standings if one.provisional]
    return f"{text} With fewer than {LEAST_GAMES} games, provisional: {_list_players(few, cast)}." if few else text


def _list_players(players: Sequence[str], cast: Cast) -> str:
    if len(players) > 4:
        return f"{named(players[:1], cast)} to {named(players[-1:], cast)}"
    return ", ".join(cast.label(player) for player in players)


def richest(frame: pl.DataFrame, cast: Cast, unit: Unit, lead: Lead | None, *, verb: str, alike: str) -> str:
    """Return who ends with most, or that it is undetermined; empty where no two players can be compared."""
    extremes = ends(frame, cast, unit) if len(frame) else None
    if extremes is not None and extremes.alone:
        return extremes.filled("", alike)
    return "" if lead is None else _name_leader(frame, lead, verb, cast, unit)


def most_of(frame: pl.DataFrame, most: Most, cast: Cast, lead: Lead | None) -> str:
    """Return who does something most, with the figure, or that it is undetermined; empty where no two can be
    compared."""
    figures = frame.filter(pl.col("value").is_not_null())
    if lead is None:
        return ""
    extremes = ends(figures, cast, _PART)
    if extremes.alone:
        return f"{most.none_do}." if max(figures["value"]) == 0 else f"{most.equally}: {extremes.high}."
    return _name_leader(figures, lead, most.verb, cast, _PART)


def _name_leader(frame: pl.DataFrame, lead: Lead, verb: str, cast: Cast, unit: Unit) -> str:
    """Return who does something, with the figure and its interval; or that it is undetermined."""
    row = frame.row(by_predicate=pl.col("player") == lead.player, named=True)
    who, figure = cast.label(lead.player), with_interval(row, unit)
    some = f" of the {lead.compared} players with enough games" if lead.compared < lead.players else ""
    if not lead.rivals:
        return f"{who} {verb}{some}: {figure}."
    rivals = f"{named(lead.rivals, cast)}{some}"
    return f"Who {verb} {UNDETERMINED}: {who} is first with {figure}, and is not told apart from {rivals}."


def with_interval(row: Mapping[str, float | None], unit: Unit = _PART) -> str:
    """Return a figure with its interval; by default a share."""
    value, low, high = row["value"], row["low"], row["high"]
    assert value is not None
    if low is None or high is None:
        return unit.say(value)
    return f"{unit.say(value)} ({unit.say(low)} to {unit.say(high)})"


def span(column: pl.Series) -> str:
    """Return the lowest and the highest value, or the only one."""
    low, high = column.min(), column.max()
    return f"{low!s}" if low == high else f"{low!s} to {high!s}"


def switched(column: pl.Series, name: str) -> str:
    """Return in words whether games were played with a rule that can be on or off."""
    values = set(column.to_list())
    if len(values) > 1:
        return f"with and without {name}"
    return f"with {name}" if values == {True} else f"without {name}"
