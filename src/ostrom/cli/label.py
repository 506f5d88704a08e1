"""`ostrom label`: what players are called, everywhere: list, give and take away names."""

from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup

from ostrom.core.errors import InputError
from ostrom.core.text import number_of
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import command_of, made_as
from ostrom.terminal.sheets import Column, Sheet, out, print_json

Player = Annotated[str, typer.Argument(help="The player, by its id or by what it is called now.")]


def list_(store: opt.Store = None, json: opt.Json = False) -> None:
    """List all who have played: their ids, what they are called, and where the name comes from."""
    with open_journal(store) as journal:
        names = journal.names.known()
    rows = [_row(names, player) for player in names.players]
    if json:
        print_json({"players": rows})
        return
    columns = {
        # First, so that no line begins with another author's text.
        Column("from"): lambda row: row["from"],
        Column("player", wraps=True): lambda row: row["player"],
        Column("name", wraps=True): lambda row: row["name"],
    }
    clashing = [row for row in rows if row["from"] == _CLASH]
    caption = f"{number_of(len(clashing), 'player')} shown by id, as another has the same name." if clashing else ""
    out.print(Sheet.of("Players", rows, columns, caption=caption))


def set_(
    player: Player,
    name: Annotated[
        str | None, typer.Argument(help="What to call it; if omitted, what it is known as, where that is known.")
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Give a player a name, which every table, page, chart, film and export uses; its id stays."""
    with open_journal(store) as journal:
        names = journal.names.known()
        wanted = names.player(player)
        given = names.suggestion(wanted) if name is None else name
        if given is None:
            raise InputError(f"nothing is known of {wanted!r}; give the name, as in: ostrom label set ID NAME")
        kept = journal.names.give(wanted, given)
    _say({"player": wanted, "name": kept}, f"{wanted} is called {kept} now.", json)


def clear(player: Player, store: opt.Store = None, json: opt.Json = False) -> None:
    """Take away the name that a player was given."""
    with open_journal(store) as journal:
        wanted = journal.names.known().player(player)
        if not journal.names.clear(wanted):
            raise InputError(f"{wanted!r} was given no name; 'ostrom label' lists all")
        name = journal.names.known().of(wanted)
    _say({"player": wanted, "name": name}, f"{wanted} is called {name} again.", json)


_CLASH: Final = "id (clash)"


def _row(names: PlayerNames, player: str) -> dict[str, Any]:
    label, suggestion, name = names.labels.get(player), names.suggestion(player), names.of(player)
    if label is not None and name == label:
        origin = "given"
    elif label is not None or (suggestion is not None and name != suggestion):
        origin = _CLASH
    else:
        origin = "id" if suggestion is None else "known"
    return {"player": player, "name": name, "label": label, "suggestion": suggestion, "from": origin}


def _say(document: dict[str, Any], line: str, json: bool) -> None:
    if json:
        print_json(document)
    else:
        out.print(line, soft_wrap=True)


_ACTIONS: Final = {"list": list_, "set": set_, "clear": clear}


class Actions(TyperGroup):
    """What can be done with names."""

    def list_commands(self, ctx: Any) -> list[str]:
        """By name."""
        return list(_ACTIONS)

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Without an action the names are listed."""
        listed = args if any(not word.startswith("-") for word in args[:1]) or "--help" in args else ["list", *args]
        return super().parse_args(ctx, listed)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name."""
        if cmd_name not in _ACTIONS:
            raise InputError(f"there is no 'ostrom label {cmd_name}'; it must be one of {', '.join(_ACTIONS)}")
        return command_of(_ACTIONS[cmd_name], cmd_name)


@made_as(Actions)
def label() -> None:
    """List what players are called, and give them names."""
