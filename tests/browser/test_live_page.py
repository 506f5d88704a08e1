"""A game in a browser while it is played: the page updates automatically, and survives a restart of the server."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import ostrom
from clusters import free_port
from kept import append, finish, opened, opening, start_game
from ostrom.games.commons import CommonsRules
from ostrom.journal.record import GameRecord
from ostrom.journal.sql import Journal

pytestmark = pytest.mark.slow

TURNS = 12


class Table:
    """A game that this process plays turn by turn into a journal."""

    def __init__(self, journal: Journal, experiment: str, key: str) -> None:
        played = ostrom.play(["Justicier:2", "Parasite", "RandomPlayer"], rules=CommonsRules(turns=TURNS), seed=3)
        self.record: GameRecord = ostrom.record_of(played)
        self.turn = 0
        self._journal = journal
        started = start_game(journal, experiment, opening(self.record), key=key)
        assert started is not None
        self.id = started

    def play(self, turns: int) -> None:
        """Play some turns; after the last one the game is over."""
        for turn in range(self.turn + 1, self.turn + turns + 1):
            answers = [answer for answer in self.record.answers if answer.turn == turn]
            append(self._journal, self.id, answers, [event for event in self.record.events if event["turn"] == turn])
        self.turn += turns
        if self.turn == TURNS:
            finish(self._journal, self.id)

    def capital(self, turn: int, seat: int) -> float:
        played = [event for event in self.record.events if event["event"] == "turn_played"]
        capital: float = played[turn - 1]["capitals"][seat]
        return capital


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with opened(f"sqlite:///{tmp_path / 'journal.db'}") as journal:
        yield journal


@pytest.fixture
def table(journal: Journal) -> Table:
    return Table(journal, journal.new_experiment("live games", kind="commons"), "live")


@pytest.fixture
def base(served: Callable[..., str], journal: Journal, tmp_path: Path) -> str:
    return served(f"sqlite:///{tmp_path / 'journal.db'}")


def shows(page: Page, table: Table, turn: int) -> None:
    """The page shows this turn, with the record's numbers."""
    expect(page.get_by_test_id("turn")).to_have_attribute("data-value", str(turn))
    for seat in range(4):
        shown: Any = page.get_by_test_id(f"capital-{seat}").get_attribute("data-value")
        assert float(shown) == (table.capital(turn, seat) if turn else 0)


def never_loaded_again(page: Page) -> Callable[[], bool]:
    """Returns True if the page has not been reloaded since this call."""
    page.evaluate("window.first = true")
    return lambda: bool(page.evaluate("window.first === true"))


def test_a_live_game_appears_at_home_without_reloading(page: Page, base: str, journal: Journal) -> None:
    page.goto(base)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    same = never_loaded_again(page)
    Table(journal, journal.new_experiment("a game has begun", kind="commons"), "new").play(1)
    expect(page.get_by_text("a game has begun")).to_be_visible()
    assert same()


def test_a_live_game_grows_and_ends_without_reloading(page: Page, base: str, table: Table) -> None:
    page.goto(f"{base}#/games/{table.id}")
    shows(page, table, 0)
    same = never_loaded_again(page)
    for turns in (1, 1, 3):
        table.play(turns)
        shows(page, table, table.turn)
    live = page.get_by_role("button", name="Live")
    expect(live).to_have_attribute("aria-pressed", "true")
    table.play(TURNS - table.turn)
    shows(page, table, TURNS)
    expect(page.get_by_test_id("moment")).to_have_text(f"Turn {TURNS}, the last")
    expect(live).to_have_count(0)
    expect(page.get_by_test_id("transcript")).to_contain_text("end after turn")
    expect(page.get_by_text("finished")).to_be_visible()
    assert same()


def test_a_game_that_nobody_plays_is_calmly_not_finished_until_it_goes_on(page: Page, base: str, table: Table) -> None:
    page.clock.install()
    table.play(3)
    page.goto(f"{base}#/games/{table.id}")
    shows(page, table, 3)
    live, calm = page.get_by_role("button", name="Live"), page.get_by_test_id("unfinished")
    expect(calm).to_contain_text("Nothing has happened since this page was opened")
    expect(calm).to_contain_text("ostrom resume commons-1")
    expect(live).to_have_count(0)
    table.play(1)
    shows(page, table, 4)
    expect(live).to_have_attribute("aria-pressed", "true")
    expect(calm).to_have_count(0)
    page.clock.fast_forward(61_000)
    expect(calm).to_contain_text("Nothing has happened for a minute")
    expect(live).to_have_count(0)


