"""A game that was written from the docs alone keeps the contract. It has moves in turn, private cards that become
public only in some hands, a field that is asked only after a bet, prompts, and hands in place of rounds."""

from pathlib import Path
from types import ModuleType

import pytest

import ostrom
from ostrom.core import Driver, Seat, Table
from ostrom.core.chance import GameChance
from ostrom.core.plugins import GAMES, load_file
from ostrom.core.questions import Answer, Provenance
from ostrom.findings.games import describe_match
from ostrom.testing import check_game

FILE = Path(__file__).parent / "poker" / "poker.py"


@pytest.fixture(scope="module", autouse=True)
def poker() -> ModuleType:
    return load_file(FILE)


@pytest.mark.slow
def test_the_game_keeps_the_contract() -> None:
    check_game(GAMES["poker"], seeds=(1,))


def test_an_opener_without_an_answer_checks(poker: ModuleType) -> None:
    game = poker.POKER
    table = Table((Seat(0), Seat(1)), GameChance(1))
    driver = Driver(game.play(game.rules(hands=2), table))
    while driver.step is not None:
        driver.advance([Answer(question.fallback, Provenance.DEFAULTED) for question in driver.step])
    assert [event.bet for event in table.events if event.tag == "opened"] == [None, None]


def test_the_title_counts_hands() -> None:
    match = ostrom.play(["honest", "bluffer"], game="poker", seed=1)
    assert describe_match(match).title == "Poker · seed 1 · 6 hands"
