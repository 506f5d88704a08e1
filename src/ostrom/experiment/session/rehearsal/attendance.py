"""One participant of a rehearsal: joins, follows the stream of states as a page does, and fills in each page."""

import asyncio
import random
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, Final

from ostrom.core.text import one_line
from ostrom.experiment.session.rehearsal.client import ConnectionLost, HttpClient, HttpReply
from ostrom.experiment.session.rehearsal.forms import form_of, plain_text, words_on
from ostrom.experiment.session.rehearsal.persons import ModelPerson, NoValues, RehearsalPerson, smallest_values

READS_WORDS_S: Final = 4.0
"""The number of words that a simulated person reads per second."""
THINKS_S: Final = {"quiz": 20.0, "game": 8.0, "belief": 8.0, "questionnaire": 20.0, "results": 4.0, "payment": 10.0}
"""The mean seconds of thinking about a page of each kind, beside the time for reading."""
MAX_TRIES: Final = 4
"""The largest number of rejected values for one form. Afterwards the participant waits until the time is over."""
RECONNECT_S: Final = 1.0
POLL_S: Final = 20.0
_WAITS: Final = ("lobby", "waiting")


@dataclass(frozen=True)
class PageVisit:
    """The time that a participant spent on one page."""

    participant: str
    kind: str
    """The kind of the page; for a text its name."""
    begun: float
    """The time by the clock of the rehearsal, in seconds from its beginning."""
    seconds: float
    question: bool = False
    """True for an open question of a game, from when it was shown to the confirmation of its answer."""


