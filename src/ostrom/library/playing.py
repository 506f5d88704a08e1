"""`ostrom.play`: one game with strategies, subjects, models or bots."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from ostrom.core import InputError
from ostrom.core.chance import GameChance
from ostrom.core.game import Game, make_rules
from ostrom.core.plugins import DEFAULT_GAME, find_game
from ostrom.experiment.limits import Limits, limits_of
from ostrom.experiment.match import play_match, replay
from ostrom.experiment.plan import Experiment as Plan
from ostrom.experiment.plan import Part
from ostrom.journal.open import open_journal
from ostrom.library.games import PlayedGame, played
from ostrom.library.running import check, run
from ostrom.players.roster import Seated, contestants_of

AnyRules = Mapping[str, Any] | BaseModel | None
AnyLimits = Mapping[str, Any] | Limits | None
AnyPath = str | os.PathLike[str]


def play(
    players: Sequence[Seated] | None = None,
    *,
    game: str | Game = DEFAULT_GAME,
    rules: AnyRules = None,
    seed: int = 0,
    number: int = 0,
    store: AnyPath | None = None,
    limits: AnyLimits = None,
) -> PlayedGame:
    """Play one game. Players are names ("Pavlov", "Pavlov:3", a bot's, "openai:gpt-5-mini"), strategies of your own
    (classes or functions), bots, or other players; without a list, the game's own players, up to its number of seats.
    The game has its name on the command line or in a record. A game with models is stored in the journal, because its
    calls cost money."""
    kind = find_game(game)
    table = contestants_of(kind, players)
    settings = make_rules(kind, rules)
    if players is None and len(table) > kind.seats.most:
        table = table[: kind.seats.usual or kind.seats.most]
    if not any(hasattr(player, "bot") for player in table):
        if limits is not None:
            raise InputError("limits are for models, and no model plays")
        return played(play_match(kind, settings, table, GameChance(seed, number)))
    if number:
        raise InputError("a game with models is number 0 of its seed; leave out number")
    kind.check_seats(len(table))
    planned = Plan((Part(kind, settings, table, len(table), 1, seed, fixed=True),), limits=limits_of(limits))
    check(planned)
    where = store_text(store)
    with open_journal(where, create=True) as journal:
        experiment = run(planned, journal)
        row = journal.games(experiment)[0]
        if row.state != "finished":
            raise InputError(f"the game {row.id} is {row.state}: {row.reason or 'it was stopped'}")
        return played(replay(journal.record(row.id)), id=row.id, store=where)


def store_text(store: AnyPath | None) -> str | None:
    """Return the address or path of a journal as text."""
    return None if store is None else os.fspath(store)
