"""The command that opens a designed set of rules as a game, printed below a search for rules."""

import shlex
from dataclasses import replace
from typing import Any, Final

import typer

from ostrom.cli.tournament import files_as_options
from ostrom.core.finding import Finding
from ostrom.sim.factors import format_value
from ostrom.sim.institutions import Design, Tested
from ostrom.terminal.sheets import out
from ostrom.terminal.verbs import Follow


def add_commands(context: typer.Context, finding: Finding) -> Finding:
    """Return the finding with the command that opens each candidate of the front."""
    commands = [_command(context, finding.result, one) for one in finding.result.front]
    front = [
        {**candidate, "open": command} for candidate, command in zip(finding.facts["front"], commands, strict=True)
    ]
    return replace(finding, facts={**finding.facts, "front": front})


def print_opening(context: typer.Context, finding: Finding) -> None:
    """Print the command that opens the first candidate as a game."""
    out.print(f"\nTo open the first as a game:\n   {finding.facts['front'][0]['open']} -v", soft_wrap=True)


def _command(context: typer.Context, design: Design, one: Tested) -> str:
    """Return the command that opens a candidate as a game, at a table of held-out players."""
    changed = {name: value for name, value in design.rules if value != _default(design, name)}
    settings = {**one.settings, **{name: value for name, value in changed.items() if name not in one.settings}}
    words = ["ostrom", "run", design.game.command]
    for name, value in settings.items():
        words += ["--rule", f"{name}={format_value(value)}"]
    for name in [*design.others, *design.players][: design.seats]:
        words += ["--include", name]
    return shlex.join([*words, *files_as_options(context), "--seed", str(design.seed)])


def _default(design: Design, name: str) -> Any:
    return type(design.rules).model_fields[name].default


FOLLOW: Final = Follow(add_commands, print_opening)
