"""Cached replies and built pages: encodings, ETags, and invalidation."""

import asyncio
import gzip
import math
import threading
from pathlib import Path

import pytest

from kept import opened, punish
from ostrom.analysis.highlights import summarise
from ostrom.journal.sql import Journal
from ostrom.web.revision import EndedCounter, Revision
from serving import client
from studied import played


@pytest.fixture
def journal(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        experiment = journal.new_experiment("one", kind="punish")
        for key, record in played(True):
            journal.add_game(experiment, record, key=key)
        summarise(journal, math.inf)
        yield journal


ADDRESSES = ("/api/lab", "/api/games?limit=2", "/api/games/punish-1.1/record", "/api/tables/seats?limit=3&pool=rules")


@pytest.mark.parametrize("address", ADDRESSES)
def test_what_lies_ready_is_sent_without_its_route(journal, monkeypatch, address):
    with client(journal) as lab:
        first = lab.get(address)
        monkeypatch.setattr("fastapi.routing.APIRoute.handle", None)
        again = lab.get(address)
        known = lab.get(address, headers={"If-None-Match": first.headers["etag"]})
        assert lab.get(f"{address}&limit=1" if "?" in address else f"{address}?limit=1").status_code == 500
    assert first.status_code == 200
    assert (again.content, dict(again.headers)) == (first.content, dict(first.headers))
    assert (known.status_code, known.content) == (304, b"")


@pytest.mark.slow
def test_what_lies_ready_is_sent_for_as_long_as_it_holds(journal):
    with client(journal) as lab:
        before = [lab.get(address).content for address in ADDRESSES]
        journal.add_game("punish-1", punish(9), key="more")
        lab.app.state.service.revision._until = float("-inf")
        after = [lab.get(address).content for address in ADDRESSES]
    assert [old == new for old, new in zip(before, after, strict=True)] == [False, False, True, False]


def test_what_lies_ready_is_sent_to_who_knows_the_token_alone(journal):
    with client(journal, token="a-long-secret") as lab:
        allowed = {"Authorization": "Bearer a-long-secret"}
        assert lab.get("/api/games", headers=allowed).status_code == 200
        assert lab.get("/api/games").status_code == 401
        assert lab.get("/api/games", headers={**allowed, "Host": "elsewhere"}).status_code == 421
        assert lab.head("/api/games", headers=allowed).status_code == 405


class Server:
    """A journal on a server, that tells which thread asks it."""

    local = False

    def __init__(self):
        self.threads, self.number = [], 1

    def revision(self):
        self.threads.append(threading.get_ident())
        return self.number

    def stage(self):
        return (self.revision(),)


def test_the_event_loop_asks_no_server_for_a_revision_however_old_the_last_one_is():
    server, now = Server(), [0.0]
    revision = Revision(server, clock=lambda: now[0])
    stage = EndedCounter(server, revision)

    async def asked():
        told = []
        for moment in (0.0, 0.01, 0.03, 0.2, 10.0):
            now[0] = moment
            told.append((await revision.soon(), await stage.soon()))
            await asyncio.sleep(0.05)
            server.number += 1
        return told

    told = asyncio.run(asked())
    assert threading.get_ident() not in server.threads
    assert told[0] == (1, 1)
    assert told[-1][0] >= 4


def test_a_number_that_is_getting_old_is_asked_for_while_it_still_serves():
    server, now = Server(), [0.0]
    revision = Revision(server, clock=lambda: now[0])

    async def asked():
        first = await revision.soon()
        server.number = 2
        now[0] = 0.02
        young = await revision.soon()
        await asyncio.sleep(0.02)
        before = len(server.threads)
        now[0] = 0.04
        old = await revision.soon()
        while len(server.threads) == before:
            await asyncio.sleep(0.01)
        return first, young, old, before, await revision.soon()

    assert asyncio.run(asked()) == (1, 1, 1, 1, 2)


def test_what_a_name_means_is_never_asked_by_the_event_loop_of_a_server(journal, monkeypatch):
    monkeypatch.setattr(Journal, "local", False)
    meant, loops = journal.experiment_id, []
    monkeypatch.setattr(journal, "experiment_id", lambda name: (loops.append(_has_loop()), meant(name))[1])
    with client(journal) as lab:
        for offset in range(4):
            assert lab.get(f"/api/tables/seats?experiment=one&offset={offset}").status_code == 200
    assert loops == [False] * 4


def _has_loop():
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


SCRIPT = b"export const answer = 42;\n" * 100


@pytest.fixture
def lab(tmp_path):
    pages = tmp_path / "pages"
    (pages / "assets").mkdir(parents=True)
    files = {
        "index.html": b"<!doctype html>",
        "assets/page-1.js": SCRIPT,
        "assets/page-1.js.br": b"as a Brotli stream",
        "assets/page-1.js.gz": gzip.compress(SCRIPT),
    }
    for name, content in files.items():
        Path(pages, name).write_bytes(content)
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal, client(journal, pages=pages) as lab:
        yield lab


def asked(lab, name, accepted, **headers):
    return lab.get(name, headers={"Accept-Encoding": accepted, **headers})


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [("gzip, deflate, br", "br"), ("gzip;q=1.0", "gzip"), ("identity", None), ("", None), ("brotli, gzipped", None)],
)
def test_the_smallest_form_that_a_reader_takes(lab, accepted, encoding):
    with lab.stream("GET", "/assets/page-1.js", headers={"Accept-Encoding": accepted}) as reply:
        raw = b"".join(reply.iter_raw())
    assert reply.headers.get("content-encoding") == encoding
    assert reply.headers["vary"] == "Accept-Encoding"
    assert reply.headers["content-type"].startswith("text/javascript")
    if encoding == "br":
        assert raw == b"as a Brotli stream"
    else:
        assert (gzip.decompress(raw) if encoding else raw) == SCRIPT


def test_each_form_has_a_mark_of_its_own(lab):
    plain, packed = (asked(lab, "/assets/page-1.js", accepted).headers["etag"] for accepted in ("identity", "gzip"))
    assert plain != packed
    assert asked(lab, "/assets/page-1.js", "gzip", **{"If-None-Match": packed}).status_code == 304
    assert asked(lab, "/assets/page-1.js", "gzip", **{"If-None-Match": plain}).status_code == 200


def test_packed_files_are_no_pages_of_their_own(lab):
    assert asked(lab, "/assets/page-1.js.br", "br").status_code == 404
    assert "vary" not in asked(lab, "/", "br").headers
