"""People who sit at a command of its own process: they find its links, and answer over HTTP."""

import json
import os
import re
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

from fork_server import COMMANDS, Copy, Said
from people import answer_to

OSTROM = Path(sys.executable).parent / "ostrom"
LINK = re.compile(r"(http://\S+)/#/seat/(\S+)")


def some_pages(folder: Path) -> Path:
    """A folder of pages, as far as a server looks at it."""
    pages = folder / "pages"
    pages.mkdir(exist_ok=True)
    (pages / "index.html").write_text("<!doctype html><title>Ostrom</title>")
    return pages


def started(folder: Path, *arguments: object) -> Copy:
    """A command under way, with a journal in this folder."""
    environment = os.environ | {"OSTROM_PAGES": str(some_pages(folder)), "COLUMNS": "100"}
    return COMMANDS.start([*map(str, arguments)], folder, environment)


def links_in(stream: IO[str] | Said, count: int) -> list[tuple[str, str]]:
    """So many links of seats, as they are printed: address and token."""
    found: list[tuple[str, str]] = []
    while len(found) < count:
        line = stream.readline()
        assert line, "the command ended before it printed its links"
        if (link := LINK.search(line)) is not None:
            found.append((link[1], link[2]))
    return found


def call(address: str, path: str, token: str = "", body: Any = None, timeout: float = 600) -> tuple[int, Any]:
    """Ask the API; the status and what it answers."""
    headers = {"Ostrom-Seat": token, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    try:
        request = urllib.request.Request(f"{address}/api{path}", data, headers)
        with urllib.request.urlopen(request, timeout=timeout) as reply:
            return reply.status, json.load(reply)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.load(refusal)


def until(address: str, token: str, *states: str) -> Any:
    """The seat, as soon as it is in one of these states."""
    while True:
        status, seat = call(address, "/seat", token)
        assert status == 200, seat
        if seat["state"] in states:
            return seat
        time.sleep(0.02)


def answer_next(address: str, token: str) -> Any:
    """Answer the next question; the question."""
    question = until(address, token, "asked")["question"]
    body = {"question": question["id"], "values": answer_to(question["answer"])}
    status, told = call(address, "/seat/answer", token, body)
    assert status == 200, told
    return question


def sit(address: str, token: str) -> Any:
    """Answer to the end of the game; how it ended."""
    while True:
        seat = until(address, token, "asked", "over", "void", "stopped")
        if seat["state"] != "asked":
            return seat
        answer_next(address, token)


def all_sit(links: Sequence[tuple[str, str]]) -> list[Any]:
    """Everybody plays at once; how it ended for each."""
    ends: dict[int, Any] = {}

    def play(place: int) -> None:
        ends[place] = sit(*links[place])

    people = [threading.Thread(target=play, args=(place,)) for place in range(len(links))]
    for person in people:
        person.start()
    for person in people:
        person.join()
    return [ends[place] for place in range(len(links))]
