"""With many idle, slow or streaming connections, answers of people are accepted, the log stays short, and memory and
open files stay bounded."""

import statistics
import time
from pathlib import Path

import pytest

from at_seats import call, links_in, until
from crowds import BODY, HEAD, Crowd, bounded, crowd, memory, open_files
from people import PUNISHERS, answer_to

pytestmark = pytest.mark.slow

MOST_LOG = 1_000_000
ROUNDS = 8
SHORT, LONG = (160, 200, 400), (1024, 1100, 2000)


def stream(token: str) -> bytes:
    return f"GET /api/seat/live HTTP/1.1\r\nHost: 127.0.0.1\r\nOstrom-Seat: {token}\r\n\r\n".encode()


def surround(around: Crowd, kind: str, count: int, following: int, token: str) -> None:
    if kind == "idle":
        around.open(count)
    elif kind == "slow":
        around.drip(count // 2, HEAD)
        around.drip(count - count // 2, BODY % token.encode())
    else:
        around.open(following, stream(token))


def timed_answer(address: str, token: str) -> float:
    """Answer the next question; seconds until the answer was confirmed."""
    question = until(address, token, "asked")["question"]
    begun = time.perf_counter()
    status, told = call(
        address, "/seat/answer", token, {"question": question["id"], "values": answer_to(question["answer"])}
    )
    assert status == 200, told
    return time.perf_counter() - begun


@pytest.mark.parametrize(
    "size", [pytest.param(SHORT, id="short"), pytest.param(LONG, id="full", marks=pytest.mark.long)]
)
def test_a_person_answers_whoever_else_stands_around(tmp_path: Path, size: tuple[int, int, int]) -> None:
    files, count, following = size
    seats = ("--include", "human", "--include", "Cooperator", "--include", "FreeRider", "--include", "Retaliator")
    with bounded(tmp_path, files, "run", "punish", "--seed", 7, "--rounds", ROUNDS, *seats, "--port", 0) as (host, log):
        assert host.stdout is not None
        ((address, token),) = links_in(host.stdout, 1)
        before = memory(host)
        timed_answer(address, token)
        took: dict[str, list[float]] = {}
        for kind in ("idle", "slow", "streams"):
            with crowd(address) as around:
                surround(around, kind, count, following, token)
                took[kind] = [timed_answer(address, token) for _ in range(4)]
                assert open_files(host) < files
                assert memory(host) - before < 64 * 1024 * 1024
                more = (memory(host) - before) // 1024
                print(f"{kind}: confirmed after {statistics.median(took[kind]):.3f} s, {more:,} kB more in memory")
        assert host.poll() is None
        assert until(address, token, "asked", "over")["missed"] == 0
    assert log.stat().st_size < MOST_LOG
    assert "Traceback" not in log.read_text()


@pytest.mark.long
def test_the_lab_and_its_seats_are_there_whoever_stands_around(tmp_path: Path) -> None:
    files, count, following = LONG
    with bounded(tmp_path, files, "serve", "--port", 0) as (host, log):
        assert host.stdout is not None
        address = host.stdout.readline().split()[5].rstrip("/")
        body = {"game": "punish", "players": ["human", *PUNISHERS], "rules": {"rounds": ROUNDS}}
        token = call(address, "/games", body=body)[1]["seats"][0]["token"]
        before = memory(host)
        for said in (b"", HEAD, b"GET /api/live HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"):
            with crowd(address) as around:
                around.open(following if b"live" in said else count, said)
                took = [timed_answer(address, token) for _ in range(4)]
                assert call(address, "/lab")[0] == 200
                assert open_files(host) < files
                more = (memory(host) - before) // 1024
                print(f"{said[:13]!r}: confirmed after {statistics.median(took):.3f} s, {more:,} kB more in memory")
                assert more < 64 * 1024
        assert host.poll() is None
    assert log.stat().st_size < MOST_LOG
    assert "Traceback" not in log.read_text()
