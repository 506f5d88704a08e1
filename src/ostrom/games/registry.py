"""What every game declares about itself, and the registry through which records, commands and tests find it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from ostrom.table import Event, EventRegistry, InputError, Play, Registry, Table


@dataclass(frozen=True, slots=True)
class Game:
    """A game: its rules, its generator, its events, and how to tell it."""

    name: str
    """The name in records."""
    command: str
    """The name on the command line."""
    summary: str
    fewest_seats: int
    most_seats: int
    rules: type[BaseModel]
    """The settings, all with defaults."""
    play: Callable[[Any, Table], Play]
    """The generator that plays one game under rules of that type."""
    events: EventRegistry
    tell: Callable[[Event, Sequence[str]], list[str]]
    """An event as readable lines, given what to call each seat."""
    series: Callable[[Sequence[Event]], dict[str, list[Any]]]
    """The events as arrays with one entry a turn, for viewers and tables."""
    instrument: bool = False
    """Whether it is a tool of the laboratory, which a command of its own puts to use, rather than a game to sit down
    at."""

    def check_seats(self, count: int) -> None:
        """Refuse a table that is too small or too large."""
        if count < self.fewest_seats:
            seated = "one player only" if count == 1 else f"{count} players"
            raise InputError(f"{self.command} needs at least {self.fewest_seats} players; the table has {seated}")
        if count > self.most_seats:
            most = "one player only" if self.most_seats == 1 else f"at most {self.most_seats:,} players"
            raise InputError(f"{self.command} seats {most}; the table has {count:,}")


GAMES: Registry[Game] = Registry("game")


def game_of_command(command: str) -> Game:
    """The game that a user means."""
    by_command: Registry[Game] = Registry("game")
    for game in GAMES.values():
        by_command.add(game.command, game)
    return by_command[command]
