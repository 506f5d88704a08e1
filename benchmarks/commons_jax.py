"""The speed of the batch engine on JAX: all sixteen champions at one table, lobbying and voting on.

By default player-turns per second of the compiled game alone, of exactly 100 turns: compilation, and the transfer of
results, are left out. With --tournament a whole tournament, standings included, as the command line plays it; with
--sweep so many sets of rules as one grid. Both are timed after a first run that compiles."""

import argparse
import json
import statistics
import time
from typing import Any

import jax
import numpy as np

from ostrom.games.commons import COMMONS, CommonsRules
from ostrom.games.commons.players import CHAMPIONS
from ostrom.sim.batch import Batch
from ostrom.sim.jax_engine import prepare
from ostrom.sim.points import play_points
from ostrom.sim.tournament import tournament

TURNS = 100
ABOUT = {"device": str(jax.devices()[0]), "jax": jax.__version__}


def measure(games: int, *, single: bool, repeats: int) -> dict[str, Any]:
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
        **ABOUT,
        "precision": "float32" if single else "float64",
        "games": games,
        "millions_per_second": work / statistics.median(times) / 1e6,
        "best_millions_per_second": work / min(times) / 1e6,
        "first_call_seconds": compiling,
    }


def measure_tournament(games: int, repeats: int) -> dict[str, Any]:
    times, turns = [], 0
    for seed in range(repeats + 1):
        start = time.perf_counter()
        result = tournament(list(CHAMPIONS.values()), games=games, seed=seed, backend="jax")
        times.append(time.perf_counter() - start)
        turns = result.player_turns
    return {
        **ABOUT,
        "tournament_games": games,
        "player_turns": turns,
        "first_run_seconds": times[0],
        "seconds": statistics.median(times[1:]),
        "best_seconds": min(times[1:]),
        "first": result.standings[0].name,
    }


def measure_sweep(points: int, games: int) -> dict[str, Any]:
    """Redistribution by synergy, in double precision."""
    side = round(points**0.5)
    grid = [
        CommonsRules(alpha=alpha / (side - 1), synergy=1.2 + 1.8 * synergy / (side - 1))
        for alpha in range(side)
        for synergy in range(side)
    ]
    cast, seconds = list(CHAMPIONS.values()), []
    for part in (grid[: max(1, 131_072 // games)], grid):
        start = time.perf_counter()
        chunks = play_points(COMMONS, part, cast, [range(16)], games_each=games, seed=1, backend="jax")
        total = sum(float(chunk.result.finals.sum()) for chunk in chunks)
        seconds.append(time.perf_counter() - start)
    return {
        **ABOUT,
        "points": len(grid),
        "games_each": games,
        "first_run_seconds": seconds[0],
        "seconds": seconds[1],
        "mean_capital": total / (len(grid) * games * 16),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, nargs="*", default=[8192, 32768])
    parser.add_argument("--double", action="store_true", help="also in double precision")
    parser.add_argument("--repeats", type=int, default=7)
    parser.add_argument("--tournament", type=int, metavar="GAMES", help="a tournament of so many games")
    parser.add_argument("--sweep", type=int, nargs=2, metavar=("POINTS", "GAMES"), help="a grid, and games for each")
    options = parser.parse_args()
    for games in options.games:
        for single in (True, False) if options.double else (True,):
            print(json.dumps(measure(games, single=single, repeats=options.repeats)), flush=True)
    if options.tournament:
        print(json.dumps(measure_tournament(options.tournament, options.repeats)), flush=True)
    if options.sweep:
        print(json.dumps(measure_sweep(*options.sweep)), flush=True)


if __name__ == "__main__":
    main()
