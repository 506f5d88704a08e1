"""How fast the batch engine plays the Commons, beside the Axelrod library measured in the same run.

A player-turn is one decision by one player. Ours are made by all sixteen champions at one table, with lobbying and
voting on, in games of exactly 100 turns. The machine may be noisy, so each of our runs comes right after one of the
peer's, and ratios are taken within such a pair."""

import argparse
import json
import multiprocessing
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.players.roster import choose
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch

ROOT = Path(__file__).resolve().parent.parent
PEER_PYTHON = ROOT / ".venv-axelrod/bin/python"
PEER_SCRIPT = ROOT / "benchmarks/peers/axelrod_match.py"
NO_PEER = "the peer, Axelrod, is not there to compare with: `make bench` puts it in .venv-axelrod"
TURNS = 100
BATCHES = (2048, 4096, 8192, 16384, 32768)
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


def full_table(games: int, turns: int, first: int = 0) -> Batch:
    """All champions at one table, in `games` games."""
    cast = choose()
    seating = np.repeat(np.arange(len(cast))[:, None], games, axis=1)
    return Batch(COMMONS, CommonsRules(turns=turns), cast, seating, np.arange(first, first + games), seed=42)


class Peer:
    """The Axelrod library in a process of its own, playing on request."""

    def __init__(self) -> None:
        # What goes wrong in it is left to show on our standard error.
        self._process = subprocess.Popen(
            [PEER_PYTHON, PEER_SCRIPT, "--on-request"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.version = str(self._answer()["version"])

    def rate(self) -> float:
        """Play once, and return player-turns per second."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._answer()["player_turns_per_second"])

    def close(self) -> None:
        """The end of its input ends it."""
        self._process.communicate()

    def _answer(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the peer stopped with exit status {self._process.wait()}, so there is no ratio")
        answer: dict[str, Any] = json.loads(line)
        return answer


def work(number: int, pipe: Connection) -> None:
    """A worker process: make ready the batch that is asked for, say so, and play it when told to."""
    for games in BATCHES:
        play_batch(full_table(games, turns=5))  # the warm-up: imports, memory, caches
    pipe.send("warm")
    while (games := pipe.recv()) is not None:
        batch = full_table(games, TURNS, first=number * games)
        pipe.send("ready")
        pipe.recv()
        pipe.send(play_batch(batch).player_turns)


class Team:
    """Worker processes that wait without using a core."""

    def __init__(self, size: int) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipes: list[Connection] = []
        self._processes = []
        for number in range(size):
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(number, theirs), daemon=True)
            process.start()
            theirs.close()  # so that a worker that dies is noticed
            self._pipes.append(ours)
            self._processes.append(process)
        _ = [pipe.recv() for pipe in self._pipes]

    def rate(self, games: int, workers: int) -> float:
        """Let the first `workers` play a batch each, and return their player-turns per second together."""
        pipes = self._pipes[:workers]
        for pipe in pipes:
            pipe.send(games)
        _ = [pipe.recv() for pipe in pipes]
        started = time.perf_counter()
        for pipe in pipes:
            pipe.send("go")
        played = sum(pipe.recv() for pipe in pipes)
        return float(played / (time.perf_counter() - started))

    def close(self) -> None:
        """Let everybody go home."""
        for pipe in self._pipes:
            pipe.send(None)
        for process in self._processes:
            process.join()


@dataclass
class Measured:
    """The player-turns per second of one batch size on so many cores, run by run."""

    games: int
    cores: int
    rates: list[float] = field(default_factory=list)
    ratios: list[float] = field(default_factory=list)
    """Each rate by the peer's in the same pair."""

    def summary(self) -> dict[str, Any]:
        """What is reported."""
        ratio = statistics.median(self.ratios) if self.ratios else None
        return {"games": self.games, "cores": self.cores, **middle_and_best(self.rates), "times_the_peer": ratio}


def middle_and_best(rates: Sequence[float]) -> dict[str, float]:
    """Noise only ever slows a run down, so the best is reported beside the median."""
    return {"player_turns_per_second": statistics.median(rates), "best_player_turns_per_second": max(rates)}


def measure(repeats: int) -> dict[str, Any]:
    """Everything, as one document."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    os.environ.update(ONE_THREAD)  # inherited by the processes started from here on
    peer, note = None, None
    if PEER_PYTHON.exists():
        try:
            peer = Peer()
        except RuntimeError as error:
            note = str(error)
    else:
        note = NO_PEER
    team = Team(cores)
    series = [Measured(games, count) for count in sorted({1, cores}) for games in BATCHES]
    peer_rates: list[float] = []
    for _ in range(repeats):
        for one in series:
            if peer is not None:
                peer_rates.append(peer.rate())
            one.rates.append(team.rate(one.games, one.cores))
            if peer is not None:
                one.ratios.append(one.rates[-1] / peer_rates[-1])
    team.close()
    table = full_table(1, TURNS)
    document = {
        "benchmark": "commons_speed",
        "machine": {"cores": cores, "python": platform.python_version(), "numpy": np.__version__},
        "game": {
            "seats": len(table.cast),
            "turns": TURNS,
            # A vote that can never exclude anybody is not worked out by the engine: say so beside the figure.
            "may_lobby": table.may_lobby,
            "may_exclude": table.may_exclude,
        },
        "repeats": repeats,
        "peer": None,
        "peer_note": note,
        "ours": [one.summary() for one in series],
        "help_seconds": help_seconds(),
    }
    if peer is not None:
        document["peer"] = {"peer": "axelrod", "version": peer.version, "cores": 1, **middle_and_best(peer_rates)}
        peer.close()
    return document


def help_seconds(times: int = 5) -> float | None:
    """How long `ostrom --help` takes in a fresh process: for information."""
    command = Path(sys.executable).parent / "ostrom"
    if not command.exists():
        return None
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        if subprocess.run([command, "--help"], capture_output=True, check=False).returncode != 0:
            return None
        taken.append(time.perf_counter() - started)
    return statistics.median(taken)


def show(document: dict[str, Any]) -> None:
    """The document as a table."""
    game, peer = document["game"], document["peer"]
    table = Table(title=f"Player-turns per second, {document['repeats']} runs each")
    for heading in ("", "games", "cores", "median", "best", "× peer"):
        table.add_column(heading, justify="left" if not heading else "right")
    rows = [("ostrom, NumPy", one) for one in document["ours"]]
    if peer is not None:
        rows.append((f"axelrod {peer['version']}", peer))
    for name, one in rows:
        rates = (f"{one[key] / 1e6:.2f} M" for key in ("player_turns_per_second", "best_player_turns_per_second"))
        ratio = one.get("times_the_peer")
        table.add_row(name, str(one.get("games", "")), str(one["cores"]), *rates, f"{ratio:.0f}" if ratio else "")
    console = Console()
    console.print(table)
    votes = "can exclude" if game["may_exclude"] else "are on but can exclude nobody here, so the engine skips them"
    console.print(f"ours: {game['seats']} champions, {game['turns']} turns, lobbying; votes {votes}", highlight=False)
    theirs = "axelrod: TitForTat against Random, 100 turns, no noise, always on one core; its runs alternate with ours"
    console.print(document["peer_note"] or theirs, highlight=False)
    if document["help_seconds"] is not None:
        console.print(f"ostrom --help: {document['help_seconds']:.2f} s in a fresh process", highlight=False)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON in place of the table")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    document = measure(options.repeats)
    if options.json:
        print(json.dumps(document))
    else:
        show(document)


if __name__ == "__main__":
    main()
