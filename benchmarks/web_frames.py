"""How smooth a replay is: the times between frames in a real Chromium while a Commons game of 16 seats and 200 turns
plays at 20 turns a second, beside an empty page that moves one box as often, measured in the same run.

The game is played here, kept in a journal of its own and shown by `ostrom serve`. Frames are those of
`requestAnimationFrame` in the page itself, from the press of the button to the last turn. The machine may have no
graphics card; then all is drawn by its cores."""

import argparse
import json
import os
import platform
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console
from rich.table import Table

SEATS = 16
TURNS = 200
SPEED = 20
SLOW_MS = 100.0
WINDOW = {"width": 1280, "height": 900}

REPLAY = """() => new Promise((done) => {
  const replay = document.querySelector('[data-playing]');
  const frames = [];
  let begun = false;
  document.querySelector('[data-testid=play]').click();
  requestAnimationFrame(function next(now) {
    frames.push(now);
    const playing = replay.dataset.playing === 'true';
    begun ||= playing;
    if (playing || !begun) requestAnimationFrame(next); else done(frames);
  });
})"""
"""Play to the end, and give the times of all frames."""

BOX = """([moves, speed]) => new Promise((done) => {
  const box = document.body.appendChild(document.createElement('div'));
  Object.assign(box.style, { position: 'absolute', width: '20px', height: '20px', background: 'black' });
  const frames = [];
  let first = null;
  requestAnimationFrame(function next(now) {
    frames.push(now);
    first ??= now;
    const move = Math.floor((now - first) / 1000 * speed);
    box.style.transform = `translateX(${move}px)`;
    if (move < moves) requestAnimationFrame(next); else done(frames);
  });
})"""
"""Move a box as often as turns are played, and give the times of all frames."""


def ostrom(*arguments: str) -> None:
    """Run a command of ours."""
    subprocess.run([sys.executable, "-m", "ostrom", *arguments], check=True, stdout=subprocess.DEVNULL)


@contextmanager
def serving(store: str) -> Iterator[str]:
    """The address of pages over a journal, for as long as they are looked at."""
    command = [sys.executable, "-m", "ostrom", "serve", "--port", "0", "--store", store]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        if found is None:
            raise SystemExit("the server does not start")
        try:
            yield found.group()
        finally:
            server.send_signal(signal.SIGINT)
            server.communicate()


def replayed(browser: Browser, address: str) -> tuple[list[float], float]:
    """The times between frames of the replay, and how many turns a second were shown."""
    page = browser.new_page(viewport=WINDOW)
    page.goto(f"{address}#/games/0")
    page.get_by_test_id("speed").select_option(str(SPEED))
    frames = _frames(page, REPLAY)
    shown = int(page.get_by_test_id("turn").get_attribute("data-value") or 0)
    page.close()
    if shown != TURNS:
        raise SystemExit(f"the replay ended at turn {shown} of {TURNS}")
    return _between(frames), TURNS / ((frames[-1] - frames[0]) / 1000)


def boxed(browser: Browser) -> list[float]:
    """The times between frames of the empty page."""
    page = browser.new_page(viewport=WINDOW)
    frames = _frames(page, BOX, [TURNS, SPEED])
    page.close()
    return _between(frames)


def _frames(page: Page, script: str, argument: Any = None) -> list[float]:
    frames: list[float] = page.evaluate(script, argument)
    return frames


def _between(frames: list[float]) -> list[float]:
    return [later - earlier for earlier, later in pairwise(frames)]


def summary(intervals: list[float]) -> dict[str, float]:
    """What is told of the times between frames, in milliseconds."""
    cuts = statistics.quantiles(intervals, n=100, method="inclusive")
    return {
        "frames": len(intervals),
        "median_ms": cuts[49],
        "p95_ms": cuts[94],
        "p99_ms": cuts[98],
        "longest_ms": max(intervals),
        "share_under_100_ms": sum(interval < SLOW_MS for interval in intervals) / len(intervals),
    }


def measure(repeats: int) -> dict[str, Any]:
    """Everything, as one document; replays and boxes take turns, since the machine may be noisy."""
    chromium = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"))),
        None,
    )
    if chromium is None:
        raise SystemExit("Chromium is not installed: apt-get install chromium")
    ours: list[float] = []
    boxes: list[float] = []
    rates: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:///{Path(folder) / 'journal.db'}"
        ostrom("bench", "commons", "--games", "1", "--turns", str(TURNS), "--seed", "42", "--store", store)
        with serving(store) as address, sync_playwright() as playwright:
            sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=chromium, args=sandbox)
            browser_version = browser.version
            for _ in range(repeats):
                boxes += boxed(browser)
                intervals, rate = replayed(browser, address)
                ours += intervals
                rates.append(rate)
            browser.close()
    replay, box = summary(ours), summary(boxes)
    return {
        "seats": SEATS,
        "turns": TURNS,
        "speed": SPEED,
        "repeats": repeats,
        "turns_a_second": statistics.median(rates),
        "replay": replay,
        "empty_page": box,
        "times_the_empty_page_p99": replay["p99_ms"] / box["p99_ms"],
        "chromium": browser_version,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
    }


def show(document: dict[str, Any]) -> None:
    """The document as a table."""
    table = Table(
        title=f"Frames while {document['seats']} seats play {document['turns']} turns at {document['speed']} a second"
    )
    for heading in ("", "frames", "median ms", "p95 ms", "p99 ms", "longest ms", "under 100 ms"):
        table.add_column(heading, justify="left" if not heading else "right")
    for name in ("replay", "empty_page"):
        row = document[name]
        times = (f"{row[key]:.1f}" for key in ("median_ms", "p95_ms", "p99_ms", "longest_ms"))
        table.add_row(name.replace("_", " "), f"{row['frames']}", *times, f"{100 * row['share_under_100_ms']:.2f} %")
    console = Console()
    console.print(table)
    console.print(
        f"The replay showed {document['turns_a_second']:.1f} turns a second; its 99th percentile is "
        f"{document['times_the_empty_page_p99']:.2f} × that of the empty page. {document['cores']} cores, "
        f"Chromium {document['chromium']}.",
        highlight=False,
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print one line of JSON in place of the table")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    document = measure(options.repeats)
    if options.json:
        print(json.dumps(document))
    else:
        show(document)


if __name__ == "__main__":
    main()
