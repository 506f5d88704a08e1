"""A game that is kept moment by moment, as it is played: nothing is decided twice, and nothing is ever taken back."""

import re

import pytest
from sqlalchemy import Engine, event

from kept import commons, opened, opening, punish
from ostrom.core import InputError
from ostrom.journal.write import AlreadyDecided


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        yield journal


@pytest.fixture
def game(journal):
    return journal.start_game(journal.new_experiment("one", kind="test"), opening(punish()), key="k")


def test_a_game_kept_moment_by_moment_is_the_game_kept_at_once(journal):
    record = commons()
    experiment = journal.new_experiment("one", kind="test")
    game = journal.start_game(experiment, opening(record), key="k")
    for number, answer in enumerate(record.answers):
        journal.append(game, [answer])
        if number < len(record.events):
            journal.append(game, events=[record.events[number]])
    journal.append(game, events=record.events[len(record.answers) :])
    journal.finish(game)
    journal.add_game(experiment, record, key="l")
    assert [kept.record for kept in journal.records()] == [record, record]
    once, twice = journal.games()
    assert (once.rounds, once.state) == (twice.rounds, twice.state) == (4, "finished")


def test_a_game_may_start_with_what_has_happened(journal):
    record = punish()
    begun = record.model_copy(update={"answers": record.answers[:3], "events": record.events[:3]})
    game = journal.start_game(journal.new_experiment("one", kind="test"), begun, key="k")
    journal.append(game, record.answers[3:], record.events[3:])
    journal.finish(game)
    assert journal.record(game) == record


def test_an_unfinished_game_can_be_read_and_is_not_counted(journal, game):
    record = punish()
    journal.append(game, record.answers[:4], record.events[:3])
    so_far = journal.record(game)
    assert (so_far.answers, so_far.events) == (record.answers[:4], record.events[:3])
    assert list(journal.records()) == []
    [row] = journal.experiments()
    assert (row.games, row.playing, row.state, row.answers) == (0, 1, "unfinished", 4)
    [listed] = journal.games()
    assert (listed.state, listed.rounds) == ("playing", None)


def test_no_question_is_decided_twice(journal, game):
    record = punish()
    journal.append(game, record.answers[:4], record.events[:3])
    before = journal.revision()
    again = record.answers[3].model_copy(update={"value": 1})
    with pytest.raises(AlreadyDecided, match=r"seat 0 of the game test-1\.1 has decided on 'contribution' in turn 1"):
        journal.append(game, [record.answers[4], again], record.events[3:])
    with pytest.raises(AlreadyDecided):
        journal.append(game, [record.answers[5], record.answers[5]])
    assert journal.revision() == before
    found = journal.record(game)
    assert (found.answers, found.events) == (record.answers[:4], record.events[:3])
    journal.append(game, record.answers[4:], record.events[3:])
    journal.finish(game)
    assert journal.record(game) == record


def test_a_record_that_answers_twice_is_not_kept(journal):
    record = punish()
    twice = record.model_copy(update={"answers": [*record.answers, record.answers[0]]})
    with pytest.raises(AlreadyDecided):
        journal.add_game(journal.new_experiment("one", kind="test"), twice, key="k")
    assert journal.games() == []


def test_nothing_is_added_after_the_end(journal, game):
    journal.finish(game)
    for write in (lambda: journal.append(game, punish().answers[:1]), lambda: journal.finish(game)):
        with pytest.raises(InputError, match=r"test-1\.1 is finished"):
            write()
    with pytest.raises(InputError, match=r"no game 'test-1\.2'"):
        journal.append("test-1.2", punish().answers[:1])


def test_every_moment_raises_the_revision(journal, game):
    record = punish()
    seen = [journal.revision()]
    for answer in record.answers:
        journal.append(game, [answer])
        seen.append(journal.revision())
    journal.finish(game)
    seen.append(journal.revision())
    assert seen == sorted(set(seen))


def test_answers_and_events_are_only_ever_added(journal, game):
    statements = []

    def note(_connection, _cursor, statement, *_rest):
        statements.append(" ".join(statement.split()).lower())

    event.listen(Engine, "before_cursor_execute", note)
    try:
        record = punish()
        journal.append(game, record.answers, record.events)
        journal.finish(game)
        journal.add_game("test-1", record, key="l")
        list(journal.records())
        journal.experiments()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    changed = {table for text in statements for table in re.findall(r"\bupdate (\w+) set", text)}
    assert changed == {"games", "meta"}
    assert not any(re.search(r"\b(delete from|replace)\b", text) for text in statements)
    assert sum("insert into answers" in text for text in statements) in (
        2,
        3,
    )  # PostgreSQL's one statement has every table
