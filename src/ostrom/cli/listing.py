"""`ostrom list`: what there is to play, and who there is to play it."""

import re
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ostrom.cli.status import experiment_rows, game_rows
from ostrom.core import InputError
from ostrom.core.plugins import GAMES
from ostrom.experiment import options as opt
from ostrom.experiment.terminal import Column, Sheet, out, print_json
from ostrom.games.battery.subjects import SUBJECTS
from ostrom.games.battery.tasks import TASKS
from ostrom.games.commons.players import CHAMPIONS
from ostrom.games.contribute_punish.players import PUNISHERS
from ostrom.players.models.bots import list_bots
from ostrom.players.roster import load_installed, load_players_file


class Kind(StrEnum):
    """What can be listed."""

    champions = "champions"
    players = "players"
    bots = "bots"
    subjects = "subjects"
    tasks = "tasks"
    games = "games"
    experiments = "experiments"
    journal = "journal"


_ASKED_FOR = (Kind.experiments, Kind.journal)
"""They stand in a journal, which need not be there; they are listed when they are asked for."""
_SPARE = {
    Kind.journal: {"source": 3, "experiment": 2, "rounds": 1},
    Kind.bots: {"at": 1, "temperature": 2},
}
"""What a narrow terminal leaves out; the id of a game begins with the experiment."""
_IN_THE_TABLE = {"name", "model", "base_url", "temperature", "personality"}
"""What of a bot has a column of its own; a program gets the rest too."""


def list_(
    kind: Annotated[
        Kind | None, typer.Argument(help="One kind only; without it, all but what a journal keeps.")
    ] = None,
    players: opt.Players = None,
    experiment: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of the journal, the games of this experiment only.")
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """List champions of the Commons, players of Contribute & Punish, bots, games, and what a journal keeps."""
    if experiment is not None and kind is not Kind.journal:
        raise InputError("--experiment narrows down the games of a journal: ostrom list journal --experiment NAME")
    kinds = [kind] if kind else [every for every in Kind if every not in _ASKED_FOR]
    rows = {wanted.value: _rows(wanted, players or [], store, experiment) for wanted in kinds}
    if json:
        print_json(dict(rows))
        return
    for name, entries in rows.items():
        if not entries:
            out.print("no games in the journal" if name == Kind.journal else f"no {name}")
            continue
        if name == Kind.bots:
            entries = [_shortened(entry) for entry in entries]
        columns = _columns(list(entries[0]), _SPARE.get(Kind(name), {}))
        out.print(Sheet(name, columns, [[_cell(value) for value in entry.values()] for entry in entries]))


def _shortened(bot: dict[str, Any]) -> dict[str, Any]:
    """A bot in one line or two: of its personality the beginning, of its settings nothing."""
    first = re.split(r"(?<=[.!?])\s", bot["personality"], maxsplit=1)[0]
    return {**{name: value for name, value in bot.items() if name != "settings"}, "personality": first}


def _columns(headings: list[str], spare: dict[str, int]) -> list[Column]:
    """A column for each heading; long ones, and the last one, run over several lines where they must."""
    *narrow, last = headings
    long = ("parameters",)
    shown = [Column(heading, spare=spare.get(heading, 0), wraps=heading in long) for heading in narrow]
    return [*shown, Column(last, wraps=True)]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    return "–" if value is None else " ".join(str(value).split())


def _rows(kind: Kind, players: list[Path], store: str | None, experiment: str | None) -> list[dict[str, Any]]:
    if kind is Kind.journal:
        return game_rows(store, experiment)
    if kind is Kind.experiments:
        return experiment_rows(store)
    if kind is Kind.players:
        return [{"name": player.name, "description": player.description} for player in PUNISHERS.values()]
    if kind is Kind.bots:
        return [
            {
                "name": bot.name,
                "model": bot.model,
                "at": bot.base_url,
                "temperature": bot.temperature,
                "personality": bot.personality,
                "settings": bot.model_dump(mode="json", exclude=_IN_THE_TABLE),
            }
            for bot in list_bots()
        ]
    if kind is Kind.subjects:
        return [
            {
                "name": name,
                "parameters": [f"{each.name}={each.default:g}" for each in subject.parameters()],
                "what": subject.summary(),
            }
            for name, subject in SUBJECTS.items()
        ]
    if kind is Kind.tasks:
        return [
            {"name": task.name, "roles": list(task.roles), "played": task.played, "what": task.summary}
            for task in TASKS.values()
        ]
    if kind is Kind.games:
        return [
            {"name": game.command, "seats": f"{game.seats.fewest} to {game.seats.most:,}", "what": game.summary}
            for game in GAMES.values()
            if not game.instrument
        ]

    load_installed()
    for file in players:
        load_players_file(file)
    return [
        {"name": entry.name, "from": entry.origin, "description": entry.description} for entry in CHAMPIONS.values()
    ]
