"""Runs of experiments that were started from a page, each in a process of its own, so that runs do not delay requests
or people's seats. On a server that was started with `--steer`, a run is the command `ostrom resume`, with the rules and
limits of the command line. On every server, games without people and models are run by `ostrom.cli.child_game`, with
the limits of a server. When the server ends, even if it is killed, the run pauses. Its decisions are in the journal and
are not made again."""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from ostrom.core import InputError
from ostrom.core.text import one_line
from ostrom.journal.engine import VARIABLE

PROGRAM: Final = (sys.executable, "-P", "-m", "ostrom.cli.child", "resume")
"""The command that runs an experiment. It ends when this process ends."""
GAME_PROGRAM: Final = (sys.executable, "-P", "-m", "ostrom.cli.child_game")
"""The command that plays an experiment without people and models. It ends when this process ends."""
MAX_RUNNING: Final = 8
_MAX_MESSAGES: Final = 6
_MAX_MESSAGE_CHARACTERS: Final = 600
_MAX_LINE_BYTES: Final = 64 * 1024
_MESSAGE_PREFIX: Final = "ostrom: "
_TERMINAL_HINTS: Final = (" Resume with: ", "; press Ctrl-C")
"""The beginnings of the part of a message that is useful only in a terminal, not on a page."""
_MAX_ENDED_RUNS: Final = 200
_TOKEN: Final = "OSTROM_TOKEN"
_SECOND_SIGNAL_DELAY_S: Final = 0.5
"""The number of seconds between the two interrupts that stop a run."""

RunState = Literal["running", "pausing", "stopping", "ended"]


@dataclass(eq=False)
class Run:
    """A current or past run of an experiment."""

    experiment: str
    process: asyncio.subprocess.Process | None = None
    state: RunState = "running"
    messages: deque[str] = field(default_factory=lambda: deque(maxlen=_MAX_MESSAGES))
    again: Sequence[str] | None = None
    """The options with which the run is continued after a pause."""
    task: asyncio.Task[None] | None = None

    def note(self, line: str) -> None:
        """Store a message that the command prints for its user."""
        if line.startswith(_MESSAGE_PREFIX):
            message = line.removeprefix(_MESSAGE_PREFIX)
            for hint in _TERMINAL_HINTS:
                message = message.partition(hint)[0]
            self.messages.append(one_line(message, _MAX_MESSAGE_CHARACTERS))


