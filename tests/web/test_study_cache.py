"""Caches: every game is read once and every reply is computed once, also for concurrent requests."""

import asyncio
import threading
import time

import pytest
from polars.testing import assert_frame_equal

from kept import append, finish, start_game
from measured import COMMONS, PUNISH
from ostrom.core import InputError
from ostrom.journal.sql import Journal
from ostrom.web import cache
from ostrom.web.cache import AnswerCache, StudyCache
from ostrom.web.revision import Revision
from studied import champions, played


@pytest.fixture
def journal(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/lab.db", create=True) as opened:
        yield opened


class Told:
    """A revision that stands in no journal."""

    def __init__(self, revision, local=True):
        self.revision, self.local = revision, local


def answers_by(revision, threads):
    """Answers that stay for as long as the revision does."""
    return AnswerCache(Revision(Told(revision), clock=lambda: float("inf")), threads)


def studies_of(journal):
    """A cache that asks the journal each time whether it has changed."""
    return StudyCache(journal, Revision(journal, clock=lambda: float("inf")))


def same(found, expected):
    for name in ("games", "seats", *expected.ACTORS):
        assert_frame_equal(getattr(found, name), getattr(expected, name))


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "games"), [(PUNISH, played(True)), (COMMONS, champions())])
def test_games_that_end_in_another_order_than_they_began_make_the_same_tables(journal, kind, games):
    experiment = journal.new_experiment("one", kind=kind.command)
    begun = {
        key: start_game(journal, experiment, record.model_copy(update={"answers": [], "events": []}), key=key)
        for key, record in games
    }
    cache = studies_of(journal)
    for number, (key, record) in enumerate(reversed(games), start=1):
        append(journal, begun[key], record.answers, record.events)
        finish(journal, begun[key])
        result = cache.tables(kind)
        assert result.tables.games.height == number
    same(result.tables, kind.tables(journal.records()))


def test_no_game_is_read_twice(journal, monkeypatch):
    experiment = journal.new_experiment("one", kind="punish")
    read = []
    records = journal.ended.records
    monkeypatch.setattr(journal.ended, "records", lambda ids: (read.extend(ids), records(ids))[1])
    cache = studies_of(journal)
    for key, record in played(True):
        journal.add_game(experiment, record, key=key)
        cache.tables(PUNISH)
        cache.tables(PUNISH)
    assert read == [row.id for row in journal.games()]


def test_the_stage_grows_when_a_game_ends_and_not_while_it_is_played(journal):
    experiment = journal.new_experiment("one", kind="punish")
    before = journal.ended.stage()
    record = played(True)[0][1]
    game = start_game(journal, experiment, record.model_copy(update={"answers": [], "events": []}), key="a")
    append(journal, game, record.answers, record.events)
    assert journal.ended.stage() == before
    finish(journal, game)
    assert journal.ended.stage() != before


def test_an_answer_is_made_once_however_many_wait_for_it():
    made = []

    async def all_of_them():
        cache = answers_by(lambda: 0, 1)
        return await asyncio.gather(*(cache.answer("a", lambda: made.append(1) or b"{}") for _ in range(50)))

    bodies = asyncio.run(all_of_them())
    assert len(made) == 1
    assert {body.plain for body in bodies} == {b"{}"}


def test_an_answer_that_cannot_be_made_is_told_to_all_and_tried_again():
    tried = []

    def fail():
        tried.append(1)
        raise ValueError("no")

    async def all_of_them():
        cache = answers_by(lambda: 0, 2)
        first = await asyncio.gather(*(cache.answer("a", fail) for _ in range(5)), return_exceptions=True)
        return first, await cache.answer("a", lambda: b"1")

    told, then = asyncio.run(all_of_them())
    assert [str(error) for error in told] == ["no"] * 5
    assert len(tried) == 1
    assert then.plain == b"1"


def test_so_many_answers_are_made_at_once_and_no_more():
    at_once, most, lock = [0], [0], threading.Lock()
    going = threading.Barrier(2, timeout=600)

    def make():
        with lock:
            at_once[0] += 1
            most[0] = max(most[0], at_once[0])
        going.wait()
        with lock:
            at_once[0] -= 1
        return b"{}"

    async def all_of_them():
        cache = answers_by(lambda: 0, 2)
        await asyncio.gather(*(cache.answer(str(number), make) for number in range(6)))

    asyncio.run(all_of_them())
    assert most[0] == 2


def test_what_took_no_time_is_made_on_the_spot_until_the_journal_changes():
    revision, threads = [0], []
    here = threading.get_ident()

    def make():
        threads.append(threading.get_ident() == here)
        return b"{}"

    def dawdle():
        end = time.thread_time() + 0.05
        while time.thread_time() < end:
            pass
        return make()

    async def all_of_them():
        cache = answers_by(lambda: revision[0], 1)
        await cache.answer("a", make, "quick")
        await cache.answer("b", make, "quick")
        await cache.answer("c", make, "another")
        await cache.answer("d", make)
        revision[0] = 1
        await cache.answer("e", make, "quick")
        await cache.answer("f", dawdle, "quick")
        await cache.answer("g", make, "quick")

    asyncio.run(all_of_them())
    assert threads == [False, True, False, False, False, True, False]


def test_a_server_that_stops_begins_nothing_more(journal):
    experiment = journal.new_experiment("one", kind="punish")
    for key, record in played(True):
        journal.add_game(experiment, record, key=key)
    cache = StudyCache(journal, Revision(journal))
    cache.end()
    with pytest.raises(InputError, match="the server is stopping"):
        cache.tables(PUNISH)
    with pytest.raises(InputError, match="the server is stopping"):
        cache.get_or_make("a", lambda: 1)


def test_large_tables_take_no_place_from_what_was_computed(journal, monkeypatch):
    monkeypatch.setattr(cache, "_MAX_TABLE_BYTES", 2**20)
    studies = StudyCache(journal, Revision(journal))
    studies.get_or_make("a rating", lambda: "computed")
    tables = studies.tables(PUNISH).tables
    made = []
    for _ in range(2):
        for number in range(50):
            studies.get_or_choose(number, lambda: made.append(None) or tables)
    assert len(made) == 100  # so many have no room
    assert studies.get_or_make("a rating", lambda: "computed again") == "computed"


def test_who_asks_after_a_change_is_not_given_what_was_begun_before(journal):
    async def answers():
        revision = Revision(journal)
        cache, begun = AnswerCache(revision, threads=2), threading.Event()

        def names():
            result = [row.name for row in journal.experiments()]
            begun.set()
            time.sleep(0.2)
            return repr(result).encode()

        first = asyncio.create_task(cache.answer("experiments", names))
        await asyncio.to_thread(begun.wait)
        journal.new_experiment("new", kind="punish")
        revision.forget()
        both = await asyncio.gather(*(cache.answer("experiments", names) for _ in range(2)))
        return [one.plain for one in (await first, *both)]

    assert asyncio.run(answers()) == [b"[]", b"['new']", b"['new']"]
