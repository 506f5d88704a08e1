"""Who comes with the lab, and is no model."""

from ostrom.games.commons.players import CHAMPIONS
from ostrom.games.contribute_punish.players import PUNISHERS


def built_in_players() -> frozenset[str]:
    """The names of all players of the Commons and of Contribute & Punish."""
    return frozenset(PUNISHERS) | frozenset(CHAMPIONS)
