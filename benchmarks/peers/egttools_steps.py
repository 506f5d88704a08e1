"""How fast EGTtools takes steps of a population, and what it finds out. Run by the peer's own Python, which knows
nothing of ours; the library is under the GPL, and no part of the product.

By itself this prints one line of JSON: steps a second by pairwise comparison of hawks and doves, and the fixation
probability of a hawk, which ours must equal."""

import argparse
import json
import statistics
import time
from importlib.metadata import version

import egttools as egt
import numpy as np

SIZE = 100
PAYOFFS = np.asarray([[-0.5, 2.0], [0.0, 0.0]])


def steps_a_second(evolver: "egt.numerical.PairwiseComparisonNumerical", steps: int) -> float:
    """Take so many steps, with mutations, so that it never comes to an end."""
    start = np.asarray([SIZE // 2, SIZE - SIZE // 2])
    started = time.perf_counter()
    evolver.run_with_mutation(steps, 1.0, 0.01, start)
    return steps / (time.perf_counter() - started)


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--steps", type=int, default=1_000_000)
    options = parser.parse_args()
    game = egt.games.Matrix2PlayerGameHolder(2, PAYOFFS)
    evolver = egt.numerical.PairwiseComparisonNumerical(SIZE, game, 1_000_000)
    exact = egt.analytical.PairwiseComparison(SIZE, game)
    rates = [steps_a_second(evolver, options.steps) for _ in range(options.repeats)]
    found = {"steps_per_second": statistics.median(rates)}
    found["fixation"] = exact.calculate_fixation_probability(0, 1, 1.0)
    print(json.dumps({"peer": "egttools", "version": version("egttools"), **found}))


if __name__ == "__main__":
    main()
