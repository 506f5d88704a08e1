"""A replay as a notebook shows it: a frame within the output of a cell, with the network off and without an origin."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import ostrom

pytestmark = pytest.mark.slow


def test_a_replay_runs_inside_a_notebook_without_network_or_origin(
    new_page: Callable[..., Page], tmp_path: Path
) -> None:
    game = ostrom.play(["Cooperator", "FreeRider", "Retaliator"], game="punish", rules={"rounds": 2}, seed=1)
    cell = tmp_path / "cell.html"
    shown = game.replay(height=700)._repr_html_()
    cell.write_text(f"<!doctype html><title>notebook</title><div class='output'>{shown}</div>", encoding="utf-8")
    page = new_page(viewport={"width": 1100, "height": 800})
    page.context.set_offline(True)
    page.goto(cell.as_uri())
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("FreeRider").first).to_be_visible()
    frame.get_by_role("button", name="Play").first.click()
    expect(frame.get_by_text("Before the first round")).to_have_count(0)
    assert page.evaluate("document.querySelector('iframe').contentDocument") is None, "it cannot reach the notebook"
