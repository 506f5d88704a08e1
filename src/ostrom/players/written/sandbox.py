"""A process that runs a written strategy without rights (`worker.py`), as its parent sees it. Everything that the
process sends is checked as data of an untrusted source, and every wait has a limit.

What is contained: files, network, other processes and signals (a filter of system calls), memory and processor time
(limits of the system), time per answer (this module, which ends the process). Only Linux on x86-64 and aarch64 has such
a filter. On other systems no written strategy is run.
"""

import json
import platform
import select
import subprocess
import sys
import time
import weakref
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ostrom.core import InputError
from ostrom.core.files import parse_json
from ostrom.core.text import clean

WORKER: Final = Path(__file__).with_name("worker.py")
MAX_CODE_CHARACTERS: Final = 50_000
MAX_REPLY_BYTES: Final = 1_000_000
IMPORTABLE: Final = ("bisect", "collections", "fractions", "functools", "heapq", "itertools", "math", "statistics")
"""The modules that a strategy may import, as in `worker.py`."""
CONTAINING_MACHINES: Final = ("x86_64", "aarch64")


class StrategyError(Exception):
    """The strategy is invalid, failed, or exceeded a limit. The text says why, in one line."""


@dataclass(frozen=True)
class SandboxLimits:
    """The limits of one process."""

    memory: int = 512 * 2**20
    """Bytes of address space."""
    start_seconds: float = 20.0
    """Seconds until the code has been checked and loaded."""
    answer_seconds: float = 5.0
    """Seconds for one answer."""
    cpu_seconds: int = 120
    """Seconds of processor time for the whole game."""


def check_platform(system: str = sys.platform, machine: str = platform.machine()) -> None:
    """Raise `InputError` if written strategies are not contained on this system."""
    if system != "linux" or machine not in CONTAINING_MACHINES:
        raise InputError(
            f"written strategies are not run on {system} ({machine}), where files, network, processes and signals "
            f"would not be contained; they are run on Linux with {' or '.join(CONTAINING_MACHINES)}"
        )


class Sandbox:
    """A running process with one strategy. Its state is that of one seat in one game."""

    def __init__(self, code: str, limits: SandboxLimits | None = None) -> None:
        """Start the process. Raise `StrategyError` if the code is not a strategy, and `InputError` if the system does
        not contain it."""
        check_platform()
        if len(code) > MAX_CODE_CHARACTERS:
            raise StrategyError(f"the code has {len(code):,} characters; at most {MAX_CODE_CHARACTERS:,} are allowed")
        self._limits = limits or SandboxLimits()
        self._rest = b""
        self._process = subprocess.Popen(
            [sys.executable, "-s", "-S", "-B", "-P", "-X", "utf8", str(WORKER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={"PYTHONHASHSEED": "0"},
            cwd="/",
            close_fds=True,
            bufsize=0,
        )
        self._close = weakref.finalize(self, _end, self._process)
        start = {"code": code, "memory": self._limits.memory, "seconds": self._limits.cpu_seconds}
        reply = self._exchange(start, self._limits.start_seconds, "before it was ready")
        if "uncontained" in reply:
            self.close()
            raise InputError(f"written strategies are not run here: {_text(reply['uncontained'])}")
        if reply.get("ready") is not True:
            self.close()
            raise StrategyError(_text(reply.get("problem", "the process sent an invalid reply")))

    def ask(self, question: Mapping[str, Any], seed: int) -> object:
        """Return the answer to a question in plain data. Raise `StrategyError` if there is none."""
        reply = self._exchange({**question, "seed": seed}, self._limits.answer_seconds, "in an answer")
        if "answer" not in reply:
            raise StrategyError(_text(reply.get("error", "the process sent an invalid reply")))
        return reply["answer"]

    def close(self) -> None:
        """End the process."""
        self._close()

    def _exchange(self, content: Mapping[str, Any], seconds: float, when: str) -> Mapping[str, Any]:
        """Send a line and return the reply. Any failure ends the process."""
        try:
            deadline = time.monotonic() + seconds
            self._send(json.dumps(content).encode() + b"\n", deadline, when)
            reply = parse_json(self._receive(deadline, when))
        except StrategyError:
            self.close()
            raise
        except (InputError, ValueError, RecursionError) as error:
            self.close()
            raise StrategyError("the process sent an invalid reply") from error
        if not isinstance(reply, dict):
            self.close()
            raise StrategyError("the process sent an invalid reply")
        return reply

    def _send(self, data: bytes, deadline: float, when: str) -> None:
        assert self._process.stdin is not None
        pipe = self._process.stdin
        view = memoryview(data)
        while view:
            self._wait(write=True, deadline=deadline, when=when)
            try:
                view = view[pipe.write(view[: select.PIPE_BUF]) or 0 :]
            except (BrokenPipeError, ValueError):
                raise StrategyError(f"the process ended {when}") from None

    def _receive(self, deadline: float, when: str) -> str:
        assert self._process.stdout is not None
        while b"\n" not in self._rest:
            self._wait(write=False, deadline=deadline, when=when)
            part = self._process.stdout.read(1 << 16)
            if not part:
                raise StrategyError(f"the process ended {when}: it exceeded a limit of memory or processor time")
            self._rest += part
            if len(self._rest) > MAX_REPLY_BYTES:
                raise StrategyError(f"the process sent more than {MAX_REPLY_BYTES:,} bytes")
        line, _, self._rest = self._rest.partition(b"\n")
        return line.decode("utf-8", "replace")

    def _wait(self, *, write: bool, deadline: float, when: str) -> None:
        pipe = self._process.stdin if write else self._process.stdout
        if pipe is None or pipe.closed:
            raise StrategyError(f"the process ended {when}")
        poll = select.poll()
        poll.register(pipe, select.POLLOUT if write else select.POLLIN)
        if not poll.poll(max(0.0, deadline - time.monotonic()) * 1000):
            raise StrategyError(f"it exceeded the time limit {when}")


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Kill a process and close its pipes."""
    process.kill()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()
    process.wait()


def _text(value: object) -> str:
    return clean(" ".join(str(value).split()), 400)
