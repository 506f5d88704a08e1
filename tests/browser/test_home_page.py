"""Home and the page of an experiment, in a browser."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from kept import commons, punish
from ostrom.journal.sql import Journal

NewPage = Callable[..., Page]
PHONE = {"width": 360, "height": 740}


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A journal with a finished experiment, one that is not, and one with a hostile name."""
    url = f"sqlite:///{tmp_path_factory.mktemp('home') / 'journal.db'}"
    with Journal.open(url, create=True) as journal:
        commons_ = journal.new_experiment("two commons", kind="commons", planned=2)
        for number in range(2):
            journal.add_game(commons_, commons(number), key=f"c{number}")
        some = journal.new_experiment("half of it", kind="punish", planned=40)
        for number in range(30):
            journal.add_game(some, punish(number), key=f"p{number}")
        journal.new_experiment("<img src=x onerror=alert(1)> \u202egnp", kind="punish", planned=1)
    return url


@pytest.fixture(scope="module")
def base(served: Callable[..., str], store: str) -> str:
    return served(store)


@pytest.fixture
def fresh(served: Callable[..., str], tmp_path: Path) -> str:
    """A server whose journal is empty."""
    return served(f"sqlite:///{tmp_path / 'journal.db'}")


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("list", name="Experiments").get_by_role("listitem").filter(has_text=name)


def press_until(page: Page, wanted: Locator, most: int = 60) -> None:
    """Press Tab until this has the focus."""
    for _ in range(most):
        if wanted.evaluate("one => one === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError("the keyboard does not get there")


def test_home_lists_experiments_with_their_state_and_progress(page: Page, base: str) -> None:
    page.goto(base)
    expect(page).to_have_title("Ostrom")
    expect(row(page, "two commons")).to_contain_text("finished")
    expect(row(page, "two commons")).to_contain_text("2 of 2 games")
    expect(row(page, "half of it")).to_contain_text("unfinished")
    expect(row(page, "half of it").get_by_role("progressbar", name="30 of 40 games")).to_be_visible()
    expect(row(page, "half of it")).to_contain_text("11.1 %")


def test_names_are_text_and_titles_hold_no_signs_that_turn_it(page: Page, base: str) -> None:
    page.goto(base)
    page.get_by_role("link", name="<img src=x").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("<img src=x onerror=alert(1)>")
    expect(page).to_have_title("<img src=x onerror=alert(1)> gnp · Ostrom")


@pytest.mark.slow
def test_an_experiment_shows_its_games_page_by_page_and_the_address_keeps_the_choice(page: Page, base: str) -> None:
    page.goto(base)
    page.get_by_role("link", name="half of it").click()
    games = page.get_by_role("region", name="Games of this experiment").get_by_role("row")
    expect(games).to_have_count(26)
    page.get_by_role("button", name="Next").click()
    expect(games).to_have_count(6)
    expect(page.get_by_text("26–30 of 30 games")).to_be_visible()
    page.reload()
    expect(games).to_have_count(6)
    page.get_by_label("Outcome").select_option("void")
    expect(page.get_by_text("No game matches.")).to_be_visible()


@pytest.mark.slow
def test_a_list_that_is_refused_is_not_taken_for_the_last_one(page: Page, base: str, allowed: list[str]) -> None:
    allowed.append("status of 400")
    page.goto(f"{base}#/games")
    rows = page.get_by_role("region", name="All games").get_by_role("row")
    expect(rows).to_have_count(26)
    page.route("**/api/games?*outcome=won*", lambda route: route.fulfill(status=400, json={"detail": "not today"}))
    page.get_by_label("Outcome").select_option("won")
    expect(page.get_by_role("alert").filter(has_text="ot today")).to_be_visible()
    expect(rows).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("place", ["games", "experiments/punish-2"])
def test_an_address_beyond_the_end_of_a_list_leads_to_its_beginning(page: Page, base: str, place: str) -> None:
    page.goto(f"{base}#/{place}?offset=75")
    expect(page.get_by_text(re.compile(r"^1–25 of 3\d games"))).to_be_visible()
    assert "offset" not in page.url


@pytest.mark.slow
def test_what_is_archived_stays_within_reach(
    page: Page, base: str, served: Callable[..., str], tmp_path: Path, allowed: list[str]
) -> None:
    allowed.append("status of 400")
    page.goto(f"{base}#/experiments?archived=true")
    expect(page.get_by_role("heading", name="Nothing is archived")).to_be_visible()
    page.get_by_role("link", name="All experiments that are not archived").click()
    expect(row(page, "two commons")).to_be_visible()
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    with Journal.open(store, create=True) as journal:
        journal.archive(journal.new_experiment("put away", kind="punish"))
    page.goto(served(store))
    expect(page.get_by_role("heading", name="Everything is archived")).to_be_visible()
    page.route("**/api/experiments?*archived*", lambda route: route.fulfill(status=400, json={"detail": "not now"}))
    page.get_by_role("link", name="1 archived experiment").click()
    expect(page.get_by_role("alert").filter(has_text="ot now")).to_be_visible()
    page.unroute_all()
    page.get_by_role("button", name="Try again").click()
    expect(row(page, "put away")).to_be_visible()


@pytest.mark.slow
def test_a_name_that_is_being_typed_outlives_a_reload(page: Page, served: Callable[..., str], store: str) -> None:
    page.goto(f"{served(store, steers=True)}#/experiments/punish-2")
    page.get_by_label("Name", exact=True).fill("another na")
    page.get_by_label("New tag").fill("kept")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("list", name="Tags")).to_contain_text("kept")
    expect(page.get_by_label("Name", exact=True)).to_have_value("another na")


