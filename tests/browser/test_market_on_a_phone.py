"""A person trades at a market on a telephone: as a buyer and as a seller, and bargains by alternating offers."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from at_pages import PeoplesGame, Person, start_with_people

pytestmark = pytest.mark.slow

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}


def fits(page: Page) -> bool:
    """Whether the page needs no scrolling sideways."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def look(page: Page, name: str) -> None:
    """Write a picture of the whole page to the folder that the variable names, for a person to look at."""
    if folder := os.environ.get("OSTROM_TEST_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def tap(person: Person, field: str, number: float) -> None:
    """Enter a number and send it by touch."""
    assert fits(person.page)
    person.page.get_by_label(field, exact=True).fill(f"{number:g}")
    button = person.page.get_by_test_id("send")
    box = button.bounding_box()
    assert box is not None
    assert box["height"] >= 40  # large enough for a thumb
    button.tap()


@pytest.mark.parametrize(("seat", "price"), [(0, 60), (1, 40)], ids=["buyer", "seller"])
def test_a_person_trades_on_a_phone(
    new_page: Callable[..., Page], served: Callable[..., str], tmp_path: Path, seat: int, price: int
) -> None:
    store = f"sqlite:///{tmp_path / 'people.db'}"
    players = ["Truthful", "Truthful"]
    players[seat] = "human"
    rules = {"rounds": 2, "given": "80;20"}
    game: PeoplesGame = start_with_people(served(store), store, players, game="double-auction", rules=rules)
    person = Person(new_page(**PHONE), game.link())
    for round_ in (1, 2):
        person.asked(f"Round {round_} · quote")
        expect(person.page.locator("main")).to_contain_text("a seller" if seat else "a buyer")
        look(person.page, f"market-{seat}-{round_}")
        tap(person, "Quote", price)
    person.over()
    assert fits(person.page)
    look(person.page, f"market-{seat}-over")
    assert game.answers(seat) == [(1, "quote", price), (2, "quote", price)]
    trades = [event["prices"] for event in game.record().events if event["event"] == "market_cleared"]
    assert trades == [[40.0], [40.0]] if seat == 0 else [[60.0], [60.0]]


def test_a_person_bargains_on_a_phone(
    new_page: Callable[..., Page], served: Callable[..., str], tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'people.db'}"
    players = ["human", "Conceder:deadline=4"]
    game = start_with_people(served(store), store, players, game="alternating-offers", rules={"rounds": 6})
    person = Person(new_page(**PHONE), game.link())
    person.asked("Round 1 · offer")
    look(person.page, "offers-1")
    tap(person, "Offer", 30)
    person.asked("Round 2 · response")
    look(person.page, "offers-2")
    assert fits(person.page)
    # The small circle itself, whose tap would miss if the page moved under the finger.
    person.page.get_by_label("reject", exact=True).tap()
    expect(person.page.get_by_label("reject", exact=True)).to_be_checked()
    look(person.page, "offers-2-chosen")
    person.page.get_by_test_id("send").tap()
    person.asked("Round 3 · offer")
    look(person.page, "offers-3")
    tap(person, "Offer", 50)
    person.over()
    assert fits(person.page)
    look(person.page, "offers-over")
    assert game.answers() == [(1, "offer", 30), (2, "response", "reject"), (3, "offer", 50)]
    assert game.record().events[-1]["parts"] == [50, 50]
