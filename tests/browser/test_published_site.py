"""A published site in a browser, from disk and from a file server: no errors, no broken links, and the leaderboard of
`ostrom ratings`."""

import functools
import gzip
import json
import re
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect
from typer.testing import CliRunner

from battery_played import battery_records
from kept import punish, suspend_game
from ostrom.cli.main import app
from ostrom.journal.sql import Journal
from ostrom.web.publish import PublishedSite, SiteRequest, write_site

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
HOSTILE = '<img src=x onerror="document.title = `owned`"></script>'
LINKS = "links => [...new Set(links.map(link => link.href))]"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('published') / 'journal.db'}"
    with Journal.open(url, create=True) as journal:
        talk = journal.new_experiment("talk", kind="punish")
        for number in range(2):
            journal.add_game(talk, punish(number, text=HOSTILE), key=str(number))
        other = journal.new_experiment("other", kind="punish")
        made = punish(3, text="by other rules")
        journal.add_game(other, made.model_copy(update={"rules": {**made.rules, "ratio": 4}}), key="0")
    return url


@pytest.fixture(scope="module")
def site(store: str, pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    published(store, SiteRequest(["talk", "other"], "A study"), folder)
    return folder


def published(store: str, wanted: SiteRequest, folder: Path) -> PublishedSite:
    """Publish in another thread: in this one Playwright's event loop counts as running."""

    def write() -> PublishedSite:
        with Journal.open(store) as journal:
            return write_site(journal, wanted, folder)

    with ThreadPoolExecutor(1) as thread:
        return thread.submit(write).result()


class Quiet(SimpleHTTPRequestHandler):
    """A plain file server that says nothing."""

    def log_message(self, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture(scope="module")
def serve_folder() -> Iterator[Callable[[Path], str]]:
    """Serves folders as any file host does, until the file is done."""
    servers = []

    def start(folder: Path) -> str:
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        return f"http://127.0.0.1:{server.server_port}"

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def settled(page: Page) -> None:
    """Wait until the page has what it asked for."""
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator("main [aria-busy=true]")).to_have_count(0)
    assert page.locator("main .error, main [role=alert]").count() == 0, page.locator("main").inner_text()[:500]


def visit_all(page: Page, base: str, most: int) -> set[str]:
    """Follow every link within the site from its first page on, up to so many pages; the addresses that were seen."""
    waiting, seen = [f"{base}/index.html#/"], set()
    while waiting and len(seen) < most:
        address = waiting.pop(0)
        # Places within a page, a chart or a moment, are no pages of their own.
        name = re.split(r"[?&](?:to|at)=", address)[0]
        if name in seen:
            continue
        seen.add(name)
        page.goto(address)
        settled(page)
        assert "There is no such" not in page.locator("main").inner_text(), address
        result = page.eval_on_selector_all("a[href]", LINKS)
        waiting += [link for link in result if link.startswith(f"{base}/index.html#/")]
        for link in result:
            if "/tables/" in link:
                assert page.request.head(link).ok if link.startswith("http") else Path(link[7:]).is_file(), link
    return seen


@pytest.fixture(params=["disk", "server"])
def base(request: pytest.FixtureRequest, site: Path, serve_folder: Callable[[Path], str]) -> str:
    return f"file://{site}" if request.param == "disk" else serve_folder(site)


def test_every_link_of_the_site_works(page: Page, base: str) -> None:
    seen = visit_all(page, base, 40)
    parts = {address.partition("#/")[2].partition("?")[0].split("/")[0] for address in seen}
    assert parts >= {"", "compare", "experiments", "games", "players", "messages", "method"}


def test_the_leaderboard_is_that_of_the_command(page: Page, base: str, store: str) -> None:
    printed = CliRunner().invoke(app, ["ratings", "punish", "--store", store, "--json"])
    expected = json.loads(printed.stdout)["ratings"]
    asked: list[str] = []
    page.on("request", lambda request: _note(request, asked))
    page.set_viewport_size({"width": 1440, "height": 500})  # no chart is in sight
    page.goto(f"{base}/index.html")
    expect(page).to_have_title("A study")
    page.goto(f"{base}/index.html#/compare")
    shown = page.locator("#leaderboard-table tr[data-player]")
    expect(shown).to_have_count(len(expected))
    assert [row.get_attribute("data-player") for row in shown.all()] == [row["name"] for row in expected]
    for row, one in zip(shown.all(), expected, strict=True):
        assert f"{one['mu']:.3f} ± {one['sigma']:.3f}" in row.inner_text()
    page.wait_for_load_state("networkidle")
    assert any(address.endswith("/site/pages.js") for address in asked)
    assert not any(address.endswith("/site/draw.js") for address in asked), "what draws charts came before one"


def test_charts_are_drawn_and_messages_are_searched(page: Page, base: str) -> None:
    page.goto(f"{base}/index.html#/compare?kind=punish&to=chart-mean_final")
    expect(page.locator("#chart-mean_final [data-drawn=drawn] svg")).to_be_visible()
    page.goto(f"{base}/index.html#/messages?text=onerror")
    expect(page.get_by_role("status").get_by_text("4 messages")).to_be_visible()
    expect(page.locator("blockquote").first).to_have_text(HOSTILE)
    expect(page).to_have_title("Messages · A study")
    assert page.locator("blockquote img").count() == 0
    page.goto(f"{base}/index.html#/games?text=talk")  # the name of an experiment, whose id is another
    expect(page.get_by_role("region", name="All games").get_by_role("row")).to_have_count(1 + 2)


def test_a_replay_plays_and_a_page_to_share_leads_to_it(page: Page, base: str) -> None:
    page.goto(f"{base}/games/punish-1.1.html")
    expect(page.get_by_role("heading", name="Contribute & Punish")).to_be_visible()
    assert page.url.endswith("index.html#/games/punish-1.1")
    page.get_by_role("button", name="Play").first.click()
    expect(page.get_by_text("Round 1", exact=False).first).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a page").click()
    assert "punish-1.1" in saved.value.suggested_filename


@pytest.mark.long
def test_subjects_have_their_cards(page: Page, pages: Path, tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    with Journal.open(store, create=True) as journal:
        battery = journal.new_experiment("asked", kind="battery")
        for number, record in enumerate(battery_records(("fehr-schmidt",))):
            journal.add_game(battery, record, key=str(number + 1))
        suspend_game(journal, battery, battery_records(("random",), ("dictator",))[0], "ash: HTTP 500: <b>no</b>")
    published(store, SiteRequest(["asked"], "A study"), tmp_path / "site")
    base = f"file://{tmp_path / 'site'}"
    seen = visit_all(page, base, 40)
    assert any("#/subjects/fehr-schmidt" in address for address in seen)
    (lost,) = (address for address in seen if "#/subjects/random" in address)
    page.goto(lost)
    expect(page.locator("main")).to_contain_text("ash: HTTP 500: <b>no</b>")


@pytest.mark.long
def test_the_site_of_the_real_games(
    new_page: NewPage, imported_games: str, pages: Path, tmp_path: Path, serve_folder: Callable[[Path], str]
) -> None:
    """580 games: small enough for any host, quick to open, and the leaderboard of the command."""
    with Journal.open(imported_games) as journal:
        name = journal.experiments()[0].id
    made = published(imported_games, SiteRequest([name], "PGG-Bench"), tmp_path / "site")
    assert made.games == 580
    assert made.size * 735 / 580 < 60e6
    expected = json.loads(CliRunner().invoke(app, ["ratings", "--store", imported_games, "--json"]).stdout)["ratings"]
    for base in (f"file://{tmp_path / 'site'}", serve_folder(tmp_path / "site")):
        page = new_page(viewport={"width": 1440, "height": 900})
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: _note(request, asked))
        page.goto(f"{base}/index.html")
        settled(page)
        page.wait_for_load_state("networkidle")
        first = {address.partition("#")[0].removeprefix(base) for address in asked}
        page.goto(f"{base}/index.html#/compare")
        settled(page)
        page.wait_for_load_state("networkidle")
        rows = page.locator("#leaderboard-table tr[data-player]")
        assert [row.get_attribute("data-player") for row in rows.all()] == [row["name"] for row in expected]
        size = sum(len(gzip.compress((tmp_path / "site" / path.lstrip("/")).read_bytes())) for path in first)
        assert size < 300_000, (size, first)
        assert len(visit_all(page, base, 60)) == 60


def _note(request: Request, asked: list[str]) -> None:
    asked.append(request.url)
