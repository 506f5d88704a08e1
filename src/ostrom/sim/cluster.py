"""A connection to a Dask cluster, and the tournament's work on it. Everything of Dask is imported when one is
named, and not before."""

import pickle
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ostrom.core import InputError
from ostrom.core.plugins import load_file
from ostrom.players.roster import load_installed

_AHEAD = 2
"""Chunks under way for each thread of the cluster: enough that none waits, few enough that memory stays flat."""


def spans_on_cluster(
    address: str,
    plan: Any,
    play: Callable[[Any, tuple[int, int]], Any],
    spans: Iterator[tuple[int, int]],
    files: Sequence[Path],
) -> Iterator[tuple[tuple[int, int], Any]]:
    """`play(plan, span)` for every span, in order, wherever there is a free worker. A worker that dies takes nothing
    with it: its chunks are played again elsewhere, and come out the same."""
    with connected(address) as client:
        # In bytes, so that a worker has read users' files before it meets what they define.
        content = pickle.dumps((plan, play))
        room = _AHEAD * max(1, sum(client.nthreads().values()))
        under_way: deque[tuple[tuple[int, int], Any]] = deque()
        for span in spans:
            under_way.append((span, client.submit(_play, content, tuple(files), span, pure=False)))
            if len(under_way) >= room:
                yield _next(under_way)
        while under_way:
            yield _next(under_way)


def _next(under_way: deque[tuple[tuple[int, int], Any]]) -> tuple[tuple[int, int], Any]:
    from distributed import KilledWorker

    span, future = under_way.popleft()
    try:
        return span, future.result()
    except KilledWorker as error:
        raise InputError(f"the cluster lost games {span[0]} to {span[1]}: worker after worker died on them") from error


def _play(content: bytes, files: Sequence[Path], span: tuple[int, int]) -> Any:
    for file in files:
        load_file(file)
    load_installed()
    plan, play = pickle.loads(content)
    return play(plan, span)


_PATIENCE = 10
"""Seconds that a scheduler may take to answer, and a first worker to be there."""


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the scheduler at this address, with at least one worker behind it."""
    try:
        from distributed import Client
    except ImportError as error:
        raise InputError("--cluster needs Dask: pip install 'ostrom[cluster]'") from error
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
