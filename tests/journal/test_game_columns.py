"""What the journal keeps of a game besides what happens in it: where it comes from, how it looks, what each seat ended
with, and why it is void in a word."""

import asyncio
import json
from dataclasses import replace

import pytest

import ostrom
from kept import commons, finish, opened, opening, punish, start_game
from ostrom.core import InputError, RecordError
from ostrom.core.plugins import GAMES
from ostrom.core.telling import finals_of
from ostrom.experiment.store import check_versions, keep
from ostrom.journal.record import Origin, origin_of
from ostrom.journal.sql import Journal

ORIGIN = Origin("ostrom-harvest", "3", {"layout": "table", "title": "Harvest 🐟"})


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        journal.new_experiment("one", kind="test")
        yield journal


def rows(journal, statement):
    with journal._database.reading() as connection:
        return connection.exec_driver_sql(statement).all()


def test_a_whole_game_has_its_origin_and_its_finals(journal):
    assert journal.add_game("test-1", punish(), key="k", origin=ORIGIN, finals=[16, 12.5, None])
    (row,) = journal.games()
    assert (row.package, row.version, row.finals) == ("ostrom-harvest", "3", (16, 12.5, None))
    assert (row.code, row.seat) == (None, None)
    assert journal.origin("k") == ORIGIN
    record = journal.record("k")
    assert (record.package, record.game_version, record.finals) == ("ostrom-harvest", "3", [16, 12.5, None])
    (studied,) = journal.ended.records([row.id])
    assert (studied.record.package, studied.record.finals) == ("ostrom-harvest", [16, 12.5, None])
    assert journal.pages.games().games == [row]
    assert journal.pages.game("k").row == row


def test_a_game_of_which_nothing_is_said_has_none(journal):
    journal.add_game("test-1", punish(), key="k")
    (row,) = journal.games()
    assert (row.package, row.version, row.finals) == (None, None, None)
    assert journal.origin("k") == Origin()
    assert journal.versions("one") == set()


def test_a_scene_is_stored_once(journal):
    for number in range(3):
        journal.add_game("test-1", punish(number), key=str(number), origin=ORIGIN)

    async def play():
        async with journal.ledgers("one") as ledgers:
            for key in ("a", "b"):
                await ledgers.open(opening(punish()), key, ORIGIN)

    asyncio.run(play())
    assert len(rows(journal, "SELECT scene FROM games WHERE scene IS NOT NULL")) == 5
    assert len(rows(journal, "SELECT digest FROM texts")) == 1
    assert journal.origin("b") == ORIGIN


def test_a_game_under_way_gets_its_finals_when_it_ends(journal):
    async def play():
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k", ORIGIN)
            assert journal.games()[0].version == "3"
            assert journal.games()[0].finals is None
            await ledger.finish([1, 2, 3])

    asyncio.run(play())
    game = start_game(journal, "test-1", opening(punish(1)), key="l", origin=ORIGIN)
    finish(journal, game, [4, 5, None])
    assert [row.finals for row in journal.games()] == [(1, 2, 3), (4, 5, None)]


def test_a_void_game_says_why_in_words_and_in_a_word(journal):
    async def play():
        async with journal.ledgers("one") as ledgers:
            ledger = await ledgers.open(opening(punish()), "k", ORIGIN)
            await ledger.void("P2 gave no answer: refused: I \ud83d would rather not", "refused", 1)
            ledger = await ledgers.open(opening(punish()), "l")
            await ledger.void("nobody knows")

    asyncio.run(play())
    told = [(row.state, row.code, row.seat, row.finals) for row in journal.games()]
    assert told == [("void", "refused", 1, None), ("void", None, None, None)]


@pytest.mark.parametrize("finals", [[float("nan"), 1, 2], [float("inf"), 1, 2]])
def test_what_is_no_figure_is_refused_and_nothing_is_stored(journal, finals):
    with pytest.raises(InputError, match="what the seats ended with cannot be stored"):
        journal.add_game("test-1", punish(), key="k", finals=finals)
    assert journal.games() == []


@pytest.mark.parametrize("damage", ["7", '["a"]', "[1,"])
def test_damaged_finals_are_named(journal, damage):
    journal.add_game("test-1", punish(), key="k", finals=[1, 2, 3])
    with journal._database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE games SET finals = '{damage}'")
    with pytest.raises(RecordError, match=r"the game test-1\.1 of the journal cannot be read: finals"):
        journal.games()


def test_a_match_is_kept_with_the_origin_and_the_finals_of_its_game(journal):
    match = ostrom.play(["Justicier", "Parasite", "RandomPlayer"], seed=5)
    assert keep(journal, "test-1", match, "k")
    assert not keep(journal, "test-1", match, "k")
    (row,) = journal.games()
    assert (row.package, row.version) == ("ostrom", GAMES["commons"].version)
    assert row.finals == tuple(finals_of(match.game, match.events))
    scene = journal.origin("k").scene
    assert scene == origin_of(match.game, match.rules, 3).scene
    assert json.loads(json.dumps(scene))["layout"] == "dashboard"


def test_games_of_a_package_that_is_not_installed_are_listed_and_read(journal):
    record = punish().model_copy(update={"game": "nobody_has_it"})
    journal.add_game("test-1", record, key="k", origin=ORIGIN, finals=[3, 1, 2])
    with Journal.open(_url(journal)) as other:
        assert other.games()[0].finals == (3, 1, 2)
        (kept,) = other.records()
        assert kept.record.finals == [3, 1, 2]
        assert kept.record.package == "ostrom-harvest"


def _url(journal):
    return journal._database.location.url.render_as_string(hide_password=False)


def test_going_on_with_games_of_another_version_is_refused(journal):
    match = ostrom.play(["Justicier", "Parasite"], seed=5)
    game = replace(match.game, version="0")
    keep(journal, "test-1", replace(match, game=game), "k")
    assert journal.versions("one") == {("commons", "0")}
    with pytest.raises(InputError) as told:
        check_versions(journal, "test-1")
    assert "were begun with version 0 of commons, and version" in str(told.value)
    assert "\n" not in str(told.value)
    assert "accept_version resumes anyway" in str(told.value)


def test_a_record_read_from_a_journal_is_the_one_that_was_kept(journal):
    for key, record in (("a", commons()), ("b", punish())):
        journal.add_game("test-1", record, key=key)
        assert journal.record(key) == record
