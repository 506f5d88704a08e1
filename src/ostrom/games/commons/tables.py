"""Games of the Commons as tidy tables: which columns there are, and how events fill them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import polars as pl

from ostrom.analysis.tables import (
    ANSWERS,
    COUNTS,
    MESSAGES,
    GameRows,
    GameTables,
    Kept,
    Records,
    Row,
    add_games,
    add_result,
    events_of,
    frame,
    games_schema,
    players_of,
    ranked,
    sources_of,
)
from ostrom.core import RecordError
from ostrom.core.arrays import rounded
from ostrom.games.commons.events import EVENTS
from ostrom.games.commons.rules import CommonsRules
from ostrom.journal.record import GameRecord

GAMES = games_schema(
    {
        "turns": pl.Int64,
        "endowment": pl.Float64,
        "duration": pl.Int64,
        "lobbying": pl.Boolean,
        "erosion": pl.Boolean,
        "voting": pl.Boolean,
    }
)
SEATS = {
    "game": pl.String,
    "seat": pl.Int64,
    "player": pl.String,
    "final": pl.Float64,
    "excluded": pl.Boolean,
    "turns": pl.Int64,
    **COUNTS,
    "imported": pl.Int64,
}
TURNS = {
    "game": pl.String,
    "turn": pl.Int64,
    "seat": pl.Int64,
    "player": pl.String,
    "present": pl.Boolean,
    "held": pl.Float64,
    "contribution": pl.Float64,
    "lobby": pl.Float64,
    "gain": pl.Float64,
    "capital": pl.Float64,
    "may_vote": pl.Boolean,
    "vote": pl.Int64,
    "received": pl.Int64,
    "provenance": pl.String,
}
ECONOMY = {
    "game": pl.String,
    "turn": pl.Int64,
    "seats": pl.Int64,
    "alpha": pl.Float64,
    "synergy": pl.Float64,
    "pot": pl.Float64,
    "erosion": pl.Float64,
    "cooperation": pl.Float64,
}


@dataclass(slots=True)
class Rows(GameRows):
    """Rows as they come, one list a table."""

    turns: list[Row] = field(default_factory=list)
    economy: list[Row] = field(default_factory=list)


def add_game(made: Rows, game: str, experiment: str, record: GameRecord) -> None:
    """Add a game's rows to every table."""
    players = players_of(game, record)
    rules = CommonsRules.model_validate(record.rules)
    told = _events(game, record)
    for event in told.turns:
        _add_turn(made, game, players, rules, told, event)
    present = [sum(event["present"][seat] for event in told.turns) for seat in range(len(players))]
    excluded = [seat in told.excluded for seat in range(len(players))]
    settings = (rules.endowment, rules.duration, rules.lobbying, rules.erosion, rules.voting)
    add_result(
        made,
        game,
        experiment,
        record,
        turns=len(told.turns),
        settings=settings,
        ended=[told.final, excluded, present],
    )


@dataclass(slots=True)
class _Told:
    """What the events of a game tell."""

    turns: list[dict[str, Any]]
    votes: dict[int, list[int | None]]
    """By turn; a turn without any vote is not there."""
    excluded: set[int]
    final: list[float]
    sources: dict[tuple[int, int], str]
    """The provenance of the move, by turn and seat."""


def _events(game: str, record: GameRecord) -> _Told:
    told = _Told([], {}, set(), [], sources_of(record, "move"))
    for tag, event in events_of(record, EVENTS):
        if tag == "turn_played":
            told.turns.append(event)
        elif tag == "vote_held":
            told.votes[event["turn"]] = event["votes"]
        elif tag == "seat_excluded":
            told.excluded.add(event["seat"])
        elif tag == "game_ended":
            # Rounded, as the winners are: a rounding error neither makes nor breaks a tie.
            told.final = rounded(np.asarray(event["capitals"], dtype=np.float64)).tolist()
    if not told.final:
        raise RecordError(f"the record of the game {game} does not reach the game's end")
    return told


def _add_turn(
    made: Rows, game: str, players: list[str], rules: CommonsRules, told: _Told, event: dict[str, Any]
) -> None:
    """A row for every seat, also for those that are out: they keep what they hold, and have nothing else."""
    turn, present = event["turn"], event["present"]
    votes = told.votes.get(turn, [None] * len(players))
    may_vote = rules.voting and sum(present) > 2
    held = told.turns[turn - 2]["capitals"] if turn > 1 else [0.0] * len(players)
    for seat, player in enumerate(players):
        capital = event["capitals"][seat]
        if present[seat]:
            move = (event["contributions"][seat], event["lobby"][seat], event["gains"][seat], capital)
            ballot = (may_vote, votes[seat], votes.count(seat), told.sources.get((turn, seat)))
        else:
            move, ballot = (None, None, None, capital), (False, None, 0, None)
        made.turns.append((game, turn, seat, player, present[seat], held[seat], *move, *ballot))
    figures = (event[name] for name in ("alpha", "synergy", "pot", "erosion", "cooperation"))
    made.economy.append((game, turn, sum(present), *figures))


KIND = "commons"


@dataclass(frozen=True, slots=True)
class CommonsTables(GameTables):
    """The tables of some games of the Commons. What a seat ended with, `final`, is its capital, rounded to 9
    decimals. A seat that was `excluded` keeps its capital and is ranked with it; `turns` counts those in which it was
    in the game."""

    ACTORS: ClassVar[Mapping[str, str | None]] = {"turns": "seat", "economy": None, **GameTables.ACTORS}

    turns: pl.DataFrame
    """`held` is the capital before the turn, `capital` that after it; `gain` comes before the cost of lobbying.
    `vote` is the seat that was named, `received` the votes against this one, `may_vote` whether there was a vote. A
    seat that is out holds its capital, and has nothing else."""
    economy: pl.DataFrame
    """A game's turn: seats still in, α after the lobbying, synergy, pot, the factor on kept money, cooperation."""
    kind: str = field(default=KIND, kw_only=True)


ABOUT = {
    "turns": "A row for each seat's turn: what it held, gave, lobbied for and gained, and its vote.",
    "economy": "A row for each turn of a game: the seats still in, α, synergy, the pot and cooperation.",
}


def tables_from(journal: Records, experiment: str | None = None) -> CommonsTables:
    """The tables of a journal, or of one of its experiments."""
    return tables_of(journal.records(experiment))


def tables_of(records: Kept) -> CommonsTables:
    """The tables of some records, each with its game's id and its experiment's."""
    made = add_games(Rows(), records, KIND, add_game)
    return CommonsTables(
        games=frame(made.games, GAMES),
        seats=ranked(frame(made.seats, SEATS)),
        turns=frame(made.turns, TURNS),
        economy=frame(made.economy, ECONOMY),
        answers=frame(made.answers, ANSWERS),
        messages=frame(made.messages, MESSAGES),
    )
