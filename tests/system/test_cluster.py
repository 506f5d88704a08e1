"""Two Dask workers give what one process gives, also where one of them is killed."""

import json
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import Cluster, dask_cluster
from system_lab import Done, Lab, Played, ended, experiment, played, visits

from fork_server import ForkServer
from provider_process import ProviderProcess, provider_process

BOTS = ("ash", "bay", "cob")
CALLS = 8


def prepared(folder: Path, store: str, provider: ProviderProcess, games: int, server: ForkServer) -> Lab:
    folder.mkdir()
    lab = Lab(folder, store, server=server)
    for name in BOTS:
        lab.bot(name, provider.base_url)
    text = experiment(
        games={"punish": {"rounds": 2}, "commons": {"turns": 3}},
        include=BOTS,
        repetitions=games // 2,
        seats=3,
        limits={"calls": CALLS, "per_provider": CALLS},
    )
    (folder / "experiment.toml").write_text(text)
    return lab


def standings(done: Done) -> dict[str, Any]:
    """What a tournament came to, but for the time that it took."""
    document: dict[str, Any] = json.loads(done.out)
    del document["seconds"]
    return document


def games_of(lab: Lab) -> dict[str, Played]:
    with lab.journal() as journal:
        return played(journal)


@pytest.mark.parametrize("games", [4, pytest.param(40, marks=pytest.mark.long)])
def test_an_experiment_whose_worker_is_killed(
    games: int, tmp_path: Path, new_database: Callable[[], str], fork_server: ForkServer
) -> None:
    log = tmp_path / "log.jsonl"
    faults = ["--fault", "half_json=0.1", "--draw-by", "reference"]
    with (
        provider_process("--models", ",".join(BOTS), "--delay", 0.1, "--log", log, *faults) as provider,
        dask_cluster(tmp_path) as cluster,
    ):
        alone = prepared(tmp_path / "alone", f"sqlite:///{tmp_path}/alone.db", provider, games, fork_server)
        alone.must("bench", "--file", "experiment.toml")
        expected = games_of(alone)
        asked = len(visits(log))

        spread = prepared(tmp_path / "spread", new_database(), provider, games, fork_server)
        process = spread.start("bench", "--file", "experiment.toml", "--cluster", cluster.address)
        while len(visits(log)) < asked + asked // 3:
            assert process.poll() is None, ended(process)
            time.sleep(0.03)
        cluster.workers[0].kill()
        killed = time.time()
        done = ended(process)
        assert done.status == 0, done
        seen = visits(log)[asked:]
    found = games_of(spread)
    assert found == expected
    assert {game.state for game in found.values()} == {"finished"}
    # Both worked: after the kill the other one did the rest.
    times = Counter(visit["id"] for visit in seen)
    again = [reference for reference, count in times.items() if count > 1]
    assert len(seen) - len(times) <= CALLS // 2
    for reference in again:
        first, second = sorted(visit["time"] for visit in seen if visit["id"] == reference)
        assert killed - 2 < first < killed + 1 < second + 1, "only what was in flight is asked for again"
    told = spread.status()
    assert (told["state"], told["runs"]) == ("finished", 1)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Workers that nobody kills."""
    with dask_cluster(tmp_path_factory.mktemp("cluster")) as found:
        yield found


def test_a_tournament(tmp_path: Path, cluster: Cluster, fork_server: ForkServer) -> None:
    lab = Lab(tmp_path, "", server=fork_server)
    arguments = ["tournament", "--games", 40, "--group-size", 3, "--turns", 6, "--seed", 5, "--json"]
    table = [part for name in ("Pavlov", "Parasite", "Justicier", "RandomPlayer") for part in ("--include", name)]
    alone = standings(lab.must(*arguments, *table, stored=False))
    spread = lab.must(*arguments, *table, "--cluster", cluster.address, "--chunk-size", 32, stored=False)
    assert standings(spread) == alone


@pytest.mark.long
def test_a_tournament_whose_worker_is_killed(tmp_path: Path) -> None:
    lab = Lab(tmp_path, "")
    arguments = ["tournament", "--games", 2000, "--group-size", 3, "--seed", 5, "--chunk-size", 500, "--json"]
    alone = standings(lab.must(*arguments, stored=False))
    with dask_cluster(tmp_path) as cluster:
        process = lab.start(*arguments, "--cluster", cluster.address, stored=False)
        time.sleep(8)
        assert process.poll() is None, "too quick to be killed"
        cluster.workers[0].kill()
        done = ended(process)
    assert done.status == 0, done
    assert standings(done) == alone


def test_models_are_looked_for_by_the_workers(
    tmp_path: Path, new_database: Callable[[], str], cluster: Cluster, fork_server: ForkServer
) -> None:
    lab = Lab(tmp_path, new_database(), server=fork_server)
    lab.bot("ash", "http://127.0.0.1:9/v1")
    done = lab.run("bench", "commons", "--include", "ash:3", "--games", 1, "--cluster", cluster.address)
    assert (done.status, len(done.complaints)) == (2, 1), done
    assert "no server answers" in done.complaints[0]
    with lab.journal() as journal:
        assert journal.experiments() == []
