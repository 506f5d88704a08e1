"""The players at the other seats of an environment."""

from collections.abc import Sequence

from ostrom.core import Chance, InputError, Seat
from ostrom.core.game import Game
from ostrom.players.base import Contestant, Player, is_remote
from ostrom.players.roster import Seated, built_in_names, contestants_of


def opponents_of(game: Game, opponents: Sequence[Seated] | None, *, others: int | None = None) -> list[Contestant]:
    """Return the players of the other seats: `opponents`, or else the game's first built-in players. Of those there are
    `others`, or enough for the usual number of seats."""
    if opponents is not None:
        return contestants_of(game, opponents)
    count = (game.seats.usual or game.seats.fewest) - 1 if others is None else others
    built_in = built_in_names(game.name)
    if count and not built_in:
        raise InputError(f"{game.command} has no players of its own; name the opponents")
    return contestants_of(game, [built_in[place % len(built_in)] for place in range(count)])


def take_seat(contestant: Contestant, place: int, chance: Chance) -> Player:
    """Seat a contestant; raise `InputError` if it is remote, as an environment needs immediate answers."""
    player = contestant.sit(Seat(place), chance)
    if is_remote(player):
        raise InputError(f"{contestant.name} is not an algorithm; opponents in an environment must be")
    return player
