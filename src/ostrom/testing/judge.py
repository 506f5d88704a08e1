"""A judge with a script, for games with one seat that reads what others said."""

from collections.abc import Callable
from dataclasses import dataclass

from ostrom.core import Chance, Question, Seat
from ostrom.players.base import Player


@dataclass(frozen=True)
class ScriptedJudge:
    """A contestant who answers each question as a function says."""

    script: Callable[[Question], object]
    name: str = "ScriptedJudge"

    def sit(self, seat: Seat, chance: Chance) -> Player:
        """The script knows no chance."""
        return _Reader(self.script)


@dataclass(frozen=True)
class _Reader:
    script: Callable[[Question], object]

    def answer(self, question: Question) -> object:
        """What the script says to this question."""
        return self.script(question)
