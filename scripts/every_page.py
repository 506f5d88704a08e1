"""Every page at every width, light and dark, with real games: `make screenshots` puts a sheet for each page and theme
into dist/pages, to be looked at. Where the games of others are not at hand (OSTROM_DATA), our own players' stand in.

    python scripts/every_page.py [PAGE …]"""

import io
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from PIL import Image
from playwright.sync_api import Browser, Error, Page

from screenshots import JOURNAL, Lab, chromium, lab, settle

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "dist" / "pages"
DATA = Path(os.environ.get("OSTROM_DATA", ROOT.parent / "shared" / "data"))
WIDTHS = (390, 768, 1024, 1440)
HEIGHT = 900
LONGEST = 4200
"""A sheet shows so much of a page; charts further down look like those above."""
UNDRAWN = "() => !document.querySelector('[data-drawn=waiting]')"
REAL = {
    "import pgg-bench {}/pgg_bench --name Models": "pgg_bench",
    "import econbench {}/econbench --name Subjects": "econbench",
}
SIMULATED = "sweep commons --vary alpha=0:1:0.25 --vary synergy=1.2:3:0.6 --games 20 --seed 42 --store ostrom.db"


def commands() -> list[str]:
    """What fills the journal."""
    real = [command.format(DATA) for command, folder in REAL.items() if (DATA / folder).is_dir()]
    own = [command for command in JOURNAL if "battery" not in command] if len(real) == len(REAL) else JOURNAL
    return [*real, *own, SIMULATED]


def addresses(served: Lab) -> Iterator[tuple[str, str]]:
    """Every page: its name, and where it is."""
    there: list[dict[str, Any]] = served.ask("/experiments")["experiments"]
    known = {one["name"]: one["id"] for one in there}
    simulation = next(one["id"] for one in there if one["kind"] == "simulation")
    models = known.get("Models", known["Punishers"])
    first, second = served.ask(f"/games?experiment={models}&limit=2")["games"]
    subject = served.ask(f"/games?experiment={known['Subjects']}&limit=1")["games"][0]
    player, person = (quote(one["players"][0], safe="") for one in (first, subject))
    live, token = served.seat_a_person((3, "contribution"))
    yield from (
        ("home", "/"),
        ("experiments", "/experiments"),
        ("games", "/games"),
        ("experiment", f"/experiments/{models}"),
        ("experiment-of-subjects", f"/experiments/{known['Subjects']}"),
        ("simulation", f"/experiments/{simulation}"),
        ("game-of-five", f"/games/{first['id']}?at=40"),
        ("game-of-eight", f"/games/{known['Champions']}.1?at=48"),
        ("two-games", f"/games/{first['id']}/beside/{second['id']}"),
        ("live", f"/games/{live}"),
        ("stated-choices", f"/games/{subject['id']}"),
        ("trust", f"/games/{known['Trust']}.1"),
        ("compare", f"/compare?experiment={models}"),
        ("compare-subjects", f"/compare?experiment={known['Subjects']}"),
        ("player", f"/players/{player}"),
        ("subject", f"/subjects/{person}"),
        ("messages", "/messages"),
        ("found-messages", "/messages?text=promise"),
        ("quotes", "/quotes"),
        ("method", "/method"),
        ("seat", f"/seat/{token}"),
    )


def picture(browser: Browser, address: str, width: int, dark: bool) -> tuple[Image.Image, int]:
    """A whole page, and how many pixels it can be scrolled sideways."""
    context = browser.new_context(
        viewport={"width": width, "height": HEIGHT},
        color_scheme="dark" if dark else "light",
        reduced_motion="reduce",
        has_touch=width < 800,
    )
    page = context.new_page()
    page.goto(address)
    settle(page)
    with suppress(Error):  # of what never comes the picture tells
        page.wait_for_function("() => !document.querySelector('.loading')", timeout=60_000)
    whole(page, width)
    beyond = int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return taken, beyond


def whole(page: Page, width: int) -> None:
    """Make the window as high as the page, so that charts are drawn which wait until they come near."""
    for _ in range(2):  # what is drawn may make it higher
        height = min(LONGEST, int(page.evaluate("document.documentElement.scrollHeight")))
        page.set_viewport_size({"width": width, "height": max(HEIGHT, height)})
        settle(page)
        with suppress(Error):  # of a chart that is never drawn the picture tells
            page.wait_for_function(UNDRAWN, timeout=20_000)


def sheet(pictures: list[Image.Image]) -> Image.Image:
    """Pictures side by side."""
    gap = 24
    whole = Image.new(
        "RGB",
        (sum(one.width + gap for one in pictures) - gap, max(one.height for one in pictures)),
        (128, 128, 128),
    )
    left = 0
    for one in pictures:
        whole.paste(one, (left, 0))
        left += one.width + gap
    return whole.resize((whole.width // 2, whole.height // 2), Image.Resampling.LANCZOS)


def main() -> None:
    """Make them all, or those that are named."""
    wanted, wide = set(sys.argv[1:]), []
    FOLDER.mkdir(parents=True, exist_ok=True)
    with lab(commands()) as served, chromium() as browser:
        for name, place in addresses(served):
            if wanted and name not in wanted:
                continue
            for dark in (False, True):
                taken = [picture(browser, f"{served.address}#{place}", width, dark) for width in WIDTHS]
                theme = "dark" if dark else "light"
                sheet([one for one, _ in taken]).save(FOLDER / f"{name}-{theme}.png", optimize=True)
                wide += [f"{name} at {width}" for width, (_, beyond) in zip(WIDTHS, taken, strict=True) if beyond > 0]
            print(f"{name}: dist/pages/{name}-light.png and -dark.png", flush=True)
    if wide:
        raise SystemExit(f"pages that scroll sideways: {', '.join(dict.fromkeys(wide))}")


if __name__ == "__main__":
    main()