@dataclass
class RehearsalLog:
    """Everything that the participants of a rehearsal met."""

    visits: list[PageVisit] = field(default_factory=list)
    confirmations: list[float] = field(default_factory=list)
    """The seconds from sending an answer or a step until the server confirmed it."""
    answers: list[tuple[str, str, float]] = field(default_factory=list)
    """The participant, the question and the seconds of confirmation of each confirmed answer in a game."""
    rejected: dict[str, int] = field(default_factory=dict)
    """The number of rejected values by kind of page."""
    missed: dict[str, int] = field(default_factory=dict)
    """The number of questions that each participant did not answer in time."""
    quiz: dict[str, tuple[int, int]] = field(default_factory=dict)
    """For each participant, the number of wrong answers and of all answers to comprehension questions."""
    payments: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The total and its currency for each participant who was shown a payment."""
    outcomes: dict[str, str] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    """Replies and lost connections that a participant should not meet, in words."""
    seconds: float = 0.0
    """The duration of the rehearsal."""


class Participant:
    """A participant of a rehearsal."""

    def __init__(self, address: str, code: str, person: RehearsalPerson, log: RehearsalLog, *, speed: float) -> None:
        """Simulated people think `speed` times as fast as real people."""
        self._client, self._stream = HttpClient(address), HttpClient(address)
        self._code, self._person, self._log, self._speed = code, person, log, speed
        self._draws = random.Random(repr(person))
        self._state: Mapping[str, Any] | None = None
        self._changed = asyncio.Event()
        self._visit: tuple[str, float] | None = None
        self._question: tuple[str, float] | None = None
        self._tries: dict[str, int] = {}
        self._reason: str | None = None
        self._read: set[str] = set()
        self.name = "?"
        self.token: str | None = None
        """The participant's token; None before joining."""

    async def attend(self, joining: Mapping[str, Any] | None = None) -> None:
        """Join, and take part until the session is over for this participant. `joining` has a label or a link and the
        parameters of the address."""
        try:
            reply = await self._join(joining or {})
            if reply.status != 200:
                self._fault("join", reply)
                return
            self.name = reply.body["participant"]
            self.token = str(reply.body["token"])
            for client in (self._client, self._stream):
                client.headers["Ostrom-Participant"] = self.token
            following = asyncio.create_task(self._follow())
            try:
                await self._take_part()
            finally:
                following.cancel()
                await asyncio.wait([following])
        except (ConnectionLost, OSError) as error:
            self._log.faults.append(f"{self.name}: connection lost ({error})")
        finally:
            self._client.close()

    async def _join(self, joining: Mapping[str, Any]) -> HttpReply:
        """Join, and return the server's reply."""
        return await self._client.call(
            "POST", "/api/participate/join", {"code": self._code, "parameters": {}, **joining}
        )

    async def _send(self, path: str, body: Mapping[str, Any], page: Mapping[str, Any]) -> HttpReply:
        """Enter something on the open page, and return the server's reply."""
        return await self._client.call("POST", f"/api/participate/{path}", body)

    async def _take_part(self) -> None:
        await self._refresh()
        while self._state is not None:
            state = self._state
            self._note(state)
            page = state["page"]
            if page["kind"] == "outcome":
                self._log.outcomes[self.name] = page["outcome"]
                return
            if not await self._fill_in(page, state["paused"]) and self._state is state:
                await self._wait()

    async def _fill_in(self, page: Mapping[str, Any], paused: bool) -> bool:
        """Do what the page asks for; return False if there is nothing to do."""
        kind = page["kind"]
        if paused or kind in _WAITS:
            return False
        if kind == "game":
            question = page["seat"]["question"]
            if question is None or self._tries.get(question["id"], 0) >= MAX_TRIES:
                return False
            return await self._answer(page, question["id"])
        form = form_of(page, self._reason)
        if form is None or self._tries.get(self._key(page), 0) >= MAX_TRIES:
            values: dict[str, Any] | None = {"agreed": True} if kind == "consent" else {}
            values = values if form is None else smallest_values(form.schema)
        else:
            values = await self._values(page)
        await self._think(page)
        body = {"page": kind, "name": page.get("name"), "values": values or {}, "shown": self._shown()}
        await self._post("step", body, page, self._key(page))
        return True

    async def _answer(self, page: Mapping[str, Any], question: str) -> bool:
        values = await self._values(page)
        if values is None:
            self._tries[question] = MAX_TRIES
            return True
        await self._think(page)
        if await self._post("answer", {"question": question, "values": values}, page, question):
            assert self._question is not None
            begun, now = self._question[1], time.monotonic()
            self._log.visits.append(PageVisit(self.name, "game", begun, now - begun, question=True))
        return True

    async def _values(self, page: Mapping[str, Any]) -> dict[str, Any] | None:
        form = form_of(page, self._reason)
        assert form is not None
        try:
            return await self._person.values(form)
        except NoValues as reason:
            self._log.faults.append(f"{self.name}: no answer from the model on the page {page['kind']}: {reason}")
            return None if page["kind"] == "game" else smallest_values(form.schema)

    async def _post(self, path: str, body: Mapping[str, Any], page: Mapping[str, Any], key: str) -> bool:
        """Send a step or an answer, and take over the new state; return whether it was accepted."""
        begun = time.monotonic()
        try:
            reply = await self._send(path, body, page)
        except (ConnectionLost, OSError) as error:
            # The entry may have arrived: as on a page, the next state says so.
            self._log.faults.append(f"{self.name}: {path} was not confirmed ({error})")
            await asyncio.sleep(RECONNECT_S)
            await self._refresh()
            return False
        seconds = time.monotonic() - begun
        if reply.status == 200:
            self._log.confirmations.append(seconds)
            if path == "answer":
                self._log.answers.append((self.name, body["question"], seconds))
            self._reason = None
            self._take(reply.body)
            return True
        if reply.status == 422:
            kind = page["kind"]
            self._log.rejected[kind] = self._log.rejected.get(kind, 0) + 1
            self._tries[key] = self._tries.get(key, 0) + 1
            self._reason = one_line(str((reply.body or {}).get("detail", "")), 300)
        elif reply.status not in (403, 409):
            # A page that closed while its entry was on the way is no fault: time ran out, or the game ended.
            self._fault(path, reply)
            await asyncio.sleep(RECONNECT_S)
        await self._refresh()
        return False

    async def _think(self, page: Mapping[str, Any]) -> None:
        """Wait as long as a simulated person needs to read the page and to think."""
        if not self._person.thinks or self._speed <= 0:
            return
        mean = words_on(page) / READS_WORDS_S + THINKS_S.get(page["kind"], 2.0)
        seconds = mean * self._draws.lognormvariate(0.0, 0.4) / self._speed
        question = page["seat"]["question"] if page["kind"] == "game" else None
        if question is not None:
            seconds = min(seconds, 0.8 * question["left"])
        await asyncio.sleep(seconds)

    # States.

    async def _refresh(self) -> None:
        reply = await self._client.call("GET", "/api/participate")
        if reply.status == 200:
            self._take(reply.body)
        else:
            self._fault("state", reply)
            await asyncio.sleep(RECONNECT_S)

    def _take(self, state: Mapping[str, Any]) -> None:
        if self._state is None or state["version"] >= self._state["version"]:
            self._state = state
            self._changed.set()

    async def _wait(self) -> None:
        """Wait for another state. If none comes for a while, ask for it."""
        self._changed.clear()
        try:
            await asyncio.wait_for(self._changed.wait(), POLL_S)
        except TimeoutError:
            await self._refresh()

    async def _follow(self) -> None:
        while True:
            try:
                async with aclosing(self._events()) as events:
                    async for state in events:
                        self._take(state)
            except (ConnectionLost, OSError, ValueError) as error:
                self._log.faults.append(f"{self.name}: the stream of states ended ({error})")
            await asyncio.sleep(RECONNECT_S)

    def _events(self) -> AsyncGenerator[Any, None]:
        return self._stream.events("/api/participate/live")

    # Records.

    def _key(self, page: Mapping[str, Any]) -> str:
        return f"{page['kind']} {page.get('name') or page.get('title') or ''}".strip()

    def _shown(self) -> float:
        return 0.0 if self._visit is None else time.monotonic() - self._visit[1]

    def _note(self, state: Mapping[str, Any]) -> None:
        """Record durations, and what the page shows, when the page or the question changes."""
        page, now = state["page"], time.monotonic()
        kind = page["name"] if page["kind"] == "text" else page["kind"]
        if self._visit is None or self._visit[0] != kind:
            if self._visit is not None:
                self._log.visits.append(PageVisit(self.name, self._visit[0], self._visit[1], now - self._visit[1]))
            self._visit = (kind, now)
            self._reason = None
        if page["kind"] == "game":
            question = page["seat"]["question"]
            if question is not None and (self._question is None or self._question[0] != question["id"]):
                self._question = (question["id"], now)
                self._reason = None
            self._log.missed[self.name] = max(self._log.missed.get(self.name, 0), page["seat"]["missed"])
        elif page["kind"] == "payment":
            self._log.payments[self.name] = (page["total"], page["currency"])
        if isinstance(self._person, ModelPerson) and page["kind"] in ("text", "consent"):
            text = plain_text(page["text"])
            if text not in self._read:
                self._read.add(text)
                self._person.read(text)

    def _fault(self, what: str, reply: HttpReply) -> None:
        detail = reply.body.get("detail") if isinstance(reply.body, dict) else None
        self._log.faults.append(f"{self.name}: {what} answered with {reply.status} {one_line(str(detail or ''), 120)}")
