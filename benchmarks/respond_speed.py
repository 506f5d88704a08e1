"""How fast networks of a best response are tried and learn: candidates of the evolution strategy for a second, on NumPy
and on JAX, and steps of games from which policy gradients learn, updates included. A table of the Commons with four
champions and one seat to fill; compilation is told apart. JAX takes the device that it finds; JAX_PLATFORMS=cpu keeps
it to processors."""

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from typing import Any

import jax
import numpy as np

from ostrom.players import policy
from ostrom.players.roster import built_in_players
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.best_response import problem_of
from ostrom.sim.policy_gradient import HORIZON, Learner
from ostrom.sim.problem import TRAINING, Problem

TABLE = ["TitForTat", "Pavlov", "Parasite", "RandomPlayer"]
BASE = policy.PlayAs(player="TitForTat")
HIDDEN = 2


def timed(repeats: int, do: Callable[[], Any]) -> tuple[float, float]:
    """Seconds of the first call, and the median of those after it."""
    found = []
    for _ in range(repeats + 1):
        started = time.perf_counter()
        do()
        found.append(time.perf_counter() - started)
    return found[0], statistics.median(found[1:])


def on_numpy(problem: Problem, weights: Any, games: int) -> None:
    find = built_in_players(problem.game.name).__getitem__

    def entry(numbers: Any) -> StrategyEntry:
        told = tuple(float(number) for number in numbers)
        rule = policy.Corrected(base=BASE, hidden=HIDDEN, inputs=problem.inputs, outputs=problem.numbers, weights=told)
        return policy.entry_of_rule(rule, problem.game, find)

    problem.play([entry(one) for one in weights], TRAINING, games)


def measure(
    population: list[str], learners: list[int], updates: int, repeats: int, numpy: bool
) -> list[dict[str, Any]]:
    problem = problem_of(TABLE, game="commons", rules={"duration": 50}, seed=1)
    rows = built_in_players("commons")["TitForTat"].rows
    assert rows is not None
    learner, rates = Learner(problem, rows, problem.numbers, HIDDEN), []
    for text in population:
        count, games = (int(part) for part in text.split("x"))
        weights = 0.2 * np.random.default_rng(1).normal(size=(count, learner.shape[0] * learner.shape[1]))
        first, again = timed(repeats, lambda: learner.finals(weights, TRAINING, games))  # noqa: B023
        told = {"what": "candidates/s", "candidates": count, "games each": games}
        rates.append({**told, "on": "JAX", "rate": count / again, "compiled in s": first - again})
        if numpy:
            _, again = timed(1, lambda: on_numpy(problem, weights, games))  # noqa: B023
            rates.append({**told, "on": "NumPy, one core", "rate": count / again})
    for games in learners:
        first, again = timed(repeats, lambda: learner.learn(updates, games, 1))  # noqa: B023
        told = {"what": "learning steps/s", "games at once": games, "on": "JAX", "compiled in s": first - again}
        rates.append({**told, "rate": updates * games * HORIZON / again})
    return rates


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--population", nargs="*", default=["12x24", "1024x128"], help="candidates x games of each")
    parser.add_argument("--learners", nargs="*", type=int, default=[128, 16_384], help="games learned from at once")
    parser.add_argument("--updates", type=int, default=20)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--no-numpy", dest="numpy", action="store_false")
    told = parser.parse_args()
    machine = {"device": str(jax.devices()[0]), "cores": os.cpu_count(), "python": platform.python_version()}
    machine |= {"jax": jax.__version__, "load": os.getloadavg()[0]}
    rates = measure(told.population, told.learners, told.updates, told.repeats, told.numpy)
    print(json.dumps({"machine": machine, "rates": rates}, indent=1))


if __name__ == "__main__":
    main()
