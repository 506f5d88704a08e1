"""The games that come with Ostrom, with one folder for each game, which contains everything about it. Ostrom finds them
through the entry points of the package, like games of other packages."""

from ostrom.core.plugins import GAMES

__all__ = ["GAMES"]