def test_an_experiment_that_nobody_plays_is_unfinished_until_something_happens(
    page: Page, base: str, table: Table
) -> None:
    table.play(1)
    page.goto(f"{base}#/experiments/commons-1")
    games = page.get_by_role("table", name="Games of this experiment")
    expect(games).to_contain_text("unfinished")
    expect(page.get_by_text("1 started and not finished")).to_be_visible()
    table.play(1)
    expect(page.get_by_text("1 being played")).to_be_visible()
    expect(games).to_contain_text("playing")


def test_who_goes_back_is_left_alone_until_following_again(page: Page, base: str, table: Table) -> None:
    table.play(3)
    page.goto(f"{base}#/games/{table.id}")
    shows(page, table, 3)
    table.play(1)
    shows(page, table, 4)
    live = page.get_by_role("button", name="Live")
    page.get_by_role("button", name="Step back").click()
    shows(page, table, 3)
    expect(live).to_have_attribute("aria-pressed", "false")
    table.play(2)
    expect(page.get_by_test_id("scrub")).to_have_attribute("max", "6")
    shows(page, table, 3)
    page.wait_for_url(re.compile(r"at=\d+$"))
    live.click()
    shows(page, table, 6)
    table.play(1)
    shows(page, table, 7)
    expect(live).to_have_attribute("aria-pressed", "true")
    # An address without a moment follows; so it does after a reload.
    page.wait_for_url(re.compile(r"/games/[^?]*$"))
    page.reload()
    shows(page, table, 7)
    table.play(1)
    shows(page, table, 8)


def test_playing_up_to_the_newest_moment_follows_from_there(page: Page, base: str, table: Table) -> None:
    table.play(5)
    page.goto(f"{base}#/games/{table.id}?at=1")
    shows(page, table, 1)
    page.get_by_test_id("speed").select_option("20")
    page.get_by_role("button", name="Play").click()
    shows(page, table, 5)
    table.play(1)
    shows(page, table, 6)
    expect(page.get_by_role("button", name="Live")).to_have_attribute("aria-pressed", "true")


def test_the_answers_of_a_game_that_is_being_played_are_not_told(page: Page, base: str, table: Table) -> None:
    table.play(2)
    with page.expect_response(re.compile(r"/record$")) as answered:
        page.goto(f"{base}#/games/{table.id}")
    told = answered.value.json()
    assert told["answers"] == []
    assert told["events"] != []


def test_a_live_page_outlives_its_server(
    page: Page, pages: Path, table: Table, tmp_path: Path, allowed: list[str]
) -> None:
    allowed += ["ERR_CONNECTION_REFUSED", "ERR_INCOMPLETE_CHUNKED", "ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET"]
    port = free_port()
    server = _server(port, pages, tmp_path)
    table.play(2)
    page.goto(f"http://127.0.0.1:{port}/#/games/{table.id}")
    shows(page, table, 2)
    same = never_loaded_again(page)
    _stop(server)
    table.play(3)
    server = _server(port, pages, tmp_path)
    try:
        shows(page, table, 5)
        table.play(TURNS - 5)
        shows(page, table, TURNS)
        expect(page.get_by_role("button", name="Live")).to_have_count(0)
        assert same()
    finally:
        _stop(server)


def _server(port: int, pages: Path, folder: Path) -> "subprocess.Popen[str]":
    store = f"sqlite:///{folder / 'journal.db'}"
    command = [sys.executable, "-m", "ostrom", "serve", "--port", str(port), "--store", store]
    environment = os.environ | {"OSTROM_PAGES": str(pages)}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    assert process.stdout is not None
    assert "http://" in process.stdout.readline()
    return process


def _stop(process: "subprocess.Popen[str]") -> None:
    process.send_signal(signal.SIGINT)
    process.communicate()
