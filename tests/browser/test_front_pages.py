"""Home, a player's page and charts in a browser."""

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from kept import commons, punish
from ostrom.analysis.ratings.methods.order_free import LEAST_GAMES
from ostrom.experiment import make_rules, play, record_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.schema import SIMULATION
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
PHONE = {"width": 390, "height": 844}
NAMES = ["Cooperator", "FreeRider", "Retaliator", "RandomGiver"]
BOXES = "element => { const { x, y, width, height } = element.getBoundingClientRect(); return [x, y, width, height]; }"


@pytest.fixture(scope="module")
def base(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Eight experiments: three of games, one simulation and four empty ones."""
    url = f"sqlite:///{tmp_path_factory.mktemp('front') / 'journal.db'}"
    with Journal.open(url, create=True) as journal:
        told = {"what": "sweep", "title": "Sweep", "facts": "200 games at 9 points.", "charts": [], "tables": {}}
        for number in range(4):
            journal.new_experiment(f"empty {number}", kind="commons")
        experiment = journal.new_experiment("talk", kind="punish")
        rules = make_rules(CONTRIBUTE_PUNISH, {"messages": True, "rounds": 3})
        for number in range(LEAST_GAMES):
            match = play(NAMES, game=CONTRIBUTE_PUNISH.name, rules=rules, seed=1, number=number)
            journal.add_game(experiment, record_of(match), key=f"t{number}")
        promises = journal.new_experiment("promises", kind="punish")
        journal.add_game(promises, punish(0), key="p0")
        champions = journal.new_experiment("champions", kind="commons")
        journal.add_game(champions, commons(0), key="c0")
        journal.new_experiment("a sweep", kind=SIMULATION, settings={SIMULATION: told}, planned=0)
    return served(url)


def chart(page: Page, name: str) -> str:
    """Go to a chart, and wait until it is drawn; its place."""
    place = f"[id='chart-{name}'] [data-drawn='drawn']"
    page.locator(f"[id='chart-{name}']").scroll_into_view_if_needed()
    expect(page.locator(place)).to_be_attached()
    return place


def test_home_says_what_was_found_who_leads_and_what_is_latest(page: Page, base: str) -> None:
    page.goto(base)
    result = page.get_by_role("region", name="Contribute & Punish")
    expect(result.locator(".found li").first).to_contain_text("rating")
    expect(result.get_by_role("row")).to_have_count(len(NAMES))
    # Who has fewer games leads nobody.
    few = page.get_by_role("region", name="The Commons")
    expect(few.locator(".found li").first).to_contain_text("No player leads")
    expect(few.get_by_role("row")).to_have_count(0)
    listed = page.get_by_role("list", name="Experiments").get_by_role("listitem")
    expect(listed).to_have_count(5)
    sweep = listed.filter(has_text="a sweep")
    expect(sweep).to_contain_text("200 games at 9 points.")
    expect(sweep).not_to_contain_text("0 of 0")
    page.get_by_role("link", name="All 8 experiments").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Experiments")
    expect(listed).to_have_count(8)


def test_a_players_page_shows_its_profile_its_rivals_its_games_and_what_it_is(page: Page, base: str) -> None:
    page.goto(f"{base}#/players/FreeRider?kind=punish")
    measures = page.get_by_role("list", name="Measures").get_by_role("listitem")
    expect(measures.filter(has_text="Mean final tokens")).to_contain_text("of 4")
    rivals = page.get_by_role("table", name="The most frequent opponents of FreeRider").get_by_role("row")
    expect(rivals).to_have_count(len(NAMES))
    expect(page.get_by_role("region", name="Best games").get_by_role("link").first).to_be_visible()
    expect(page.get_by_role("region", name="Description")).to_contain_text("punishes no one")
    with page.expect_download() as handed:
        page.get_by_role("button", name="All data, JSON").click()
    told = json.loads(handed.value.path().read_text())
    assert len(told["games"]) == LEAST_GAMES
    assert {one["name"] for one in told["measures"]} >= {"mean_final", "mean_rank"}


def test_pointing_shows_the_interval_and_hides_nothing(page: Page, base: str) -> None:
    page.goto(f"{base}#/compare?kind=punish&to=chart-balance_by_round")
    place = page.locator(chart(page, "balance_by_round"))
    shown = "path => getComputedStyle(path).opacity"
    before = [area.evaluate(shown) for area in place.locator(".mark-area path").all()]
    assert before.count("0") == len(NAMES) - 2  # those of the first and the last alone
    hidden = before.index("0")
    name = place.locator(".mark-text text").filter(has_text="·").nth(hidden)
    place.locator(".mark-symbol path").nth(3 * hidden + 1).hover()
    tip = page.locator(".tip")
    expect(tip).to_contain_text("from")
    drawing = place.locator("svg.marks").evaluate(BOXES)
    told = tip.evaluate(BOXES)
    assert told[1] + told[3] <= drawing[1] + 1  # above the drawing, so that neither line nor name is hidden
    assert name.is_visible()
    lit = [area.evaluate(shown) for area in place.locator(".mark-area path").all()]
    assert lit != before


def test_a_pinned_player_stays_lit_in_every_chart(page: Page, base: str) -> None:
    page.goto(f"{base}#/compare?kind=punish")
    bars = page.locator(chart(page, "mean_final")).locator(".mark-rect path")
    bars.first.click()
    page.mouse.move(5, 5)
    faded = "paths => paths.map((path) => Number(getComputedStyle(path).opacity)).filter((one) => one < 0.5).length"
    assert bars.evaluate_all(faded) == len(NAMES) - 1
    other = page.locator(chart(page, "median_final")).locator(".mark-rect path")
    assert other.evaluate_all(faded) == len(NAMES) - 1
    # Of a matrix, every cell that is neither in its row nor in its column.
    cells = page.locator(chart(page, "head_to_head")).locator(".mark-rect path")
    pale = "paths => paths.filter((path) => Number(getComputedStyle(path).opacity) < 0.1).length"
    assert cells.evaluate_all(pale) == (len(NAMES) - 1) * (len(NAMES) - 2)


def test_figures_are_wide_and_sorted_by_a_press(page: Page, base: str) -> None:
    page.goto(f"{base}#/compare?kind=punish&to=chart-balance_by_round")
    chart(page, "balance_by_round")
    section = page.locator("[id='chart-balance_by_round']")
    section.get_by_text("Show the figures as a table").click()
    table = section.get_by_role("region", name=re.compile("^Figures of"))
    expect(table.locator("tbody tr")).to_have_count(len(NAMES))
    table.get_by_role("button", name="3", exact=True).click()
    last = table.locator("tbody tr td:last-child").all_inner_texts()
    figures = [float(text.replace(",", "")) for text in last]
    assert figures == sorted(figures, reverse=True)


def test_a_picture_that_is_taken_away_says_where_it_comes_from(page: Page, base: str) -> None:
    page.goto(f"{base}#/compare?kind=punish&to=chart-mean_final")
    chart(page, "mean_final")
    section = page.locator("[id='chart-mean_final']")
    with page.expect_download() as handed:
        section.get_by_role("button", name="SVG").click()
    drawn = handed.value.path().read_text()
    assert re.search(r"Contribute &amp; Punish · 10 games · talk · Ostrom [0-9.]+\S* · 20\d\d-\d\d-\d\d", drawn)
    with page.expect_download() as handed:
        section.get_by_role("button", name="PNG").click()
    assert handed.value.path().read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_names_stand_above_bars_and_below_lines(new_page: NewPage, base: str, scheme: str) -> None:
    page = new_page(viewport=PHONE, color_scheme=scheme)
    page.goto(f"{base}#/compare?kind=punish")
    place = page.locator(chart(page, "mean_final"))
    names = [place.locator("svg text", has_text=name).first.evaluate(BOXES) for name in NAMES]
    bars = sorted((bar.evaluate(BOXES) for bar in place.locator(".mark-rect path").all()), key=lambda box: box[1])
    for name, bar in zip(sorted(names, key=lambda box: box[1]), bars, strict=True):
        assert name[1] + name[3] <= bar[1] + 2
        assert name[0] < bar[0] + 10
    chart(page, "balance_by_round")
    lines = page.locator("[id='chart-balance_by_round']").get_by_role("list", name=re.compile("^Lines"))
    expect(lines.get_by_role("button")).to_have_count(len(NAMES))
    expect(page.get_by_text("Scroll sideways")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_link_to_a_chart_lands_on_it(page: Page, base: str) -> None:
    page.goto(f"{base}#/compare?kind=punish&to=chart-welfare")
    chart(page, "welfare")
    top = "document.getElementById('chart-welfare').getBoundingClientRect().top"
    page.wait_for_timeout(800)
    assert abs(page.evaluate(top)) < 60


def test_printing_gives_all_charts(page: Page, base: str) -> None:
    page.goto(f"{base}#/compare?kind=commons")
    expect(page.get_by_role("button", name="Print all")).to_be_visible()
    page.evaluate(
        """() => void (window.print = () => { document.documentElement.dataset.printed = JSON.stringify({
          places: document.querySelectorAll('[id^=chart-]').length,
          drawn: document.querySelectorAll("[id^=chart-] [data-drawn=drawn]").length,
          waiting: document.querySelectorAll("[id^=chart-] [data-drawn=waiting]").length,
          theme: document.documentElement.dataset.theme }); })"""
    )
    page.keyboard.press("Control+p")
    expect(page.locator("html")).to_have_attribute("data-printed", re.compile("."))
    printed = json.loads(page.locator("html").get_attribute("data-printed") or "")
    assert printed["drawn"] >= printed["places"] > 5
    assert (printed["waiting"], printed["theme"]) == (0, "light")


def test_a_player_is_quoted_with_the_promises_that_it_broke(page: Page, base: str) -> None:
    page.goto(f"{base}#/players/{'model%2F1'}")
    quotes = page.get_by_role("region", name=re.compile("^Quotes"))
    expect(quotes).to_contain_text("all in with $20")
    expect(quotes).to_contain_text("Broken")
