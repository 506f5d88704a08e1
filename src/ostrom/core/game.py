"""The declaration of a game. Only its first block of fields is required. Each optional part is declared by its import
path and imported only when it is used. This module also has the types of two optional parts: `standings`, which adds
columns to the final table, and `samples`, which gives situations in which a single player can be asked."""

import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, TypeAlias

from pydantic import BaseModel, ValidationError
from typing_extensions import TypeVar

from ostrom.core.errors import InputError
from ostrom.core.events import Event, EventRegistry, Frozen
from ostrom.core.questions import Seat
from ostrom.core.table import Play, Table
from ostrom.core.text import first_problem

API: Final = 2
"""The version of this interface between games and Ostrom. A game for another version is refused."""
API_CHANGES: Final[Mapping[int, str]] = {
    1: "instead of roles=True write roles=lambda seats: (...), which returns a name for each seat; set aim='rank' if "
    "players want to end ahead of the others rather than a high final; then set api=2",
}
"""The changes that a game written for an older version needs, by version."""

Aim: TypeAlias = Literal["rank", "payoff"]

Rules = TypeVar("Rules", bound=BaseModel, default=Any)
View = TypeVar("View", default=Any)


@dataclass(frozen=True, slots=True)
class Seats:
    """The number of players of a game."""

    fewest: int
    most: int
    usual: int | None = None
    """The default number of seats in an experiment. If None, the table has a seat for each player of the experiment."""
    multiple: int = 1
    """A number of which the number of seats must be a multiple: 2 for as many buyers as sellers."""

    def largest(self, players: int) -> int:
        """Return the largest possible number of seats that this many players can fill. It is never less than
        `fewest`."""
        count = min(players, self.most)
        return max(count - count % self.multiple, self.fewest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Game(Generic[Rules, View]):
    """A game: its rules, its generator, its events, and its optional parts."""

    name: str
    """The name in records; it never changes."""
    title: str
    """The name that users see."""
    summary: str
    """The subject of the game in a few words."""
    seats: Seats
    rules: type[Rules]
    """The class of the game's settings. All have defaults, descriptions and bounds."""
    view: type[View]
    """The type of a view: the information that a seat has when it is asked."""
    play: Callable[[Rules, Table], Play]
    """The generator that plays one game."""
    events: EventRegistry

    command: str = ""
    """The game's name on the command line. By default it is `name` with hyphens instead of underscores."""
    aliases: tuple[str, ...] = ()
    """Other names that users may type, unless another game has them as its command."""
    clock: str = "round"
    """The word for the unit in which the game's time is counted, in the singular: round, turn, question, hand. Whatever
    the word is, a question calls the number of this unit `turn`."""
    unit: str = ""
    """The unit of the final results, such as tokens or dollars."""
    finals: Callable[[Sequence[Event]], Sequence[float | None]] | None = None
    """A function from the events of a finished game to the final result of each seat; None for a seat without one. A
    game with finals has standings, ratings, common measures, a report and a leaderboard."""
    dealt: Callable[[Sequence[Event]], Mapping[str, Any]] | None = None
    """A function from the events of an imported game to the facts that its log dealt, such as private values. They are
    no rules, because they differ from game to game. `play` reads them with `core.chance.logged_facts`."""
    better: Literal["higher", "lower"] = "higher"
    """Whether higher or lower final results are better."""
    instrument: bool = False
    """True if it is a tool of the laboratory with its own command (a judge, an audit) and not a game to play."""
    symmetric: bool = False
    """True if the seats are interchangeable: players who swap seats swap their results."""
    roles: Callable[[int], Sequence[str]] | None = None
    """The role of each seat, as a function of the number of seats: ("proposer", "responder"). Seats with the same role
    are interchangeable. Schedules seat every player in every role, and means over roles give each role the same weight.
    If None, seats have no roles; unless the game is `symmetric`, schedules then balance which player has which seat."""
    aim: Aim = "payoff"
    """The aim of a player: a high final result ("payoff"), or to end ahead of the others ("rank"). Standings and
    leaderboards rank by it."""
    api: int = API
    version: str = "1"
    """The version of the game. Records store it."""

    players: str | None = None
    """The path of its strategies or subjects: a registry of `players.strategy.StrategyEntry`, or a list of classes and
    functions that `players.strategy.strategy` accepts."""
    briefing: str | None = None
    """The path of the text for a model or a person in a seat: a class of `players.models.briefing.Briefing`, or a
    function of the game that returns one."""
    measures: str | None = None
    """The path of the game's own measures, in addition to the common ones."""
    charts: str | None = None
    """The path of the game's own charts and of the sentences of its report."""
    scene: str | None = None
    """The path of the game's presentation in replays, films and pages: a `core.telling.Presentation`."""
    titles: str | None = None
    """The path of the game's own claims for titles and drama scores of games: a function `core.titles.Claims`."""
    step: str | None = None
    """The path of the game over arrays, for the batch engine: a `core.step.ArrayForm`."""
    decisions: str | None = None
    """The path of a function for exact best responses to finite-state players. Its arguments are the rules, the other
    strategies over rows and the seat. It returns the decision problem of the seat, a `core.step.DecisionProcess`, or
    None."""
    kernel: str | None = None
    """The path of a compiled version of the array form: a `core.step.Kernel`. It is used if the libraries that it needs
    are installed."""
    standings: str | None = None
    """Further columns of the final table: a function of rules and events that returns `core.game.Figures`."""
    picks: str | None = None
    """The path of a function for an instrument that picks lines of other games. Its argument is a journal. It returns
    two tables: the picked lines, and the coverage of each reader."""
    samples: str | None = None
    """The path of situations in which a single player can be asked, for audits and previews."""

    def __post_init__(self) -> None:
        if not self.command:
            object.__setattr__(self, "command", self.name.replace("_", "-"))

    def part(self, name: str) -> Any:
        """Return the part with this name, imported from its path 'module:NAME'; None if the game has none. Raise
        InputError if there is no such module or name."""
        path: str | None = getattr(self, name)
        if path is None:
            return None
        module, _, attribute = path.partition(":")
        try:
            source = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name is None or not f"{module}.".startswith(f"{error.name}."):
                raise  # A dependency of the part is missing. Commands say which extra is needed.
            raise InputError(f"the {name} of {self.command}, {path}, cannot be imported: {error}") from error
        if not hasattr(source, attribute):
            raise InputError(f"the {name} of {self.command}, {path}, cannot be imported: {module} has no {attribute!r}")
        return getattr(source, attribute)

    def check_seats(self, count: int) -> None:
        """Raise InputError for too few or too many players."""
        if count < self.seats.fewest:
            players = "one player only" if count == 1 else f"{count} players"
            raise InputError(f"{self.command} needs at least {self.seats.fewest} players; the table has {players}")
        if count > self.seats.most:
            limit = "one player only" if self.seats.most == 1 else f"at most {self.seats.most:,} players"
            raise InputError(f"{self.command} seats {limit}; the table has {count:,}")
        if count % self.seats.multiple:
            needed = "an even number" if self.seats.multiple == 2 else f"a multiple of {self.seats.multiple}"
            raise InputError(f"{self.command} needs {needed} of players; the table has {count:,}")

    def role_names(self, seats: int) -> tuple[str, ...]:
        """Return the role of each seat, or nothing if seats have no roles. Raise InputError if `roles` does not return
        a name for each seat."""
        if self.roles is None:
            return ()
        names = tuple(self.roles(seats))
        if len(names) != seats or not all(isinstance(name, str) and name.strip() for name in names):
            raise InputError(f"roles of {self.command} must return {seats} names for {seats} seats, not {names!r}")
        return names

    def find_seat(self, seat: int | str, seats: int) -> int:
        """Return a seat, given its number from 0 or the name of its role. A role stands for the first seat that has it.
        Raise InputError if there is no such seat."""
        names = self.role_names(seats)
        if seat in names:
            return names.index(str(seat))
        number = int(seat) if isinstance(seat, int) or seat.isdecimal() else -1
        if not 0 <= number < seats:
            roles = f", with the roles {', '.join(dict.fromkeys(names))}" if names else ""
            raise InputError(f"there is no seat {seat}; the table has seats 0 to {seats - 1}{roles}")
        return number

    def seat_groups(self, seats: int) -> tuple[int, ...]:
        """Return the group of each seat, numbered from 0; seats of a group are interchangeable in a schedule. Groups
        are the roles. Without roles, symmetric seats are one group, and other seats are one group each."""
        names = self.role_names(seats)
        if names:
            order = list(dict.fromkeys(names))
            return tuple(order.index(name) for name in names)
        return (0,) * seats if self.symmetric else tuple(range(seats))


def contract_fault(game: Game) -> str | None:
    """Return the reason why a game is not written for this version of the interface, and the changes that it needs.
    Return None if it is written for this version."""
    # Before version 2, `roles` was a boolean. Games usually do not declare their version.
    version = 1 if isinstance(game.roles, bool) else game.api
    if version == API:
        return None
    fault = f"it is written for version {version} of the contract, and this is version {API}"
    return f"{fault}: {API_CHANGES[version]}" if version in API_CHANGES else fault


def imported(path: str) -> Any:
    """Return the object at an import path 'module:NAME'."""
    module, _, name = path.partition(":")
    return getattr(importlib.import_module(module), name)


@dataclass(frozen=True, slots=True)
class Figure:
    """A further column of the final table."""

    key: str
    """The name in JSON."""
    heading: str
    """The heading in the table; empty for a figure that is shown only in JSON."""
    values: Sequence[Any]
    """One value per seat."""
    text: Callable[[Any], str] = str


@dataclass(frozen=True, slots=True)
class Figures:
    """The columns that a game adds to its final table. The game's function `standings` returns them."""

    figures: Sequence[Figure]
    remark: str = ""
    """A line below the table."""


def figures_of(game: Game, rules: Any, events: Sequence[Event]) -> Figures:
    """Return the columns that the game adds to its final table; none if it adds no columns."""
    part = game.part("standings")
    figures: Figures = Figures(()) if part is None else part(rules, events)
    return figures


def final_standings(game: Game, rules: Any, names: Sequence[str], events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return a row for each seat of a finished game, the best first; equal finals have the same rank. Without finals
    the rows are ordered by seat."""
    finals = None if game.finals is None else game.finals(events)
    figures = figures_of(game, rules, events).figures
    rows = []
    for seat, name in enumerate(names):
        row: dict[str, Any] = {"seat": seat, "label": Seat(seat).label, "name": name}
        if finals is not None:
            row = {"rank": _rank(finals[seat], finals, game), **row, "final": finals[seat]}
        rows.append(row | {figure.key: figure.values[seat] for figure in figures})
    return sorted(rows, key=lambda row: (row.get("rank") or len(names), row["seat"]))


def _rank(final: float | None, finals: Sequence[float | None], game: Game) -> int | None:
    if final is None:
        return None
    # Finals that differ by less than 1e-9 differ only by rounding errors.
    own, *all_finals = (round(value, 9) for value in (final, *finals) if value is not None)
    return 1 + sum(value > own if game.better == "higher" else value < own for value in all_finals)


def make_rules(game: Game, settings: Mapping[str, Any] | BaseModel | None = None) -> Any:
    """Return the game's rules with these settings. Settings that are already rules of the game are returned unchanged.
    Raise InputError for an invalid setting."""
    if isinstance(settings, game.rules):
        return settings
    if settings is not None and not isinstance(settings, Mapping):
        type_name = type(settings).__name__
        raise InputError(
            f"the rules of {game.command} must be a mapping of settings or {game.rules.__name__}, not {type_name}"
        )
    try:
        return game.rules(**(settings or {}))
    except ValidationError as error:
        raise InputError(f"invalid rules: {first_problem(error)}{_suggestion(game, error)}") from None
    except TypeError:
        raise InputError("invalid rules: the names of settings must be text") from None


def _suggestion(game: Game, error: ValidationError) -> str:
    """Return a hint for an unknown setting: similar names, or the command that lists all."""
    first = error.errors(include_url=False)[0]
    if first["type"] != "extra_forbidden" or len(first["loc"]) != 1:
        return ""
    nearest = get_close_matches(str(first["loc"][0]), game.rules.model_fields, n=3)
    if nearest:
        return f"; did you mean {' or '.join(nearest)}?"
    return f"; 'ostrom list rules {game.command}' shows every rule"


class PriorAnswer(Frozen):
    """An answer that was given earlier in the game than the question."""

    turn: int
    phase: str
    seat: int
    value: Any


class Situation(NamedTuple):
    """A question, with the earlier answers that lead to it."""

    seed: int
    number: int
    rules: dict[str, Any]
    seats: int
    answers: tuple[PriorAnswer, ...]
    turn: int
    phase: str
    seat: int
    choices: tuple[str, ...] = ()
    """The options in any order; empty if the answer is a number, or if the game has several seats."""


class Samples(Protocol):
    """The situations of one game. The part `samples` of a game is a function from the game to its samples."""

    @property
    def game(self) -> Game:
        """The game to which the questions belong. In an audit it may be a variant of the game that the user named."""

    @property
    def name(self) -> str:
        """Return the name of the game on the command line."""

    @property
    def alone(self) -> bool:
        """True if the questions are asked of a single player without opponents."""

    @property
    def temperature(self) -> float | None:
        """The sampling temperature at which a model is asked; with None, the model uses its default."""

    def phases(self, settings: Mapping[str, Any], seats: int) -> Sequence[str]:
        """Return the phases that questions can be about, in their order in the game."""

    def situations(
        self, settings: Mapping[str, Any], seats: int, phase: str, seed: int, count: int
    ) -> Sequence[Situation]:
        """Return this many situations of one phase, drawn from the seed."""
