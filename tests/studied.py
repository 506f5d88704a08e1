"""What tests of the study API share: a small journal with something of everything, and documents as commands print
them."""

import json
from functools import cache
from typing import Any

from typer.testing import CliRunner

from battery_played import battery_records
from kept import commons, punish, start_game
from ostrom.cli.main import app
from ostrom.experiment import make_rules, record_of
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import Part
from ostrom.games.commons import COMMONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal
from ostrom.players.roster import seat_players

SUBJECTS = ("exponential:delta=0.9,noise=0.03", "fehr-schmidt", "refuser")
PLAYERS = 5


@cache
def played(talk: bool, games: int = 6) -> tuple[tuple[str, GameRecord], ...]:
    """Games of built-in players with, or without, messages."""
    cast = seat_players(CONTRIBUTE_PUNISH.name, [], [])[:PLAYERS]
    rules = make_rules(CONTRIBUTE_PUNISH, {"messages": talk, "rounds": 5})
    made = play_games(Part(CONTRIBUTE_PUNISH, rules, cast, 4, games, 1).fixtures(""))
    return tuple((key, record_of(match)) for key, match in made)


@cache
def champions() -> tuple[tuple[str, GameRecord], ...]:
    """Games of the Commons."""
    cast = seat_players(COMMONS.name, ["TitForTat", "Parasite", "Pavlov", "RandomPlayer"], [])
    rules = make_rules(COMMONS, {"turns": 12})
    made = play_games(Part(COMMONS, rules, cast, 4, 5, 1).fixtures(""))
    return tuple((key, record_of(match)) for key, match in made)


def fill(journal: Journal) -> None:
    """Two experiments of built-in players, one with promises and defaulted answers, the Commons, the battery, and one
    without a game."""
    for name, talk in (("talk", True), ("silence", False)):
        experiment = journal.new_experiment(name, kind="punish")
        for key, record in played(talk):
            journal.add_game(experiment, record, key=key)
    promising = journal.new_experiment("promises", kind="punish")
    for number in range(3):
        journal.add_game(promising, punish(number, text=f"I'll contribute ${2 + number}"), key=f"p{number}")
    commons_ = journal.new_experiment("commons", kind="commons")
    for key, record in champions():
        journal.add_game(commons_, record, key=key)
    battery = journal.new_experiment("battery", kind="battery")
    for number, record in enumerate(battery_records(SUBJECTS)):
        journal.add_game(battery, record, key=str(number))
    going = journal.new_experiment("going", kind="commons")
    start_game(journal, going, commons(9).model_copy(update={"answers": [], "events": []}), key="c")
    journal.new_experiment("empty", kind="punish")


def printed(*arguments: object) -> Any:
    """The document that a command prints."""
    done = CliRunner().invoke(app, [str(argument) for argument in arguments])
    if done.exception is not None:
        raise done.exception
    return json.loads(done.stdout)


def strict(text: str) -> Any:
    """JSON as browsers read it, which know neither NaN nor infinity."""

    def refuse(name: str) -> None:
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)
