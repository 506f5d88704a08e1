"""A game that is kept moment by moment, as it is played: nothing is decided twice, and nothing is ever taken back."""

import re

import pytest
from sqlalchemy import Engine, event

from kept import append, commons, finish, opened, opening, punish, start_game
from ostrom.journal.write import AlreadyDecided


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        yield journal


@pytest.fixture
def game(journal):
    return start_game(journal, journal.new_experiment("one", kind="test"), opening(punish()), key="k")


def test_a_game_kept_moment_by_moment_is_the_game_kept_at_once(journal):
    record = commons()
    experiment = journal.new_experiment("one", kind="test")
    game = start_game(journal, experiment, opening(record), key="k")
    for number, answer in enumerate(record.answers):
        append(journal, game, [answer])
        if number < len(record.events):
            append(journal, game, events=[record.events[number]])
    append(journal, game, events=record.events[len(record.answers) :])
    finish(journal, game)
    journal.add_game(experiment, record, key="l")
    assert [kept.record for kept in journal.records()] == [record, record]
    once, twice = journal.games()
    assert (once.rounds, once.state) == (twice.rounds, twice.state) == (4, "finished")


def test_an_unfinished_game_can_be_read_and_is_not_counted(journal, game):
    record = punish()
    append(journal, game, record.answers[:4], record.events[:3])
    so_far = journal.record(game)
    assert (so_far.answers, so_far.events) == (record.answers[:4], record.events[:3])
    assert list(journal.records()) == []
    [row] = journal.experiments()
    assert (row.games, row.playing, row.state, row.answers) == (0, 1, "unfinished", 4)
    [listed] = journal.games()
    assert (listed.state, listed.rounds) == ("playing", None)


def test_no_question_is_decided_twice(journal, game):
    record = punish()
    append(journal, game, record.answers[:4], record.events[:3])
    before = journal.record(game)
    with pytest.raises(
        AlreadyDecided, match=r"seat 0 of the game test-1\.1 on 'contribution' in turn 1: already answered"
    ):
        append(journal, game, [record.answers[3].model_copy(update={"value": 1})], record.events[3:])
    assert journal.record(game) == before
    append(journal, game, record.answers[4:], record.events[3:])
    finish(journal, game)
    assert journal.record(game) == record


def test_a_record_that_answers_twice_is_not_kept(journal):
    record = punish()
    twice = record.model_copy(update={"answers": [*record.answers, record.answers[0]]})
    with pytest.raises(AlreadyDecided):
        journal.add_game(journal.new_experiment("one", kind="test"), twice, key="k")
    assert journal.games() == []


def test_nothing_is_added_after_the_end(journal, game):
    finish(journal, game)
    for write in (lambda: append(journal, game, punish().answers[:1]), lambda: finish(journal, game)):
        with pytest.raises(AssertionError, match=r"test-1\.1 is over"):
            write()
    assert journal.record(game).answers == []


def test_every_moment_raises_the_revision(journal, game):
    record = punish()
    seen = [journal.revision()]
    for answer in record.answers:
        append(journal, game, [answer])
        seen.append(journal.revision())
    finish(journal, game)
    seen.append(journal.revision())
    assert seen == sorted(set(seen))


def test_answers_and_events_are_only_ever_added(journal, game):
    statements = []

    def note(_connection, _cursor, statement, *_rest):
        statements.append(" ".join(statement.split()).lower())

    event.listen(Engine, "before_cursor_execute", note)
    try:
        record = punish()
        append(journal, game, record.answers, record.events)
        finish(journal, game)
        journal.add_game("test-1", record, key="l")
        list(journal.records())
        journal.experiments()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    changed = {table for text in statements for table in re.findall(r"\bupdate (\w+) set", text)}
    assert changed == {"games", "meta"}
    # A call that is back is no longer on its way; nothing else is ever taken away.
    assert {table for text in statements for table in re.findall(r"\bdelete from (\w+)", text)} <= {"sent_calls"}
    assert not any(re.search(r"\breplace\b", text) for text in statements)
    assert any("insert into answers" in text for text in statements)
