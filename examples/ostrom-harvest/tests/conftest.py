"""What the tests share: tables of strategies and of scripts."""

from collections.abc import Callable, Sequence

import pytest
from ostrom_harvest import HARVEST, HarvestRules, HarvestView

from ostrom.core import GameChance, Question
from ostrom.experiment.match import Match, play_match
from ostrom.players.strategy import Definition, entry_of

Script = Sequence[float]
"""What a seat harvests, round by round; the last amount goes on for ever."""


def scripted(amounts: Script, quota: float = 10.0) -> Callable[[Question[HarvestView]], object]:
    """A strategy that harvests what is written, as far as there is any, and always proposes the same quota."""

    def answer(question: Question[HarvestView]) -> object:
        if question.phase == "message":
            return ""
        wanted = quota if question.phase == "quota" else amounts[min(question.turn, len(amounts)) - 1]
        return min(wanted, question.view.stock)

    return answer


@pytest.fixture
def play() -> Callable[..., Match]:
    """Plays a game between strategies and scripts, which are lists of amounts."""

    def played(*who: Definition | list[float], rules: HarvestRules | None = None, seed: int = 1) -> Match:
        players = [entry_of(scripted(one) if isinstance(one, list) else one, name=None) for one in who]
        return play_match(HARVEST, rules or HarvestRules(messages=False), players, GameChance(seed))

    return played


def taken(match: Match, seat: int = 0) -> list[float]:
    """What a seat asked for, round by round."""
    return [
        round(decision.answer.value, 4)
        for decision in match.decisions
        if decision.question.phase == "harvest" and decision.question.seat.index == seat
    ]
