"""Settings that hold for every test."""

from collections.abc import Iterator

import pytest
from hypothesis import settings

from fork_server import COMMANDS, ForkServer

# No deadline: a test never asserts a time. Derandomised: the same tree gives the same result on every machine.
settings.register_profile("ostrom", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ostrom")

pytest_plugins = ["services", "local_model", "imported"]


@pytest.fixture(scope="session", autouse=True)
def fork_server() -> Iterator[ForkServer]:
    """Runs commands that come to their end by themselves."""
    with COMMANDS:
        yield COMMANDS