class ExperimentRuns:
    """The runs of one server."""

    def __init__(self, store: str, plugins: Sequence[Path] = (), program: Sequence[str] = PROGRAM) -> None:
        """Run experiments of the journal at this address, with these plugin files."""
        self._store, self._plugins, self._program = store, plugins, program
        self._runs: dict[str, Run] = {}
        self._closed = False
        self._others: list[ExperimentRuns] = []
        """Runs that are closed together with these."""

    def running(self) -> list[str]:
        """Return the ids of the experiments that are being run."""
        return [name for name, run in self._runs.items() if run.state != "ended"]

    def of(self, experiment: str) -> Run | None:
        """Return the current or last run of an experiment since this server started. Return None if there was none."""
        return self._runs.get(experiment)

    async def start(self, experiment: str, options: Sequence[str] = ()) -> None:
        """Resume an experiment of the journal; raise `InputError` if it cannot be started."""
        self.check_room()
        if experiment in self.running():
            raise InputError(f"{experiment} is already being run here")
        await self._begin(Run(experiment), options)

    async def _begin(self, run: Run, options: Sequence[str]) -> None:
        ended = [name for name, run in self._runs.items() if run.state == "ended"]
        for name in ended[: max(0, len(ended) - _MAX_ENDED_RUNS)]:
            del self._runs[name]
        self._runs[run.experiment] = run
        run.process = await self._process(run.experiment, options)
        run.task = asyncio.create_task(self._follow(run), name=f"run of {run.experiment}")

    def check_room(self) -> None:
        """Raise `InputError` if no further experiment can be started."""
        if self._closed:
            raise InputError("this server is stopping; start it again when it is back")
        if len(self.running()) >= MAX_RUNNING:
            raise InputError(f"{MAX_RUNNING} experiments are already being run here; wait until one is over")

    def pause(self, experiment: str) -> None:
        """Pause a run. It makes no more calls, and the replies to calls in flight are stored."""
        run = self._active_run(experiment)
        run.again = None
        if run.state == "running":
            self._interrupt(run)
            run.state = "pausing"

    def stop(self, experiment: str) -> None:
        """Stop a run at once. Calls in flight are abandoned and count with their maximum cost."""
        run = self._active_run(experiment)
        run.again = None
        if run.state == "running":
            self._interrupt(run)
        if run.state != "stopping":
            # The first interrupt pauses the run, and the second stops it. If both were sent at the same time, they
            # would count as one.
            asyncio.get_running_loop().call_later(_SECOND_SIGNAL_DELAY_S, self._interrupt, run)
        run.state = "stopping"

    def start_again(self, experiment: str, options: Sequence[str]) -> None:
        """Pause a run, and continue it with other options when the calls in flight have ended."""
        self.pause(experiment)
        self._active_run(experiment).again = options

    async def close(self) -> None:
        """Pause all runs and wait until they have ended."""
        self._closed = True
        for name in self.running():
            self.pause(name)
        for others in self._others:
            await others.close()
        tasks = [run.task for run in self._runs.values() if run.task is not None]
        if tasks:
            await asyncio.wait(tasks)

    def _active_run(self, experiment: str) -> Run:
        run = self._runs.get(experiment)
        if run is None or run.state == "ended":
            raise InputError(f"{experiment} is not being run here")
        return run

    def _interrupt(self, run: Run) -> None:
        if run.process is not None and run.process.returncode is None:
            with suppress(ProcessLookupError):
                run.process.send_signal(signal.SIGINT)

    async def _process(self, experiment: str, options: Sequence[str]) -> asyncio.subprocess.Process:
        plugins = [word for file in self._plugins for word in ("--plugin", str(file))]
        return await self._spawn((*self._program, *options, *plugins, "--", experiment))

    async def _spawn(
        self, words: Sequence[str], stdout: int = asyncio.subprocess.DEVNULL
    ) -> asyncio.subprocess.Process:
        environment = {name: value for name, value in os.environ.items() if name != _TOKEN}
        return await asyncio.create_subprocess_exec(
            *words,
            # When this pipe is closed, the run detects that the server has ended.
            stdin=asyncio.subprocess.PIPE,
            stdout=stdout,
            stderr=asyncio.subprocess.PIPE,
            # The address may have a password, so it is not passed as an argument, which other users can read.
            env={**environment, VARIABLE: self._store},
            limit=_MAX_LINE_BYTES,
            start_new_session=True,  # The server passes Ctrl-C in its terminal on to the runs.
        )

    async def _follow(self, run: Run) -> None:
        """Read a run's messages until it ends. Continue it with other options if that was requested."""
        while True:
            assert run.process is not None
            assert run.process.stderr is not None
            await read_lines(run.process.stderr, run.note)
            status = await run.process.wait()
            if run.process.stdin is not None:
                run.process.stdin.close()
            if run.again is None or self._closed:
                break
            options, run.again = run.again, None
            run.messages.clear()
            run.state = "running"
            run.process = await self._process(run.experiment, options)
        if status < 0:
            run.messages.append(f"the run ended by the signal {signal.Signals(-status).name}")
        await self._finish(run)
        run.state = "ended"

    async def _finish(self, run: Run) -> None:
        """Read what is left of a run before it counts as ended."""


async def read_lines(stream: asyncio.StreamReader, note: Callable[[str], None]) -> None:
    """Call a function with each line of a stream, until the stream ends. Long lines are cut."""
    rest = b""
    while piece := await stream.read(_MAX_LINE_BYTES):
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            note(line.decode(errors="replace"))
        rest = rest[-_MAX_LINE_BYTES:]
    note(rest.decode(errors="replace"))
