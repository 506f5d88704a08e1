"""Games of Contribute & Punish as tidy tables: beside those of every game, one row a seat's round and a punishment."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import polars as pl

from ostrom.analysis import tables as common
from ostrom.analysis.tables import GameTables, Kept, Rows
from ostrom.core import RecordError
from ostrom.games.contribute_punish.events import EVENTS
from ostrom.games.contribute_punish.rules import ContributePunishRules
from ostrom.journal.record import GameRecord

GAMES = common.games_schema(
    {"rounds": pl.Int64, "multiplier": pl.Float64, "start": pl.Int64, "messages": pl.Boolean, "anonymous": pl.Boolean}
)
SEATS = common.seats_schema({"final": pl.Int64})
ROUNDS = {
    **{"game": pl.String, "round": pl.Int64, "seat": pl.Int64, "player": pl.String},
    **dict.fromkeys(("start", "contribution", "share", "post", "spend", "damage", "end"), pl.Int64),
    "provenance": pl.String,
}
PUNISHMENTS = {
    **{"game": pl.String, "round": pl.Int64, "order": pl.Int64, "punisher": pl.Int64, "target": pl.Int64},
    **{"punisher_player": pl.String, "target_player": pl.String},
    **dict.fromkeys(("asked", "spend", "damage"), pl.Int64),
}


def add_game(made: Rows, game: str, experiment: str, record: GameRecord) -> None:
    """Add a game's rows to every table."""
    final, rounds = _add_events(made, game, common.players_of(game, record), record)
    rules = ContributePunishRules.model_validate(record.rules)
    settings = (rules.multiplier, rules.start, rules.messages, rules.anonymous)
    common.add_result(made, game, experiment, record, turns=rounds, settings=settings, ended=[final])


def _add_events(made: Rows, game: str, players: list[str], record: GameRecord) -> tuple[list[int], int]:
    """Add what happened; give back the final balances and the last round."""
    source = common.sources_of(record, "contribution")
    order = 0
    spend, damage = [0] * len(players), [0] * len(players)
    paid: dict[str, Any] = {}
    fund: dict[str, Any] = {}
    final: list[int] | None = None
    last = 0
    for tag, event in common.events_of(record, EVENTS):
        if tag == "contributed":
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
            made["punishments"].append(
                (game, event["round"], order, *who, event["asked"], event["spend"], event["damage"])
            )
        elif tag == "round_ended":
            last = event["round"]
            shares = [fund["share"]] * len(players)
            origins = [source.get((last, seat)) for seat in range(len(players))]
            money = (paid["start"], paid["contributions"], shares, fund["balances"], spend, damage, event["balances"])
            rows = zip(range(len(players)), players, *money, origins, strict=True)
            made["rounds"].extend((game, last, *row) for row in rows)
        elif tag == "game_ended":
            final = event["balances"]
    if final is None:
        raise RecordError(f"the record of the game {game} does not reach the game's end")
    return final, last


KIND = "contribute_punish"


@dataclass(frozen=True, slots=True)
class PunishTables(GameTables):
    """The tables of some games of Contribute & Punish."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"rounds": "seat", "punishments": "punisher", **GameTables.ACTORS}

    rounds: pl.DataFrame
    """`start`, `post` (after the fund) and `end` are balances; `spend` went into punishing, `damage` was suffered;
    `provenance` is that of the contribution."""
    punishments: pl.DataFrame
    kind: str = field(default=KIND, kw_only=True)


ABOUT = {
    "rounds": "A row for each seat's round: its balance at the start, after the fund and at the end, and its doing.",
    "punishments": "A row for each punishment, in the order in which they were dealt.",
}


def tables_of(records: Kept) -> PunishTables:
    """The tables of some records, each with its game's id and its experiment's."""
    schemas = {"games": GAMES, "seats": SEATS, "rounds": ROUNDS, "punishments": PUNISHMENTS}
    return common.game_tables(PunishTables, KIND, records, add_game, schemas)
