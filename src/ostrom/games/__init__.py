"""The rules. Each game is a generator that yields questions and receives answers; importing this package registers
all."""

from ostrom.games.commons import COMMONS
from ostrom.games.registry import GAMES, Game

__all__ = ["COMMONS", "GAMES", "Game"]
