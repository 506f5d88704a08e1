"""Letting a judge read a journal: what is read once is not asked for again, and what was broken off goes on."""

import asyncio

import pytest

from analysis.small_games import record, turn
from ostrom.experiment.limits import Limits
from ostrom.experiment.runner import Conduct
from ostrom.experiment.store import conduct
from ostrom.experiment.watch import Tally
from ostrom.games.judge.quotes import QUOTES
from ostrom.journal.sql import Journal
from ostrom.terminal.judging import judging_of, speaking_games
from ostrom.testing import ScriptedJudge

TALK = [(0, "One."), (1, "Two."), (2, "Three.")]


@pytest.fixture
def journal(tmp_path):
    with Journal.open(f"sqlite:///{tmp_path}/ostrom.db", create=True) as made:
        experiment = made.new_experiment("games", kind="punish")
        for number in range(2):
            made.add_game(experiment, record(["a", "b", "c"], turn([1, 2, 3], said=TALK)), key=str(number))
        yield made


def pick_first(question):
    return [{"line": question.view.lines[0].number, "rating": 7, "reason": "first"}]


def read(journal, script, name="judge", **rules):
    judging = judging_of(QUOTES, ScriptedJudge(script, name), **rules)
    experiment = judging.experiment(journal)
    unread = judging.unread(journal, experiment, speaking_games(journal))
    reading = conduct(judging.fixtures(journal, unread), journal, experiment, Conduct(Limits(), Tally()))
    return judging, asyncio.run(reading)


def test_a_reading_is_kept_under_the_id_of_the_game_that_was_read(journal):
    judging, outcome = read(journal, pick_first)
    assert outcome.finished == 2
    rows = journal.games(judging.experiment(journal))
    assert [(row.key, row.state, row.players) for row in rows] == [
        ("punish-1.1", "finished", ("judge",)),
        ("punish-1.2", "finished", ("judge",)),
    ]
    assert journal.record(rows[0].id).rules["source"] == "punish-1.1"


def test_a_second_run_has_nothing_to_ask(journal):
    read(journal, pick_first)
    judging, outcome = read(journal, lambda question: 1 / 0)
    assert (outcome.finished, outcome.unfinished) == (0, 0)
    assert judging.unread(journal, judging.experiment(journal), speaking_games(journal)) == []


def test_readings_are_not_read_themselves(journal):
    read(journal, pick_first)
    assert [row.id for row in speaking_games(journal)] == ["punish-1.1", "punish-1.2"]


def test_an_interrupted_reading_continues_at_the_same_portion(journal):
    def breaks_off(question):
        return pick_first(question) if question.turn == 1 else "nonsense"

    judging, outcome = read(journal, breaks_off, portion_lines=2)
    assert (outcome.finished, len(outcome.faulted)) == (0, 2)
    _, outcome = read(journal, lambda question: [] if question.turn == 1 else pick_first(question), portion_lines=2)
    assert outcome.finished == 2
    (first, _) = journal.games(judging.experiment(journal))
    answers = journal.record(first.id).answers
    # The first portion was decided in the first run, and stays as it was.
    assert [[pick["line"] for pick in answer.value] for answer in answers] == [[1], [3]]


def test_other_rules_and_other_judges_are_other_readings(journal):
    experiments = {read(journal, pick_first)[0].experiment(journal)}
    experiments.add(read(journal, pick_first, picks=2)[0].experiment(journal))
    experiments.add(read(journal, pick_first, name="other")[0].experiment(journal))
    experiments.add(read(journal, pick_first)[0].experiment(journal))
    assert len(experiments) == 3
