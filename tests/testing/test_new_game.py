"""A package that `ostrom new game` writes passes its own tests at once."""

import os
import subprocess
import sys
import sysconfig
import tomllib
from pathlib import Path

import pytest

from fork_server import ForkServer
from ostrom.cli.new import write_game
from ostrom.core import InputError

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_new_package_passes_its_tests(tmp_path: Path, fork_server: ForkServer) -> None:
    status, out, err = fork_server.run(["new", "game", "Fair Division"], tmp_path, os.environ)
    assert status == 0, err
    folder = tmp_path / "ostrom-fair-division"
    assert "src/ostrom_fair_division/__init__.py" in out
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["project"]["entry-points"]["ostrom.games"] == {"fair-division": "ostrom_fair_division:FAIR_DIVISION"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "4 passed" in done.stdout


@pytest.mark.slow
def test_the_next_line_works_in_the_environment_that_wrote_the_package(tmp_path: Path) -> None:
    environment = tmp_path / "env"
    subprocess.run([sys.executable, "-m", "venv", environment], check=True)
    (packages,) = environment.glob("lib/python*/site-packages")
    (packages / "outer.pth").write_text(f"{sysconfig.get_path('purelib')}\n{ROOT / 'src'}\n", encoding="utf-8")
    done = subprocess.run(
        [environment / "bin" / "python", "-m", "ostrom", "new", "game", "Fair Division"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    (line,) = (line.removeprefix("next: ") for line in done.stdout.splitlines() if line.startswith("next: "))
    # What builds the package is installed here, so that nothing is fetched.
    settings = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    tests = subprocess.run(
        line, shell=True, cwd=tmp_path, env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert tests.returncode == 0, tests.stdout + tests.stderr
    assert "4 passed" in tests.stdout


def test_no_placeholder_of_the_template_remains(tmp_path: Path) -> None:
    for path in write_game("trust-game-2", tmp_path):
        text = path.read_text(encoding="utf-8")
        assert not any(word in text + str(path) for word in ("newgame", "NewGame", "new_game", "New Game", ".template"))


@pytest.mark.parametrize(
    ("name", "reason"), [("2nd", "must consist of"), ("../x", "must consist of"), ("commons", "already")]
)
def test_invalid_names_are_refused(name: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=reason):
        write_game(name, tmp_path)


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    (tmp_path / "ostrom-mine").mkdir()
    with pytest.raises(InputError, match="already exists"):
        write_game("mine", tmp_path)
