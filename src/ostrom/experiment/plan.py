"""The plan of an experiment: games, rules, players, seeds and seating. The journal stores it as JSON. Players can be
added to a benchmark later. Each of them plays as many games as were planned for the others."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, cycle, islice, permutations, repeat, zip_longest
from typing import Any, Final

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, NonNegativeInt, ValidationError

from ostrom.core import GameChance, InputError
from ostrom.core.arrangements import RoleBalance, balance_of, mirrors
from ostrom.core.chance import SEEDS
from ostrom.core.errors import field
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.plugins import GAMES
from ostrom.core.text import clean
from ostrom.experiment.limits import Limits
from ostrom.experiment.match import Fixture
from ostrom.experiment.schedule import (
    ADAPTIVE,
    BALANCED,
    Balance,
    balanced_tables,
    balances,
    check_table,
    mirrored_tables,
    round_robin,
)
from ostrom.players.base import Contestant
from ostrom.players.people import PEOPLE_HINT, HumanContestant
from ostrom.players.roster import contestant_of, description

SECONDS: Final = 300.0
"""The default number of seconds that a person has for an answer."""
WAIT: Final = 600.0
"""The default number of seconds to wait for people to open their links. The time for their first answer begins after
this wait."""
MAX_GAMES: Final = 2**31 - 1
MAX_SECONDS: Final = 86_400
"""The largest value of both times, which is one day."""


@dataclass(frozen=True)
class Part:
    """Many games of one kind, with balanced meetings and seats."""

    game: Game
    rules: Any
    contestants: Sequence[Contestant]
    """A contestant that is listed twice counts as two."""
    seats: int
    games: int
    seed: int
    fixed: bool = False
    """True if contestants sit in the order of the list in every game."""
    pairs: bool = False
    """True if all ordered pairs play one after another, for games with two roles."""
    first: int = 0
    """The number of the part's first game. The games of an added player continue the numbering of the part."""
    seating: Sequence[Sequence[int]] | None = None
    """The tables of its first games, if they were chosen by the results of earlier games. Entries are indices of
    `contestants`."""
    mirrored: bool = False
    """True if games with roles are mirrored. A mirrored game is played again with the same draws, and with the players
    in exchanged roles."""

    @property
    def settings(self) -> dict[str, Any]:
        """The part as JSON."""
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
        """Raise InputError if the part is not playable."""
        if self.games < 1:
            raise InputError(f"{field('games')} must be at least 1, got {self.games}")
        self.game.check_seats(self.seats)
        check_table(len(self.contestants), self.seats)

    @property
    def kind(self) -> str:
        """The game and its rules. Parts of the same kind are pooled."""
        return f"{self.game.name} {self.rules.model_dump_json()}"

    def fixtures(self, prefix: str, balance: Balance | None = None) -> Iterator[Fixture]:
        """Yield its games. The key of a game is the prefix and the number of the game. If a `balance` is given, the
        games of other parts are balanced too."""
        for number, table in enumerate(self._tables(balance), self.first):
            contestants = [self.contestants[place] for place in table]
            chance = GameChance(self.seed, self._draw(number))
            yield Fixture(f"{prefix}{number}", self.game, self.rules, contestants, chance)

    def _draw(self, number: int) -> int:
        """Return the number that determines the draws of a game. Mirrored games have the same number."""
        if not self.mirrored or self.fixed or self.seating is not None:
            return number
        size = 2 if self.pairs else len(mirrors(self._groups))
        return self.first + (number - self.first) // size

    @property
    def _groups(self) -> tuple[int, ...]:
        """The groups of seats that are mirrored; a single group if the seats have no roles."""
        return (0,) * self.seats if self.game.roles is None else self.game.seat_groups(self.seats)

    @cached_property
    def _ordered_pairs(self) -> list[tuple[int, ...]]:
        """All pairs in both orders. If games are mirrored, the two orders of a pair follow each other. An added player
        comes last, and plays only the pairs that include it."""
        count = len(self.contestants)
        pairs: Iterable[tuple[int, ...]] = permutations(range(count), 2)
        if self.mirrored:
            pairs = chain.from_iterable((pair, pair[::-1]) for pair in round_robin(count))
        return [pair for pair in pairs if not self.first or count - 1 in pair]

    @property
    def role_balance(self) -> RoleBalance | None:
        """The balance of roles. It is None if seats have no roles, or if tables depend on results."""
        if self.game.roles is None or self.fixed or self.seating is not None:
            return None
        tables = np.asarray(list(self._tables(None))).T
        return balance_of(tables, self.game.seat_groups(self.seats), len(self.contestants))

    def _tables(self, balance: Balance | None) -> Iterator[Sequence[int]]:
        """Yield the table of each game, as indices of `contestants`."""
        count = len(self.contestants)
        if self.seating is not None:
            return iter(self.seating)
        if self.fixed:
            return repeat(range(count), self.games)
        if self.pairs:
            return islice(cycle(self._ordered_pairs), self.games)
        if self.mirrored and len(set(self._groups)) > 1:
            if balance is None:
                (balance,) = balances([(self.kind, [str(place) for place in range(count)], self.seats)])
            return mirrored_tables(count, self._groups, self.first + self.games, self.seed, balance, self.first)
        return balanced_tables(count, self.seats, self.first + self.games, self.seed, balance, self.first)


