"""Hostile requests cannot exhaust memory, poison the cache, reveal the journal's path, block others or delay
shutdown."""

import asyncio
import logging
import socket
import sqlite3
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from kept import opened, punish
from ostrom.core import InputError
from ostrom.experiment.hosting import Host
from ostrom.journal.sql import Journal
from ostrom.web.cache import Body, Cache
from people import PUNISHERS, answer_to, game_with
from serving import client, running, server


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        journal.add_game(journal.new_experiment("one", kind="punish"), punish(), key="k")
        yield journal


def test_short_answers_fill_a_cache_too() -> None:
    cache: Cache[Body] = Cache(lambda: 1, 100_000, lambda body: body.size)
    for number in range(1000):
        cache.get_or_make(f"question {number}", lambda: Body.of(b"{}"))
    assert cache.get("question 999", 1) is not None
    assert cache.get("question 0", 1) is None
    assert sum(cache.get(f"question {number}", 1) is not None for number in range(1000)) < 100


def test_of_a_long_address_only_a_short_name_is_kept(journal: Journal) -> None:
    with client(journal) as lab:
        for path in ("/api/games", "/api/messages"):
            assert lab.get(path, params={"nothing": "x" * 50_000}).status_code == 200
        service = lab.app.state.service  # type: ignore[attr-defined]
        kept = [name for cache in (service.answers, service.studies.answers) for name in cache._bodies._values]
    assert kept
    assert all(len(name) < 100 for name in kept)


@pytest.mark.parametrize("host", ["localhost/api/games?", "localhost#", "localhost?limit=1"])
def test_a_name_in_the_header_puts_no_answer_in_another_ones_place(journal: Journal, host: str) -> None:
    with client(journal) as lab:
        lab.get("/api/lab", headers={"Host": host})
        lab.get("/api/games?limit=1&offset=1", headers={"Host": host})
        assert lab.get("/api/games").json()["total"] == 1
        assert "version" in lab.get("/api/lab").json()
        assert len(lab.get("/api/games?limit=1").json()["games"]) == 1


def test_who_sits_there_is_not_told_where_the_journal_is(
    tmp_path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    async def main() -> str | None:
        hosted = await Host(journal).start(game_with(["human", *PUNISHERS]))
        (seat,) = hosted.room.seats.values()
        while seat.question is None:
            await seat.changed(seat.version)
        with sqlite3.connect(tmp_path / "journal.db") as file:
            file.execute("DROP TABLE calls")
        file.close()
        with pytest.raises(InputError):
            await seat.answer(seat.question.id, answer_to(seat.question.schema))
        with pytest.raises(InputError):
            await hosted.wait()
        assert seat.state == "stopped"
        return seat.ending and seat.ending.reason

    assert (
        asyncio.run(main())
        == "the game stopped with an error, which the host's terminal shows; it can be resumed later"
    )
    told = capsys.readouterr().err
    assert "stopped: the journal" in told
    assert "journal.db" in told
    assert "Traceback" not in told


def test_a_game_that_waits_for_the_journal_keeps_nobody_else_waiting(tmp_path: Path, journal: Journal) -> None:
    with running(journal) as one:
        other = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        future = asyncio.run_coroutine_threadsafe(one.host.start(game_with(PUNISHERS)), one.loop)
        turned = threading.Event()
        # With an event loop that waits for the journal this would wait until the lock is gone.
        asyncio.run_coroutine_threadsafe(asyncio.sleep(0.2), one.loop).add_done_callback(lambda _: turned.set())
        assert turned.wait(600)
        assert not future.done()
        other.execute("ROLLBACK")
        other.close()
        assert one.call(future.result().wait()).finished == 1


def test_who_is_cut_off_at_the_end_leaves_no_traceback(
    journal: Journal, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("ostrom.web.server._SHUTDOWN_GRACE_S", 0)
    with caplog.at_level(logging.WARNING), server(journal) as address:
        host, port = address.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=600) as line:
            head = f"POST /api/games HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            line.sendall(f"{head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n".encode())
            # The server asks for the body, so the request is under way; the body never comes.
            assert b"100" in line.recv(100)
            line.sendall(b"{")
            held = line.dup()
    held.close()
    assert not caplog.records


def test_a_database_that_does_not_answer_holds_up_nobody_at_a_seat(journal: Journal, monkeypatch) -> None:
    monkeypatch.setattr(Journal, "local", False)
    asked, go_on = threading.Event(), threading.Event()
    revision = journal.revision

    def stuck() -> int:
        asked.set()
        go_on.wait()
        return revision()

    with server(journal) as address, ThreadPoolExecutor() as readers:
        monkeypatch.setattr(journal, "revision", stuck)
        waiting = readers.submit(httpx2.get, f"{address.rstrip('/')}/api/lab", timeout=600)
        try:
            assert asked.wait(600)
            # The journal is stuck, and yet a seat's question about itself is answered.
            assert httpx2.get(f"{address.rstrip('/')}/api/seat", headers={"Ostrom-Seat": "nobody's"}).status_code == 403
        finally:
            go_on.set()
        assert waiting.result().status_code == 200


def test_a_journal_that_is_deleted_under_a_server_takes_no_more_answers(
    tmp_path: Path, journal: Journal, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(journal) as one, httpx2.Client(base_url=one.address, timeout=600) as lab:
        hosted = one.call(one.host.start(game_with(["human", *PUNISHERS])))
        (seat,) = hosted.room.seats.values()
        holds = {"Ostrom-Seat": seat.token}
        while (state := lab.get("/api/seat", headers=holds).json())["state"] != "asked":
            pass
        (tmp_path / "journal.db").unlink()
        answer = {"question": state["question"]["id"], "values": answer_to(state["question"]["answer"])}
        refused = lab.post("/api/seat/answer", headers=holds, json=answer)
        shown = lab.get("/api/games")
        started = lab.post("/api/games", json={"game": "punish", "players": PUNISHERS})
        after = lab.get("/api/seat", headers=holds).json()
    assert (shown.status_code, started.status_code) == (400, 400)
    for told in (shown, started):
        assert "was deleted or moved while it was open" in told.json()["detail"]
    assert refused.status_code == 403
    # Who sits there is not told where the journal is.
    assert "journal.db" not in refused.text
    assert after["state"] == "stopped"
    assert "was deleted or moved" in capsys.readouterr().err
