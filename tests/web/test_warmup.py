"""Results for the first readers are computed in advance: once, within bounds, and until the server stops."""

from threading import Event, Thread

import pytest

from kept import opened
from ostrom.core import InputError
from ostrom.experiment.hosting import Host
from ostrom.web import app, cache, replies
from ostrom.web.service import Service
from serving import client
from studied import champions, played

ADDRESSES = ("/api/ratings", "/api/ratings?kind=commons", "/api/charts?kind=commons", "/api/messages")


@pytest.fixture
def journal(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        for kind, games in (("punish", played(True)), ("commons", champions())):
            experiment = journal.new_experiment(kind, kind=kind)
            for key, record in games:
                journal.add_game(experiment, record, key=key)
        yield journal


@pytest.fixture
def read(journal, monkeypatch):
    """The games that were read, as they are."""
    result, records = [], journal.ended.records
    monkeypatch.setattr(journal.ended, "records", lambda ids: (result.extend(ids), records(ids))[1])
    return result


def warmup(service):
    return Thread(target=app.warm_up, args=(service,))


def warmed(one):
    one.start()
    one.join(600)
    assert not one.is_alive()


@pytest.mark.slow
def test_who_asks_later_waits_for_no_game_to_be_read_and_no_rating_to_be_made(journal, read, monkeypatch):
    with client(journal) as lab:
        warmed(lab.app.state.warmup)
        games = len(played(True)) + len(champions())
        assert len(read) == 2 * games  # once for boards, and once for what games are found by, which is kept
        monkeypatch.setattr("ostrom.web.computing.rate_players", None)
        for address in ADDRESSES:
            assert lab.get(address).status_code == 200
        assert len(read) == 2 * games


def test_more_games_than_that_are_left_until_somebody_asks(journal, read, monkeypatch):
    monkeypatch.setattr(app, "_MAX_WARMED_GAMES", 1)
    monkeypatch.setattr(app, "_MAX_RATED_GAMES", 1)
    monkeypatch.setattr(app, "_summarise_games", lambda service: None)
    warmed(warmup(Service(journal, Host(journal))))
    assert read == []


def test_every_experiment_is_rated_by_itself_before_anybody_asks(journal, monkeypatch):
    second = journal.new_experiment("second", kind="punish")
    for key, record in played(False):
        journal.add_game(second, record, key=key)
    with client(journal) as lab:
        warmed(lab.app.state.warmup)
        monkeypatch.setattr("ostrom.web.computing.rate_players", None)
        for name in ("punish", "second"):
            assert lab.get("/api/ratings", params={"kind": "punish", "experiment": name}).json()["rows"]


def test_nothing_is_begun_after_the_end(journal, read):
    service = Service(journal, Host(journal))
    service.studies.end()
    warmed(warmup(service))
    assert read == []


def test_the_end_is_heard_while_games_are_read(journal, monkeypatch):
    service = Service(journal, Host(journal))
    made = []
    monkeypatch.setattr(app, "standings", lambda *of: (made.append(of), service.studies.end()))
    monkeypatch.setattr(app, "_summarise_games", made.append)
    warmed(warmup(service))
    assert len(made) == 1


def test_nobody_is_shown_anything_where_people_only_sit(journal, read):
    one = warmup(Service(journal, Host(journal), laboratory=False))
    warmed(one)
    assert read == []


def test_a_journal_that_cannot_be_read_is_told_to_who_asks(journal, monkeypatch, capsys):
    def refused(ids):
        raise InputError("the journal cannot be read")

    monkeypatch.setattr(journal.ended, "records", refused)
    with client(journal) as lab:
        warmed(lab.app.state.warmup)
        assert lab.get("/api/ratings").json() == {"detail": "the journal cannot be read"}
    assert capsys.readouterr().err == ""


def test_who_would_rather_ask_again_is_told_how_far_an_answer_is(journal, monkeypatch):
    monkeypatch.setattr(replies, "_ASYNC_AFTER_S", 0.05)
    reading, released = Event(), Event()
    tables = cache.study_tables

    def slowly(journal, study, new, check):
        check()
        reading.set()
        assert released.wait(600)
        return tables(journal, study, new, check)

    monkeypatch.setattr(cache, "study_tables", slowly)
    with client(journal) as lab:
        asked = lab.get("/api/ratings", headers={"Prefer": "respond-async"})
        assert (asked.status_code, asked.headers["retry-after"]) == (202, "1")
        assert reading.wait(600)
        again = lab.get("/api/ratings", headers={"Prefer": "respond-async"}).json()
        assert again == {"detail": f"reading games: 0 of {len(played(True))}"}
        released.set()
        assert lab.get("/api/ratings").status_code == 200