@dataclass(frozen=True)
class Added:
    """A player who was added to a part after it was planned, and the number of added games. The player has a seat in
    each of them."""

    part: int
    """The number of the part, from 0."""
    player: Contestant
    games: int

    @property
    def settings(self) -> dict[str, Any]:
        """The addition as JSON."""
        return {"part": self.part, "player": description(self.player), "games": self.games}


@dataclass(frozen=True)
class Experiment:
    """One or more parts with one journal entry and one budget."""

    parts: tuple[Part, ...]
    name: str | None = None
    limits: Limits | None = None
    """The limits of calls. They apply only to models."""
    file: str | None = None
    """The text of the file that describes it."""
    title: str | None = None
    """The kind of experiment, if it differs from the name of its game."""
    seconds: float | None = None
    """The number of seconds that a person has for an answer."""
    wait: float | None = None
    """The number of seconds to wait for people to open their links. The time for their first answer begins after this
    wait."""
    schedule: int | str = BALANCED
    """The version of the balanced schedule, or 'adaptive'. Version 1 is balanced within each part, and version 2 over
    all parts. Version 3 is like version 2, and also mirrors games if seats have roles."""
    until: str | None = None
    """The rule that may stop the experiment early."""
    registration: Mapping[str, Any] | None = None
    """The analysis plan that was registered before the first call."""
    added: tuple[Added, ...] = ()
    """The added players, in the order of addition."""
    max_games: int | None = None
    """If set, only this number of games is played, which is the number at the end of a stage. It is not stored with the
    settings."""

    @property
    def called(self) -> str:
        """The name of the experiment; by default the names of its games. The seed is left out, because it is secret
        while a game is under way."""
        return self.name or " and ".join(dict.fromkeys(part.game.command for part in self.parts))

    @property
    def kind(self) -> str:
        """The title of the experiment. Without a title, it is the command of its game, or 'mixed' if there are several
        games."""
        if self.title is not None:
            return self.title
        commands = {part.game.command for part in self.parts}
        return commands.pop() if len(commands) == 1 else "mixed"

    @property
    def games(self) -> int:
        games = sum(part.games for part in self.parts) + sum(addition.games for addition in self.added)
        return games if self.max_games is None else min(games, self.max_games)

    @property
    def staged(self) -> bool:
        """True if the experiment is played in stages. After each stage, a rule may stop it, or the next tables are
        chosen."""
        return self.max_games is None and (self.until is not None or self.schedule == ADAPTIVE)

    @cached_property
    def players(self) -> list[Contestant]:
        """All contestants, added ones last."""
        planned = [contestant for part in self.parts for contestant in part.contestants]
        return planned + [addition.player for addition in self.added]

    @cached_property
    def models(self) -> dict[str, Contestant]:
        """The remote players by name."""
        return {player.name: player for player in self.players if hasattr(player, "bot")}

    @property
    def people(self) -> list[int]:
        """The indices of the seats of people."""
        seats = [seat for part in self.parts for seat in enumerate(part.contestants)]
        return sorted({index for index, player in seats if isinstance(player, HumanContestant)})

    @property
    def alone(self) -> bool:
        """True if all games are single questions to one player."""
        return all(part.seats == len(part.contestants) == part.games == 1 for part in self.parts)

    @property
    def settings(self) -> dict[str, Any]:
        """The experiment as JSON."""
        parts = self.parts[0].settings if len(self.parts) == 1 else {"parts": [part.settings for part in self.parts]}
        limits = {"limits": self.limits.model_dump(mode="json")} if self.limits is not None else {}
        optional: dict[str, Any] = {
            "seconds": self.seconds,
            "wait": self.wait,
            "file": self.file,
            "until": self.until,
            "registration": self.registration,
        }
        present = {name: value for name, value in optional.items() if value is not None}
        if self.added:
            present["added"] = [addition.settings for addition in self.added]
        return {**parts, "schedule": self.schedule, **limits, **present}

    def check(self) -> None:
        """Raise InputError if the experiment is not playable."""
        if self.people and not (self.alone or (self.games == 1 and self.parts[0].fixed)):
            raise InputError(f"people can be seated in one game only; {PEOPLE_HINT}")
        for part in self.parts:
            part.check()
        if self.games > MAX_GAMES:
            raise InputError(
                f"{self.games:,} games are too many for one experiment; at most {MAX_GAMES:,} are possible"
            )
        if self.added:
            self._check_added()
        if self.staged:
            imported("ostrom.experiment.stages:check_stages")(self)  # Only stages need the analysis of games.
        if self.seconds is not None and not 0 < self.seconds <= MAX_SECONDS:
            raise InputError(
                f"the seconds for an answer must be more than 0 and at most {MAX_SECONDS:,}, got {self.seconds:g}"
            )
        if self.wait is not None and not 0 <= self.wait <= MAX_SECONDS:
            raise InputError(f"the wait for people must be from 0 to {MAX_SECONDS:,} seconds, got {self.wait:g}")

    def _check_added(self) -> None:
        self.check_extensible()
        for addition in self.added:
            if not 0 <= addition.part < len(self.parts) or addition.games < 1:
                raise InputError(f"{self.called} was changed by hand, and cannot be continued")
            part = self.parts[addition.part]
            if part.pairs and part.seats != 2:
                raise InputError("pairs meet at tables of two")

    def check_extensible(self) -> None:
        """Raise InputError if no player can be added."""
        if self.people or self.alone:
            raise InputError(
                f"{self.called} has people, or single questions to one player; run a new experiment for a new player"
            )
        if any(part.fixed for part in self.parts):
            raise InputError(f"all players of {self.called} sit at every table; run a new experiment for a new player")
        if self.until is not None or self.schedule == ADAPTIVE:
            raise InputError(f"the plan of {self.called} depends on its results, and no player can be added to it")
        if self.schedule == 1:
            raise InputError(f"{self.called} was planned by an older Ostrom, whose tables cannot be continued evenly")
        if self.registration is not None:
            raise InputError(f"the plan of {self.called} is registered and must not change; run a new experiment")

    def with_players(self, players: Sequence[Contestant], games: int | None = None) -> "Experiment":
        """Return the experiment with further players, each in `games` games of every part. By default, each of them
        plays as many games as were planned for each other player."""
        if not players:
            raise InputError(f"name the players to be added: {field('include', 'NAME')} or {field('llm', 'MODEL')}")
        if games is not None and games < 1:
            raise InputError(f"{field('games')} must be at least 1, got {games}")
        self.check_extensible()
        extended = self
        for player in players:
            if isinstance(player, HumanContestant):
                raise InputError("people can play in single games only, not in a benchmark")
            if player.name in {other.name for other in extended.players}:
                raise InputError(f"{clean(player.name)} already plays in {self.called}")
            additions = [Added(place, player, games or extended._share(place)) for place in range(len(self.parts))]
            extended = replace(extended, added=(*extended.added, *additions))
        extended.check()
        return extended

    def _share(self, place: int) -> int:
        """Return the number of games of a part that were planned for each player. If ordered pairs play, this is the
        number of games against all other players, in both roles."""
        part = self.parts[place]
        count = len(part.contestants)
        if not part.pairs:
            return max(1, part.games * part.seats // count)
        rounds = max(1, round(part.games / (count * (count - 1))))
        return 2 * rounds * (count + sum(addition.part == place for addition in self.added))

    def role_balances(self) -> list[RoleBalance]:
        """Return the balance of roles in each part whose seats have roles."""
        parts = (replace(part, mirrored=self.schedule == BALANCED) for part in self.parts)
        found = (part.role_balance for part in parts if self.schedule != ADAPTIVE)
        return [balance for balance in found if balance is not None]

    def fixtures(self) -> Iterator[Fixture]:
        """Yield all games. They are ordered part by part, or alternate between parts if a rule may stop them."""
        numbered = [
            (place, replace(part, mirrored=self.schedule == BALANCED))
            for place, part in (*enumerate(self.parts), *self._added_parts())
        ]
        part_balances: Iterable[Balance | None] = repeat(None)
        if self.schedule != 1:
            # Added players come last, so that the games of earlier players keep their numbers.
            part_balances = balances(
                [(part.kind, [player.name for player in part.contestants], part.seats) for _, part in numbered]
            )
        by_part = [
            part.fixtures("" if len(self.parts) == 1 else f"{place + 1}-", balance)
            for (place, part), balance in zip(numbered, part_balances, strict=False)
        ]
        if self.until is None:
            return islice(chain.from_iterable(by_part), self.max_games)
        in_turn = (fixture for row in zip_longest(*by_part) for fixture in row if fixture is not None)
        return islice(in_turn, self.max_games)

    def _added_parts(self) -> Iterator[tuple[int, Part]]:
        """Yield for each added player the number of the original part, and a part with the player's games against the
        players before it."""
        parts = list(self.parts)
        for addition in self.added:
            part = parts[addition.part]
            contestants = [*part.contestants, addition.player]
            parts[addition.part] = replace(
                part, contestants=contestants, games=addition.games, first=part.first + part.games
            )
            yield addition.part, parts[addition.part]


def benchmark(
    game: Game, contestants: Sequence[Contestant], rules: Any, games: int, seats: int | None, seed: int
) -> Experiment:
    """Return the experiment in which these players meet equally often. `games` is the total number of games."""
    if game.instrument:
        raise InputError(
            f"there is no benchmark of {game.command}: it asks each player alone, so players do not meet in it"
        )
    two_roles = game.seats.most == 2
    if two_roles:
        game.check_seats(min(len(contestants), game.seats.most))
    if seats is None:
        seats = game.seats.usual or len(contestants)
    return Experiment((Part(game, rules, contestants, seats, games, seed, pairs=two_roles),))


class _StoredPart(BaseModel):
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
                f"the game {clean(self.game)!r} is not installed; if a file of yours defines it, name that file: "
                f"{field('plugin', 'FILE.py')}"
            )
        game = GAMES[self.game]
        players = [contestant_of(game.name, described) for described in self.players]
        rules = make_rules(game, self.rules)
        return Part(game, rules, players, self.seats, self.games, self.seed, self.fixed, self.pairs)


