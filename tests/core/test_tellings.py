"""Tellings of every registered game: seats that exist, quantities that are declared, transfers that add up, and a last
value that is the final one."""

import json
import sys
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from pydantic import ValidationError

from ostrom.core.effects import Choose, Quote, Say, SeatSpan, Set, Telling, Transfer, listed, sentence
from ostrom.core.plugins import GAMES
from ostrom.core.scene import Card, Flow, Panel, Prices, Quantity, Scene
from ostrom.core.telling import (
    BoardState,
    Presentation,
    Story,
    faults,
    presentation_of,
    render,
    story_of,
    transcript_lines,
)
from ostrom.core.telling import transcript as lines_of

sys.path.insert(0, str(Path(__file__).parent.parent / "golden"))
from rewrite import TABLES, play

HOSTILE = "\x1b[31m<script>alert(1)</script>\n\u202e{seat} {0} %s"


def story(game: str) -> tuple[Story, int, list[float | None] | None]:
    match = play(game)
    told = story_of(presentation_of(match.game), match.rules, len(match.names), match.events)
    return told, len(match.names), None if match.game.finals is None else list(match.game.finals(match.events))


@pytest.mark.parametrize("game", TABLES)
def test_tellings_of_every_game_have_no_faults(game):
    told, seats, finals = story(game)
    assert list(faults(told, seats, finals)) == []
    assert (told.scene.final is None) == (finals is None)


@pytest.mark.parametrize("game", TABLES)
def test_scene_and_tellings_come_back_from_json(game):
    told, _, _ = story(game)
    for one in (told.opening, *told.tellings):
        back = Telling.model_validate(json.loads(json.dumps(one.model_dump())))
        assert back.model_dump() == one.model_dump()
    assert Scene.model_validate(json.loads(json.dumps(told.scene.model_dump()))) == told.scene


@pytest.mark.parametrize("game", TABLES)
def test_every_telling_has_a_line(game):
    told, seats, _ = story(game)
    names = [f"P{seat + 1}" for seat in range(seats)]
    assert all(lines_of(told.scene, one, names) for one in told.tellings)


def test_stated_choices_and_played_games_have_a_form_at_every_moment():
    for name in TABLES:
        told, _, _ = story(name)
        shape = (told.scene.layout, told.scene.final)
        if name.startswith("stated_"):
            assert all(one.form for one in told.tellings if one.asked), name
        elif shape == ("question", "payoff") and play(name).game.part("scene") is not None:
            assert all(one.form for one in (told.opening, *told.tellings)), name


def test_hostile_text_appears_only_as_a_quotation():
    telling = Telling(text=(sentence(0, " says ", Quote(quote=HOSTILE)),), effects=(Say(seat=0, text=HOSTILE),))
    back = Telling.model_validate(json.loads(json.dumps(telling.model_dump())))
    assert back == telling
    assert back.text[0] == (SeatSpan(seat=0), " says ", Quote(quote=HOSTILE))
    scene = Scene(layout="question", title="Test")
    assert all("\n" not in line for line in lines_of(scene, telling, ["P1"]))


def test_a_sentence_joins_words_and_keeps_seats_apart():
    assert sentence("a", "b", 1, "", "c") == ("ab", SeatSpan(seat=1), "c")
    assert render(sentence(*listed([0, 1, 2]), " win"), ["A", "B", "C"]) == "A, B and C win"


SCENE = Scene(
    layout="table",
    title="Test",
    final="coins",
    quantities={"coins": Quantity(title="Coins"), "pot": Quantity(title="Pot", of="table")},
    flows={"gift": Flow(title="Gift", of="coins"), "fine": Flow(title="Fine", of="coins", takes=True)},
    card=Card(quantity="coins"),
)
OPENING = Telling(effects=(Set(values={"coins": (10, 10)}),))