@pytest.mark.slow
def test_a_game_without_rules_to_set_can_be_benchmarked(page: Page, served: Callable[..., str], store: str) -> None:
    def plain(route: Route) -> None:
        reply = route.fetch()
        lab = reply.json()
        lab["games"] = [{**game, "rules": {}} for game in lab["games"]]
        route.fulfill(response=reply, json=lab)

    page.route("**/api/lab", plain)
    page.goto(served(store, steers=True))
    page.get_by_role("button", name="Start a benchmark").click()
    expect(page.get_by_role("dialog").get_by_label("Seats")).to_be_visible()
    page.get_by_role("dialog").get_by_label("Game", exact=True).select_option("commons")
    expect(page.get_by_role("dialog").get_by_label("Game", exact=True)).to_have_value("commons")


def test_what_is_not_there_is_said_in_one_line(page: Page, base: str, allowed: list[str]) -> None:
    allowed.append("status of 404")
    page.goto(f"{base}#/experiments/nobody")
    expect(page.get_by_role("heading", name="There is no such experiment")).to_be_visible()
    page.goto(f"{base}#/elsewhere")
    expect(page.get_by_role("heading", name="There is no such page")).to_be_visible()


@pytest.mark.slow
def test_an_empty_journal_says_what_to_do_and_a_game_can_be_started_by_keyboard_alone(page: Page, fresh: str) -> None:
    page.goto(fresh)
    expect(page.get_by_role("heading", name="Nothing has been played yet")).to_be_visible()
    press_until(page, page.get_by_role("button", name="Start a game"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="Start a game")).to_be_visible()
    press_until(page, page.get_by_label("Game", exact=True))
    page.keyboard.type("The Comm")
    expect(page.get_by_label("Game", exact=True)).to_have_value("commons")
    press_until(page, page.get_by_label("Turns"))
    page.keyboard.type("12")
    press_until(page, page.get_by_role("button", name="Start", exact=True))
    page.keyboard.press("Enter")
    page.wait_for_url("**/#/games/*")
    expect(page.get_by_role("dialog")).not_to_be_visible()


@pytest.mark.slow
def test_a_game_for_a_person_gives_a_link_and_is_live_on_home(page: Page, new_page: NewPage, fresh: str) -> None:
    page.goto(fresh)
    watching = new_page()
    watching.goto(fresh)
    expect(watching.get_by_role("heading", name="Nothing has been played yet")).to_be_visible()
    page.get_by_role("button", name="Start a game").click()
    page.get_by_label("Game", exact=True).select_option("punish")
    page.get_by_label("take a seat").check()
    expect(page.get_by_label("P1")).to_have_value("human")
    page.get_by_role("button", name="Start", exact=True).click()
    dialog = page.get_by_role("dialog", name="The game has started")
    expect(dialog.get_by_text(f"{fresh}#/seat/")).to_be_visible()
    # Nobody reloaded that page.
    expect(row(watching, "punish")).to_contain_text("running")
    dialog.get_by_role("link", name="Watch the game").click()
    expect(page.get_by_role("heading", name="People at the table")).to_be_visible()
    seat = page.get_by_role("link", name="Take the seat").get_attribute("href")
    watching.goto(f"{fresh}{seat}")
    expect(watching.get_by_role("navigation", name="Main")).to_have_count(0)


