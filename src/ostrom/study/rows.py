"""Records of Contribute & Punish as rows of the tidy tables: which columns there are, and how events fill them. What
the tables are for is left to `tables.py`."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from ostrom.games.contribute_punish.events import EVENTS
from ostrom.games.contribute_punish.rules import ContributePunishRules
from ostrom.journal.record import GameRecord, RecordedAnswer
from ostrom.table import Provenance, RecordError

GAMES = {
    "game": pl.String,
    "experiment": pl.String,
    "kind": pl.String,
    "seats": pl.Int64,
    "rounds": pl.Int64,
    "multiplier": pl.Float64,
    "start": pl.Int64,
    "messages": pl.Boolean,
    "anonymous": pl.Boolean,
    "source": pl.String,
    "defaulted": pl.Int64,
    "repaired": pl.Int64,
    "answers": pl.Int64,
}
SEATS = {
    "game": pl.String,
    "seat": pl.Int64,
    "player": pl.String,
    "final": pl.Int64,
    "defaulted": pl.Int64,
    "repaired": pl.Int64,
    "answers": pl.Int64,
    "imported": pl.Int64,
}
ROUNDS = {
    "game": pl.String,
    "round": pl.Int64,
    "seat": pl.Int64,
    "player": pl.String,
    "start": pl.Int64,
    "contribution": pl.Int64,
    "share": pl.Int64,
    "post": pl.Int64,
    "spend": pl.Int64,
    "damage": pl.Int64,
    "end": pl.Int64,
    "provenance": pl.String,
}
PUNISHMENTS = {
    "game": pl.String,
    "round": pl.Int64,
    "order": pl.Int64,
    "punisher": pl.Int64,
    "target": pl.Int64,
    "punisher_player": pl.String,
    "target_player": pl.String,
    "asked": pl.Int64,
    "spend": pl.Int64,
    "damage": pl.Int64,
}
MESSAGES = {
    "game": pl.String,
    "round": pl.Int64,
    "order": pl.Int64,
    "seat": pl.Int64,
    "player": pl.String,
    "text": pl.String,
}

# Read by plain access, for speed: a record's events were checked when it was written. Their versions are checked here.
_VERSIONS = {tag: event.version for tag, event in EVENTS.items()}


@dataclass(slots=True)
class Rows:
    """Rows as they come, one list a table."""

    games: list[tuple[Any, ...]] = field(default_factory=list)
    seats: list[tuple[Any, ...]] = field(default_factory=list)
    rounds: list[tuple[Any, ...]] = field(default_factory=list)
    punishments: list[tuple[Any, ...]] = field(default_factory=list)
    messages: list[tuple[Any, ...]] = field(default_factory=list)


def add_game(made: Rows, game: str, experiment: str, record: GameRecord) -> None:
    """Add a game's rows to every table."""
    try:
        _add_game(made, game, experiment, record)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise RecordError(f"the record of the game {game} cannot be read: {type(error).__name__} {error}") from error


def _add_game(made: Rows, game: str, experiment: str, record: GameRecord) -> None:
    players = [seat.player for seat in record.seats]
    numbers = [seat.seat for seat in record.seats]
    if numbers != list(range(len(players))):
        raise RecordError(f"the game {game} lists its seats as {numbers}; they must count from 0")
    final, rounds = _add_events(made, game, players, record)
    counts = [Counter(one.provenance for one in record.answers if one.seat == seat) for seat in numbers]
    defaulted = [count[Provenance.DEFAULTED] for count in counts]
    repaired = [count[Provenance.REPAIRED] for count in counts]
    imported = [count[Provenance.IMPORTED] for count in counts]
    answers = [count.total() for count in counts]
    columns = (numbers, players, final, defaulted, repaired, answers, imported)
    made.seats.extend((game, *row) for row in zip(*columns, strict=True))
    rules = ContributePunishRules.model_validate(record.rules)
    settings = (rules.multiplier, rules.start, rules.messages, rules.anonymous, record.source)
    sums = (sum(defaulted), sum(repaired), sum(answers))
    made.games.append((game, experiment, record.game, len(players), rounds, *settings, *sums))


def _add_events(made: Rows, game: str, players: list[str], record: GameRecord) -> tuple[list[int], int]:
    """Add what happened; give back the final balances and the last round."""
    source = _contribution_sources(record.answers)
    spoken = order = 0
    spend, damage = [0] * len(players), [0] * len(players)
    paid: dict[str, Any] = {}
    fund: dict[str, Any] = {}
    final: list[int] | None = None
    last = 0
    for event in record.events:
        tag = str(event.get("event"))
        if tag not in _VERSIONS or event.get("version") != _VERSIONS[tag]:
            EVENTS.decode(event)  # says what is wrong with it
        if tag == "message_said":
            spoken += 1
            seat = event["seat"]
            if event["text"]:
                made.messages.append((game, event["round"], spoken, seat, players[seat], event["text"]))
        elif tag == "contributed":
            paid, order = event, 0
            spend, damage = [0] * len(players), [0] * len(players)
        elif tag == "fund_shared":
            fund = event
        elif tag == "punished":
            order += 1
            punisher, target = event["punisher"], event["target"]
            spend[punisher] += event["spend"]
            damage[target] += event["damage"]
            who = (punisher, target, players[punisher], players[target])
            made.punishments.append(
                (game, event["round"], order, *who, event["asked"], event["spend"], event["damage"])
            )
        elif tag == "round_ended":
            spoken, last = 0, event["round"]
            shares = [fund["share"]] * len(players)
            origins = [source.get((last, seat)) for seat in range(len(players))]
            money = (paid["start"], paid["contributions"], shares, fund["balances"], spend, damage, event["balances"])
            rows = zip(range(len(players)), players, *money, origins, strict=True)
            made.rounds.extend((game, last, *row) for row in rows)
        elif tag == "game_ended":
            final = event["balances"]
    if final is None:
        raise RecordError(f"the record of the game {game} does not reach the game's end")
    return final, last


def _contribution_sources(answers: Iterable[RecordedAnswer]) -> dict[tuple[int, int], str]:
    return {(one.turn, one.seat): one.provenance.value for one in answers if one.phase == "contribution"}
