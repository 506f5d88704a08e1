"""axe-core finds no violations on any page: both themes, desktop and phone, with dialogs, forms and lists open."""

import json
from collections.abc import Callable
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Page

import ostrom
from kept import commons, punish
from ostrom.core import GameChance
from ostrom.core.spoken import lines_of
from ostrom.experiment import make_rules, play, play_match, record_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.games.judge.quotes import QUOTES
from ostrom.journal.sql import Journal
from ostrom.testing import ScriptedJudge

pytestmark = pytest.mark.slow

TABLE = ["ConditionalCooperator", "FreeRider", "Retaliator", "AltruisticPunisher", "Cooperator"]
DESK, PHONE = (1280, 900), (390, 844)
Look = tuple[tuple[int, int], str]

PAGES = {
    "home": "",
    "all experiments": "#/experiments",
    "an experiment": "#/experiments/punish-1",
    "all games": "#/games",
    "a table": "#/games/punish-1.1?at=12",
    "a dashboard": "#/games/commons-2.1?at=20",
    "a question": "#/games/stated?at=4",
    "a game of two": "#/games/trust",
    "two games": "#/games/punish-1.1/beside/punish-1.2",
    "a game to choose": "#/games/punish-1.1/beside",
    "compare": "#/compare",
    "compare subjects": "#/compare?kind=battery",
    "messages": "#/messages",
    "find": "#/find?text=give",
    "quotes": "#/quotes",
    "method": "#/method",
    "players": "#/players",
    "a player": "#/players/FreeRider",
    "a subject": "#/subjects/fehr-schmidt",
    "a simulation": "#/experiments/simulation-6",
    "a seat": "#/seat/SEAT",
    "nothing": "#/elsewhere",
    "the reference": "docs",
    "start a game": "",
    "start a benchmark": "",
    "start a simulation": "",
    "cite": "#/experiments/punish-1",
    "share": "#/games/punish-1.1?at=12",
    "why": "#/games/punish-1.1?at=8",
    "keys": "",
    "steer an experiment": "#/experiments/punish-4",
    "delete an experiment": "#/experiments/punish-4",
    "rename a player": "#/players/FreeRider",
    "notes": "#/games/punish-1.2?at=12",
    "filters": "#/compare",
}


def steps_of(page: Page, name: str) -> None:
    """The elements to open on a page before it is checked."""

    def press(button: str, *, exact: bool = True) -> None:
        page.get_by_role("button", name=button, exact=exact).first.click()

    if name in ("start a game", "start a benchmark", "start a simulation"):
        press(name.capitalize())
        page.get_by_role("dialog").wait_for()
    if name == "start a benchmark":
        press("Strategies and bots", exact=False)
    if name == "start a simulation":
        page.get_by_label("Vary").wait_for()
        page.get_by_text("More settings").click()
    if name == "cite":
        press("Cite and repeat", exact=False)
        page.get_by_text("Run this yourself").wait_for()
    if name == "share":
        press("Share …")
        page.get_by_role("img", name="Card").wait_for()
    if name == "why":
        page.get_by_test_id("why").get_by_role("button").first.click()
        page.get_by_test_id("why").get_by_role("status").wait_for()
    if name == "keys":
        page.keyboard.press("?")
        page.get_by_role("dialog").wait_for()
    if name == "steer an experiment":
        page.get_by_label("New budget in dollars").fill("0.01")
        press("Raise the budget and resume")
        page.get_by_role("alert").wait_for()
    if name == "delete an experiment":
        press("Delete …")
        page.get_by_role("dialog").wait_for()
    if name == "rename a player":
        press("Rename")
        page.get_by_role("dialog").wait_for()
    if name == "notes":
        press("Bookmark")
        page.get_by_test_id("note").first.wait_for()
        press("Note")
        page.get_by_role("textbox", name="Note at").wait_for()
    if name == "filters":
        press("Players", exact=False)
        page.get_by_role("checkbox", name="FreeRider").wait_for()


@pytest.fixture(scope="module")
def lab(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    store = f"sqlite:///{tmp_path_factory.mktemp('axe') / 'journal.db'}"
    three_rounds = make_rules(CONTRIBUTE_PUNISH, {"rounds": 3})
    with Journal.open(store, create=True) as journal:
        talks = journal.new_experiment("talks", kind="punish")
        for number in range(6):
            match = play(TABLE, game=CONTRIBUTE_PUNISH.name, rules=three_rounds, seed=1, number=number)
            journal.add_game(talks, record_of(match), key=f"talk-{number}")
        champions = journal.new_experiment("champions", kind="commons")
        journal.add_game(champions, commons(turns=40), key="champions")
        others = journal.new_experiment("others", kind="mixed")
        for key, game, players in (
            ("stated", "stated_dictator", ["fehr-schmidt"]),
            ("trust", "trust", ["selfish", "fehr-schmidt"]),
        ):
            journal.add_game(others, ostrom.record_of(ostrom.play(players, game=game, seed=1)), key=key)
        settings = {"limits": {"budget": 0.3}, "tags": ["pilot"]}
        begun = journal.new_experiment("under way", kind="punish", settings=settings, planned=5)
        journal.add_game(begun, punish(4, text="Trust is all we have"), key="spoken")
        _judge(journal, f"{begun}.1")
    rules = ostrom.CommonsRules(turns=3)
    swept = ostrom.sweep(["alpha=0,1", "synergy=1.5,2"], players=["Pavlov", "Parasite"], rules=rules, games=2, seed=1)
    ostrom.keep(swept, store)
    return served(store, steers=True)


def _judge(journal: Journal, game: str) -> None:
    """Enter what a judge picked of what was said in a game."""
    rules = make_rules(QUOTES, {"source": game, "lines": lines_of(journal.record(game).events)})
    judge = ScriptedJudge(lambda question: [{"line": 1, "rating": 9, "reason": "plain"}], "reader")
    read = play_match(QUOTES, rules, [judge], GameChance(0, 0))
    journal.add_game(journal.new_experiment("readings", kind="quotes"), record_of(read), key="read")


@pytest.fixture(scope="module")
def seat(lab: str) -> str:
    """The token of a person's seat at a table that waits for them."""
    asked = {"game": "punish", "players": ["human", *TABLE[:2]], "seed": 11, "seconds": 600}
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(f"{lab}api/games", json.dumps(asked).encode(), headers)) as answer:
        return str(json.load(answer)["seats"][0]["token"])


@pytest.mark.parametrize(
    "looks",
    [
        [(DESK, "light"), (PHONE, "dark")],
        pytest.param([(DESK, "dark"), (PHONE, "light")], marks=pytest.mark.long),
    ],
)
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(
    new_page: Callable[..., Page],
    found_by_axe: Callable[[Page], list[str]],
    allowed: list[str],
    lab: str,
    seat: str,
    name: str,
    looks: list[Look],
) -> None:
    if name == "steer an experiment":
        allowed.append("status of 400")  # a budget can be raised, not lowered
    (width, height), theme = looks[0]
    page = new_page(viewport={"width": width, "height": height}, color_scheme=theme)
    page.goto(lab + PAGES[name].replace("SEAT", seat))
    page.locator("h1, h2").first.wait_for()
    steps_of(page, name)
    for (width, height), theme in looks:
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        assert found_by_axe(page) == [], f"{width} pixels wide, {theme}"
