"""A seat's stream on a real server: every change is told to every watcher, and the stream ends with the game."""

import http.client
import json
import threading
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ostrom.journal.sql import Journal
from people import PUNISHERS, answer_to
from serving import sent_events, server


def call(address: str, path: str, body: Any = None, token: str = "") -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Ostrom-Seat": token, "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{address}{path}", data, headers)) as reply:
        return json.load(reply)


def changes(address: str, token: str) -> Iterator[dict[str, Any]]:
    """The states that the stream of a seat tells, to its end."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=600)
    connection.request("GET", "/api/seat/live", headers={"Ostrom-Seat": token})
    reply = connection.getresponse()
    assert (reply.status, reply.headers.get_content_type()) == (200, "text/event-stream")
    for name, data in sent_events(line.decode().rstrip("\n") for line in reply):
        assert name == "seat"
        yield data
    connection.close()


def test_a_person_plays_by_the_stream_while_another_window_watches(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal, server(journal) as address:
        body = {"game": "punish", "players": ["human", *PUNISHERS], "rules": {"rounds": 2}}
        (seat,) = call(address, "/api/games", body)["seats"]
        watched: list[dict[str, Any]] = []
        watching = threading.Thread(target=lambda: watched.extend(changes(address, seat["token"])))
        watching.start()
        asked = []
        for state in changes(address, seat["token"]):
            question = state["question"]
            if question is not None and question["id"] not in asked:
                asked.append(question["id"])
                values = {"question": question["id"], "values": answer_to(question["answer"])}
                call(address, "/api/seat/answer", values, seat["token"])
        watching.join()
        assert len(asked) == 6
        assert state["state"] == watched[-1]["state"] == "over"
        versions = [one["version"] for one in watched]
        assert versions == sorted(set(versions))


def test_when_the_server_ends_a_waiting_page_is_told_and_the_game_stays(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal:
        told: list[dict[str, Any]] = []
        with server(journal) as address:
            body = {"game": "punish", "players": ["human", *PUNISHERS], "rules": {"rounds": 2}}
            (seat,) = call(address, "/api/games", body)["seats"]
            opened = threading.Event()

            def watch() -> None:
                for state in changes(address, seat["token"]):
                    told.append(state)
                    if state["state"] == "asked":
                        opened.set()

            watching = threading.Thread(target=watch)
            watching.start()
            assert opened.wait(60)
        watching.join()
        assert told[-1]["state"] in ("asked", "stopped")
        (row,) = journal.games()
        assert row.state == "playing"
        assert journal.calls(row.id) == []
