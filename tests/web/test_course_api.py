"""The course of a game over the API: cooperation by round or turn, and finals."""

import pytest

from kept import append, commons, opened, opening, punish, start_game
from ostrom.analysis.highlights import MAX_COURSE_POINTS
from ostrom.journal.record import with_tellings
from ostrom.web.api import games
from serving import client


@pytest.fixture
def journal(store):
    with opened(store) as journal:
        experiment = journal.new_experiment("courses", kind="mixed")
        journal.add_game(experiment, punish(2), key="round")
        journal.add_game(experiment, commons(turns=4), key="turns")
        journal.add_game(experiment, commons(turns=3 * MAX_COURSE_POINTS), key="long")
        going = start_game(journal, experiment, opening(commons(1)), key="going")
        append(journal, going, (), commons(1).events[:2])
        yield journal


def course(journal, game):
    with client(journal) as lab:
        return lab.get(f"/api/games/{game}/course").json()


def test_a_round_is_told_by_the_part_that_was_given_of_what_was_held(journal):
    assert course(journal, "round") == {"cooperation": [10 / 60], "finals": [16, 12, 24], "winners": [2]}


def test_winners_are_named_by_their_seats_where_another_seat_has_no_final(journal, monkeypatch):
    def without_first(record):
        return with_tellings(record).model_copy(update={"finals": [None, 12.0, 24.0]})

    monkeypatch.setattr(games, "with_tellings", without_first)
    told = course(journal, "round")
    assert (told["finals"], told["winners"]) == ([None, 12, 24], [2])


def test_a_round_in_which_nobody_has_given_yet_is_no_part_of_the_course(journal):
    record = punish(2)
    spoken = next(place for place, event in enumerate(record.events) if event["event"] == "contributed")
    going = start_game(journal, journal.new_experiment("talk", kind="mixed"), opening(record), key="talk")
    again = [{**event, "round": 2} for event in record.events[:spoken]]
    assert again
    append(journal, going, (), [*record.events[: spoken + 1], *again])
    assert course(journal, "talk")["cooperation"] == [10 / 60]


def test_turns_are_told_by_the_cooperation_of_the_record(journal):
    record = commons(turns=4)
    played = [event for event in record.events if event["event"] == "turn_played"]
    told = course(journal, "turns")
    assert told["cooperation"] == [event["cooperation"] for event in played]
    assert told["finals"] == played[-1]["capitals"]
    assert told["winners"] == record.events[-1]["winners"]


def test_of_a_long_game_the_means_of_several_turns_are_told(journal):
    played = [
        event["cooperation"] for event in commons(turns=3 * MAX_COURSE_POINTS).events if event["event"] == "turn_played"
    ]
    told = course(journal, "long")["cooperation"]
    assert len(told) == MAX_COURSE_POINTS
    assert told[0] == pytest.approx(sum(played[:3]) / 3)
    assert told[-1] == pytest.approx(sum(played[-3:]) / 3)


def test_a_game_that_is_being_played_has_no_winners_yet(journal):
    told = course(journal, "going")
    assert told["cooperation"]
    assert (told["finals"], told["winners"]) == ([], [])
