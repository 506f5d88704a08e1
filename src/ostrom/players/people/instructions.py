"""The instructions of a game for people who do not have a seat yet: the game's rules in their language, without the
sentences that depend on the seat or on draws."""

import re
from typing import Any, Final

from ostrom.core import GameChance
from ostrom.core.game import Game
from ostrom.players.people.player import opening
from ostrom.players.people.texts import ENGLISH

_SENTENCE_END: Final = re.compile(r"(?<=[.!?]) ")
_SEEDS: Final = (0, 1)
"""Seeds of two games. Sentences that differ between them depend on draws, such as pseudonyms."""


def instructions_of(game: Game, rules: Any, count: int, language: str = ENGLISH) -> str:
    """Return the rules of a game for a table of `count` seats, as Markdown."""
    texts = [
        opening(game, rules, GameChance(seed), count, seat, language)[0]
        for seed in _SEEDS
        for seat in dict.fromkeys((0, count - 1))
    ]
    # A seat that is never asked has no rules.
    texts = [text for text in texts if text]
    if not texts:
        return ""
    common = set.intersection(*({part for line in text.split("\n") for part in _parts(line)} for text in texts))
    first = texts[0]
    lines = (" ".join(part for part in _parts(line) if part in common) for line in first.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _parts(line: str) -> list[str]:
    return _SENTENCE_END.split(line)
