"""Kill −9 in every phase of batches: experiments that go out in batches, to providers whose batch APIs fail at every
step, are killed again and again and resumed each time. Each must end as one of single calls that nothing disturbed,
with nothing lost, nothing paid twice, and no more spent than its budget. A command: ::

    python tests/system/kill_batches.py --kills 200 --store sqlite:////tmp/batches.db

Without --interfaces, the experiments use in turn all interfaces whose client libraries are installed."""

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from itertools import count, cycle
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # where it is run as a command

import scipy.optimize  # noqa: F401  # Imported once, and not in each process that is killed.
from sqlalchemy import create_engine, text

from ostrom.core.plugins import GAMES
from ostrom.experiment import open_batches
from ostrom.experiment.limits import Limits, Pacing
from ostrom.experiment.plan import benchmark
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct, enter
from ostrom.journal import ledger
from ostrom.journal.engine import locate
from ostrom.journal.rows import CLOSED
from ostrom.journal.sql import Journal
from ostrom.players.models.batch_apis import BATCH_APIS
from ostrom.players.models.bots import Bot, Price
from ostrom.players.models.connection import connect
from ostrom.players.roster import ModelContestant
from ostrom.testing.provider.faults import BATCH_FAULTS
from provider_process import ProviderProcess, provider_process

GAMES_AT_ONCE, SEATS = 3, 3
BUDGET = 50.0
BATCH_PRICE = 0.5
DEADLINE_S = 0.15
FAULTS = dict.fromkeys(BATCH_FAULTS, 0.06) | {"failed": 0.01}
LINE_FAULTS = {"429": 0.02, "500": 0.02, "503": 0.02}
"""Faults of single calls after which the same prompt is asked again, so that the answer is the same."""
MAX_RUNS = 50
"""The number of runs without a kill after which an experiment counts as one that never ends."""


@dataclass(frozen=True)
class Interface:
    """A provider's interface, and how its client library is pointed at the provider for tests."""

    prefix: str
    """The beginning of the names of its models."""
    library: str
    creation: tuple[str, str, str]
    """The module, the class and the method of the client library that create a batch."""
    root_variable: str | None = None
    """The environment variable with the address of the provider."""
    root_path: str = ""


INTERFACES = {
    "openai": Interface("", "openai", ("openai.resources.batches", "AsyncBatches", "create")),
    "anthropic": Interface(
        "anthropic:", "anthropic", ("anthropic.resources.messages.batches", "AsyncBatches", "create"),
        "ANTHROPIC_BASE_URL",
    ),
    "google": Interface(
        "google:", "google.genai", ("google.genai.batches", "AsyncBatches", "create"), "GOOGLE_GEMINI_BASE_URL",
        "/google",
    ),
    "mistral": Interface("mistral:", "mistralai", ("mistralai.client.jobs", "Jobs", "create_async")),
}  # fmt: skip


def installed() -> list[str]:
    """Return the interfaces whose client libraries are installed."""
    return [name for name, interface in INTERFACES.items() if _is_installed(interface.library)]


def _is_installed(library: str) -> bool:
    try:
        return find_spec(library) is not None
    except ModuleNotFoundError:  # its parent
        return False


def _closes(self: Any, batch: Any, sent: Sequence[Any] = ()) -> bool:
    return bool(batch.state == CLOSED)


def _phases(name: str) -> dict[str, tuple[Any, str, Callable[..., bool], bool]]:
    """Return the phases: the object and the method, the condition on its arguments, and whether the kill comes after
    it."""

    def always(*_: Any, **__: Any) -> bool:
        return True

    module, owner, method = INTERFACES[name].creation
    library: Any = getattr(import_module(module), owner)
    api: Any = BATCH_APIS[name]
    return {
        "before a batch is stored": (ledger.Ledgers, "keep_batch", lambda self, batch, sent=(): bool(sent), False),
        "after a batch is stored": (ledger.Ledgers, "keep_batch", lambda self, batch, sent=(): bool(sent), True),
        "before it is uploaded": (api, "create", always, False),
        "before it is created": (library, method, always, False),
        "after it is created": (library, method, always, True),
        "after its name is stored": (ledger.Ledgers, "keep_batch", lambda self, batch, sent=(): bool(batch.name), True),
        "while it is sought": (api, "find", always, True),
        "while it is polled": (api, "look", always, True),
        "after it is cancelled": (api, "cancel", always, True),
        "before its results are read": (api, "results", always, False),
        "after its results are read": (api, "results", always, True),
        "before an answer is stored": (ledger.Ledger, "keep_decision", always, False),
        "after an answer is stored": (ledger.Ledger, "keep_decision", always, True),
        "before a batch is closed": (ledger.Ledgers, "keep_batch", _closes, False),
    }


