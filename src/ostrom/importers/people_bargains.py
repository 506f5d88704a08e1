"""Parts that the importers of bargains between people share: the answers of two people who speak in turn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ostrom.core import LoggedChance, Provenance
from ostrom.experiment import Match, make_rules, play_match
from ostrom.games.market.several_issues import SEVERAL_ISSUES
from ostrom.games.market.several_issues.play import MOVE, REJECT, SAY
from ostrom.players.base import ReplayContestant
from ostrom.players.people.seat import HUMAN

USUAL_TURNS: Final = 100
USUAL_WORDS: Final = 200
"""The limits of imported games. The logs do not contain those of the sources. A game that is longer than these limits
has larger ones."""


@dataclass
class PersonTurns:
    """The turns of two people. A person who speaks out of turn is preceded by a silent turn of the other."""

    answers: dict[tuple[int, str, int], Any] = field(default_factory=dict)
    """The answers by turn, phase and seat."""
    turns: int = 0
    next_seat: int = 0
    longest: int = 0
    """The number of words of the longest message."""

    def add(self, seat: int, act: str, text: str = "", units: Mapping[str, int] | None = None) -> None:
        """Add the turn of a person."""
        if seat != self.next_seat:
            self._add(self.next_seat, SAY, "", {})
        self._add(seat, act, text, units or {})

    def _add(self, seat: int, act: str, text: str, units: Mapping[str, int]) -> None:
        self.turns += 1
        self.answers[self.turns, MOVE, seat] = {"act": act, "text": text, **units}
        self.longest = max(self.longest, len(text.split()))
        self.next_seat = seat if act == REJECT else 1 - seat


def replay_talk(
    talk: PersonTurns,
    settings: Mapping[str, Any],
    counts: Sequence[int],
    values: Sequence[Sequence[float]],
) -> Match:
    """Replay the bargain of two people about this pool, with these private values, under rules with these settings."""
    limits = {
        # A deal that is submitted in the last turn could not be accepted.
        "turns": max(USUAL_TURNS, talk.turns + 1),
        "message_words": max(USUAL_WORDS, talk.longest),
    }
    rules = make_rules(SEVERAL_ISSUES, {**settings, **limits})
    chance = LoggedChance({}, {"counts": list(counts), "values": [list(own) for own in values]})
    contestants = [ReplayContestant(HUMAN, talk.answers) for _ in range(2)]
    return play_match(SEVERAL_ISSUES, rules, contestants, chance, provenance=Provenance.IMPORTED)
