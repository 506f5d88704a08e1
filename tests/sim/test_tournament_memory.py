"""Memory: a million games must fit into a gibibyte, chunk after chunk."""

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

MEBIBYTE = 2**20


# A process inherits the peak of the one that it is forked from, and this one may have grown large; so another one,
# which is small, stands between.
BETWEEN = """
import resource, subprocess, sys
done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
sys.stderr.buffer.write(done.stderr)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(done.returncode)
"""


def peak_of(games, backend):
    """The most memory that a tournament of all sixteen at one table ever held, in bytes."""
    command = [Path(sys.executable).parent / "ostrom", "tournament", "--games", str(games), "--turns", "3"]
    options = ["--seed", "1", "--workers", "1", "--backend", backend, "--json"]
    done = subprocess.run([sys.executable, "-c", BETWEEN, *command, *options], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024)


@pytest.mark.parametrize("backend", ["numpy", "compiled"])
def test_a_million_games_stay_under_a_gibibyte(backend):
    few, many = peak_of(20_000, backend), peak_of(200_000, backend)
    # What one game adds is its row in the columns of sixteen players; nothing of its turns may stay.
    per_game = (many - few) / 180_000
    assert many - few < 160 * MEBIBYTE
    assert few + 980_000 * per_game < 1024 * MEBIBYTE
