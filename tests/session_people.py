"""Simulated people of a session for tests: they join and take part over real HTTP, through the routes of the pages."""

import http.client
import json
import random
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from people import answer_to

Values = dict[str, Any]
Policy = Callable[["SimulatedPerson", dict[str, Any]], Values]
"""What a person answers to the open question of a game, given the page."""
PATIENCE_S = 600.0


class Refused(Exception):
    """A request that the server refused."""

    def __init__(self, status: int, detail: str) -> None:
        super().__init__(f"{status}: {detail}")
        self.status = status


class Wire:
    """A connection to a server that is kept open, and opened again if it breaks."""

    def __init__(self, address: str, headers: Mapping[str, str] | None = None, *, keep: bool = True) -> None:
        self.address, self._keep = address, keep
        self.headers = dict(headers or {})
        self._connection: http.client.HTTPConnection | None = None

    def call(self, path: str, body: Any = None) -> Any:
        """The reply to a request. Raises Refused, and OSError if there is no server."""
        status, text = self.raw(path, body)
        if status != 200:
            raise Refused(status, json.loads(text)["detail"])
        return json.loads(text)

    def raw(self, path: str, body: Any = None) -> tuple[int, str]:
        """The status and the text of a reply."""
        data = None if body is None else json.dumps(body).encode()
        headers = self.headers | ({} if data is None else {"Content-Type": "application/json"})
        for last in (False, True):
            fresh = self._connection is None
            if self._connection is None:
                place = urlsplit(self.address)
                self._connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=120)
            try:
                self._connection.request("GET" if data is None else "POST", f"/api{path}", data, headers)
                reply = self._connection.getresponse()
                status, text = reply.status, reply.read().decode(errors="replace")  # Cards are pictures.
                if not self._keep:
                    self.close()
                return status, text
            except (http.client.HTTPException, OSError) as error:
                self.close()
                # A connection that was kept open may have been closed meanwhile; a request is sent a second time only
                # if the server cannot have read the first.
                if last or fresh or not isinstance(error, http.client.RemoteDisconnected | BrokenPipeError):
                    raise ConnectionError(str(error)) from error
        raise AssertionError

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def first_choices(person: "SimulatedPerson", page: dict[str, Any]) -> Values:
    """The smallest legal answer."""
    return answer_to(page["seat"]["question"]["answer"])


