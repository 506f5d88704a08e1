"""Matches of strategies of the Axelrod library, played by us and by Axelrod, move by move. Axelrod lies in an
environment of its own (`make bench` makes it); a process that has it and us plays both."""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from ostrom.core import InputError
from ostrom.players.roster import choose

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("axelrod_matches.py")


def test_without_the_extra_one_line_says_what_is_missing():
    if find_spec("axelrod") is not None:
        pytest.skip("Axelrod is installed here")
    with pytest.raises(InputError, match=r"pip install 'ostrom\[axelrod\]'"):
        choose(["axelrod:TitForTat"], game="repeated")


def test_thirty_deterministic_strategies_play_as_in_axelrod():
    installed = sorted((ROOT / ".venv-axelrod" / "lib").glob("python*/site-packages"))
    if not installed:
        pytest.skip("there is no .venv-axelrod: make bench puts Axelrod there")
    environment = {**os.environ, "PYTHONPATH": str(installed[0]), "PYTHONWARNINGS": "ignore"}
    done = subprocess.run([sys.executable, SCRIPT], env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    report = json.loads(done.stdout)
    assert report["strategies"] >= 30
    assert report["matches"] >= 30 * 15
    assert report["different"] == []
