"""A journal to be served in a benchmark, with the games of PGG-Bench and a long experiment; and the process that serves
it."""

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ostrom.arena.experiment import play_games
from ostrom.games import COMMONS, CONTRIBUTE_PUNISH
from ostrom.importers.pgg_bench import import_logs, logs_in
from ostrom.journal.sql import Journal
from ostrom.lab import make_rules, record_of
from ostrom.lab.battery import battery
from ostrom.lab.experiments import run_experiment
from ostrom.lab.plan import Part
from ostrom.players.roster import seat_players

ROOT = Path(__file__).resolve().parent.parent
LOGS = Path(os.environ.get("OSTROM_DATA", ROOT.parent / "shared" / "data")) / "pgg_bench"
GAMES, EVENTS = 580, 100_000
SUBJECTS = ("exponential:delta=0.9,noise=0.03", "fehr-schmidt", "level-k:k=2")


def fill(url: str) -> dict[str, int]:
    """Make the journal; how much is in it."""
    with Journal.open(url, create=True) as journal:
        if LOGS.is_dir():
            import_logs(logs_in(LOGS), journal)
        else:
            _play(journal, CONTRIBUTE_PUNISH, {}, 5, GAMES)
        events = 0
        while events < EVENTS:
            events += _play(journal, COMMONS, {"turns": 200}, 4, 20)
        run_experiment(battery(SUBJECTS, protocol="quick", seed=1), journal)
    return contents_of(url)


def contents_of(url: str) -> dict[str, int]:
    """How much is in a journal."""
    with Journal.open(url) as journal:
        rows = journal.experiments()
    return {"games": sum(row.games for row in rows), "events": sum(row.events for row in rows)}


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
def served(command: list[str], port: int) -> Iterator[None]:
    """A server in a process of its own."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        while True:
            if process.poll() is not None:
                raise RuntimeError(f"{command} ended with {process.returncode}")
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """A port that nobody uses."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
