"""Settings that hold for every test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from fork_server import COMMANDS, ForkServer

# No deadline: a test never asserts a time. Derandomised: the same tree gives the same result on every machine.
settings.register_profile("ostrom", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ostrom")

_LONGEST_FIRST = ("docs", "browser", "system", "cli", "web", "sim", "charts", "study")
"""Folders whose files take long. Begun first, they leave short files to the end, so that all workers end together."""

pytest_plugins = ["services", "local_model", "imported"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in the order in which pytest-xdist hands them out."""
    tests = Path(__file__).parent

    def place(item: pytest.Item) -> int:
        folder = item.path.relative_to(tests).parts[0]
        return _LONGEST_FIRST.index(folder) if folder in _LONGEST_FIRST else len(_LONGEST_FIRST)

    items.sort(key=place)


@pytest.fixture(scope="session", autouse=True)
def fork_server() -> Iterator[ForkServer]:
    """Runs commands that come to their end by themselves."""
    with COMMANDS:
        yield COMMANDS
