"""Compare and the cards of the battery, in a browser: leaderboards, every chart, filters, scores."""

import json
import re
from collections.abc import Callable
from urllib.request import urlopen

import pytest
from playwright.sync_api import Locator, Page, expect
from typer.testing import CliRunner

from battery_played import battery_records
from kept import commons, punish
from ostrom.cli.main import app
from ostrom.experiment import make_rules, play, record_of
from ostrom.games.battery.charts.card import PANELS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
Serve = Callable[..., str]
PHONE = {"width": 360, "height": 740}
SUBJECTS = ("exponential:delta=0.9,noise=0.03", "fehr-schmidt")
TALKERS = ["Cooperator", "FreeRider", "Retaliator", "RandomGiver"]

# Whether a chart shows something: marks of an SVG, or paint on a canvas.
SHOWS = """place => {
  const canvas = place.querySelector("canvas");
  if (!canvas) return place.querySelectorAll("svg.marks path, svg.marks text").length > 3;
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, index) => index % 4 === 3 && value > 0);
}"""


@pytest.fixture(scope="module")
def imported(served: Serve, imported_games: str) -> str:
    """A server that has read all games once, so that no browser waits for that."""
    base = served(imported_games)
    assert catalogue(base, "punish")
    return base


@pytest.fixture(scope="module")
def small_store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A little of everything: games with messages and without, defaulted answers, the Commons, the battery."""
    url = f"sqlite:///{tmp_path_factory.mktemp('compare') / 'journal.db'}"
    with Journal.open(url, create=True) as journal:
        for name, talk in (("talk", True), ("silence", False)):
            experiment = journal.new_experiment(name, kind="punish")
            rules = make_rules(CONTRIBUTE_PUNISH, {"messages": talk, "rounds": 3})
            for number in range(4):
                match = play(TALKERS, game=CONTRIBUTE_PUNISH.name, rules=rules, seed=1, number=number)
                journal.add_game(experiment, record_of(match), key=f"{name}-{number}")
        defaulted = journal.new_experiment("defaulted", kind="punish")
        for number in range(3):
            journal.add_game(defaulted, punish(number), key=f"d{number}")
        champions = journal.new_experiment("champions", kind="commons")
        for number in range(3):
            journal.add_game(champions, commons(number), key=f"c{number}")
        battery = journal.new_experiment("asked", kind="battery")
        for number, record in enumerate(battery_records(SUBJECTS)):
            journal.add_game(battery, record, key=str(number))
    return url


@pytest.fixture(scope="module")
def small(served: Serve, small_store: str) -> str:
    return served(small_store)


def board(page: Page) -> Locator:
    return page.get_by_role("table", name="Leaderboard").locator("tr[data-player]")


def players(page: Page) -> list[str]:
    return [str(row.get_attribute("data-player")) for row in board(page).all()]


def printed(store: str) -> list[dict[str, object]]:
    result = CliRunner().invoke(app, ["ratings", "--store", store, "--json"])
    assert result.exit_code == 0, result.output
    rows: list[dict[str, object]] = json.loads(result.stdout)["ratings"]
    return rows


def drawn(page: Page, name: str) -> Locator:
    """The chart of this name, or the first of its panels, once it is drawn; it is drawn only where a reader comes
    near."""
    section = page.locator(f"[id='chart-{name}']")
    section.scroll_into_view_if_needed()
    place = section.locator("[data-drawn='drawn']").first
    expect(place).to_be_attached()
    return place


def catalogue(base: str, kind: str) -> list[str]:
    with urlopen(f"{base}api/charts?kind={kind}") as answer:
        return [chart["name"] for section in json.load(answer)["sections"] for chart in section["charts"]]


def test_580_imported_games_show_the_leaderboard_that_the_command_prints(
    page: Page, imported: str, imported_games: str
) -> None:
    expected = printed(imported_games)
    page.goto(f"{imported}#/compare")
    expect(page.get_by_text("580 games of Contribute & Punish, 19 players")).to_be_visible()
    expect(board(page)).to_have_count(len(expected))
    assert players(page) == [row["name"] for row in expected]
    tiers = page.get_by_role("rowheader", name=re.compile("^Tier"))
    expect(tiers).to_have_count(len({row["tier"] for row in expected}))
    expect(board(page).first).to_contain_text(f"{expected[0]['mu']:.3f}")
    expect(board(page).first).to_contain_text(f"{expected[0]['games']}")


def test_every_chart_of_the_report_on_580_games_is_drawn(page: Page, imported: str) -> None:
    page.goto(f"{imported}#/compare?kind=punish")
    expect(board(page).first).to_be_visible()
    check_every_chart(page, catalogue(imported, "punish"), least=21)


@pytest.mark.parametrize("kind", ["commons", "battery"])
def test_every_chart_of_the_other_games_is_drawn(page: Page, small: str, kind: str) -> None:
    page.goto(f"{small}#/compare?kind={kind}")
    check_every_chart(page, catalogue(small, kind), least=1)


def check_every_chart(page: Page, names: list[str], least: int) -> None:
    assert len(names) >= least
    for name in names:
        assert drawn(page, name).evaluate(SHOWS), f"{name} shows nothing"


def test_filters_change_the_address_and_what_is_shown(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare")
    expect(page.get_by_text("4 games of Contribute & Punish,")).to_be_visible()
    expect(page.get_by_role("link", name=re.compile("^The leaderboard of 3 games by the rules"))).to_be_visible()
    page.get_by_role("button", name="Taken together").click()
    page.get_by_role("checkbox", name="Different rules").check()
    expect(page).to_have_url(re.compile("pool=rules"))
    expect(page.get_by_text("11 games of Contribute & Punish,")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Experiments").click()
    page.get_by_role("checkbox", name="talk").check()
    expect(page).to_have_url(re.compile("experiment=punish-1"))
    expect(page.get_by_text("4 games of Contribute & Punish,")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Players").click()
    page.get_by_role("checkbox", name="FreeRider").check()
    expect(board(page)).to_have_count(1)
    page.keyboard.press("Escape")
    page.get_by_label("Messages").select_option("off")
    expect(page).to_have_url(re.compile("messages=off"))
    expect(page.locator(".left-out")).to_have_text("None of the 4 chosen games was played without messages.")
    page.reload()
    expect(page.get_by_label("Messages")).to_have_value("off")
    page.locator("#leaderboard-table").get_by_role("button", name="Clear filters").click()
    expect(page.get_by_text("4 games of Contribute & Punish,")).to_be_visible()
    assert "messages" not in page.url
    assert "pool" not in page.url


def test_what_is_left_out_is_told(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare?experiment=defaulted")
    expect(board(page)).to_have_count(3)
    page.get_by_label("Defaulted answers").select_option("seats")
    expect(page).to_have_url(re.compile("defaulted=seats"))
    expect(page.locator(".left-out").first).to_contain_text("Left out for defaulted answers: 3 of 9 seats")


def test_a_chosen_experiment_opens_the_board_of_its_own_game(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare?experiment=champions")
    expect(page.get_by_text("3 games of the Commons,")).to_be_visible()


def test_the_contents_lead_to_a_chart_and_the_address_keeps_it(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare?kind=punish")
    link = page.get_by_role("navigation", name="Contents").get_by_role("link", name="Welfare")
    link.click()
    expect(page).to_have_url(re.compile("to=chart-welfare"))
    expect(page.get_by_role("region", name="Welfare")).to_be_in_viewport()
    expect(link).to_have_attribute("aria-current", "true")
    page.reload()
    expect(page.get_by_role("region", name="Welfare")).to_be_in_viewport()


def test_the_figures_of_a_chart_are_there_as_a_table(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare?experiment=talk")
    drawn(page, "mean_final")
    section = page.locator("[id='chart-mean_final']")
    section.get_by_text("Show the figures as a table").click()
    table = section.get_by_role("region", name="Figures of Mean final tokens")
    expect(table.get_by_role("row")).to_have_count(len(TALKERS) + 1)
    expect(table).to_contain_text("FreeRider")


def test_dark_changes_what_is_painted_without_a_reload(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare?experiment=talk")
    drawn(page, "final_strip")
    canvas = page.locator("[id='chart-final_strip'] canvas")
    light = canvas.evaluate("canvas => canvas.toDataURL()")
    swatch, painted = board(page).first.locator(".swatch"), "one => getComputedStyle(one).backgroundColor"
    ink = swatch.evaluate(painted)
    page.get_by_label("Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    drawn(page, "final_strip")
    assert canvas.evaluate("canvas => canvas.toDataURL()") != light
    assert swatch.evaluate(painted) != ink
    label = drawn(page, "mean_final").locator("svg text").first
    assert label.evaluate("text => getComputedStyle(text).fill") == page.evaluate(
        "getComputedStyle(document.body).color"
    )


def test_a_mark_tells_its_figures_under_the_pointer(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare?experiment=talk")
    place = drawn(page, "mean_final")
    place.locator("svg .mark-rect path").first.hover()
    expect(page.locator(".tip")).to_contain_text("player")


def test_scores_of_the_battery_lead_to_the_card_of_a_subject(page: Page, small: str) -> None:
    page.goto(f"{small}#/compare?kind=battery")
    scores = page.get_by_role("region", name="Scores: Rationality")
    expect(scores.get_by_role("row")).to_have_count(len(SUBJECTS) + 2)
    scores.get_by_role("link", name="fehr-schmidt").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("fehr-schmidt")
    panels = page.locator("figure [data-drawn]")
    expect(panels).to_have_count(len(PANELS))
    for panel in panels.all():
        panel.scroll_into_view_if_needed()
        expect(panel).to_have_attribute("data-drawn", "drawn")
        assert panel.evaluate(SHOWS)
    expect(page.get_by_role("term").filter(has_text="Patience").first).to_be_visible()


def test_a_card_begins_with_three_scores_as_they_are_computed(page: Page, small: str) -> None:
    with urlopen(f"{small}api/scores/fehr-schmidt") as answer:
        scores = {score["name"]: score for score in json.load(answer)["row"]["scores"]}
    page.goto(f"{small}#/subjects/fehr-schmidt")
    for name in ("rationality", "social", "cooperation"):
        score = scores[name]
        headline = page.get_by_test_id(f"headline-{name}")
        expect(headline).to_have_attribute("data-value", re.compile(re.escape(f"{score['value']:.6g}")[:6]))
        if score["low"] is None:
            assert score["reason"], name
            expect(headline).not_to_contain_text("interval")
        else:
            expect(headline).to_contain_text(f"{score['low']:.0f} to {score['high']:.0f}")


def test_the_panels_of_a_card_stand_in_one_column_on_a_phone(new_page: NewPage, small: str) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{small}#/subjects/fehr-schmidt")
    panels = page.locator("figure li")
    expect(panels).to_have_count(len(PANELS))
    for panel in panels.all():
        panel.scroll_into_view_if_needed()
        expect(panel.locator("[data-drawn='drawn']")).to_be_attached()
        expect(panel.get_by_text("Scroll sideways")).to_have_count(0)
    assert len({panel.bounding_box()["x"] for panel in panels.all()}) == 1  # type: ignore[index]


def test_a_subject_that_nobody_asked_is_said_in_one_line(page: Page, small: str, allowed: list[str]) -> None:
    allowed.append("status of 404")
    page.goto(f"{small}#/subjects/nobody")
    expect(page.get_by_role("alert")).to_contain_text("nobody")


def test_an_empty_journal_says_what_to_type(page: Page, served: Serve, tmp_path: object) -> None:
    page.goto(f"{served(f'sqlite:///{tmp_path}/journal.db')}#/compare")
    expect(page.get_by_role("heading", name="No game is finished yet")).to_be_visible()
    expect(page.get_by_text("ostrom bench punish")).to_be_visible()


@pytest.mark.parametrize(
    ("address", "part"),
    [
        ("compare?experiment=talk", "[data-player='FreeRider']"),
        ("compare?kind=battery", "[aria-label='Scores: Rationality']"),
        ("subjects/fehr-schmidt", "[data-testid='headline-social']"),
        ("messages?experiment=talk", "[aria-label='Found'] li >> nth=0"),
    ],
)
def test_pages_fit_on_a_phone(new_page: NewPage, small: str, address: str, part: str) -> None:
    page = new_page(viewport=PHONE)
    page.goto(f"{small}#/{address}")
    expect(page.locator(part)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