@pytest.mark.slow
def test_a_refusal_is_shown_and_nothing_is_lost(page: Page, fresh: str, allowed: list[str]) -> None:
    allowed.append("status of 4")
    page.goto(fresh)
    page.get_by_role("button", name="Start a game").click()
    page.get_by_label("Game", exact=True).select_option("punish")
    page.get_by_label("Rounds", exact=True).fill("900")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_role("dialog").get_by_role("alert")).to_contain_text("fewer rounds")
    expect(page.get_by_label("Rounds", exact=True)).to_have_value("900")


@pytest.mark.slow
def test_the_theme_is_the_systems_until_it_is_chosen_and_then_kept(new_page: NewPage, base: str) -> None:
    page = new_page(color_scheme="dark")
    page.goto(base)
    background = "getComputedStyle(document.body).backgroundColor"
    assert page.evaluate(background) == "rgb(20, 23, 26)"
    page.get_by_label("Light", exact=True).check()
    assert page.evaluate(background) == "rgb(250, 248, 244)"
    page.reload()
    assert page.evaluate(background) == "rgb(250, 248, 244)"
    page.get_by_label("Same as the system").check()
    assert page.evaluate(background) == "rgb(20, 23, 26)"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "there"),
    [("", "two commons"), ("#/experiments/punish-2", "1–25 of 30 games"), ("#/elsewhere", "There is no such page")],
)
def test_nothing_is_wider_than_a_phone(new_page: NewPage, base: str, place: str, there: str) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{base}{place}")
    expect(page.get_by_text(there)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.slow
def test_the_dialog_fits_a_phone(new_page: NewPage, base: str) -> None:
    page = new_page(viewport=PHONE)
    page.goto(base)
    page.get_by_role("button", name="Start a game").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    assert dialog.evaluate("box => box.scrollWidth <= box.clientWidth && box.offsetWidth <= innerWidth")


@pytest.mark.slow
def test_the_first_key_offers_to_skip_to_the_content(page: Page, base: str) -> None:
    page.goto(base)
    expect(row(page, "two commons")).to_be_visible()
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


@pytest.mark.slow
def test_a_token_is_asked_for_taken_from_the_address_and_dropped_from_it(
    page: Page, served: Callable[..., str], store: str, allowed: list[str]
) -> None:
    allowed.append("status of 401")
    base = served(store, token="open-sesame")
    page.goto(base)
    expect(page.get_by_role("heading", name="This lab needs a token")).to_be_visible()
    page.get_by_role("textbox", name="Token").fill("wrong-sesame")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("This token is not valid.")).to_be_visible()
    page.goto("about:blank")
    page.goto(f"{base}#/?token=open-sesame")
    expect(row(page, "two commons")).to_be_visible()
    assert "sesame" not in page.url


@pytest.mark.slow
def test_a_server_that_is_gone_is_said_and_found_again(page: Page, base: str, allowed: list[str]) -> None:
    allowed.append("ERR_INTERNET_DISCONNECTED")
    page.goto(base)
    expect(row(page, "two commons")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("link", name="half of it").click()
    expect(page.get_by_text("The server does not answer; trying again.")).to_be_visible()
    page.context.set_offline(False)
    expect(page.get_by_text("1–25 of 30 games")).to_be_visible()
    expect(page.get_by_text("The server does not answer; trying again.")).not_to_be_visible()


@pytest.mark.slow
def test_the_first_view_is_small(page: Page, base: str) -> None:
    page.goto(base)
    expect(page.get_by_role("list", name="Experiments")).to_be_visible()
    sizes = page.evaluate(
        "() => performance.getEntriesByType('resource').filter((one) => one.name.includes('/assets/'))"
        ".map((one) => [one.name, one.encodedBodySize, one.decodedBodySize])"
    )
    assert sum(size for _, size, _ in sizes) < 150_000
    large = [name for name, size, whole in sizes if whole > 4096 and size >= whole]
    assert large == [], "sent without being packed"
