"""What the tests of the whole system share: a folder with bots and a journal, and the command as a user calls it, in a
process of its own."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fork_server import Copy, ForkServer
from ostrom.core import Call, QuestionKey
from ostrom.journal.sql import Journal

OSTROM = Path(sys.executable).parent / "ostrom"
_KEYS = ("_API_KEY", "_TOKEN", "_SECRET")
Running = subprocess.Popen[str] | Copy
"""A command that was started."""
PATIENCE = 600.0
"""Seconds after which a command that should have ended long ago is taken for hanging."""


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    status: int
    out: str
    err: str

    @property
    def complaints(self) -> list[str]:
        """What it said beside its answer, line by line."""
        return [line for line in self.err.splitlines() if line.strip()]


@dataclass
class Lab:
    """A folder to work in, with a journal of its own."""

    folder: Path
    store: str
    environment: dict[str, str] = field(default_factory=dict)
    server: ForkServer | None = None
    """What starts commands more quickly than a new process would."""

    def bot(self, name: str, base_url: str | None, **fields: Any) -> None:
        """Describe a bot in a file."""
        (self.folder / "bots").mkdir(exist_ok=True)
        served = {} if base_url is None else {"base_url": base_url}
        described = {"model": name, **served, **fields}
        (self.folder / "bots" / f"{name}.json").write_text(json.dumps(described))

    def start(self, *arguments: object, stored: bool = True) -> Running:
        """Start a command on the lab's journal."""
        words = self._words(arguments, stored)
        if self.server is not None:
            return self.server.start(words, self.folder, self._surroundings())
        return subprocess.Popen(
            [str(OSTROM), *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=self.folder,
            env=self._surroundings(),
        )

    def run(self, *arguments: object, stored: bool = True, pictures: bool = True) -> Done:
        """Run a command to its end; without `pictures`, those of a report are empty files."""
        if self.server is None:
            return ended(self.start(*arguments, stored=stored))
        words = self._words(arguments, stored)
        return Done(*self.server.run(words, self.folder, self._surroundings(), pictures=pictures))

    def _words(self, arguments: Iterable[object], stored: bool) -> list[str]:
        return [*map(str, arguments), *(["--store", self.store] if stored else [])]

    def must(self, *arguments: object, stored: bool = True, pictures: bool = True) -> Done:
        """Run a command that has to succeed."""
        done = self.run(*arguments, stored=stored, pictures=pictures)
        assert done.status == 0, (arguments, done)
        return done

    def status(self) -> dict[str, Any]:
        """What `ostrom status --json` says of the only experiment."""
        (experiment,) = json.loads(self.must("status", "--json").out)["status"]
        assert isinstance(experiment, dict)
        return experiment

    def journal(self) -> Journal:
        """The journal, to be looked into."""
        return Journal.open(self.store)

    def _surroundings(self) -> dict[str, str]:
        """The environment without keys of whoever runs the tests, and without what changes output."""
        dropped = ("FORCE_COLOR", "PYTHONWARNINGS", "OSTROM_STORE", "OSTROM_BOTS")
        kept = {name: value for name, value in os.environ.items() if name not in dropped and not name.endswith(_KEYS)}
        own = {"XDG_CONFIG_HOME": str(self.folder / "config")}
        return kept | {"COLUMNS": "100", "PYTHONUTF8": "1"} | own | self.environment


def ended(process: Running, patience: float = PATIENCE) -> Done:
    """How a command that was started ends."""
    try:
        out, err = process.communicate(timeout=patience)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Done(process.returncode, out, err)


def sent_when(process: Running, number: signal.Signals, when: Callable[[], bool]) -> bool:
    """Send a signal as soon as something is the case; False where the process ended before."""
    until = time.monotonic() + PATIENCE
    while not when():
        if process.poll() is not None:
            return False
        assert time.monotonic() < until, "what was waited for did not happen"
        time.sleep(0.03)
    process.send_signal(number)
    return True


def experiment(
    *,
    games: Mapping[str, Mapping[str, Any]],
    include: Iterable[str],
    repetitions: int,
    seats: int,
    limits: Mapping[str, Any] | None = None,
    seed: int = 1,
) -> str:
    """An experiment's file: so many games of each kind, each kind with its own rules."""
    lines = [f"repetitions = {repetitions}", f"seeds = [{seed}]", f"include = {json.dumps(list(include))}"]
    for game, rules in games.items():
        lines += ["[[games]]", f'game = "{game}"', f"seats = {seats}", "[games.rules]"]
        lines += [f"{name} = {json.dumps(value)}" for name, value in rules.items()]
    lines += ["[limits]", *(f"{name} = {json.dumps(value)}" for name, value in (limits or {}).items())]
    return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Played:
    """A game as the journal has it, without what no two runs share: ids, times, latencies."""

    state: str
    record: dict[str, Any]
    calls: list[tuple[QuestionKey, int, Any, Any, Any]]
    """Question, attempt, prompt, reply and fault of every call."""


def played(journal: Journal) -> dict[str, Played]:
    """All games by key."""
    found = {}
    for game in journal.games():
        record = journal.record(game.id).model_dump(mode="json")
        calls = [(key, call.attempt, call.prompt, call.reply, call.fault) for key, call in journal.calls(game.id)]
        found[game.key] = Played(game.state, record, sorted(calls, key=lambda call: call[:2]))
    return found


def calls_of(journal: Journal) -> list[tuple[str, QuestionKey, Call]]:
    """Every call: the game's key, the question and the call."""
    return [(game.key, key, call) for game in journal.games() for key, call in journal.calls(game.id)]


def visits(log: Path) -> list[dict[str, Any]]:
    """What the provider's log holds, whole lines alone."""
    return [json.loads(line) for line in _written(log).splitlines(keepends=True) if line.endswith(b"\n")]


def visited(log: Path) -> int:
    """How many whole lines it holds: for who looks again and again."""
    return _written(log).count(b"\n")


def _written(log: Path) -> bytes:
    return log.read_bytes() if log.exists() else b""


def question_of(reference: str) -> tuple[str, int, str, int]:
    """Game, turn, phase and seat that a request's id names."""
    game, turn, phase, label, _attempt = reference.rsplit("/", 4)
    return game, int(turn), phase, int(label.removeprefix("P")) - 1
