"""Each kind of a participant's page, as it is drawn from a state of the server, in German and English."""

import json
import mimetypes
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from participant_states import HOSTILE, LANGUAGES, door, state, states

BASE = "http://127.0.0.1:9"
CODE = "K7QX2M"


class StoredSession:
    """A session whose replies are fixed: the built pages, and one state of a participant."""

    def __init__(self, page: Page, pages: Path, language: str) -> None:
        self.page, self.pages = page, pages
        self.door = door(language)
        self.state: dict[str, Any] = {}
        self.sent: list[dict[str, Any]] = []
        page.route("**/*", self.answer)

    def answer(self, route: Route) -> None:
        """Reply to a request of the page."""
        path = route.request.url.removeprefix(BASE).partition("?")[0].lstrip("/")
        if path.startswith("api/participate/door/"):
            self.reply(route, self.door)
        elif path == "api/participate/join":
            self.sent.append(route.request.post_data_json)
            self.reply(route, {"token": "secret", "participant": "person-07"})
        elif path == "api/participate/live":
            body = f"event: participant\ndata: {json.dumps(self.state)}\n\n"
            route.fulfill(body=body, content_type="text/event-stream")
        elif path.startswith("api/"):
            if route.request.method == "POST":
                self.sent.append(route.request.post_data_json)
            self.reply(route, self.state)
        else:
            name = "join/index.html" if path.startswith("join/") else path
            kind = mimetypes.guess_type(name)[0] or "text/plain"
            route.fulfill(body=(self.pages / name).read_bytes(), content_type=kind)

    def reply(self, route: Route, body: Any) -> None:
        """Reply with JSON."""
        route.fulfill(json=body)

    def open(self, state: dict[str, Any]) -> Page:
        """Open a page of a participant who has joined, and wait until it is drawn."""
        self.state = state
        self.page.add_init_script("sessionStorage.setItem('ostrom-participant:K7QX2M', 'secret')")
        self.page.goto(f"{BASE}/join/{CODE}")
        expect(self.page.get_by_role("heading", level=1)).to_be_visible()
        return self.page


NewPage = Callable[..., Page]


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_on_any_page(
    new_page: NewPage, pages: Path, language: str, found_by_axe: Callable[[Page], list[str]]
) -> None:
    for width in (360, 1280):
        for name, one in states(language):
            page = StoredSession(new_page(viewport={"width": width, "height": 800}), pages, language).open(one)
            assert found_by_axe(page) == [], name
            assert page.evaluate("document.documentElement.scrollWidth") <= width, name
            assert page.evaluate("document.documentElement.lang") == language
            page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_axe_finds_nothing_at_the_door(
    new_page: NewPage, pages: Path, language: str, found_by_axe: Callable[[Page], list[str]]
) -> None:
    doors: list[dict[str, Any]] = [{}, {"asks_label": True}, {"open": False}, {"join": "links"}, {"parameters": ["ID"]}]
    for changes in doors:
        page = new_page(viewport={"width": 360, "height": 800})
        session = StoredSession(page, pages, language)
        session.door.update(changes)
        page.goto(f"{BASE}/join/{CODE}")
        expect(page.get_by_role("heading", level=1)).to_have_text(session.door["title"])
        assert found_by_axe(page) == [], changes
        page.context.close()


def test_texts_of_people_are_shown_as_text(page: Page, pages: Path) -> None:
    opened: list[str] = []
    page.on("dialog", lambda dialog: (opened.append(dialog.message), dialog.dismiss()))
    notices = dict(states("en"))["notices"]
    StoredSession(page, pages, "en").open(notices)
    expect(page.get_by_test_id("chat")).to_contain_text(HOSTILE)
    expect(page.get_by_text("You are <img src=x")).to_be_visible()
    expect(page.get_by_test_id("notice")).to_contain_text(notices["notice"])
    expect(page.get_by_test_id("paused")).not_to_be_empty()
    expect(page.get_by_test_id("elsewhere")).not_to_be_empty()
    assert opened == []


@pytest.mark.slow
def test_a_draft_outlives_a_reload_and_mistakes_are_named(page: Page, pages: Path) -> None:
    session = StoredSession(page, pages, "en")
    session.open(dict(states("en"))["questionnaire"])
    page.get_by_label("What did you try to achieve?").fill("not sent yet")
    page.get_by_label("Your age").fill("12")
    page.get_by_role("radio", name="7, very fair").check()
    page.reload()
    expect(page.get_by_label("What did you try to achieve?")).to_have_value("not sent yet")
    expect(page.get_by_role("radio", name="7, very fair")).to_be_checked()
    page.get_by_test_id("go-on").click()
    expect(page.get_by_text("This is not allowed. A number from 16 to 99 is.")).to_be_visible()
    expect(page.get_by_label("Your age")).to_be_focused()
    assert session.sent == []
    page.get_by_label("Your age").fill("23")
    page.get_by_role("radio", name="Economics", exact=True).check()
    page.get_by_label("Your age").press("Enter")
    expect(page.get_by_test_id("go-on")).to_be_enabled()
    (sent,) = session.sent
    assert sent["values"] == {"age": 23, "fair": 7, "field": "Economics", "aim": "not sent yet"}


