"""A killed run loses nothing that was decided, and asks for nothing twice that was kept."""

from pathlib import Path

import pytest
from kill_minus_nine import Killing, prepare, provider_options, undisturbed

from fork_server import ForkServer
from provider_process import provider_process


@pytest.mark.parametrize(
    ("games", "kills"), [(4, 25), pytest.param(40, 500, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_a_killed_experiment_ends_as_it_would_have(
    store: str, tmp_path: Path, games: int, kills: int, fork_server: ForkServer
) -> None:
    log = tmp_path / "log.jsonl"
    with provider_process(*provider_options(log, 0.05)) as provider:
        expected = undisturbed(tmp_path / "undisturbed", provider, games, fork_server)
        lab = prepare(tmp_path / "killed", store, provider, games, fork_server)
        story = Killing(lab, log, expected, seed=2).run(kills)
    assert story.kills == kills
