"""What tests in a real browser share: Debian's Chromium, driven by Playwright, and real servers. ::

    def test_home_lists_what_was_played(page, served, tmp_path):
        base = served(f"sqlite:///{tmp_path / 'journal.db'}")   # a server of its own, until the file is done
        page.goto(base)
        expect(page.get_by_role("heading", name="Experiments")).to_be_visible()

`page` is a fresh page in a fresh context; `new_page(viewport=..., color_scheme=...)` makes more of them, each in a
context of its own. What a page says on its console as an error fails the test, and so does a script that breaks or
something that the security policy stops, unless the test allows it: `allowed.append("status of 422")`.

The browser lives as long as a test file: while Playwright is there its event loop counts as running in this thread, and
other tests want one of their own.
"""

import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from ostrom.core import InputError
from ostrom.journal.sql import Journal
from ostrom.web.pages import pages_folder
from ostrom.web.runs import ExperimentRuns
from ostrom.web.session_runs import SessionRuns
from services import missing
from serving import running

CHROMIUM_IS_MISSING = "Chromium is not installed: apt-get install chromium-headless-shell, or chromium"
_PATIENCE = 600_000
"""Milliseconds that anything on a page may take to appear: far more than it does."""

_WITHOUT = (
    # The list under the address bar is a page of its own in each window, though nobody sees it: to open a window cost
    # twice as much as all that a test looks at in it.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    # What Playwright turns off by itself; the browser heeds the last list alone.
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
"""Features of the browser that no page of ours has to do with."""

_COME = """() => ![...document.querySelectorAll("[aria-busy=true], .loading, [data-drawn=waiting]")]
  .some((one) => one.getBoundingClientRect().top < innerHeight)"""
_PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
_VIOLATIONS = """async () => (await axe.run({ resultTypes: ["violations"] })).violations
  .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`))"""

NewPage = Callable[..., Page]
Serve = Callable[..., str]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser; without a window it is the same, and takes three quarters of the time."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    result = next(filter(None, map(shutil.which, names)), None)
    if result is None:
        missing(CHROMIUM_IS_MISSING)
    return str(result)


@pytest.fixture(scope="session")
def pages() -> Path:
    """The folder of the built pages."""
    try:
        return pages_folder()
    except InputError as error:
        missing(str(error))


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    """A browser without a window."""
    # As root Chromium cannot build its sandbox; what it opens here are our own pages.
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    # A graphics card that is imitated paints slower than no card at all.
    options += ["--disable-gpu", f"--disable-features={','.join(_WITHOUT)}"]
    expect.set_options(timeout=_PATIENCE)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=chromium, args=options, timeout=_PATIENCE)
        yield started
        started.close()


@pytest.fixture
def allowed() -> list[str]:
    """Regular expressions of what pages may complain about in this test."""
    return []


@pytest.fixture
def new_page(browser: Browser, allowed: list[str]) -> Iterator[NewPage]:
    """Makes a page in a fresh context, with the context's options; errors on any of them fail the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            complaints.append(f"{message.text} ({message.location['url']})")

    def make(**options: Any) -> Page:
        context = browser.new_context(**options)
        context.set_default_timeout(_PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("console", heard)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    unexpected = [line for line in complaints if not any(re.search(one, line) for one in allowed)]
    assert not unexpected, "the browser complained: " + "; ".join(unexpected)


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page on a screen of 1280 by 900."""
    return new_page(viewport={"width": 1280, "height": 900})


@pytest.fixture(scope="session")
def found_by_axe() -> Callable[[Page], list[str]]:
    """Returns the violations found by axe-core once all visible content is loaded and painted, as the colours of
    players follow a change of theme within a frame."""
    script = (Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")

    def look(page: Page) -> list[str]:
        page.wait_for_function(_COME)
        page.evaluate(_PAINTED)
        if not page.evaluate("'axe' in window"):
            page.evaluate(script)
        result: list[str] = page.evaluate(_VIOLATIONS)
        return result

    return look


@pytest.fixture(scope="module")
def served(pages: Path) -> Iterator[Serve]:
    """Serves the journal of a URL, made where there is none, and gives the address of its pages: the server of `ostrom
    serve`, in a thread. All of them end with the test file."""
    with ExitStack() as running_servers:

        def start(store: str, token: str | None = None, *, steers: bool = False) -> str:
            journal = running_servers.enter_context(Journal.open(store, create=True))
            runs, sessions = (ExperimentRuns(store), SessionRuns(store)) if steers else (None, None)
            served = running(journal, pages=pages, token=token, runs=runs, session_runs=sessions)
            server = running_servers.enter_context(served)
            return f"{server.address}/"

        yield start
