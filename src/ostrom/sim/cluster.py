"""Parallel simulations on processes of this machine or on a Dask cluster. Dask is imported only if a cluster is
named."""

import pickle
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
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
"""A range of game numbers, from the first up to the second."""
_CHUNKS_PER_THREAD = 2
"""Chunks in flight per thread of the cluster: enough to keep threads busy within bounded memory."""


def in_order(spans: Iterable[Span], submit: Callable[[Span], Any], limit: int) -> Iterator[tuple[Span, Any]]:
    """Yield every span with the future of its games, in order. At most `limit` are in flight, which bounds memory."""
    in_flight: deque[tuple[Span, Any]] = deque()
    for span in spans:
        in_flight.append((span, submit(span)))
        if len(in_flight) >= limit:
            yield in_flight.popleft()
    yield from in_flight


def spans_on_processes(
    workers: int, plan: Any, play: Callable[[Any, Span], Any], spans: Iterable[Span], files: Sequence[Path]
) -> Iterator[tuple[Span, Any]]:
    """Yield `play(plan, span)` for every span, in order, from processes that have loaded these files."""
    with ProcessPoolExecutor(workers, get_context("spawn"), load_plugins, (files,)) as pool:
        _start(pool, workers)
        for span, future in in_order(spans, lambda span: pool.submit(play, plan, span), 2 * workers):
            yield span, future.result()


def _start(pool: ProcessPoolExecutor, workers: int) -> None:
    """Start the processes with SIGINT blocked: a terminal sends Ctrl-C to the whole group, and the main process stops
    the workers. A pending SIGINT is delivered once they have started."""
    ensure_running()  # the resource tracker would unblock the signal during the first start
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        for worker in [pool.submit(time.sleep, 0.05) for _ in range(workers)]:
            worker.result()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def spans_on_cluster(
    address: str, plan: Any, play: Callable[[Any, Span], Any], spans: Iterable[Span], files: Sequence[Path]
) -> Iterator[tuple[Span, Any]]:
    """Yield `play(plan, span)` for every span, in order, from the workers of a cluster. The chunks of a worker that
    dies are replayed on another with the same result."""
    with connected(address) as client:
        from distributed import KilledWorker

        # Sent as bytes: a worker must load users' files before it unpickles what they define.
        content = pickle.dumps((plan, play))
        limit = _CHUNKS_PER_THREAD * max(1, sum(client.nthreads().values()))
        submit = partial(client.submit, _play, content, tuple(files), pure=False)
        for span, future in in_order(spans, submit, limit):
            try:
                yield span, future.result()
            except KilledWorker as error:
                lost = f"the cluster lost games {span[0]} to {span[1]}: several workers died on them"
                raise InputError(lost) from error


def run_spans(
    plan: Any,
    play: Callable[[Any, Span], Any],
    spans: Iterable[Span],
    *,
    processes: int,
    threads: bool = False,
    cluster: str | None = None,
    files: Callable[[], Sequence[Path]] = tuple,
) -> Iterator[tuple[Span, Any]]:
    """Yield `play(plan, span)` for every span, in order: on a cluster, on threads (for code that releases the GIL), on
    processes that load these files, or in this process."""
    if cluster is not None:
        yield from spans_on_cluster(cluster, plan, play, spans, files())
    elif processes > 1 and threads:
        with ThreadPoolExecutor(processes) as pool:
            for span, future in in_order(spans, lambda span: pool.submit(play, plan, span), 2 * processes):
                yield span, future.result()
    elif processes > 1:
        yield from spans_on_processes(processes, plan, play, spans, files())
    else:
        yield from ((span, play(plan, span)) for span in spans)


def load_plugins(files: Sequence[Path]) -> None:
    """Load these files and the installed packages in a worker process."""
    for file in files:
        load_file(file)
    load_installed()


def _play(content: bytes, files: Sequence[Path], span: Span) -> Any:
    load_plugins(files)
    plan, play = pickle.loads(content)
    return play(plan, span)


_ENCRYPTED = ("tls://", "wss://")
_CONNECT_TIMEOUT_S = 10
"""Seconds to wait for the scheduler to answer and for a first worker."""


@cache
def _check_encryption(address: str) -> None:
    """Raise InputError for TLS without certificates; warn once about an unencrypted connection."""
    import dask

    if not address.startswith(_ENCRYPTED):
        print(
            f"ostrom: warning: the connection to {address} is not encrypted, and anyone who reaches the scheduler can "
            "run code on its workers; use tls:// unless the network is private",
            file=sys.stderr,
        )
    elif not dask.config.get("distributed.comm.tls.ca-file", None):
        raise InputError(
            f"{address} needs certificates: set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, "
            "DASK_DISTRIBUTED__COMM__TLS__CLIENT__CERT and DASK_DISTRIBUTED__COMM__TLS__CLIENT__KEY to their files"
        )


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Yield a client of the scheduler at this address. Raise InputError if it has no worker."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError(f"{field('cluster')} needs Dask: pip install 'ostrom[cluster]'") from error
    _check_encryption(address)
    try:
        client = Client(address, timeout=_CONNECT_TIMEOUT_S, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address}; 'dask scheduler' starts one") from error
    with client:
        try:
            client.wait_for_workers(1, timeout=_CONNECT_TIMEOUT_S)
        except TimeoutError as error:
            raise InputError(f"the scheduler at {address} has no worker; 'dask worker {address}' starts one") from error
        yield client
