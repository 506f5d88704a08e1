"""Runs of experiments that were started from a page. Each is `ostrom resume` in a process of its own, so that rules and
limits are those of the command line, and what it computes keeps no reader waiting. It ends in order when this server
does, even by a kill; whatever was decided is in the journal, and is not asked for again."""

import asyncio
import os
import signal
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from ostrom.core import InputError
from ostrom.core.text import one_line
from ostrom.journal.engine import VARIABLE

PROGRAM: Final = (sys.executable, "-m", "ostrom.cli.child")
"""The command that runs an experiment, and ends with this process."""
MOST_RUNNING: Final = 8
"""Experiments that are run for this server at once."""
_MOST_TOLD: Final = 6
_LONGEST: Final = 600
_LONGEST_LINE: Final = 64 * 1024
_SAID: Final = "ostrom: "
"""What a line of a command begins with that is meant for its user."""
_FOR_A_TERMINAL: Final = (" Resume with: ", "; press Ctrl-C")
"""What follows is of no use on a page."""
_REMEMBERED: Final = 200
_TOKEN: Final = "OSTROM_TOKEN"
_BETWEEN: Final = 0.5
"""Seconds between asking a run to stop and insisting on it."""

RunState = Literal["running", "pausing", "stopping", "ended"]


@dataclass(eq=False)
class Run:
    """One experiment that is run for this server, or was."""

    experiment: str
    process: asyncio.subprocess.Process | None = None
    state: RunState = "running"
    told: deque[str] = field(default_factory=lambda: deque(maxlen=_MOST_TOLD))
    """What the command said last, for its user."""
    again: Sequence[str] | None = None
    """The options with which it goes on as soon as it has paused."""
    task: asyncio.Task[None] | None = None

    def note(self, line: str) -> None:
        """Keep what the command says to its user."""
        if line.startswith(_SAID):
            said = line.removeprefix(_SAID)
            for sign in _FOR_A_TERMINAL:
                said = said.partition(sign)[0]
            self.told.append(one_line(said, _LONGEST))


class Runs:
    """The runs of one server."""

    def __init__(self, store: str, plugins: Sequence[Path] = (), program: Sequence[str] = PROGRAM) -> None:
        """Over the journal at this address, with these files of plugins."""
        self._store, self._plugins, self._program = store, plugins, program
        self._runs: dict[str, Run] = {}
        self._closed = False

    def running(self) -> list[str]:
        """The ids of experiments that are being run."""
        return [name for name, run in self._runs.items() if run.state != "ended"]

    def of(self, experiment: str) -> Run | None:
        """The run of an experiment, or the last one that there was since this server was started."""
        return self._runs.get(experiment)

    async def start(self, experiment: str, options: Sequence[str] = ()) -> None:
        """Go on with an experiment that the journal holds."""
        if self._closed:
            raise InputError("this server is stopping; start it again when it is back")
        if experiment in self.running():
            raise InputError(f"{experiment} is already being run here")
        if len(self.running()) >= MOST_RUNNING:
            raise InputError(f"{MOST_RUNNING} experiments are already being run here; wait until one is over")
        over = [name for name, run in self._runs.items() if run.state == "ended"]
        for name in over[: max(0, len(over) - _REMEMBERED)]:
            del self._runs[name]
        run = self._runs[experiment] = Run(experiment)
        run.process = await self._process(experiment, options)
        run.task = asyncio.create_task(self._follow(run), name=f"run of {experiment}")

    def pause(self, experiment: str) -> None:
        """Let no more calls go; those in flight come in and are kept."""
        run = self._under_way(experiment)
        run.again = None
        if run.state == "running":
            self._interrupt(run)
            run.state = "pausing"

    def stop(self, experiment: str) -> None:
        """End at once: what is in flight is given up, and counts with the most that it can cost."""
        run = self._under_way(experiment)
        run.again = None
        if run.state == "running":
            self._interrupt(run)
        if run.state != "stopping":
            # The first asks, the second insists; heard in one moment they would be one.
            asyncio.get_running_loop().call_later(_BETWEEN, self._interrupt, run)
        run.state = "stopping"

    def start_again(self, experiment: str, options: Sequence[str]) -> None:
        """Pause, and go on with other options as soon as the calls in flight are in."""
        self.pause(experiment)
        self._under_way(experiment).again = options

    async def close(self) -> None:
        """Let all runs pause, and wait until they have."""
        self._closed = True
        for name in self.running():
            self.pause(name)
        tasks = [run.task for run in self._runs.values() if run.task is not None]
        if tasks:
            await asyncio.wait(tasks)

    def _under_way(self, experiment: str) -> Run:
        run = self._runs.get(experiment)
        if run is None or run.state == "ended":
            raise InputError(f"{experiment} is not being run here")
        return run

    def _interrupt(self, run: Run) -> None:
        if run.process is not None and run.process.returncode is None:
            with suppress(ProcessLookupError):
                run.process.send_signal(signal.SIGINT)

    async def _process(self, experiment: str, options: Sequence[str]) -> asyncio.subprocess.Process:
        environment = {name: value for name, value in os.environ.items() if name != _TOKEN}
        plugins = [word for file in self._plugins for word in ("--plugin", str(file))]
        return await asyncio.create_subprocess_exec(
            *(*self._program, "resume", *options, *plugins, "--", experiment),
            # Its end tells the run that this server is gone.
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            # Not among the arguments, which others can read: the address may hold a password.
            env={**environment, VARIABLE: self._store},
            limit=_LONGEST_LINE,
            start_new_session=True,  # Ctrl-C in the server's terminal is the server's to pass on
        )

    async def _follow(self, run: Run) -> None:
        """Read what a run says until it ends; go on with other options where that was asked for."""
        while True:
            assert run.process is not None
            assert run.process.stderr is not None
            rest = b""
            while piece := await run.process.stderr.read(_LONGEST_LINE):
                *lines, rest = (rest + piece).split(b"\n")
                for line in lines:
                    run.note(line.decode(errors="replace"))
                rest = rest[-_LONGEST_LINE:]
            run.note(rest.decode(errors="replace"))
            status = await run.process.wait()
            if run.process.stdin is not None:
                run.process.stdin.close()
            if run.again is None or self._closed:
                break
            options, run.again = run.again, None
            run.told.clear()
            run.state = "running"
            run.process = await self._process(run.experiment, options)
        if status < 0:
            run.told.append(f"the run ended by the signal {signal.Signals(-status).name}")
        run.state = "ended"
