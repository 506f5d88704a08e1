"""What every game declares about itself. Only the first block is required; each other part has a default that works,
and is named by an import path, so that it is read when it is used and not before."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal

from pydantic import BaseModel
from typing_extensions import TypeVar

from ostrom.core.errors import InputError
from ostrom.core.events import Event, EventRegistry
from ostrom.core.table import Play, Table

API: Final = 1
"""The version of this contract; a game that was written for another one is refused."""

Rules = TypeVar("Rules", bound=BaseModel, default=Any)
View = TypeVar("View", default=Any)


@dataclass(frozen=True, slots=True)
class Seats:
    """How many may sit at a table."""

    fewest: int
    most: int
    usual: int | None = None
    """How many sit at a table of an experiment, if nobody says otherwise; where it is missing, everybody does."""


def _no_series(events: Sequence[Event]) -> dict[str, list[Any]]:
    return {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[Rules, View]):
    """A game: its rules, its generator, its events, and the parts that others make use of."""

    name: str
    """The name in records; it never changes."""
    title: str
    """What people call it."""
    summary: str
    """What it is about, in half a sentence."""
    seats: Seats
    rules: type[Rules]
    """The settings, all with defaults, descriptions and bounds."""
    view: type[View]
    """What a seat may know when it is asked."""
    play: Callable[[Rules, Table], Play]
    """The generator that plays one game."""
    events: EventRegistry

    command: str = ""
    """The name on the command line; else its name with hyphens."""
    aliases: tuple[str, ...] = ()
    """Other names that users may type, where no game has them as its command."""
    clock: Literal["round", "turn", "question"] = "round"
    """What its time is counted in."""
    unit: str = ""
    """What its finals are counted in: tokens, dollars."""
    series: Callable[[Sequence[Event]], dict[str, list[Any]]] = _no_series
    """The events as arrays with one entry a turn, for viewers and tables."""
    finals: Callable[[Sequence[Event]], Sequence[float | None]] | None = None
    """What each seat ended with, out of a finished game's events; a seat that has no final figure has None. A game
    with finals has standings, ratings, common measures, a report and a leaderboard."""
    better: Literal["higher", "lower"] = "higher"
    """Which finals are the better ones."""
    instrument: bool = False
    """Whether it is a tool of the laboratory, which a command of its own puts to use, rather than a game to sit down
    at."""
    symmetric: bool = False
    """Whether the seats are alike, so that players who change places change their results with them."""
    api: int = API
    version: str = "1"
    """Raised when the same decisions no longer give the same game; `resume` refuses a game of another version."""

    players: str | None = None
    """Its strategies or subjects: a registry of `players.strategy.StrategyEntry`, or a list of classes and functions as
    `players.strategy.strategy` takes them."""
    briefing: str | None = None
    """What a model or a person in a seat is told: a class of `players.models.briefing.Briefing`, or a function of the
    game that makes one."""
    measures: str | None = None
    """Its own measures, beside the common ones."""
    charts: str | None = None
    """Its own charts and the sentences of its report."""
    scene: str | None = None
    """How a replay, a film and a page show it: a `core.telling.Presentation`."""
    step: str | None = None
    """The game over arrays, for the batch engine: a `core.step.ArrayForm`."""
    standings: str | None = None
    """What the final table says of a seat beside its final: a function of rules and events that gives
    `core.standings.Figures`."""
    samples: str | None = None
    """Situations in which a player can be asked by itself, for audits and previews."""

    def __post_init__(self) -> None:
        if not self.command:
            object.__setattr__(self, "command", self.name.replace("_", "-"))

    def part(self, name: str) -> Any:
        """A part that is named by its import path, 'module:NAME'; None where the game has none."""
        path: str | None = getattr(self, name)
        return None if path is None else imported(path)

    def check_seats(self, count: int) -> None:
        """Refuse a table that is too small or too large."""
        if count < self.seats.fewest:
            seated = "one player only" if count == 1 else f"{count} players"
            raise InputError(f"{self.command} needs at least {self.seats.fewest} players; the table has {seated}")
        if count > self.seats.most:
            most = "one player only" if self.seats.most == 1 else f"at most {self.seats.most:,} players"
            raise InputError(f"{self.command} seats {most}; the table has {count:,}")


def imported(path: str) -> Any:
    """What an import path 'module:NAME' names."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)
