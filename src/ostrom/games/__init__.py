"""The rules. Each game is a generator that yields questions and receives answers; importing this package registers
them."""

from ostrom.games.audit import AUDIT
from ostrom.games.battery.played import PLAYED
from ostrom.games.battery.tasks import TASKS
from ostrom.games.commons import COMMONS
from ostrom.games.contribute_punish import CONTRIBUTE_PUNISH
from ostrom.games.promises import PROMISES
from ostrom.games.quotes import QUOTES
from ostrom.games.registry import GAMES, Game, game_of_command

__all__ = [
    "AUDIT",
    "COMMONS",
    "CONTRIBUTE_PUNISH",
    "GAMES",
    "PLAYED",
    "PROMISES",
    "QUOTES",
    "TASKS",
    "Game",
    "game_of_command",
]
