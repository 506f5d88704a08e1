"""How heavy the first view of Home is, and how long the first chart of Compare takes, over a slow line: a real Chromium
whose network is held to 1.6 Mbit/s and 150 ms there and back (Chrome's "slow 4G"), each time with an empty cache; and
what the server holds in memory. The peer is an empty page from the same server over the same line."""

import argparse
import os
import platform
import shutil
import statistics
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table
from served_journal import filled, served, store_at

BITS, ROUND_TRIP_MS = 1_600_000, 150
WINDOW = {"width": 1280, "height": 900}
QUIET = 1.0
"""Seconds without anything on the line, after which a view is there."""
CHART = "[id^='chart-'] [data-drawn='drawn'] :is(svg.marks path, canvas)"
WARM = ("/api/studies", "/api/ratings?kind=punish", "/api/charts?kind=punish", "/api/charts/trueskill?kind=punish")


class Line:
    """A page behind a slow line, which counts what comes over it."""

    def __init__(self, browser: Browser) -> None:
        self.page: Page = browser.new_context(viewport=WINDOW).new_page()  # type: ignore[arg-type]
        self.bytes, self.under_way, self.last = 0, set[str](), time.monotonic()
        client = self.page.context.new_cdp_session(self.page)
        client.send("Network.enable")
        client.send(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": ROUND_TRIP_MS, "downloadThroughput": BITS / 8, "uploadThroughput": BITS / 8},
        )
        client.on("Network.requestWillBeSent", lambda event: self._sent(event["requestId"]))
        client.on("Network.loadingFinished", lambda event: self._ended(event["requestId"], event["encodedDataLength"]))
        client.on("Network.loadingFailed", lambda event: self._ended(event["requestId"], 0))

    def _sent(self, request: str) -> None:
        self.under_way.add(request)
        self.last = time.monotonic()

    def _ended(self, request: str, size: float) -> None:
        self.under_way.discard(request)
        self.bytes += int(size)
        self.last = time.monotonic()

    def until_quiet(self) -> None:
        """Wait until nothing comes any more; the stream of the journal's changes stays open."""
        while time.monotonic() - self.last < QUIET:
            self.page.wait_for_timeout(50)

    def end(self) -> None:
        self.page.context.close()


def timed(browser: Browser, act: Callable[[Line], float]) -> tuple[float, int]:
    """What `act` measures on a fresh page, and the bytes that came for it."""
    line = Line(browser)
    try:
        found = act(line)
        return found, line.bytes
    finally:
        line.end()


def empty(base: str) -> Callable[[Line], float]:
    """The peer: the icon by itself."""

    def act(line: Line) -> float:
        began = time.monotonic()
        line.page.goto(f"{base}icon.svg")
        return time.monotonic() - began

    return act


def home(base: str) -> Callable[[Line], float]:
    """From the address to the list of experiments; the bytes are those of everything that follows by itself."""

    def act(line: Line) -> float:
        began = time.monotonic()
        line.page.goto(base, wait_until="commit")
        line.page.locator("[aria-label=Experiments] li").first.wait_for()
        took = time.monotonic() - began
        line.until_quiet()
        return took

    return act


def compare(base: str) -> Callable[[Line], float]:
    """From the address of the first chart to its marks."""

    def act(line: Line) -> float:
        began = time.monotonic()
        line.page.goto(f"{base}#/compare?kind=punish&to=chart-trueskill", wait_until="commit")
        line.page.locator(CHART).first.wait_for(state="attached")
        return time.monotonic() - began

    return act


def resident(port: int) -> int:
    """MiB of the process that listens there."""
    mine = f"{port}"
    for status in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = status.read_bytes().split(b"\0")
            if b"serve" in words and mine.encode() in words:
                lines = (status.parent / "status").read_text().splitlines()
                return int(next(line for line in lines if line.startswith("VmRSS")).split()[1]) // 1024
        except OSError:
            continue
    raise RuntimeError("the server is gone")


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", help="a journal that is there; by default one with 580 games and more is made")
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    browser_path = next(filter(None, map(shutil.which, ("chromium", "google-chrome", "chromium-headless-shell"))), None)
    if browser_path is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    console = Console()
    with store_at(asked.store) as url:
        held = filled(url)
        serve = [sys.executable, "-P", "-m", "ostrom", "serve", "--store", url, "--port"]
        with served(serve) as port, sync_playwright() as playwright:
            base = f"http://127.0.0.1:{port}/"
            for path in WARM:
                urllib.request.urlopen(f"{base.rstrip('/')}{path}").read()
            options = ["--disable-gpu", *(["--no-sandbox"] if os.geteuid() == 0 else [])]
            browser = playwright.chromium.launch(executable_path=browser_path, args=options)
            table = Table("view", "seconds, median", "kB over the line")
            views = {"an empty page (peer)": empty(base), "Home": home(base), "Compare, first chart": compare(base)}
            for name, act in views.items():
                runs = [timed(browser, act) for _ in range(asked.repeats)]
                seconds = statistics.median(took for took, _ in runs)
                table.add_row(name, f"{seconds:.2f}", f"{statistics.median(size for _, size in runs) / 1000:.0f}")
            browser.close()
            console.print(table)
            console.print(
                f"{held['games']:,} games; the server holds {resident(port)} MiB; load {os.getloadavg()[0]:.1f}"
            )
    console.print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}")


if __name__ == "__main__":
    main()
