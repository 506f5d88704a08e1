"""Two Dask workers give what one process gives, also where one of them is killed."""

import json
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from dask_cluster import Cluster, dask_cluster
from system_lab import Done, Lab, Played, ended, experiment, played, visited, visits

from fork_server import ForkServer
from provider_process import ProviderProcess, provider_process

pytestmark = pytest.mark.slow

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
        asked = visited(log)

        spread = prepared(tmp_path / "spread", new_database(), provider, games, fork_server)
        process = spread.start("bench", "--file", "experiment.toml", "--cluster", cluster.address)
        while visited(log) < asked + asked // 3:
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


def test_a_sweep(tmp_path: Path, cluster: Cluster, fork_server: ForkServer) -> None:
    lab = Lab(tmp_path, "", server=fork_server)
    arguments = ["sweep", "--vary", "alpha=0,0.5,1", "--vary", "Parasite=0,2", "--include", "RandomPlayer:3"]
    arguments += ["--games", 10, "--turns", 6, "--seed", 5, "--json"]
    alone = standings(lab.must(*arguments, stored=False))
    spread = lab.must(*arguments, "--cluster", cluster.address, "--chunk-size", 10, stored=False)
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
    assert (done.status, len(done.complaints)) == (2, 2), done
    assert "is not encrypted" in done.complaints[0]
    assert "on a worker: the model ash: no server answers" in done.complaints[1]
    with lab.journal() as journal:
        assert journal.experiments() == []


@pytest.mark.long
def test_limits_of_players_hold_over_all_workers_and_a_silent_model_pauses_them(
    tmp_path: Path, new_database: Callable[[], str], cluster: Cluster, fork_server: ForkServer
) -> None:
    most = 15
    with provider_process("--models", ",".join(BOTS), "--fault-model", "cob=refusal:1") as provider:
        lab = prepared(tmp_path / "lab", new_database(), provider, 24, fork_server)
        done = lab.run("bench", "--file", "experiment.toml", "--cluster", cluster.address, "--player-calls", most)
        assert done.status == 1, done
        for name in BOTS:
            assert provider.account()["models"][name]["requests"] <= most
        assert provider.account()["requests"] > 2 * most, "most of it is used"
        assert f"the limit of {most} calls for the player ash is reached (--player-calls)" in done.err
        assert "--player-calls MORE" in done.complaints[-1]
        more = ["--cluster", cluster.address, "--player-calls", 10_000]
        paused = lab.run("resume", *more)
        assert paused.status == 1, paused
        assert "paused: cob gave no legal answer to 2" in paused.complaints[-1]
        lab.must("resume", *more, "--pause-at-defaults", 1)
        status = lab.status()
    assert (status["state"], status["suspended"]) == ("finished", {})


@contextmanager
def overheard(address: str) -> Iterator[tuple[str, list[bytes]]]:
    """A way to the scheduler on which somebody listens, and what was said on it, in both directions."""
    said: list[bytes] = []
    open_ones: list[socket.socket] = []
    host, _, port = address.removeprefix("tcp://").rpartition(":")

    def pass_on(source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while content := source.recv(1 << 16):
                said.append(content)
                target.sendall(content)
        for end in (source, target):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def listen(listener: socket.socket) -> None:
        with suppress(OSError):
            while True:
                near, _ = listener.accept()
                far = socket.create_connection((host, int(port)))
                open_ones.extend((near, far))
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=pass_on, args=ends, daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=listen, args=(listener,), daemon=True).start()
        yield f"tcp://127.0.0.1:{listener.getsockname()[1]}", said
        listener.shutdown(socket.SHUT_RDWR)
    for end in open_ones:
        end.close()


def test_the_journals_password_stays_here(
    tmp_path: Path, new_database: Callable[[], str], cluster: Cluster, fork_server: ForkServer
) -> None:
    """The server of the tests asks for no password, so workers do without; one that is typed goes to none of them."""
    password = "h4nds-0ff-planted"
    lab = Lab(tmp_path, new_database().replace("lab@", f"lab:{password}@"), server=fork_server)
    with overheard(cluster.address) as (address, said):
        few = ("--seats", 3, "--games", 3, "--rule", "turns=2", "--seed", 1)
        done = lab.must("bench", "commons", "--include", "Pavlov:3", *few, "--cluster", address)
        assert lab.status()["state"] == "finished"
    heard = b"".join(said)
    assert b"play_share" in heard, "the line was listened to"
    assert password.encode() not in heard
    assert password not in done.out + done.err
    for log in cluster.folder.rglob("*"):
        assert not log.is_file() or password.encode() not in log.read_bytes(), log


def _certificates(folder: Path) -> dict[str, str]:
    """Dask's variables for a certificate that is its own authority."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    subject = ("-subj", "/CN=lab", "-addext", "subjectAltName=IP:127.0.0.1")
    made = ("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
    subprocess.run([*made, "-keyout", key, "-out", certificate, *subject], check=True, capture_output=True)
    places = {
        f"{role}__{part}": file
        for role in ("SCHEDULER", "WORKER", "CLIENT")
        for part, file in (("CERT", certificate), ("KEY", key))
    }
    return {
        f"DASK_DISTRIBUTED__COMM__TLS__{name}": str(file) for name, file in (places | {"CA_FILE": certificate}).items()
    }


@pytest.mark.long
def test_a_line_that_is_encrypted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, file in _certificates(tmp_path).items():
        monkeypatch.setenv(name, file)
    lab = Lab(tmp_path, "")
    arguments = ["tournament", "--games", 40, "--group-size", 3, "--turns", 6, "--seed", 5, "--json"]
    table = [part for name in ("Pavlov", "Parasite", "Justicier") for part in ("--include", name)]
    with dask_cluster(tmp_path, workers=1, protocol="tls") as cluster:
        assert cluster.address.startswith("tls://")
        done = lab.must(*arguments, *table, "--cluster", cluster.address, stored=False)
        assert done.complaints == []
    assert standings(done) == standings(lab.must(*arguments, *table, stored=False))


def test_encryption_needs_certificates(lab: Lab) -> None:
    done = lab.run("tournament", "--games", 10, "--cluster", "tls://127.0.0.1:9", stored=False)
    assert (done.status, len(done.complaints)) == (2, 1), done
    assert "DASK_DISTRIBUTED__COMM__TLS__CA_FILE" in done.complaints[0]
