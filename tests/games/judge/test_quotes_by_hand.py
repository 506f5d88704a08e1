"""A judge reads lines and picks some of them."""

import json

import pytest

from games.spoken_lines import HOSTILE, lines, rounds_of
from ostrom.core import GameChance, InputError, PlayerFault
from ostrom.core.spoken import MAX_LINE_CHARACTERS, SpokenLine, lines_of, portions, whole_lines
from ostrom.experiment import make_rules, play_match, record_of, replay
from ostrom.games.judge.quotes import QUOTES, LinePicked, PortionRead, QuotesRules
from ostrom.testing import ScriptedJudge

TALK = rounds_of(["Hello.", "Trust me.", "Never."], ["Again?", "You lied to us all.", "I did."])


def judge(script, said=TALK, **settings):
    rules = QuotesRules(source="punish-1.1", lines=said, **settings)
    return play_match(QUOTES, rules, [ScriptedJudge(script)], GameChance(1))


def pick(line, rating=8, reason="bold"):
    return {"line": line, "rating": rating, "reason": reason}


def test_every_pick_is_an_event_with_its_round_and_speaker_and_the_portion_is_closed():
    match = judge(lambda question: [pick(5, 9), pick(2, 3, "")])
    assert list(match.events) == [
        LinePicked(turn=1, line=5, round=2, label="P2", rating=9, reason="bold"),
        LinePicked(turn=1, line=2, round=1, label="P2", rating=3, reason=""),
        PortionRead(turn=1, first=1, last=6, picked=2),
    ]


def test_a_judge_may_pick_nothing_which_is_also_the_fallback():
    match = judge(lambda question: [])
    assert list(match.events) == [PortionRead(turn=1, first=1, last=6, picked=0)]
    (decision,) = match.decisions
    assert decision.question.fallback == []
    assert decision.question.spec.validate(decision.question.fallback) == []


def test_a_long_game_is_read_in_portions_and_each_sees_its_own_lines_only():
    seen = []
    judge(lambda question: seen.append([line.number for line in question.view.lines]) or [], portion_lines=4)
    assert seen == [[1, 2, 3, 4], [5, 6]]


def test_portions_are_bounded_by_words_unless_a_line_alone_has_more():
    said = lines((1, "P1", "one two three"), (1, "P2", "word " * 50), (1, "P3", "four"), (1, "P1", "five six"))
    assert [[line.number for line in part] for part in portions(said, 10, 4)] == [[1], [2], [3, 4]]
    assert portions((), 10, 4) == []


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ([pick(7)], "entry 1: line: 7 is not one of the options"),
        ([pick(1), pick(1)], "line 1 is there twice"),
        ([pick(1, 11)], "rating: 11 is not allowed"),
        ([pick(1, 7.5)], "rating: 7.5 is not whole"),
        ([pick(1, True)], "rating: True is not a number"),
        ([pick(1, 5, "word " * 61)], "reason: 61 words are too many"),
        ([pick(1), pick(2), pick(3)], "3 entries are not allowed"),
        ([{"line": 1, "rating": 5}], "missing reason"),
        ("1", "is not a list"),
    ],
)
def test_illegal_answers_are_refused(answer, reason):
    with pytest.raises(PlayerFault, match=reason):
        judge(lambda question: answer, picks=2)


def test_a_portion_shorter_than_the_number_of_picks_bounds_them():
    (decision,) = judge(lambda question: [], said=TALK[:2]).decisions
    assert decision.question.spec.most == 2


def test_there_is_only_one_judge():
    with pytest.raises(InputError, match="one player only"):
        play_match(QUOTES, QuotesRules(), [ScriptedJudge(list)] * 2, GameChance(1))


def test_without_lines_nothing_is_asked():
    assert judge(lambda question: 1 / 0, said=()).decisions == ()


def test_rules_go_through_json_and_the_record_replays():
    match = judge(lambda question: [pick(question.view.lines[0].number)], portion_lines=4)
    record = record_of(match)
    assert make_rules(QUOTES, json.loads(json.dumps(record.rules))) == match.rules
    assert replay(record).events == match.events


@pytest.mark.parametrize(
    "settings",
    [
        {"lines": [{"number": 2, "round": 1, "label": "P1", "text": "x"}]},
        {"lines": [{"number": 1, "round": 1, "label": "gpt", "text": "x"}]},
        {"lines": [{"number": 1, "round": 1, "label": "P1", "text": ""}]},
        {"lines": [{"number": 1, "round": 1, "label": "P1", "text": "x", "player": "gpt"}]},
        {"picks": 0},
        {"judge": "x"},
    ],
)
def test_invalid_rules_are_refused(settings):
    with pytest.raises(InputError, match="invalid rules"):
        make_rules(QUOTES, settings)


def said(round_, seat, text):
    return {"event": "message_said", "version": 1, "round": round_, "seat": seat, "text": text}


def test_lines_are_numbered_over_the_game_without_silence_and_other_events():
    events = [said(1, 2, "one"), said(1, 0, ""), {"event": "contributed", "round": 1}, said(2, 1, "two")]
    assert lines_of(events) == (
        SpokenLine(number=1, round=1, label="P3", text="one"),
        SpokenLine(number=2, round=2, label="P2", text="two"),
    )
    assert [one.seat for one in whole_lines(events)] == [2, 1]


def test_an_endless_line_is_cut_and_says_so():
    (line,) = lines_of([said(1, 0, "x" * (MAX_LINE_CHARACTERS + 1))])
    assert (len(line.text), line.cut) == (MAX_LINE_CHARACTERS, True)
    assert not lines_of([said(1, 0, "x" * MAX_LINE_CHARACTERS)])[0].cut


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_lines_change_nothing_about_a_reading(text):
    talk = lines_of([said(1, 0, text), said(1, 1, "Hello.")])
    match = judge(lambda question: [pick(2)], said=talk)
    assert [event.line for event in match.events if isinstance(event, LinePicked)] == [2]
    assert replay(record_of(match)).events == match.events
