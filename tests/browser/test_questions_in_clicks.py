"""A visitor's questions about the 580 games of PGG-Bench, counted in clicks from the front page of the lab and of the
published site: each needs two at most."""

import functools
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from ostrom.journal.sql import Journal
from ostrom.web.publish import SiteRequest, write_site

pytestmark = pytest.mark.long

MAX_CLICKS = 2


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server that says nothing."""

    def log_message(self, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def site(imported_games: str, pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("clicks") / "site"

    def write() -> None:
        with Journal.open(imported_games) as journal:
            write_site(journal, SiteRequest([journal.experiments()[0].id], "PGG-Bench"), folder)

    # In this thread Playwright's event loop counts as running.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(write).result()
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/index.html"
    server.shutdown()
    server.server_close()


@pytest.fixture(params=["lab", "site"])
def home(request: pytest.FixtureRequest, served: Callable[..., str], imported_games: str) -> str:
    if request.param == "lab":
        return served(imported_games)
    site: str = request.getfixturevalue("site")
    return site


class Visitor:
    """Counts the clicks of a visitor, who starts at the front page."""

    def __init__(self, page: Page, home: str) -> None:
        self.page, self.clicks = page, 0
        page.goto(home)
        expect(page.get_by_role("region", name="Contribute & Punish").get_by_role("row").first).to_be_visible()

    def click(self, target: Locator) -> None:
        target.click()
        self.clicks += 1

    def copied(self, dialog: Locator, text: str) -> None:
        expect(dialog).to_contain_text(text)
        assert self.clicks <= MAX_CLICKS


def test_who_is_best(page: Page, home: str) -> None:
    visitor = Visitor(page, home)
    card = page.get_by_role("region", name="Contribute & Punish")
    leader = card.get_by_role("row").first.get_by_role("link").inner_text()
    expect(card.get_by_role("list").filter(has_text="highest rating")).to_contain_text(leader)
    assert visitor.clicks == 0


def test_what_the_best_did_to_win(page: Page, home: str) -> None:
    visitor = Visitor(page, home)
    card = page.get_by_role("region", name="Contribute & Punish")
    leader = card.get_by_role("row").first.get_by_role("link")
    name = leader.inner_text()
    visitor.click(leader)
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    expect(page.get_by_role("list", name="Conclusions").get_by_role("listitem").first).to_contain_text(name)
    assert visitor.clicks <= MAX_CLICKS


def test_the_most_interesting_game(page: Page, home: str) -> None:
    visitor = Visitor(page, home)
    first = page.get_by_role("list", name="Games worth watching").get_by_role("link").first
    title = first.inner_text()
    visitor.click(first)
    expect(page.get_by_role("button", name="Play").first).to_be_visible()
    expect(page).to_have_title(re.compile(re.escape(title[:60])))
    assert visitor.clicks <= MAX_CLICKS


def test_why_a_player_punished_here(page: Page, home: str) -> None:
    visitor = Visitor(page, home)
    with_games = page.get_by_role("list", name="Games worth watching").get_by_role("link").first
    page.goto(f"{home.partition('#')[0]}{with_games.get_attribute('href')}")
    # From here on the visitor watches a game and asks why.
    visitor.clicks = 0
    visitor.click(page.get_by_role("button", name=re.compile("^Largest punishment")).first)
    why = page.get_by_test_id("why")
    visitor.click(why.get_by_role("button").first)
    expect(why.get_by_role("status")).to_contain_text(re.compile("promises|said|happened"))
    assert visitor.clicks <= MAX_CLICKS


@pytest.mark.parametrize("shown", ["BibTeX", "ostrom bench punish --games 20", "SHA-256", "logs of PGG-Bench"])
def test_how_to_cite_and_repeat(page: Page, home: str, shown: str) -> None:
    visitor = Visitor(page, home)
    visitor.click(page.get_by_role("button", name=re.compile("^Cite and repeat")).first)
    visitor.copied(page.get_by_role("dialog", name="Cite and repeat"), shown)


def test_how_to_play_games_of_ones_own(page: Page, home: str) -> None:
    visitor = Visitor(page, home)
    expect(page.get_by_role("region", name="Play your own")).to_contain_text("pip install ostrom")
    assert visitor.clicks == 0


def test_a_game_is_cited_from_its_page(page: Page, home: str) -> None:
    visitor = Visitor(page, home)
    visitor.click(page.get_by_role("list", name="Games worth watching").get_by_role("link").first)
    visitor.click(page.get_by_role("button", name=re.compile("^Cite")).first)
    visitor.copied(page.get_by_role("dialog", name="Cite and repeat"), "@misc{ostrom-pgg-bench-")


def test_one_search_finds_players_findings_games_messages_and_pages(page: Page, home: str) -> None:
    visitor = Visitor(page, home)
    visitor.click(page.get_by_role("link", name="Find"))
    page.get_by_label("Words").fill("deepseek r1")
    for name in ("Players", "Findings", "Games"):
        expect(page.get_by_role("list", name=name, exact=True).get_by_role("link").first).to_be_visible()
    page.get_by_label("Words").fill("promise")
    for name in ("Messages", "Pages"):
        expect(page.get_by_role("list", name=name, exact=True).get_by_role("link").first).to_be_visible()
    assert visitor.clicks <= MAX_CLICKS
