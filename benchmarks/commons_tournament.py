"""How fast a tournament of the Commons is, as the command line plays it, beside its engine and beside the engine of the
first version and Axelrod's match, in one run: all sixteen champions at one table, and every table of four.

A player-turn is one decision by one player. Rates are by the wall clock and by processor time, since other work on the
machine slows the first and hardly the second; each is the best of its runs, which take turns."""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.players.roster import choose
from ostrom.sim.plan import Backend, Plan
from ostrom.sim.tournament import Schedule, tournament

ROOT = Path(__file__).resolve().parent.parent
PEER = [ROOT / ".venv-axelrod/bin/python", ROOT / "benchmarks/peers/axelrod_match.py"]
TABLES: dict[str, tuple[int, int | None]] = {"sixteen": (20_000, None), "fours": (50, 4)}
"""Games at every table, and the size of tables."""
FIRST = """
import json, time
import numpy as np
from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.players.roster import choose
from ostrom.sim.batch import Batch
from ostrom.sim.numpy_engine import play_batch
cast, games = choose(), 8192
seating = np.repeat(np.arange(len(cast))[:, None], games, axis=1)
batch = Batch(COMMONS, CommonsRules(turns=100), cast, seating, np.arange(games), 42)
wall, used = time.perf_counter(), time.process_time()
turns = play_batch(batch).player_turns
print(json.dumps([turns, time.perf_counter() - wall, time.process_time() - used]))
"""
"""The engine of a checkout, on one core."""


def engine(name: str, backend: Backend, workers: int) -> int:
    """Play all games of a tournament and look at nothing; how many decisions were made."""
    games, size = TABLES[name]
    plan = Plan(COMMONS.name, (CommonsRules(),), Schedule(tuple(choose()), games, size), 42, backend)
    return sum(result.player_turns for _, _, result in plan.play(workers=workers))


def whole(name: str, workers: int) -> int:
    """A tournament with its standings."""
    games, size = TABLES[name]
    return tournament(choose(), games=games, group_size=size, seed=42, workers=workers).player_turns


def timed(play: Callable[[], int]) -> list[float]:
    wall, used = time.perf_counter(), time.process_time()
    turns = play()
    return [turns, time.perf_counter() - wall, time.process_time() - used]


def of_checkout(source: Path) -> list[float]:
    environment = {**os.environ, "PYTHONPATH": str(source), "OMP_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, "-c", FIRST], env=environment, capture_output=True, text=True, check=True)
    found: list[float] = json.loads(done.stdout)
    return found


def of_peer() -> float:
    """Player-turns per second of Axelrod's match, on one core."""
    done = subprocess.run(PEER, capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout.splitlines()[-1])["player_turns_per_second"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=Path, help="the folder src of a checkout of the first version")
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    cores = len(os.sched_getaffinity(0))
    runs: dict[str, Callable[[], list[float]]] = {}
    if options.first:
        runs["first version's engine, sixteen, one core"] = lambda: of_checkout(options.first.resolve())
    for name in TABLES:
        for workers in sorted({1, cores}):
            where = f"{name}, {workers} core{'s' if workers > 1 else ''}"
            runs[f"engine, {where}"] = lambda n=name, w=workers: timed(lambda: engine(n, "compiled", w))
            runs[f"tournament, {where}"] = lambda n=name, w=workers: timed(lambda: whole(n, w))
    kept: dict[str, list[list[float]]] = {name: [] for name in runs}
    engine("fours", "compiled", 1)  # compile, or load what was compiled
    matches = []
    for _ in range(options.repeats):
        if PEER[0].exists():  # `make bench` puts it there
            matches.append(of_peer())
        for name, play in runs.items():
            kept[name].append(play())
    if matches:
        print(json.dumps({"what": "Axelrod's match, one core", "million_per_second": round(max(matches) / 1e6, 3)}))
    for name, found in kept.items():
        rates: dict[str, Any] = {
            "what": name,
            "million_per_second": round(max(turns / wall for turns, wall, _ in found) / 1e6, 1),
            "million_per_processor_second": round(max(turns / used for turns, _, used in found) / 1e6, 1),
        }
        if matches:  # the best of each: other work only ever slows a run down
            rates["times_axelrod"] = round(max(turns / wall for turns, wall, _ in found) / max(matches))
        print(json.dumps(rates), flush=True)


if __name__ == "__main__":
    main()
