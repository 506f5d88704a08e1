"""A server around which a crowd of connections stands, idle, slow or following: a person's answers go through, the log
stays short, and memory and open files stay within bounds."""

import statistics
import time
from pathlib import Path

import pytest

from at_seats import answer_next, links_in, until
from crowds import BODY, HEAD, Crowd, bounded, crowd, memory, open_files

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
    begun = time.perf_counter()
    answer_next(address, token)
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
