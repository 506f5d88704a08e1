"""How long oTree takes to confirm the contributions of many people at once. Run by the peer's own Python, which knows
nothing of ours.

Reads one line of JSON (people, group, tables, rounds, endowment, multiplier, stage_s, arrival_s, and thinking: for each
person the seconds before each contribution). Serves a public goods game with `otree prodserver` over SQLite in a folder
of its own, lets simulated people play it over HTTP as a browser would (pages, forms, redirects, the WebSocket of the
waiting page; no static files), and prints one line with the times, the answers that are not in oTree's export, and the
memory of its processes."""

import asyncio
import csv
import html
import io
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import websockets
from otree_game import CONTRIBUTE, GAME, PAGES, RESULTS, SETTINGS

APP = "public_goods"
START_S = 60
PATIENCE_S = 900
"""The longest wait for the others of a group. A browser would wait for ever."""
IDLE_S = 3.0
"""The time after which a connection is opened anew: the server closes idle ones."""


class Connection:
    """One browser's connection for pages."""

    def __init__(self, port):
        self.port, self.streams, self.used = port, None, 0.0

    async def call(self, method, path, form=None, content_type="application/x-www-form-urlencoded"):
        """Send a request; return the status, the place of a redirect, and the body."""
        if self.streams is None or time.monotonic() - self.used > IDLE_S:
            self.close()
            self.streams = await asyncio.open_connection("127.0.0.1", self.port, limit=2**22)
        reader, writer = self.streams
        body = (json.dumps(form) if content_type.endswith("json") else urlencode(form or {})).encode()
        head = [f"{method} {path} HTTP/1.1", f"Host: 127.0.0.1:{self.port}"]
        if method == "POST":
            head += [f"Content-Type: {content_type}", f"Content-Length: {len(body)}"]
        writer.write("\r\n".join([*head, "", ""]).encode() + (body if method == "POST" else b""))
        await writer.drain()
        lines = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if "chunked" in headers.get("transfer-encoding", ""):
            content = b""
            while size := int(await reader.readline(), 16):
                content += await reader.readexactly(size)
                await reader.readline()
            await reader.readline()
        else:
            content = await reader.readexactly(int(headers.get("content-length", 0)))
        self.used = time.monotonic()
        if headers.get("connection", "").lower() == "close":
            self.close()
        return int(lines[0].split()[1]), headers.get("location"), content.decode()

    async def page(self, path):
        """Follow redirects to a page; return its path and its text."""
        while True:
            status, place, text = await self.call("GET", path)
            if place is None:
                if status != 200:
                    raise RuntimeError(f"{path} answered with {status}")
                return path, text
            path = urlsplit(place).path

    def close(self):
        if self.streams is not None:
            self.streams[1].close()
            self.streams = None


class Person:
    """A simulated person, from the link to the end."""

    def __init__(self, port, code, thinking, endowment):
        self.connection, self.port, self.code = Connection(port), port, code
        self.thinking, self.endowment = thinking, endowment
        self.draws = random.Random(code)
        self.confirmed, self.shown, self.answers, self.ended = [], [], {}, False

    async def play(self, delay):
        await asyncio.sleep(delay)
        path, text = await self.connection.page(f"/InitializeParticipant/{self.code}")
        while not path.startswith("/OutOfRangeNotification"):
            if "/Contribute/" in path:
                path, text = await self.contribute(path)
            elif "/Results/" in path:
                _, place, _ = await self.connection.call("POST", path)
                path, text = await self.connection.page(urlsplit(place).path)
            else:
                path, text = await self.wait(path, text)
        self.ended = True
        self.connection.close()

    async def contribute(self, path):
        number = (int(path.rpartition("/")[2]) - 1) // PAGES + 1
        await asyncio.sleep(self.thinking[(number - 1) % len(self.thinking)])
        value = self.draws.randint(0, self.endowment)
        begun = time.monotonic()
        status, place, _ = await self.connection.call("POST", path, {"contribution": value})
        if status != 302 or place is None:
            raise RuntimeError(f"a contribution was answered with {status}")
        self.confirmed.append(time.monotonic() - begun)
        self.answers[number] = value
        page = await self.connection.page(urlsplit(place).path)
        self.shown.append(time.monotonic() - begun)
        return page

    async def wait(self, path, text):
        """Wait for the message that the others are there, as the script of the waiting page does, and load it anew."""
        found = re.search(r'makeReconnectingWebSocket\("([^"]+)"\)', text)
        address = f"ws://127.0.0.1:{self.port}{html.unescape(found[1])}"
        async with websockets.connect(address, ping_interval=None, open_timeout=PATIENCE_S) as stream:
            await asyncio.wait_for(stream.recv(), PATIENCE_S)
        return await self.connection.page(path)


