"""The plan of an experiment: which games, by which rules, between whom, from which seed, and who sits where. It goes
into the journal as plain data, and comes back from there as it was."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import cycle, islice, permutations, repeat
from pathlib import Path
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ostrom.core import GameChance, InputError
from ostrom.core.chance import check_seed
from ostrom.core.estimates import Floats, Whole
from ostrom.core.game import Game
from ostrom.core.plugins import GAMES
from ostrom.core.text import problem
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture, make_rules
from ostrom.players.base import Contestant
from ostrom.players.models.bots import Bot, ModelContestant, Price
from ostrom.players.people.room import HumanContestant
from ostrom.players.people.seat import INSTEAD
from ostrom.players.roster import built_in_players, contestant_of, counter_of, description, seat_models, seat_players


def balanced_tables(entrants: int, seats: int, games: int, seed: int) -> Iterator[list[int]]:
    """For each game, the entrant at each seat. In every game those sit who sat least so far (so appearances differ by
    one at the most), among them those who met least; and each takes the seat that evens out who sat where. Ties are
    drawn.

    An entrant is a place in the list of players: a player that is listed twice is two entrants."""
    check_table(entrants, seats)
    sat = np.zeros(entrants, dtype=np.int64)
    met = np.zeros((entrants, entrants), dtype=np.int64)
    placed = np.zeros((entrants, seats), dtype=np.int64)
    for game in range(games):
        chance = GameChance(seed, game)
        drawn = np.asarray([chance.uniform("schedule", 0, entrant) for entrant in range(entrants)])
        chosen = _company(sat, met, drawn, seats)
        table = _seats_for(chosen, placed)
        for seat, entrant in enumerate(table):
            placed[entrant, seat] += 1
        sat[chosen] += 1
        met[np.ix_(chosen, chosen)] += 1
        yield table


def all_pairs(entrants: int) -> list[tuple[int, int]]:
    """Every ordered pair of entrants: each one meets each other one in both roles."""
    return list(permutations(range(entrants), 2))


def check_table(entrants: int, seats: int) -> None:
    """Refuse a table that cannot be filled."""
    if seats > entrants:
        raise InputError(
            f"a table of {seats} needs at least {seats} players, and {entrants} {'is' if entrants == 1 else 'are'} "
            "chosen; seat one several times with NAME:n, or make the table smaller with --seats"
        )


def _company(sat: Whole, met: Whole, drawn: Floats, seats: int) -> list[int]:
    """Those who sat least, and among equals those who met the ones already chosen least."""
    chosen: list[int] = []
    free = np.ones(len(sat), dtype=bool)
    for _ in range(seats):
        meetings = met[:, chosen].sum(axis=1) if chosen else np.zeros(len(sat))
        order = np.lexsort((drawn, meetings, sat))
        entrant = int(next(candidate for candidate in order if free[candidate]))
        chosen.append(entrant)
        free[entrant] = False
    return chosen


def _seats_for(chosen: list[int], placed: Whole) -> list[int]:
    """The assignment of seats that leaves the counts most even: the least sum of squares."""
    from scipy.optimize import linear_sum_assignment

    # One more time in a seat adds 2·count + 1 to the sum of squares.
    who, where = linear_sum_assignment(2 * placed[chosen] + 1)
    table = [0] * len(chosen)
    for index, seat in zip(who, where, strict=True):
        table[int(seat)] = chosen[int(index)]
    return table


SECONDS: Final = 300.0
"""How long a person may take for one answer, unless the host says otherwise."""
WAIT: Final = 600.0
"""How long the table waits for people to open their links before their time counts, unless the host says otherwise."""
LONGEST: Final = 86_400
"""Seconds that a person may be given for an answer, and be waited for, at most: a day."""


@dataclass(frozen=True)
class Part:
    """Many games of one kind in which everybody meets everybody and sits everywhere as evenly as may be."""

    game: Game
    rules: Any
    contestants: Sequence[Contestant]
    """One that is listed twice is seated like two."""
    seats: int
    games: int
    seed: int
    fixed: bool = False
    """Whether everybody sits where the list has them, in every game."""
    pairs: bool = False
    """Whether every ordered pair meets, again and again: for games of two roles."""

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides it, as plain data."""
        return {
            "game": self.game.name,
            "rules": self.rules.model_dump(mode="json"),
            "players": [description(contestant) for contestant in self.contestants],
            "seats": self.seats,
            "games": self.games,
            "seed": self.seed,
            **({"fixed": True} if self.fixed else {}),
            **({"pairs": True} if self.pairs else {}),
        }

    def check(self) -> None:
        """Refuse what cannot be played, before anything is written."""
        if self.games < 1:
            raise InputError(f"--games must be at least 1, got {self.games}")
        self.game.check_seats(self.seats)
        check_table(len(self.contestants), self.seats)

    def fixtures(self, prefix: str) -> Iterator[Fixture]:
        """Its games one after the other; a game's key is its number after the prefix."""
        for number, table in enumerate(self._tables()):
            seated = [self.contestants[place] for place in table]
            yield Fixture(f"{prefix}{number}", self.game, self.rules, seated, GameChance(self.seed, number))

    def _tables(self) -> Iterator[Sequence[int]]:
        """For each game, who sits at each seat, by place in the list of contestants."""
        count = len(self.contestants)
        if self.fixed:
            return repeat(range(count), self.games)
        if self.pairs:
            return islice(cycle(all_pairs(count)), self.games)
        return balanced_tables(count, self.seats, self.games, self.seed)


