"""How fast a million steps of a population are, beside the Axelrod library and EGTtools measured in the same run.

Ours: hawks and doves, a population of 100, mutations with probability 0.01; a thousand runs side by side take a
thousand steps each, by Moran's rule and by Fermi's. EGTtools takes the same million steps by pairwise comparison in
one run; Axelrod's Moran process as many as it can (its matches are kept, so that it plays none anew)."""

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

from ostrom.sim.equilibria import equilibria
from ostrom.sim.finite_populations import Process, fixation
from ostrom.sim.payoffs import PayoffTable
from ostrom.sim.simulated_populations import generator, simulate

ROOT = Path(__file__).resolve().parent.parent
PEERS = {
    "axelrod": (ROOT / ".venv-axelrod/bin/python", ROOT / "benchmarks/peers/axelrod_moran.py"),
    "egttools": (ROOT / ".venv-egttools/bin/python", ROOT / "benchmarks/peers/egttools_steps.py"),
}
HAWKS = PayoffTable.of_matrix(["hawk", "dove"], [[-0.5, 2], [0, 0]])
SIZE, RUNS, STEPS = 100, 1000, 1000


def steps_a_second(process: Process) -> float:
    """Take a million steps."""
    start = np.tile([SIZE // 2, SIZE - SIZE // 2], (RUNS, 1))
    started = time.perf_counter()
    simulate(HAWKS, start, STEPS, chance=generator(1), mutation=0.01, process=process, looks=10)
    return RUNS * STEPS / (time.perf_counter() - started)


def peer(name: str) -> dict[str, Any] | None:
    """What a peer measures of itself; nothing where it is not installed."""
    python, script = PEERS[name]
    if not python.exists():
        return None
    done = subprocess.run([python, script], capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def check_equilibria() -> int:
    """How many equilibria of random games nashpy finds; each must be among ours."""
    draw = np.random.default_rng(9)
    games = draw.random((30, 2, 3, 3))
    script = ROOT / "benchmarks/peers/nashpy_equilibria.py"
    given = f"{json.dumps(games.tolist())}\n"
    done = subprocess.run([PEERS["egttools"][0], script], input=given, capture_output=True, text=True, check=True)
    count = 0
    for (row, column), known in zip(games, json.loads(done.stdout), strict=True):
        own = [[*one.row, *one.column] for one in equilibria(row, column)]
        for x, y in known:
            count += 1
            if not any(np.allclose([*x, *y], one, atol=1e-6) for one in own):
                raise SystemExit(f"nashpy finds an equilibrium that ours do not have: {x}, {y}")
    return count


def main() -> None:
    """Measure ours and those of the peers that are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    own = {
        process: statistics.median(steps_a_second(process) for _ in range(options.repeats))
        for process in ("moran", "fermi")
    }
    peers = {name: found for name in PEERS if (found := peer(name)) is not None}
    if (egt := peers.get("egttools")) is not None:
        known = fixation(HAWKS, 0, 1, SIZE)
        if abs(egt["fixation"] - known) > 1e-9:
            raise SystemExit(f"the fixation probabilities differ: {egt['fixation']} and {known}")
        check_equilibria()
    machine = f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores"
    if options.json:
        told = {"benchmark": "evolution_speed", "machine": machine, "load": os.getloadavg()[0]}
        print(json.dumps({**told, "steps_per_second": own, "peers": peers}))
        return
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    for process, rate in own.items():
        print(f"ostrom, {process}: {rate / 1e6:.1f} million steps/s")
    for name in PEERS:
        if name not in peers:
            print(f"{name}: not there to compare with; `make bench` puts it in .venv-{name}")
            continue
        rate = peers[name]["steps_per_second"]
        versus = own["moran" if name == "axelrod" else "fermi"] / rate
        print(f"{name} {peers[name]['version']}: {rate:,.0f} steps/s; ours are {versus:,.1f} times as fast")


if __name__ == "__main__":
    main()
