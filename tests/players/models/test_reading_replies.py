"""A reply becomes a legal answer or a fault with a reason, in the words and units that the model was told."""

import asyncio
import re

import pytest
from asked import FakeConnection, bot, player, reply

from ostrom.core import Amount, Fault, GameChance, InputError, Question, Seat
from ostrom.core.specs import Aimed
from ostrom.games.contribute_punish import ContributePunishRules, PunishView
from ostrom.players.base import Unanswered, is_remote
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.fields import NumberField
from ostrom.players.models.framing import Framing, plain
from ostrom.players.models.reading import read_reply
from ostrom.players.roster import ModelContestant

RULES = ContributePunishRules()
VIEW = PunishView(RULES, 1, 2, (20,) * 5, 0, (), None, ())
GIVE = Question(Seat(2), "contribution", 1, Amount(0, 20, whole=True), VIEW)
HIT = Question(Seat(2), "punishment", 1, Aimed((0, 1, 3, 4), 10), VIEW)
SCALED = Framing(unit="francs", scale=10, labels=("Anna", "Ben", "Cleo", "Dan", "Eve"))


def read(question: Question, text: str, form: str = "tags", framing: Framing = Framing(), finish: str = "stop"):  # noqa: B008
    one = player("contribute_punish", FakeConnection(form), framing, GameChance(1))
    return one.read(question, reply(text, finish)).value


@pytest.mark.parametrize(
    ("text", "finish", "fault"),
    [
        ("", "stop", Fault.EMPTY),
        (" \n\t", "stop", Fault.EMPTY),
        ("", "length", Fault.CUT_OFF),
        ("Let me think about", "length", Fault.CUT_OFF),
        ("<contribution>1", "length", Fault.CUT_OFF),
        ("<contribution>1", "stop", Fault.MALFORMED),
        ("I give 10.", "stop", Fault.MALFORMED),
        ("I am sorry, but I cannot help with that.", "stop", Fault.MALFORMED),
        ("<contribution>21</contribution>", "stop", Fault.ILLEGAL),
        ("<contribution>nan</contribution>", "stop", Fault.ILLEGAL),
        ("<contribution>21</contribution>", "length", Fault.ILLEGAL),
    ],
)
def test_the_fault_of_a_reply_is_named(text: str, finish: str, fault: Fault) -> None:
    with pytest.raises(Unanswered) as refused:
        read(GIVE, text, finish=finish)
    assert refused.value.fault is fault
    assert refused.value.reason
    assert "\n" not in refused.value.reason


def test_a_whole_answer_counts_even_where_the_reply_was_cut_off() -> None:
    assert read(GIVE, "<contribution>4</contribution> because I", finish="length") == 4


def test_answers_come_back_in_the_games_own_units_and_seats() -> None:
    assert read(GIVE, "<contribution>70</contribution>", framing=SCALED) == 7
    assert read(HIT, "<punish>Eve=30</punish>", framing=SCALED) == {"target": 4, "spend": 3}
    assert read(HIT, '{"target": "Anna", "spend": 100}', "native", SCALED) == {"target": 0, "spend": 10}
    assert read(HIT, '{"target": "nobody", "spend": 0}', "native", SCALED) == {"target": None, "spend": 0}


@pytest.mark.parametrize(
    "text",
    ["<punish>Cleo=30</punish>", "<punish>P1=30</punish>", "<punish>Eve=35</punish>", "<punish>Eve=110</punish>"],
)
def test_reasons_speak_the_language_of_the_framing(text: str) -> None:
    with pytest.raises(Unanswered) as refused:
        read(HIT, text, framing=SCALED)
    assert refused.value.fault is Fault.ILLEGAL
    after = refused.value.reason.split("it must be", 1)[1]
    assert re.search(r"Anna, Ben, Dan, Eve|from 10 to 100", after)
    assert not re.search(r"\b[0-4]\b|P\d", after)


def test_what_only_the_specification_refuses_is_told_by_the_form() -> None:
    class Lenient:
        def decode(self, question, values):
            return {"target": 2, "spend": 1}

    with pytest.raises(Unanswered) as refused:
        read_reply(Lenient(), HIT, (NumberField("a", 0, 5),), "tags", reply("<a>3</a>"), 100)  # type: ignore[arg-type]
    assert refused.value.reason == "the rules do not allow this answer; it must be a: a number from 0 to 5"


def test_letters_carry_what_the_form_needs() -> None:
    for form in ("native", "tool"):
        request = player("contribute_punish", FakeConnection(form), Framing(), GameChance(1)).compose(HIT, ())
        assert request.payload[0]["required"] == ["target", "spend"]
        assert request.payload[0]["additionalProperties"] is False
    for form in ("prompted", "tags"):
        request = player("contribute_punish", FakeConnection(form), Framing(), GameChance(1)).compose(HIT, ())
        assert request.payload == (None, None)
    assert request.most_input == sum(len(line.text) for line in request.prompt)
    held = player(
        "contribute_punish",
        FakeConnection("tags"),
        Framing(),
        GameChance(1),
        form="tags",
        grammar=True,
        base_url="http://127.0.0.1:9/v1",
        model="m",
    )
    assert held.compose(HIT, ()).payload[1].startswith("root ::=")
    got = asyncio.run(held.send(held.compose(HIT, ()), "punish-1.0/1/punishment/P3/1"))
    assert held.read(HIT, got).value == {"target": 0, "spend": 1}


def test_a_contestant_sits_down_with_the_bots_own_wording() -> None:
    one = ModelContestant(bot(base_url="http://127.0.0.1:9/v1", model="m", variant="terse"), "contribute_punish")
    assert one.name == "Quiet-Bot"
    seated = one.sit(Seat(0), GameChance(1))
    assert is_remote(seated)
    assert seated.compose(GIVE, ()).prompt[0].text.startswith("5 players")
    assert seated.endpoint is one.sit(Seat(1), GameChance(1)).endpoint


@pytest.mark.parametrize(
    "wrong",
    [
        {"variant": "../plain"},
        {"unit": ""},
        {"unit": "to\nkens"},
        {"scale": 0},
        {"scale": 1.5},
        {"labels": ("A", "a")},
        {"labels": ("nobody", "b")},
        {"labels": ("<b>", "c")},
        {"order": (0, 0)},
    ],
)
def test_framings_that_cannot_be_are_refused(wrong: dict) -> None:
    with pytest.raises(InputError):
        Framing(**wrong)


def test_framings_must_fit_the_table() -> None:
    for framing in (Framing(labels=("A", "B")), Framing(order=(1, 0)), Framing(variant="rhymed")):
        with pytest.raises(InputError):
            player("contribute_punish", FakeConnection("tags"), framing, GameChance(1)).compose(GIVE, ())
    with pytest.raises(InputError, match="no game called 'chess'"):
        briefing_of("chess")


def test_numbers_are_written_as_people_write_them() -> None:
    assert [plain(x) for x in (1, 1.0, 0.1, 1.50, 1e-4, -0.0, 1e6, float("nan"))] == [
        *("1", "1", "0.1", "1.5", "0.0001", "0", "1000000", "nan")
    ]
    assert Framing(scale=10).money(0.1) == "1 token"
    assert Framing(unit="yen").money(1) == "1 yen"
    assert Framing().figure(94.4477) == "94.44"
    assert Framing().figure(100 * (1 - 0.9)) == "10"
