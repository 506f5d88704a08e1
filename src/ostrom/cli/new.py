"""`ostrom new game NAME` writes the package of a new game from the template. Its tests pass without changes."""

import re
import shlex
import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from ostrom.core.errors import InputError
from ostrom.core.plugins import GAMES

_SUFFIX = ".template"
_TEMPLATE = Path(__file__).parent / "template"


def write_game(name: str, folder: Path) -> list[Path]:
    """Write a package for a game with this name into a new folder inside `folder`, and return its files."""
    command = name.strip().lower().replace("_", "-").replace(" ", "-")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", command):
        raise InputError(f"invalid name {name!r}: it must consist of words of letters and digits, such as trust-game")
    if command in GAMES.commands():
        raise InputError(f"there is already a game {command!r}; give the new one another name")
    target = folder / f"ostrom-{command}"
    if target.exists():
        raise InputError(f"{target} already exists; remove it, or choose another name or --dir")
    words = command.split("-")
    names = {
        "new-game": command,
        "new_game": "_".join(words),
        "newgame": "_".join(["ostrom", *words]),
        "NEWGAME": "_".join(words).upper(),
        "NewGame": "".join(word.capitalize() for word in words),
        "New Game": " ".join(word.capitalize() for word in words),
    }
    written = []
    for source in sorted(_TEMPLATE.rglob(f"*{_SUFFIX}")):
        path = target / _with_names(str(source.relative_to(_TEMPLATE)).removesuffix(_SUFFIX), names)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_with_names(source.read_text(encoding="utf-8"), names), encoding="utf-8")
        written.append(path)
    return sorted(written)


def _with_names(text: str, names: dict[str, str]) -> str:
    """Return a text of the template with the new names."""
    return re.sub("|".join(map(re.escape, names)), lambda match: names[match[0]], text)


def new(
    what: Annotated[Literal["game"], typer.Argument(metavar="game", help="What to write: a game.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the game, such as trust-game.")],
    folder: Annotated[
        Path, typer.Option("--dir", help="The folder in which the folder of the game is created.")
    ] = Path(),
) -> None:
    """Write the package of a new game, with strategies and tests that pass."""
    written = write_game(name, folder)
    target = next(path.parent for path in written if path.name == "pyproject.toml")
    for path in written:
        typer.echo(path)
    # This interpreter has Ostrom. A `pip` or `pytest` on the path may belong to another interpreter.
    python = shlex.quote(sys.executable)
    typer.echo(f"\nnext: cd {shlex.quote(str(target))} && {python} -m pip install -e '.[test]' && {python} -m pytest")
