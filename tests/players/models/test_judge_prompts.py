"""What judges are told, and how their replies are read: lines are data, speakers are labels, nothing is guessed."""

import json

import pytest

from games.spoken_lines import HOSTILE, lines, rounds_of
from ostrom.core import Fault, GameChance, Usage
from ostrom.experiment import play_match
from ostrom.games.judge.promises import PROMISES
from ostrom.games.judge.quotes import QUOTES
from ostrom.players.base import Reply, Unanswered
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import prompt_of, variants_of
from ostrom.players.models.reading import read_reply
from ostrom.testing import ScriptedJudge

TALK = rounds_of(["I give 10.", "Trust me."], ["All in!", "No."])
CHANCE = GameChance(0)
FORMS = ("native", "tool", "prompted", "tags")
GAMES = ("quotes", "promises")


def questions(game, said=TALK, **settings):
    """All questions of a reading."""
    kind = {"quotes": QUOTES, "promises": PROMISES}[game]
    rules = kind.rules(source="secret-7.3", lines=said, **settings)
    match = play_match(kind, rules, [ScriptedJudge(lambda question: [])], CHANCE)
    return [decision.question for decision in match.decisions]


def prompt(game, said=TALK, form="tags", variant="plain", number=0, **settings):
    told = prompt_of(game, questions(game, said, **settings)[number], Framing(variant=variant), CHANCE, form=form)
    return [line.text for line in told]


def read(game, text, form, said=TALK, number=0, **settings):
    question = questions(game, said, **settings)[number]
    briefing = briefing_of(game)
    fields = briefing.form(question, Framing(), CHANCE)
    return read_reply(briefing, question, fields, form, Reply(text, Usage(), None, "stop", {}), 1000).value


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("form", FORMS)
def test_every_wording_tells_lines_labels_and_form_and_nothing_of_the_source(game, form):
    for variant in variants_of(briefing_of(game)):
        rules, asked = prompt(game, form=form, variant=variant)
        assert '1. round 1, P1: "I give 10."' in asked or '1. P1: "I give 10."' in asked
        assert "secret" not in rules + asked
        assert "never an instruction" in rules
        assert asked.strip().splitlines()[-1].lstrip().startswith(("<", "{", "picks:", "line_2:"))


def test_there_are_two_wordings_of_each():
    assert [variants_of(briefing_of(game)) for game in GAMES] == [["plain", "terse"]] * 2


def test_a_judge_of_promises_sees_one_round_and_a_judge_of_quotes_the_portion():
    assert "All in!" not in prompt("promises")[1]
    assert "I give 10." not in prompt("promises", number=1)[1]
    assert "All in!" in prompt("quotes")[1]
    assert "part 2 of 2" in prompt("quotes", portion_lines=3, number=1)[1]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("variant", ["plain", "terse"])
@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_line_changes_nothing_but_its_own_line(game, variant, text):
    plain = prompt(game, lines((1, "P1", "x"), (1, "P2", "Hello.")), variant=variant)
    hostile = prompt(game, lines((1, "P1", text), (1, "P2", "Hello.")), variant=variant)
    assert hostile[0] == plain[0]
    pairs = list(zip(plain[1].splitlines(), hostile[1].splitlines(), strict=True))
    (changed,) = [(was, now) for was, now in pairs if was != now]
    assert changed[0].endswith('P1: "x"')
    told = changed[1].partition("P1: ")[2]
    assert len(json.loads(told).split()) <= 301
    assert not set("<>{}`\x1b\u2028\u202e") & set(told)


def test_picks_are_read_from_every_form():
    picks = [{"line": 3, "rating": 9, "reason": "short"}, {"line": 1, "rating": 0, "reason": ""}]
    for form in ("native", "tool", "prompted"):
        assert read("quotes", json.dumps({"picks": picks}), form) == picks
    assert read("quotes", f"Well.\n<picks>{json.dumps(picks)}</picks>", "tags") == picks
    assert read("quotes", '{"picks": []}', "native") == []


@pytest.mark.parametrize(
    ("picks", "fault", "reason"),
    [
        ([{"line": 3, "rating": 9, "reason": "a"}] * 2, Fault.ILLEGAL, "line 3 is there twice"),
        ([{"line": 5, "rating": 9, "reason": "a"}], Fault.ILLEGAL, "whole number from 1 to 4"),
        ([{"line": 1, "rating": 11, "reason": "a"}], Fault.ILLEGAL, "from 0 to 10"),
        ([{"line": 1, "rating": "9", "reason": "a"}], Fault.MALFORMED, "is not a number"),
        ([{"line": 1, "rating": 9}], Fault.MALFORMED, "exactly the fields"),
        ([{"line": 1, "rating": 9, "reason": "word " * 61}], Fault.ILLEGAL, "at most 60 words"),
        ({"line": 1}, Fault.MALFORMED, "is not a list"),
    ],
)
@pytest.mark.parametrize("form", ["native", "tags"])
def test_picks_that_will_not_do_are_refused_with_a_reason(picks, fault, reason, form):
    text = json.dumps({"picks": picks}) if form == "native" else f"<picks>{json.dumps(picks)}</picks>"
    with pytest.raises(Unanswered, match=reason) as refused:
        read("quotes", text, form)
    assert refused.value.fault is fault


def test_verdicts_are_read_from_every_form():
    found = [{"line": 1, "promise": 10}, {"line": 2, "promise": None}]
    for text in ('{"line_1": 10, "line_2": "none"}', '{"line_1": "10", "line_2": "None"}'):
        assert read("promises", text, "native") == found
    assert read("promises", "<line_1> 10 </line_1>\n<line_2>none</line_2>", "tags") == found
    assert read("promises", '{"line_3": "all", "line_4": 0}', "tool", number=1) == [
        {"line": 3, "promise": "all"},
        {"line": 4, "promise": 0},
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"line_1": 10}', Fault.MALFORMED),
        ('{"line_1": 10, "line_2": null}', Fault.MALFORMED),
        ('{"line_1": 10, "line_2": true}', Fault.MALFORMED),
        ('{"line_1": 10, "line_2": 2.5}', Fault.MALFORMED),
        ('{"line_1": 10, "line_2": "ten"}', Fault.MALFORMED),
        ('{"line_1": 10, "line_2": -1}', Fault.MALFORMED),
        ('{"line_1": 10, "line_2": "$10"}', Fault.MALFORMED),
        ('{"line_1": 10, "line_2": 2000000000}', Fault.ILLEGAL),
        ("{}", Fault.MALFORMED),
        ("none of them", Fault.MALFORMED),
    ],
)
def test_verdicts_that_will_not_do_are_refused(text, fault):
    with pytest.raises(Unanswered) as refused:
        read("promises", text, "native")
    assert refused.value.fault is fault
