"""How long the entries of 200 people at once take to be confirmed by `ostrom session`, in groups of 20 with stages of
45 seconds and in groups of 4; whether every confirmed answer is stored; and the memory of the server. With --peer,
oTree then serves the game in groups of 20 to as many simulated people, who think as long about each contribution.

    python -P benchmarks/session_people.py --people 200 --speed 2 --peer"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ostrom.experiment.session.file import load_session
from ostrom.experiment.session.rehearsal.attendance import RehearsalLog
from ostrom.experiment.session.rehearsal.rehearse import ARRIVAL_S, Rehearsal, rehearse, visitors_of
from ostrom.experiment.session.rehearsal.server import session_server
from ostrom.findings.session_data import load_session_data
from ostrom.journal.sql import Journal

ROOT = Path(__file__).resolve().parent.parent
OTREE_PYTHON = ROOT / ".venv-otree/bin/python"
OTREE_SCRIPT = ROOT / "benchmarks/peers/otree_session.py"
NO_OTREE = "oTree is not there to compare with: make .venv-otree/.installed"
GROUP, TABLES, ROUNDS, STAGE_S = 20, 2, 5, 45
"""The game that oTree serves too."""
RULES = {"endowment": 20, "multiplier": 1.6}
"""The rules of both, which are the defaults of the game."""
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
group = {group}
matching = "strangers"
tables = {tables}
rules = {{ rounds = {rounds}, endowment = {endowment}, multiplier = {multiplier} }}
seconds = {stage_s}
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


class Contribution(NamedTuple):
    """A contribution in the groups of 20."""

    thinking: float
    """The seconds from the question to sending the answer."""
    confirmed: float
    """The seconds from sending the answer until it was confirmed."""


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


async def play(file: Path, log: RehearsalLog, people: int, speed: float, store: str) -> tuple[Rehearsal, float]:
    """Let all take part, and print the server's memory every 20 seconds; return also its largest, in MB."""
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
            return await rehearse(session, links, visitors, log, speed=speed), memory_mb(links.process)[1]
        finally:
            watching.cancel()


def contributions(log: RehearsalLog) -> list[list[Contribution]]:
    """The contributions of each person in the groups of 20, which come first; the count holds if none was missed."""
    asked: dict[str, list[float]] = defaultdict(list)
    for visit in log.visits:
        if visit.question:
            asked[visit.participant].append(visit.seconds)
    confirmed: dict[str, list[float]] = defaultdict(list)
    for name, _, seconds in log.answers:
        confirmed[name].append(seconds)
    return [
        [Contribution(whole - last, last) for whole, last in zip(asked[name], confirmed[name], strict=True)][
            : TABLES * ROUNDS
        ]
        for name in confirmed
    ]


def beside_otree(log: RehearsalLog, people: int, speed: float, memory: float) -> None:
    """Let oTree serve the same game to people who think as long, and print its figures beside ours."""
    ours = contributions(log)
    task: dict[str, Any] = {
        "people": people,
        "group": GROUP,
        "tables": TABLES,
        "rounds": ROUNDS,
        "stage_s": STAGE_S,
        "arrival_s": ARRIVAL_S / speed,
        "thinking": [[contribution.thinking for contribution in ours[n % len(ours)]] for n in range(people)],
        **RULES,
    }
    run = subprocess.run(
        [OTREE_PYTHON, OTREE_SCRIPT], input=json.dumps(task) + "\n", stdout=subprocess.PIPE, text=True, check=True
    )
    peer = json.loads(run.stdout)
    times = [contribution.confirmed for person in ours for contribution in person]
    print(f"\nThe game in groups of {GROUP}, {TABLES} tables of {ROUNDS} rounds:")
    print(f"  ostrom session: {len(times):,} contributions confirmed: {percentiles(times)}; memory {memory:.0f} MB")
    print(f"  oTree {peer['version']}, {peer['seconds']:.0f} s: {len(peer['confirmed']):,} contributions")
    print(f"    confirmed (redirected): {percentiles(peer['confirmed'])}")
    print(f"    until the next page is there: {percentiles(peer['shown'])}")
    largest, worker = peer["memory_mb"]["server"], peer["memory_mb"]["worker"]
    print(f"    memory {largest:.0f} MB, and {worker:.0f} MB of the process that ends pages")
    print(f"    lost: {peer['lost']}; missed: {peer['missed']}; people at the end: {peer['ended']}")
    print(f"    faults: {len(peer['faults'])} {peer['faults'][:3]}")
    for name, place in (("median", 49), ("p95", 94)):
        own = statistics.quantiles(times, n=100)[place]
        ratios = [statistics.quantiles(peer[what], n=100)[place] / own for what in ("confirmed", "shown")]
        print(f"  oTree's time over ours, {name}: {ratios[0]:.2f} confirmed, {ratios[1]:.2f} next page")


def main() -> None:
    """Measure, and check that every confirmed answer is stored."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=200)
    parser.add_argument("--speed", type=float, default=2.0, help="how much faster than people the simulated people are")
    parser.add_argument("--peer", action="store_true", help="measure oTree beside it")
    arguments = parser.parse_args()
    if arguments.peer and not OTREE_PYTHON.exists():
        parser.error(NO_OTREE)
    log = RehearsalLog()
    with tempfile.TemporaryDirectory() as folder:
        file, store = Path(folder) / "many.toml", f"sqlite:///{folder}/journal.db"
        shape = {"group": GROUP, "tables": TABLES, "rounds": ROUNDS, "stage_s": STAGE_S}
        file.write_text(FILE.format(people=arguments.people, **shape, **RULES))
        rehearsal, memory = asyncio.run(play(file, log, arguments.people, arguments.speed, store))
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
    if arguments.peer:
        beside_otree(log, arguments.people, arguments.speed, memory)


if __name__ == "__main__":
    main()
