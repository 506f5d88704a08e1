"""Two processes that serve one session: all pages work at both, and the second takes over if the first is killed."""

import http.client
import itertools
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from ostrom.experiment import replay
from ostrom.findings.session_data import load_session_data
from ostrom.journal.sql import Journal
from ostrom.web.relay import SECRET
from session_people import SessionHostPage, SimulatedPerson, Wire, all_play, joined, random_contributions

pytestmark = pytest.mark.slow
PEOPLE, TABLES, ROUNDS = 4, 2, 4
FILE = f"""
[session]
name = "two"
title = "A session with two processes"
participants = {PEOPLE}
start = "full"
seed = 5
[[games]]
name = "g1"
game = "contributions"
group = 4
tables = {TABLES}
rules = {{ rounds = {ROUNDS} }}
seconds = 300.0
[payment]
currency = "EUR"
participation = 3.0
rate = 0.01
"""


class AlternatingWire(Wire):
    """Sends requests to two addresses in turn, as a balancer does. If nothing listens at one, the other is tried."""

    def __init__(self, addresses: list[str]) -> None:
        super().__init__(addresses[0], keep=False)
        self._turns = itertools.cycle(addresses)

    def raw(self, path: str, body: object = None) -> tuple[int, str]:
        self.address = next(self._turns)
        try:
            return super().raw(path, body)
        except ConnectionError as error:
            if not isinstance(error.__cause__, ConnectionRefusedError):
                raise
            self.address = next(self._turns)
            return super().raw(path, body)


@dataclass
class PersonBehindBalancer(SimulatedPerson):
    """A person whose requests are spread over both processes."""

    addresses: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.wire = AlternatingWire(self.addresses)

    def play(self) -> None:
        self._play()


class Process:
    """A process of `ostrom session`."""

    def __init__(self, session: str, store: str) -> None:
        command = [sys.executable, "-P", "-m", "ostrom", "session", session, "--port", "0", "--store", store]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert self.process.stdout is not None
        self.printed = ""
        for line in self.process.stdout:
            self.printed += line
            if "Ctrl-C stops" in line:
                break
        found = re.search(r"(http://\S+)/join/([A-Z0-9]+)", self.printed)
        assert found is not None, self.printed
        self.address, self.code = found[1], found[2]

    def end(self, number: int) -> None:
        """End the process, if it still runs."""
        if self.process.poll() is None:
            self.process.send_signal(number)
            self.process.wait(60)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def stream_of_states(process: Process, token: str) -> Iterator[http.client.HTTPResponse]:
    """A stream of a participant's states, of which the first has been read."""
    connection = http.client.HTTPConnection(process.address.removeprefix("http://"), timeout=60)
    connection.request("GET", "/api/participate/live", headers={"Ostrom-Participant": token})
    with closing(connection), closing(connection.getresponse()) as reply:
        assert reply.status == 200
        while not reply.readline().startswith(b"data:"):
            pass
        yield reply


def check_door(store: str) -> None:
    """The port for other processes answers nothing without the secret."""
    with Journal.open(store) as journal:
        place = journal.sessions.find("two").settings["relay"]
    for path, headers in (("/participate", {}), ("/participate", {SECRET: "guessed"}), ("/host", {SECRET: ""})):
        assert Wire(f"http://{place}", headers, keep=False).raw(path)[0] == 403


def test_both_processes_serve_and_the_second_takes_over(
    store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    (tmp_path / "two.toml").write_text(FILE)
    owner = Process(str(tmp_path / "two.toml"), store)
    request.addfinalizer(lambda: owner.end(signal.SIGKILL))
    second = Process("two", store)
    request.addfinalizer(lambda: second.end(signal.SIGKILL))
    assert "takes over when it ends" in second.printed
    host_token = re.search(r"/host#(\S+)", owner.printed)
    assert host_token is not None
    host = SessionHostPage(second.address, host_token[1])

    policies = [random_contributions(seed) for seed in range(PEOPLE)]
    addresses = [owner.address, second.address]
    people = [PersonBehindBalancer(owner.address, owner.code, policy, addresses=addresses) for policy in policies]
    threads = all_play(people)
    host.until(lambda state: state["counts"]["playing"] == PEOPLE)
    assert people[0].token is not None
    check_door(store)
    status, text = Wire(second.address, {"Ostrom-Participant": "guessed"}, keep=False).raw("/participate")
    assert status == 403, text
    with stream_of_states(second, people[0].token) as stream:
        while min(len(person.confirmed) for person in people) < ROUNDS:
            time.sleep(0.01)
        confirmed = [list(person.confirmed) for person in people]
        owner.end(signal.SIGKILL)
        while stream.readline():  # The stream ends with the owner, so that the page opens a new one.
            pass
    joined(threads)
    state = host.until(lambda state: state["session"]["state"] == "ended")
    second.end(signal.SIGINT)

    assert {row["outcome"] for row in state["participants"]} == {"done"}
    assert len(state["participants"]) == PEOPLE
    for person in people:
        questions = [question for question, _ in person.confirmed]
        assert len(questions) == len(set(questions)), "asked again after a confirmation"
    with Journal.open(store) as journal:
        data = load_session_data(journal, "two")
        stored = Counter((decision.participant, decision.answer.value) for decision in data.decisions())
        for record in data.records.values():
            replay(record)
    assert stored.total() == PEOPLE * TABLES * ROUNDS
    for person, before in zip(people, confirmed, strict=True):
        number = int(person.name[-2:])
        own = Counter({key: count for key, count in stored.items() if key[0] == number})
        assert Counter((number, values["contribution"]) for _, values in before) <= own
