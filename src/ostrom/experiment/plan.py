"""The plan of an experiment: which games, by which rules, between whom, from which seed, and who sits where. It goes
into the journal as plain data, and comes back from there as it was."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, cycle, islice, repeat, zip_longest
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError

from ostrom.core import GameChance, InputError
from ostrom.core.chance import SEEDS
from ostrom.core.errors import field
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.text import clean
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture
from ostrom.experiment.schedule import ADAPTIVE, BALANCED, Balance, all_pairs, balanced_tables, balances, check_table
from ostrom.players.base import Contestant
from ostrom.players.people.room import HumanContestant
from ostrom.players.people.seat import PEOPLE_HINT
from ostrom.players.roster import contestant_of, description

SECONDS: Final = 300.0
"""How long a person may take for one answer, unless the host says otherwise."""
WAIT: Final = 600.0
"""How long the table waits for people to open their links before their time counts, unless the host says otherwise."""
MOST_GAMES: Final = 2**31 - 1
"""Games that a journal counts in one experiment."""
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
    first: int = 0
    """The number of its first game: where a player was added, its games go on where the part ends."""
    seating: Sequence[Sequence[int]] | None = None
    """Who sits at each seat of its first games, where that follows from the games before; by place in the list."""

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
            raise InputError(f"{field('games')} must be at least 1, got {self.games}")
        self.game.check_seats(self.seats)
        check_table(len(self.contestants), self.seats)

    @property
    def kind(self) -> str:
        """What its games have in common with those of other parts that can be pooled with them: game and rules."""
        return f"{self.game.name} {self.rules.model_dump_json()}"

    def fixtures(self, prefix: str, balance: Balance | None = None) -> Iterator[Fixture]:
        """Its games one after the other; a game's key is its number after the prefix. With a balance, seats and
        meetings are even over the other parts' games too."""
        for number, table in enumerate(self._tables(balance), self.first):
            seated = [self.contestants[place] for place in table]
            yield Fixture(f"{prefix}{number}", self.game, self.rules, seated, GameChance(self.seed, number))

    def _tables(self, balance: Balance | None) -> Iterator[Sequence[int]]:
        """For each game, who sits at each seat, by place in the list of contestants."""
        count = len(self.contestants)
        if self.seating is not None:
            return iter(self.seating)
        if self.fixed:
            return repeat(range(count), self.games)
        if self.pairs:
            # Of a player who was added, who stands last, the pairs that it lacks.
            met = [pair for pair in all_pairs(count) if not self.first or count - 1 in pair]
            return islice(cycle(met), self.games)
        return balanced_tables(count, self.seats, self.first + self.games, self.seed, balance, self.first)


@dataclass(frozen=True)
class Added:
    """A player who was added to a part when its games were planned already: it plays in all of these."""

    part: int
    """Which part, counted from 0."""
    player: Contestant
    games: int

    @property
    def settings(self) -> dict[str, Any]:
        """All that decides it, as plain data."""
        return {"part": self.part, "player": description(self.player), "games": self.games}


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
    schedule: int | str = BALANCED
    """The version of the balanced schedule: 1, of older experiments, is even within each part, 2 over all parts. Or
    'adaptive'."""
    until: str | None = None
    """The rule by which it stops before all games are played."""
    registration: Mapping[str, Any] | None = None
    """What was registered before the first call."""
    added: tuple[Added, ...] = ()
    """Who was added to which part, in this order."""
    most: int | None = None
    """Only its first games: those of a stage. It is no part of its settings."""

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
        games = sum(part.games for part in self.parts) + sum(one.games for one in self.added)
        return games if self.most is None else min(games, self.most)

    @property
    def staged(self) -> bool:
        """Whether it is played in stages, each of which says whether to stop, or who sits down next."""
        return self.most is None and (self.until is not None or self.schedule == ADAPTIVE)

    @cached_property
    def models(self) -> dict[str, Contestant]:
        """Everybody who is asked over a network, by name."""
        everybody = [contestant for part in self.parts for contestant in part.contestants]
        everybody += [one.player for one in self.added]
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
        optional: dict[str, Any] = {
            "seconds": self.seconds,
            "wait": self.wait,
            "file": self.file,
            "until": self.until,
            "registration": self.registration,
        }
        given = {name: value for name, value in optional.items() if value is not None}
        if self.added:
            given["added"] = [one.settings for one in self.added]
        return {**single, "schedule": self.schedule, **limits, **given}

    def check(self) -> None:
        """Refuse what cannot be played, before anything is written."""
        if self.people and not (self.alone or (self.games == 1 and self.parts[0].fixed)):
            raise InputError(f"people can be seated in one game only; {PEOPLE_HINT}")
        for part in self.parts:
            part.check()
        if self.games > MOST_GAMES:
            raise InputError(
                f"{self.games:,} games are too many for one experiment; at most {MOST_GAMES:,} are possible"
            )
        if self.added:
            imported("ostrom.experiment.adding:check_added")(self)
        if self.staged:
            imported("ostrom.experiment.stages:check_stages")(self)  # by its path: few need what analyses games
        if self.seconds is not None and not 0 < self.seconds <= LONGEST:
            raise InputError(
                f"the seconds for an answer must be more than 0 and at most {LONGEST:,}, got {self.seconds:g}"
            )
        if self.wait is not None and not 0 <= self.wait <= LONGEST:
            raise InputError(f"the wait for people must be from 0 to {LONGEST:,} seconds, got {self.wait:g}")

    def fixtures(self) -> Iterator[Fixture]:
        """All games, made one at a time: part after part, or in turn where a rule may stop them."""
        numbered = [*enumerate(self.parts), *self._later_parts()]
        even: Iterable[Balance | None] = repeat(None)
        if self.schedule != 1:
            # Added players come last, so that earlier ones keep their numbers.
            even = balances([(part.kind, [one.name for one in part.contestants], part.seats) for _, part in numbered])
        made = [
            part.fixtures("" if len(self.parts) == 1 else f"{place + 1}-", balance)
            for (place, part), balance in zip(numbered, even, strict=False)
        ]
        in_turn = (fixture for row in zip_longest(*made) for fixture in row if fixture is not None)
        return islice(chain.from_iterable(made) if self.until is None else in_turn, self.most)

    def _later_parts(self) -> Iterator[tuple[int, Part]]:
        """The games of those who were added, each among all who were there before, with the number of its part."""
        now = list(self.parts)
        for one in self.added:
            part = now[one.part]
            together = [*part.contestants, one.player]
            later = replace(part, contestants=together, games=one.games, first=part.first + part.games)
            now[one.part] = later
            yield one.part, later


