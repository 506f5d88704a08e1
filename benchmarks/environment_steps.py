"""How many steps a second our environments of pure functions take, beside gymnax's in the same run, by the method that
gymnax publishes: 2,000 environments at once under vmap, random actions, a million steps under lax.scan, all compiled;
compilation is not counted. A step of ours is a phase of a turn of a whole table: the other seats decide too."""

import argparse
import json
import os
import platform
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any

import jax
from jax import lax

from ostrom.environments import jax_env

ROOT = Path(__file__).resolve().parent.parent
PEER = ROOT / ".venv-gymnax/bin/python", ROOT / "benchmarks/peers/gymnax_steps.py"
TABLES: dict[str, dict[str, Any]] = {
    "commons, 2 seats": {"game": "commons", "opponents": ["TitForTat"], "fields": ["contribution"]},
    "commons, 5 seats": {
        "game": "commons",
        "opponents": ["TitForTat", "Pavlov", "Parasite", "RandomPlayer"],
        "fields": ["contribution"],
    },
    "repeated": {"game": "repeated", "opponents": ["TitForTat"]},
    "contribute_punish, 5 seats": {"game": "contribute_punish", "opponents": ["ConditionalCooperator", "Retaliator:3"]},
}


def measure(table: dict[str, Any], environments: int, steps: int, repeats: int) -> float:
    env = jax_env(**table)
    size = len(env.fields)

    @jax.jit
    def roll(key: Any) -> Any:
        def one_step(state: Any, key: Any) -> Any:
            action_key, step_key = jax.random.split(key)
            actions = jax.random.uniform(action_key, (environments, size))
            _, state, reward, _, _ = jax.vmap(env.step)(jax.random.split(step_key, environments), state, actions)
            return state, reward.sum()

        _, state = jax.vmap(env.reset)(jax.random.split(key, environments))
        return lax.scan(one_step, state, jax.random.split(key, steps))[1]

    roll(jax.random.key(0)).block_until_ready()
    found = []
    for number in range(repeats):
        started = time.perf_counter()
        roll(jax.random.key(number)).block_until_ready()
        found.append(environments * steps / (time.perf_counter() - started))
    return statistics.median(found)


def peer(told: dict[str, int]) -> dict[str, Any] | None:
    """What gymnax measures; nothing where it is not installed."""
    python, script = PEER
    if not python.exists():
        return None
    given = f"{json.dumps(told)}\n"
    done = subprocess.run([python, script], input=given, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--environments", type=int, default=2000)
    parser.add_argument("--steps", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    told = {"environments": options.environments, "steps": options.steps, "repeats": options.repeats}
    theirs = peer(told)
    ours = {name: measure(table, **told) for name, table in TABLES.items()}
    load, machine = os.getloadavg()[0], platform.processor() or platform.machine()
    about = {"load": load, "machine": machine, "device": jax.devices()[0].device_kind, **told}
    if options.json:
        print(json.dumps({"benchmark": "environment_steps", "ours": ours, "gymnax": theirs, **about}))
        return
    print(f"steps a second, {options.environments:,} environments at once; {about['device']}, load {load:.1f}")
    for name, rate in ours.items():
        print(f"  ours    {name:<28}{rate:>14,.0f}")
    for name, rate in (theirs or {"steps": {}})["steps"].items():
        print(f"  gymnax  {name:<28}{rate:>14,.0f}")
    if theirs is None:
        print("  gymnax is not installed: make .venv-gymnax/.installed")


if __name__ == "__main__":
    main()
