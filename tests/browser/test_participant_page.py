"""A whole session of four people in a browser: one has a phone, and one uses only the keyboard."""

import re
import time
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from ostrom.experiment.session.file import SessionFile
from ostrom.journal.sql import Journal
from participant_states import HOSTILE
from session_server import SessionServer, serving_session, session_file

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
PATIENCE_S = 600.0
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}


def whole_session() -> SessionFile:
    """A session with every kind of page."""
    scale = {"name": "fair", "text": "How fair was it?", "type": "scale", "steps": 5, "low": "unfair", "high": "fair"}
    return session_file(
        session={"participants": 4, "lobby_chat": True, "join": "labels", "labels": ["A1", "A2", "A3", "A4"]},
        pages={"welcome": "# Hello\n\nThis is a **study**.", "instructions": "You give tokens.\n\n- One\n- Two"},
        consent={"text": "We record how you answer: pastes and keys, only counts.", "version": "2", "required": True},
        recording={"traces": True},
        quiz={
            "attempts": 3,
            "questions": [
                {"name": "q1", "text": "What is 2 + 2?", "type": "number", "answer": 4, "feedback": "It is **4**."},
                {"name": "q2", "text": "Which?", "choices": ["this", "that"], "answer": "that", "feedback": "No."},
            ],
        },
        games=[
            {
                **{"name": "g1", "game": "contributions", "group": 4, "rules": {"rounds": 2}, "practice": 1},
                **{"practice_rules": {"rounds": 1}, "seconds": 600.0},
            }
        ],
        beliefs=[
            {
                **{"name": "b1", "game": "g1", "when": "before", "text": "What will they give?", "minimum": 0},
                **{"maximum": 20, "unit": "tokens", "truth": "others_mean", "quantity": "contribution"},
                "pay": {"most": 2.0, "loses": 0.1},
            }
        ],
        questionnaire=[
            {"name": "age", "text": "Your age", "type": "number", "minimum": 16, "maximum": 99, "required": True},
            {**scale, "required": True},
            {"name": "why", "text": "Why?", "type": "text", "required": False},
        ],
    )


class BrowserPerson:
    """A person who takes part in a browser."""

    def __init__(self, page: Page, server: SessionServer, label: str, *, keyboard: bool = False) -> None:
        self.page, self.server, self.label, self.keyboard = page, server, label, keyboard
        self.met: list[str] = []
        self.given: list[int] = []
        self.quizzes = 0
        self.payment = ""

    def join(self) -> None:
        """Go through the door."""
        self.page.goto(f"{self.server.address}/join/{self.server.code}")
        field = self.page.get_by_label("Your label")
        expect(field).to_be_visible()
        if self.keyboard:
            self.tab_to(field)
            self.page.keyboard.type(self.label)
            self.page.keyboard.press("Enter")
        else:
            field.fill(self.label)
            self.page.get_by_test_id("join").click()

    def tab_to(self, target: Any) -> None:
        """Press Tab until an element has the focus."""
        for _ in range(60):
            if target.evaluate("(one) => one === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the keyboard does not reach {target}")

    def fill(self, field: Any, text: str) -> None:
        """Enter a text."""
        if self.keyboard:
            self.tab_to(field)
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(text)
        else:
            field.fill(text)

    def choose(self, name: str) -> None:
        """Choose a radio button. By keyboard, Tab leads to the group, and arrows lead to the others."""
        radio = self.page.get_by_role("radio", name=name, exact=True)
        if not self.keyboard:
            radio.check()
            return
        group = self.page.get_by_role("radiogroup").filter(has=radio).get_by_role("radio")
        self.tab_to(group.first)
        self.page.keyboard.press("Space")
        for _ in range(group.count()):
            if radio.is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"the arrows do not reach {name}")

    def go_on(self) -> None:
        """Submit the open page."""
        button = self.page.get_by_test_id("go-on")
        if self.keyboard:
            self.tab_to(button)
            self.page.keyboard.press("Enter")
        else:
            button.click()

    def kind(self) -> str:
        """The kind of the open page."""
        main = self.page.locator("main[data-page]")
        return (main.get_attribute("data-page") or "") if main.count() else ""

    def act(self) -> bool:
        """Do what the open page asks for; return whether there was something to do."""
        kind = self.kind()
        if not kind or kind in ("lobby", "waiting", "outcome"):
            self.note(kind)
            return False
        if kind != "game" and not self.page.get_by_test_id("go-on").is_enabled():
            return False
        self.note(kind)
        if kind == "game":
            return self.give()
        if kind == "payment":
            self.payment = self.page.get_by_test_id("total").inner_text()
        entering = getattr(self, f"enter_{kind}", None)
        if entering is not None:
            entering()
        heading = self.page.get_by_role("heading", level=1).inner_text()
        self.go_on()
        self.page.wait_for_function(
            "([kind, title]) => document.querySelector('main').dataset.page !== kind"
            " || document.querySelector('h1').innerText !== title"
            " || document.querySelector('[data-testid=attempts]')?.innerText.includes('2')",
            arg=[kind, heading],
        )
        return True

    def note(self, kind: str) -> None:
        """Note a page that is met."""
        if kind and self.met[-1:] != [kind]:
            self.met.append(kind)

    def give(self) -> bool:
        """Contribute, if it is this person's turn."""
        field = self.page.get_by_label("Contribution", exact=True)
        if not field.count() or not field.is_enabled():
            return False
        amount = 3 + len(self.given)
        asked = self.page.get_by_test_id("strip").inner_text()
        self.fill(field, str(amount))
        expect(self.page.get_by_test_id("send")).to_have_text(f"Contribute {amount} tokens")
        if self.keyboard:
            self.page.keyboard.press("Enter")
        else:
            self.page.get_by_test_id("send").click()
        self.given.append(amount)
        self.page.wait_for_function(
            "(before) => document.querySelector('[data-testid=strip]')?.innerText !== before"
            " || document.querySelector('main').dataset.page !== 'game'",
            arg=asked,
        )
        return True

    def enter_consent(self) -> None:
        self.choose("I have read the information, and I agree to take part.")

    def enter_quiz(self) -> None:
        self.quizzes += 1
        if self.quizzes == 1:
            self.fill(self.page.get_by_label("What is 2 + 2?"), "5")
            self.choose("that")
            return
        expect(self.page.get_by_test_id("quiz-q1")).to_contain_text("It is 4.")
        expect(self.page.get_by_test_id("quiz-q2")).to_contain_text("Right.")
        self.fill(self.page.get_by_label("What is 2 + 2?"), "4")

    def enter_belief(self) -> None:
        self.fill(self.page.get_by_label("What will they give?"), "7,5")

    def enter_questionnaire(self) -> None:
        self.fill(self.page.get_by_label("Your age"), "23")
        self.choose("2")
        self.fill(self.page.get_by_label("Why?"), HOSTILE)


