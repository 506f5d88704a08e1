"""A Dask cluster on the loopback interface, each worker a process that can be killed."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

_DASK = (sys.executable, "-m", "dask")
"""Not the script `dask`: an environment that takes its libraries from another one has none."""
_PATIENCE = 600.0


@dataclass(frozen=True)
class Cluster:
    """A scheduler and its workers."""

    address: str
    workers: "list[subprocess.Popen[bytes]]"
    folder: Path
    """With its logs."""


@contextmanager
def dask_cluster(folder: Path, workers: int = 2, protocol: str = "tcp") -> Iterator[Cluster]:
    """A scheduler with some workers of one thread each, until the end of the block."""
    told = folder / "scheduler.json"
    with (folder / "dask.log").open("wb") as log:

        def start(*arguments: object) -> "subprocess.Popen[bytes]":
            command = [*_DASK, *map(str, arguments), "--scheduler-file", str(told)]
            return subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd=folder)

        alone = ("--no-dashboard", "--no-jupyter")
        scheduler = start("scheduler", "--host", f"{protocol}://127.0.0.1", "--port", 0, *alone)
        processes = [scheduler]
        try:
            until = time.monotonic() + _PATIENCE
            while not told.exists():
                assert scheduler.poll() is None, (folder / "dask.log").read_text()
                assert time.monotonic() < until, "the scheduler does not start"
                time.sleep(0.05)
            options = ("--host", f"{protocol}://127.0.0.1", "--nthreads", 1, "--no-nanny", "--no-dashboard")
            hands = [start("worker", *options, "--local-directory", folder / f"worker{n}") for n in range(workers)]
            processes += hands
            yield Cluster(json.loads(told.read_text())["address"], hands, folder)
        finally:
            for process in reversed(processes):
                process.terminate()
            for process in processes:
                try:
                    process.wait(20)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
