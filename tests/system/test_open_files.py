"""More calls at once than files may be open: fewer go at once, and the command says so."""

import re
import subprocess

import pytest
from system_lab import OSTROM, Lab, experiment

from provider_process import provider_process

pytestmark = pytest.mark.slow

FILES, CALLS = 160, 64


def test_calls_beyond_the_limit_of_open_files_are_reduced(lab: Lab) -> None:
    """They were all sent, failed for want of files, and were counted as failures of the model."""
    with provider_process("--models", "ash", "--delay", 0.02) as provider:
        lab.bot("ash", provider.base_url)
        limits = {"calls": CALLS, "per_provider": CALLS, "games": CALLS}
        games = {"punish": {"rounds": 1, "messages": False}}
        text = experiment(games=games, include=["ash:4"], repetitions=8, seats=4, limits=limits)
        (lab.folder / "experiment.toml").write_text(text)
        command = f"ulimit -n {FILES} && exec {OSTROM} bench --file experiment.toml --store {lab.store}"
        done = subprocess.run(
            ["sh", "-c", command], cwd=lab.folder, env=lab._surroundings(), capture_output=True, text=True, timeout=600
        )
        account = provider.account()
    assert done.returncode == 0, done
    reduced = re.search(
        rf"the limit of {CALLS} calls at once is reduced to (\d+): this process may have {FILES} open", done.stderr
    )
    assert reduced is not None
    assert 1 < account["peak"] <= int(reduced[1]) < 32
    assert lab.status()["calls"]["faults"] == {}
