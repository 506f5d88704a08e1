"""Several processes at one journal, one of which may be killed at any moment; and more games than fit into memory."""

import threading
import tracemalloc

import pytest
from sqlalchemy import create_engine

from kept import append, finish, opened, opening, punish, start_game, started
from ostrom.journal.engine import locate

WRITER = """
with opened(sys.argv[1]) as journal:
    for number in range(int(sys.argv[2]), int(sys.argv[3])):
        record = commons(number, turns=3) if number % 5 == 0 else punish(number)
        assert journal.add_game(sys.argv[4], record, key=str(number))
        print(number, flush=True)
"""

DIES_BEFORE_A_COMMIT = """
from sqlalchemy import Engine, event
import os, signal
commits = 0
def die(connection):
    global commits
    commits += connection.get_execution_options().get("writes", False)
    if commits == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
journal = opened(sys.argv[1])
event.listen(Engine, "commit", die)
experiment = journal.new_experiment("one", kind="test")
for number in range(100):
    journal.add_game(experiment, punish(number), key=str(number))
"""

MOMENTS = """
journal, record = opened(sys.argv[1]), punish()
for answer in record.answers[:4]:
    append(journal, sys.argv[2], [answer])
    print("kept", flush=True)
sys.stdin.read()
"""


def sound(url):
    """What the database itself says about its soundness."""
    if not url.startswith("sqlite"):
        return True
    engine = create_engine(locate(url).url)
    with engine.connect() as connection:
        said = [
            *connection.exec_driver_sql("PRAGMA integrity_check"),
            *connection.exec_driver_sql("PRAGMA foreign_key_check"),
        ]
    engine.dispose()
    return [tuple(row) for row in said] == [("ok",)]


@pytest.mark.slow
def test_a_killed_writer_leaves_whole_games_only(store):
    with opened(store) as journal:
        experiment = journal.new_experiment("one", kind="test")
    writer = started(WRITER, store, "0", "100000", experiment)
    told = [int(writer.stdout.readline()) for _ in range(12)]
    writer.kill()
    told += [int(line) for line in writer.communicate()[0].split()]
    with opened(store) as journal:
        kept = [kept.record.number for kept in journal.records()]
        # What was told to be stored is stored; one more may have been before it could be told.
        assert kept[: len(told)] == told == list(range(len(told)))
        assert len(kept) <= len(told) + 1
        assert all(row.state == "finished" for row in journal.games())
        assert sound(store)
        assert journal.add_game(experiment, punish(), key="next")


@pytest.mark.slow
@pytest.mark.parametrize("commit", [1, 2, 5])
def test_a_writer_killed_within_a_transaction_leaves_nothing_of_it(store, commit):
    with opened(store):
        pass
    writer = started(DIES_BEFORE_A_COMMIT, store, str(commit))
    writer.communicate()
    assert writer.returncode == -9
    with opened(store) as journal:
        assert len(journal.experiments()) == (0 if commit == 1 else 1)
        assert [kept.record for kept in journal.records()] == [punish(number) for number in range(commit - 2)]
        assert sound(store)


@pytest.mark.slow
def test_a_game_goes_on_where_a_killed_process_left_it(store):
    with opened(store) as journal:
        game = start_game(journal, journal.new_experiment("one", kind="test"), opening(punish()), key="k")
        writer = started(MOMENTS, store, game)
        assert [writer.stdout.readline() for _ in range(4)] == ["kept\n"] * 4
        writer.kill()
        writer.communicate()
        assert journal.record(game).answers == punish().answers[:4]
        append(journal, game, punish().answers[4:], punish().events)
        finish(journal, game)
        assert journal.record(game) == punish()


@pytest.mark.slow
def test_two_writers_and_a_reader_do_not_stand_in_each_others_way(store):
    with opened(store) as journal:
        experiment = journal.new_experiment("one", kind="test", planned=50)
        writers = [started(WRITER, store, str(first), str(first + 25), experiment) for first in (0, 25)]
        seen = [0]
        while any(writer.poll() is None for writer in writers):
            records = [kept.record for kept in journal.records()]
            assert all(record.answers and record.events[-1]["event"] == "game_ended" for record in records)
            assert len(records) >= seen[-1]
            seen.append(len(records))
        for writer in writers:
            writer.communicate()
            assert writer.returncode == 0
        assert sorted(kept.record.number for kept in journal.records()) == list(range(50))
        assert [row.id for row in journal.games()] == [f"{experiment}.{place}" for place in range(1, 51)]
        [row] = journal.experiments()
        assert (row.games, row.state, journal.revision()) == (50, "finished", 51)


def test_a_journal_made_by_several_at_once_is_one_journal(store):
    failed, made = [], []

    def make():
        try:
            with opened(store) as journal:
                made.append(journal.new_experiment("one", kind="test"))
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=make) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert sorted(made) == [f"test-{number}" for number in range(1, 7)]


def test_a_reader_that_pauses_holds_nobody_up(store):
    with opened(store) as journal, opened(store) as other:
        experiment = journal.new_experiment("one", kind="test")
        for number in range(40):
            journal.add_game(experiment, punish(number), key=str(number))
        reader = other.records()
        first = next(reader).record
        journal.add_game(experiment, punish(40), key="40")
        assert [first, *(kept.record for kept in reader)] == [punish(number) for number in range(41)]


@pytest.mark.slow
def test_games_are_read_a_few_at_a_time(store):
    size, count = 50_000, 160
    with opened(store) as journal:
        experiment = journal.new_experiment("one", kind="test")
        for number in range(count):
            journal.add_game(experiment, punish(number, text="x" * size), key=str(number))
        tracemalloc.start()
        try:
            assert sum(1 for _ in journal.records()) == count
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()
    # The text stands in each game four times.
    assert peak < 4 * size * count / 3
