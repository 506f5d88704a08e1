"""The sentences that the reports of all games have in common: leaders, tiers, who does something most, intervals, and
how far the answers are the players' own."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import polars as pl

from ostrom.analysis.tables import GameTables, answers_by_player
from ostrom.charts.families import Cast
from ostrom.charts.standings import Standing
from ostrom.charts.words import Unit, alike, ends, named, share

_NAMED = 6
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
            f"Of {own:,} answers, {defaulted:,} ({100 * defaulted / own:.2f}%) were defaulted, given by the game in a "
            f"player's place, and {repaired:,} ({100 * repaired / own:.2f}%) were legal only after a refusal{also}."
        )
    if imported:
        told.append(
            f"{imported:,} answers were read from others' logs, which do not say whether any was defaulted or repaired."
        )
    return " ".join(told)


def answers_by_player_sentence(tables: GameTables, cast: Cast) -> str:
    """Whose answers were defaulted or repaired, and what part of them; nothing where nobody's were."""
    found = answers_by_player(tables)
    told = []
    for word, parts in (
        ("Defaulted", {player: one.defaulted_share for player, one in found.items()}),
        ("Repaired", {player: one.repaired_share for player, one in found.items()}),
    ):
        some = sorted(((part, player) for player, part in parts.items() if part), key=lambda one: (-one[0], one[1]))
        if some:
            named = ", ".join(f"{cast.label(player)} {100 * part:.1f}%" for part, player in some[:_NAMED])
            more = f" and {len(some) - _NAMED} more" if len(some) > _NAMED else ""
            told.append(f"{word}, as a part of a player's own answers: {named}{more}.")
    return " ".join(told)


_SKILL = Unit("", decimals=2)
_PART = share("")

INTERVALS: Final = (
    "Intervals are at 95% and take games as the independent units: whole games are resampled. What μ ± σ spans is one "
    "standard deviation of the rating's own uncertainty."
)


class Most(NamedTuple):
    """How it is said who does something most."""

    measure: str
    verb: str
    nobody: str
    """Where nobody does it at all."""
    equally: str
    """Where all do it alike."""


def told_of(
    tables: GameTables,
    standings: Sequence[Standing],
    measured: Mapping[str, pl.DataFrame],
    cast: Cast,
    *,
    course: Sequence[str],
    mosts: Sequence[Most],
) -> list[str]:
    """The sentences in their order: who leads, the game's own on its `course`, who does most of what, and whose the
    answers are."""
    told = [leader(standings, cast), *course]
    told += [most_of(measured[most.measure], most, cast) for most in mosts]
    told += [answers_sentence(tables), answers_by_player_sentence(tables, cast), INTERVALS]
    return [sentence for sentence in told if sentence]


def leader(standings: Sequence[Standing], cast: Cast) -> str:
    """Who leads the ratings, and who cannot be told apart from the leader."""
    if not standings:
        return ""
    best = standings[0]
    if len(standings) > 1 and alike(best.mu, standings[-1].mu):
        return f"Nobody leads the ratings: all {len(standings)} players are equal, at μ {_SKILL.say(best.mu)}."
    said = f"{cast.label(best.name)} leads the ratings with μ {_SKILL.say(best.mu)} ± {_SKILL.say(best.sigma)}"
    if len(standings) > 1:
        second = standings[1]
        said += f", before {cast.label(second.name)} ({_SKILL.say(second.mu)} ± {_SKILL.say(second.sigma)})"
    if best.tier is None:
        return f"{said}."
    tiers = len({one.tier for one in standings})
    first = [one.name for one in standings if one.tier == best.tier]
    others = "it alone" if len(first) == 1 else f"{len(first)} players: {_listed(first, cast)}"
    return f"{said}. The games tell {tiers} tier{'s' if tiers > 1 else ''} apart; the first holds {others}."


def _listed(players: Sequence[str], cast: Cast) -> str:
    if len(players) > 4:
        return f"{named(players[:1], cast)} to {named(players[-1:], cast)}"
    return ", ".join(cast.label(player) for player in players)


def richest(frame: pl.DataFrame, cast: Cast, unit: Unit, *, words: str, alike: str) -> str:
    """Who ends with most and who with least. The gaps of `words` are those of the two ends, and `reach`, the interval
    of the first."""
    if not len(frame):
        return ""
    top = frame.sort(["value", "player"], descending=[True, False]).row(0, named=True)
    reach = "" if top["low"] is None else f" ({unit.say(top['low'])} to {unit.say(top['high'])})"
    return ends(frame, cast, unit).filled(words, alike, reach=reach)


def most_of(frame: pl.DataFrame, most: Most, cast: Cast) -> str:
    """Who does something most, and how much of it."""
    known = frame.filter(pl.col("value").is_not_null())
    if not len(known):
        return ""
    told = ends(known, cast, _PART)
    top = known.sort(["value", "player"], descending=[True, False]).row(0, named=True)
    if top["value"] == 0:
        return f"{most.nobody}."
    if told.alone and len(known) > 1:
        return f"{most.equally}: {told.high}."
    # An interval is that of one player; those who share the first place have one each.
    shared = told.first != cast.label(top["player"])
    return f"{told.first} {most.verb}: {told.high if shared else with_interval(top)}."


def with_interval(row: Mapping[str, float | None]) -> str:
    """A share with its interval."""
    value, low, high = row["value"], row["low"], row["high"]
    assert value is not None
    if low is None or high is None:
        return _PART.say(value)
    return f"{_PART.say(value)} ({_PART.say(low)} to {_PART.say(high)})"


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
