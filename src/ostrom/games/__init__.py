"""The games that come with Ostrom, one folder each with everything about the game inside. Ostrom finds them through the
entry points of the package, as it finds games of other packages."""

from ostrom.core.plugins import GAMES

__all__ = ["GAMES"]
