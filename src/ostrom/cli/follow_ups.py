"""Prints, below the findings of verbs, the commands that users may type next. These commands replay a game of a
tournament, play a game under designed rules, or put a best response into a seat."""

import shlex
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import typer

from ostrom.cli.main import plugins_as_options
from ostrom.core.finding import Finding
from ostrom.sim.factors import format_value
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, is_named, rules_as_options
from ostrom.terminal.sheets import err, out
from ostrom.terminal.verbs import Follow

if TYPE_CHECKING:
    from ostrom.sim.institutions import Design, Tested

_NOT_REPEATED: Final = {
    "seed",
    "over",
    "backend",
    "workers",
    "chunk_size",
    "cluster",
    "keep",
    "store",
    "json",
    "plugin",
}
"""Options of a tournament that are not repeated in a printed command. Most of them change only how the tournament is
computed and shown. The seed is added separately."""


def print_replay(context: typer.Context, finding: Finding) -> None:
    """Print the command that replays a game of the tournament."""
    options = _quoted(_options(context, finding.seed))
    command = f"ostrom run --from-tournament {options} --number 0 -v"
    out.print(f"\nTo replay any one of its games, with every turn:\n   {command}", soft_wrap=True)


def _options(context: typer.Context, seed: int | None) -> str:
    """Return the options that determine the result of the tournament, as part of a printed command."""
    words = [game_of(context).command] if is_named(context) else []
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in _NOT_REPEATED or name not in context.params or not opt.given(context, name):
            continue
        value = context.params[name]
        for argument in value if isinstance(value, list) else [value]:
            words += [f"--{name.replace('_', '-')}", shlex.quote(str(argument))]
    more = [*rules_as_options(context), *plugins_as_options(context), "--seed", str(seed)]
    return " ".join([*words, *map(shlex.quote, more)])


def files_as_options(context: typer.Context) -> list[str]:
    """Return the options that name the same files of players and plugins as the user's options, as part of a printed
    command."""
    players = [word for file in context.params["players"] or [] for word in ("--players", str(file))]
    return [*players, *plugins_as_options(context)]


def _quoted(words: str) -> str:
    """Return words quoted as one word of a shell. Double quotes are used if they suffice, because they are easier to
    read."""
    return shlex.quote(words) if set(words) & set('"$`\\!') else f'"{words}"'


def add_commands(context: typer.Context, finding: Finding) -> Finding:
    """Return the finding with a command for each candidate of the front. The command plays a game under the candidate's
    rules."""
    commands = [_command(context, finding.result, candidate) for candidate in finding.result.front]
    front = [
        {**candidate, "open": command} for candidate, command in zip(finding.facts["front"], commands, strict=True)
    ]
    return replace(finding, facts={**finding.facts, "front": front})


def print_opening(context: typer.Context, finding: Finding) -> None:
    """Print the command that plays a game under the rules of the first candidate."""
    out.print(f"\nTo open the first as a game:\n   {finding.facts['front'][0]['open']} -v", soft_wrap=True)


def _command(context: typer.Context, design: "Design", candidate: "Tested") -> str:
    """Return the command that plays a game under the rules of a candidate, with held-out players."""
    changed = {name: value for name, value in design.rules if value != _default(design, name)}
    settings = {
        **candidate.settings,
        **{name: value for name, value in changed.items() if name not in candidate.settings},
    }
    words = ["ostrom", "run", design.game.command]
    for name, value in settings.items():
        words += ["--rule", f"{name}={format_value(value)}"]
    for name in [*design.others, *design.players][: design.seats]:
        words += ["--include", name]
    return shlex.join([*words, *files_as_options(context), "--seed", str(design.seed)])


def _default(design: "Design", name: str) -> Any:
    return type(design.rules).model_fields[name].default


def print_seating(context: typer.Context, finding: Finding) -> None:
    """Print the command that puts the response into a seat, if the response was written to a file."""
    player = finding.facts.get("player")
    if player is not None:
        words = ["ostrom", "run", game_of(context).command, "--include", player, *files_as_options(context)]
        err.print(f"\nTo seat it:\n   {shlex.join(words)} …", soft_wrap=True)


TOURNAMENT: Final = Follow(show=print_replay)
DESIGN: Final = Follow(add_commands, print_opening)
RESPOND: Final = Follow(show=print_seating)
