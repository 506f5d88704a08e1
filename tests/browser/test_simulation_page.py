"""The page of a simulation: its charts and tables, and points that open as games."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import ostrom

pytestmark = pytest.mark.slow


def test_a_point_of_a_heat_map_opens_as_a_game(page: Page, served: Callable[[str], str], tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    rules = ostrom.CommonsRules(turns=3)
    found = ostrom.sweep(["alpha=0,1", "synergy=1.5,2"], players=["Pavlov", "Parasite"], rules=rules, games=2, seed=1)
    name = ostrom.keep(found, url)
    base = served(url)
    page.goto(f"{base}#/experiments/{name}")
    expect(page.get_by_role("heading", name="The Commons: sweep of alpha × synergy")).to_be_visible()
    expect(page.get_by_role("link", name="point 3: alpha 1, synergy 2")).to_be_visible()
    page.locator("figure .mark-rect path").first.click()
    expect(page).to_have_url(re.compile(r"/openings/\d$"))
    expect(page.get_by_text("Pavlov, Parasite")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^point \d: alpha \d, synergy .* game 0 of 2"))).to_be_visible()
    page.get_by_role("button", name="Next game").click()
    expect(page.get_by_text(re.compile("game 1 of 2"))).to_be_visible()
