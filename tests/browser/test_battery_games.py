"""The drawings of the battery's games in a browser show the values of the record."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import ostrom
from ostrom.games.battery.commands.plan import load_protocol
from ostrom.journal import GameRecord
from ostrom.journal.record import RecordedSeat
from ostrom.journal.sql import Journal
from ostrom.web.pages import write_page

pytestmark = pytest.mark.slow

NewPage = Callable[..., Page]
PHONE = {"width": 390, "height": 844}
PAIR = ["conditional-cooperator", "fehr-schmidt"]
CROWD = ["random"] * 5 + ["level-k", "selfish"]
TABLES = {
    "dictator": ["fehr-schmidt", "selfish"],
    "ultimatum": ["selfish", "fehr-schmidt"],
    "trust": PAIR,
    "stag_hunt": PAIR,
    "matching_pennies": ["random", "random"],
    "centipede": ["conditional-cooperator", "level-k"],
    "traveller": ["random", "level-k"],
    "public_goods": CROWD,
    "beauty_contest": CROWD,
}
STATED = ["time", "risk"]
ALIKE = {"dictator", "stag_hunt"}
"""Games that are drawn as another one is."""
HOSTILE = "<img src=x onerror='window.ran = 1'> \u202e" + "W" * 400
Values = dict[str, float | str]


def played(game: str) -> GameRecord:
    return ostrom.record_of(ostrom.play(TABLES[game], game=game, seed=3))


def asked(task: str) -> GameRecord:
    rules = load_protocol("quick")[task]
    return ostrom.record_of(ostrom.play(["quasi-hyperbolic"], game=f"stated_{task}", rules=rules, seed=3))


@pytest.fixture(scope="module")
def records() -> dict[str, GameRecord]:
    games = {game: played(game) for game in TABLES}
    return games | {f"stated-{task}": asked(task) for task in STATED}


@pytest.fixture(scope="module")
def base(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory, records: dict[str, GameRecord]) -> str:
    """A server with one game of each kind, and each once more with names that nobody should have."""
    url = f"sqlite:///{tmp_path_factory.mktemp('battery')}/journal.db"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("games", kind="trust")
        for name, record in records.items():
            journal.add_game(experiment, record, key=name)
            journal.add_game(experiment, renamed(record), key=f"hostile-{name}")
    return served(url)


def renamed(record: GameRecord) -> GameRecord:
    seats = [RecordedSeat(seat=seat.seat, label=seat.label, player=f"{HOSTILE}{seat.seat}") for seat in record.seats]
    return record.model_copy(update={"seats": seats})


def held(record: GameRecord) -> Values:
    """The values in the drawing of a finished game, from its events."""
    result: dict[str, Any] = {}
    for event in record.events:
        result |= event
    pays = record.events[-1]["payoffs"]
    both = ",".join(f"{pay:g}" for pay in pays)
    match record.game:
        case "dictator":
            return {"offer": result["amount"], "kept": result["pot"] - result["amount"]}
        case "ultimatum":
            return {"offer": result["offer"], "kept": result["pot"] - result["offer"]}
        case "trust":
            sent, back = (next(e for e in record.events if e["event"] == name) for name in ("sent", "returned"))
            ends = {"first-end": pays[0], "second-end": pays[1]}
            return {"sent": sent["amount"], "received": sent["received"], "returned": back["amount"], **ends}
        case "stag_hunt" | "matching_pennies":
            return {"played": both}
        case "centipede":
            return {"outcome": both}
        case "traveller":
            return {f"pin-{seat}": claim for seat, claim in enumerate(result["claims"])}
        case "public_goods":
            given = {f"contribution-{seat}": amount for seat, amount in enumerate(result["contributions"])}
            return {"fund": result["fund"], "share": result["share"], **given}
        case _:
            guesses = {f"pin-{seat}": guess for seat, guess in enumerate(result["guesses"])}
            return {"mean": result["mean"], "target": result["target"], **guesses}


def shown(page: Page, names: Values) -> Values:
    """The raw values beside what is drawn."""
    drawing = page.get_by_test_id("drawing")
    texts = {name: drawing.get_by_test_id(name).get_attribute("data-value") for name in names}
    return {
        name: texts[name] if isinstance(value, str) else float(texts[name] or "nan") for name, value in names.items()
    }


@pytest.mark.parametrize("game", TABLES)
def test_a_drawing_shows_what_the_record_holds(
    page: Page, base: str, records: dict[str, GameRecord], game: str
) -> None:
    page.goto(f"{base}#/games/{game}")
    expect(page.get_by_test_id("moment")).to_have_text(re.compile("^The end"))
    values = held(records[game])
    assert shown(page, values) == pytest.approx(values)


def test_a_game_is_drawn_moment_by_moment(page: Page, base: str, records: dict[str, GameRecord]) -> None:
    offer = records["ultimatum"].events[0]["offer"]
    page.goto(f"{base}#/games/ultimatum?at=0")
    drawing = page.get_by_test_id("drawing")
    expect(page.get_by_test_id("moment")).to_have_text("Before the first move")
    expect(drawing.get_by_test_id("offer")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id("moment")).to_have_text(re.compile(f"^P1 offers P2 {offer:g} of"))
    expect(drawing.get_by_test_id("verdict")).to_contain_text("No answer yet")
    page.keyboard.press("ArrowRight")
    expect(drawing.get_by_test_id("verdict")).to_contain_text("Rejected")


def test_a_list_of_choices_has_the_answers_of_its_sequence_and_the_switch(
    page: Page, base: str, records: dict[str, GameRecord]
) -> None:
    items = [event for event in records["stated-time"].events if event["event"] == "item_answered"]
    last = items[-1]
    own = [item for item in items if (item["condition"], item["purpose"]) == (last["condition"], last["purpose"])]
    amounts = sorted({item["facts"]["sooner"] for item in own})
    page.goto(f"{base}#/games/stated-time")
    rungs = page.get_by_test_id("rung")
    expect(rungs).to_have_count(len(amounts))
    assert [float(rung.get_attribute("data-value") or "nan") for rung in rungs.all()] == amounts
    waits = max(item["facts"]["sooner"] for item in own if item["answer"] == "later")
    takes = min(item["facts"]["sooner"] for item in own if item["answer"] == "sooner")
    expect(page.get_by_test_id("switch")).to_have_text(f"Switches between {waits:,.10g} and {takes:,.10g}.")
    expect(page.get_by_test_id(f"option-{last['answer']}")).to_have_attribute("data-chosen", "true")
    rungs.first.get_by_role("button").click()
    expect(page.get_by_test_id("sooner")).to_have_attribute("data-value", f"{amounts[0]:g}")


def test_drawings_fit_on_a_phone_whoever_plays(new_page: NewPage, base: str, records: dict[str, GameRecord]) -> None:
    page = new_page(viewport=PHONE)
    for name in records.keys() - ALIKE:
        page.goto("about:blank")
        page.goto(f"{base}#/games/hostile-{name}")
        expect(page.get_by_test_id("drawing")).to_be_visible()
        assert page.get_by_role("region", name="Replay").evaluate("replay => replay.scrollWidth <= innerWidth"), name
    assert page.evaluate("window.ran") is None


def test_a_game_in_a_file_is_drawn_too(page: Page, tmp_path: Path, records: dict[str, GameRecord]) -> None:
    write_page(tmp_path / "trust.html", records["trust"])
    page.goto(f"{(tmp_path / 'trust.html').as_uri()}#/?at=3")
    values = held(records["trust"])
    expect(page.get_by_role("heading", level=1)).to_have_text("Trust")
    assert shown(page, values) == pytest.approx(values)


def test_what_games_paid_stands_on_the_compare_page(
    page: Page, new_page: NewPage, base: str, records: dict[str, GameRecord]
) -> None:
    page.goto(f"{base}#/compare?kind=trust&experiment=games")
    table = page.get_by_role("table", name="Payoffs of Trust")
    # Every game was kept twice, once under names that are not these.
    for player, payoff in zip(TABLES["trust"], records["trust"].events[-1]["payoffs"], strict=True):
        row = table.locator(f"tr[data-player='{player}']")
        expect(row.locator("[data-value]")).to_have_attribute("data-value", f"{payoff:g}")
        expect(row).to_contain_text("no interval")
    phone = new_page(viewport=PHONE)
    phone.goto(f"{base}#/compare?kind=trust&experiment=games")
    expect(phone.get_by_role("heading", name="Payoffs of games that were played")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
