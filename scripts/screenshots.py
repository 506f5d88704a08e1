"""Take the pictures of every page that README and docs show: `make screenshots`. The journal behind them is made anew,
of our own players with fixed seeds, in a folder that is gone afterwards."""

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from ostrom.web.pages import pages_folder

IMAGES = Path(__file__).parent.parent / "docs" / "images"
LARGEST = 300_000
"""Bytes that a picture may have."""
SCALE = 1.5
"""Pixels of a picture for each of the page: sharp on good screens, and not yet heavy."""
DESK = (1280, 800)
PHONE = (390, 844)
JOURNAL = [
    "bench punish --games 60 --seats 5 --seed 42 --name Punishers",
    "bench commons --games 8 --seats 8 --seed 42 --name Champions",
    "bench battery --protocol quick --seed 42 --name Subjects --subject quasi-hyperbolic --subject prospect"
    " --subject fehr-schmidt --subject level-k --subject random",
    "bench trust --include fehr-schmidt --include selfish --include level-k --per-pair 1 --seed 42 --name Trust",
]
TABLE = ["human", "ConditionalCooperator", "AltruisticPunisher", "FreeRider", "EndgameDefector"]
ANSWERS: dict[str, dict[str, Any]] = {
    "message": {"message": "I give half of what I hold, and more if all of you do."},
    "contribution": {"contribution": 10},
    "punishment": {"target": "P4", "spend": 2},
}
"""What the person at the table answers, by the phase of the question."""

WAITING = """() => [...document.querySelectorAll("[aria-busy=true], .loading")]
  .some((waiting) => waiting.getBoundingClientRect().top < innerHeight)"""
"""Whether something that is in sight is still on its way."""


class Shot(NamedTuple):
    """One picture: the name of its file, the address after the `#`, and what is done before it is taken."""

    name: str
    address: str
    size: tuple[int, int] = DESK
    dark: bool = False
    prepare: Callable[[Page], object] = lambda page: None


class Lab:
    """A server with a journal of its own."""

    def __init__(self, address: str) -> None:
        self.address = address

    def ask(self, path: str, body: Any = None, **headers: str) -> Any:
        """What the API answers."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **headers}
        request = urllib.request.Request(f"{self.address}api{path}", data, headers)
        with urllib.request.urlopen(request) as reply:
            return json.load(reply)

    def seat_a_person(self, until: tuple[int, str]) -> tuple[str, str]:
        """Start a game with a person and answer for it, until a turn and a phase; the game's id and the token."""
        started = self.ask("/games", {"game": "punish", "players": TABLE, "seed": 11, "seconds": 600})
        token = started["seats"][0]["token"]
        while True:
            state = self.ask("/seat", **{"Ostrom-Seat": token})
            asked = state["question"]
            if asked is None:
                time.sleep(0.05)
            elif (asked["turn"], asked["phase"]) == until:
                return self.ask(f"/games?experiment={started['experiment']}")["games"][0]["id"], token
            else:
                answer = {"question": asked["id"], "values": ANSWERS[asked["phase"]]}
                self.ask("/seat/answer", answer, **{"Ostrom-Seat": token})

    def experiment(self, name: str) -> str:
        """The id of an experiment."""
        return next(str(one["id"]) for one in self.ask("/experiments")["experiments"] if one["name"] == name)

    def moment(self, game: str, fits: Callable[[dict[str, Any]], bool], nth: int) -> int:
        """How many events of a game have been seen when one that fits has come up so often."""
        events = self.ask(f"/games/{game}/record")["events"]
        places = [place + 1 for place, event in enumerate(events) if fits(event)]
        return places[min(nth, len(places)) - 1]


@contextmanager
def lab(commands: Sequence[str] = JOURNAL, *serving: str) -> Iterator[Lab]:
    """A lab with what these commands make, served until the pictures are taken."""
    with tempfile.TemporaryDirectory() as folder:
        ostrom = [sys.executable, "-m", "ostrom"]
        environment = {name: value for name, value in os.environ.items() if name != "OSTROM_STORE"}
        for command in commands:
            subprocess.run(
                [*ostrom, *command.split()], check=True, stdout=subprocess.DEVNULL, cwd=folder, env=environment
            )
        log = Path(folder) / "log"
        with log.open("w") as errors:
            process = subprocess.Popen(
                [*ostrom, "serve", "--port", "0", *serving],
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                cwd=folder,
                env=environment,
            )
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            if found is None:
                raise SystemExit(f"the server does not start: {log.read_text()}")
            yield Lab(found.group())
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate()


