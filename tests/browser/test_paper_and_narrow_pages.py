"""Pages on paper and on the narrowest screens: printed in light colours whatever the theme, and without scrolling
sideways at 320 pixels (WCAG 2.2, reflow)."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from kept import commons, punish
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
PLACES = (
    *("", "#/games", "#/players", "#/find?text=give", "#/experiments/punish-1", "#/messages", "#/method"),
    *("#/compare?kind=commons", "#/games/punish-1.1?at=12", "#/games/commons-2.1?at=20"),
)


@pytest.fixture(scope="module")
def lab(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    store = f"sqlite:///{tmp_path_factory.mktemp('paper') / 'journal.db'}"
    with Journal.open(store, create=True) as journal:
        talks = journal.new_experiment("talks", kind="punish")
        journal.add_game(talks, punish(1, text="I give half"), key="a")
        journal.add_game(journal.new_experiment("champions", kind="commons"), commons(turns=30), key="b")
    return served(store)


def settled(page: Page) -> None:
    expect(page.locator("main :is(h1, h2)").first).to_be_visible()
    expect(page.locator("main :is([aria-busy=true], .loading)")).to_have_count(0)


@pytest.mark.parametrize("place", PLACES)
def test_no_page_scrolls_sideways_at_320_pixels(new_page: NewPage, lab: str, place: str) -> None:
    page = new_page(viewport={"width": 320, "height": 800})
    page.goto(f"{lab}{place}")
    settled(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_a_replay_is_printed_in_light_colours(new_page: NewPage, lab: str) -> None:
    page = new_page(viewport={"width": 1280, "height": 900}, color_scheme="dark")
    page.goto(f"{lab}#/games/punish-1.1?at=12")
    settled(page)
    fill = "getComputedStyle(document.querySelector('main ellipse')).fill"
    dark = page.evaluate(fill)
    page.emulate_media(media="print", color_scheme="dark")
    page.wait_for_function(f"before => {fill} !== before", arg=dark)
    red, green, blue = (int(part) for part in page.evaluate(f"{fill}.match(/\\d+/g).slice(0, 3)"))
    assert min(red, green, blue) > 200
    transcript, stage = page.locator("main ol").last.bounding_box(), page.locator("main ellipse").bounding_box()
    assert transcript
    assert stage
    apart = transcript["y"] >= stage["y"] + stage["height"] or transcript["x"] >= stage["x"] + stage["width"]
    assert apart
