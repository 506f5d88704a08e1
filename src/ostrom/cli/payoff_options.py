"""What `evolve` and `solve` ask for alike: whose payoffs, and where they come from."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, TypeAlias

import typer

from ostrom.core import InputError
from ostrom.core.game import Game
from ostrom.players.roster import choose
from ostrom.players.strategy import StrategyEntry
from ostrom.terminal import options as opt
from ostrom.terminal.game_options import game_of, is_named
from ostrom.terminal.sheets import err

Players: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME|FILE.py", help="A player, or a file that brings some; all if omitted; repeatable."),
]
Matrix: TypeAlias = Annotated[
    Path | None, typer.Option(metavar="FILE", help="Take payoffs from this matrix, CSV or JSON; no game is played.")
]
From: TypeAlias = Annotated[
    str | None,
    typer.Option("--from", metavar="EXPERIMENT", help="Take payoffs from the games of this experiment."),
]
Games: TypeAlias = Annotated[int, typer.Option(help="Games of every composition of a group.")]


def names_given(players: list[str] | None) -> list[str]:
    """The names among what was given; files are loaded."""
    opt.load_players([Path(one) for one in players or [] if one.endswith(".py")])
    return [one for one in players or [] if not one.endswith(".py")]


def check_source(context: typer.Context, matrix: Path | None, from_: str | None, names: list[str]) -> None:
    """Refuse options that contradict each other: payoffs come from one source."""
    if matrix is not None and from_ is not None:
        raise InputError("--matrix and --from both bring payoffs; leave one out")
    option = "--matrix" if matrix is not None else "--from" if from_ is not None else None
    if option is None:
        return
    if is_named(context):
        raise InputError(f"{option} brings the payoffs, so no game is played; leave out {game_of(context).command}")
    if matrix is not None and names:
        raise InputError("--matrix has its own players; leave out --players")
    unused = (*context.meta.get(opt.RULES, {}), "group_size", "games", "rule", "workers", "exclude")
    leave_out(context, unused, f"{option} brings the payoffs")


def leave_out(context: typer.Context, names: Sequence[str], why: str) -> None:
    """Refuse options and rules of the game that were given and would have no effect."""
    for name in names:
        if name in context.meta.get(opt.RULES, {}) or opt.given(context, name):
            raise InputError(f"{why}; leave out --{name.replace('_', '-')}")


def strategies_named(game: Game, names: list[str], exclude: list[str]) -> list[StrategyEntry]:
    """The strategies that are meant; a line says which of them are slow."""
    entries: list[StrategyEntry] = choose(names, exclude, game=game.name)
    if not entries:
        raise InputError(f"{game.command} has no strategies; add some with --plugin FILE.py")
    slow = [entry.name for entry in entries if entry.rows is None or game.step is None]
    if slow:
        err.print(f"{', '.join(slow)}: plain Python, one game at a time, which is slower.")
    return entries
