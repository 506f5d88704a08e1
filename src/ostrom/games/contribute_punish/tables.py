"""Games of Contribute & Punish as tidy tables. In addition to the tables that every game has, there is a table of the
rounds of each seat, and a table of punishments."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import polars as pl

from ostrom.analysis import tables as common
from ostrom.analysis.tables import GameTables, Rows, StoredRecords
from ostrom.core import RecordError
from ostrom.games.contribute_punish.events import EVENTS, PunishRound, fold
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


def add_game(rows: Rows, game: str, experiment: str, record: GameRecord) -> None:
    """Add a game's rows to every table. Raises `RecordError` if the record ends before the game does."""
    players = common.players_of(game, record)
    history = fold(common.events_of(record, EVENTS))
    if history.balances is None:
        raise RecordError(f"the record of the game {game} does not reach the game's end")
    sources = common.sources_of(record, "contribution")
    ended = [played for played in history.rounds if played.balances is not None]
    for played in ended:
        rows["rounds"].extend(_round_rows(game, players, played, sources))
        for order, dealt in enumerate(played.punishments, start=1):
            pair = (dealt.punisher, dealt.target, players[dealt.punisher], players[dealt.target])
            rows["punishments"].append((game, played.round, order, *pair, dealt.asked, dealt.spend, dealt.damage))
    rules = ContributePunishRules.model_validate(record.rules)
    settings = (rules.multiplier, rules.start, rules.messages, rules.anonymous)
    last = ended[-1].round if ended else 0
    common.add_result(rows, game, experiment, record, turns=last, settings=settings, ended=[history.balances])


def _round_rows(
    game: str, players: list[str], played: PunishRound, sources: dict[tuple[int, int], str]
) -> Iterator[tuple[Any, ...]]:
    shares = [played.share] * len(players)
    origins = [sources.get((played.round, seat)) for seat in range(len(players))]
    amounts: Any = (played.start, played.contributions, shares, played.shared, played.spend, played.damage)
    for row in zip(range(len(players)), players, *amounts, played.balances or (), origins, strict=True):
        yield game, played.round, *row


KIND = "contribute_punish"


@dataclass(frozen=True, slots=True)
class PunishTables(GameTables):
    """The tables of games of Contribute & Punish."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"rounds": "seat", "punishments": "punisher", **GameTables.ACTORS}

    rounds: pl.DataFrame
    """One row for each seat and round. `start`, `post` (after the fund) and `end` are balances. `spend` is the spending
    on punishment, and `damage` is the loss to punishment. `provenance` is that of the contribution."""
    punishments: pl.DataFrame
    kind: str = field(default=KIND, kw_only=True)


ABOUT = {
    "rounds": "A row for each seat's round: its balance at the start, after the fund and at the end, and its doing.",
    "punishments": "A row for each punishment, in the order in which they were dealt.",
}


def tables_of(records: StoredRecords) -> PunishTables:
    """Return the tables of these records. Every row has the ids of its game and experiment."""
    schemas = {"games": GAMES, "seats": SEATS, "rounds": ROUNDS, "punishments": PUNISHMENTS}
    return common.game_tables(PunishTables, KIND, records, add_game, schemas)