@dataclass
class SimulatedPerson:
    """A person who joins a session and takes part until its end."""

    address: str
    code: str
    policy: Policy = first_choices
    label: str | None = None
    link: str | None = None
    parameters: dict[str, str] = field(default_factory=dict)
    agrees: bool = True
    quiz: Callable[[dict[str, Any]], Any] | None = None
    """The answer to a comprehension question; by default the first choice, or 0."""
    survey: Mapping[str, Any] = field(default_factory=dict)
    belief: float | None = None
    token: str | None = None
    name: str = ""
    confirmed: list[tuple[str, Values]] = field(default_factory=list)
    """The answers to questions of games that the server confirmed, with the question's id."""
    pages: list[str] = field(default_factory=list)
    """The kinds of the pages that were met, without repetitions in a row."""
    asked: list[str] = field(default_factory=list)
    """The ids of the questions that were met, without repetitions in a row."""
    payment: dict[str, Any] | None = None
    outcome: dict[str, Any] | None = None
    results: list[dict[str, Any]] = field(default_factory=list)
    poll_s: float = 0.05
    keep: bool = False
    """Keep the connection open between requests; `play` closes it at its end."""
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.wire = Wire(self.address, keep=self.keep)

    def join(self) -> None:
        """Take part, unless this person does already."""
        if self.token is None:
            body = {"code": self.code, "label": self.label, "link": self.link, "parameters": self.parameters}
            reply = self.wire.call("/participate/join", body)
            self.token, self.name = reply["token"], reply["participant"]
        self.wire.headers["Ostrom-Participant"] = self.token

    def state(self) -> Any:
        return self.wire.call("/participate")

    def step(self, page: str, values: Values | None = None, **more: Any) -> Any:
        return self.wire.call("/participate/step", {"page": page, "values": values or {}, **more})

    def act(self, state: dict[str, Any]) -> bool:
        """Do what the open page asks for. Return whether there was something to do."""
        page = state["page"]
        kind = page["kind"]
        if not self.pages or self.pages[-1] != kind:
            self.pages.append(kind)
        if kind == "text":
            self.step("text", name=page["name"], shown=1.5)
        elif kind == "consent":
            self.step("consent", {"agreed": self.agrees})
        elif kind == "quiz":
            wanted = [question for question in page["questions"] if question["state"] != "right"]
            left = page["attempts_left"] > 0
            self.step("quiz", {question["name"]: self._quiz_answer(question) for question in wanted} if left else {})
        elif kind == "belief":
            self.step("belief", {"value": page["minimum"] if self.belief is None else self.belief})
        elif kind == "results":
            self.results.append(page)
            self.step("results")
        elif kind == "questionnaire":
            self.step("questionnaire", {question["name"]: self._survey(question) for question in page["questions"]})
        elif kind == "payment":
            self.payment = page
            self.step("payment")
        elif kind == "game" and page["seat"]["question"] is not None and not state["paused"]:
            self._answer(page)
        else:
            return False
        return True

    def _answer(self, page: dict[str, Any]) -> None:
        question = page["seat"]["question"]
        if not self.asked or self.asked[-1] != question["id"]:
            self.asked.append(question["id"])
        values = self.policy(self, page)
        self.wire.call("/participate/answer", {"question": question["id"], "values": values})
        self.confirmed.append((question["id"], values))

    def _quiz_answer(self, question: dict[str, Any]) -> Any:
        if self.quiz is not None:
            return self.quiz(question)
        return question["choices"][0] if question["choices"] else 0

    def _survey(self, question: dict[str, Any]) -> Any:
        if question["name"] in self.survey:
            return self.survey[question["name"]]
        usual = {"text": "fine", "scale": 1, "number": question["minimum"] or 0}
        return usual.get(question["type"]) if not question["choices"] else question["choices"][0]

    def play(self) -> None:
        """Take part to the end."""
        self.wire = Wire(self.address, self.wire.headers, keep=True)
        try:
            self._play()
        finally:
            self.wire.close()

    def _play(self) -> None:
        self.join()
        last = time.monotonic() + PATIENCE_S
        while not self.stop.is_set():
            assert time.monotonic() < last, f"{self.name} still waits at {self.pages[-1:]}"
            try:
                state = self.state()
                if state["page"]["kind"] == "outcome":
                    self.pages.append("outcome")
                    self.outcome = state["page"]
                    return
                if self.act(state):
                    last = time.monotonic() + PATIENCE_S
                    continue
            except Refused as refusal:
                if refusal.status not in (409, 503):  # The page changed meanwhile, or the server is stopping.
                    raise
            except ConnectionError:
                # The server is not there; the page keeps trying. A start of the server may take a minute.
                last = time.monotonic() + PATIENCE_S
            self.stop.wait(self.poll_s)


@dataclass
class SessionHostPage:
    """The page of a session's host."""

    address: str
    token: str

    def __post_init__(self) -> None:
        self.wire = Wire(self.address, {"Ostrom-Host": self.token}, keep=False)

    def state(self) -> Any:
        return self.wire.call("/host")

    def act(self, action: str, **more: Any) -> Any:
        return self.wire.call("/host/act", {"action": action, **more})

    def until(self, holds: Callable[[Any], bool], patience: float = PATIENCE_S) -> Any:
        """The state, as soon as something holds."""
        last = time.monotonic() + patience
        while not holds(state := self.state()):
            assert time.monotonic() < last, state["counts"]
            time.sleep(0.05)
        return state


def all_play(people: Iterable[SimulatedPerson]) -> list[threading.Thread]:
    """Let all people take part, each in a thread. An error of one is raised by `joined`."""
    threads = []
    for person in people:
        thread = _Playing(person)
        thread.start()
        threads.append(thread)
    return list(threads)


class _Playing(threading.Thread):
    def __init__(self, person: SimulatedPerson) -> None:
        super().__init__(daemon=True)
        self.person = person
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.person.play()
        except BaseException as error:
            self.error = error


def joined(threads: Iterable[threading.Thread], patience: float = PATIENCE_S) -> None:
    """Wait until all people are through, and raise the first error."""
    for thread in threads:
        thread.join(patience)
        assert isinstance(thread, _Playing)
        if thread.error is not None:
            raise thread.error
        assert not thread.is_alive(), f"{thread.person.name} is still at {thread.person.pages}"


def random_contributions(seed: int) -> Policy:
    """A whole number at random for a question about a contribution, and the smallest legal answer to any other."""
    draws = random.Random(seed)

    def policy(person: SimulatedPerson, page: dict[str, Any]) -> Values:
        schema = page["seat"]["question"]["answer"]
        wanted = schema["properties"].get("contribution")
        if wanted is None:
            return answer_to(schema)
        return {"contribution": draws.randint(int(wanted["minimum"]), int(wanted["maximum"]))}

    return policy
