"""Every form of an answer is filled in at the edges of its range and sent, by keyboard and on a phone."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect
from pydantic import BaseModel, ConfigDict

from at_pages import start_with_people
from ostrom.core import Amount, Choice, Event, EventRegistry, Fields, Optional, Play, Question, Spec, Table, Text, When
from ostrom.core.game import Game, Seats
from ostrom.core.plugins import GAMES
from ostrom.core.specs import stepped

CONDITIONAL = Fields({"action": Choice(("offer", "wait")), "price": When("action", "offer", Amount(1, 9, whole=True))})
FORMS: Sequence[tuple[str, Spec, dict[str, str], Any]] = (
    ("lowest", Amount(0, 20, whole=True), {"lowest": "0"}, 0),
    ("smallest", Amount(0, 20, whole=True), {"smallest": "1"}, 1),
    ("highest", Amount(0, 20, whole=True), {"highest": "20"}, 20),
    ("fraction", Amount(-12.5, 12.5), {"fraction": "-12.5"}, -12.5),
    ("steps", stepped(2, 10, 0.5), {"steps": "9.5"}, 9.5),
    ("fixed", Amount(1, 1, whole=True), {}, 1),
    ("single", Choice(("stay",)), {"single": "stay"}, "stay"),
    ("pair", Choice(("left", "right")), {"pair": "right"}, "right"),
    ("many", Choice(tuple(f"option {place}" for place in range(12))), {"many": "option 11"}, "option 11"),
    ("silence", Text(5), {}, ""),
    ("words", Text(2), {"words": "two words"}, "two words"),
    ("passing", Optional(Amount(0, 10)), {}, None),
    ("bidding", Optional(Amount(5, 5)), {"bidding": "5"}, 5.0),
    ("abstaining", Optional(Choice(("yes", "no"))), {"abstaining": "pass"}, None),
    ("waiting", CONDITIONAL, {"action": "wait"}, {"action": "wait", "price": None}),
    ("offering", CONDITIONAL, {"action": "offer", "price": "9"}, {"action": "offer", "price": 9}),
)
"""Phase, specification, what a person enters in which field, and the answer."""
EVENTS = EventRegistry()


class FormRules(BaseModel):
    """No rules."""

    model_config = ConfigDict(frozen=True, extra="forbid")


@EVENTS.register
class FormsFilled(Event, tag="filled"):
    """All forms were sent."""

    count: int


def play(rules: FormRules, table: Table) -> Play:
    for turn, (phase, spec, _, value) in enumerate(FORMS, 1):
        yield [Question(table.seats[0], phase, turn, spec, {"rules": rules}, fallback=value)]
    table.record(FormsFilled(count=len(FORMS)))


GAME: Game[FormRules, Any] = Game(
    name="forms_at_the_edges",
    title="Forms",
    summary="every form of an answer",
    seats=Seats(1, 1),
    rules=FormRules,
    view=dict,
    play=play,
    events=EVENTS,
)


def fill(page: Page, name: str, text: str) -> None:
    field = page.locator(f'[name="{name}"]').first
    kind = field.evaluate("field => field.tagName === 'SELECT' ? 'select' : field.type")
    if kind == "radio":
        page.locator(f'[name="{name}"][value="{text}"]').check()
    elif kind == "select":
        field.select_option(text)
    else:
        field.fill(text)


@pytest.mark.slow
@pytest.mark.parametrize("device", ["keyboard", "phone"])
def test_every_form_is_sent_at_its_edges(
    new_page: Callable[..., Page], served: Callable[..., str], tmp_path: Path, device: str
) -> None:
    if GAME.name not in GAMES:
        GAMES.add(GAME)
    store = f"sqlite:///{tmp_path}/forms.db"
    game = start_with_people(served(store), store, ["human"], game=GAME.command, rules={})
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = new_page(**(phone if device == "phone" else {}))
    page.goto(game.link())
    for turn, (phase, _, entries, _) in enumerate(FORMS, 1):
        expect(page.get_by_test_id("strip")).to_contain_text(f"Round {turn} · {phase}")
        for name, text in entries.items():
            fill(page, name, text)
        send = page.get_by_test_id("send")
        if device == "phone":
            send.tap()
        else:
            send.press("Enter")
    expect(page.get_by_test_id("placing")).to_have_text("The game is over.")
    assert [value for _, _, value in game.answers()] == [value for *_, value in FORMS]
    assert {answer.provenance for answer in game.record().answers} == {"answered"}


@pytest.mark.slow
@pytest.mark.parametrize("device", ["keyboard", "phone"])
def test_a_person_who_can_spend_one_token_punishes(
    new_page: Callable[..., Page], served: Callable[..., str], tmp_path: Path, device: str
) -> None:
    store = f"sqlite:///{tmp_path}/one.db"
    rules = {"messages": False, "rounds": 1, "max_spend": 1}
    players = ("human", "FreeRider", "FreeRider")
    game = start_with_people(served(store), store, players, rules=rules)
    page = new_page(**({"has_touch": True, "viewport": {"width": 390, "height": 844}} if device == "phone" else {}))
    page.goto(game.link())
    page.get_by_label("Contribution", exact=True).fill("0")
    page.get_by_test_id("send").click()
    page.get_by_label("P2", exact=True).check()
    send = page.get_by_test_id("send")
    expect(send).to_have_text("Punish P2 with 1 token")
    send.tap() if device == "phone" else send.press("Enter")
    expect(page.get_by_test_id("placing")).to_be_visible()
    assert game.answers()[-1][2] == {"target": 1, "spend": 1}
