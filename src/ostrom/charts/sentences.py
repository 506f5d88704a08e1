"""The sentences that all reports share. They are about the leader, the players that do something most, and the
provenance of answers."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, NamedTuple, TypeAlias

import polars as pl

from ostrom.analysis.leaderboard import BASES, pairs_sentence
from ostrom.analysis.leads import Lead
from ostrom.analysis.ratings import LEAST_GAMES, pairs_apart
from ostrom.analysis.tables import GameTables, answers_by_player
from ostrom.charts.families import Cast
from ostrom.charts.standings import PlayerStanding
from ostrom.charts.words import Unit, alike, ends, named, share
from ostrom.core.text import number_of

UNDETERMINED: Final = "cannot be told"
"""The words for a comparison in which the games show no significant difference."""
MAX_NAMED_PLAYERS: Final = 6
"""The largest number of players that a sentence names with their shares. The tables list all players."""


def answers_sentence(tables: GameTables) -> str:
    """Return a sentence with the numbers of defaulted, repaired and imported answers of all seats, including excluded
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
    """Return a sentence on the players' shares of defaulted and repaired answers. It is empty if there are no such
    answers."""
    counts = answers_by_player(tables)
    sentences = []
    for word, part_of in (("Defaulted", "defaulted_share"), ("Repaired", "repaired_share")):
        parts = [(float(getattr(count, part_of) or 0), player) for player, count in counts.items()]
        some = sorted((part for part in parts if part[0]), key=lambda part: (-part[0], part[1]))
        if some:
            listed = ", ".join(f"{cast.label(player)} {100 * part:.1f}%" for part, player in some[:MAX_NAMED_PLAYERS])
            more = f" and {len(some) - MAX_NAMED_PLAYERS} more" if len(some) > MAX_NAMED_PLAYERS else ""
            sentences.append(f"{word}, as a part of a player's own answers: {listed}{more}.")
    return " ".join(sentences)


_SKILL = Unit("", decimals=2)
_PART = share("")

RESAMPLED: Final = (
    "Intervals have 95% confidence. Their independent units are games, or groups of games that depend on each other. "
    "They are about further games of these players, under these rules, against these opponents. A sentence names the "
    "player that does most only if this player differs from all others, tested together."
)
SPREAD_OF_SKILL: Final = "σ, after ±, is the standard deviation of the rating's uncertainty."
"""The sentence that is added where a sentence shows μ."""


def typically(unit: str, *, negative: bool) -> str:
    """Return the words that name the figure of a typical game: the mean of logarithms (`log_final`), turned back into a
    final. With `negative`, some finals are below 0."""
    of = unit or "final"
    below = f", and of −log₂(1 − {of}) where {of} {'are' if unit.endswith('s') else 'is'} below 0" if negative else ""
    return f" in a typical game (by the mean of log₂(1 + {of}){below})"


class Most(NamedTuple):
    """The words of the sentences about the player that does something most."""

    measure: str
    verb: str
    none_do: str
    """The sentence for the case that no player does it."""
    equally: str
    """The sentence for the case that all players do it equally."""


Leads: TypeAlias = Callable[[str], Lead | None]
"""A function that returns the leader by a measure's name, or None if no two players can be compared."""


def finding_sentences(
    standings: Sequence[PlayerStanding],
    measured: Mapping[str, pl.DataFrame],
    cast: Cast,
    *,
    course: Sequence[str],
    mosts: Sequence[Most],
    leads: Leads,
) -> list[str]:
    """Return the sentences that state findings, in this order: the leader of the ratings, the game's own sentences on
    the `course` of games, and the players that do something most."""
    sentences = [leader(standings, cast), *course]
    sentences += [most_of(measured[most.measure], most, cast, leads(most.measure)) for most in mosts]
    return [sentence for sentence in sentences if sentence]


def method_sentences(tables: GameTables, standings: Sequence[PlayerStanding], cast: Cast) -> list[str]:
    """Return the sentences after the findings: the provenance of answers, and the meaning of intervals."""
    skill = any(standing.rating is None and not standing.provisional for standing in standings)
    meaning = f"{RESAMPLED} {SPREAD_OF_SKILL}" if skill else RESAMPLED
    sentences = [answers_sentence(tables), answers_by_player_sentence(tables, cast), meaning]
    return [sentence for sentence in sentences if sentence]


