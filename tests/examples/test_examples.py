"""The examples of the docs work: packages with tests of their own, and a game in one file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ostrom.core.game import Game
from ostrom.core.plugins import GAMES, load_file
from ostrom.testing import check_game

EXAMPLES = Path(__file__).parents[2] / "examples"


PACKAGES = ("ostrom-harvest", "ostrom-offers")


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES)
def test_the_package_passes_its_own_tests(package: str) -> None:
    folder = EXAMPLES / package
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("package", PACKAGES)
def test_the_sources_do_not_refer_to_the_example(package: str) -> None:
    sources, name = EXAMPLES.parent / "src", package.replace("-", "_")
    knowing = [path for path in sources.rglob("*.py") if name in path.read_text(encoding="utf-8")]
    assert knowing == []


@pytest.fixture(scope="module")
def volunteers() -> Game:
    load_file(EXAMPLES / "volunteers.py")
    return GAMES["volunteers"]


def test_the_game_in_one_file_keeps_the_contract(volunteers: Game) -> None:
    check_game(volunteers)
    assert len((EXAMPLES / "volunteers.py").read_text(encoding="utf-8").splitlines()) <= 130