def shots(lab: Lab) -> Iterator[Shot]:
    """All pictures, in the order of the pages."""
    live, token = lab.seat_a_person((3, "contribution"))
    punishers = lab.experiment("Punishers")
    punish, commons = f"{punishers}.2", f"{lab.experiment('Champions')}.1"
    punished = lab.moment(punish, lambda event: event["event"] == "punished", 4)
    said = lab.moment(punish, lambda event: bool(event.get("text")), 9)
    turn = lab.moment(commons, lambda event: event["event"] == "turn_played", 48)
    yield Shot("home", "/")
    yield Shot("home-dark", "/", dark=True)
    yield Shot("experiment", f"/experiments/{punishers}")
    yield Shot("commons", f"/games/{commons}?at={turn}", (1280, 1000))
    yield Shot("commons-dark", f"/games/{commons}?at={turn}", (1280, 1000), dark=True)
    yield Shot("punish", f"/games/{punish}?at={punished}", (1280, 1000))
    yield Shot("punish-dark", f"/games/{punish}?at={said}", (1280, 1000), dark=True)
    yield Shot("punish-phone", f"/games/{punish}?at={punished}", PHONE, prepare=to_the_table)
    yield Shot("live", f"/games/{live}", (1280, 1000))
    yield Shot("compare", "/compare", (1280, 1000))
    yield Shot("compare-dark", "/compare", (1280, 1000), dark=True)
    yield Shot("player", "/players/ConditionalCooperator", (1280, 1000))
    yield Shot("messages", "/messages?promise=broken", (1280, 1000))
    yield Shot("subject", "/subjects/quasi-hyperbolic", (1280, 1000))
    yield Shot("choices", f"/games/{lab.experiment('Subjects')}.1", (1280, 1000))
    yield Shot("trust", f"/games/{lab.experiment('Trust')}.1", (1280, 1000))
    yield Shot("seat", f"/seat/{token}", (1280, 1000))
    yield Shot("seat-phone", f"/seat/{token}", PHONE)


def to_the_table(page: Page) -> None:
    """On a phone the table is further down."""
    page.get_by_label("The table").evaluate("table => scrollBy(0, table.getBoundingClientRect().top - 260)")


def take(browser: Browser, shot: Shot, page_address: str) -> None:
    """Take one picture."""
    width, height = shot.size
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=SCALE,
        color_scheme="dark" if shot.dark else "light",
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.goto(page_address)
    settle(page)
    shot.prepare(page)
    page.wait_for_timeout(1200)  # charts draw themselves after they are there
    save(page.screenshot(), IMAGES / f"{shot.name}.png")
    context.close()


def settle(page: Page) -> None:
    """Wait until a page shows what it is about, and nothing in sight is on its way."""
    page.locator("h1, h2").first.wait_for()
    while page.evaluate(WAITING):
        page.wait_for_timeout(50)


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser."""
    path = next(
        filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell"))),
        None,
    )
    if path is None:
        raise SystemExit("the pictures are taken with Chromium: apt-get install chromium")
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        yield browser
        browser.close()


def save(png: bytes, file: Path) -> None:
    """Write a picture, with fewer colours where it would be too large."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    small = io.BytesIO()
    picture.save(small, "PNG", optimize=True)
    if small.tell() > LARGEST:
        small = io.BytesIO()
        in_few_colours(picture).save(small, "PNG", optimize=True)
    file.write_bytes(small.getvalue())
    print(f"{file.name}: {picture.width} × {picture.height}, {small.tell() // 1000} kB")


def in_few_colours(picture: Image.Image) -> Image.Image:
    """A picture in the 256 colours that most of it has: what is drawn keeps its colour exactly, and only soft edges
    take the nearest."""
    pixels = np.asarray(picture).reshape(-1, 3)
    packed = pixels.astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], dtype=np.uint32)
    _, first, place, counts = np.unique(packed, return_index=True, return_inverse=True, return_counts=True)
    colours = pixels[first].astype(np.int32)
    kept = colours[np.argsort(-counts, kind="stable")[:256]]
    nearest = np.array([np.argmin(((kept - colour) ** 2).sum(axis=1)) for colour in colours], dtype=np.uint8)
    small = Image.fromarray(nearest[place].reshape(picture.height, picture.width), mode="P")
    small.putpalette(kept.astype(np.uint8).tobytes())
    return small


def main() -> None:
    """Take them all, or those that are named."""
    wanted = set(sys.argv[1:])
    viewer = (pages_folder() / "viewer.html").resolve().as_uri()
    with lab() as served, chromium() as browser:
        for shot in shots(served):
            if not wanted or shot.name in wanted:
                take(browser, shot, f"{served.address}#{shot.address}")
        for shot in (Shot("viewer", ""), Shot("viewer-game", "/samples/endgame?at=91", (1280, 1000))):
            if not wanted or shot.name in wanted:
                take(browser, shot, f"{viewer}#{shot.address}")


if __name__ == "__main__":
    main()
