"""A lab for every test of the whole system."""

from pathlib import Path

import pytest
from system_lab import Lab

from fork_server import ForkServer


@pytest.fixture
def lab(tmp_path: Path, fork_server: ForkServer) -> Lab:
    """A folder of its own, with a journal in SQLite."""
    return Lab(tmp_path, f"sqlite:///{tmp_path}/journal.db", server=fork_server)
