"""How long the entries of 200 people at once take to be confirmed by `ostrom session`, in groups of 20 with stages of
45 seconds and in groups of 4; whether every confirmed answer is stored; and the memory of the server.

    python -P benchmarks/session_people.py --people 200 --speed 2"""

import argparse
import asyncio
import os
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from ostrom.experiment.session.file import load_session
from ostrom.experiment.session.rehearsal.attendance import RehearsalLog
from ostrom.experiment.session.rehearsal.rehearse import Rehearsal, rehearse, visitors_of
from ostrom.experiment.session.rehearsal.server import session_server
from ostrom.findings.session_data import load_session_data
from ostrom.journal.sql import Journal

FILE = """
[session]
name = "many"
title = "Many people at once"
participants = {people}
start = "host"
[consent]
text = "Do you take part?"
[quiz]
questions = [{{ name = "sum", text = "1 + 1?", type = "number", answer = 2, feedback = "Count." }}]
[[games]]
name = "large"
game = "contributions"
group = 20
matching = "strangers"
tables = 2
rules = {{ rounds = 5 }}
seconds = 45.0
[[games]]
name = "small"
game = "contributions"
group = 4
matching = "strangers"
tables = 2
rules = {{ rounds = 5, punishment = true }}
seconds = 45.0
[payment]
currency = "EUR"
participation = 3.0
rate = 0.01
"""


def memory_mb(process: int) -> tuple[float, float]:
    """The resident memory of a process now, and its largest, in MB."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    values = {line.split(":")[0]: line.split()[1] for line in lines if line.startswith(("VmRSS", "VmHWM"))}
    return int(values["VmRSS"]) / 1000, int(values["VmHWM"]) / 1000


def percentiles(seconds: Sequence[float]) -> str:
    """The median, the 95th and 99th percentile and the largest, in milliseconds."""
    cuts = statistics.quantiles(seconds, n=100)
    values = {"median": cuts[49], "p95": cuts[94], "p99": cuts[98], "largest": max(seconds)}
    return ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in values.items())


async def play(file: Path, log: RehearsalLog, people: int, speed: float, store: str) -> Rehearsal:
    """Let all take part, and print the server's memory every 20 seconds."""
    session = load_session(file)
    with session_server([str(file), "--new", "--port", "0", "--store", store]) as links:
        begun = time.monotonic()

        async def watch() -> None:
            while True:
                await asyncio.sleep(20)
                now, _ = memory_mb(links.process)
                entries = f"{len(log.confirmations):,} entries"
                last = percentiles(log.confirmations[-200:])
                print(f"  {time.monotonic() - begun:4.0f} s: {entries}, {now:.0f} MB, last 200: {last}", flush=True)

        watching = asyncio.create_task(watch())
        try:
            visitors = visitors_of(session, links, log, count=people, speed=speed)
            return await rehearse(session, links, visitors, log, speed=speed)
        finally:
            watching.cancel()


def main() -> None:
    """Measure, and check that every confirmed answer is stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--speed", type=float, default=2.0, help="how much faster than people the simulated people are")
    arguments = parser.parse_args()
    log = RehearsalLog()
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder) / "many.toml", f"sqlite:///{folder}/journal.db"
        file.write_text(FILE.format(people=arguments.people))
        rehearsal = asyncio.run(play(file, log, arguments.people, arguments.speed, store))
        with Journal.open(store) as journal:
            data = load_session_data(journal, "many")
            stored = Counter(decision.participant for decision in data.decisions() if decision.own)
    confirmed = Counter(int(name.removeprefix("person-")) for name, _, _ in log.answers)
    outcomes = Counter(log.outcomes.values())
    load = os.getloadavg()[0]
    print(f"{arguments.people} people at {arguments.speed:g} times their speed, {log.seconds:.0f} s (load {load:.1f})")
    print(f"all {len(log.confirmations):,} entries: {percentiles(log.confirmations)}")
    print(f"{len(log.answers):,} answers in games: {percentiles([seconds for *_, seconds in log.answers])}")
    print(f"outcomes: {dict(outcomes)}; missed questions: {sum(log.missed.values())}")
    print(f"faults: {len(log.faults)} {log.faults[:3]}")
    lost = {number: count - stored[number] for number, count in confirmed.items() if stored[number] < count}
    print(f"confirmed answers that are not stored: {sum(lost.values())}")
    totals = [row["total"] for row in rehearsal.payments["rows"]]
    print(f"people with a payment: {sum(total is not None for total in totals)}")


if __name__ == "__main__":
    main()
