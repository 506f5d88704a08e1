"""How fast a round robin of 60 deterministic strategies of the repeated prisoner's dilemma is, beside the Axelrod
library measured in the same run: each of ours comes right after one of the peer's, and ratios are taken within such a
pair.

The strategies are automata of 2 to 12 states drawn from a seed. Every match is 200 turns, each strategy also meets
itself, and the points of all matches must be the peer's."""

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np

from ostrom.games.repeated.machines import Machine, reactive_machine, round_robin
from ostrom.games.repeated.matrices import NAMED

ROOT = Path(__file__).resolve().parent.parent
PEER_PYTHON = ROOT / ".venv-axelrod/bin/python"
PEER_SCRIPT = ROOT / "benchmarks/peers/axelrod_tournament.py"
NO_PEER = "the peer, Axelrod, is not there to compare with: `make bench` puts it in .venv-axelrod"
TURNS, STRATEGIES = 200, 60
DILEMMA = NAMED["prisoners-dilemma"]


def drawn(seed: int = 1) -> list[dict[str, list[int]]]:
    """So many automata."""
    draw = np.random.default_rng(seed)
    sizes = draw.integers(2, 13, STRATEGIES).tolist()
    return [
        {
            "plays": draw.integers(0, 2, size).tolist(),
            "after_c": draw.integers(0, size, size).tolist(),
            "after_d": draw.integers(0, size, size).tolist(),
        }
        for size in sizes
    ]


def ours(machines: list[Machine]) -> tuple[float, np.ndarray]:
    """The seconds that it takes, and the points."""
    started = time.perf_counter()
    points = round_robin(machines, DILEMMA, TURNS)
    return time.perf_counter() - started, points


def measure(repeats: int) -> dict[str, Any]:
    """Ours and the peer's, one after the other."""
    described = drawn()
    machines = [reactive_machine(**{name: one[name] for name in ("plays", "after_c", "after_d")}) for one in described]
    peer = subprocess.Popen([PEER_PYTHON, PEER_SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert peer.stdin is not None
    assert peer.stdout is not None

    def ask(line: str) -> Any:
        peer.stdin.write(f"{line}\n")  # type: ignore[union-attr]
        peer.stdin.flush()  # type: ignore[union-attr]
        return json.loads(peer.stdout.readline())  # type: ignore[union-attr]

    who = ask(json.dumps(described))
    ours(machines)  # the warm-up
    pairs = []
    for _ in range(repeats):
        theirs = ask("")
        seconds, points = ours(machines)
        if points.tolist() != theirs["points"]:
            raise SystemExit("the points are not the peer's")
        pairs.append((theirs["whole"], theirs["played"], seconds))
    peer.communicate()
    whole, played, own = (statistics.median(column) for column in zip(*pairs, strict=True))
    return {
        "benchmark": "repeated_tournament",
        "machine": f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores",
        "load": os.getloadavg()[0],
        "peer": f"axelrod {who['version']}",
        "strategies": STRATEGIES,
        "turns": TURNS,
        "peer_seconds": whole,
        "peer_seconds_without_analysis": played,
        "seconds": own,
        "ratio": statistics.median(one / three for one, _, three in pairs),
        "ratio_without_analysis": statistics.median(two / three for _, two, three in pairs),
    }


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if not PEER_PYTHON.exists():
        raise SystemExit(NO_PEER)
    found = measure(options.repeats)
    if options.json:
        print(json.dumps(found))
        return
    print(f"{STRATEGIES} strategies, each against each, {TURNS} turns; {found['machine']}, load {found['load']:.1f}")
    print(
        f"  {found['peer']}: {found['peer_seconds']:.2f} s; {found['peer_seconds_without_analysis']:.2f} s played alone"
    )
    print(f"  ours: {1000 * found['seconds']:.1f} ms, {found['ratio']:.0f} times as fast")
    print(f"  ({found['ratio_without_analysis']:.0f} times the matches alone); all points agree")


if __name__ == "__main__":
    main()
