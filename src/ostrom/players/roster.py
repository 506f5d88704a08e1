"""The roster: it creates contestants from their names, which are the same on the command line, in programs and in
journals."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from ostrom.core import Chance, InputError, Registry, Seat, UnknownName
from ostrom.core.entry_points import PLAYERS_GROUP, loaded
from ostrom.core.errors import field
from ostrom.core.game import Game
from ostrom.core.plugins import DEFAULT_GAME, GAMES, load_file
from ostrom.core.text import clean
from ostrom.players import policy
from ostrom.players.base import Contestant, Player, is_remote
from ostrom.players.models.bots import Bot, bot_files, bot_of_model, load_bot
from ostrom.players.models.briefing import briefing_of, framing_of
from ostrom.players.models.framing import SEAT_FIRST, Framing
from ostrom.players.models.local.weights import is_local
from ostrom.players.people import PEOPLE_HINT, HumanContestant, person_named
from ostrom.players.people.seat import HUMAN
from ostrom.players.strategy import (
    Definition,
    StrategyEntry,
    brought_for,
    enter,
    entered_by,
    entry_of,
    find_strategy,
    games_of,
)
from ostrom.players.written import player as written_player

if TYPE_CHECKING:
    from ostrom.players.models.local.player import LocalPlayer
    from ostrom.players.models.player import ModelPlayer

_MAX_COPIES = 10_000


def load_players_file(path: str | os.PathLike[str]) -> list[str]:
    """Import a Python file of strategies or subjects and return the names that it registered."""
    module = load_file(path, setting="players").__name__
    for game in games_of(module):
        # This raises an error if there is no such game, or if a name is already used.
        built_in_players(GAMES[game].name if game in GAMES else GAMES.of_command(game).name)
    names = entered_by(module)
    if not names:
        raise InputError(f"{path} registers no player; put @strategy(game=...) above a class or a function")
    return names


@cache
def load_installed() -> None:
    """Import the players that installed packages declare. A failure is recorded and does not stop the others."""
    for _ in loaded(PLAYERS_GROUP):
        continue


def choose(
    include: Sequence[str] = (), exclude: Sequence[str] = (), *, game: str = DEFAULT_GAME
) -> list[StrategyEntry]:
    """Return registered strategies of the game. These are the strategies in `include` ("NAME" or "NAME:n"), or all if
    it is empty. Strategies in `exclude` are left out."""
    _check_list(include)
    _check_list(exclude)
    known = players_by_name(game)
    return [find_strategy(known, name) for name in _names(known, include, exclude)]


def seat_players(
    game: str, include: Sequence[str] = (), exclude: Sequence[str] = (), models: Sequence[str] = ()
) -> list[Contestant]:
    """Return the contestants of a table. These are the players in `include`, which are built-in players, bots or people
    ("NAME", "NAME:n", "human"). By default, they are the game's built-in players. Players in `exclude` are left out. A
    contestant for each of `models`, in the notation of pydantic-ai, is added."""
    built_in = players_by_name(game)
    people = not GAMES[game].instrument
    names = _names(_with_bots(built_in, people) if include or exclude else built_in, include, exclude, built_in)
    return [*(_contestant(game, name) for name in names), *seat_models(game, models)]


def seat_models(game: str, models: Sequence[str], temperature: float | None = None) -> list[Contestant]:
    """Return a contestant without personality for each model. If `temperature` is None, the default temperature is
    used."""
    for model in models:
        if (name := model.partition(":")[0]) in bot_files():
            raise InputError(f"{clean(name)} is a bot, not a provider of models: use {field('include', clean(model))}")
    bots = [bot_of_model(model) for model in models]
    if temperature is not None:
        bots = [bot.model_copy(update={"temperature": temperature}) for bot in bots]
    return [ModelContestant(bot, game) for bot in bots]


@dataclass(frozen=True)
class ModelContestant:
    """A bot as a player of one game, which is described to the bot in one framing."""

    bot: Bot
    game: str
    """The game's name in records."""
    framing: Framing | None = None
    """The framing of prompts. By default, it is the plain framing in the bot's own wording."""

    @property
    def name(self) -> str:
        return self.bot.name

    @property
    def own_framing(self) -> Framing:
        if self.framing is not None:
            return self.framing
        return replace(framing_of(self.game), variant=self.bot.variant, layout=self.bot.layout)

    def sit(self, seat: Seat, chance: Chance) -> "ModelPlayer | LocalPlayer":
        """Return a player for a seat of a new game. All seats of a bot share one connection."""
        # These modules are imported here, since they are needed only if a model plays.
        if is_local(self.bot.model):
            from ostrom.players.models.local.player import local_player

            return local_player(self.bot, briefing_of(self.game), self.own_framing, chance)
        from ostrom.players.models.connection import connect
        from ostrom.players.models.player import ModelPlayer

        return ModelPlayer(self.bot, connect(self.bot), briefing_of(self.game), self.own_framing, chance)


Seated: TypeAlias = str | Definition | Bot | Contestant
"""A player in the form in which users of the library write it. This is a name ("Pavlov", "Pavlov:3",
"openai:gpt-5-mini"), their own class or function, a bot, or a player."""


