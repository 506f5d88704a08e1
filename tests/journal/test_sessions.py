"""Sessions of people in the journal: entries without gaps, personal data apart, tokens as digests, and what happens to
them in a deletion, a check and a repair."""

import threading

import pytest

from kept import HOSTILE, commons, opened
from ostrom.core import InputError, RecordError, UnknownName
from ostrom.journal.sessions import (
    CODE_LENGTH,
    CODE_LETTERS,
    NewEntry,
    PersonalValue,
    StaleEntries,
    token_digest,
)


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        yield journal


def count(journal, table):
    with journal._database.reading() as connection:
        return connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar()


def test_a_session_has_an_experiment_and_a_join_code_and_is_found_by_each(journal):
    one = journal.sessions.create("class", {"file": {"title": HOSTILE}, "seed": 3})
    two = journal.sessions.create("study", {})
    assert (one.id, one.state, one.place, one.settings["file"]["title"]) == ("s-1", "open", None, HOSTILE)
    assert len(one.code) == CODE_LENGTH
    assert set(one.code) <= set(CODE_LETTERS)
    assert journal.sessions.all() == [one, two]
    found = (journal.sessions.find("class"), journal.sessions.find("s-1"), journal.sessions.by_code(one.code.lower()))
    assert found == (one, one, one)
    assert journal.sessions.of_experiment(two.experiment) == two
    assert journal.sessions.of_experiment("nothing-1") is None
    assert [journal.sessions.by_code(code) for code in ("", "AAAAAAA", "\x00AAAAA", "00000I")] == [None] * 4
    assert [row.kind for row in journal.experiments()] == ["session", "session"]
    with pytest.raises(UnknownName, match="klass"):
        journal.sessions.find("klass")
    journal.sessions.create("class", {})
    with pytest.raises(InputError, match="2 sessions have the name 'class'; name one by its id: s-1, s-3"):
        journal.sessions.find("class")
    journal.sessions.set_state("s-1", "running")
    journal.sessions.set_place("s-1", "127.0.0.1:8000")
    journal.sessions.set_settings("s-1", {"seed": 4})
    assert journal.sessions.find("s-1")[6:] == ("running", {"file": {"title": HOSTILE}, "seed": 4}, "127.0.0.1:8000")
    with pytest.raises(InputError, match="not a state"):
        journal.sessions.set_state("s-1", "lost")


def test_entries_have_numbers_without_gaps_and_a_writer_that_is_behind_is_refused(journal):
    journal.sessions.create("class", {})
    add = journal.sessions.append
    assert add("s-1", [NewEntry("joined", {"language": "en"}, 1), NewEntry("ended", {})], after=-1) == [0, 1]
    assert add("s-1", [NewEntry("notice", {"text": HOSTILE}, None, "2026-01-01T00:00:00+00:00")], after=1) == [2]
    for behind in (-1, 1, 3):
        with pytest.raises(StaleEntries):
            add("s-1", [NewEntry("ended", {})], after=behind, personal=[PersonalValue(1, "label", "x")])
    assert journal.sessions.personal("s-1") == []
    entries = journal.sessions.entries("s-1")
    assert [(one.number, one.participant, one.kind, one.data) for one in entries] == [
        (0, 1, "joined", {"language": "en"}),
        (1, None, "ended", {}),
        (2, None, "notice", {"text": HOSTILE}),
    ]
    assert journal.sessions.entries("s-1", after=1) == entries[2:]
    assert journal.sessions.last_number("s-1") == 2
    with journal._database.writing() as connection:
        connection.exec_driver_sql("DELETE FROM session_entries WHERE number = 1")
    with pytest.raises(RecordError, match="lacks its entry 1"):
        journal.sessions.entries("s-1")


def test_writers_at_once_never_share_a_number(store):
    with opened(store) as journal:
        journal.sessions.create("class", {})
    numbers, failed = [], []

    def write():
        try:
            with opened(store) as journal:
                for _ in range(8):
                    numbers.extend(journal.sessions.append("s-1", [NewEntry("a", {}), NewEntry("b", {})]))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(numbers) == list(range(64))


def test_personal_values_are_apart_from_entries_and_the_last_one_counts(journal):
    journal.sessions.create("class", {})
    values = [PersonalValue(1, "label", "A1"), PersonalValue(2, "answer.why", HOSTILE), PersonalValue(1, "label", "B")]
    journal.sessions.append("s-1", [NewEntry("joined", {}, 1)], personal=values)
    stored = [(one.participant, one.name, one.value) for one in journal.sessions.personal("s-1")]
    assert stored == [(1, "label", "B"), (2, "answer.why", HOSTILE)]
    for name, value in (("x" * 300, "a"), ("label", "a" * 200_000), ("\x00", "a")):
        with pytest.raises(InputError):
            journal.sessions.append("s-1", [NewEntry("joined", {}, 1)], personal=[PersonalValue(1, name, value)])
    assert journal.sessions.last_number("s-1") == 0


