"""The rule `talk`: one after another, or all before any reads; and the order of speaking."""

import pytest

from ostrom.core import Answer, Driver, GameChance, Table, seats
from ostrom.core.telling import presentation_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH, ContributePunishRules
from ostrom.players.models.briefing import briefing_of
from ostrom.players.models.framing import Framing
from ostrom.players.models.prompting import past_text, question_text, rules_text

VARIANTS = ("plain", "story", "terse")


def steps(**rules):
    """The steps of a game, and its table: every seat says its own name and the round."""
    table = Table(seats(5), GameChance(3))
    driver = Driver(CONTRIBUTE_PUNISH.play(ContributePunishRules(rounds=3, **rules), table))
    while driver.step is not None:
        step = driver.step
        yield step, table
        driver.advance([Answer(_answer(question)) for question in step])


def _answer(question):
    if question.phase == "message":
        return f"secret-{question.seat.label}-{question.turn}"
    return question.fallback


def test_at_once_a_round_has_three_steps_and_in_turn_seven():
    assert [len(step) for step, _ in steps(talk="at-once")] == [5, 5, 5] * 3
    assert [len(step) for step, _ in steps()] == [1, 1, 1, 1, 1, 5, 5] * 3


@pytest.mark.parametrize("layout", [1, 2])
@pytest.mark.parametrize("variant", VARIANTS)
def test_no_seat_sees_a_message_of_the_round_before_all_have_written(layout, variant):
    briefing, framing, chance = briefing_of("contribute_punish"), Framing(variant=variant, layout=layout), GameChance(3)
    for step, table in steps(talk="at-once"):
        for question in step:
            shared = past_text(briefing, question, framing, chance)
            text = "\n".join((question_text(briefing, question, framing, chance), *shared))
            said = [f"secret-{seat.label}-{question.turn}" in text for seat in table.seats]
            assert said == [question.phase != "message"] * 5
            assert question.phase != "message" or question.view.said == ()
        if step[0].phase == "message":
            # The record of a game under way, which pages and streams show, has none of the round's messages either.
            assert not any(f"-{step[0].turn}" in getattr(event, "text", "") for event in table.events)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_rules_say_how_players_talk(variant):
    briefing, framing, chance = briefing_of("contribute_punish"), Framing(variant=variant), GameChance(3)

    def text(**rules):
        step, _ = next(steps(**rules))
        return rules_text(briefing, step[0], framing, chance)

    in_turn, at_once, once = text(), text(talk="at-once"), text(redraw_order=False)
    assert len({in_turn, at_once, once}) == 3
    assert "at once, to everyone" in at_once or "at the same time; no" in at_once


def test_the_order_of_speaking_is_drawn_once_if_the_rules_say_so():
    def orders(**rules):
        spoken = {}
        for step, _ in steps(**rules):
            if step[0].phase == "message":
                spoken.setdefault(step[0].turn, []).append(step[0].seat.index)
        return set(map(tuple, spoken.values()))

    assert len(orders()) == 3
    assert len(orders(redraw_order=False)) == 1


def test_rules_are_stored_as_before_where_players_talk_in_turn():
    assert not {"talk", "redraw_order"} & set(ContributePunishRules().model_dump())
    stored = ContributePunishRules(talk="at-once", redraw_order=False).model_dump(mode="json")
    assert (stored["talk"], stored["redraw_order"]) == ("at-once", False)
    assert ContributePunishRules(**stored).talk == "at-once"


def test_films_and_pages_say_that_messages_were_written_at_once():
    presentation = presentation_of(CONTRIBUTE_PUNISH)
    for talk, title in (("in-turn", "Messages"), ("at-once", "Messages at once")):
        scene = presentation.scene(ContributePunishRules(talk=talk), 5)
        assert scene.phases[0].title == title
