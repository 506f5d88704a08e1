"""A killed run loses nothing that was decided, and asks for nothing twice that was kept."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest
from kill_minus_nine import Killing, prepare, provider_options, undisturbed

from fork_server import ForkServer
from provider_process import provider_process

pytestmark = pytest.mark.slow


@pytest.fixture(params=["sqlite", "postgresql"])
def new_store(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], str]:
    """Gives the URL of one place after the other where no journal is yet."""
    if request.param == "sqlite":
        numbers = count(1)
        return lambda: f"sqlite:///{tmp_path}/journal-{next(numbers)}.db"
    make: Callable[[], str] = request.getfixturevalue("new_database")
    return make


@pytest.mark.parametrize(
    ("games", "kills"), [(4, 25), pytest.param(40, 500, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_a_killed_experiment_ends_as_it_would_have(
    new_store: Callable[[], str], tmp_path: Path, games: int, kills: int, fork_server: ForkServer
) -> None:
    """So many kills of one experiment, and where it comes to its end before them, of the same one in a new journal."""
    log = tmp_path / "log.jsonl"
    left = kills
    with provider_process(*provider_options(log, 0.05)) as provider:
        expected = undisturbed(tmp_path / "undisturbed", provider, games, fork_server)
        for seed in count(2):
            lab = prepare(tmp_path / f"killed-{seed}", new_store(), provider, games, fork_server)
            left -= Killing(lab, log, expected, seed).run(left).kills
            print(f"{kills - left} kills")
            if left == 0:
                break
