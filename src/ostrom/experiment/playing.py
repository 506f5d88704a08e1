"""Play one game, and make the rules that it is played by."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from ostrom.core import GameChance, InputError
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.validation import first_problem
from ostrom.experiment import Match, play_match
from ostrom.games.commons import COMMONS
from ostrom.games.commons.players import Champion
from ostrom.games.commons.players.base import entry_of
from ostrom.games.commons.players.player import ChampionContestant
from ostrom.players.base import Contestant
from ostrom.players.roster import seat_players


def play(
    players: Sequence[str | type[Champion] | Contestant] | None = None,
    *,
    game: str = COMMONS.name,
    rules: BaseModel | None = None,
    seed: int = 0,
    number: int = 0,
) -> Match:
    """Play one game. Players are names ("Pavlov", "Pavlov:3"), classes of your own champions, or contestants; without
    any list, the built-in ones sit down. The game is named as on the command line or as in a record."""
    kind = GAMES[game] if game in GAMES else GAMES.of_command(game)
    seated = seat_players(kind.name) if players is None else contestants_of(kind, players)
    return play_match(kind, rules or kind.rules(), seated, GameChance(seed, number))


def contestants_of(game: Game, players: Sequence[str | type[Champion] | Contestant]) -> list[Contestant]:
    """Everybody in a list of players, as contestants who can sit down."""
    if isinstance(players, str):
        raise InputError(f"players are a list, as in [{players!r}]")
    seated: list[Contestant] = []
    for player in players:
        if isinstance(player, str):
            seated += seat_players(game.name, [player])
        elif isinstance(player, type) and issubclass(player, Champion):
            seated.append(ChampionContestant(entry_of(player)))
        elif hasattr(player, "sit"):
            seated.append(player)
        else:
            raise InputError(
                f"{player!r} is no player; it must be a name, a class that derives from Champion, or a contestant"
            )
    return seated


def make_rules(game: Game, settings: Mapping[str, Any]) -> Any:
    """The game's rules with these settings; a setting that cannot be is named with what would be right."""
    try:
        return game.rules(**settings)
    except ValidationError as error:
        raise InputError(f"invalid rules: {first_problem(error)}") from None
