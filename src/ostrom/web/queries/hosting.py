"""Games that a page asks for: from what was filled in to a plan, or to the reason why it cannot be."""

import secrets
from dataclasses import replace
from typing import Final

from ostrom.core import InputError
from ostrom.core.chance import check_seed
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import make_rules
from ostrom.experiment.plan import Experiment, Part, experiment_of
from ostrom.journal.sql import Journal
from ostrom.players.people.seat import HUMAN
from ostrom.players.roster import built_in_players, seat_players
from ostrom.web.shapes.games import StartGame

_MODELS: Final = "models are started from the command line, which knows what they cost"
_MOST_NAMES: Final = 200


def planned_game(asked: StartGame) -> Experiment:
    """One game as an experiment of one game."""
    game = GAMES.of_command(asked.game)
    if game.instrument:
        raise InputError(f"nobody can sit down at {game.command}; 'ostrom list games' shows what can be played")
    known = built_in_players(game.name)
    for name in asked.players:
        if name != HUMAN and name.partition(":")[0] not in known:
            raise InputError(f"{name[:_MOST_NAMES]!r} is no built-in player of {game.command}; {_MODELS}")
        if name.partition(":")[2].isdecimal():
            raise InputError(f"{name[:_MOST_NAMES]!r}: a seat has one entry; name the player once for each seat")
    game.check_seats(len(asked.players))
    seated = [one for name in asked.players for one in seat_players(game.name, [name])]
    rules = make_rules(game, asked.rules)
    seed = secrets.randbits(32) if asked.seed is None else check_seed(asked.seed)
    part = Part(game, rules, seated, len(seated), 1, seed, fixed=True)
    people = HUMAN in asked.players
    return Experiment((part,), seconds=asked.seconds if people else None, wait=asked.wait if people else None)


def resumable(journal: Journal, name: str) -> tuple[str, Experiment]:
    """The id and the plan of an experiment that a page may go on with: one in which no models play."""
    wanted = journal.experiment_id(name)
    row = next(row for row in journal.experiments() if row.id == wanted)
    planned = replace(experiment_of(row.name, row.settings), title=row.kind)
    if planned.models:
        raise InputError(f"in {wanted} models play, and {_MODELS}: ostrom resume {wanted}")
    if row.state == "finished":
        raise InputError(f"{wanted} is finished; there is nothing to go on with")
    return wanted, planned
