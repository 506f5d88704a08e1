"""The command as a user calls it: in a process of its own where streams and exit status matter, inside this one where
only the answer does."""

import json
import os
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner

from fork_server import COMMANDS, starts_python
from ostrom.cli.main import app

OSTROM = Path(sys.executable).parent / "ostrom"

WILD = '''
from ostrom import Champion, register_champion


@register_champion
class Wild(Champion):
    """Plays as it is told to."""

    def decide(self, ctx):
        if ctx.turn == 3:
            {deed}
        return 1.0
'''

GENTLE = '''
from ostrom import Champion, register_champion


@register_champion
class Gentle(Champion):
    """Gives three quarters. And says no more."""

    def decide(self, ctx):
        return 0.75
'''


def ostrom(*arguments, folder=None, **environment):
    """Run the command in a terminal of 80 columns that nobody looks at."""
    kept = {name: value for name, value in os.environ.items() if name not in ("FORCE_COLOR", "PYTHONWARNINGS")}
    whole = kept | {"COLUMNS": "80", "PYTHONUTF8": "1"} | environment
    words = [str(argument) for argument in arguments]
    if not starts_python(environment):
        return subprocess.CompletedProcess(words, *COMMANDS.run(words, Path(folder or Path.cwd()), whole))
    return subprocess.run([OSTROM, *words], capture_output=True, encoding="utf-8", env=whole, cwd=folder, check=False)


def answer(*arguments):
    """What the command prints, from within this process; it must succeed."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exception is None, result.exception
    assert (result.exit_code, result.stderr) == (0, ""), ascii(result.stderr)
    return result.stdout


def document(*arguments):
    """The JSON document that the command prints, and nothing beside it."""
    return json.loads(answer(*arguments, "--json"))


def seats(*names):
    """The options that seat these players."""
    return [part for name in names for part in ("--include", name)]