def test_tokens_are_stored_as_digests_and_a_renewed_one_replaces_the_old_one(journal, store):
    journal.sessions.create("class", {})
    journal.sessions.create("other", {})
    add = journal.sessions.add_token
    add("s-1", token_digest("secret"), participant=1, purpose="participant")
    add("s-1", token_digest("second"), participant=2, purpose="participant")
    add("s-1", token_digest("host"), participant=None, purpose="host")
    owner = journal.sessions.participant_of(token_digest("secret"))
    assert owner[1:] == ("s-1", 1, "participant")
    assert journal.sessions.participant_of(token_digest("host"))[1:] == ("s-1", None, "host")
    assert journal.sessions.participant_of("secret") is None
    add("s-1", token_digest("new"), participant=1, purpose="participant", renew=True)
    assert journal.sessions.participant_of(token_digest("secret")) is None
    assert {one.participant for one in journal.sessions.tokens("s-1")} == {1, 2, None}
    journal.sessions.add_links("s-1", [token_digest("link")])
    use = journal.sessions.use_link
    assert not use("s-2", token_digest("link"), 3)
    assert not use("s-1", token_digest("secret"), 3)
    assert use("s-1", token_digest("link"), 3)
    assert not use("s-1", token_digest("link"), 4)
    assert journal.sessions.participant_of(token_digest("link"))[1:] == ("s-1", 3, "link")
    for participant, purpose in ((None, "participant"), (1, "host"), (1, "owner")):
        with pytest.raises(InputError):
            add("s-1", token_digest("more"), participant=participant, purpose=purpose)


def test_a_deleted_experiment_takes_its_session_along_and_no_other(journal):
    for name in ("class", "study"):
        session = journal.sessions.create(name, {})
        journal.add_game(session.experiment, commons(turns=1), key="g1/table 1/1")
        personal = [PersonalValue(1, "label", name)]
        journal.sessions.append(session.id, [NewEntry("joined", {}, 1)], personal=personal)
        journal.sessions.add_token(session.id, token_digest(name), participant=1, purpose="participant")
    with journal.claim("session-1"):
        journal.delete("session-1")
    assert [one.name for one in journal.sessions.all()] == ["study"]
    for table in ("sessions", "session_entries", "session_personal", "session_tokens", "games"):
        assert count(journal, table) == 1
    assert not any(journal.check())


def test_a_copy_of_an_experiment_has_its_games_without_the_session(journal, tmp_path):
    session = journal.sessions.create("class", {})
    journal.add_game(session.experiment, commons(turns=1), key="g1/table 1/1")
    personal = [PersonalValue(1, "label", "Anna")]
    journal.sessions.append(session.id, [NewEntry("joined", {}, 1)], personal=personal)
    with opened(f"sqlite:///{tmp_path / 'copy.db'}") as copy:
        assert journal.copy_to(copy, [session.experiment]) == 1
        assert copy.sessions.all() == []
        assert not any(copy.check())


DAMAGE = (
    ("UPDATE sessions SET settings = '['", "sessions.1.settings"),
    ("UPDATE sessions SET state = 'lost'", "sessions.1.state"),
    ("UPDATE session_entries SET data = 'half' WHERE number = 0", "session_entries.1.0.data"),
    ("UPDATE session_personal SET value = 'half'", "session_personal.1.1.label.value"),
    ("UPDATE session_tokens SET purpose = 'owner' WHERE participant = 1", "purpose"),
)


@pytest.mark.parametrize(("statement", "place"), DAMAGE)
def test_damage_is_reported_and_mended_and_entries_keep_their_numbers(journal, statement, place, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # a repair on a server writes its copy of the rows there
    journal.sessions.create("class", {})
    personal = [PersonalValue(1, "label", "A")]
    journal.sessions.append("s-1", [NewEntry("joined", {}, 1), NewEntry("ended", {})], personal=personal)
    journal.sessions.add_token("s-1", token_digest("a"), participant=1, purpose="participant")
    with journal._database.writing() as connection:
        connection.exec_driver_sql(statement)
    assert place in str(journal.check()[1][0])
    assert journal.repair().left == []
    assert [one.number for one in journal.sessions.entries("s-1")] == [0, 1]
    assert [one for one in journal.sessions.tokens("s-1") if one.purpose == "host"] == []
