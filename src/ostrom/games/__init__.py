"""The games that come with Ostrom. Each game has one folder, which contains everything about it. Ostrom finds the games
through the entry points of the package, like games of other packages."""

from ostrom.core.plugins import GAMES

__all__ = ["GAMES"]
