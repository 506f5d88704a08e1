"""Kill −9 of a session's server at random moments: every confirmed answer is there, every link works, and nobody is
asked again what they answered."""

import os
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ostrom.experiment import replay
from ostrom.findings.session_data import load_session_data
from ostrom.journal.sql import Journal
from session_people import SessionHostPage, SimulatedPerson, Values, all_play, joined, random_contributions

PEOPLE, KILLS, TABLES, ROUNDS = 8, 20, 6, 12
MOST_ENTRIES = 15
"""The largest number of entries between a start of the server and its end, of about 650 in all."""
FILE = f"""
[session]
name = "killed"
title = "A session whose server is killed"
participants = {PEOPLE}
start = "full"
seed = 5
[consent]
text = "Do you take part?"
[quiz]
questions = [{{ name = "sum", text = "1 + 1?", type = "number", answer = 0, feedback = "Count." }}]
[[games]]
name = "g1"
game = "contributions"
group = 4
matching = "strangers"
tables = {TABLES}
rules = {{ rounds = {ROUNDS} }}
seconds = 300.0
[payment]
currency = "EUR"
participation = 3.0
rate = 0.01
"""


@dataclass
class ServerOfSession:
    """`ostrom session` at one port, in a process that can be killed and started again."""

    folder: Path
    port: int
    host: str = ""
    code: str = ""
    process: "subprocess.Popen[str] | None" = None
    lives: int = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def store(self) -> str:
        return f"sqlite:///{self.folder}/journal.db"

    def start(self) -> None:
        """Start the server, and wait until it serves."""
        session = str(self.folder / "killed.toml") if self.lives == 0 else "killed"
        options = ["--port", str(self.port), "--store", self.store]
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-m", "ostrom", "session", session, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"COLUMNS": "400", "PYTHONUNBUFFERED": "1"},
        )
        self.lives += 1
        assert self.process.stdout is not None
        printed = []
        for line in self.process.stdout:
            printed.append(line)
            if (link := re.search(r"/host#(\S+)", line)) is not None:
                self.host = link[1]
            if (join := re.search(r"/join/([A-Z0-9]+)", line)) is not None:
                self.code = join[1]
            if "Ctrl-C stops" in line:
                return
        raise AssertionError("".join(printed))

    def stop(self) -> None:
        """End the server if it still runs."""
        if self.process is not None and self.process.poll() is None:
            self.end(signal.SIGKILL)

    def end(self, number: int) -> None:
        """End the server with a signal."""
        assert self.process is not None
        self.process.send_signal(number)
        self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@dataclass
class Asked:
    """Answers with a pause, and a check that nobody is asked again what was confirmed."""

    seed: int
    again: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._draws, self._policy = random.Random(self.seed), random_contributions(self.seed)

    def __call__(self, person: SimulatedPerson, page: dict[str, Any]) -> Values:
        question = page["seat"]["question"]["id"]
        if question in {confirmed for confirmed, _ in person.confirmed}:
            self.again.append(f"{person.name}: {question}")
        time.sleep(self._draws.uniform(0.0, 0.3))
        return self._policy(person, page)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for_entries(journal: Journal, count: int, threads: Sequence[threading.Thread]) -> None:
    """Wait until the session has this number of further entries, or all people are through."""
    (session,) = journal.sessions.all()
    wanted = journal.sessions.last_number(session.id) + count
    while journal.sessions.last_number(session.id) < wanted and any(thread.is_alive() for thread in threads):
        time.sleep(0.02)


@pytest.mark.slow
def test_a_session_whose_server_is_killed_at_twenty_moments_loses_nothing(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "killed.toml").write_text(FILE)
    server, draws = ServerOfSession(tmp_path, free_port()), random.Random(32)
    server.start()
    request.addfinalizer(server.stop)
    policies = [Asked(seed) for seed in range(PEOPLE)]
    people = [SimulatedPerson(server.address, server.code, policy, quiz=lambda _: 0) for policy in policies]
    threads = all_play(people)
    while any(person.token is None for person in people):  # Who loses the reply to the join code joins anew.
        time.sleep(0.01)
    tokens = {person.name: person.token for person in people}
    with Journal.open(server.store) as journal:
        for _ in range(KILLS):
            # Kills follow progress, since on a slow machine a server may not have been reached before a moment in time.
            wait_for_entries(journal, draws.randint(0, MOST_ENTRIES), threads)
            time.sleep(draws.uniform(0.0, 0.3))
            if not any(thread.is_alive() for thread in threads):
                joined(threads)
                raise AssertionError("the session ended before all kills")
            server.end(signal.SIGKILL)
            server.start()
    joined(threads)
    host = SessionHostPage(server.address, server.host)
    state = host.until(lambda state: state["session"]["state"] == "ended")
    server.end(signal.SIGINT)

    assert [policy.again for policy in policies] == [[] for _ in policies]
    assert {person.name: person.token for person in people} == tokens
    assert len(state["participants"]) == PEOPLE
    assert {row["outcome"] for row in state["participants"]} == {"done"}
    with Journal.open(server.store) as journal:
        data = load_session_data(journal, "killed")
        stored = Counter((d.participant, d.answer.value) for d in data.decisions())
        for record in data.records.values():
            replay(record)
        assert not any(journal.check())
    assert stored.total() == PEOPLE * TABLES * ROUNDS
    for person in people:
        number = int(person.name[-2:])
        confirmed = Counter((number, values["contribution"]) for _, values in person.confirmed)
        own = Counter({key: count for key, count in stored.items() if key[0] == number})
        # An answer that was stored when its confirmation was lost is there without a confirmation.
        assert confirmed <= own, person.name
        assert person.payment is not None
        lines = sum(Decimal(line["amount"]) for line in person.payment["lines"])
        assert lines == Decimal(person.payment["total"])
