"""The page of sessions: a session is chosen, checked, started, and served no longer."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow

Serve = Callable[..., str]
FoundByAxe = Callable[[Page], list[str]]
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 900}


def assert_accessible(page: Page, found_by_axe: FoundByAxe) -> None:
    """axe finds nothing, and nothing is wider than the window, on a phone and on a desk."""
    for size in (PHONE, DESK):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        assert found_by_axe(page) == [], size
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_session_is_started_from_the_page(
    page: Page, served: Serve, tmp_path: Path, found_by_axe: FoundByAxe
) -> None:
    base = served(f"sqlite:///{tmp_path}/journal.db", "a-token-of-the-lab", steers=True)
    page.goto(f"{base}#/sessions?token=a-token-of-the-lab")
    expect(page.get_by_role("heading", level=1)).to_have_text("Sessions")
    page.get_by_label("Ready session").select_option("beauty-contest-de")
    text = page.get_by_label("Session file")
    expect(text).to_have_value(re.compile('language = "de"'))
    page.get_by_label("Participants").fill("9")
    expect(text).to_have_value(re.compile("participants = 9"))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("No mistakes")).to_be_visible()
    text.fill(text.input_value().replace('fill = "level-k"', ""))
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text(re.compile("do not divide 9 participants"))).to_be_visible()
    assert_accessible(page, found_by_axe)
    page.get_by_label("Participants").fill("8")
    page.get_by_label("Phones and other machines").uncheck()
    page.get_by_role("button", name="Start the session").click()
    expect(page.get_by_role("heading", name="The session runs")).to_be_visible()
    expect(page.get_by_test_id("session-code")).to_have_text(re.compile("^[A-Z0-9]{6}$"))
    link = page.get_by_role("link", name="Open the host’s page")
    expect(link).to_have_attribute("href", re.compile(r"^http://127\.0\.0\.1:\d+/host#\S+$"))
    assert_accessible(page, found_by_axe)
    host = str(link.get_attribute("href"))
    page.goto(host)
    expect(page.get_by_test_id("count-joined")).to_have_text("0 of 8")
    page.goto(f"{base}#/sessions")
    expect(page.get_by_role("button", name="Stop serving")).to_be_visible()
    assert_accessible(page, found_by_axe)
    page.get_by_role("button", name="Stop serving").click()
    expect(page.get_by_role("button", name="Continue")).to_be_visible()


def test_a_server_without_steering_names_the_commands(page: Page, served: Serve, tmp_path: Path) -> None:
    page.goto(f"{served(f'sqlite:///{tmp_path}/journal.db')}#/sessions")
    expect(page.get_by_text("ostrom serve --steer", exact=True)).to_be_visible()
