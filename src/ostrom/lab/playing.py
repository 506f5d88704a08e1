"""Play one game, and make the rules that it is played by."""

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError

from ostrom.arena import Match, play_match
from ostrom.games import GAMES, Game
from ostrom.players.base import Contestant
from ostrom.players.roster import seat_players
from ostrom.table import GameChance, InputError


def play(
    players: Sequence[str | Contestant] = (),
    *,
    game: str = "commons",
    rules: BaseModel | None = None,
    seed: int = 0,
    number: int = 0,
) -> Match:
    """Play one game. Players are names ("Pavlov", "Pavlov:3") or contestants; without any, the built-in ones sit."""
    kind = GAMES[game]
    seated: list[Contestant] = []
    for player in players:
        seated += seat_players(game, [player]) if isinstance(player, str) else [player]
    return play_match(kind, rules or kind.rules(), seated if players else seat_players(game), GameChance(seed, number))


def make_rules(game: Game, settings: Mapping[str, Any]) -> Any:
    """The game's rules with these settings; a setting that cannot be is named with what would be right."""
    try:
        return game.rules(**settings)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        reason = first["msg"].removeprefix("Value error, ")
        said = f"{where} = {first['input']!r}: " if where else ""
        raise InputError(f"these rules cannot be: {said}{reason[0].lower()}{reason[1:]}") from None
