"""`ostrom import` imports logs and results of other programs, through the importers that packages declare."""

from typing import Any

from typer.core import TyperGroup
from typing_extensions import override

from ostrom.core.entry_points import IMPORTERS_GROUP, declared, load
from ostrom.core.errors import InputError
from ostrom.terminal.game_options import PlainHelp, command_of, made_as


class Sources(PlainHelp, TyperGroup):
    """The commands of `ostrom import`, one for each source. The module of an importer is loaded only when its command
    is called or the sources are listed."""

    @override
    def list_commands(self, ctx: Any) -> list[str]:
        return list(declared(IMPORTERS_GROUP))

    @override
    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in declared(IMPORTERS_GROUP):
            raise InputError(
                f"there is no importer {cmd_name!r}; it must be one of {', '.join(declared(IMPORTERS_GROUP))}"
            )
        return command_of(load(IMPORTERS_GROUP, cmd_name), cmd_name)


@made_as(Sources)
def import_() -> None:
    """Import the logs and results of other programs; games are first replayed through Ostrom's rules."""
