"""What tests of bargaining over several issues share: the registered game, games of scripts, and a seat's answers."""

from collections.abc import Callable, Sequence
from typing import Any

from ostrom.core import GameChance, Question
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.experiment.match import Match, play_match
from ostrom.games.market.several_issues import SEVERAL_ISSUES, SeveralIssuesRules
from ostrom.players.roster import contestants_of
from ostrom.players.strategy import Definition, entry_of


def register() -> Game:
    """Return the game, registered once: where the package was installed before the game existed, its entry point is
    missing."""
    if SEVERAL_ISSUES.name not in GAMES:
        GAMES.add(SEVERAL_ISSUES)
    return SEVERAL_ISSUES


def scripted(lines: Sequence[Any]) -> Callable[[Question], object]:
    """Return a player that gives these answers, one after another: an act, a message, or the units of a deal."""
    left = list(lines)

    def answer(question: Question) -> object:
        line = left.pop(0) if left else question.fallback
        if isinstance(line, dict):
            return line
        units = line if isinstance(line, tuple) else ()
        fields = dict(zip(question.view.goods, units, strict=False))
        if question.phase == "choice":
            return {"act": "take", **fields} if units else {"act": "no-deal"}
        says = isinstance(line, str) and line not in question.view.acts
        act = "submit" if units else "say" if says else line
        text = {"text": line if says else ""} if question.view.rules.messages else {}
        return {"act": act, **text, **fields}

    return answer


def play(rules: SeveralIssuesRules, *players: Definition | str | list[Any], seed: int = 1) -> Match:
    """Play a game between strategies, which may be named as on the command line, and scripts, which are lists of
    answers."""
    entries = [
        contestants_of(register(), [one])[0]
        if isinstance(one, str)
        else entry_of(scripted(one) if isinstance(one, list) else one)
        for one in players
    ]
    return play_match(register(), rules, entries, GameChance(seed))


def moves(match: Match, seat: int = 0, phase: str = "move") -> list[Any]:
    """Return the answers of a seat: the units of a deal or a choice, or else the act."""
    rows = []
    for decision in match.decisions:
        question, value = decision.question, decision.answer.value
        if question.seat.index == seat and question.phase == phase:
            units = value["act"] in ("submit", "take")
            rows.append(tuple(value[good] for good in question.view.goods) if units else value["act"])
    return rows
