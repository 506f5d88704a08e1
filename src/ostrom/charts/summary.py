"""The report in a few sentences: leaders, tiers, intervals, and how far the answers are the players' own."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import polars as pl

from ostrom.charts.answer_words import answers_by_player_sentence, answers_sentence
from ostrom.charts.families import Cast
from ostrom.charts.standings import Standing
from ostrom.charts.words import TOKENS, Unit, alike, ends, named, share
from ostrom.study.tables import Tables

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


_MOSTS: Final = (
    Most(
        "contribution_percent",
        "gives the largest part of its balance",
        "Nobody gives anything",
        "All give the same part of their balance",
    ),
    Most(
        "punishment_spent_percent",
        "spends the largest part of its balance on punishing",
        "Nobody spends anything on punishing",
        "All spend the same part of their balance on punishing",
    ),
    Most(
        "retaliation_rate",
        "strikes back most often",
        "Nobody strikes back",
        "All who are punished strike back equally often",
    ),
)


def facts(tables: Tables) -> str:
    """What was played, on one line."""
    games = tables.games
    rounds = span(games["rounds"])
    seats = span(games["seats"])
    speech = set(games["messages"].to_list())
    talk = {True: "with messages", False: "without messages"}
    said = talk[speech.pop()] if len(speech) == 1 else "with and without messages"
    return (
        f"{len(games):,} games of Contribute & Punish, {tables.seats['player'].n_unique()} players, "
        f"{seats} seats, {rounds} rounds, {said}."
    )


def sentences(
    tables: Tables, standings: Sequence[Standing], measured: Mapping[str, pl.DataFrame], cast: Cast
) -> list[str]:
    """The sentences, each one computed."""
    told = [leader(standings, cast), _richest(measured["mean_final"], cast)]
    total = measured["aggregate_contribution_by_round"].sort("round")
    if len(total):
        first, last = total.row(0, named=True), total.row(-1, named=True)
        told.append(
            f"Of all tokens, {with_interval(first)} is contributed in round {first['round']} and {with_interval(last)} "
            f"in round {last['round']}."
        )
    told += [most_of(measured[most.measure], most, cast) for most in _MOSTS]
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


def _richest(frame: pl.DataFrame, cast: Cast) -> str:
    if not len(frame):
        return ""
    told = ends(frame, cast, TOKENS)
    if told.alone:
        return f"Games end with {told.high} tokens on average."
    top = frame.sort(["value", "player"], descending=[True, False]).row(0, named=True)
    span = "" if top["low"] is None else f" ({TOKENS.say(top['low'])} to {TOKENS.say(top['high'])})"
    most = f"{told.first} ends with the most tokens, {told.high} on average{span}"
    return f"{most}; {told.last} with the fewest, {told.low}."


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
