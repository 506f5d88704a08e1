"""Replies about finished games are computed once for a state of the journal, also by servers that start later."""

import pytest

from kept import opened
from ostrom.experiment.hosting import Host
from ostrom.journal.write import touch
from ostrom.web import app, reply_store
from ostrom.web.api import studies
from ostrom.web.service import Service
from serving import client
from studied import played

ADDRESSES = ("/api/studies", "/api/ratings?kind=punish", "/api/charts?kind=punish")


@pytest.fixture
def journal(tmp_path, monkeypatch):
    monkeypatch.setattr(reply_store, "_MIN_DURATION_S", 0.0)
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        experiment = journal.new_experiment("first", kind="punish")
        for key, record in played(True):
            journal.add_game(experiment, record, key=key)
        yield journal


def replies(journal):
    with client(journal) as lab:
        return [lab.get(address).json() for address in ADDRESSES]


@pytest.mark.slow
def test_a_server_that_starts_again_computes_nothing_again(journal, monkeypatch):
    revision, before = journal.revision(), replies(journal)
    assert journal.revision() == revision
    for name in ("ostrom.web.computing.rate_players", "ostrom.web.api.studies.most_first"):
        monkeypatch.setattr(name, None)
    assert replies(journal) == before
    assert Service(journal, Host(journal)).studies.are_stored()
    app.warm_up(Service(journal, Host(journal)))


@pytest.mark.slow
def test_writes_that_end_no_game_leave_the_replies(journal):
    replies(journal)
    store = Service(journal, Host(journal)).studies
    revision, key = journal.revision(), store._store.key()
    with journal._claims.writing() as connection:
        touch(connection)
    assert Service(journal, Host(journal)).studies._store.key() == key
    assert Service(journal, Host(journal)).studies.are_stored()
    assert journal.revision() > revision


@pytest.mark.slow
def test_another_state_of_the_journal_or_of_the_code_is_computed(journal, monkeypatch):
    before = replies(journal)
    key, record = played(False)[0]
    journal.add_game(journal.experiment_id("first"), record, key=f"further {key}")
    after = replies(journal)
    assert after[0]["studies"][0]["games"] == before[0]["studies"][0]["games"] + 1
    monkeypatch.setattr(reply_store, "_code", lambda: "another version")
    assert not Service(journal, Host(journal)).studies.are_stored()


@pytest.mark.slow
def test_a_damaged_reply_is_computed_again_and_their_number_is_bounded(journal, monkeypatch):
    monkeypatch.setattr(reply_store, "_MAX_REPLIES", 1)
    before = replies(journal)
    key = Service(journal, Host(journal)).studies._store.key()
    stored = journal.ended.tables("/replies", 1, key)
    assert len(stored) == 1
    journal.ended.keep_tables("/replies", 1, key, dict.fromkeys(stored, b"{" * 10))
    assert replies(journal) == before
    assert studies.studies_here(Service(journal, Host(journal)))
