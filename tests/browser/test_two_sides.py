"""The layout of two sides: a double auction in the viewer, wide and narrow, and the bids of an auction."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import double_auction
import ostrom
from ostrom.journal.record import record_text, with_tellings
from ostrom.web.pages import VIEWER

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("width", [1280, 360])
def test_a_double_auction_is_replayed(new_page: Callable[..., Page], pages: Path, width: int) -> None:
    double_auction.register()
    record = ostrom.record_of(ostrom.play(["Truthful"] * 4, game="call_market", seed=13))
    file = {"name": "game.json", "mimeType": "application/json", "buffer": record_text(with_tellings(record)).encode()}
    page = new_page(viewport={"width": width, "height": 900})
    page.goto((pages / VIEWER).as_uri())
    page.get_by_label("Choose a file").set_input_files([file])
    page.get_by_test_id("scrub").fill("2")
    market = page.get_by_role("region", name="The market")
    expect(market.get_by_text("buyer", exact=True)).to_have_count(2)
    expect(market.get_by_text("seller", exact=True)).to_have_count(2)
    event = record.events[1]
    for seat, quote in enumerate(event["quotes"]):
        expect(page.get_by_test_id(f"mark-{seat}")).to_have_attribute("data-value", str(quote))
    trades = page.get_by_test_id("trade")
    expect(trades).to_have_count(len(event["prices"]))
    assert [float(one.get_attribute("data-value") or "nan") for one in trades.all()] == event["prices"]
    expect(market.get_by_test_id("held-0")).to_have_text("–")
    middle = page.get_by_test_id("prices").locator(".axis").bounding_box()
    assert middle is not None
    for seat in range(4):
        box = page.get_by_test_id(f"mark-{seat}").bounding_box()
        assert box is not None
        assert (box["x"] + box["width"] / 2 > middle["x"]) == (seat >= 2)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_bands_reach_from_bids_to_private_values(new_page: Callable[..., Page], pages: Path) -> None:
    match = ostrom.play(["Truthful", "Shade:share=0.5", "Overbidder"], game="auction", rules={"rounds": 2}, seed=4)
    record = ostrom.record_of(match)
    file = {"name": "game.json", "mimeType": "application/json", "buffer": record_text(with_tellings(record)).encode()}
    page = new_page(viewport={"width": 1280, "height": 900})
    page.goto((pages / VIEWER).as_uri())
    page.get_by_label("Choose a file").set_input_files([file])
    dealt, held = record.events[:2]
    page.get_by_test_id("scrub").fill("1")
    expect(page.get_by_test_id("mark-0")).to_have_count(0)
    page.get_by_test_id("scrub").fill("2")
    for seat, (bid, value) in enumerate(zip(held["bids"], dealt["values"], strict=True)):
        expect(page.get_by_test_id(f"mark-{seat}")).to_have_attribute("data-value", f"{bid:g}")
        expect(page.get_by_test_id(f"band-{seat}")).to_have_attribute("data-value", f"{value:g}")
    shaded, exaggerated = (page.get_by_test_id(f"band-{seat}").bounding_box() for seat in (1, 2))
    assert shaded is not None
    assert exaggerated is not None
    assert shaded["height"] > exaggerated["height"] > 0
