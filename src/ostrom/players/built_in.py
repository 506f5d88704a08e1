"""Who comes with the lab, and is no model."""

from ostrom.players.champions import CHAMPIONS
from ostrom.players.punishers import PUNISHERS


def built_in_players() -> frozenset[str]:
    """The names of all players of the Commons and of Contribute & Punish."""
    return frozenset(PUNISHERS) | frozenset(CHAMPIONS)
