"""How fast games between models are run, all in: prompt, call, reading, journal. The model is the test provider's, in a
process of its own; every seat of every game is asked over HTTP, and every call and decision goes into SQLite.

Three measurements, each in a process of its own: how close to the ideal the calls of a slow provider come in steady
state (the first and the last length of a game left out), what a decision costs when nothing is waited for, and the
memory of a thousand games under way."""

import argparse
import asyncio
import bisect
import json
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from ostrom.core import Call, GameChance
from ostrom.core.plugins import GAMES
from ostrom.experiment.limits import Limits, Spent
from ostrom.experiment.match import Fixture
from ostrom.experiment.runner import Conduct, run_fixtures
from ostrom.experiment.store import head_of
from ostrom.experiment.watch import Ending, Tally
from ostrom.journal.sql import Journal
from ostrom.players.models.bots import Bot
from ostrom.players.models.transport import close_connections
from ostrom.players.roster import ModelContestant

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from provider_process import provider_process  # noqa: E402 - it lies beside the tests

SEATS = 5
PARTS: dict[str, dict[str, Any]] = {
    "steady": {"delay": 1.0, "calls": 128, "games": 512, "at_once": 160, "rounds": 2},
    "saturated": {"delay": 0.0, "calls": 64, "games": 128, "at_once": 32, "rounds": 3},
    "memory": {"delay": 1.0, "calls": 1000, "games": 1000, "at_once": 1000, "rounds": 3},
}


@dataclass(slots=True)
class Clocked(Tally):
    """A tally that also notes when calls came back, and how long games took."""

    ended: list[float] = field(default_factory=list)
    began: dict[str, float] = field(default_factory=dict)
    lengths: list[float] = field(default_factory=list)
    most_under_way: int = 0

    def game_began(self, key: str) -> None:
        """Note when."""
        Tally.game_began(self, key)
        self.began[key] = time.perf_counter()
        self.most_under_way = max(self.most_under_way, self.under_way)

    def game_ended(self, key: str, ending: Ending) -> None:
        """Note how long it took."""
        Tally.game_ended(self, key, ending)
        self.lengths.append(time.perf_counter() - self.began.pop(key))

    def call_ended(self, model: str, call: Call, spent: Spent) -> None:
        """Note when."""
        Tally.call_ended(self, model, call, spent)
        self.ended.append(time.perf_counter())


async def play(task: dict[str, Any], journal: Journal, watch: Clocked, games: range) -> None:
    """Play the games into the journal."""
    game = GAMES.of_command("punish")
    rules = game.rules(rounds=task["rounds"], messages=True)
    bot = Bot(name="peer", model="peer", base_url=task["base_url"], form=task["form"])
    contestants = [ModelContestant(bot, game.name)] * SEATS
    limits = Limits(calls=task["calls"], per_provider=task["calls"], games=task["at_once"])
    fixtures = (Fixture(f"game.{n}", game, rules, contestants, GameChance(1, n)) for n in games)
    experiment = journal.new_experiment("benchmark", kind="bench", settings={}, planned=len(games))
    try:
        async with journal.ledgers(experiment) as ledgers:
            outcome = await run_fixtures(
                fixtures, lambda fixture: ledgers.open(head_of(fixture), fixture.key), Conduct(limits, watch)
            )
    finally:
        await close_connections()
    assert outcome.finished == len(games), outcome


def processor_time() -> float:
    """Seconds of this process so far, user and system, all threads."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def measure_here(task: dict[str, Any]) -> dict[str, Any]:
    """One measurement, in this process."""
    with tempfile.TemporaryDirectory() as home:
        with Journal.open(f"sqlite:///{home}/journal.db", create=True) as journal:
            asyncio.run(play(task | {"at_once": 2}, journal, Clocked(), range(10**6, 10**6 + 2)))  # the warm-up
            watch = Clocked()
            started, used = time.perf_counter(), processor_time()
            asyncio.run(play(task, journal, watch, range(task["games"])))
            seconds, processor = time.perf_counter() - started, processor_time() - used
        written = (Path(home) / "journal.db").stat().st_size
    length = statistics.median(watch.lengths)
    first, last = started + length, started + seconds - length
    within = bisect.bisect(watch.ended, last) - bisect.bisect(watch.ended, first)
    steady = within / (last - first) if last > first else None
    return task | {
        "seconds": seconds,
        "game_seconds": length,
        "made": watch.calls,
        "decisions": watch.decisions,
        "most_games_under_way": watch.most_under_way,
        "calls_per_second": watch.calls / seconds,
        "steady_calls_per_second": steady,
        "share_of_ideal": steady * task["delay"] / task["calls"] if steady and task["delay"] else None,
        "processor_milliseconds_a_decision": 1000 * processor / watch.decisions,
        "journal_bytes_a_decision": written / watch.decisions,
        "peak_mebibytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def measure_apart(name: str, options: argparse.Namespace) -> dict[str, Any]:
    """One measurement, in a process of its own against a fresh provider."""
    task = PARTS[name] | {"form": options.form}
    for setting in ("games", "at_once", "rounds"):
        if getattr(options, setting) is not None:
            task[setting] = getattr(options, setting)
    with provider_process("--delay", task["delay"]) as provider:
        task["base_url"] = provider.base_url
        done = subprocess.run(
            [sys.executable, __file__, "--here"], input=json.dumps(task), stdout=subprocess.PIPE, text=True, check=True
        )
        account = provider.account()
    assert account["answered"] == account["requests"], account
    measured: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return measured | {"peak_calls": account["peak"]}


def show(document: dict[str, Any]) -> None:
    """The document as a table."""
    table = Table(title=f"Contribute & Punish with messages, {SEATS} models, journal in SQLite")
    for heading in ("", "delay s", "in flight", "games", "at once", "calls/s", "ideal", "ms", "MiB"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, found in document["parts"].items():
        ideal = found["share_of_ideal"]
        table.add_row(
            name,
            f"{found['delay']:g}",
            str(found["calls"]),
            str(found["games"]),
            str(found["most_games_under_way"]),
            f"{found['steady_calls_per_second'] or found['calls_per_second']:.0f}",
            "" if ideal is None else f"{100 * ideal:.1f} %",
            f"{found['processor_milliseconds_a_decision']:.2f}",
            f"{found['peak_mebibytes']:.0f}",
        )
    console = Console()
    console.print(table)
    console.print("ms: processor time of our process for a decision, all in. MiB: its peak.", highlight=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON in place of the table")
    parser.add_argument("--part", choices=list(PARTS), action="append", help="by default all of them")
    parser.add_argument("--form", choices=("native", "tool", "prompted", "tags"), default="tags")
    parser.add_argument("--games", type=int)
    parser.add_argument("--at-once", type=int, help="games under way")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:
        print(json.dumps(measure_here(json.loads(sys.stdin.read()))))
        return
    parts = {name: measure_apart(name, options) for name in options.part or PARTS}
    document = {"parts": parts, "python": platform.python_version()}
    if options.json:
        print(json.dumps(document))
    else:
        show(document)


if __name__ == "__main__":
    main()
