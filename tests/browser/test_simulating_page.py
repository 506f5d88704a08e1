"""A simulation is started from the front page, shows its progress, and leads to its result."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.slow
PATIENCE = 1_200_000
"""Milliseconds that a simulation may take, which is started as a process of its own."""


def test_a_sweep_is_started_refused_and_stored(
    page: Page, served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory, allowed: list[str]
) -> None:
    allowed.append("status of 400")
    base = served(f"sqlite:///{tmp_path_factory.mktemp('simulate') / 'journal.db'}", steers=True)
    page.goto(base)
    page.get_by_role("button", name="Start a simulation").click()
    dialog = page.get_by_role("dialog", name="Start a simulation")
    dialog.get_by_label("Game", exact=True).select_option(label="Contribute & Punish")
    dialog.get_by_label("Vary").fill("files/rounds.csv")
    dialog.get_by_label("Games").fill("2")
    start = dialog.get_by_role("button", name="Start the simulation")
    start.click()
    expect(dialog.get_by_role("alert")).to_contain_text("looks like a file")
    dialog.get_by_label("Vary").fill("rounds=2:3:1")
    start.click()
    expect(dialog).to_be_hidden()
    listed = page.get_by_role("list", name="Simulations").get_by_role("listitem")
    expect(listed).to_contain_text("ostrom sweep punish --vary rounds=2:3:1 --games 2")
    listed.get_by_role("link", name="Result").click(timeout=PATIENCE)
    expect(page).to_have_url(re.compile("#/experiments/simulation-1"))
    page.get_by_role("button", name=re.compile("^Cite and repeat")).click()
    expect(page.get_by_role("dialog", name="Cite and repeat")).to_contain_text(
        "ostrom sweep punish --vary rounds=2:3:1"
    )
