"""Who comes with the lab, and is no model: champions, punishers and simulated subjects."""

from ostrom.players.champions import CHAMPIONS
from ostrom.players.punishers import PUNISHERS
from ostrom.players.subjects import is_subject


def built_in_players() -> frozenset[str]:
    """The names of all players of the Commons and of Contribute & Punish."""
    return frozenset(PUNISHERS) | frozenset(CHAMPIONS)


def is_built_in(name: str) -> bool:
    """Whether this is a player, or a subject of the battery, that comes with the lab."""
    return name in PUNISHERS or name in CHAMPIONS or is_subject(name)
