"""Practice tables of sessions, and seats of people who were replaced: marked, counted, and left out of boards."""

import json

import pytest

from kept import commons, opened
from ostrom.analysis.selection import Selection, select_boards
from ostrom.core.errors import as_argument
from ostrom.experiment.session import entries as e
from ostrom.journal.sessions import NewEntry

SILENT = {"note": lambda line: None, "spell": as_argument}


def named(record, people):
    """A record whose first seats are people of a session."""
    seats = [
        seat.model_copy(update={"player": f"human:person-{people[seat.seat]:02d}"}) if seat.seat < len(people) else seat
        for seat in record.seats
    ]
    return record.model_copy(update={"seats": seats})


def keep(journal, session, *entries):
    stored = [NewEntry(entry.kind, entry.data(), entry.participant) for entry in entries]
    journal.sessions.append(session.id, stored)


def group(key, *seats):
    return e.GroupFormed(key=key, game="g1", table=1, group=1, treatment="all", seats=list(seats))


def over(key):
    return e.TableEnded(key=key, ending="finished")


@pytest.fixture
def journal(tmp_path):
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        for _ in range(2):
            session = journal.sessions.create("class", {})
            keys = ("practice/g1/table 1/1", "g1/table 1/1", "g1/table 1/2", "g1/table 2/1")
            for number, key in enumerate(keys):
                record = named(commons(number, turns=2), (1, 2) if key.endswith("/1") else (3,))
                final = [float(number + seat) for seat in range(len(record.seats))]
                journal.add_game(session.experiment, record, key=key, finals=final)
            keep(journal, session, *(e.Joined(participant=number) for number in (1, 2, 3)))
            keep(journal, session, group(keys[0], 1, 2, "x"), over(keys[0]))
            keep(journal, session, group(keys[1], 1, 2, "x"), group(keys[2], 3, "x"))
            keep(journal, session, e.Replaced(participant=2, by="x", key=keys[1]), over(keys[1]))
            keep(journal, session, e.Absent(participant=3), e.Returned(participant=3), over(keys[2]))
            keep(journal, session, group(keys[3], 1, 2, "x"), e.Absent(participant=1), over(keys[3]))
        yield journal


def board(journal, experiment="session-1", **fields):
    (board,) = select_boards(journal, Selection.select(experiment, **fields), **SILENT)
    return board.tables


def people(tables):
    rows = zip(tables.seats["game"], tables.seats["player"], strict=True)
    return sorted((game, player) for game, player in rows if player.startswith("human"))


def test_practice_and_replaced_seats_are_left_out_and_counted(journal):
    tables = board(journal)
    assert people(tables) == [("session-1.2", "human:person-01"), ("session-1.3", "human:person-03")]
    assert set(tables.games["game"]) == {"session-1.2", "session-1.3", "session-1.4"}
    told = tables.left_out.sentences()
    assert any(line.startswith("Left out: 1 practice table of sessions.") for line in told)
    assert any(line.startswith("Left out: 3 seats whose person was replaced, absent or gone.") for line in told)
    assert json.loads(json.dumps(tables.left_out.as_record()))["apart"][0]["what"] == "practice"


def test_both_can_be_included(journal):
    assert ("session-1.4", "human:person-01") in people(board(journal, pool=("replaced",)))
    assert ("session-1.1", "human:person-01") in people(board(journal, pool=("practice",)))
    assert len(people(board(journal, pool=("practice", "replaced")))) == 7


def test_persons_of_two_sessions_are_not_one_player(journal):
    names = {player for _, player in people(board(journal, None, pool=("people", "copies")))}
    assert names == {f"human:person-0{one} (session-{two})" for one in (1, 3) for two in (1, 2)}
