"""The page of messages in a browser: search, outcomes of promises, and links to the moment."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from kept import punish
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

Serve = Callable[..., str]
GAMES = 30


@pytest.fixture(scope="module")
def base(served: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Games in which P2 and P3 promise what P2 then gives, and P3 seldom; and one with other words."""
    url = f"sqlite:///{tmp_path_factory.mktemp('messages') / 'journal.db'}"
    with Journal.open(url, create=True) as journal:
        promises = journal.new_experiment("promises", kind="punish")
        for number in range(GAMES):
            journal.add_game(promises, punish(number, text=f"I'll contribute $3, game {number:02}"), key=f"p{number}")
        other = journal.new_experiment("other", kind="punish")
        journal.add_game(other, punish(0, text="Trust is all (we) have: trust."), key="quiet")
    return served(url)


def lines(page: Page) -> Locator:
    return page.get_by_role("region", name="Found").get_by_role("listitem")


def test_words_are_found_and_marked(page: Page, base: str) -> None:
    page.goto(f"{base}#/messages")
    page.get_by_label("Words").fill("TRUST")
    expect(page).to_have_url(re.compile("text=TRUST"))
    expect(lines(page)).to_have_count(2)
    expect(lines(page).first.locator("mark")).to_have_text(["Trust", "trust"])
    page.get_by_label("Words").fill("(we)")
    expect(lines(page).first.locator("mark")).to_have_text(["we"])
    page.reload()
    expect(page.get_by_label("Words")).to_have_value("(we)")
    expect(lines(page)).to_have_count(2)


def test_promises_are_counted_and_said_in_words(page: Page, base: str) -> None:
    page.goto(f"{base}#/messages?text=game+01")
    expect(page.get_by_role("status").filter(has_text="messages")).to_contain_text("2 promises: 1 kept, 1 broken")
    page.get_by_label("Promise").select_option("broken")
    expect(page).to_have_url(re.compile("promise=broken"))
    expect(lines(page)).to_have_count(1)
    expect(lines(page)).to_contain_text("Broken")
    expect(lines(page)).to_contain_text("promised 3, gave 1")
    page.get_by_label("Promise").select_option("kept")
    expect(lines(page)).to_contain_text("Kept")
    expect(lines(page)).to_contain_text("promised 3, gave 3")


def test_players_rounds_games_and_experiments_narrow_the_search(page: Page, base: str) -> None:
    page.goto(f"{base}#/messages?promise=made")
    page.get_by_role("button", name="Players").click()
    page.get_by_label("model/1").check()
    result = page.get_by_role("status").filter(has_text="message")
    expect(result).to_contain_text(f"{GAMES} messages")
    page.keyboard.press("Escape")
    page.get_by_label("Game", exact=True).fill("p7")
    page.get_by_label("Game", exact=True).press("Enter")
    expect(lines(page)).to_have_count(1)
    expect(lines(page)).to_contain_text("model/1")
    page.get_by_label("Round").fill("2")
    expect(page.get_by_text("No message matches.")).to_be_visible()
    page.get_by_role("button", name="Clear all").click()
    expect(page).to_have_url(re.compile("#/messages$"))
    page.get_by_role("button", name="Experiments").click()
    page.get_by_label("other").check()
    expect(result).to_have_text(re.compile("^[23] messages"))


def test_pages_of_messages_follow_each_other(page: Page, base: str) -> None:
    page.goto(f"{base}#/messages?promise=made")
    expect(lines(page)).to_have_count(50)
    page.get_by_role("button", name="Next").click()
    expect(page).to_have_url(re.compile("offset=50"))
    expect(lines(page)).to_have_count(2 * GAMES - 50)
    page.get_by_label("Promise").select_option("kept")
    expect(page).not_to_have_url(re.compile("offset"))


def test_a_line_leads_to_its_moment(page: Page, base: str) -> None:
    page.goto(f"{base}#/messages?text=game+07&player=model/1")
    lines(page).get_by_role("link", name=re.compile("round 1")).click()
    expect(page).to_have_url(re.compile(r"#/games/[^?]+\?at=3$"))
    expect(page.get_by_text("I'll contribute $3, game 07").first).to_be_visible()


