"""`ostrom label`: list, set and clear the names of players."""

from typing import Annotated, Any, ClassVar, Final

import typer
from typing_extensions import override

from ostrom.core.errors import InputError
from ostrom.core.text import number_of
from ostrom.journal.names import PlayerNames
from ostrom.journal.open import open_journal
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import ActionGroup, made_as
from ostrom.terminal.sheets import Column, Sheet, out, print_json

Player = Annotated[str, typer.Argument(metavar="PLAYER", help="The player, by its id or its present name.")]


def list_(store: opt.Store = None, json: opt.Json = False) -> None:
    """List all players of the journal with their ids, their names, and the origin of each name."""
    with open_journal(store) as journal:
        names = journal.names.known()
    rows = [_row(names, player) for player in names.players]
    if json:
        print_json({"players": rows})
        return
    columns = {
        # The origin of the name is the first column, so that no line begins with text of another author.
        Column("from"): lambda row: row["from"],
        Column("player", wraps=True): lambda row: row["player"],
        Column("name", wraps=True): lambda row: row["name"],
    }
    clashing = [row for row in rows if row["from"] == _CLASH]
    caption = (
        f"{number_of(len(clashing), 'player')} shown by id, because another player has the same name."
        if clashing
        else ""
    )
    out.print(Sheet.of("Players", rows, columns, caption=caption))


def set_(
    player: Player,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="The new name; defaults to the name by which the player is known, if any."
        ),
    ] = None,
    store: opt.Store = None,
    json: opt.Json = False,
) -> None:
    """Give a player a name that every table, page, chart, film and export uses; the player's id stays."""
    with open_journal(store) as journal:
        names = journal.names.known()
        player_id = names.player(player)
        new_name = names.suggestion(player_id) if name is None else name
        if new_name is None:
            raise InputError(f"{player_id!r} has no known name; give one, as in: ostrom label set ID NAME")
        stored_name = journal.names.give(player_id, new_name)
    _print({"player": player_id, "name": stored_name}, f"{player_id} is called {stored_name} now.", json)


def clear(player: Player, store: opt.Store = None, json: opt.Json = False) -> None:
    """Remove the name that a player was given."""
    with open_journal(store) as journal:
        player_id = journal.names.known().player(player)
        if not journal.names.clear(player_id):
            raise InputError(f"{player_id!r} has no name to clear; 'ostrom label' lists all")
        name = journal.names.known().of(player_id)
    _print({"player": player_id, "name": name}, f"{player_id} is called {name} again.", json)


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


def _print(document: dict[str, Any], line: str, json: bool) -> None:
    if json:
        print_json(document)
    else:
        out.print(line, soft_wrap=True)


class LabelActions(ActionGroup):
    """Commands for names of players. Without a subcommand, the names are listed."""

    title = "label"
    actions: ClassVar = {"list": list_, "set": set_, "clear": clear}

    @override
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        names_action = any(not word.startswith("-") for word in args[:1])
        return super().parse_args(ctx, args if names_action or "--help" in args else ["list", *args])


@made_as(LabelActions)
def label() -> None:
    """List the names of players, and set them."""
