"""The main pages in Firefox, without messages on the console."""

import asyncio
import shutil
from collections.abc import Callable

import pytest
from firefox import firefox

from kept import punish
from ostrom.experiment import make_rules, play, record_of
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.journal.sql import Journal
from services import missing

pytestmark = pytest.mark.slow

MISSING = "Firefox is not installed: apt-get install firefox-esr"
NAMES = ["Cooperator", "FreeRider", "Retaliator"]
DRAWN = "[data-drawn='drawn'] svg.marks path"
PAGES = {
    "": "[aria-label='Experiments'] li",
    "compare?kind=punish&to=chart-mean_final": f"[id='chart-mean_final'] {DRAWN}",
    "compare?kind=punish&to=chart-balance_by_round": f"[id='chart-balance_by_round'] {DRAWN}",
    "players/FreeRider?kind=punish": "[aria-label='Measures'] li",
    "messages": "[aria-label='Found'] li",
    "method": "h1",
    "games/t0": ".replay",
}
"""By address, what must be there."""


@pytest.fixture(scope="module")
def program() -> str:
    result = shutil.which("firefox-esr") or shutil.which("firefox")
    if result is None:
        missing(MISSING)
    return result


@pytest.fixture(scope="module")
def base(served: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    url = f"sqlite:///{tmp_path_factory.mktemp('firefox') / 'journal.db'}"
    with Journal.open(url, create=True) as journal:
        experiment = journal.new_experiment("talk", kind="punish")
        rules = make_rules(CONTRIBUTE_PUNISH, {"messages": True, "rounds": 3})
        for number in range(4):
            match = play(NAMES, game=CONTRIBUTE_PUNISH.name, rules=rules, seed=1, number=number)
            journal.add_game(experiment, record_of(match), key=f"t{number}")
        journal.add_game(journal.new_experiment("promises", kind="punish"), punish(0), key="p0")
    return served(url)


def test_the_main_pages_work_in_firefox(program: str, base: str) -> None:
    async def visit() -> tuple[list[str], list[int]]:
        wide = []
        async with firefox(program) as browser:
            for address, shows in PAGES.items():
                await browser.open(f"{base}#/{address}", shows)
                more = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
                wide.append(await browser.evaluate(more))
            return browser.complaints, wide

    complaints, wide = asyncio.run(visit())
    assert complaints == []
    assert max(wide) <= 0
