"""A rehearsal: all participants of a session take part at once, and the host starts the games when they have come."""

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.rehearsal.attendance import Participant, RehearsalLog
from ostrom.experiment.session.rehearsal.client import ConnectionLost, HttpClient
from ostrom.experiment.session.rehearsal.persons import ModelPerson, RehearsalPerson, SimulatedPerson
from ostrom.experiment.session.rehearsal.server import SessionLinks
from ostrom.players.models.bots import Bot

ARRIVAL_S: Final = 30.0
"""The time within which simulated people join, divided by the speed."""
_POLL_S: Final = 0.5

Visitor = Callable[[Mapping[str, Any]], Awaitable[None]]
"""A participant who joins with the data of the request and takes part to the end."""


@dataclass(frozen=True)
class Rehearsal:
    """The result of a rehearsal."""

    log: RehearsalLog
    host: Mapping[str, Any]
    """The state of the session as its host saw it at the end."""
    payments: Mapping[str, Any]
    """The payment table of the host."""


async def rehearse(
    file: SessionFile, links: SessionLinks, visitors: Sequence[Visitor], log: RehearsalLog, *, speed: float
) -> Rehearsal:
    """Let visitors take part in a served session, and return what they met."""
    begun = time.monotonic()
    draws = random.Random(links.code)
    async with HttpClient(links.address) as host:
        host.headers["Ostrom-Host"] = links.host
        gone: list[Visitor] = []
        starting = asyncio.create_task(_start_when_ready(host, file, lambda: len(visitors) - len(gone), log))
        try:
            async with asyncio.TaskGroup() as group:
                for visitor, joining in zip(visitors, joinings(file, links), strict=False):
                    delay = draws.uniform(0.0, ARRIVAL_S / speed) if speed > 0 else 0.0
                    group.create_task(_arrive(visitor, joining, delay, gone))
        finally:
            starting.cancel()
            await asyncio.wait([starting])
        log.seconds = time.monotonic() - begun
        state = (await host.call("GET", "/api/host")).body
        payments = (await host.call("GET", "/api/host/payments")).body
    return Rehearsal(log, state, payments)


def visitors_of(
    file: SessionFile, links: SessionLinks, log: RehearsalLog, *, count: int, speed: float, bot: Bot | None = None
) -> list[Visitor]:
    """Return participants over HTTP: simulated people, or a language model if `bot` is given."""
    visitors: list[Visitor] = []
    for number in range(count):
        person = person_of(file, number, bot)
        visitors.append(Participant(links.address, links.code, person, log, speed=speed).attend)
    return visitors


def person_of(file: SessionFile, number: int, bot: Bot | None) -> RehearsalPerson:
    """Return who answers for one participant."""
    if bot is not None:
        return ModelPerson(bot, f"{number + 1}")
    right = {} if file.quiz is None else {question.name: question.answer for question in file.quiz.questions}
    return SimulatedPerson(f"{file.session.name} {number}", right)


def joinings(file: SessionFile, links: SessionLinks) -> Iterator[dict[str, Any]]:
    """Yield the data with which participants join: labels of the list, links, or parameters of the panel."""
    settings, panel = file.session, file.panel
    names = () if panel is None else dict.fromkeys((panel.participant, *panel.parameters))
    for number in range(settings.participants + settings.spare):
        joining: dict[str, Any] = {"parameters": dict.fromkeys(names, f"rehearsal-{number + 1}")}
        if settings.join == "labels":
            if number >= len(settings.labels):
                return
            joining["label"] = settings.labels[number]
        elif settings.join == "links":
            if number >= len(links.links):
                return
            joining["link"] = links.links[number]
        yield joining


async def _arrive(visitor: Visitor, joining: Mapping[str, Any], delay: float, gone: list[Visitor]) -> None:
    """Let a visitor take part after a delay, and add it to those who are gone."""
    await asyncio.sleep(delay)
    try:
        await visitor(joining)
    finally:
        gone.append(visitor)


async def _start_when_ready(
    host: HttpClient, file: SessionFile, expected: Callable[[], int], log: RehearsalLog
) -> None:
    """Start the games as a host does: when all participants who are still there wait in the lobby."""
    if file.session.start == "full":
        return
    while True:
        try:
            reply = await host.call("GET", "/api/host")
        except (ConnectionLost, OSError) as error:
            log.faults.append(f"host: connection lost ({error})")
            return
        if reply.status != 200:
            log.faults.append(f"host: state answered with {reply.status}")
            return
        if expected() == 0:
            return
        waiting = [person for person in reply.body["participants"] if person["page"] == "lobby"]
        if len(waiting) >= expected():
            started = await host.call("POST", "/api/host/act", {"action": "start"})
            if started.status != 200:
                log.faults.append(f"host: start answered with {started.status}")
            return
        await asyncio.sleep(_POLL_S)
