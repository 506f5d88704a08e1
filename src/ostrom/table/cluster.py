"""A connection to a Dask cluster. Everything of Dask is imported when one is named, and not before."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ostrom.table.errors import InputError

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
