"""Run a client with each scenario of the catalogue. Your function or command is called once for each scenario, and each
result has the number of requests and the tokens that the provider charged. ::

    python -m ostrom.testing.provider.harness --only 'usage_*' -- my-harness --url {base_url} --model {model}

Both are also in OSTROM_TEST_URL and OSTROM_TEST_MODEL."""

import argparse
import fnmatch
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.core import InputError
from ostrom.testing.provider.catalogue import CATALOGUE
from ostrom.testing.provider.delivery import Scenario
from ostrom.testing.provider.service import Provider


@dataclass(frozen=True)
class ScenarioResult:
    """The result of one scenario."""

    scenario: Scenario
    outcome: Any
    """The value that the harness returned, or the exception that it raised."""
    requests: int
    """The number of requests that the harness sent."""
    input_tokens: int
    """The number of input tokens that the provider charged."""
    output_tokens: int
    seconds: float

    @property
    def failed(self) -> bool:
        return isinstance(self.outcome, Exception)


def select_scenarios(patterns: Iterable[str] = ()) -> list[Scenario]:
    """Return the scenarios whose names match one of these patterns; by default, return all scenarios. Raise
    `InputError` if there are none."""
    globs = list(patterns) or ["*"]
    names = [name for name in CATALOGUE if any(fnmatch.fnmatch(name, glob) for glob in globs)]
    selection = [CATALOGUE[name] for name in names]
    if not selection:
        raise InputError(f"no scenario is called {' or '.join(globs)}; --list lists them")
    return selection


def try_all(harness: Callable[[str, str], Any], only: Iterable[str] = (), **settings: Any) -> Iterator[ScenarioResult]:
    """Call `harness(base_url, model)` for each scenario and yield its result. `settings` are settings of the
    provider."""
    with Provider(**{"catalogue": True, "trickle": 0.01, **settings}) as provider:
        for scenario in select_scenarios(only):
            began = time.perf_counter()
            try:
                outcome = harness(provider.base_url, scenario.name)
            except Exception as error:
                outcome = error
            account = provider.account()["models"].get(scenario.name, {})
            bill = account.get("charged", {})
            tokens = (bill.get("input_tokens", 0), bill.get("output_tokens", 0))
            yield ScenarioResult(scenario, outcome, account.get("requests", 0), *tokens, time.perf_counter() - began)


def command_harness(command: Sequence[str], timeout: float) -> Callable[[str, str], int]:
    """Return a harness that runs a command and returns its exit status."""

    def harness(base_url: str, model: str) -> int:
        words = [word.replace("{base_url}", base_url).replace("{model}", model) for word in command]
        environment = {**os.environ, "OSTROM_TEST_URL": base_url, "OSTROM_TEST_MODEL": model}
        return subprocess.run(words, env=environment, timeout=timeout, check=False).returncode

    return harness


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command on every scenario. Return 1 if it failed on a scenario, and 2 if the options are invalid."""
    parser = argparse.ArgumentParser(prog="python -m ostrom.testing.provider.harness", description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="scenarios by name; repeatable")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds that the command may take for each")
    parser.add_argument("--list", action="store_true", help="list the scenarios and exit")
    parser.add_argument("command", nargs="*", help="with {base_url} and {model} in it")
    options = parser.parse_args(arguments)
    try:
        if options.list:
            for scenario in select_scenarios(options.only):
                print(f"{scenario.name:<22}charges {scenario.charges:<9}{scenario.what}")
            return 0
        if not options.command:
            parser.error("name a command, after --")
        failed = 0
        for result in try_all(command_harness(options.command, options.timeout), options.only):
            bad = result.failed or result.outcome != 0
            failed += bad
            print(
                f"{'FAILED' if bad else 'ok':<8}{result.scenario.name:<22}{result.requests:>5} requests"
                f"{result.input_tokens + result.output_tokens:>12,} tokens charged{result.seconds:>8.1f} s"
                f"{f'  {result.outcome}' if bad else ''}",
                flush=True,
            )
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
