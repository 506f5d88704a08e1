"""Properties of every task: it is registered, its record replays, its facts name no game."""

import json
from dataclasses import fields

import pytest

from games.battery.interviews import SCRIPTS, interview, items, valid
from ostrom.core import Fault, GameChance, InputError
from ostrom.core.plugins import GAMES
from ostrom.experiment import make_rules, record_of, replay
from ostrom.experiment.match import play_match
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.games.battery.stated import TASKS
from ostrom.players.base import NoAnswer
from ostrom.testing import ScriptedJudge

QUICK = load_protocol("quick")
pytestmark = pytest.mark.parametrize("task", TASKS)


@pytest.fixture
def match(task):
    return interview(task, SCRIPTS.get(task, valid), QUICK[task])


def test_its_stated_choices_are_a_game_with_one_seat(task):
    game = TASKS[task].game
    assert GAMES[f"stated_{task}"] is game
    assert game.command == f"stated_{task}".replace("_", "-")
    assert (game.seats.fewest, game.seats.most) == (1, 1)
    assert TASKS[task].roles
    assert TASKS[task].summary
    with pytest.raises(InputError, match="the table has 2"):
        play_match(game, QUICK[task], [ScriptedJudge(valid)] * 2, GameChance(1))


def test_the_record_replays_to_the_same_events(task, match):
    record = record_of(match)
    assert replay(record).events == match.events
    assert make_rules(match.game, json.loads(json.dumps(record.rules))) == match.rules
    events = json.loads(json.dumps(record.events))
    assert [match.game.events.decode(event) for event in events] == list(match.events)


def test_every_question_has_its_own_key_and_no_fallback(task, match):
    keys = [decision.question.key for decision in match.decisions]
    assert len(set(keys)) == len(keys)
    assert {decision.question.fallback for decision in match.decisions} == {None}
    assert {decision.question.phase for decision in match.decisions} == set(TASKS[task].roles)


def test_an_item_is_plain_data(task, match):
    item = match.decisions[0].question.view
    record = json.loads(json.dumps(item.as_record()))
    assert record["options"] == dict(zip(item.labels, item.options, strict=True))
    assert {field.name for field in fields(item.facts)} <= set(record)
    assert all(item.label_of(option) in "AB" for option in item.options)


def test_a_record_with_missing_answers_replays_too(task):
    def script(question):
        if question.turn % 5 == 0:
            raise NoAnswer(Fault.REFUSED, "no")
        return SCRIPTS.get(task, valid)(question)

    match = interview(task, script, QUICK[task])
    assert any(event.answer is None for event in items(match))
    assert replay(record_of(match)).events == match.events
