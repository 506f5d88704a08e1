"""A judge says of every line whether it promises a contribution."""

import json

import pytest

from games.spoken_lines import rounds_of
from ostrom.core import GameChance, PlayerFault
from ostrom.experiment import make_rules, play_match, record_of, replay
from ostrom.games.judge.promises import PROMISES, LineJudged, LinesUnjudged, PromisesRules
from ostrom.testing import ScriptedJudge

TALK = rounds_of(["I give 10.", "Hello."], ["All in!", "I take that back: 0."])
FOUND = {1: 10, 2: None, 3: "all", 4: 0}


def judge(script, said=TALK, **settings):
    rules = PromisesRules(source="punish-1.1", lines=said, **settings)
    return play_match(PROMISES, rules, [ScriptedJudge(script)], GameChance(1))


def verdicts(question):
    return [{"line": line.number, "promise": FOUND[line.number]} for line in question.view.lines]


def test_a_question_a_round_and_an_event_a_line():
    match = judge(verdicts)
    assert [decision.question.turn for decision in match.decisions] == [1, 2]
    assert list(match.events) == [
        LineJudged(turn=1, line=1, round=1, label="P1", promise=True, tokens=10),
        LineJudged(turn=1, line=2, round=1, label="P2", promise=False, tokens=None),
        LineJudged(turn=2, line=3, round=2, label="P1", promise=True, tokens=None),
        LineJudged(turn=2, line=4, round=2, label="P2", promise=True, tokens=0),
    ]


def test_verdicts_may_come_in_any_order():
    assert judge(lambda question: verdicts(question)[::-1]).events == judge(verdicts).events


def test_a_round_with_many_lines_has_several_questions():
    match = judge(verdicts, portion_lines=1)
    rounds = {decision.question.turn: decision.question.view.round for decision in match.decisions}
    assert rounds == {1: 1, 2: 1, 3: 2, 4: 2}


def test_a_judge_that_says_nothing_has_judged_no_line():
    match = judge(lambda question: verdicts(question) if question.turn == 2 else [])
    assert match.events[0] == LinesUnjudged(turn=1, round=1, first=1, last=2)
    assert [event.tag for event in match.events[1:]] == ["line_judged", "line_judged"]
    assert all(decision.question.fallback == [] for decision in match.decisions)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([{"line": 1, "promise": 10}], "there is no verdict on line 2"),
        ([{"line": 1, "promise": 10}, {"line": 3, "promise": 10}], "entry 2: line: 3 is not one of the options"),
        ([{"line": 1, "promise": 10}] * 2, "line 1 is there twice"),
        ([{"line": True, "promise": 10}, {"line": 2, "promise": 1}], "line: True is not one of the options"),
        ([{"line": 1, "promise": "10"}, {"line": 2, "promise": None}], "entry 1: promise: '10' is no promise"),
        ([{"line": 1, "promise": 2.5}, {"line": 2, "promise": None}], "entry 1: promise: 2.5 is not whole"),
        ([{"line": 1, "promise": -1}, {"line": 2, "promise": None}], "entry 1: promise: -1 is not allowed"),
        ([{"line": 1, "promise": False}, {"line": 2, "promise": None}], "entry 1: promise: False is not a number"),
        ([{"line": 1}], "fields missing promise"),
        ([1, 2], "1 is not an answer in fields"),
        ("all", "is not a list"),
        ({"line": 1, "promise": 1}, "is not a list"),
    ],
)
def test_illegal_answers_are_refused(answer, reason):
    with pytest.raises(PlayerFault, match=reason):
        judge(lambda question: answer)


def test_rules_go_through_json_and_the_record_replays():
    match = judge(lambda question: verdicts(question) if question.turn == 1 else [])
    record = record_of(match)
    assert make_rules(PROMISES, json.loads(json.dumps(record.rules))) == match.rules
    assert replay(record).events == match.events