def take_part(people: list[BrowserPerson], until: str) -> None:
    """Let all act until everybody's page is of a kind."""
    last = time.monotonic() + PATIENCE_S
    while any(person.kind() != until for person in people):
        acted = [person.act() for person in people if person.kind() != until]
        if any(acted):
            last = time.monotonic() + PATIENCE_S
        assert time.monotonic() < last, [person.met for person in people]
        people[0].page.wait_for_timeout(50)
    for person in people:
        person.note(until)


@pytest.fixture
def server(pages: Path, tmp_path: Path) -> Iterator[SessionServer]:
    """A whole session, served."""
    with (
        Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal,
        serving_session(journal, whole_session(), pages=pages) as running,
    ):
        yield running


def test_four_people_play_a_whole_session(
    server: SessionServer, new_page: NewPage, found_by_axe: Callable[[Page], list[str]]
) -> None:
    opened: list[str] = []
    sizes: list[dict[str, Any]] = [PHONE, {}, {}, {}]
    people = [
        BrowserPerson(new_page(**size), server, f"A{number + 1}", keyboard=number == 1)
        for number, size in enumerate(sizes)
    ]
    for person in people:
        person.page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
        person.join()
    take_part(people, "lobby")
    people[0].page.get_by_label("Message to all").fill(HOSTILE)
    people[0].page.keyboard.press("Enter")
    for person in people:
        expect(person.page.get_by_test_id("chat")).to_contain_text("<script>alert(2)</script>")
        expect(person.page.get_by_test_id("people")).to_have_text("4 of 4 people are here")
    server.host.act("start")
    server.host.act("notice", text=HOSTILE)
    take_part(people, "outcome")
    for person in people:
        met = [kind for kind in person.met if kind != "waiting"]
        before, after = ["text", "consent", "text", "quiz", "lobby"], ["questionnaire", "payment", "outcome"]
        assert met == [*before, "game", "results", "belief", "game", "results", *after]
        assert person.given == [3, 4, 5]
        assert person.quizzes == 2
        assert found_by_axe(person.page) == []
        assert person.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert Decimal(person.payment.lstrip("€")) > 3
    assert opened == []
    state = server.host.until(lambda state: state["counts"]["done"] == 4)
    assert {row["label"] for row in state["participants"]} == {"A1", "A2", "A3", "A4"}


def test_two_windows_of_one_seat_and_a_lost_connection(
    server: SessionServer, new_page: NewPage, allowed: list[str]
) -> None:
    allowed.append("ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED|status of 409|ERR_INCOMPLETE_CHUNKED")
    page = new_page()
    person = BrowserPerson(page, server, "A1")
    person.join()
    expect(page.locator("main[data-page=text]")).to_be_visible()
    context: BrowserContext = page.context
    other = context.new_page()
    other.goto(page.url)
    other.get_by_test_id("resume").click()
    for window in (page, other):
        expect(window.get_by_test_id("elsewhere")).to_contain_text("another window")
    person.go_on()
    for window in (page, other):
        expect(window.get_by_role("heading", level=1)).to_have_text("Information and consent")
    other.close()
    expect(page.get_by_test_id("elsewhere")).to_be_empty()
    context.set_offline(True)
    person.choose("I have read the information, and I agree to take part.")
    person.go_on()
    expect(page.get_by_test_id("gone")).to_contain_text("Reconnecting")
    expect(page.get_by_test_id("problem")).to_contain_text("Your input is kept here")
    context.set_offline(False)
    expect(page.get_by_test_id("gone")).to_be_empty()
    person.go_on()
    expect(page.get_by_role("heading", level=1)).to_have_text("Instructions")
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Instructions")
    link = server.host.act("renew_link", participant="person-01")
    expect(page.get_by_test_id("gone")).to_contain_text("new link")
    fresh = new_page()
    fresh.goto(link["link"])
    expect(fresh.get_by_role("heading", level=1)).to_have_text("Instructions")
    expect(fresh.get_by_text(re.compile("You are A1"))).to_be_visible()
    allowed.append("status of 403")