def test_transfers_that_explain_every_change_are_right():
    gift = Transfer(kind="gift", source=0, target=1, amount=4, arrives=12, cost=1)
    fine = Transfer(kind="fine", source=0, target=1, amount=6, cost=2)
    tellings = (
        Telling(effects=(gift, Set(values={"coins": (5, 22)}))),
        Telling(effects=(fine, Set(values={"coins": 3}, seat=0), Set(values={"coins": 16}, seat=1))),
    )
    assert list(faults(Story(SCENE, OPENING, tellings), 2, [3, 16])) == []


@pytest.mark.parametrize(
    ("telling", "fault"),
    [
        (Telling(effects=(Set(values={"coins": (9, 10)}),)), "seat 0 holds coins 9; with what was transferred"),
        (Telling(effects=(Set(values={"gold": 1}),)), "'gold', which the scene does not declare"),
        (Telling(effects=(Set(values={"coins": 1}),)), "it sets 'coins' of the table"),
        (Telling(effects=(Set(values={"coins": (1, 2, 3)}),)), "a list of 3 entries for 2 seats"),
        (Telling(effects=(Set(values={"pot": (1, 2)}),)), "it sets 'pot' by a list"),
        (Telling(effects=(Say(seat=2, text=""),)), "it names seat 2, but there are 2 seats"),
        (Telling(text=(sentence(5),)), "it names seat 5"),
        (Telling(effects=(Transfer(kind="theft", source=0, target=1, amount=1),)), "the kind 'theft'"),
        (Telling(effects=(Transfer(source="each", target="table", amount=1),)), "an amount for each seat"),
        (Telling(phase="night"), "the phase 'night'"),
    ],
)
def test_faults_of_tellings_are_named(telling, fault):
    found = list(faults(Story(SCENE, OPENING, (telling,)), 2, None))
    assert any(fault in one for one in found), found


def test_a_last_value_that_is_not_the_final_one_is_named():
    assert list(faults(Story(SCENE, OPENING, ()), 2, [10, 11])) == [
        "seat 1 ends with coins 10 by its effects, and with 11 by the game"
    ]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"final": "gold"}, "final names the quantity 'gold'"),
        ({"final": "pot"}, "final needs a quantity of the seat"),
        ({"card": None}, "the layout .table. needs a card"),
        ({"layout": "sides"}, "two sides need prices"),
        ({"prices": Prices(quotes="coins", trades="coins", right=(1,))}, "prices needs a quantity of the table"),
        ({"layout": "dashboard"}, "a dashboard needs at least one panel"),
        ({"panels": (Panel(kind="steps", quantity="coins"),)}, "panels needs a quantity of the table"),
    ],
)
def test_a_scene_that_does_not_fit_together_is_refused(change, reason):
    with pytest.raises(ValidationError, match=reason):
        Scene(**{**dict(SCENE), **change})


def test_roles_and_sides_name_the_seats_of_the_game():
    prices = Prices(quotes="coins", trades="price", right=(5,))
    price = Quantity(title="Price", of="table")
    scene = Scene(
        **{**dict(SCENE), "quantities": {**SCENE.quantities, "price": price}, "roles": ("a",), "prices": prices}
    )
    found = list(faults(Story(scene, Telling(), ()), 2, None))
    assert found == ["the scene has 1 roles for 2 seats", "the prices name seat 5, but there are 2 seats"]


def test_numbers_that_are_not_finite_are_refused():
    for value in (float("nan"), float("inf")):
        with pytest.raises(ValidationError):
            Set(values={"coins": value})
        with pytest.raises(ValidationError):
            Choose(seat=0, value=value)


def test_a_game_without_a_scene_is_told_by_its_events():
    match = play("trust")
    game = replace(match.game, scene=None)
    plain_story = story_of(presentation_of(game), match.rules, 2, match.events)
    assert list(faults(plain_story, 2, match.game.finals(match.events))) == []
    lines = chain.from_iterable(transcript_lines(game, match.rules, match.events, "AB"))
    assert any("Sent: endowment 100, amount 51.6, received 154.8" in line for line in lines)


def test_a_board_knows_which_seats_left():
    told, seats, _ = story("commons")
    board = BoardState(seats)
    for one in told.tellings:
        board.apply(one)
    assert board.out
    assert isinstance(GAMES["commons"].part("scene"), Presentation)