@pytest.mark.slow
def test_the_heading_of_a_new_page_has_the_focus_and_enter_goes_on(page: Page, pages: Path) -> None:
    session = StoredSession(page, pages, "de")
    all_states = dict(states("de"))
    session.open(all_states["welcome"])
    session.state = state("de", all_states["instructions"]["page"], version=2)
    page.get_by_test_id("go-on").press("Enter")
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_have_text("Anleitung")
    expect(heading).to_be_focused()
    expect(page.get_by_test_id("go-on")).to_be_enabled()
    session.state = state("de", all_states["consent"]["page"], version=3)
    page.keyboard.press("Enter")
    expect(heading).to_have_text("Information und Einwilligung")
    expect(page.get_by_test_id("go-on")).to_be_enabled()
    assert [one["name"] for one in session.sent] == ["welcome", "instructions"]
    page.keyboard.press("Enter")  # nothing is preselected, so nothing is sent
    expect(page.get_by_text("Bitte wählen Sie eine Möglichkeit.")).to_be_visible()
    assert len(session.sent) == 2


@pytest.mark.slow
def test_traces_are_sent_only_where_the_session_records_them(page: Page, pages: Path) -> None:
    session = StoredSession(page, pages, "en")
    belief = dict(states("en"))["belief"]
    session.open(belief)
    page.get_by_role("textbox").press_sequentially("12")
    page.get_by_test_id("go-on").click()
    expect(page.get_by_test_id("go-on")).to_be_enabled()
    assert session.sent[-1]["trace"] is None
    session.state = {**belief, "version": 2, "traces": True}
    page.reload()
    page.get_by_role("textbox").select_text()
    page.get_by_role("textbox").press_sequentially("9")
    page.evaluate("document.activeElement.dispatchEvent(new ClipboardEvent('paste', {bubbles: true}))")
    page.get_by_test_id("go-on").click()
    expect(page.get_by_test_id("go-on")).to_be_enabled()
    trace = session.sent[-1]["trace"]
    assert trace["keys"] == 1
    assert trace["pastes"] == 1
    assert trace["first_key_s"] <= trace["total_s"]
    assert set(trace) == {"pastes", "keys", "characters", "focus_lost", "first_key_s", "total_s"}


@pytest.mark.slow
def test_two_people_can_join_in_one_browser(new_page: NewPage, pages: Path) -> None:
    first = new_page()
    session = StoredSession(first, pages, "en")
    session.state = dict(states("en"))["welcome"]
    first.goto(f"{BASE}/join/{CODE}?PROLIFIC_PID=x")
    first.get_by_test_id("join").click()
    expect(first.get_by_role("heading", level=1)).to_have_text("Welcome")
    key = session.sent[0].pop("key")  # The same request, sent again, joins nobody else.
    assert len(key) == 32
    assert session.sent[0] == {"code": CODE, "label": None, "link": None, "parameters": {}}
    second = first.context.new_page()
    other = StoredSession(second, pages, "en")
    other.state = session.state
    second.goto(f"{BASE}/join/{CODE}")
    expect(second.get_by_test_id("resume")).to_be_visible()
    second.get_by_role("button", name="Join as another person").click()
    second.get_by_test_id("join").click()
    expect(second.get_by_role("heading", level=1)).to_have_text("Welcome")


@pytest.mark.slow
def test_the_address_of_a_panel_must_have_its_parameters(page: Page, pages: Path) -> None:
    session = StoredSession(page, pages, "en")
    session.state = dict(states("en"))["welcome"]
    session.door["parameters"] = ["PROLIFIC_PID", "STUDY_ID"]
    page.goto(f"{BASE}/join/{CODE}?PROLIFIC_PID=x")
    expect(page.get_by_text(re.compile("it lacks: STUDY_ID"))).to_be_visible()
    page.goto(f"{BASE}/join/{CODE}?PROLIFIC_PID=x&STUDY_ID=y&other=z")
    page.get_by_test_id("join").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome")
    assert session.sent[0]["parameters"] == {"PROLIFIC_PID": "x", "STUDY_ID": "y"}
