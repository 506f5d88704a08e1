"""Navigation in a browser: lists, games, players, downloads, keys, and touch on a phone."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Download, Page, expect

from kept import commons, punish
from ostrom.charts.palette import with_names_and_colours
from ostrom.experiment import make_rules, play, record_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.sql import Journal
from ostrom.web.pages import page_of

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
Serve = Callable[..., str]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLE = ["ConditionalCooperator", "FreeRider", "Retaliator", "a-model-with-a-very-long-name-20250219-thinking"]
ROUNDS = 3
FINGER = 44
"""Pixels that a finger needs (WCAG 2.5.5)."""

WITHIN = "row => row.getBoundingClientRect().right <= row.closest('.board').getBoundingClientRect().right + 0.5"
SMALL = """(least) => [...document.querySelectorAll(
    "main button, main select, main .button, main summary, header nav a, fieldset label")]
  .filter((one) => !one.closest(".marks, nav[aria-label=Rounds]"))
  .map((one) => [one.textContent.trim() || one.ariaLabel, one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && box.height < least - 1)
  .map(([text, box]) => `${text}: ${box.width} by ${box.height}`)"""
"""What a finger would miss. Marks and rounds are other ways to where the time axis leads."""


@pytest.fixture(scope="module")
def lab(served: Serve, tmp_path_factory: pytest.TempPathFactory) -> str:
    store = f"sqlite:///{tmp_path_factory.mktemp('ways') / 'journal.db'}"
    rules = make_rules(CONTRIBUTE_PUNISH, {"rounds": ROUNDS})
    with Journal.open(store, create=True) as journal:
        talks = journal.new_experiment("talks", kind="punish")
        for number in range(12):
            match = play(TABLE[:3] + TABLE[:1], game=CONTRIBUTE_PUNISH.name, rules=rules, seed=1, number=number)
            record = record_of(match)
            seats = [*record.seats[:3], record.seats[3].model_copy(update={"player": TABLE[3]})]
            journal.add_game(talks, record.model_copy(update={"seats": seats}), key=f"talk-{number}")
        champions = journal.new_experiment("champions", kind="commons")
        journal.add_game(champions, commons(turns=40), key="champions")
    return served(store)


def asked(lab: str, path: str) -> dict[str, object]:
    with urlopen(f"{lab}api{path}") as answer:
        told: dict[str, object] = json.load(answer)
    return told


def text_of(download: Download, folder: Path) -> str:
    file = folder / download.suggested_filename
    download.save_as(file)
    return file.read_text(encoding="utf-8")


def test_a_list_of_games_shows_how_each_went_and_who_won(page: Page, lab: str) -> None:
    page.goto(f"{lab}#/experiments/punish-1")
    row = page.get_by_role("row").filter(has_text="punish-1.3")
    row.scroll_into_view_if_needed()  # Courses are drawn when they come into view.
    expect(row.locator(f"[data-course='{ROUNDS}']")).to_be_visible()
    course = asked(lab, "/games/punish-1.3/course")
    winner = TABLE[int(str(course["winners"][0]))]  # type: ignore[index]
    expect(row.get_by_role("img")).to_have_accessible_name(re.compile(f"^Cooperation: .* won by .*{winner}"))
    row.get_by_role("link").click()
    expect(page.get_by_text("Game 3 of 12")).to_be_visible()


def test_a_phone_reads_lists_without_scrolling_sideways(new_page: NewPage, lab: str) -> None:
    page = new_page(**PHONE)
    page.goto(f"{lab}#/experiments/punish-1")
    games = page.get_by_role("region", name="Games of this experiment")
    expect(games).to_be_visible()
    assert games.evaluate("box => box.scrollWidth <= box.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("address", "ready"),
    [
        ("", "[aria-label=Experiments] li"),
        ("experiments/punish-1", "table tbody tr"),
        ("games/punish-1.1", "[data-testid=play]"),
        ("compare", "[data-player]"),
        ("messages", "blockquote"),
    ],
)
def test_a_finger_finds_every_control_of_a_phone(new_page: NewPage, lab: str, address: str, ready: str) -> None:
    page = new_page(**PHONE)
    page.goto(f"{lab}#/{address}")
    expect(page.locator(ready).first).to_be_visible()
    assert page.evaluate(SMALL, FINGER) == []


def test_filters_of_a_phone_fold_away_and_say_how_many_are_set(new_page: NewPage, lab: str) -> None:
    page = new_page(**PHONE)
    page.goto(f"{lab}#/messages?player=FreeRider&round=2")
    fold = page.locator("summary", has_text="More filters")
    expect(fold).to_contain_text("2 set")
    expect(page.get_by_label("Round")).to_be_hidden()
    fold.click()
    expect(page.get_by_label("Round")).to_have_value("2")


def test_the_way_back_leads_to_where_one_was(page: Page, lab: str) -> None:
    page.goto(f"{lab}#/messages")
    page.get_by_role("listitem").nth(20).scroll_into_view_if_needed()
    there = page.evaluate("scrollY")
    assert there > 500
    page.get_by_role("listitem").nth(20).get_by_role("link", name="round").click()
    expect(page.get_by_test_id("play")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    page.go_back()
    expect(page.get_by_role("listitem").nth(20)).to_be_in_viewport()
    page.wait_for_function("there => Math.abs(scrollY - there) < 2", arg=there)


def test_from_the_leaderboard_to_a_player_its_games_and_its_messages(page: Page, lab: str) -> None:
    page.goto(f"{lab}#/compare")
    page.get_by_role("table", name="Leaderboard").get_by_role("link", name=TABLE[3]).click()
    expect(page.get_by_role("heading", level=1, name=TABLE[3])).to_be_visible()
    expect(page).to_have_title(re.compile(TABLE[3]))
    ratings = asked(lab, "/ratings?kind=punish")["rows"]
    row = next(one for one in ratings if one["player"] == TABLE[3])  # type: ignore[attr-defined]
    expect(page.get_by_label("Standing")).to_contain_text(f"{row['place']} of {len(TABLE)}")
    expect(page.get_by_role("region", name=f"Games of {TABLE[3]}").get_by_role("row")).to_have_count(1 + 12)
    page.get_by_role("link", name="Read its messages").click()
    said = asked(lab, f"/messages?player={TABLE[3]}")["total"]
    expect(page.get_by_role("status").filter(has_text=f"{said} messages")).to_be_visible()


def test_another_game_of_the_same_page_takes_no_focus_and_leaves_nothing_of_the_last(
    page: Page, served: Serve, tmp_path: Path
) -> None:
    store = f"sqlite:///{tmp_path / 'journal.db'}"
    with Journal.open(store, create=True) as journal:
        for kind, record in (("punish", punish(0, text="I give all")), ("commons", commons())):
            seats = [record.seats[0], record.seats[1].model_copy(update={"player": "Both"}), *record.seats[2:]]
            experiment = journal.new_experiment(kind, kind=kind)
            journal.add_game(experiment, record.model_copy(update={"seats": seats}), key=kind)
    base = served(store)
    commons_, punish_ = (
        page.get_by_role("navigation", name="Games").get_by_role("link", name=one) for one in ("Commons", "Punish")
    )
    while asked(base, "/messages")["unread"]:  # games are read some at a time, as somebody asks
        page.wait_for_timeout(100)
    page.goto(f"{base}#/players/Both?kind=punish")
    quotes = page.locator("blockquote")
    expect(quotes.first).to_have_text("I give all")
    commons_.press("Enter")
    expect(page.get_by_label("Standing")).to_be_visible()
    expect(page.get_by_text("1 game of The Commons", exact=True)).to_be_visible()
    expect(quotes).to_have_count(0)
    expect(commons_).to_be_focused()
    page.goto(f"{base}#/compare?kind=commons")
    punish_.press("Enter")
    expect(punish_).to_have_attribute("aria-current", "page")
    expect(page.get_by_role("table", name="Leaderboard")).to_be_visible()
    expect(punish_).to_be_focused()
    page.goto(f"{base}#/compare?kind=punish&to=chart-balance_by_round")
    expect(page.locator("[id='chart-balance_by_round']")).to_be_in_viewport()


def test_every_digit_of_a_seed_is_shown(page: Page, served: Serve, tmp_path: Path) -> None:
    store, seed = f"sqlite:///{tmp_path / 'journal.db'}", 2**64 - 1
    record = commons()
    assert record.seed == seed
    with Journal.open(store, create=True) as journal:
        experiment = journal.new_experiment("seeded", kind="commons", settings={"parts": [{"seed": seed}]})
        journal.add_game(experiment, record, key="seeded")
    base = served(store)
    page.goto(f"{base}#/games/seeded")
    expect(page.get_by_text(f"seed {seed}", exact=True)).to_be_visible()
    page.goto(f"{base}#/experiments/commons-1")
    page.get_by_text("Settings", exact=True).click()
    expect(page.get_by_text(str(seed))).to_be_visible()
    file = tmp_path / "game.html"
    file.write_text(page_of(with_names_and_colours(record)), encoding="utf-8")
    page.goto(file.as_uri())
    expect(page.get_by_text(f"seed {seed}")).to_be_visible()


def test_a_run_may_say_the_same_twice(page: Page, served: Serve, tmp_path: Path) -> None:
    store, said = f"sqlite:///{tmp_path / 'journal.db'}", "ash gave no legal answer"
    with Journal.open(store, create=True) as journal:
        journal.add_game(journal.new_experiment("run", kind="commons"), commons(), key="run")
    base = served(store, steers=True)
    result = {**asked(base, "/experiments/commons-1"), "run": {"state": "ended", "told": [said, said]}}
    page.route("**/api/experiments/commons-1", lambda route: route.fulfill(json=result))
    page.goto(f"{base}#/experiments/commons-1")
    lines = page.get_by_role("list", name="Messages of the run").get_by_role("listitem")
    expect(lines).to_have_text(["Ash gave no legal answer."] * 2)


def test_a_player_that_nobody_knows_is_said_to_be_unknown(page: Page, lab: str) -> None:
    page.goto(f"{lab}#/players/nobody")
    expect(page.get_by_role("heading", level=1, name="There is no such player")).to_be_visible()


def test_a_game_is_saved_as_the_page_that_the_command_writes(page: Page, lab: str, tmp_path: Path) -> None:
    page.goto(f"{lab}#/games/champions")
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save as a page").click()
    assert saved.value.suggested_filename == "commons-2.1.html"
    place = re.compile(r'(?<=<script id="game" type="application/json">)[^<]*(?=</script>)')
    written, exported = text_of(saved.value, tmp_path), page_of(with_names_and_colours(commons(turns=40)))
    assert place.sub("", written, count=1) == place.sub("", exported, count=1)
    inside, expected = (json.loads(place.search(one).group()) for one in (written, exported))  # type: ignore[union-attr]
    assert (inside["events"], inside["seats"]) == (expected["events"], expected["seats"])


def test_a_chart_is_taken_away_as_picture_figures_and_specification(page: Page, lab: str, tmp_path: Path) -> None:
    page.goto(f"{lab}#/compare?to=chart-balance_by_round")
    chart = page.locator("[id='chart-balance_by_round']")
    taken = {}
    for button in ("PNG", "CSV", "Vega-Lite"):
        with page.expect_download() as download:
            chart.get_by_role("button", name=button, exact=True).click()
        taken[button] = download.value
    taken["PNG"].save_as(tmp_path / "chart.png")
    assert (tmp_path / "chart.png").read_bytes().startswith(b"\x89PNG")
    rows = list(csv.reader(io.StringIO(text_of(taken["CSV"], tmp_path))))
    assert rows[0][:2] == ["player", "round"]
    ratings = asked(lab, "/ratings?kind=punish")["rows"]
    assert {row[0] for row in rows[1:]} == {row["label"] for row in ratings}  # type: ignore[attr-defined]
    spec = json.loads(text_of(taken["Vega-Lite"], tmp_path))
    assert spec["title"] == chart.get_by_role("heading").inner_text()
    assert "currentColor" not in json.dumps(spec)


def test_the_keys_are_shown_lead_about_and_can_be_turned_off(page: Page, lab: str) -> None:
    page.goto(f"{lab}#/games/punish-1.2")
    moment = page.get_by_test_id("moment")
    expect(moment).to_have_attribute("data-value", "0")
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys).to_contain_text("Play or pause")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    expect(moment).to_have_attribute("data-value", "0")  # the keys of the replay rest while something lies above it
    page.keyboard.press("]")
    expect(page).to_have_url(re.compile(r"games/punish-1\.3"))
    page.keyboard.press("g")
    page.keyboard.press("c")
    expect(page).to_have_url(re.compile("#/compare"))
    page.keyboard.press("/")
    expect(page.get_by_label("Words")).to_be_focused()
    expect(page).to_have_url(re.compile("#/find"))
    page.keyboard.type("g?")
    expect(page.get_by_label("Words")).to_have_value("g?")
    expect(keys).to_be_hidden()
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("switch").click()
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(keys).to_be_hidden()


def test_one_search_finds_players_games_experiments_and_pages(page: Page, lab: str) -> None:
    page.goto(f"{lab}#/find")
    expect(page.get_by_role("list", name="Pages").get_by_role("link")).not_to_have_count(0)
    page.get_by_label("Words").fill("retaliator")
    players = page.get_by_role("list", name="Players", exact=True)
    expect(players.get_by_role("link")).to_have_text(["Retaliator"])
    expect(page.get_by_role("list", name="Games", exact=True).get_by_role("link").first).to_be_visible()
    expect(page).to_have_url(re.compile("#/find\\?text=retaliator"))
    page.get_by_label("Words").fill("champions")
    expect(page.get_by_role("list", name="Experiments").get_by_role("link")).to_have_text(["champions"])
    page.get_by_label("Words").fill("leaderboards")
    expect(page.get_by_role("list", name="Pages").get_by_role("link").first).to_have_text("Compare")
    page.get_by_label("Words").fill("zzzz qqqq")
    expect(page.get_by_text("Nothing matches. Try")).to_be_visible()


def test_a_leaderboard_is_as_wide_as_its_page_on_every_screen(new_page: NewPage, lab: str) -> None:
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{lab}#/compare")
    row = page.locator("[data-player]").first
    expect(row).to_be_visible()
    for width in (1440, 1280, 1200, 1024, 768, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width
        assert row.evaluate(WITHIN), width


def test_a_player_that_is_renamed_has_its_name_everywhere_at_once(lab: str, page: Page, allowed: list[str]) -> None:
    allowed.append("status of 400")  # a name that is taken
    page.goto(f"{lab}#/players/Retaliator")
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("Free Rider")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("heading", name="Free Rider", level=1)).to_be_visible()
    expect(page.get_by_text("Id: Retaliator")).to_be_visible()
    expect(page.locator(".players").first).to_contain_text("Free Rider")
    page.goto(f"{lab}#/players/FreeRider")
    page.get_by_role("button", name="Rename").click()
    page.get_by_label("Name", exact=True).fill("free rider")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("alert")).to_contain_text("give 'FreeRider' another name")
    page.keyboard.press("Escape")
    page.goto(f"{lab}#/players/Retaliator")
    page.get_by_role("button", name="Rename").click()
    page.get_by_role("button", name="Clear the name").click()
    expect(page.get_by_role("heading", name="Retaliator", level=1)).to_be_visible()
