"""How fast the Axelrod library takes steps of a Moran process. Run by the peer's own Python, which knows nothing of us.

By itself this prints one line of JSON: steps a second of a population of 20 with cooperators and defectors, matches of
one turn, which the library plays once and then keeps, and mutations, so that it never comes to an end."""

import argparse
import json
import statistics
import time

import axelrod

SIZE = 20


def steps_a_second(steps: int) -> float:
    """Take so many steps."""
    players = [axelrod.Cooperator() if k % 2 else axelrod.Defector() for k in range(SIZE)]
    process = axelrod.MoranProcess(players, turns=1, mutation_rate=0.01, stop_on_fixation=False, seed=1)
    next(process)
    started = time.perf_counter()
    for _ in range(steps):
        next(process)
    return steps / (time.perf_counter() - started)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--steps", type=int, default=200)
    options = parser.parse_args()
    rates = [steps_a_second(options.steps) for _ in range(options.repeats)]
    print(json.dumps({"peer": "axelrod", "version": axelrod.__version__, "steps_per_second": statistics.median(rates)}))


if __name__ == "__main__":
    main()
