"""Runs a harness over the catalogue of scenarios: a function of yours, or a command, once for each, against a provider
that does what the scenario says; and what the provider charged meanwhile. ::

    python -m ostrom.testing.provider.harness --only 'usage_*' -- my-harness --url {base_url} --model {model}

A command also finds both in OSTROM_TEST_URL and OSTROM_TEST_MODEL."""

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
class Tried:
    """What became of one scenario."""

    scenario: Scenario
    outcome: Any
    """What the harness returned, or the exception that it raised."""
    requests: int
    """How often the harness asked."""
    input_tokens: int
    """Tokens that the provider charged for."""
    output_tokens: int
    seconds: float

    @property
    def failed(self) -> bool:
        return isinstance(self.outcome, Exception)


def chosen(patterns: Iterable[str] = ()) -> list[Scenario]:
    """The scenarios whose names fit one of these patterns; without any, all."""
    wanted = list(patterns) or ["*"]
    found = [one for name, one in CATALOGUE.items() if any(fnmatch.fnmatch(name, each) for each in wanted)]
    if not found:
        raise InputError(f"no scenario is called {' or '.join(wanted)}; --list lists them")
    return found


def try_all(harness: Callable[[str, str], Any], only: Iterable[str] = (), **settings: Any) -> Iterator[Tried]:
    """Call `harness(base_url, model)` for one scenario after the other, and see what it did. `settings` are those of
    the provider."""
    with Provider(**{"catalogue": True, "trickle": 0.01, **settings}) as provider:
        for scenario in chosen(only):
            began = time.perf_counter()
            try:
                outcome = harness(provider.base_url, scenario.name)
            except Exception as error:
                outcome = error
            account = provider.account()["models"].get(scenario.name, {})
            bill = account.get("charged", {})
            tokens = (bill.get("input_tokens", 0), bill.get("output_tokens", 0))
            yield Tried(scenario, outcome, account.get("requests", 0), *tokens, time.perf_counter() - began)


def command_harness(command: Sequence[str], timeout: float) -> Callable[[str, str], int]:
    """A harness that runs a command; its exit status."""

    def harness(base_url: str, model: str) -> int:
        words = [word.replace("{base_url}", base_url).replace("{model}", model) for word in command]
        named = {**os.environ, "OSTROM_TEST_URL": base_url, "OSTROM_TEST_MODEL": model}
        return subprocess.run(words, env=named, timeout=timeout, check=False).returncode

    return harness


def main(arguments: Sequence[str] | None = None) -> int:
    """Try a command on every scenario; 1 where it failed on one."""
    parser = argparse.ArgumentParser(prog="python -m ostrom.testing.provider.harness", description=__doc__)
    parser.add_argument("--only", action="append", default=[], metavar="PATTERN", help="scenarios by name; repeatable")
    parser.add_argument("--timeout", type=float, default=60.0, help="seconds that the command may take for each")
    parser.add_argument("--list", action="store_true", help="list the scenarios, and end")
    parser.add_argument("command", nargs="*", help="with {base_url} and {model} in it")
    options = parser.parse_args(arguments)
    try:
        if options.list:
            for scenario in chosen(options.only):
                print(f"{scenario.name:<22}charges {scenario.charges:<9}{scenario.what}")
            return 0
        if not options.command:
            parser.error("name a command, after --")
        failed = 0
        for tried in try_all(command_harness(options.command, options.timeout), options.only):
            bad = tried.failed or tried.outcome != 0
            failed += bad
            print(
                f"{'FAILED' if bad else 'ok':<8}{tried.scenario.name:<22}{tried.requests:>5} requests"
                f"{tried.input_tokens + tried.output_tokens:>12,} tokens charged{tried.seconds:>8.1f} s"
                f"{f'  {tried.outcome}' if bad else ''}",
                flush=True,
            )
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