@dataclass
class BatchKilling:
    """Experiments under fire, one after the other, in one journal."""

    provider: ProviderProcess
    store: str
    seed: int = 1
    interfaces: Sequence[str] = ("openai",)
    kills: Counter[str] = field(default_factory=Counter)
    """By phase."""
    kills_of: Counter[str] = field(default_factory=Counter)
    """By interface."""
    stopped: int = 0
    """The number of times that a small budget stopped an experiment."""

    def run(self, kills: int) -> Counter[str]:
        """Kill `kills` times; return the kills by phase."""
        open_batches._UNSURE_S = 0.5  # The provider for tests lists a batch at once.
        draw = random.Random(self.seed)
        for number, interface in zip(count(1), cycle(self.interfaces)):
            self._point_at_provider()
            charged = self._dollars(batch=1.0)
            # With one model for all seats, all open questions go out in one batch.
            models = 1 if draw.random() < 0.7 else SEATS
            expected = self._run(self._enter(number, interface, models, Limits()))
            small = 0.4 * (self._dollars(batch=1.0) - charged)
            before = self._charged(), self._dollars()
            limits = Limits(
                batch=True,
                budget=small if draw.random() < 0.5 else BUDGET,
                deadline=DEADLINE_S / 3600 if draw.random() < 0.3 else None,
            )
            experiment = self._enter(number, interface, models, limits)
            self._play(experiment, interface, kills, draw, before[1])
            self._check(experiment, expected, self._charged() - before[0], self._dollars() - before[1])
            print(f"experiment {number} ({interface}): {self.kills.total()} kills", flush=True)
            if self.kills.total() >= kills:
                return self.kills
        raise AssertionError("unreachable")

    def _play(self, experiment: str, interface: str, kills: int, draw: random.Random, spent_before: float) -> None:
        """Play an experiment to its end, with kills until there are enough."""
        phases = [*_phases(interface), "at any time"]
        undisturbed = 0
        while not self._over(experiment):
            phase = draw.choice(phases) if self.kills.total() < kills else None
            if self._killed(experiment, interface, phase, draw):
                self.kills[str(phase)] += 1
                self.kills_of[interface] += 1
                continue
            undisturbed += 1
            assert undisturbed <= MAX_RUNS, f"the experiment {experiment} does not end"
            budget = self._limits.budget or 0.0
            assert self._dollars() - spent_before <= budget
            if budget < BUDGET and not self._over(experiment):
                self.stopped += 1
                self._limits = self._limits.model_copy(update={"budget": BUDGET})

    def _point_at_provider(self) -> None:
        root = self.provider.base_url.removesuffix("/v1")
        for name in self.interfaces:
            interface = INTERFACES[name]
            os.environ[f"{name.upper()}_API_KEY"] = "no-key"
            if interface.root_variable is not None:
                os.environ[interface.root_variable] = root + interface.root_path
        if "mistral" in self.interfaces:  # Its library has no variable for the address.
            import_module("mistralai.client.sdkconfiguration").SERVERS["global"] = root

    def _enter(self, number: int, interface: str, models: int, limits: Limits) -> str:
        bots = [
            Bot(
                name=name,
                model=f"{INTERFACES[interface].prefix}model-{place % models}",
                base_url=self.provider.base_url if interface == "openai" else None,
                price=Price(input=1, output=1, batch=BATCH_PRICE),
                max_tokens=200,
                form="prompted",
            )
            for place, name in enumerate(("ash", "bay", "cob"))
        ]
        for bot in bots:
            connect(bot)  # The client libraries are imported once, and not in each process that is killed.
        game = GAMES["contribute_punish"]
        planned = benchmark(
            game, [ModelContestant(bot, game.name) for bot in bots], game.rules(rounds=1), GAMES_AT_ONCE, SEATS, number
        )
        self._planned = planned
        self._limits = limits.model_copy(update={"retries": 50, "pause_at_defaults": 1, "attempts": 5})
        with Journal.open(self.store, create=True) as journal:
            return enter(planned, journal, "test")

    def _run(self, experiment: str) -> dict[str, str]:
        """Play an experiment of single calls to its end; return the digest of its decisions by game."""
        for _ in range(MAX_RUNS):
            if self._over(experiment):
                break
            assert not self._killed(experiment, "openai", None, random.Random(0))
        return self._decisions(experiment)

    def _killed(self, experiment: str, interface: str, phase: str | None, draw: random.Random) -> bool:
        """Play in another process, which is killed in a phase; return whether it was."""
        nth = draw.randint(1, 30) if phase and "answer" in phase else draw.randint(1, 3)
        seconds = draw.uniform(0.05, 4)
        child = os.fork()
        if child == 0:
            try:
                if phase == "at any time":
                    threading.Timer(seconds, _die).start()
                elif phase is not None:
                    _kill_in(*_phases(interface)[phase], nth)
                with Journal.open(self.store) as journal:
                    how = Conduct(self._limits, pacing=Pacing(first_wait=0.05, longest_wait=0.2, first_pause=0.1))
                    asyncio.run(conduct(self._planned.fixtures(), journal, experiment, how))
                os._exit(0)
            except BaseException:
                import traceback

                traceback.print_exc()
                os._exit(1)
        _, status = os.waitpid(child, 0)
        assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "the run failed"
        return os.WIFSIGNALED(status)

    def _over(self, experiment: str) -> bool:
        return self._value(experiment, "count(*)", "games", "games.state = 'finished'") == GAMES_AT_ONCE

    def _value(self, experiment: str, columns: str, table: str, condition: str = "true") -> Any:
        joined = table if table == "games" else f"{table} JOIN games ON {table}.game = games.serial"
        own = "games.experiment = (SELECT serial FROM experiments WHERE id = :id)"
        return self._rows(f"SELECT {columns} FROM {joined} WHERE {own} AND {condition}", id=experiment)[0][0]

    def _rows(self, query: str, **values: Any) -> Sequence[Any]:
        engine = create_engine(locate(self.store).url)
        try:
            with engine.connect() as connection:
                return connection.execute(text(query), values).all()
        finally:
            engine.dispose()

    def _decisions(self, experiment: str) -> dict[str, str]:
        query = "SELECT key, decisions FROM games WHERE experiment = (SELECT serial FROM experiments WHERE id = :id)"
        return {row[0]: row[1] for row in self._rows(query, id=experiment)}

    def _charged(self) -> int:
        return int(self.provider.account()["charged"]["calls"])

    def _dollars(self, batch: float = BATCH_PRICE) -> float:
        """Return the provider's bill, with this price of batches as a share of that of single calls."""
        account = self.provider.account()
        tokens = {name: sum(account[name][kind] for kind in ("input_tokens", "output_tokens")) for name in _BILLS}
        return (tokens["charged"] - (1 - batch) * tokens["batched"]) / 1_000_000

    def _check(self, experiment: str, expected: dict[str, str], charged: int, dollars: float) -> None:
        """Compare with the run of single calls, and with the provider's account."""
        assert self._decisions(experiment) == expected
        assert self._value(experiment, "count(*)", "sent_calls", "sent_calls.batch IS NOT NULL") == 0
        # Single calls are sent after a deadline; those that a kill cut off count at their maximum.
        lost = self._value(experiment, "count(*)", "sent_calls")
        decided = self._value(experiment, "count(*)", "answers")
        defaulted = self._value(experiment, "count(*)", "answers", "provenance = 'defaulted'")
        dropped = self._value(experiment, "count(*)", "calls", "calls.fault = 'dropped'")
        assert defaulted == 0
        # The provider charged each decision once, and each result that it lost.
        assert decided <= charged <= decided + dropped + lost, (decided, charged, dropped, lost)
        with Journal.open(self.store) as journal:
            assert not any(row.batches for row in journal.experiments())
            spending = journal.spending(experiment)
            assert dollars <= spending.dollars + 1e-9 <= BUDGET, (dollars, spending.dollars)
            assert spending.calls + lost >= charged


