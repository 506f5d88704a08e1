"""Play one game, and make the rules that it is played by."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from pydantic import BaseModel, ValidationError

from ostrom.core import GameChance, InputError
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME, GAMES
from ostrom.core.text import first_problem
from ostrom.experiment.match import Match, play_match
from ostrom.players.base import Contestant
from ostrom.players.roster import seat_players
from ostrom.players.strategy import Definition, entry_of

Seated: TypeAlias = str | Definition | Contestant
"""Who may be named at a table: a name ("Pavlov", "Pavlov:3"), a class or a function of one's own, a player."""


def play(
    players: Sequence[Seated] | None = None,
    *,
    game: str | Game = DEFAULT_GAME,
    rules: BaseModel | None = None,
    seed: int = 0,
    number: int = 0,
) -> Match:
    """Play one game. Players are names ("Pavlov", "Pavlov:3"), strategies of your own (classes or functions), or
    whoever can sit down; without any list, the built-in ones do. The game is named as on the command line or as in a
    record."""
    if isinstance(game, str):
        game = GAMES[game] if game in GAMES else GAMES.of_command(game)
    seated = seat_players(game.name) if players is None else contestants_of(game, players)
    return play_match(game, rules or game.rules(), seated, GameChance(seed, number))


def contestants_of(game: Game, players: Sequence[Seated]) -> list[Contestant]:
    """Everybody in a list of players, ready to sit down."""
    if isinstance(players, str):
        raise InputError(f"players are a list, as in [{players!r}]")
    seated: list[Contestant] = []
    for player in players:
        if isinstance(player, str):
            seated += seat_players(game.name, [player])
        elif isinstance(player, type) or callable(player):
            seated.append(entry_of(player))
        elif hasattr(player, "sit"):
            seated.append(player)
        else:
            raise InputError(
                f"{player!r} is no player; it must be a name, a strategy (a class or function), or a player"
            )
    return seated


def make_rules(game: Game, settings: Mapping[str, Any]) -> Any:
    """The game's rules with these settings; a setting that cannot be is named with what would be right."""
    try:
        return game.rules(**settings)
    except ValidationError as error:
        raise InputError(f"invalid rules: {first_problem(error)}") from None
