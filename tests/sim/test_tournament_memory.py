"""Memory: a million games must fit into a gibibyte, chunk after chunk."""

import os
import subprocess
import sys
from pathlib import Path

MEBIBYTE = 2**20


def peak_of(games):
    """The most memory that a tournament of all sixteen at one table ever held, in bytes."""
    command = [Path(sys.executable).parent / "ostrom", "tournament", "--games", str(games), "--turns", "3"]
    with subprocess.Popen(
        [*command, "--seed", "1", "--workers", "1", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        complaint = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    assert (process.returncode, complaint) == (0, b"")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def test_a_million_games_stay_under_a_gibibyte():
    few, many = peak_of(20_000), peak_of(200_000)
    # What one game adds is its row in the columns of sixteen players; nothing of its turns may stay.
    per_game = (many - few) / 180_000
    assert many - few < 160 * MEBIBYTE
    assert few + 980_000 * per_game < 1024 * MEBIBYTE