def test_a_game_that_is_not_there_is_said_in_one_line(page: Page, base: str, allowed: list[str]) -> None:
    allowed.append("status of 404")
    page.goto(f"{base}#/messages?game=nobody")
    expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_a_journal_without_messages_says_what_to_type(page: Page, served: Serve, tmp_path: object) -> None:
    page.goto(f"{served(f'sqlite:///{tmp_path}/journal.db')}#/messages")
    expect(page.get_by_role("heading", name="There are no messages yet")).to_be_visible()


def test_words_are_found_by_their_stems_with_the_lines_around_them(page: Page, base: str) -> None:
    page.goto(f'{base}#/messages?text=trusting+"we+have"')
    expect(lines(page).first.locator("mark").first).to_have_text("Trust")
    page.get_by_label("Context").select_option("1 line before and after")
    expect(page).to_have_url(re.compile("around=1"))
    expect(page.get_by_role("list", name="Said after").first).to_contain_text("P")
    page.get_by_label("Order").select_option("Newest first")
    expect(page).to_have_url(re.compile("sort=newest"))


def test_a_list_of_games_is_sorted_and_filtered_and_leads_from_game_to_game(page: Page, base: str) -> None:
    page.goto(f"{base}#/experiments/promises")
    page.get_by_role("button", name="Highlights").click()
    page.get_by_label("Broken promise").check()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("highlight=broken_promise"))
    page.get_by_role("button", name="Best").click()
    expect(page).to_have_url(re.compile("sort=best"))
    games = page.get_by_role("region", name="Games of this experiment").get_by_role("row")
    expect(games.nth(1)).to_contain_text("Broken promise")
    second, third = (games.nth(place).get_by_role("link").first.text_content() for place in (2, 3))
    games.nth(2).get_by_role("link").first.click()
    expect(page.get_by_role("navigation", name="Games of the list")).to_contain_text("Game 2 of")
    assert second is not None
    expect(page).to_have_url(re.compile(re.escape(second)))
    page.get_by_role("link", name="Next game").click()
    assert third is not None
    expect(page).to_have_url(re.compile(re.escape(third)))
    expect(page.get_by_role("navigation", name="Games of the list")).to_contain_text("Game 3 of")
    page.get_by_role("link", name="Previous game").click()
    expect(page).to_have_url(re.compile(re.escape(second)))


def test_all_games_are_found_by_a_word(page: Page, base: str) -> None:
    page.goto(f"{base}#/games")
    page.get_by_role("searchbox", name="Find", exact=True).fill("quiet")
    games = page.get_by_role("region", name="All games").get_by_role("row")
    expect(games).to_have_count(2)


def test_quotes_say_how_they_are_made(page: Page, base: str) -> None:
    page.goto(f"{base}#/quotes")
    expect(page.get_by_role("heading", name="No judge has read a game yet")).to_be_visible()


def test_an_old_link_beyond_the_last_page_leads_to_the_first(page: Page, base: str) -> None:
    page.goto(f"{base}#/messages?offset=4900&promise=made")
    expect(lines(page)).to_have_count(50)
    expect(page).to_have_url(re.compile(r"promise=made$"))
    quote = {"player": "P", "rating": 9, "text": "all in", "reason": "", "judge": "j", "game": "punish-1.1"}
    quotes = [{**quote, "experiment": "punish-1", "round": 1, "seat": 0, "event": None}]
    judges = [{"judge": "j", "games": 1, "portions": 1, "defaulted": 0}]

    def answer(route: Route) -> None:
        offset = int(re.findall(r"offset=(\d+)", route.request.url)[0])
        result = {"lines": quotes[offset:], "total": 1, "offset": offset, "judges": judges, "players": ["P"]}
        route.fulfill(body=json.dumps(result), content_type="application/json")

    page.route("**/api/quotes?*", answer)
    page.goto(f"{base}#/quotes?offset=4900&player=P")
    expect(page.locator("blockquote")).to_have_text("all in")
    expect(page).to_have_url(re.compile(r"#/quotes\?player=P$"))
