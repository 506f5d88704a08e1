"""Settings that hold for every test."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from fork_server import COMMANDS, ForkServer

# No deadline: a test never asserts a time. Derandomised: the same tree gives the same result on every machine.
settings.register_profile("ostrom", deadline=None, derandomize=True, max_examples=60)
settings.load_profile("ostrom")

QUICK = "not slow and not long"
"""What runs where nothing else is asked for."""
_MARKS = {"slow and not long": "pytest.mark.slow", "long": "pytest.mark.long"}
"""What make test-all and make test-long choose, and the mark that a file must have for it."""

pytest_plugins = ["services", "local_model", "imported"]


def pytest_configure(config: pytest.Config) -> None:
    """Choose the quick tests, unless -m chooses others. Of a file that is named, slow tests run too."""
    if not config.option.markexpr:
        names_a_file = any(".py" in str(word) for word in config.invocation_params.args)
        config.option.markexpr = "not long" if names_a_file else QUICK


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread of which no test is chosen: to import them takes as long as many a test."""
    if collection_path.suffix != ".py":
        return None
    chosen = config.option.markexpr
    text = collection_path.read_text(encoding="utf-8")
    if chosen in _MARKS:
        return True if _MARKS[chosen] not in text and collection_path.name != "conftest.py" else None
    if chosen == QUICK:
        return True if "\npytestmark = pytest.mark.slow\n" in text else None
    return None


def pytest_collection_finish() -> None:
    """Leave out all that stays to the end, libraries and tests, whenever unused memory is looked for."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's own: what whoever runs the tests has confirmed is neither read nor changed."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))


@pytest.fixture(scope="session", autouse=True)
def fork_server() -> Iterator[ForkServer]:
    """Runs commands that come to their end by themselves."""
    with COMMANDS:
        yield COMMANDS
