"""Settings that hold for every test."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from fork_server import COMMANDS, ForkServer, silence_progress

# No deadline and no check of speed: a test never asserts a time. Derandomised: the same tree gives the same result on
# every machine.
settings.register_profile(
    "ostrom", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("ostrom")

QUICK = "not slow and not long"
"""What runs where nothing else is asked for."""
pytest_plugins = ["services", "local_model", "imported"]


def pytest_configure(config: pytest.Config) -> None:
    """Choose the quick tests, unless -m chooses others. Of a file that is named, slow tests run too."""
    if not config.option.markexpr:
        names_a_file = any(".py" in str(word) for word in config.invocation_params.args)
        config.option.markexpr = "not long" if names_a_file else QUICK


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave files unread that are slow as a whole, where quick tests run: to import one takes as long as many a test.
    None leaves the choice to others."""
    if collection_path.suffix != ".py" or config.option.markexpr != QUICK:
        return None
    text = collection_path.read_text(encoding="utf-8")
    return True if "\npytestmark = pytest.mark.slow\n" in text else None


def pytest_collection_finish() -> None:
    """Leave out all that stays to the end, libraries and tests, whenever unused memory is looked for."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def own_configuration(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Nobody's own: what whoever runs the tests has confirmed is neither read nor changed."""
    os.environ["XDG_CONFIG_HOME"] = str(tmp_path_factory.mktemp("config"))


@pytest.fixture(scope="session", autouse=True)
def no_progress() -> None:
    """Commands of this process print no lines of progress, which would show how busy the machine is."""
    silence_progress()


@pytest.fixture(scope="session", autouse=True)
def fork_server() -> Iterator[ForkServer]:
    """Runs commands that end by themselves."""
    with COMMANDS:
        yield COMMANDS
