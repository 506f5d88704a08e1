"""What the tests share: tables of strategies and of scripts."""

from collections.abc import Callable

import pytest
from ostrom_offers import OFFERS, OffersRules, OffersView

from ostrom.core import GameChance, Question
from ostrom.experiment.match import Match, play_match
from ostrom.players.strategy import Definition, entry_of

KNOWN = OffersRules(least_patience=0.5, most_patience=0.5, rounds=4)
"""Both seats have the same patience, and know it."""


def scripted(offers: list[float]) -> Callable[[Question[OffersView]], object]:
    """A strategy that offers what is written, round by round, and rejects everything."""

    def answer(question: Question[OffersView]) -> object:
        return offers[question.turn - 1] if question.phase == "offer" else "reject"

    return answer


@pytest.fixture
def play() -> Callable[..., Match]:
    """Plays a game between strategies and scripts, which are lists of offers."""

    def played(*who: Definition | list[float], rules: OffersRules = KNOWN, seed: int = 1) -> Match:
        players = [entry_of(scripted(one) if isinstance(one, list) else one, name=None) for one in who]
        return play_match(OFFERS, rules, players, GameChance(seed))

    return played


def moves(match: Match, seat: int = 0) -> list[object]:
    """The answers of a seat, in order."""
    answers = [decision.answer.value for decision in match.decisions if decision.question.seat.index == seat]
    return [round(value, 4) if isinstance(value, float) else value for value in answers]
