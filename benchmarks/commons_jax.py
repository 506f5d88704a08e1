"""The speed of the batch engine on JAX: all sixteen champions at one table, lobbying and voting on, exactly 100 turns.

Player-turns per second of the compiled game alone: compilation, and the transfer of results, are left out.
"""

import argparse
import json
import statistics
import time

import jax
import numpy as np

from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.players import CHAMPIONS
from ostrom.sim.batch import Batch
from ostrom.sim.jax_engine import prepare

TURNS = 100


def measure(games: int, *, single: bool, repeats: int) -> dict[str, object]:
    entries = list(CHAMPIONS.values())
    seating = np.repeat(np.arange(len(entries))[:, None], games, axis=1)
    batch = Batch(COMMONS, CommonsRules(turns=TURNS), entries, seating, np.arange(games), 42)
    with jax.enable_x64(True):
        program, arguments = prepare(batch, single)
        start = time.perf_counter()
        jax.block_until_ready(program(*arguments))
        compiling = time.perf_counter() - start
        times = []
        for _ in range(repeats):
            start = time.perf_counter()
            jax.block_until_ready(program(*arguments))
            times.append(time.perf_counter() - start)
    work = games * len(entries) * TURNS
    return {
        "device": str(jax.devices()[0]),
        "jax": jax.__version__,
        "precision": "float32" if single else "float64",
        "games": games,
        "millions_per_second": work / statistics.median(times) / 1e6,
        "best_millions_per_second": work / min(times) / 1e6,
        "first_call_seconds": compiling,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="+", default=[8192, 32768])
    parser.add_argument("--double", action="store_true", help="also in double precision")
    parser.add_argument("--repeats", type=int, default=7)
    options = parser.parse_args()
    for games in options.games:
        for single in (True, False) if options.double else (True,):
            print(json.dumps(measure(games, single=single, repeats=options.repeats)), flush=True)


if __name__ == "__main__":
    main()
