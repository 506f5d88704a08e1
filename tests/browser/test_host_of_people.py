"""What who hosts a table sees of its people: a link each, and what each of them does now."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from at_pages import Person, start_with_people

pytestmark = pytest.mark.slow


def test_a_host_hands_out_links_and_sees_who_is_here(
    page: Page, new_page: Callable[..., Page], served: Callable[..., str], tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path}/people.db"
    base = served(store)
    game = start_with_people(base, store, ("human", "human", "FreeRider"), rules={"messages": False})
    # As on a page of another machine: no clipboard there.
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    page.goto(f"{base}#/experiments/{game.experiment}")
    doing = [page.get_by_test_id(f"doing-{seat}") for seat in (0, 1)]
    for one in doing:
        expect(one).to_have_text("not opened")
    expect(page.get_by_test_id("alone")).to_contain_text("work on this machine only")
    page.get_by_role("button", name="Copy all links").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    person = Person(new_page(), game.link(0))
    expect(doing[0]).to_have_text("thinking")
    person.give(5)
    expect(doing[0]).to_have_text("answered")
    expect(doing[1]).to_have_text("not opened")
    person.page.close()
    expect(doing[0]).to_have_text("away")
