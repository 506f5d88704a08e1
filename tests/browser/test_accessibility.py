"""axe-core finds nothing on any page, in both themes, on a desk and on a phone."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page

import ostrom
from kept import commons
from ostrom.experiment import make_rules, play, record_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.sql import Journal

AXE = Path(__file__).parents[2] / "frontend" / "node_modules" / "axe-core" / "axe.min.js"
TABLE = ["ConditionalCooperator", "FreeRider", "Retaliator", "AltruisticPunisher", "Cooperator"]
DESK, PHONE = (1280, 900), (390, 844)

PAGES = {
    "home": "",
    "an experiment": "#/experiments/punish-1",
    "a table": "#/games/punish-1.1?at=12",
    "a dashboard": "#/games/commons-2.1?at=20",
    "a question": "#/games/stated?at=4",
    "a game of two": "#/games/trust",
    "compare": "#/compare",
    "messages": "#/messages",
    "a player": "#/players/FreeRider",
    "a seat": "#/seat/SEAT",
    "nothing": "#/elsewhere",
    "the reference": "docs",
    "start a game": "",
    "keys": "",
}
WAITING = """() => ![...document.querySelectorAll("[aria-busy=true], .loading, [data-drawn=waiting]")]
  .some((one) => one.getBoundingClientRect().top < innerHeight)"""
"""Whether all that is in sight has come."""
FOUND = """async () => (await axe.run({ resultTypes: ["violations"] })).violations
  .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.target.join(" ")}: ${node.failureSummary}`))"""


@pytest.fixture(scope="module")
def lab(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    store = f"sqlite:///{tmp_path_factory.mktemp('axe') / 'journal.db'}"
    rules = make_rules(CONTRIBUTE_PUNISH, {"rounds": 3})
    with Journal.open(store, create=True) as journal:
        talks = journal.new_experiment("talks", kind="punish")
        for number in range(6):
            match = play(TABLE, game=CONTRIBUTE_PUNISH.name, rules=rules, seed=1, number=number)
            journal.add_game(talks, record_of(match), key=f"talk-{number}")
        champions = journal.new_experiment("champions", kind="commons")
        journal.add_game(champions, commons(turns=40), key="champions")
        others = journal.new_experiment("others", kind="mixed")
        for key, game, players in (
            ("stated", "stated_dictator", ["fehr-schmidt"]),
            ("trust", "trust", ["selfish", "fehr-schmidt"]),
        ):
            journal.add_game(others, ostrom.record_of(ostrom.play(players, game=game, seed=1)), key=key)
    return served(store)


@pytest.fixture(scope="module")
def seat(lab: str) -> str:
    """The token of a person's seat at a table that waits for them."""
    asked = {"game": "punish", "players": ["human", *TABLE[:2]], "seed": 11, "seconds": 600}
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"{lab}api/games", json.dumps(asked).encode(), headers)) as answer:
        return str(json.load(answer)["seats"][0]["token"])


@pytest.mark.parametrize(
    ("size", "theme"),
    [
        (DESK, "light"),
        (PHONE, "dark"),
        pytest.param(DESK, "dark", marks=pytest.mark.long),
        pytest.param(PHONE, "light", marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(
    new_page: Callable[..., Page], lab: str, seat: str, name: str, size: tuple[int, int], theme: str
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=theme)
    page.goto(lab + PAGES[name].replace("SEAT", seat))
    page.locator("h1, h2").first.wait_for()
    if name == "start a game":
        page.get_by_role("button", name="Start a game").first.click()
        page.get_by_role("dialog").wait_for()
    if name == "keys":
        page.keyboard.press("?")
        page.get_by_role("dialog").wait_for()
    page.wait_for_function(WAITING)
    page.evaluate(AXE.read_text(encoding="utf-8"))
    assert page.evaluate(FOUND) == []
