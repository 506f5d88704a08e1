"""Fixtures: games to be played, before anybody has sat down."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ostrom.games.registry import Game
from ostrom.players.base import Contestant
from ostrom.table import Chance


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played: which, by what rules, between whom, and with which draws."""

    key: str
    """Its name within the experiment; a game that is taken up again has the same."""
    game: Game
    rules: Any
    contestants: Sequence[Contestant]
    """In the order of the seats."""
    chance: Chance