_BILLS = ("charged", "batched")


def _kill_in(owner: Any, name: str, applies: Callable[..., bool], after: bool, nth: int) -> None:
    """Let this process die in a phase, at its nth time."""
    original, times = getattr(owner, name), Counter[str]()

    async def method(*arguments: Any, **options: Any) -> Any:
        mine = applies(*arguments, **options)
        times["calls"] += mine
        if mine and times["calls"] >= nth and not after:
            _die()
        result = await original(*arguments, **options)
        if mine and times["calls"] >= nth:
            _die()
        return result

    setattr(owner, name, method)


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def provider_options(seed: int) -> list[object]:
    """Return the options of a provider whose batch API fails at every step."""
    batch_faults = [part for name, share in FAULTS.items() for part in ("--batch-fault", f"{name}={share}")]
    faults = [part for name, share in LINE_FAULTS.items() for part in ("--fault", f"{name}={share}")]
    return ["--batch-delay", 0.3, "--retry-after", 0.1, "--seed", seed, *batch_faults, *faults]


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill as often as the options say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store")
    parser.add_argument("--interfaces", nargs="+", choices=INTERFACES, default=installed())
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, provider_process(*provider_options(options.seed)) as provider:
        store = options.store or f"sqlite:///{folder}/batches.db"
        killing = BatchKilling(provider, store, options.seed, options.interfaces)
        for phase, kills in killing.run(options.kills).most_common():
            print(f"{kills:>5}  {phase}")
        for interface, kills in killing.kills_of.items():
            print(f"{kills:>5}  {interface}")
        print(f"{killing.stopped:>5}  stops by a small budget")
        print(f"{provider.account()['batches']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
