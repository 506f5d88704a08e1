"""Simulations that were started from a page. Each is a command of the command line in a process of its own, which
stores its result in the journal at the end. A simulation is stopped by an interrupt; started again, it begins anew."""

import asyncio
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from typing_extensions import override

from ostrom.core.text import one_line
from ostrom.web.runs import ExperimentRuns, Run, read_lines

PROGRAM: Final = (sys.executable, "-P", "-m", "ostrom.cli.child_simulation")
"""The command that runs a simulation. It ends when this process ends."""
_STORED: Final = re.compile(r"^kept in the journal as (\S+);")
_MAX_PROGRESS_CHARACTERS: Final = 200


@dataclass(eq=False)
class SimulationRun(Run):
    """A current or past run of a simulation. Its name is a number, since it has no experiment before its end."""

    words: Sequence[str] = ()
    """The words of the command after `ostrom`."""
    title: str = ""
    progress: str = ""
    """The latest line of progress."""
    stored: str | None = None
    """The experiment with the result."""
    stopped: bool = False
    reading: list[asyncio.Task[None]] = field(default_factory=list)

    @override
    def note(self, line: str) -> None:
        if line.startswith("ostrom: "):
            super().note(line)
        elif line.strip():
            self.progress = one_line(line.strip(), _MAX_PROGRESS_CHARACTERS)

    def read_output(self, line: str) -> None:
        """Read a line of the command's result."""
        if match := _STORED.match(line):
            self.stored = match[1]


class SimulationRuns(ExperimentRuns):
    """The simulations of one server."""

    _numbers: "count[int]"

    @classmethod
    def beside(cls, runs: ExperimentRuns) -> "SimulationRuns":
        """Return runs of simulations with the same journal and plugins; they are closed together with `runs`."""
        own = cls(runs._store, runs._plugins, PROGRAM)
        own._numbers = count(1)
        runs._others.append(own)
        return own

    def all(self) -> list[SimulationRun]:
        """Return the runs since this server started, the newest first."""
        return [run for run in reversed(self._runs.values()) if isinstance(run, SimulationRun)]

    async def launch(self, words: Sequence[str], title: str) -> SimulationRun:
        """Start a simulation; raise `InputError` if it cannot be started."""
        self.check_room()
        run = SimulationRun(str(next(self._numbers)), words=tuple(words), title=title)
        await self._begin(run, ())
        return run

    @override
    def stop(self, experiment: str) -> None:
        run = self._active_run(experiment)
        if isinstance(run, SimulationRun):
            run.stopped = True
        super().stop(experiment)

    @override
    async def _process(self, experiment: str, options: Sequence[str]) -> asyncio.subprocess.Process:
        run = self._runs[experiment]
        assert isinstance(run, SimulationRun)
        plugins = [word for file in self._plugins for word in ("--plugin", str(file))]
        process = await self._spawn((*self._program, *run.words, *plugins), asyncio.subprocess.PIPE)
        assert process.stdout is not None
        run.reading.append(asyncio.create_task(read_lines(process.stdout, run.read_output)))
        return process

    @override
    async def _finish(self, run: Run) -> None:
        assert isinstance(run, SimulationRun)
        await asyncio.gather(*run.reading)
