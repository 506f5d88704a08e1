"""What users name in every interface: what a seat is rewarded with, and who holds the other seats."""

from collections.abc import Sequence
from typing import Literal, TypeAlias, get_args

from ostrom.core import Chance, InputError, Seat
from ostrom.core.game import Game
from ostrom.players.base import Contestant, Player, is_remote
from ostrom.players.roster import Seated, built_in_names, contestants_of

Reward: TypeAlias = Literal["gain", "final", "rank"]
"""What a seat is rewarded with: after each step what it gained since the one before (of the quantity that the game's
scene declares as final); at the end its final; or at the end 1 for the first rank, 0 for the last, between by rank,
where seats that tie share the mean. Where lower finals are better, gains and finals have the other sign."""


def check_reward(reward: str) -> None:
    """Refuse what is no reward."""
    if reward not in get_args(Reward):
        raise InputError(f"there is no reward {reward!r}; it must be one of {', '.join(get_args(Reward))}")


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
