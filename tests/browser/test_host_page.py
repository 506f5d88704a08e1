"""The page of a session's host: what it shows at each stage, its actions, and what axe finds on it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ostrom.experiment.session.file import SessionFile
from ostrom.journal.sql import Journal
from session_people import SimulatedPerson, all_play, joined
from session_server import SessionServer, serving_session, session_file

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
FoundByAxe = Callable[[Page], list[str]]
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}
VIEWS = {"English": ("Overview", "Payments", "Results"), "Deutsch": ("Übersicht", "Auszahlungen", "Ergebnisse")}


def class_session() -> SessionFile:
    """Two groups in two treatments, with a quiz and traces."""
    return session_file(
        session={"participants": 8},
        consent={"text": "We record how you answer, as counts only.", "version": "1"},
        recording={"traces": True},
        quiz={"questions": [{"name": "q", "text": "1 + 1?", "type": "number", "answer": 2, "feedback": "Count."}]},
        treatments=[{"name": "plain"}, {"name": "punishment", "rules": {"punishment": True}}],
        games=[{"name": "g1", "game": "contributions", "group": 4, "rules": {"rounds": 2}, "seconds": 300.0}],
    )


@pytest.fixture
def server(pages: Path, tmp_path: Path) -> Iterator[SessionServer]:
    with (
        Journal.open(f"sqlite:///{tmp_path}/journal.db", create=True) as journal,
        serving_session(journal, class_session(), pages=pages) as running,
    ):
        yield running


def assert_accessible(page: Page, found_by_axe: FoundByAxe) -> None:
    """axe finds nothing, and nothing is wider than the window, on a phone and on a desk."""
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert found_by_axe(page) == [], size
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_host_starts_watches_and_ends_a_session(
    server: SessionServer, new_page: NewPage, found_by_axe: FoundByAxe
) -> None:
    page = new_page(viewport=DESK)
    page.goto(f"{server.address}/host#{server.new.host_token}")
    expect(page.get_by_role("heading", level=1)).to_have_text("A class")
    expect(page.get_by_test_id("code")).to_have_text(server.code)
    assert_accessible(page, found_by_axe)

    page.get_by_role("button", name="Show to the class").click()
    expect(page.get_by_test_id("big-code")).to_have_text(server.code)
    assert_accessible(page, found_by_axe)
    page.get_by_role("button", name="Back to the dashboard").click()

    people = [server.person(quiz=lambda _: 2) for _ in range(7)]
    late = server.person(quiz=lambda _: 2)
    late.join()
    threads = all_play(people)
    expect(page.get_by_test_id("count-in_lobby")).to_have_text("7")
    expect(page.get_by_test_id("count-joined")).to_have_text("8 of 8")
    late_thread = walk_to_the_lobby(late)
    expect(page.get_by_test_id("count-in_lobby")).to_have_text("8")
    page.get_by_role("button", name="Start", exact=True).or_(
        page.get_by_role("button", name="Start the session")
    ).click()
    expect(page.get_by_test_id("state")).to_have_text("Running")
    # The others wait for the one who does not answer.
    expect(page.get_by_text(f"waits for {late.name}").first).to_be_visible()
    assert_accessible(page, found_by_axe)
    row = page.get_by_role("row").filter(has_text=late.name).filter(has=page.get_by_role("button", name="+60 s")).first
    row.get_by_role("button", name="+60 s").click()
    row.get_by_role("button", name="Actions").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert_accessible(page, found_by_axe)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Pause all").click()
    expect(page.get_by_role("button", name="Resume all")).to_be_visible()
    page.get_by_role("button", name="Resume all").click()
    assert late_thread == "lobby"
    joined([*threads, *all_play([late])])
    expect(page.get_by_test_id("state")).to_have_text("Ended")

    for language, views in VIEWS.items():
        page.get_by_role("radio", name=language).check(force=True)
        for view in views:
            page.get_by_role("radio", name=view).check(force=True)
            expect(page.get_by_role("radio", name=view)).to_be_checked()
            assert_accessible(page, found_by_axe)


def walk_to_the_lobby(person: SimulatedPerson) -> str:
    """Go through the pages before the lobby; return the kind of the page that is open then."""
    while (state := person.state())["page"]["kind"] != "lobby":
        person.act(state)
    return str(state["page"]["kind"])


def test_a_wrong_link_shows_nothing_of_the_session(server: SessionServer, page: Page, allowed: list[str]) -> None:
    allowed.append("status of 40[13]")
    page.goto(f"{server.address}/host#wrong")
    expect(page.get_by_test_id("denied")).to_be_visible()
    assert "A class" not in page.content()
    assert server.code not in page.content()
