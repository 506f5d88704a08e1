"""Decisions in the words of the forms that asked for them."""

import pytest

from ostrom.experiment import play
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.fields import AimedField, ChoiceField, NumberField, TextField, answer_words
from ostrom.players.models.framing import Framing

AIMED = AimedField("punish", (("P1", 0), ("P3", 2)), low=1, high=9)


@pytest.mark.parametrize(
    ("fields", "value", "words"),
    [
        ([AIMED], {"target": 0, "spend": 5}, "punish P1, spend 5"),
        ([AIMED], {"target": None, "spend": 0}, "punish nobody"),
        ([ChoiceField("choice", (("J", 0), ("F", 1)))], 1, "F"),
        ([NumberField("contribution", 0, 20, whole=True)], 7, "7"),
        ([TextField("message", 50)], "I give half", "I give half"),
        (
            [TextField("reasoning", 50), NumberField("give", 0, 1), ChoiceField("vote", (("P2", 1), ("nobody", None)))],
            {"give": 0.5, "vote": None},
            "give 0.5, vote nobody",
        ),
    ],
)
def test_seats_and_options_have_their_labels(fields, value, words):
    assert answer_words(fields, value) == words


def test_no_decision_of_a_played_game_counts_seats_from_nought():
    match = play(["Retaliator", "FreeRider", "AltruisticPunisher"], game="contribute_punish", seed=1)
    briefing = briefing_of("contribute_punish")
    words = [
        answer_words(briefing.form(one.question, Framing(), match.chance), one.answer.value)
        for one in match.decisions
        if one.question.phase == "punishment"
    ]
    assert any(text.startswith("punish P") for text in words)
    assert not any("{" in text for text in words)
