"""Computations on many games run in a separate process that ends when it is idle. There are two reasons: compiled code
and libraries use more memory than the rest of the server, and a computation in a thread would delay all requests. If
the process does not start, or does not know the game, the server runs the computation itself and prints a line in the
terminal."""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol

import polars as pl
from typing_extensions import override

from ostrom.analysis.leaderboard import RatedPlayer, rate_players
from ostrom.analysis.rating_settings import RatingSettings
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError, OstromError, plugins
from ostrom.web.log import LOG

_PROGRAM: Final = "from ostrom.web.computing import answer_requests; answer_requests()"
_MIN_LONG_GAMES: Final = 200
"""For fewer games than this, the server itself finishes a computation before a new process has started."""
_IDLE_TIMEOUT_S: Final = 60.0
"""The number of seconds without a request after which the process ends."""


class ComputeTask(Protocol):
    """A computation on the tables of some games. It is sent to another process, so it must be possible to pickle it."""

    def needed(self, tables: GameTables) -> GameTables:
        """Return the tables that the task reads. They are sent to the process."""
        return tables

    def run(self, of: GameTables) -> Any:
        """Return the result."""


@dataclass(frozen=True)
class RatingTask(ComputeTask):
    """Computes the ratings of all players, like the command `ratings`."""

    settings: RatingSettings

    @override
    def needed(self, tables: GameTables) -> GameTables:
        return GameTables(tables.games, tables.seats, kind=tables.kind, before=tables.before, design=tables.design)

    @override
    def run(self, of: GameTables) -> list[RatedPlayer]:
        return rate_players(of, **asdict(self.settings))


@dataclass(frozen=True)
class MeasureTask(ComputeTask):
    """Computes a measure of a game, by its name."""

    name: str

    @override
    def run(self, of: GameTables) -> pl.DataFrame:
        return study_of(of).measures[self.name].function(of)


class Computing(Protocol):
    """Runs computations."""

    def compute(self, task: ComputeTask, key: str, of: GameTables) -> Any:
        """Return the result of a task on these tables, which `key` identifies."""

    def close(self) -> None:
        """Run no further computations."""


class InProcess(Computing):
    """Runs computations in the calling thread."""

    @override
    def compute(self, task: ComputeTask, key: str, of: GameTables) -> Any:
        return task.run(of)

    @override
    def close(self) -> None:
        pass


class StudyProcess(Computing):
    """Runs long computations in another process, one after the other. The other process starts when it is first needed
    and keeps the last data that it received. It ends when it is idle or when the server's process ends."""

    def __init__(self, files: Sequence[Path] = (), *, idle: float = _IDLE_TIMEOUT_S) -> None:
        """Use a process that loads these plugin files."""
        self._files, self._idle = tuple(files), idle
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._sent_key: str | None = None
        self._timer: threading.Timer | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    @override
    def compute(self, task: ComputeTask, key: str, of: GameTables) -> Any:
        if of.games.height < _MIN_LONG_GAMES:
            return task.run(of)
        with self._lock:
            try:
                succeeded, value = self._request(task, key, task.needed(of))
            except (OSError, EOFError, pickle.PickleError, ImportError, AttributeError, TypeError) as error:
                succeeded, value = False, _describe(error)
                self._end()
            self._end_later()
        if succeeded:
            return value
        if isinstance(value, OstromError):
            raise value
        self._check()
        LOG.say("computing", f"{type(task).__name__} is computed in the server: its own process failed ({value})")
        return task.run(of)

    def close(self) -> None:
        """End the process at once, and start no other."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _check(self) -> None:
        if self._closed:
            raise InputError("the server is stopping; try again when it is back")

    def _request(self, task: ComputeTask, key: str, of: GameTables) -> tuple[bool, Any]:
        self._check()
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = _start_process(self._files)
            if self._closed:  # The process was closed meanwhile, when there was no process to end yet.
                self._process.kill()
        pipes = self._process
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        # Tables of many games are large, so the same tables are sent only once.
        name = f"{type(task).__name__} {key}"
        pickle.dump((task, None if name == self._sent_key else of), pipes.stdin, pickle.HIGHEST_PROTOCOL)
        pipes.stdin.flush()
        self._sent_key = name
        reply: tuple[bool, Any] = pickle.load(pipes.stdout)  # Only our own process sends this.
        return reply

    def _end_later(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = threading.Timer(self._idle, self._end_if_idle)
        self._timer.daemon = True
        self._timer.start()

    def _end_if_idle(self) -> None:
        if self._lock.acquire(blocking=False):
            try:
                self._end()
            finally:
                self._lock.release()

    def _end(self) -> None:
        process, self._process, self._sent_key = self._process, None, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            process.kill()
            process.wait()


def _start_process(files: Sequence[Path]) -> "subprocess.Popen[bytes]":
    """Start the process in its own session, so that Ctrl-C reaches only the server."""
    words = [sys.executable, "-P", "-c", _PROGRAM, *map(str, files)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def answer_requests() -> None:
    """Read tasks from standard input until it ends, and compute each."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # Printed text must not be mixed with the replies.
    for file in sys.argv[1:]:
        plugins.load_file(file)
    with suppress(BrokenPipeError):
        _answer(sys.stdin.buffer, replies)


def _answer(requests: BinaryIO, replies: BinaryIO) -> None:
    of: Any = None
    while True:
        try:
            task, sent = pickle.load(requests)
        except (EOFError, ImportError, AttributeError):
            return  # There are no more requests, or the server must compute an unknown task itself.
        of = of if sent is None else sent
        reply: tuple[bool, Any]
        try:
            reply = True, task.run(of)
        except OstromError as error:
            reply = False, error
        except Exception as error:
            reply = False, _describe(error)  # The server reports the error and runs the computation itself.
        replies.write(_pickle_reply(reply))
        replies.flush()


def _pickle_reply(reply: tuple[bool, Any]) -> bytes:
    try:
        return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
    # The result cannot be pickled, so the server runs the computation itself.
    except (pickle.PickleError, AttributeError, TypeError) as error:
        return pickle.dumps((False, _describe(error)))


def _describe(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")
