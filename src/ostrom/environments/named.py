"""What users name in every interface: who holds the other seats."""

from collections.abc import Sequence

from ostrom.core import Chance, InputError, Seat
from ostrom.core.game import Game
from ostrom.players.base import Contestant, Player, is_remote
from ostrom.players.roster import Seated, built_in_names, contestants_of


def opponents_of(game: Game, opponents: Sequence[Seated] | None, *, others: int | None = None) -> list[Contestant]:
    """Who holds the other seats: those who are named, else the first built-in players of the game, as many as make up
    its usual number of seats, or `others`."""
    if opponents is not None:
        return contestants_of(game, opponents)
    wanted = (game.seats.usual or game.seats.fewest) - 1 if others is None else others
    known = built_in_names(game.name)
    if wanted and not known:
        raise InputError(f"{game.command} has no players of its own; name the opponents")
    return contestants_of(game, [known[place % len(known)] for place in range(wanted)])


def seated(contestant: Contestant, place: int, chance: Chance) -> Player:
    """A contestant at a seat, who must answer at once."""
    player = contestant.sit(Seat(place), chance)
    if is_remote(player):
        raise InputError(f"{contestant.name} is not an algorithm; the opponents of an environment are")
    return player
