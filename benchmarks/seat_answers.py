"""How long a person's answer takes to be confirmed by `ostrom serve`: alone, while the heaviest play that a page may
start is under way, and when many people answer at once.

    python -P benchmarks/seat_answers.py --people 200"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

from at_seats import answer_to, call, until

ROUNDS = 40
SEATS = 20
HEAVY = {"game": "commons", "players": ["Pavlov"] * 100, "rules": {"turns": 1_000_000}}


def timed_answer(address: str, token: str, together: Barrier | None = None) -> float:
    """Answer the next question, with others if there are some; return the seconds until it was confirmed."""
    question = until(address, token, "asked")["question"]
    body = {"question": question["id"], "values": answer_to(question["answer"])}
    if together is not None:
        together.wait()
    begun = time.perf_counter()
    status, reply = call(address, "/seat/answer", token, body)
    assert status == 200, reply
    return time.perf_counter() - begun


def seats_of(address: str, people: int) -> list[str]:
    """Start games with so many people and return the tokens of their seats."""
    tokens: list[str] = []
    while len(tokens) < people:
        here = min(SEATS, people - len(tokens))
        players = ["human"] * here + ["Cooperator"] * 2
        rules = {"rounds": ROUNDS, "messages": False}
        status, started = call(address, "/games", body={"game": "punish", "players": players, "rules": rules})
        assert status == 201, started
        tokens += [seat["token"] for seat in started["seats"]]
    return tokens


def report(what: str, times: list[float]) -> None:
    """Print the median and the 95th percentile."""
    cuts = statistics.quantiles(times, n=20)
    load = os.getloadavg()[0]
    print(f"{what}: median {1000 * cuts[9]:.0f} ms, p95 {1000 * cuts[18]:.0f} ms of {len(times)} (load {load:.1f})")


def main() -> None:
    """Measure against a server of its own."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--answers", type=int, default=40)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-P", "-m", "ostrom", "serve", "--port", "0", "--store", f"{folder}/journal.db"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert server.stdout is not None
            address = server.stdout.readline().split()[5].rstrip("/")
            (token,) = seats_of(address, 1)
            report("alone", [timed_answer(address, token) for _ in range(arguments.answers)])
            (token,) = seats_of(address, 1)
            assert call(address, "/games", body=HEAVY)[0] == 201
            report("while heavy play is under way", [timed_answer(address, token) for _ in range(arguments.answers)])
            tokens = seats_of(address, arguments.people)
            together = Barrier(len(tokens))
            with ThreadPoolExecutor(len(tokens)) as pool:
                times = list(pool.map(lambda token: timed_answer(address, token, together), tokens))
            report(f"{arguments.people} people at once, beside heavy play", times)
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
