"""The command `ostrom`. It only assembles the commands, and says in one line what went wrong."""

import errno
import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from ostrom.cli.lab import Lab
from ostrom.core.errors import Disagreement, OstromError
from ostrom.version import VERSION

app = typer.Typer(
    name="ostrom",
    cls=Lab,
    help="A laboratory for economic behaviour: models, algorithms, simulated subjects and people at one table.",
    add_completion=False,
    pretty_exceptions_enable=False,
)


@app.callback(invoke_without_command=True)
def lab(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """Show the help where no command is given."""
    if version:
        typer.echo(f"ostrom {VERSION}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run a command. Bad input exits with 2, what did not come to its end with 1; a traceback is a bug."""
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a sign shows another one; it is no reason to stop.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    code = _run()
    try:
        sys.stdout.flush()
    except OSError as error:
        code = _unwritten(error)
    if code == _INTERRUPTED and "jax" in sys.modules:
        os._exit(code)  # an interrupted JAX crashes when it is taken down in order
    sys.exit(code)


_INTERRUPTED = 130


def _run() -> int | None:
    try:
        code: int | None = app(standalone_mode=False)
    except typer.Abort:
        code = _INTERRUPTED
    except TyperException as error:
        _complain(error.format_message())
        return 2
    except OSError as error:
        return _unwritten(error)
    except OstromError as error:
        _complain(str(error))
        return 1 if isinstance(error, Disagreement) else 2
    if code == _INTERRUPTED:
        _complain("stopped")
    return code


def _unwritten(error: OSError) -> int:
    """Standard output could not take what was printed. A reader that has seen enough is no fault worth a word."""
    if error.errno not in (errno.EPIPE, errno.ENOSPC):
        raise error
    if error.errno == errno.ENOSPC:
        _complain("the output cannot be written: no space is left where it goes")
    # What is still waiting to be written would fail again when the interpreter ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _complain(text: str) -> None:
    """One line, whatever the text holds."""
    print(f"ostrom: {' '.join(text.split())}", file=sys.stderr)
