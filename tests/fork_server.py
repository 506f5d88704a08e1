"""Runs the command `ostrom` in processes of their own without waiting for its imports every time: a server that has
read the libraries already, and makes a copy of itself for each command. A copy differs from a new process in nothing
but the time that it takes, except where the environment says how Python itself is to start (`starts_python`). ::

    with ForkServer() as server:
        status, out, err = server.run(["status", "--json"], folder, environment)
        process = server.start(["bench", "punish"], folder, environment)
        process.send_signal(signal.SIGKILL)
"""

import contextlib
import gc
import json
import os
import runpy
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

# What a model's seat, a journal and the command need. Nothing that starts threads: a copy would be without them; and
# nothing that is made of all tasks of the battery when it is read, such as its scores: a plugin may bring one more.
_READ = (
    "ostrom.cli.main",
    "ostrom.cli.run",
    "ostrom.cli.follow_ups",
    "ostrom.cli.doctor",
    "ostrom.findings.evolve",
    "ostrom.cli.importing",
    "ostrom.findings.power",
    "ostrom.cli.serve",
    "ostrom.findings.games",
    "ostrom.findings.solve",
    "ostrom.cli.sweep",
    "ostrom.findings.design",
    "ostrom.findings.pictures",
    "ostrom.findings.lists",
    "ostrom.findings.report",
    "ostrom.findings.status",
    "ostrom.findings.respond",
    "ostrom.findings.tournament",
    "ostrom.games.audit.commands",
    "ostrom.games.battery.briefing",
    "ostrom.games.battery.commands.plan",
    "ostrom.games.battery.played",
    "ostrom.games.battery.stated",
    "ostrom.games.commons.players",
    "ostrom.games.commons.scene",
    "ostrom.games.contribute_punish.charts",
    "ostrom.games.contribute_punish.measures",
    "ostrom.games.contribute_punish.players",
    "ostrom.games.contribute_punish.scene",
    "ostrom.games.judge.commands",
    "ostrom.games.judge.promises",
    "ostrom.games.judge.quotes",
    "ostrom.games.market.reading",
    "ostrom.games.repeated.players",
    "ostrom.terminal.console",
    "ostrom.web.publish",
    "ostrom.journal.sql",
    "ostrom.experiment.store",
    "ostrom.players.models.connection",
    "ostrom.players.models.player",
    "ostrom.players.models.transport",
    "ostrom.players.models.probe",
    "genai_prices.data",
    "pydantic_ai.models.openai",
    "pydantic_ai.providers.openai_compatible",
    "pydantic_ai.profiles.openai",
    "jinja2",
    "ostrom.terminal.sheets",
    "ostrom.games",
    "ostrom.experiment",
    "ostrom.games.commons.briefing",
    "ostrom.games.contribute_punish.briefing",
    "ostrom.experiment.estimate",
    "ostrom.games.battery.commands.plan",
    "ostrom.players.roster",
    "ostrom.games.battery.subjects",
    "ostrom.sim.tournament",
    "ostrom.testing.provider",
    "ostrom.testing.provider.service",
    "rich.markdown",
    "rich.progress",
    "rich.table",
    "rich.text",
    "scipy.optimize",
    "scipy.sparse",
    "scipy.special",
    "scipy.stats",
    "sqlalchemy.dialects.sqlite",
)


class ForkServer:
    """A server for one process at a time, started by the first command."""

    _process: "subprocess.Popen[str] | None" = None

    def __init__(
        self, python: str | Path = sys.executable, *, program: str = __file__, more: Mapping[str, str] | None = None
    ) -> None:
        """`python` is that of the environment whose `ostrom` is meant; `program` waits for wishes as this file does, if
        not this one; `more` is added to the environment in which it starts."""
        self._command = [str(python), program]
        self._more = dict(more or {})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is None:
            return
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()
        self._process = None

    def run(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], *, pictures: bool = True
    ) -> tuple[int, str, str]:
        """Run a command to its end: its status, its output and what it said beside it. Without `pictures` the files of
        a report's charts are empty, for who looks at its words and figures alone: most of its time goes into them."""
        with tempfile.TemporaryDirectory() as home:
            status = self._told({**_wish(arguments, folder, environment, Path(home)), "pictures": pictures})
            return status, *_said(Path(home))

    def start(
        self, arguments: Sequence[str], folder: Path, environment: Mapping[str, str], *, module: str | None = None
    ) -> "Copy":
        """Start a command that can be sent signals while it runs; or a module, as `python -m` does."""
        home = Path(tempfile.mkdtemp())
        number = self._told({**_wish(arguments, folder, environment, home), "stay": False, "module": module})
        return Copy(self, [*arguments], number, home)

    def ended(self, number: int) -> int | None:
        """How the process with this number ended, if it did. To be asked until it has, and not again."""
        status = self._told({"ended": number})
        return None if status == _RUNNING else status

    def _told(self, wish: Mapping[str, Any]) -> int:
        """What the server answers."""
        self._process = self._process or _started(self._command, self._more)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(wish) + "\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())


