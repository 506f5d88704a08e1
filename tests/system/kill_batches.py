"""Kill −9 in every phase of batches: an experiment that goes out in batches, to a provider whose batch API fails at
every step, is killed again and again and resumed each time; it must end as one of single calls that nothing disturbed,
with nothing lost and nothing paid twice. A command: ::

    python tests/system/kill_batches.py --kills 200 --store sqlite:////tmp/batches.db
"""

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
from itertools import count
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # where it is run as a command

import openai.resources.batches as client_library
from sqlalchemy import create_engine, text

from ostrom.core.plugins import GAMES
from ostrom.experiment.limits import Limits, Pacing
from ostrom.experiment.plan import benchmark
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct, enter
from ostrom.journal import ledger
from ostrom.journal.engine import locate
from ostrom.journal.rows import CLOSED
from ostrom.journal.sql import Journal
from ostrom.players.models import batches
from ostrom.players.models.bots import Bot, Price
from ostrom.players.roster import ModelContestant
from ostrom.testing.provider.faults import BATCH_FAULTS
from provider_process import ProviderProcess, provider_process

GAMES_AT_ONCE, SEATS = 3, 3
BUDGET = 50.0
FAULTS = dict.fromkeys(BATCH_FAULTS, 0.06) | {"failed": 0.01}
LINE_FAULTS = {"429": 0.02, "500": 0.02, "503": 0.02}
"""Faults of single calls after which the same prompt is asked again, so that the answer is the same."""


def _closes(self: Any, batch: Any, sent: Sequence[Any] = ()) -> bool:
    return bool(batch.state == CLOSED)


PHASES: dict[str, tuple[Any, str, Callable[..., bool], bool]] = {
    # The object and the method, the condition on its arguments, and whether the kill comes after it.
    "before a batch is stored": (ledger.Ledgers, "keep_batch", lambda self, batch, sent=(): bool(sent), False),
    "after a batch is stored": (ledger.Ledgers, "keep_batch", lambda self, batch, sent=(): bool(sent), True),
    "before it is created": (client_library.AsyncBatches, "create", lambda *_, **__: True, False),
    "after it is created": (client_library.AsyncBatches, "create", lambda *_, **__: True, True),
    "after its name is stored": (ledger.Ledgers, "keep_batch", lambda self, batch, sent=(): bool(batch.name), True),
    "while it is polled": (batches.OpenAIBatches, "look", lambda *_: True, True),
    "before its results are read": (batches.OpenAIBatches, "results", lambda *_: True, False),
    "after its results are read": (batches.OpenAIBatches, "results", lambda *_: True, True),
    "before an answer is stored": (ledger.Ledger, "keep_decision", lambda *_: True, False),
    "after an answer is stored": (ledger.Ledger, "keep_decision", lambda *_: True, True),
    "before a batch is closed": (ledger.Ledgers, "keep_batch", _closes, False),
}  # fmt: skip


@dataclass
class BatchKilling:
    """Experiments under fire, one after the other, in one journal."""

    provider: ProviderProcess
    store: str
    seed: int = 1
    kills: Counter[str] = field(default_factory=Counter)
    """By phase."""

    def run(self, kills: int) -> Counter[str]:
        """Kill `kills` times; return the kills by phase."""
        draw = random.Random(self.seed)
        for number in count(1):
            expected = self._run(self._enter(number, batch=False))
            charged = self._charged()
            experiment = self._enter(number, batch=True)
            while not self._over(experiment):
                phase = draw.choice([*PHASES, "at any time"]) if self.kills.total() < kills else None
                if self._killed(experiment, phase, draw):
                    self.kills[str(phase)] += 1
            self._check(experiment, expected, self._charged() - charged)
            print(f"experiment {number}: {self.kills.total()} kills", flush=True)
            if self.kills.total() >= kills:
                return self.kills
        raise AssertionError("unreachable")

    def _enter(self, number: int, *, batch: bool) -> str:
        bots = [
            Bot(name=name, model=name, base_url=self.provider.base_url, price=Price(input=1, output=1))
            for name in ("ash", "bay", "cob")
        ]
        game = GAMES["contribute_punish"]
        planned = benchmark(
            game, [ModelContestant(bot, game.name) for bot in bots], game.rules(rounds=1), GAMES_AT_ONCE, SEATS, number
        )
        limits = Limits(batch=batch, budget=BUDGET, retries=50, pause_at_defaults=1, attempts=5)
        self._planned, self._limits = planned, limits
        with Journal.open(self.store, create=True) as journal:
            return enter(planned, journal, "test")

    def _run(self, experiment: str) -> dict[str, str]:
        """Play an experiment to its end; return the digest of its decisions by game."""
        while not self._over(experiment):
            assert not self._killed(experiment, None, random.Random(0))
        return self._decisions(experiment)

    def _killed(self, experiment: str, phase: str | None, draw: random.Random) -> bool:
        """Play in another process, which is killed in a phase; return whether it was."""
        nth = draw.randint(1, 30) if phase and "answer" in phase else draw.randint(1, 3)
        seconds = draw.uniform(0.05, 4)
        child = os.fork()
        if child == 0:
            try:
                if phase == "at any time":
                    threading.Timer(seconds, _die).start()
                elif phase is not None:
                    _kill_in(phase, nth)
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

    def _check(self, experiment: str, expected: dict[str, str], charged: int) -> None:
        """Compare with the run of single calls, and with the provider's account."""
        assert self._decisions(experiment) == expected
        assert self._value(experiment, "count(*)", "sent_calls") == 0
        decided = self._value(experiment, "count(*)", "answers")
        defaulted = self._value(experiment, "count(*)", "answers", "provenance = 'defaulted'")
        dropped = self._value(experiment, "count(*)", "calls", "calls.fault = 'dropped'")
        assert defaulted == 0
        # The provider charged each decision once, and each result that it lost.
        assert decided <= charged <= decided + dropped, (decided, charged, dropped)
        with Journal.open(self.store) as journal:
            assert not any(row.batches for row in journal.experiments())
            assert journal.spending(experiment).dollars <= BUDGET
            assert journal.spending(experiment).calls >= charged


def _kill_in(phase: str, nth: int) -> None:
    """Let this process die in a phase, at its nth time."""
    owner, name, applies, after = PHASES[phase]
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
    return ["--batch-delay", 0.2, "--retry-after", 0.1, "--seed", seed, *batch_faults, *faults]


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill as often as the options say."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--store")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, provider_process(*provider_options(options.seed)) as provider:
        store = options.store or f"sqlite:///{folder}/batches.db"
        for phase, kills in BatchKilling(provider, store, options.seed).run(options.kills).most_common():
            print(f"{kills:>5}  {phase}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
