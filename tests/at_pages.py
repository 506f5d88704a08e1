"""Games that people sit down at, and a person in front of a page."""

import json
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Page, expect

from fork_server import COMMANDS
from ostrom.journal import GameRecord
from ostrom.journal.sql import Journal

LINK = re.compile(r"(http\S+)#/seat/(\S+)")


@dataclass(frozen=True)
class PeoplesGame:
    """A game that people sit at."""

    base: str
    """Where its pages are."""
    tokens: Sequence[str]
    """The secret of each person's link."""
    store: str
    experiment: str | None = None

    def link(self, person: int = 0) -> str:
        """What a person opens."""
        return f"{self.base}#/seat/{self.tokens[person]}"

    @property
    def api(self) -> str:
        """The address of the seats' part of the API."""
        return f"{self.base}api/seat"

    def state(self, person: int = 0) -> dict[str, Any]:
        """What the server tells a person's page now."""
        request = Request(self.api, headers={"Ostrom-Seat": self.tokens[person]})
        with urlopen(request) as reply:
            state: dict[str, Any] = json.load(reply)
        return state

    def record(self) -> GameRecord:
        """The game as the journal holds it."""
        with Journal.open(self.store) as journal:
            (game,) = journal.games(self.experiment)
            return journal.record(game.id)

    def answers(self, seat: int = 0) -> list[tuple[int, str, Any]]:
        """Turn, phase and value of what was decided at a seat."""
        return [(one.turn, one.phase, one.value) for one in self.record().answers if one.seat == seat]


@contextmanager
def run_with_people(
    folder: Path, pages: Path, *options: str, people: int = 1, command: str = "run"
) -> Iterator[PeoplesGame]:
    """`ostrom run`, or another command, with these options, once its links are there. The block ends when the command
    has: at the end of the game, which the pages must have seen."""
    store = f"sqlite:///{folder}/people.db"
    arguments = [command, *options, "--port", "0", "--store", store]
    process = COMMANDS.start(arguments, Path.cwd(), os.environ | {"OSTROM_PAGES": str(pages)})
    try:
        found: list[tuple[str, str]] = []
        while len(found) < people:
            line = process.stdout.readline()
            assert line, process.stderr.read()
            found += LINK.findall(line)
        yield PeoplesGame(found[0][0], [token for _, token in found], store)
        _, errors = process.communicate()
        assert process.returncode == 0, errors
    finally:
        process.kill()
        process.communicate()


def start_with_people(base: str, store: str, players: Sequence[str], **settings: Any) -> PeoplesGame:
    """A game that a running server plays, as its home page starts one."""
    game = settings.pop("game", "punish")
    body = {"game": game, "players": list(players), "seed": 3, **settings}
    request = Request(f"{base}api/games", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urlopen(request) as reply:
        started = json.load(reply)
    return PeoplesGame(base, [seat["token"] for seat in started["seats"]], store, started["experiment"])


class Person:
    """Somebody at a seat."""

    def __init__(self, page: Page, link: str) -> None:
        self.page = page
        page.goto(link)

    def asked(self, when: str) -> None:
        """Wait for the question of a moment: 'Round 2 · message'."""
        expect(self.page.get_by_test_id("strip")).to_contain_text(f"Your turn{when}")

    def send(self, button: str) -> None:
        """Press the button, which must say what it sends."""
        expect(self.page.get_by_test_id("send")).to_have_text(button)
        self.page.get_by_test_id("send").click()

    def say(self, text: str) -> None:
        """Send a message by keyboard."""
        self.page.get_by_label("Message", exact=True).fill(text)
        self.page.keyboard.press("Control+Enter")

    def enter(self, tokens: str) -> None:
        """Enter a contribution."""
        self.page.get_by_label("Contribution", exact=True).fill(tokens)

    def give(self, tokens: int) -> None:
        """Contribute."""
        self.enter(str(tokens))
        self.send(f"Contribute {tokens} token{'' if tokens == 1 else 's'}")

    def punish(self, target: str, spend: int) -> None:
        """Punish somebody, by keyboard; or nobody."""
        self.page.get_by_label(target, exact=True).check()
        if target == "nobody":
            self.send("Punish nobody")
            return
        self.page.get_by_label(f"How much do you spend on {target}?", exact=True).fill(str(spend))
        expect(self.page.get_by_test_id("send")).to_contain_text(f"Punish {target} with {spend} token")
        self.page.keyboard.press("Enter")

    def over(self) -> None:
        """Wait for the result."""
        expect(self.page.get_by_test_id("placing")).to_be_visible()