class Copy:
    """A command that was started, as `subprocess.Popen` has it."""

    returncode: int | None = None

    def __init__(self, server: ForkServer, arguments: list[str], number: int, home: Path) -> None:
        self._server, self.args, self.pid, self._home = server, arguments, number, home
        self.stdout, self.stderr = Said(self, home / "out"), Said(self, home / "err")

    def poll(self) -> int | None:
        """How it ended, if it did."""
        if self.returncode is None:
            self.returncode = self._server.ended(self.pid)
        return self.returncode

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait for its end: what nobody has read yet of its output, and of what it said beside it."""
        until = None if timeout is None else time.monotonic() + timeout
        while self.poll() is None:
            if timeout is not None and until is not None and time.monotonic() > until:
                raise subprocess.TimeoutExpired(self.args, timeout)
            time.sleep(0.02)
        said = self.stdout.read(), self.stderr.read()
        shutil.rmtree(self._home, ignore_errors=True)
        return said


class Said:
    """What a command says, as the end of a pipe has it: read while it runs."""

    def __init__(self, copy: Copy, path: Path) -> None:
        self._copy, self._path, self._read = copy, path, 0

    def readline(self) -> str:
        """The next line, as soon as it is there; nothing, where it has ended."""
        while True:
            ended = self._copy.poll() is not None
            line, found, _ = self._rest().partition(b"\n")
            if found or ended:
                self._read += len(line + found)
                return (line + found).decode()
            time.sleep(0.02)

    def read(self) -> str:
        """The rest, once it has ended."""
        while self._copy.poll() is None:
            time.sleep(0.02)
        rest = self._rest()
        self._read += len(rest)
        return rest.decode()

    def _rest(self) -> bytes:
        return self._path.read_bytes()[self._read :] if self._path.exists() else b""


_RUNNING = 1000
"""What the server says of a process that has not ended; no status is so high."""


def _wish(arguments: Sequence[str], folder: Path, environment: Mapping[str, str], home: Path) -> dict[str, Any]:
    wish = {"arguments": list(arguments), "folder": str(folder), "environment": dict(environment)}
    return {**wish, "out": str(home / "out"), "err": str(home / "err")}


def _said(home: Path) -> tuple[str, str]:
    """Nothing, where it was killed before it could say anything."""
    files = (home / "out", home / "err")
    out, err = (file.read_text(encoding="utf-8") if file.exists() else "" for file in files)
    return out, err


COMMANDS = ForkServer()
"""The one of a test session, which ends with it."""


_COLOURS = ("FORCE_COLOR", "NO_COLOR", "TERM")
_SIZES = ("COLUMNS", "LINES")


def starts_python(environment: Mapping[str, str]) -> bool:
    """Whether these variables change how Python itself or its terminal starts; a copy of what has started would not
    heed them. The terminal's size is looked at when something is shown, unless it was given at the start."""
    return any(name.startswith("PYTHON") or name in _COLOURS for name in environment)


def _started(command: list[str], more: Mapping[str, str]) -> "subprocess.Popen[str]":
    # As commands are started by those who call them here: in UTF-8, with warnings as users have them, and with no
    # terminal but the one that a command names.
    left = ("PYTHONWARNINGS", *_COLOURS, *_SIZES, *(() if command[0] == sys.executable else ("PYTHONPATH",)))
    kept = {name: value for name, value in os.environ.items() if name not in left}
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=kept | {"PYTHONUTF8": "1"} | more,
    )


def serve() -> dict[str, Any] | None:
    """Wait for commands; returns in the copy, with the command that it is to be, and at the end of all."""
    answers = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        wish: dict[str, Any] = json.loads(line)
        answer = _ended(wish["ended"], os.WNOHANG) if "ended" in wish else None
        if answer is None:
            process = os.fork()
            if process == 0:
                return wish
            answer = _ended(process) if wish.get("stay", True) else process
        answers.write(f"{answer}\n")
        answers.flush()
    return None


def _ended(number: int, options: int = 0) -> int:
    found, status = os.waitpid(number, options)
    return os.waitstatus_to_exitcode(status) if found else _RUNNING


def become(wish: Mapping[str, Any]) -> None:
    """Be the command, to the end."""
    from ostrom.cli.main import main

    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    for number, path in ((0, os.devnull), (1, wish["out"]), (2, wish["err"])):
        file = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        os.dup2(file, number)
        os.close(file)
    sys.argv = ["ostrom", *wish["arguments"]]
    if not wish.get("pictures", True):
        _leave_out_pictures()
    try:
        if wish.get("module") is not None:
            runpy.run_module(wish["module"], run_name="__main__", alter_sys=True)
        else:
            main()
    except SystemExit as end:
        if not wish.get("stay", True):
            raise  # whatever still runs, and keeps a process from ending, is to do so here too
        # Taking down libraries that were only copied would cost more than most commands.
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code if isinstance(end.code, int) else int(end.code is not None))


def read_once() -> None:
    """What a process of the command reads once and keeps. Certificates are those of this environment; no test names
    others."""
    from ostrom.core.entry_points import GROUPS, declared
    from ostrom.players.models.keys import trusted

    for group in GROUPS:
        declared(group)
    with contextlib.suppress(ImportError):
        trusted()


def silence_progress() -> None:
    """Print no line of progress, however long a command takes on a busy machine."""
    from ostrom.terminal import progress

    progress.LINE_INTERVAL_S = threading.TIMEOUT_MAX  # type: ignore[misc]


def _leave_out_pictures() -> None:
    from ostrom.charts import render

    render.svg = lambda chart, source="": ""
    render.png = lambda picture, **options: b""
    render.javascript = lambda: ""


if __name__ == "__main__":
    import importlib

    sys.path.remove(str(Path(__file__).parent))  # tests are no part of what a command can import

    for module in _READ:
        with contextlib.suppress(ImportError):  # what is missing is for the command to say
            importlib.import_module(module)
    read_once()
    silence_progress()
    gc.freeze()  # what is never collected is never copied
    wanted = serve()
    if wanted is not None:
        become(wanted)
