"""`ostrom new game NAME`: a package to start from."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from ostrom.testing.scaffold import write_game


def new(
    what: Annotated[Literal["game"], typer.Argument(help="What to write: a game.")],
    name: Annotated[str, typer.Argument(help="Its name, such as trust-game.")],
    folder: Annotated[Path, typer.Option("--dir", help="Where its folder goes.")] = Path(),
) -> None:
    """Write the package of a new game, with strategies and tests that pass."""
    written = write_game(name, folder)
    target = next(path.parent for path in written if path.name == "pyproject.toml")
    for path in written:
        typer.echo(path)
    typer.echo(f"\nnext: cd {target} && pip install -e . && pytest")
