"""Settings that hold for every test."""

import gc
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import settings

from fork_server import COMMANDS, ForkServer

# No deadline: a test never asserts a time. Derandomised: the same tree gives the same result on every machine.
settings.register_profile("ostrom", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ostrom")

_SLOWEST_FILES = (
    "docs/test_documented_commands.py",
    "system/test_real_model.py",
    "browser/test_compare_page.py",
    "system/test_outside_game.py",
    "analysis/test_study_finite.py",
    "browser/test_viewer_file.py",
    "browser/test_seat_page.py",
    "sim/test_jax_backend.py",
    "analysis/test_coverage_compare.py",
    "games/contribute_punish/test_punish_batch_equals_single.py",
    "journal/test_upgrade.py",
)
"""Files that take a minute or more. A worker has a file to itself, so each of them is begun as early as can be."""
_LONGEST_FIRST = (
    "browser",
    "system",
    "cli",
    "docs",
    "web",
    "charts",
    "analysis",
    "sim",
    "games",
    "journal",
    "experiment",
)
"""Folders whose files take long. Begun first, they leave short files to the end, so that all workers end together."""

pytest_plugins = ["services", "local_model", "imported"]


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int | None:
    """With `-n auto`, one worker more than there are cores where there are two: a worker waits for browsers, servers
    and databases that it has started, and two of them leave a quarter of two cores idle. Anything else is the plugin's
    own choice, and so is a number that the environment names."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ or config.option.numprocesses != "auto":
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return 3 if cores == 2 else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the files in the order in which pytest-xdist hands them out."""
    tests = Path(__file__).parent

    def place(item: pytest.Item) -> tuple[int, int]:
        file = item.path.relative_to(tests)
        return _place(file.as_posix(), _SLOWEST_FILES), _place(file.parts[0], _LONGEST_FIRST)

    items.sort(key=place)


def pytest_collection_finish() -> None:
    """Leave out all that stays to the end, libraries and tests, whenever unused memory is looked for."""
    gc.collect()
    gc.freeze()


def _place(name: str, order: Sequence[str]) -> int:
    return order.index(name) if name in order else len(order)


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's own: what whoever runs the tests has confirmed is neither read nor changed."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))


@pytest.fixture(scope="session", autouse=True)
def fork_server() -> Iterator[ForkServer]:
    """Runs commands that come to their end by themselves."""
    with COMMANDS:
        yield COMMANDS
