"""A lab for every test of the whole system."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fork_server import ForkServer
from system_lab import Lab


@pytest.fixture(scope="session")
def fork_server() -> Iterator[ForkServer]:
    """Runs commands that come to their end by themselves."""
    with ForkServer() as server:
        yield server


@pytest.fixture
def lab(tmp_path: Path, fork_server: ForkServer) -> Lab:
    """A folder of its own, with a journal in SQLite."""
    return Lab(tmp_path, f"sqlite:///{tmp_path}/journal.db", server=fork_server)
