"""Every page of every kind of experiment opens without a complaint of the browser: games that are built in and games
of plugins, the battery, a judge's readings, and simulations; served, and as a published site."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, expect

from fork_server import COMMANDS
from ostrom.core import GameChance
from ostrom.core.plugins import GAMES
from ostrom.core.spoken import lines_of
from ostrom.experiment import make_rules, play_match, record_of
from ostrom.games.judge.quotes import QUOTES
from ostrom.journal.sql import Journal
from ostrom.testing import ScriptedJudge

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "examples"
HARVEST = """import sys
sys.path.insert(0, {!r})
from ostrom.core.plugins import GAMES
from ostrom_harvest import HARVEST
GAMES.add(HARVEST)
"""
PLUGINS = {"volunteers": " --seats 3", "harvest": ""}
"""Games of plugins, and what a benchmark of each needs."""
BUILT_IN = [name for name in GAMES.commands() if name not in PLUGINS]
OTHERS = (
    "bench battery --protocol quick --subject fehr-schmidt --subject random",
    "tournament commons --games 4 --turns 3",
    "tournament repeated --games 2",
    "sweep commons --vary alpha=0,1 --vary synergy=1.5,2 --games 2 --turns 3",
    "evolve repeated --players TitForTat --players AllD --games 2",
    "respond commons --against Pavlov --against Parasite --games 2 --training 2 --turns 3",
)
DRAWN = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() =>
  ![...document.querySelectorAll("[data-drawn=waiting]")]
    .some((one) => one.getBoundingClientRect().top < innerHeight))"""
"""Whether all charts in the window are drawn."""
EVERYWHERE = ("/", "/experiments", "/games", "/messages", "/quotes", "/method", "/players", "/subjects", "/compare")


class Lab:
    """A folder with a journal, and the commands of users in it."""

    def __init__(self, folder: Path, pages: Path) -> None:
        self.folder, self.store = folder, f"sqlite:///{folder / 'journal.db'}"
        (folder / "harvest.py").write_text(HARVEST.format(str(EXAMPLES / "ostrom-harvest" / "src")), encoding="utf-8")
        plugins = os.pathsep.join([str(EXAMPLES / "volunteers.py"), str(folder / "harvest.py")])
        self.environment = os.environ | {"OSTROM_PAGES": str(pages), "OSTROM_PLUGINS": plugins}

    def run(self, command: str) -> None:
        """Run a command to its end."""
        words = [*command.split(), "--store", self.store]
        status, output, errors = COMMANDS.run(words, self.folder, self.environment)
        assert status == 0, f"{command}: {output}{errors}"


@pytest.fixture(scope="module")
def lab(pages: Path, tmp_path_factory: pytest.TempPathFactory) -> Lab:
    """A journal with an experiment of every kind."""
    lab = Lab(tmp_path_factory.mktemp("kinds"), pages)
    for name, options in {**dict.fromkeys(BUILT_IN, ""), **PLUGINS}.items():
        lab.run(f"bench {name} --games 2 --seed 1{options}")
    for command in OTHERS:
        lab.run(f"{command} --seed 1")
    with Journal.open(lab.store) as journal:
        game = next(row.id for row in journal.games() if row.game == "contribute_punish")
        rules = make_rules(QUOTES, {"source": game, "lines": lines_of(journal.record(game).events)})
        judge = ScriptedJudge(lambda question: [{"line": 1, "rating": 9, "reason": "plain"}], "reader")
        reading = record_of(play_match(QUOTES, rules, [judge], GameChance(0, 0)))
        journal.add_game(journal.new_experiment("readings", kind="quotes"), reading, key="read")
    return lab


@pytest.fixture(scope="module")
def base(lab: Lab) -> Iterator[str]:
    """The address of a server over that journal."""
    process = COMMANDS.start(["serve", "--port", "0", "--store", lab.store], lab.folder, lab.environment)
    try:
        address = re.search(r"http://\S+", process.stdout.readline())
        assert address, process.stderr.read()
        yield address.group()
    finally:
        process.kill()
        process.communicate()


def ask(base: str, path: str) -> Any:
    """Return what the API answers."""
    with urlopen(f"{base}api{path}") as reply:
        return json.load(reply)


def addresses(base: str) -> Iterator[str]:
    """Yield a page of each sort for every experiment: its own, Compare, a game, two games, a player and a subject."""
    yield from EVERYWHERE
    for experiment in ask(base, "/experiments?limit=200")["experiments"]:
        yield f"/experiments/{experiment['id']}"
        games = ask(base, f"/games?experiment={experiment['id']}&limit=2")["games"]
        for game in games[:1]:
            yield f"/games/{game['id']}"
            yield from (f"/players/{quote(player, safe='')}" for player in game["players"][:2])
            yield from (f"/subjects/{quote(player, safe='')}" for player in game["players"][:1])
        if len(games) == 2:
            yield f"/games/{games[0]['id']}/beside/{games[1]['id']}"
    for study in ask(base, "/studies")["studies"]:
        yield f"/compare?kind={study['kind']}"


def open_page(page: Page, address: str) -> None:
    """Open a page and make its window as high as all of it, so that every chart is drawn."""
    page.goto("about:blank")
    page.goto(address)
    expect(page.locator("main :is(h1, h2)").first).to_be_visible()
    expect(page.locator("main :is([aria-busy=true], .loading)")).to_have_count(0)
    height = 0
    while (grown := int(page.evaluate("document.documentElement.scrollHeight"))) > height:
        height = grown
        page.set_viewport_size({"width": 1280, "height": height})
        page.wait_for_function(DRAWN)
    words = page.locator("main").inner_text()
    assert "could not be shown" not in words, f"{address}: {words[:300]}"
    assert "nternal error" not in words, f"{address}: {words[:300]}"
    page.set_viewport_size({"width": 1280, "height": 900})


def test_every_page_of_every_kind_opens(page: Page, base: str, allowed: list[str]) -> None:
    # A subject's page of a player who is none, and a player's page of a judge, say so: the server answers 404.
    allowed.append(r"404 .*/api/(subjects|players|scores)/")
    for place in addresses(base):
        open_page(page, f"{base}#{place}")


@pytest.mark.parametrize("name", [*BUILT_IN, *PLUGINS, "battery"])
def test_the_site_of_every_kind_opens(page: Page, lab: Lab, base: str, name: str) -> None:
    kinds = {row["kind"]: row["id"] for row in ask(base, "/experiments?limit=200")["experiments"]}
    lab.run(f"publish {kinds[name]} -o {name}-site")
    site = f"file://{lab.folder / f'{name}-site'}/index.html"
    for place in ("/", "/compare", "/experiments", "/games", "/messages", "/method"):
        open_page(page, f"{site}#{place}")