def benchmark(
    game: Game, contestants: Sequence[Contestant], rules: Any, games: int, seats: int | None, seed: int
) -> Experiment:
    """The experiment in which these players meet equally often. In games with two roles, `games` is how often each
    ordered pair meets; else how many are played."""
    if game.instrument:
        raise InputError(f"there is no benchmark of {game.command}; 'ostrom list games' shows what can be played")
    two_roles = game.seats.most == 2
    everybody = len(contestants)
    if two_roles and games > 0:  # of a number that cannot be, what was typed is told
        game.check_seats(min(everybody, game.seats.most))
        games *= everybody * (everybody - 1)
    seated = (game.seats.usual or everybody) if seats is None else seats
    return Experiment((Part(game, rules, contestants, seated, games, seed, pairs=two_roles),))


class _KeptPart(BaseModel):
    """A part as a journal keeps it."""

    model_config = ConfigDict(strict=True)

    game: str
    rules: dict[str, Any]
    players: list[Any]
    seats: int
    games: int
    seed: int = Field(ge=0, lt=SEEDS)
    fixed: bool = False
    pairs: bool = False

    def part(self) -> Part:
        if self.game not in GAMES:
            raise InputError(
                f"the game {clean(self.game)!r} is not installed; if a file of yours brings it, name that file: "
                f"{field('plugin', 'FILE.py')}"
            )
        game = GAMES[self.game]
        players = [contestant_of(game.name, described) for described in self.players]
        rules = make_rules(game, self.rules)
        return Part(game, rules, players, self.seats, self.games, self.seed, self.fixed, self.pairs)


class _KeptAdded(BaseModel):
    """Who was added, as a journal keeps it."""

    model_config = ConfigDict(strict=True)

    part: NonNegativeInt
    player: Any
    games: int


class _Kept(BaseModel):
    """An experiment as a journal keeps it."""

    model_config = ConfigDict(strict=True)

    parts: list[_KeptPart] = Field(min_length=1)
    limits: Limits | None = None
    file: str | None = None
    seconds: float | None = None
    wait: float | None = None
    until: str | None = None
    registration: dict[str, Any] | None = None
    schedule: int | str = 1
    added: list[_KeptAdded] = []


def experiment_of(name: str, settings: Mapping[str, Any]) -> Experiment:
    """The experiment that these settings, as a journal keeps them, describe."""
    try:
        limits = Limits.model_validate(settings["limits"]) if "limits" in settings else None
        kept = _Kept.model_validate({"parts": [settings], **settings, "limits": limits})
        parts = tuple(one.part() for one in kept.parts)
        added = tuple(
            Added(one.part, contestant_of(parts[one.part].game.name, one.player), one.games) for one in kept.added
        )
    except (LookupError, TypeError, ValidationError) as error:
        raise InputError(f"{name} was not planned by a benchmark, so it cannot be resumed") from error
    others = kept.model_dump(include={"file", "seconds", "wait", "until", "registration", "schedule"})
    return Experiment(parts, name, limits, **others, added=added)
