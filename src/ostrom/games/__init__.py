"""The games that come with Ostrom, one folder each with everything about the game inside. They are found through the
entry points of the package, like anybody else's."""

from ostrom.core.plugins import GAMES

__all__ = ["GAMES"]
