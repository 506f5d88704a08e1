"""`ostrom list`: what there is to play, by which rules, and who there is to play it."""

import re
from collections.abc import Callable
from typing import Annotated, Any, Final

import typer

from ostrom.cli.status import experiment_rows, game_rows
from ostrom.core import InputError, Registry
from ostrom.core.entry_points import COMMANDS_GROUP, declared, load
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.experiment import options as opt
from ostrom.experiment.game_options import rules_of, spelled
from ostrom.experiment.terminal import Column, Sheet, out, print_json
from ostrom.players.models.bots import list_bots
from ostrom.players.roster import descriptions, load_installed

_BROUGHT: Final = "list."
"""Before the name of an entry point it says that the rest is a kind that a game brings."""
_PLAYERS_TOO: Final = ("champions", "subjects")
"""Kinds that stand among the players, too, under the names of the first version."""
_SPARE: Final = {"journal": {"source": 3, "experiment": 2, "rounds": 1}, "bots": {"at": 1, "temperature": 2}}
"""What a narrow terminal leaves out; the id of a game begins with the experiment."""
_IN_THE_TABLE: Final = {"name", "model", "base_url", "temperature", "personality"}
"""What of a bot has a column of its own; a program gets the rest too."""
Rows = list[dict[str, Any]]


def list_(
    kind: Annotated[
        str | None, typer.Argument(help="One kind only; without it, all but what a journal keeps.", show_default=False)
    ] = None,
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Of rules and players, those of this game.")
    ] = None,
    players: opt.Players = None,
    experiment: Annotated[
        str | None, typer.Option(metavar="NAME", help="Of the journal, the games of this experiment only.")
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """List games, the rules of a game, players, bots, and what a journal keeps."""
    if experiment is not None and kind != "journal":
        raise InputError("--experiment narrows down the games of a journal: ostrom list journal --experiment NAME")
    if game is not None and kind not in ("rules", "players"):
        raise InputError("a GAME belongs to rules and players: ostrom list rules GAME")
    opt.load_players(players)
    load_installed()
    kinds = _kinds(game, store, experiment)
    if kind is not None and kind not in kinds:
        near = Registry[Any]("kind")
        for known in kinds:
            near.add(known, None)
        hint = f"did you mean {' or '.join(near.nearest(kind))}?" if near.nearest(kind) else "there is"
        raise InputError(f"there is no list of {kind!r}; {hint}: {', '.join(kinds)}")
    wanted = [kind] if kind is not None else [each for each in kinds if each not in ("rules", "experiments", "journal")]
    if not json and kind is None:
        wanted = [each for each in wanted if each not in _PLAYERS_TOO]
    rows = {each: kinds[each]() for each in wanted}
    if json:
        print_json(dict(rows))
        return
    for name, entries in rows.items():
        _print(name, entries, game)


def _kinds(game: str | None, store: str | None, experiment: str | None) -> dict[str, Callable[[], Rows]]:
    """What can be listed, and how."""
    brought = [name for name in declared(COMMANDS_GROUP) if name.startswith(_BROUGHT)]
    return {
        "games": _games,
        "rules": lambda: _rules(game),
        "players": lambda: _players(game),
        **{name.removeprefix(_BROUGHT): load(COMMANDS_GROUP, name) for name in brought},
        "champions": lambda: _players(DEFAULT_GAME),
        "bots": _bots,
        "experiments": lambda: experiment_rows(store),
        "journal": lambda: game_rows(store, experiment),
    }


def _print(name: str, entries: Rows, game: str | None) -> None:
    if not entries:
        out.print("no games in the journal" if name == "journal" else f"no {name}")
        return
    if name == "bots":
        entries = [_shortened(entry) for entry in entries]
    if name == "players" and game is None:
        for games in dict.fromkeys(tuple(entry["games"]) for entry in entries):
            own = [{**entry} for entry in entries if tuple(entry["games"]) == games]
            for entry in own:
                del entry["games"]
            _print(name, own, ", ".join(games))
        return
    if name == "rules":
        entries = [{**entry, "default": spelled(entry["default"])} for entry in entries]
    title = name if game is None else f"{name} of {game}"
    columns = _columns(list(entries[0]), _SPARE.get(name, {}))
    out.print(Sheet(title, columns, [[_cell(value) for value in entry.values()] for entry in entries]))


def _games() -> Rows:
    return [
        {"name": game.command, "seats": f"{game.seats.fewest} to {game.seats.most:,}", "what": game.summary}
        for game in GAMES.values()
        if not game.instrument
    ]


def _rules(game: str | None) -> Rows:
    if game is None:
        raise InputError("name the game, as in 'ostrom list rules GAME'; 'ostrom list games' shows them")
    return [
        {
            "name": rule.name.replace("_", "-"),
            "default": rule.default,
            "range": rule.range or rule.kind,
            "meaning": rule.meaning,
        }
        for rule in rules_of(GAMES.of_command(game))
    ]


def _players(game: str | None) -> Rows:
    """The players of a game; without one those of all games, each listed once with the games that it plays."""
    if game is not None:
        return _even(descriptions(GAMES.of_command(game).name))
    together: dict[tuple[str, ...], tuple[Rows, list[str]]] = {}
    for each in GAMES.values():
        known = descriptions(each.name)
        if known and not each.instrument:
            together.setdefault(tuple(row["name"] for row in known), (known, []))[1].append(each.command)
    return [{"name": row["name"], "games": games, **row} for known, games in together.values() for row in _even(known)]


def _even(rows: Rows) -> Rows:
    """Rows that all have a column for parameters where one has."""
    if not any("parameters" in row for row in rows):
        return rows
    return [{"name": row["name"], "parameters": row.get("parameters", []), **row} for row in rows]


def _bots() -> Rows:
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


def _shortened(bot: dict[str, Any]) -> dict[str, Any]:
    """A bot in one line or two: of its personality the beginning, of its settings nothing."""
    first = re.split(r"(?<=[.!?])\s", bot["personality"], maxsplit=1)[0]
    return {**{name: value for name, value in bot.items() if name != "settings"}, "personality": first}


def _columns(headings: list[str], spare: dict[str, int]) -> list[Column]:
    """A column for each heading; long ones, and the last one, run over several lines where they must."""
    *narrow, last = headings
    long = ("parameters", "games")
    shown = [Column(heading, spare=spare.get(heading, 0), wraps=heading in long) for heading in narrow]
    return [*shown, Column(last, wraps=True)]


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    return "–" if value is None else " ".join(str(value).split())
