"""The command that seats a best response, printed below what it gains."""

import shlex
from typing import Final

import typer

from ostrom.cli.main import plugins_as_options
from ostrom.core.finding import Finding
from ostrom.terminal.game_options import game_of
from ostrom.terminal.sheets import err
from ostrom.terminal.verbs import Follow


def print_seating(context: typer.Context, finding: Finding) -> None:
    """Print the command that seats the response, if it was written as a player."""
    player = finding.facts.get("player")
    if player is not None:
        words = ["ostrom", "run", game_of(context).command, "--include", player, *plugins_as_options(context)]
        err.print(f"\nTo seat it:\n   {shlex.join(words)} …", soft_wrap=True)


FOLLOW: Final = Follow(show=print_seating)