def contestants_of(game: Game, players: Sequence[Seated] | None) -> list[Contestant]:
    """Return the players of a list as contestants. Without a list, return the game's own players."""
    if players is None:
        return seat_players(game.name)
    _check_list(players)
    return [seated for player in players for seated in _seated(game, player)]


def _check_list(players: object) -> None:
    if isinstance(players, str) or not isinstance(players, Iterable):
        raise InputError(f"players must be a list, as in [{players!r}]")


def _seated(game: Game, player: Seated) -> list[Contestant]:
    if isinstance(player, str):
        return seat_models(game.name, [player]) if _is_model(game, player) else seat_players(game.name, [player])
    if isinstance(player, Bot):
        return [ModelContestant(player, game.name)]
    if isinstance(player, type):
        return [entry_of(player)]
    if hasattr(player, "sit"):
        return [cast(Contestant, player)]
    if callable(player):
        return [entry_of(player)]
    raise InputError(
        f"{player!r} is not a player; it must be a name, a strategy (a class or function), a bot, or a player"
    )


def _is_model(game: Game, name: str) -> bool:
    """Return whether a name is a model's name, such as openai:gpt-5-mini. It is a model's name if the part before the
    colon is no known player and the part after the colon is not a number of seats."""
    first, colon, rest = name.partition(":")
    known = first == HUMAN or first in players_by_name(game.name) or first in bot_files() or name.endswith(".json")
    return bool(colon and rest) and not rest.removeprefix("-").isdecimal() and not known


def strategies_of(game: Game, players: Sequence[Seated] | None) -> list[StrategyEntry]:
    """Return the strategies of a list, for games that are played in bulk. Without a list, return all strategies of the
    game. Raise `InputError` for players that are not strategies."""
    if players is None:
        return choose(game=game.name)
    entries = []
    for contestant in contestants_of(game, players):
        if not isinstance(contestant, StrategyEntry):
            kind = "a language model" if hasattr(contestant, "bot") else "not a strategy"
            raise InputError(f"{clean(contestant.name)} is {kind}: play it with ostrom.play(...) or ostrom.bench(...)")
        entries.append(contestant)
    return entries


def names_of(players: Sequence[Seated]) -> list[str]:
    """Return the names that players will have in results, as far as these are known before the players are seated."""
    return [
        player if isinstance(player, str) else getattr(player, "name", getattr(player, "__name__", ""))
        for player in players
    ]


def built_in_players(game: str) -> Registry[StrategyEntry]:
    """Return the strategies or subjects of a game by name: those that the game declares, and those of files and
    packages."""
    load_installed()
    own, brought = own_players(GAMES[game]), brought_for(GAMES[game])
    if not brought:
        return own
    registry: Registry[StrategyEntry] = Registry(own.kind)
    for entry in [*own.values(), *brought]:
        enter(registry, entry)
    return registry


def players_by_name(game: str) -> Registry[StrategyEntry]:
    """Return all players that can be named. These are the built-in players and, in games that have an array form, the
    policies in files; except in instruments, they are also the written strategies in files."""
    known = built_in_players(game)
    families: list[tuple[str, str, str, Callable[[str], StrategyEntry]]] = []
    if GAMES[game].step is not None and policy.FAMILY not in known:
        member = partial(policy.policy_named, game=GAMES[game], find=partial(find_strategy, known))
        families.append((policy.FAMILY, policy.DESCRIPTION, policy.__name__, member))
    if not GAMES[game].instrument and written_player.FAMILY not in known:
        families.append(
            (written_player.FAMILY, written_player.DESCRIPTION, written_player.__name__, written_player.written)
        )
    if not families:
        return known
    registry: Registry[StrategyEntry] = Registry(known.kind)
    for entry in known.values():
        registry.add(entry.name, entry)
    for name, about, module, find in families:
        registry.add(name, StrategyEntry(name, about, None, None, module, name, member=find))
    return registry


def built_in_names(game: str) -> list[str]:
    """Return the names of built-in players. Families are left out, since their members must be named."""
    return [name for name, entry in built_in_players(game).items() if entry.member is None]


def default_names(game: str) -> list[str]:
    """Return the names of the players that play by default. Families are left out, and so are players whose only
    purpose is to give no valid answers."""
    return [name for name, entry in built_in_players(game).items() if entry.plays_by_default]


def descriptions(game: str) -> list[dict[str, Any]]:
    """Return the strategies or subjects of a game for lists: name, origin, description and, if there are any,
    parameters as 'name=default'."""
    rows = []
    for entry in built_in_players(game).values():
        row: dict[str, Any] = {"name": entry.name, "from": entry.origin, "description": entry.description}
        if entry.parameters:
            row["parameters"] = [f"{parameter.name}={parameter.default:g}" for parameter in entry.parameters]
        rows.append(row)
    return rows


def own_players(game: Game) -> Registry[StrategyEntry]:
    """Return the players that a game declares, as a registry or as a list of strategies."""
    part = game.part("players")
    if isinstance(part, Registry):
        return part
    registry: Registry[StrategyEntry] = Registry("player")
    for definition in part or ():
        enter(registry, entry_of(definition))
    return registry