def leader(standings: Sequence[PlayerStanding], cast: Cast) -> str:
    """Return a sentence on the player that leads the ratings, and on the players that do not differ significantly from
    it."""
    if not standings:
        return ""
    best = standings[0]
    ratings = [standing.mu if standing.rating is None else standing.rating.value or 0.0 for standing in standings]
    if len(standings) > 1 and alike(min(ratings), max(ratings)):
        at = f"at μ {_SKILL.say(best.mu)}" if best.rating is None else f"at {_SKILL.say(ratings[0])}"
        return f"No player leads the ratings: all {len(standings)} players are equal, {at}."
    if best.provisional:
        return f"No player leads the ratings: all have fewer than {LEAST_GAMES} games, so all ratings are provisional."
    tested = [standing for standing in standings if standing.tier is not None and standing.place is not None]
    first = [standing.name for standing in tested if standing.place and not standing.place.behind_leader]
    does = "leads the ratings with" if len(first) == 1 else "has the highest rating,"
    # TrueSkill rates by ranks. The other methods describe their ratings when the user chooses them.
    basis = "By places within these games, not by amounts, " if best.rating is None else "In these games "
    text = f"{basis}{cast.label(best.name)} {does} {_rating_text(best, 'μ ')}"
    if len(standings) > 1 and not standings[1].provisional:
        second = standings[1]
        text += f", before {cast.label(second.name)} ({_rating_text(second)})"
    if best.tier is None:
        return f"{text}."
    places = [standing.place for standing in tested if standing.place]
    pairs = pairs_sentence(places, BASES[best.by_payoff])
    text += f". {pairs}" if pairs else "."
    if pairs and 1 < len(first) < len(tested):
        rivals = [cast.label(name) for name in first if name != best.name]
        more = f" and {len(rivals) - MAX_NAMED_PLAYERS} more" if len(rivals) > MAX_NAMED_PLAYERS else ""
        text += f" Not told apart from {cast.label(best.name)}: {', '.join(rivals[:MAX_NAMED_PLAYERS])}{more}."
    elif len(first) > 1 and pairs_apart(places)[0]:
        text += f" No player is told apart from {cast.label(best.name)}."
    unlinked = [standing.name for standing in standings if standing.tier is None and not standing.provisional]
    text += f" No game compares {_list_players(unlinked, cast)} with the others." if unlinked else ""
    few = [standing.name for standing in standings if standing.provisional]
    return f"{text} With fewer than {LEAST_GAMES} games, provisional: {_list_players(few, cast)}." if few else text


def _rating_text(standing: PlayerStanding, symbol: str = "") -> str:
    """Return a player's rating as text. TrueSkill's rating has its standard deviation; the rating of another method has
    its interval."""
    rating = standing.rating
    if rating is None:
        return f"{symbol}{_SKILL.say(standing.mu)} ± {_SKILL.say(standing.sigma)}"
    if rating.value is None or rating.low is None or rating.high is None:
        return "–" if rating.value is None else _SKILL.say(rating.value)
    return f"{_SKILL.say(rating.value)}, interval {_SKILL.say(rating.low)} to {_SKILL.say(rating.high)}"


def _list_players(players: Sequence[str], cast: Cast) -> str:
    if len(players) > 4:
        return f"{named(players[:1], cast)} to {named(players[-1:], cast)}"
    return ", ".join(cast.label(player) for player in players)


def richest(
    means: pl.DataFrame, typical: pl.DataFrame, cast: Cast, unit: Unit, lead: Lead | None, *, verb: str, alike: str
) -> str:
    """Return a sentence on the player with the highest final in a typical game, or a sentence that this player is
    undetermined. Return an empty text if no two players can be compared. The typical game is used because a mean
    depends on a few games with high finals."""
    extremes = ends(means, cast, unit) if len(means) else None
    if extremes is not None and extremes.alone:
        return extremes.filled("", alike)
    return "" if lead is None else _name_leader(typical, replace(lead, detectable=None), verb, cast, unit)


def most_of(frame: pl.DataFrame, most: Most, cast: Cast, lead: Lead | None) -> str:
    """Return a sentence on the player that does something most, with its figure, or a sentence that this player is
    undetermined. Return an empty text if no two players can be compared."""
    figures = frame.filter(pl.col("value").is_not_null())
    if lead is None:
        return ""
    extremes = ends(figures, cast, _PART)
    if extremes.alone:
        return f"{most.none_do}." if max(figures["value"]) == 0 else f"{most.equally}: {extremes.high}."
    return _name_leader(figures, lead, most.verb, cast, _PART)


def _name_leader(frame: pl.DataFrame, lead: Lead, verb: str, cast: Cast, unit: Unit) -> str:
    """Return a sentence on the player that leads by a figure, with this figure and its interval, or a sentence that
    this player is undetermined."""
    row = frame.row(by_predicate=pl.col("player") == lead.player, named=True)
    who, figure = cast.label(lead.player), with_interval(row, unit)
    some = f" of the {lead.compared} players with enough games" if lead.compared < lead.players else ""
    if not lead.rivals:
        return f"{who} {verb}{some}: {figure}."
    rivals = f"{named(lead.rivals, cast)}{some}"
    text = f"Who {verb} {UNDETERMINED}: {who} is first with {figure}, and is not told apart from {rivals}."
    if lead.pairs:
        are = "is" if lead.pairs_apart == 1 else "are"
        text += f" By this figure, {lead.pairs_apart:,} of {number_of(lead.pairs, 'pair')} of players {are} told apart"
        if lead.detectable is not None:
            points = " points" if unit.share else ""
            text += f"; a difference of {unit.say(lead.detectable).removesuffix('%')}{points} from the first would be"
            text += " seen with a power of 80%"
        text += "."
    return text


def with_interval(row: Mapping[str, float | None], unit: Unit = _PART) -> str:
    """Return a figure with its interval as text. The default unit is that of a share."""
    value, low, high = row["value"], row["low"], row["high"]
    assert value is not None
    if low is None or high is None:
        return unit.say(value)
    return f"{unit.say(value)} ({unit.say(low)} to {unit.say(high)})"


def span(column: pl.Series) -> str:
    """Return a text with the lowest and the highest value, or with the only value."""
    low, high = column.min(), column.max()
    return f"{low!s}" if low == high else f"{low!s} to {high!s}"


def switched(column: pl.Series, name: str) -> str:
    """Return a text that says whether the games were played with a rule that can be switched on or off."""
    values = set(column.to_list())
    if len(values) > 1:
        return f"with and without {name}"
    return f"with {name}" if values == {True} else f"without {name}"
