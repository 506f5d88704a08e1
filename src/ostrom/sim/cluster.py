"""Work of simulations on other processes of this machine, and on a Dask cluster. Everything of Dask is imported when a
cluster is named, and not before."""

import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from multiprocessing import get_context
from multiprocessing.resource_tracker import ensure_running
from pathlib import Path
from typing import Any, TypeAlias

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.plugins import load_file
from ostrom.players.roster import load_installed

Span: TypeAlias = tuple[int, int]
"""The games from one number up to another."""
_AHEAD = 2
"""Chunks under way for each thread of the cluster: enough that none waits, few enough that memory stays flat."""


def in_order(spans: Iterable[Span], submit: Callable[[Span], Any], most: int) -> Iterator[tuple[Span, Any]]:
    """Every span with the future of its games, in order. At most `ahead` are under way at once, so that memory stays
    flat."""
    under_way: deque[tuple[Span, Any]] = deque()
    for span in spans:
        under_way.append((span, submit(span)))
        if len(under_way) >= most:
            yield under_way.popleft()
    yield from under_way


def spans_on_processes(
    workers: int, plan: Any, play: Callable[[Any, Span], Any], spans: Iterable[Span], files: Sequence[Path]
) -> Iterator[tuple[Span, Any]]:
    """Yield `play(plan, span)` for every span, in order, from processes that have loaded these files."""
    with ProcessPoolExecutor(workers, get_context("spawn"), load_plugins, (files,)) as pool:
        _start(pool, workers)
        for span, future in in_order(spans, lambda span: pool.submit(play, plan, span), 2 * workers):
            yield span, future.result()


def _start(pool: ProcessPoolExecutor, workers: int) -> None:
    """Start the processes deaf to Ctrl-C, which a terminal sends to all: the one that the user sees stops the
    others. What is pressed meanwhile is heard as soon as they have started."""
    ensure_running()  # it would unblock the signal in the middle of the first start
    heeded = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for started in [pool.submit(time.sleep, 0.05) for _ in range(workers)]:
            started.result()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heeded)


def spans_on_cluster(
    address: str, plan: Any, play: Callable[[Any, Span], Any], spans: Iterable[Span], files: Sequence[Path]
) -> Iterator[tuple[Span, Any]]:
    """`play(plan, span)` for every span, in order, wherever there is a free worker. A worker that dies takes nothing
    with it: its chunks are played again elsewhere, and come out the same."""
    with connected(address) as client:
        from distributed import KilledWorker

        # In bytes, so that a worker has read users' files before it meets what they define.
        content = pickle.dumps((plan, play))
        room = _AHEAD * max(1, sum(client.nthreads().values()))
        submit = partial(client.submit, _play, content, tuple(files), pure=False)
        for span, future in in_order(spans, submit, room):
            try:
                yield span, future.result()
            except KilledWorker as error:
                lost = f"the cluster lost games {span[0]} to {span[1]}: several workers died on them"
                raise InputError(lost) from error


def load_plugins(files: Sequence[Path]) -> None:
    """Load in another process what these files and the installed packages define."""
    for file in files:
        load_file(file)
    load_installed()


def _play(content: bytes, files: Sequence[Path], span: Span) -> Any:
    load_plugins(files)
    plan, play = pickle.loads(content)
    return play(plan, span)


_ENCRYPTED = ("tls://", "wss://")
_PATIENCE = 10
"""Seconds that a scheduler may take to answer, and a first worker to be there."""


@cache
def _check_line(address: str) -> None:
    """Refuse TLS without certificates, and warn, once, of a line that anybody on the way can read and write."""
    import dask

    if not address.startswith(_ENCRYPTED):
        print(
            f"ostrom: warning: the line to {address} is not encrypted, and anyone who reaches the scheduler can run "
            "code on its workers; use tls:// on any network that is not yours alone",
            file=sys.stderr,
        )
    elif not dask.config.get("distributed.comm.tls.ca-file", None):
        raise InputError(
            f"{address} needs certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY to their files"
        )


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at this address, with at least one worker behind it."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(f"{field('cluster')} needs Dask: pip install 'ostrom[cluster]'") from error
    _check_line(address)
    try:
        client = Client(address, timeout=_PATIENCE, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address}; 'dask scheduler' starts one") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError as error:
            raise InputError(f"the scheduler at {address} has no worker; 'dask worker {address}' starts one") from error
        yield client