def description(contestant: Contestant) -> str | dict[str, Any]:
    """Return a contestant as plain data, without keys: the name of a strategy, the settings of a model, or the id of a
    person."""
    if isinstance(contestant, HumanContestant) and contestant.person:
        return {"person": contestant.person}
    bot = getattr(contestant, "bot", None)
    return contestant.name if bot is None else {"bot": bot.model_dump(mode="json")}


def contestant_of(game: str, description: str | Mapping[str, Any]) -> Contestant:
    """Return the contestant that a result of `description` describes. A name must already be registered, since a name
    in a journal does not cause a file to be read."""
    if isinstance(description, str):
        if description == HUMAN:
            return HumanContestant(game)
        check_registered(game, description)
        return find_strategy(players_by_name(game), description)
    if "person" in description:
        return HumanContestant(game, person=str(description["person"]))
    # A bot that was stored before prompts had layouts keeps its prompts of that time.
    return ModelContestant(Bot.model_validate({"layout": SEAT_FIRST, **description["bot"]}), game)


def check_registered(game: str, name: str) -> None:
    """Raise `InputError` if a player of a journal comes neither from a package nor from a file that the user named."""
    if name.partition(":")[0] not in players_by_name(game):
        raise InputError(
            f"{GAMES[game].command} has no player called {clean(name)!r}; if a file of yours defines it, "
            f"name that file: {field('players', 'FILE.py')}"
        )


def _contestant(game: str, name: str) -> Contestant:
    if (person := person_named(name)) is not None:
        return HumanContestant(game, person=person)
    known = players_by_name(game)
    if name.partition(":")[0] in known:
        return find_strategy(known, name)
    return ModelContestant(load_bot(name), game)


def _with_bots(built_in: Registry[Any], people: bool) -> Registry[Any]:
    """Return a registry with all names of built-in players, bots and people. If a name is unknown, its nearest match is
    searched in this registry."""
    registry: Registry[Any] = Registry(built_in.kind)
    for name in dict.fromkeys([*built_in, *bot_files(), *([HUMAN] if people else [])]):
        registry.add(name, built_in.get(name))
    return registry


def _names(
    known: Registry[Any], include: Sequence[str], exclude: Sequence[str], all_of: Registry[Any] | None = None
) -> list[str]:
    names = [name for name, entry in (all_of or known).items() if entry is None or entry.plays_by_default]
    chosen = [name for item in include for name in _copies(known, item)] if include else names
    for name in exclude:
        known[name]
        if name not in chosen:
            absent = "is not among the players chosen with" if include else "plays only if it is named with"
            raise InputError(f"{field('exclude', name)}: {name} {absent} {field('include')}")
    return [name for name in chosen if name not in exclude]


def _copies(known: Registry[Any], item: str) -> list[str]:
    if item.startswith(f"{HUMAN}=") and HUMAN in known:
        return [item]
    name, colon, times = item.rpartition(":") if ":" in item else (item, "", "")
    family = getattr(known.get(item.partition(":")[0]), "member", None) is not None
    if "=" in times or (family and not (":" in name and times.isdecimal())):
        name, colon = item, ""  # The part after the colon is a list of parameters of a strategy, not a number of seats.
    if name == HUMAN and HUMAN not in known:
        raise InputError(f"{item!r}: people cannot play here; {PEOPLE_HINT}")
    first = name.partition(":")[0]
    if first not in known and not name.endswith(".json"):  # A name that ends in .json is the path of a bot file.
        hint = (
            f"'ostrom list' shows every {known.kind}; a model has its provider before its name, as in openai:gpt-5-mini"
        )
        raise UnknownName(known.kind, first, known.nearest(first), catalogue=hint)
    if not colon:
        return [name]
    if not times.isdecimal() or int(times) < 1:
        raise InputError(f"{item!r}: the number after the colon must be 1 or more, as in {name}:3")
    if int(times) > _MAX_COPIES:
        raise InputError(f"{item!r}: no game has this many seats; the number must be at most {_MAX_COPIES:,}")
    return [name] * int(times)


def opponents_of(game: Game, opponents: Sequence[Seated] | None, *, others: int | None = None) -> list[Contestant]:
    """Return the players of the other seats. These are `opponents` or, if there are none, the game's first built-in
    players. The list has `others` players, or enough for the usual number of seats."""
    if opponents is not None:
        return contestants_of(game, opponents)
    count = (game.seats.usual or game.seats.fewest) - 1 if others is None else others
    built_in = default_names(game.name)
    if count and not built_in:
        raise InputError(f"{game.command} has no players of its own; name the opponents")
    return contestants_of(game, [built_in[place % len(built_in)] for place in range(count)])


def take_seat(contestant: Contestant, place: int, chance: Chance) -> Player:
    """Seat a contestant. Raise `InputError` if it is remote, because an environment needs immediate answers."""
    player = contestant.sit(Seat(place), chance)
    if is_remote(player):
        raise InputError(f"{contestant.name} is not an algorithm; opponents in an environment must be algorithms")
    return player
