"""What is found out about many games, computed in a process of its own that ends when nothing is asked of it any more.

Compiled code and what libraries keep for themselves take more memory than everything else that a server holds, and
while Python computes in one thread, all who read the lab wait for their turn. So the server keeps what was found, and
the process that found it goes. What cannot be computed there is computed here: a game that only the journal knows, or
a process that does not start, costs time and a line in the terminal."""

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Protocol, TypeVar

import polars as pl

from ostrom.analysis.standing import Rated, RatingSettings, rate_players
from ostrom.analysis.study import study_of
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError, OstromError, plugins
from ostrom.web.log import LOG

_PROGRAM: Final = "from ostrom.web.computing import answer_requests; answer_requests()"
_MANY: Final = 200
"""Games; fewer are done sooner than a process starts."""
_IDLE: Final = 60.0
"""Seconds without a request, after which the process ends."""


_Material = TypeVar("_Material", contravariant=True)


class Task(Protocol[_Material]):
    """Something to compute. It is sent to another process, so it is plain data."""

    def is_long(self, of: _Material) -> bool:
        """Whether it takes longer than another process takes to start, about."""

    def needed(self, of: _Material) -> Any:
        """What it is computed from, and no more."""

    def run(self, of: Any) -> Any:
        """Compute it."""


@dataclass(frozen=True)
class Ratings:
    """Everybody's rating."""

    settings: RatingSettings

    def is_long(self, of: GameTables) -> bool:
        """Of some hundred games it is."""
        return are_many(of)

    def needed(self, of: GameTables) -> GameTables:
        """Who sat where, and what they ended with."""
        return GameTables(of.games, of.seats, kind=of.kind, before=of.before)

    def run(self, of: GameTables) -> list[Rated]:
        """As the command `ratings` has it."""
        return rate_players(of, **asdict(self.settings))


@dataclass(frozen=True)
class MeasureOf:
    """A measure of the game, by its name."""

    name: str

    def is_long(self, of: GameTables) -> bool:
        """Of some hundred games it is."""
        return are_many(of)

    def needed(self, of: GameTables) -> GameTables:
        """All of them: a measure may look at anything."""
        return of

    def run(self, of: GameTables) -> pl.DataFrame:
        """The table of its values."""
        return study_of(of).measures[self.name].function(of)


def are_many(tables: GameTables) -> bool:
    """Whether these are so many games that most of what is found out about them takes long."""
    return tables.games.height >= _MANY


class Computing(Protocol):
    """Whoever computes."""

    def compute(self, task: Task[_Material], key: str, of: _Material) -> Any:
        """What a task gives of this, which a key names."""

    def close(self) -> None:
        """Compute nothing more."""


class Here:
    """Computes in the thread that asks."""

    def compute(self, task: Task[_Material], key: str, of: _Material) -> Any:
        """What the task gives."""
        return task.run(of)

    def close(self) -> None:
        """There is nothing to end."""


class StudyProcess:
    """Computes what takes long in another process, one thing after the other. It is started when it is first needed,
    holds what it was sent last, and ends when it has waited for a while, or when this process is gone."""

    def __init__(self, files: Sequence[Path] = (), *, idle: float = _IDLE) -> None:
        """It loads these files of plugins."""
        self._files, self._idle = tuple(files), idle
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._sent: str | None = None
        self._timer: threading.Timer | None = None
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The process that computes now, or waits to; none where there is none."""
        return None if self._process is None else self._process.pid

    def compute(self, task: Task[_Material], key: str, of: _Material) -> Any:
        """What the task gives, wherever it is computed."""
        if not task.is_long(of):
            return task.run(of)
        with self._lock:
            try:
                found, value = self._ask(task, key, task.needed(of))
            except (OSError, EOFError, pickle.PickleError, ImportError, AttributeError, TypeError) as error:
                found, value = False, _named(error)
                self._end()
            self._end_later()
        if found:
            return value
        if isinstance(value, OstromError):
            raise value
        self._check()
        LOG.say("computing", f"{type(task).__name__} is computed in the server: its own process failed at it ({value})")
        return task.run(of)

    def close(self) -> None:
        """End the process, whatever it is at, and start no other."""
        self._closed = True
        process = self._process
        if process is not None:
            process.kill()

    def _check(self) -> None:
        if self._closed:
            raise InputError("the server is stopping; try again when it is back")

    def _ask(self, task: Task[Any], key: str, of: Any) -> tuple[bool, Any]:
        self._check()
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._process = _started(self._files)
            if self._closed:  # meanwhile; who closed it saw no process
                self._process.kill()
        pipes = self._process
        assert pipes.stdin is not None
        assert pipes.stdout is not None
        # Tables of many games are large: those that all measures are made of are sent once.
        name = f"{type(task).__name__} {key}"
        pickle.dump((task, None if name == self._sent else of), pipes.stdin, pickle.HIGHEST_PROTOCOL)
        pipes.stdin.flush()
        self._sent = name
        reply: tuple[bool, Any] = pickle.load(pipes.stdout)  # of our own process, which got it from nobody else
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
        process, self._process, self._sent = self._process, None, None
        if process is not None:
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    assert pipe is not None
                    pipe.close()
            process.kill()
            process.wait()


def _started(files: Sequence[Path]) -> "subprocess.Popen[bytes]":
    """The process; it hears no Ctrl-C that is meant for the server."""
    words = [sys.executable, "-P", "-c", _PROGRAM, *map(str, files)]
    return subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


def answer_requests() -> None:
    """Compute what standard input asks for, until it ends."""
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # whatever prints something does not print into the replies
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
            return  # nothing more is asked, or something that is not known here: it is computed where it was asked
        of = of if sent is None else sent
        reply: tuple[bool, Any]
        try:
            reply = True, task.run(of)
        except OstromError as error:
            reply = False, error
        except Exception as error:
            reply = False, _named(error)  # whoever asked says it, and computes it: what is a fault fails there too
        replies.write(_packed(reply))
        replies.flush()


def _packed(reply: tuple[bool, Any]) -> bytes:
    try:
        return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)
    except (pickle.PickleError, AttributeError, TypeError) as error:  # it cannot be sent; who asked computes it
        return pickle.dumps((False, _named(error)))


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}".removesuffix(": ")