@contextmanager
def served(folder, task):
    """Run oTree's own server over SQLite within a `with` block; yields its port and the number of its process group."""
    app = folder / APP
    app.mkdir()
    (folder / "_static").mkdir()
    (folder / "settings.py").write_text(SETTINGS)
    (app / "__init__.py").write_text(GAME.format(**task))
    (app / "Contribute.html").write_text(CONTRIBUTE)
    (app / "Results.html").write_text(RESULTS)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # oTree starts a second process by the name of its command.
    place = str(Path(sys.executable).parent)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OTREE_", "DATABASE_URL"))}
    environment = kept | {"PATH": place + os.pathsep + os.environ["PATH"], "OTREE_PRODUCTION": "1"}
    log = folder / "log.txt"
    with log.open("w") as output:
        how = {"cwd": folder, "env": environment, "stdout": output, "stderr": output}
        if subprocess.run([f"{place}/otree", "resetdb", "--noinput"], check=False, **how).returncode != 0:
            raise RuntimeError(f"oTree made no database: {log.read_text()[-2000:]}")
        server = subprocess.Popen([f"{place}/otree", "prodserver", f"127.0.0.1:{port}"], start_new_session=True, **how)
        try:
            wait_for(server, port, log)
            yield port, server.pid
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait(30)


def wait_for(server, port, log):
    until = time.monotonic() + START_S
    while time.monotonic() < until and server.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"oTree's server did not start: {log.read_text()[-2000:]}")


def memory_mb(group):
    """The largest resident memory so far of the server, and of the process beside it that ends pages, in MB."""
    found = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if int((place / "stat").read_text().rpartition(")")[2].split()[2]) == group:
                fields = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
                found[int(place.name)] = int(fields["VmHWM"].split()[0]) / 1000
        except (OSError, KeyError):  # It has just ended.
            continue
    server = found.pop(group)
    return {"server": server, "worker": sum(found.values())}


async def play(task, port, group):
    """Let all take part; return what they met."""
    host = Connection(port)
    created = {"session_config_name": APP, "num_participants": task["people"]}
    _, _, text = await host.call("POST", "/api/sessions", created, "application/json")
    session = json.loads(text)["code"]
    _, _, text = await host.call("POST", f"/api/get_session/{session}", {}, "application/json")
    codes = [row["code"] for row in json.loads(text)["participants"]]
    people = [
        Person(port, code, thinking, task["endowment"]) for code, thinking in zip(codes, task["thinking"], strict=True)
    ]
    draws, begun = random.Random(session), time.monotonic()
    outcomes = await asyncio.gather(
        *(person.play(draws.uniform(0, task["arrival_s"])) for person in people), return_exceptions=True
    )
    seconds = time.monotonic() - begun
    memory = memory_mb(group)
    host.close()
    _, _, text = await host.call("GET", f"/api/export_app?{urlencode({'app': APP, 'session_code': session})}")
    rows = csv.DictReader(io.StringIO(text))
    stored = {
        (row["participant.code"], int(row["subsession.round_number"])): row["player.contribution"] for row in rows
    }
    wrong = sum(
        stored.get((person.code, number)) != str(value) for person in people for number, value in person.answers.items()
    )
    return {
        "version": version("otree"),
        "seconds": seconds,
        "confirmed": [value for person in people for value in person.confirmed],
        "shown": [value for person in people for value in person.shown],
        "lost": wrong,
        "missed": len(stored) - sum(len(person.answers) for person in people),
        "ended": sum(person.ended for person in people),
        "faults": [repr(error) for error in outcomes if error is not None],
        "memory_mb": memory,
    }


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # The server ends too.
    task = json.loads(sys.stdin.readline())
    with tempfile.TemporaryDirectory() as folder, served(Path(folder), task) as (port, group):
        print(json.dumps(asyncio.run(play(task, port, group))))


if __name__ == "__main__":
    main()