class _StoredAddition(BaseModel):
    model_config = ConfigDict(strict=True)

    part: NonNegativeInt
    player: Any
    games: int


class _StoredPlan(BaseModel):
    model_config = ConfigDict(strict=True)

    parts: list[_StoredPart] = Field(min_length=1)
    limits: Limits | None = None
    file: str | None = None
    seconds: float | None = None
    wait: float | None = None
    until: str | None = None
    registration: dict[str, Any] | None = None
    schedule: int | str = 1
    added: list[_StoredAddition] = []


def experiment_of(name: str, settings: Mapping[str, Any]) -> Experiment:
    """Return the experiment with these settings of a journal. Raise InputError if they are of another kind."""
    try:
        limits = Limits.model_validate(settings["limits"]) if "limits" in settings else None
        if limits is not None:
            # Otherwise a forged experiment could name a journal of this user, or a server that asks for a password.
            limits = limits.model_copy(update={"reuse": None, "reuse_sampled": False})
        stored = _StoredPlan.model_validate({"parts": [settings], **settings, "limits": limits})
        parts = tuple(part.part() for part in stored.parts)
        added = []
        for addition in stored.added:
            player = contestant_of(parts[addition.part].game.name, addition.player)
            added.append(Added(addition.part, player, addition.games))
    except (LookupError, TypeError, ValidationError) as error:
        raise InputError(f"{name} was not planned by a benchmark, so it cannot be resumed") from error
    fields = stored.model_dump(include={"file", "seconds", "wait", "until", "registration", "schedule"})
    return Experiment(parts, name, limits, **fields, added=tuple(added))
