"""How many steps a second gymnax's environments take, by the method that it publishes: environments at once under vmap,
random actions, steps under lax.scan, all compiled. Run by the peer's own Python, which knows nothing of ours.

Reads one line of JSON (environments, steps, repeats), and prints one with the steps a second of each environment."""

import json
import statistics
import sys
import time
from importlib.metadata import version

import gymnax
import jax

NAMES = ("CartPole-v1", "Pendulum-v1")


def measure(name: str, environments: int, steps: int, repeats: int) -> float:
    env, params = gymnax.make(name)

    @jax.jit
    def roll(key):
        def one_step(state, key):
            action_key, step_key = jax.random.split(key)
            actions = jax.vmap(env.action_space(params).sample)(jax.random.split(action_key, environments))
            keys = jax.random.split(step_key, environments)
            _, state, reward, *_ = jax.vmap(env.step, (0, 0, 0, None))(keys, state, actions, params)
            return state, reward.sum()

        _, state = jax.vmap(env.reset, (0, None))(jax.random.split(key, environments), params)
        return jax.lax.scan(one_step, state, jax.random.split(key, steps))[1]

    roll(jax.random.key(0)).block_until_ready()
    found = []
    for number in range(repeats):
        started = time.perf_counter()
        roll(jax.random.key(number)).block_until_ready()
        found.append(environments * steps / (time.perf_counter() - started))
    return statistics.median(found)


def main() -> None:
    told = json.loads(sys.stdin.readline())
    steps = {name: measure(name, **told) for name in NAMES}
    print(json.dumps({"version": version("gymnax"), "jax": jax.__version__, "steps": steps}))


if __name__ == "__main__":
    main()
