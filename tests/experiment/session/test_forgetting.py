"""Personal data of a session can be deleted: from every table, from the file, from the search for words, and so that
payoffs still replay."""

from datetime import timedelta
from pathlib import Path

import pytest

from kept import opened
from ostrom.analysis.highlights import summarise
from ostrom.core import InputError
from ostrom.experiment.match import replay
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.forgetting import MARKER, due_sessions, forget_session, is_forgotten
from ostrom.experiment.session.state import SessionState
from ostrom.journal.messages import MessageQuery
from ostrom.journal.schema import metadata
from ostrom.journal.sessions import NewEntry
from stored_session import FILE, SECRET, START, play_session

WORDS = SECRET.encode().split()


def rows(journal):
    """All rows of all tables as text."""
    with journal._database.reading() as connection:
        return {
            table.name: [tuple(map(str, row)) for row in connection.execute(table.select())]
            for table in metadata.sorted_tables
        }


def paid(journal, session):
    """What every participant earned, from the entries."""
    state = SessionState(SessionFile.model_validate(session.settings["file"]))
    state.fold(journal.sessions.entries(session.id))
    return {number: (person.paid.total, person.points) for number, person in state.participants.items()}


def files_of(url):
    path = Path(url.removeprefix("sqlite:///"))
    return b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))


@pytest.fixture
def played(store):
    with opened(store) as journal:
        session = play_session(journal)
        summarise(journal, float("inf"))
        yield journal, session


def test_nothing_personal_remains_and_payoffs_still_replay(played, store):
    journal, session = played
    assert journal.messages.find(MessageQuery(("zanzibar",))).total > 0
    before = paid(journal, session)
    finals = [row.finals for row in journal.ended.results(["contributions"])]
    erased = forget_session(journal, "class")
    assert erased.incomplete is None
    assert {kind: erased.counts[kind] for kind in ("label", "panel", "answer", "chat", "labels", "tokens")} == {
        "label": 4,
        "panel": 4,
        "answer": 4,
        "chat": 1,
        "labels": 4,
        "tokens": 4,
    }
    assert not [table for table, lines in rows(journal).items() if SECRET in str(lines)]
    assert journal.sessions.personal(session.id) == []
    assert paid(journal, journal.sessions.find(session.id)) == before
    assert [row.finals for row in journal.ended.results(["contributions"])] == finals
    said = set()
    for row in journal.games():
        record = journal.record(row.id)
        replay(record)
        said |= {event["text"] for event in record.events if event["event"] == "message_said"}
    assert said == {"", MARKER}
    assert summarise(journal, float("inf")) == 0
    assert journal.messages.find(MessageQuery(("zanzibar",))).total == 0
    assert journal.messages.find(MessageQuery(("deleted",))).total > 0
    assert not any(journal.check())
    entries = journal.sessions.entries(session.id)
    assert (entries[-1].kind, entries[-1].data["what"]) == ("forgotten", erased.counts)
    assert is_forgotten(journal, session)
    if store.startswith("sqlite"):
        left = files_of(store)
        assert not [word for word in WORDS if word in left or word.lower() in left.lower()]


@pytest.mark.slow
def test_the_test_would_find_what_remains(played, store):
    journal, _ = played
    assert {table for table, lines in rows(journal).items() if SECRET in str(lines)} >= {
        *("answers", "events", "texts", "calls", "message_texts"),
        *("sessions", "session_personal", "session_entries"),
    }
    if store.startswith("sqlite"):
        assert WORDS[0] in files_of(store)


def test_a_session_that_is_being_run_is_not_forgotten(played):
    journal, session = played
    with journal.claim(session.experiment), pytest.raises(InputError, match="another process"):
        forget_session(journal, "class")
    assert len(journal.sessions.personal(session.id)) == 13


@pytest.mark.slow
def test_other_games_keep_their_texts(played):
    journal, session = played
    other = play_session(journal, {**FILE, "session": {**FILE["session"], "name": "other"}})
    games = {row.id: journal.record(row.id) for row in journal.games(other.experiment)}
    calls = {row.id: journal.calls(row.id) for row in journal.games(other.experiment)}
    forget_session(journal, session.id)
    assert {row.id: journal.record(row.id) for row in journal.games(other.experiment)} == games
    assert {row.id: journal.calls(row.id) for row in journal.games(other.experiment)} == calls
    assert len(journal.sessions.personal(other.id)) == 13


@pytest.mark.slow
def test_sessions_are_due_when_their_time_is_over_and_only_once(played):
    journal, session = played
    last = max(entry.at for entry in journal.sessions.entries(session.id))
    assert last > START.isoformat()
    assert due_sessions(journal, START + timedelta(days=30)) == []
    assert [one.id for one in due_sessions(journal, START + timedelta(days=31))] == [session.id]
    journal.sessions.create("without a limit", {"file": {**FILE, "recording": {}}})
    forget_session(journal, "class")
    assert due_sessions(journal, START + timedelta(days=10_000)) == []
    journal.sessions.append(session.id, [NewEntry("served", {}, None, START.isoformat())])
    assert not is_forgotten(journal, session)
