"""Runs the command in this process, with arguments, environment, folder and streams of its own: a twentieth of what a
new process takes. Not for commands that load code of users, which would stay, or that wait for somebody."""

import io
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path

from ostrom.cli.main import main

_LOADS_CODE = ("--players", "--plugin", "-p")
_WAITS = ("serve",)


def runs_here(arguments: Sequence[str], environment: Mapping[str, str]) -> bool:
    """Whether nothing of the command would be left in this process."""
    if (arguments and arguments[0] in _WAITS) or "human" in arguments:
        return False
    loads = any(word.partition("=")[0] in _LOADS_CODE for word in arguments)
    return not loads and "OSTROM_PLUGINS" not in environment


def run_here(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> tuple[int, str, str]:
    """Run the command; its exit status, its output and what it said beside it."""
    out, err = _stream(), _stream()
    with _surroundings(arguments, folder, environment), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
    return status, _text(out), _text(err)


@contextmanager
def _surroundings(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Iterator[None]:
    before = sys.argv, Path.cwd(), dict(os.environ)
    sys.argv = ["ostrom", *arguments]
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    try:
        yield
    finally:
        sys.argv, home, variables = before
        os.chdir(home)
        os.environ.clear()
        os.environ.update(variables)


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), encoding="utf-8", newline="")


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    assert isinstance(stream.buffer, io.BytesIO)
    return stream.buffer.getvalue().decode()
