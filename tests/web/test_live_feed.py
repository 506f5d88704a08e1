"""Streams of changes that are written by this process or by another one."""

import asyncio
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import httpx2
import pytest

from kept import append, commons, finish, opened, opening, punish, start_game, told_in
from ostrom.web.revision import Feed
from serving import running, sent_events, server

WRITER = """
import sys
from kept import append, commons, finish, opened

with opened(sys.argv[1]) as journal:
    record = commons(1)
    for event in record.events[2:]:
        append(journal, "test-1.1", events=[event])
    finish(journal, "test-1.1")
"""


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        yield journal


@pytest.fixture
def game(journal):
    """A game that is being played; two events have happened."""
    record = commons(1)
    game = start_game(journal, journal.new_experiment("one", kind="test"), opening(record), key="k")
    append(journal, game, record.answers[:9], record.events[:2])
    return game


@pytest.mark.slow
def test_a_game_that_another_process_plays_is_told_to_its_end(journal, game, store):
    record = commons(1)
    tellings = told_in(record)
    with server(journal) as address, httpx2.stream("GET", f"{address}/api/games/{game}/live", timeout=600) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        assert stream.headers["cache-control"] == "no-store"
        heard = sent_events(stream.iter_lines())
        assert next(heard) == ("events", {"first": 0, "events": record.events[:2], "told": tellings[:2]})
        assert next(heard) == ("state", {"state": "playing"})
        writer = subprocess.Popen([sys.executable, "-c", WRITER, store], env=with_tests())
        told, words = list(record.events[:2]), tellings[:2]
        for name, data in heard:
            if name == "state":
                assert data == {"state": "finished"}
                break
            assert data["first"] == len(told)
            told += data["events"]
            words += data["told"]
        assert told == record.events
        assert words == tellings
        assert next(heard, None) is None
        assert writer.wait() == 0


def test_a_reader_comes_in_where_it_was(journal, game):
    record = commons(1)
    append(journal, game, record.answers[9:], record.events[2:])
    finish(journal, game)
    with server(journal) as address:
        told = list(sent_events(httpx2.get(f"{address}/api/games/k/live", params={"first": 3}).iter_lines()))
        none = list(sent_events(httpx2.get(f"{address}/api/games/k/live", params={"first": 99}).iter_lines()))
    tellings = told_in(record)
    assert told == [
        ("events", {"first": 3, "events": record.events[3:], "told": tellings[3:]}),
        ("state", {"state": "finished"}),
    ]
    assert none == [("state", {"state": "finished"})]


def test_every_reader_is_told_that_the_journal_has_changed(journal, game):
    heard, gone = [], threading.Barrier(4, timeout=600)

    def listen(address):
        with httpx2.stream("GET", f"{address}/api/live", timeout=600) as stream:
            changes = sent_events(stream.iter_lines())
            first = next(changes)
            gone.wait()
            heard.append((first, next(changes)))

    with server(journal) as address:
        readers = [threading.Thread(target=listen, args=(address,)) for _ in range(3)]
        for reader in readers:
            reader.start()
        gone.wait()
        before = journal.revision()
        journal.add_game("test-1", punish(), key="more")
        for reader in readers:
            reader.join()
    told = [(("changed", {"revision": before}), ("changed", {"revision": before + 1}))] * 3
    assert heard == told


def test_a_server_that_stops_ends_its_streams_at_once(journal, game):
    with server(journal) as address:
        stream = httpx2.Client(timeout=600)
        following = stream.send(stream.build_request("GET", f"{address}/api/games/{game}/live"), stream=True)
        heard = sent_events(following.iter_lines())
        next(heard), next(heard)
    assert next(heard, None) is None
    stream.close()


def test_a_page_that_is_closed_is_forgotten(journal, game):
    with running(journal) as server:
        feed = server.app.state.service.feed
        for path in ("/api/live", f"/api/games/{game}/live"):
            with httpx2.stream("GET", f"{server.address}{path}", timeout=600) as stream:
                heard = sent_events(stream.iter_lines())
                next(heard)
                assert feed.readers == 1
            while feed.readers:
                time.sleep(0.01)


class Revisions:
    """A journal of which only the revision is asked."""

    def __init__(self):
        self.now, self.asked = 1, 0

    def __call__(self):
        self.asked += 1
        return self.now


def test_one_question_to_the_journal_does_for_all_readers():
    async def main():
        revisions = Revisions()
        feed = Feed(revisions, interval=0)

        async def read():
            async with feed.reading():
                assert await feed.after(-1) == 1
                return await feed.after(1)

        readers = [asyncio.create_task(read()) for _ in range(20)]
        while feed.readers < 20 or revisions.asked < 3:
            await asyncio.sleep(0)
        asking = [task for task in asyncio.all_tasks() if task.get_name() == "live feed"]
        assert len(asking) == 1
        revisions.now = 5
        assert await asyncio.gather(*readers) == [5] * 20
        assert feed.readers == 0
        before = revisions.asked
        for _ in range(20):
            await asyncio.sleep(0)
        assert revisions.asked == before  # nobody reads, so nobody asks
        assert asking[0].done()

    asyncio.run(main())


def test_a_reader_that_vanishes_is_forgotten():
    async def main():
        feed = Feed(Revisions(), interval=0)

        async def read():
            async with feed.reading():
                await feed.after(await feed.after(-1))

        reader = asyncio.create_task(read())
        while not feed.readers:
            await asyncio.sleep(0)
        reader.cancel()
        await asyncio.gather(reader, return_exceptions=True)
        assert feed.readers == 0

    asyncio.run(main())


def test_a_slow_reader_is_told_the_latest_and_no_more():
    async def main():
        revisions = Revisions()
        feed = Feed(revisions, interval=0)
        async with feed.reading():
            assert await feed.after(-1) == 1
            for revisions.now in range(2, 50):
                asked = revisions.asked
                while revisions.asked < asked + 2:
                    await asyncio.sleep(0)
            assert await feed.after(1) == 49

    asyncio.run(main())


def with_tests():
    """An environment in which a process finds the helpers of the tests."""
    return os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
