"""The command that replays any one game of a tournament, printed below its standings."""

import shlex
from typing import Final

import typer

from ostrom.cli.main import plugins_as_options
from ostrom.core.finding import Finding
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, is_named, rules_as_options
from ostrom.terminal.sheets import out
from ostrom.terminal.verbs import Follow

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
"""Options that decide how a tournament is computed and shown, and not which one it is."""


def print_replay(context: typer.Context, finding: Finding) -> None:
    """Print the command that replays a game of the tournament."""
    options = _quoted(_options(context, finding.seed))
    command = f"ostrom run --from-tournament {options} --number 0 -v"
    out.print(f"\nTo replay any one of its games, with every turn:\n   {command}", soft_wrap=True)


def _options(context: typer.Context, seed: int | None) -> str:
    """Return the options that decide which tournament this is, as they would be typed again."""
    words = [game_of(context).command] if is_named(context) else []
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in _NOT_REPEATED or name not in context.params or not opt.given(context, name):
            continue
        value = context.params[name]
        for each in value if isinstance(value, list) else [value]:
            words += [f"--{name.replace('_', '-')}", shlex.quote(str(each))]
    more = [*rules_as_options(context), *plugins_as_options(context), "--seed", str(seed)]
    return " ".join([*words, *map(shlex.quote, more)])


def files_as_options(context: typer.Context) -> list[str]:
    """Return the files of players and of plugins that were named as options, as they would be typed again."""
    players = [word for file in context.params["players"] or [] for word in ("--players", str(file))]
    return [*players, *plugins_as_options(context)]


def _quoted(words: str) -> str:
    """Return words as one word of a shell: in double quotes, which are easier to read, if no character needs more."""
    return shlex.quote(words) if set(words) & set('"$`\\!') else f'"{words}"'


FOLLOW: Final = Follow(show=print_replay)
