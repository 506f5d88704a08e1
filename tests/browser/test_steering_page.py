"""Steering of experiments, and simulations, in a browser."""

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import ostrom
from fork_server import COMMANDS, Copy
from ostrom.core.questions import Call
from ostrom.journal.claims import AlreadyClaimed
from ostrom.journal.sql import Journal
from provider_process import provider_process

pytestmark = pytest.mark.slow

TOKEN = "rain-harbour-42-vinyl"
PRICE = {"input": 3.0, "output": 15.0}
BUDGET = 0.3


@contextmanager
def serving(folder: Path, pages: Path) -> Iterator[tuple[Copy, str]]:
    environment = {**os.environ, "OSTROM_PAGES": str(pages), "OSTROM_TOKEN": TOKEN}
    process = COMMANDS.start(["serve", "--steer", "--port", "0", "--store", "journal.db"], folder, environment)
    try:
        line = process.stdout.readline()
        assert line, process.stderr.read()
        yield process, line.removeprefix("The lab is open at ").split(" ")[0]
    finally:
        process.kill()
        process.communicate()


def test_a_benchmark_is_started_survives_a_kill_and_stops_at_its_budget(
    new_page: Callable[..., Page],
    found_by_axe: Callable[[Page], list[str]],
    pages: Path,
    tmp_path: Path,
    allowed: list[str],
) -> None:
    allowed.append("ERR_|Failed to load resource")  # while the server is gone
    (tmp_path / "bots").mkdir()
    with provider_process("--models", "ash,bay", "--delay", 0.6) as provider:
        for name in ("ash", "bay"):
            told = {"model": name, "base_url": provider.base_url, "price": PRICE, "max_tokens": 200}
            (tmp_path / "bots" / f"{name}.json").write_text(json.dumps(told))
        page = new_page(viewport={"width": 1280, "height": 900})
        with serving(tmp_path, pages) as (server, address):
            page.goto(f"{address}#/?token={TOKEN}")
            _start(page, found_by_axe)
            expect(page.get_by_test_id("run-state")).to_have_text("Running")
            # As soon as it has cost something.
            expect(page.get_by_test_id("run-cost")).not_to_contain_text("$0.00 of")
            server.kill()
            server.communicate()
        with serving(tmp_path, pages) as (server, address):
            page = new_page(viewport={"width": 390, "height": 844})
            page.goto(f"{address}#/experiments/punish-1?token={TOKEN}")
            expect(page.get_by_test_id("run-state")).to_have_text("Not running")
            with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
                _until_free(journal)  # the run hears that its server is gone, and lets the calls in flight come in
            before = provider.account()["answered"]
            page.get_by_role("button", name="Resume").click()
            expect(page.get_by_label("Messages of the run")).to_contain_text("The budget is spent")
            expect(page.get_by_test_id("run-state")).to_have_text("Not running")
            page.get_by_label("New budget in dollars").fill("0.01")
            page.get_by_role("button", name="Raise the budget and resume").click()
            expect(page.get_by_role("alert")).to_contain_text("can be raised, not lowered")
            assert page.evaluate("document.documentElement.scrollWidth") <= 390
            assert found_by_axe(page) == []
        account = provider.account()
    assert 0 < before < account["answered"]
    charged = account["charged"]
    bill = (charged["input_tokens"] * PRICE["input"] + charged["output_tokens"] * PRICE["output"]) / 1e6
    assert 0.5 * BUDGET < bill <= BUDGET
    with Journal.open(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        (row,) = journal.experiments()
        calls: list[Call] = [call for game in journal.games() for _, call in journal.calls(game.id)]
    # Nothing was asked twice: every call that the provider answered decided something, and stands in the journal once.
    assert (row.state, row.runs, len(calls)) == ("unfinished", 2, account["answered"])
    assert row.answers >= len([call for call in calls if call.fault is None]) == len(calls)


def _until_free(journal: Journal) -> None:
    for _ in range(6000):
        with suppress(AlreadyClaimed), journal.claim("punish-1"):
            return
        time.sleep(0.1)
    raise AssertionError("the run goes on without its server")


def _start(page: Page, found_by_axe: Callable[[Page], list[str]]) -> None:
    """Fill in the dialog: two bots and two strategies, an estimate, and only then, with a budget, the run."""
    page.get_by_role("button", name="Start a benchmark").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Game", exact=True).select_option("punish")
    dialog.get_by_role("button", name="Strategies and bots").click()
    for name in ("Cooperator", "FreeRider", "ash", "bay"):
        dialog.get_by_label("Find in Strategies and bots").fill(name)
        dialog.get_by_role("checkbox", name=name).first.check()
    dialog.get_by_label("Games", exact=True).fill("6")
    dialog.get_by_label("Seats").fill("4")
    dialog.get_by_role("button", name="Estimate").click()
    expect(dialog.get_by_label("Estimate")).to_contain_text("6 games: about")
    expect(dialog.get_by_role("button", name="Start the benchmark")).to_be_disabled()
    assert found_by_axe(page) == []
    dialog.get_by_label("Budget in dollars").fill(str(BUDGET))
    dialog.get_by_role("button", name="Start the benchmark").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("punish")


def test_a_point_of_a_heat_map_opens_as_a_game(page: Page, served: Callable[[str], str], tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'journal.db'}"
    rules = ostrom.CommonsRules(turns=3)
    result = ostrom.sweep(["alpha=0,1", "synergy=1.5,2"], players=["Pavlov", "Parasite"], rules=rules, games=2, seed=1)
    name = ostrom.keep(result, url)
    base = served(url)
    page.goto(f"{base}#/experiments/{name}")
    expect(page.get_by_role("heading", name="The Commons: sweep of alpha × synergy")).to_be_visible()
    expect(page.get_by_role("link", name="point 3: alpha 1, synergy 2")).to_be_visible()
    # A chart that is drawn anew at this moment misses the click.
    opened = re.compile(r"/openings/\d$")
    for _ in range(30):
        if opened.search(page.url):
            break
        page.locator("figure .mark-rect path").first.click()
        page.wait_for_timeout(2000)
    expect(page).to_have_url(opened)
    expect(page.get_by_text("Pavlov, Parasite")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^point \d: alpha \d, synergy .* game 0 of 2"))).to_be_visible()
    page.get_by_role("button", name="Next game").click()
    expect(page.get_by_text(re.compile("game 1 of 2"))).to_be_visible()