@dataclass(frozen=True)
class Experiment:
    """One or more parts, played as a whole: one journal entry, one budget."""

    parts: tuple[Part, ...]
    name: str | None = None
    limits: Limits | None = None
    """Matter only where models play."""
    file: str | None = None
    """The text of the file that it was described in."""
    title: str | None = None
    """What kind of experiment it is, where that is not the name of its game."""
    seconds: float | None = None
    """How long a person may take for one answer; matters only where people play."""
    wait: float | None = None
    """How long the table waits for people to open their links before their time counts."""

    @property
    def called(self) -> str:
        """Its name, or one made of the game and the seed."""
        return self.name or " and ".join(f"{part.game.command} seed {part.seed}" for part in self.parts)

    @property
    def kind(self) -> str:
        """What it is entered as: the command of its game, or 'mixed'."""
        if self.title is not None:
            return self.title
        commands = {part.game.command for part in self.parts}
        return commands.pop() if len(commands) == 1 else "mixed"

    @property
    def games(self) -> int:
        return sum(part.games for part in self.parts)

    @cached_property
    def models(self) -> dict[str, Contestant]:
        """Everybody who is asked over a network, by name."""
        everybody = [contestant for part in self.parts for contestant in part.contestants]
        return {one.name: one for one in everybody if hasattr(one, "bot")}

    @property
    def people(self) -> list[int]:
        """The seats of people: at the table of one game, or of one person who is asked alone, in all parts."""
        seated = [each for part in self.parts for each in enumerate(part.contestants)]
        return sorted({place for place, one in seated if isinstance(one, HumanContestant)})

    @property
    def alone(self) -> bool:
        """Whether one player is asked everything, at no table."""
        return all(part.seats == len(part.contestants) == part.games == 1 for part in self.parts)

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides it, as plain data."""
        single = self.parts[0].settings if len(self.parts) == 1 else {"parts": [part.settings for part in self.parts]}
        limits = {"limits": self.limits.model_dump(mode="json")} if self.limits is not None else {}
        times = {"seconds": self.seconds, "wait": self.wait}
        given = {name: time for name, time in times.items() if time is not None}
        counter = counter_of(one for part in self.parts for one in part.contestants)
        return {**single, **counter, **limits, **given, **({"file": self.file} if self.file is not None else {})}

    def check(self) -> None:
        """Refuse what cannot be played, before anything is written."""
        if self.people and not (self.alone or (self.games == 1 and self.parts[0].fixed)):
            raise InputError(f"people can be seated in one game only; {INSTEAD}")
        for part in self.parts:
            part.check()
        if self.seconds is not None and not 0 < self.seconds <= LONGEST:
            raise InputError(
                f"the seconds for an answer must be more than 0 and at most {LONGEST:,}, got {self.seconds:g}"
            )
        if self.wait is not None and not 0 <= self.wait <= LONGEST:
            raise InputError(f"the wait for people must be from 0 to {LONGEST:,} seconds, got {self.wait:g}")

    def fixtures(self) -> Iterator[Fixture]:
        """All games, made one at a time."""
        for place, part in enumerate(self.parts, 1):
            yield from part.fixtures("" if len(self.parts) == 1 else f"{place}-")


def experiment_of(name: str, settings: Mapping[str, Any]) -> Experiment:
    """The experiment that these settings, as a journal keeps them, describe."""
    try:
        counter = settings.get("counter", 1)  # as all were before there was a second version
        parts = tuple(_part(each, counter) for each in settings.get("parts", [settings]))
        limits = Limits.model_validate(settings["limits"]) if "limits" in settings else None
        times = {time: settings.get(time) for time in ("seconds", "wait")}
        return Experiment(parts, name, limits, settings.get("file"), **times)
    except (KeyError, TypeError, ValidationError) as error:
        raise InputError(f"{name} was not planned by a benchmark, so it cannot be resumed") from error


def _part(settings: Mapping[str, Any], counter: int) -> Part:
    game = GAMES[settings["game"]]
    return Part(
        game=game,
        rules=make_rules(game, settings["rules"]),
        contestants=[contestant_of(game.name, described, counter) for described in settings["players"]],
        seats=settings["seats"],
        games=settings["games"],
        seed=settings["seed"],
        fixed=settings.get("fixed", False),
        pairs=settings.get("pairs", False),
    )


_SEATS = 5
"""At a table, where the file does not say how many; fewer where there are not so many players."""


class _Described(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class DescribedGame(_Described):
    """One kind of game. What it does not say stands above for all of them."""

    game: str
    seats: int | None = None
    rules: dict[str, Any] = {}
    repetitions: int | None = Field(None, ge=1)
    seeds: list[int] | None = Field(None, min_length=1)
    include: list[str] | None = None
    exclude: list[str] = []
    models: list[str] | None = None


class DescribedExperiment(_Described):
    """An experiment described in a file: players, games, rules, repetitions, seeds, limits. `docs/experiments.md`
    shows one."""

    name: str | None = None
    repetitions: int = Field(100, ge=1)
    """Games of each kind and seed."""
    seeds: list[int] | None = Field(None, min_length=1)
    include: list[str] = []
    models: list[str] = []
    games: list[DescribedGame] = Field(min_length=1)
    bots: list[Bot] = []
    """Bots described here rather than in files of their own; `include` may name them."""
    limits: Limits = Limits()


def read_toml(path: Path) -> tuple[str, dict[str, Any]]:
    """A TOML file as it is written, and what it says."""
    try:
        text = path.read_text(encoding="utf-8")
        return text, tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is not valid TOML: {error}") from error
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise InputError(f"{path} cannot be read: {reason}") from error


def read_experiment(path: Path, seed: int) -> Experiment:
    """The experiment that a file describes; `seed` serves where it names none. What is wrong with it is told in one
    line."""
    text, tables = read_toml(path)
    try:
        described = DescribedExperiment.model_validate(tables)
    except ValidationError as error:
        raise InputError(f"{path}: {_first(error)}") from None
    try:
        _check(described)
        parts = [part for game in described.games for part in _parts(game, described, seed)]
        planned = Experiment(tuple(parts), described.name or path.stem, described.limits, text)
        planned.check()
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
    return planned


def _first(error: ValidationError) -> str:
    first = error.errors()[0]
    *above, field = (str(part) for part in first["loc"])
    where = ".".join([*above, field])
    if first["type"] == "extra_forbidden":
        tables: dict[str, type[BaseModel]] = {"games": DescribedGame, "bots": Bot, "limits": Limits, "price": Price}
        # The number of an entry, as in games.0, is no table's name.
        table = next((tables[name] for name in reversed(above) if name in tables), DescribedExperiment)
        return f"unknown field {where!r}; the fields are {', '.join(table.model_fields)}"
    return problem(first)


def _check(described: DescribedExperiment) -> None:
    """Refuse what would have no effect, or another one than it seems to."""
    names = [bot.name for bot in described.bots]
    lists = [described.include, *(game.include or [] for game in described.games)]
    seated = {item.partition(":")[0] for items in lists for item in items}
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"two bots are called {name!r}; give each a name of its own")
        if ":" in name or name.split() != [name]:
            raise InputError(f"a bot cannot be called {name!r}; its name must be one word without a colon")
        if name not in seated:
            raise InputError(f"the bot {name!r} is described but not seated; name it in include")
    for seeds in (described.seeds, *(game.seeds for game in described.games)):
        if seeds and len(set(seeds)) < len(seeds):
            raise InputError("a seed is listed twice and would give the same games; use repetitions to play more")


def _parts(game: DescribedGame, whole: DescribedExperiment, drawn: int) -> list[Part]:
    kind = GAMES.of_command(game.game)
    include = whole.include if game.include is None else game.include
    models = whole.models if game.models is None else game.models
    contestants = _contestants(kind.name, include, game.exclude, models, whole.bots)
    return [
        Part(
            game=kind,
            rules=make_rules(kind, game.rules),
            contestants=contestants,
            seats=min(_SEATS, len(contestants)) if game.seats is None else game.seats,
            games=whole.repetitions if game.repetitions is None else game.repetitions,
            seed=check_seed(seed),
        )
        for seed in game.seeds or whole.seeds or [drawn]
    ]


def _contestants(
    game: str, include: Sequence[str], exclude: Sequence[str], models: Sequence[str], bots: Sequence[Bot]
) -> list[Contestant]:
    """Players by name, where a bot that the file describes goes before a file of that name."""
    own = {bot.name: bot for bot in bots}
    for name in own:
        if name in built_in_players(game):
            raise InputError(f"the bot {name!r} has the name of a built-in player; give it another one")
    seated: list[Contestant] = []
    elsewhere: list[str] = []
    for item in include:
        name, _, times = item.partition(":")
        if name not in own:
            elsewhere.append(item)
            continue
        if times and not (times.isdecimal() and 1 <= int(times) <= 10_000):
            raise InputError(f"{item!r}: the number after the colon must be 1 or more, as in {name}:3")
        seated += [ModelContestant(own[name], game)] * int(times or 1)
    # Without any name the built-in players sit down, unless the file brings bots of its own.
    if elsewhere or exclude or not seated:
        seated = [*seat_players(game, elsewhere, exclude), *seated]
    return [*seated, *seat_models(game, models)]
