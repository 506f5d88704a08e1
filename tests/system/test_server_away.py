"""A journal's server that restarts under a run is waited for; one that stays away ends the run with what resumes it."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from system_lab import Lab, ended, experiment, played, visited, visits

import clusters
from fork_server import ForkServer
from provider_process import ProviderProcess, provider_process

pytestmark = pytest.mark.slow

BOTS = ("ash", "bay", "cob")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


@pytest.fixture
def provider(log: Path) -> Iterator[ProviderProcess]:
    with provider_process(
        "--models", ",".join(BOTS), "--delay", 0.03, "--draw-by", "reference", "--log", log
    ) as provider:
        yield provider


@pytest.fixture
def lab(tmp_path: Path, provider: ProviderProcess, postgresql: clusters.Server, fork_server: ForkServer) -> Lab:
    """An experiment of some seconds in PostgreSQL."""
    url = clusters.new_database(postgresql.port, f"away_{time.monotonic_ns()}")
    lab = Lab(tmp_path, url, server=fork_server)
    for name in BOTS:
        lab.bot(name, provider.base_url)
    described = experiment(
        games={"punish": {"rounds": 3, "messages": False}}, include=BOTS, repetitions=4, seats=3, limits={"calls": 4}
    )
    (tmp_path / "experiment.toml").write_text(described)
    return lab


@pytest.mark.parametrize("how", ["immediate", pytest.param("fast", marks=pytest.mark.long)])
def test_a_restart_of_the_server_is_waited_out(lab: Lab, log: Path, postgresql: clusters.Server, how: str) -> None:
    process = lab.start("bench", "--file", "experiment.toml")
    while visited(log) < 5:
        assert process.poll() is None, ended(process)
        time.sleep(0.01)
    postgresql.stop(how)
    time.sleep(0.3)
    assert process.poll() is None
    assert postgresql.start()
    done = ended(process)
    assert done.status == 0, done
    assert sum("waiting for it for up to 5 minutes" in line for line in done.complaints) == 1
    with lab.journal() as journal:
        assert {game.state for game in played(journal).values()} == {"finished"}
        asked = [visit["id"] for visit in visits(log)]
        assert len(asked) == len(set(asked)), "what was kept was asked again"
        assert journal.spending("punish-1").out.calls == 0


def test_a_server_that_stays_away_ends_the_run_with_the_line_that_resumes(
    lab: Lab, log: Path, postgresql: clusters.Server
) -> None:
    lab.environment["OSTROM_STORE_WAIT"] = "0.5"
    process = lab.start("bench", "--file", "experiment.toml")
    while visited(log) < 5:
        assert process.poll() is None, ended(process)
        time.sleep(0.01)
    postgresql.stop("fast")
    try:
        done = ended(process)
    finally:
        assert postgresql.start()
    assert done.status == 1, done
    assert "Traceback" not in done.err
    assert done.complaints[-1].endswith(f"Resume with: ostrom resume punish-1 --store {lab.store}")
    # What the line says works.
    lab.must("resume", "punish-1")
    asked = [visit["id"] for visit in visits(log)]
    assert len(asked) - len(set(asked)) <= 4, "only calls that were out are made again"
    with lab.journal() as journal:
        assert {game.state for game in played(journal).values()} == {"finished"}
