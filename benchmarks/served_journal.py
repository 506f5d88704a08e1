"""A journal to be served in a benchmark, with the games of PGG-Bench, a long experiment and some of the battery; where
it is kept; and the process that serves it."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import Any

from ostrom.experiment import make_rules, play, record_of
from ostrom.experiment.match import play_games
from ostrom.experiment.plan import Part
from ostrom.experiment.store import run_experiment
from ostrom.games.battery.commands.plan import BatterySettings, plan_battery
from ostrom.games.commons import COMMONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.importers.pgg_bench import import_logs, logs_in
from ostrom.journal.sql import Journal
from ostrom.players.roster import seat_players

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from clusters import HOW_TO_GET_IT, cluster, free_port, new_database, programs  # noqa: E402

LOGS = Path(os.environ.get("OSTROM_DATA", ROOT.parent / "shared" / "data")) / "pgg_bench"
GAMES, EVENTS, TRUSTED = 580, 100_000, 20
SUBJECTS = ("exponential:delta=0.9,noise=0.03", "fehr-schmidt", "level-k:k=2")


POSTGRES = "postgres"
"""The store that is a PostgreSQL server of our own, for as long as it is needed."""


@contextmanager
def store_at(wanted: str | None) -> Iterator[str]:
    """The URL of a place for the journal: the one that is named, or one that goes away again, in SQLite or in
    PostgreSQL."""
    if wanted == POSTGRES:
        found = programs()
        if found is None:
            raise SystemExit(HOW_TO_GET_IT)
        with cluster(found) as port:
            yield new_database(port, "bench")
    elif wanted is None:
        with tempfile.TemporaryDirectory() as folder:
            yield f"sqlite:///{Path(folder) / 'bench.db'}"
    else:
        yield wanted


def filled(url: str) -> dict[str, int]:
    """Make the journal where there is none yet; how much is in it."""
    with Journal.open(url, create=True) as journal:
        if not journal.experiments():
            _fill(journal)
        rows = journal.experiments()
    return {"games": sum(row.games for row in rows), "events": sum(row.events for row in rows)}


def _fill(journal: Journal) -> None:
    if LOGS.is_dir():
        import_logs(logs_in(LOGS), journal)
    else:
        _play(journal, CONTRIBUTE_PUNISH, {}, 5, GAMES)
    events = 0
    while events < EVENTS:
        events += _play(journal, COMMONS, {"turns": 200}, 4, 20)
    run_experiment(plan_battery(BatterySettings(subject=tuple(SUBJECTS), protocol="quick", seed=1)), journal)
    pairs = journal.new_experiment("bench trust", kind="trust")
    for seed in range(TRUSTED):
        for pair in permutations(SUBJECTS, 2):
            match = play(pair, game="trust", seed=seed)
            journal.add_game(pairs, record_of(match), key=f"{seed}.{' '.join(pair)}")


def _play(journal: Journal, game: Any, rules: dict[str, Any], seats: int, games: int) -> int:
    """Play so many games of the built-in players into one experiment; how many events they have."""
    name, told = f"bench {game.name}", 0
    found = [row.id for row in journal.experiments() if row.name == name]
    experiment = found[0] if found else journal.new_experiment(name, kind=game.command)
    seed = len(journal.games(experiment)) + 1
    part = Part(game, make_rules(game, rules), seat_players(game.name), seats, games, seed)
    for key, match in play_games(part.fixtures("")):
        record = record_of(match)
        journal.add_game(experiment, record, key=f"{seed}.{key}")
        told += len(record.events)
    return told


@contextmanager
def served(command: list[str]) -> Iterator[int]:
    """A server in a process of its own, whose command is told its port at last; the port."""
    port = free_port()
    process = subprocess.Popen([*command, str(port)], stdout=subprocess.DEVNULL)
    try:
        while True:
            if process.poll() is not None:
                raise RuntimeError(f"{command} ended with {process.returncode}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield port
    finally:
        process.terminate()
        process.wait()
