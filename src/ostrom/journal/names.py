"""Names of players, for every table, page, chart, film and export.

There are four kinds of names, and a player has the first one that exists: the name given in this journal (table
`labels`), the name in the source of its games, the usual name for its id, and the id itself. Two players never have the
same name. If the names of two players are equal but of different kinds, the name of the earlier kind is kept, and the
other player is shown by its id. If both names are of the same kind, both players are shown by their ids. Data is keyed
by ids.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cache, cached_property
from threading import Lock
from typing import Final, TypeAlias

from sqlalchemy import delete, func, insert, select

from ostrom.core.entry_points import NAMES_GROUP, loaded
from ostrom.core.errors import InputError, OstromError, UnknownName
from ostrom.core.text import LONGEST_NAME
from ostrom.journal.engine import Database
from ostrom.journal.results import players_and_labels
from ostrom.journal.rows import storable
from ostrom.journal.schema import DELETED, experiments, games, labels
from ostrom.journal.write import touch

Namer: TypeAlias = Mapping[str, str] | Callable[[str], str | None]
"""An object of an entry point in the group `ostrom.names`: names by id, or a function that returns the name for an id,
or None."""
_GREEK: Final = {"delta": "δ", "beta": "β", "alpha": "α", "gamma": "γ", "noise": "μ"}
_UNPRINTABLE: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@cache
def _sources() -> list[Namer]:
    return [namer for _, namer in loaded(NAMES_GROUP)]


def _sourced(player: str) -> str | None:
    """Return the name that a player of an imported game has in the game's source, since its short id is meaningless
    elsewhere. Return None for other players."""
    names = (namer(player) if callable(namer) else namer.get(player) for namer in _sources())
    return next((name for name in names if name is not None), None)


def suggested(player: str) -> str | None:
    """Return the usual name of an id, or None."""
    return model_name(player) or _with_settings(player)


def _with_settings(player: str) -> str | None:
    """Return the name of a strategy or subject, with its settings in the notation that papers use:
    'exponential:delta=0.9' becomes exponential δ .9."""
    name, colon, settings = player.partition(":")
    parts = [part.partition("=") for part in settings.split(",")]
    if not colon or not all(equals and key and value for key, equals, value in parts):
        return None
    values = (f"{_GREEK.get(key, key)} {value.removeprefix('0') if '.' in value else value}" for key, _, value in parts)
    return f"{name} {' '.join(values)}"


def check_label(name: str) -> str:
    """Return a given name without surrounding space. Raise InputError if the name cannot be printed on one line."""
    name = name.strip()
    if not name:
        raise InputError("a player needs a name; clear its label to remove one")
    if any(unicodedata.category(character) in _UNPRINTABLE for character in name):
        raise InputError(f"{name[:60]!r} is not a valid name of a player: use one line without control characters")
    if len(name) > LONGEST_NAME:
        raise InputError(f"a player's name has at most {LONGEST_NAME} characters, got {len(name)}")
    storable(name, "a player's name")
    return name


def _alike(name: str) -> str:
    """Return a key that is equal for two names that readers would confuse."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True)
class PlayerNames:
    """The names of the players of a journal or a record."""

    players: tuple[str, ...] = ()
    """The ids of all players, in the order of their first game."""
    imported: frozenset[str] = frozenset()
    """The ids of players whose games were all imported."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """The names that were given in this journal, by id."""

    @classmethod
    def of_players(cls, players: Iterable[str], *, imported: bool = False) -> "PlayerNames":
        """Return the names of players who are not in a journal, such as those of a record in a file."""
        unique = tuple(dict.fromkeys(players))
        return cls(unique, frozenset(unique if imported else ()))

    @cached_property
    def _names(self) -> dict[str, str]:
        ids = dict.fromkeys([*self.players, *self.labels])
        sourced = {player: _sourced(player) for player in self.imported if player not in self.labels}
        usual = {player: suggested(player) for player in ids if player not in self.labels and not sourced.get(player)}
        names_by_id = {player: player for player in ids}
        uses = Counter(map(_alike, ids))
        for tier in (self.labels, sourced, usual):
            names = {player: name for player, name in tier.items() if name is not None}
            frequency = Counter(map(_alike, names.values()))
            for player, name in names.items():
                # A name may equal the id of this player, but not that of another player.
                others = uses[_alike(name)] - (_alike(name) == _alike(player))
                if frequency[_alike(name)] == 1 and not others:
                    names_by_id[player] = name
            uses.update(
                _alike(names_by_id[player]) for player in names if _alike(names_by_id[player]) != _alike(player)
            )
        return names_by_id

    def of(self, player: str) -> str:
        """Return a player's name. If the player's id has a suffix that distinguishes players of the same name, the name
        has this suffix too: 'llama (temperature 0)'."""
        if player in self._names:
            return self._names[player]
        base, opened, apart = player.partition(" (")
        if opened and base in self._names:
            return f"{self._names[base]}{opened}{apart}"
        return self._with(player)

    def _with(self, player: str) -> str:
        """Return the name of a player who has not played in this journal yet."""
        name = suggested(player)
        used = {_alike(text) for text in (*self._names, *self._names.values())}
        return player if name is None or _alike(name) in used else name

    def suggestion(self, player: str) -> str | None:
        """Return the usual name of a player, or None."""
        return (_sourced(player) if player in self.imported else None) or suggested(player)

    def family(self, player: str) -> str | None:
        """Return the family of models to which a player belongs. Return None unless the player's id names the provider,
        or the source of its games names the model."""
        base = player.partition(" (")[0]
        sourced = _sourced(base) if base in self.imported else None
        return provider_family(base) or (None if sourced is None else named_family(sourced))

    def families(self, players: Iterable[str]) -> dict[str, str]:
        """Return the family of each of these players that has one, by id."""
        return {player: family for player in players if (family := self.family(player)) is not None}

    def all_of(self, players: Iterable[str]) -> dict[str, str]:
        """Return the names of these players by id."""
        return {player: self.of(player) for player in players}

    @property
    def differing(self) -> dict[str, str]:
        """The names of all players whose name differs from their id, by id."""
        return {player: name for player, name in self._names.items() if name != player}

    def player(self, text: str) -> str:
        """Return the id of the player with this id or name. Raise UnknownName if there is no such player."""
        if text in self.players or text in self.labels:
            return text
        matches = [player for player, name in self._names.items() if _alike(name) == _alike(text)]
        if len(matches) == 1:
            return matches[0]
        nearest = get_close_matches(text, dict.fromkeys([*self.players, *self._names.values()]), n=3)
        raise UnknownName("player", text, nearest, catalogue="'ostrom label list' shows all players")

    def check(self, player: str, name: str) -> str:
        """Return a new name for a player without surrounding space. Raise InputError if another player has the name."""
        name = check_label(name)
        for other in self._names:
            # From now on, a player with this usual name is shown by its id.
            if other != player and _alike(name) in (_alike(other), _alike(self.labels.get(other, other))):
                raise InputError(f"{name!r} is already the name of {other!r}; give {player!r} another name")
        return name


class Names:
    """The names of a journal's players."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._last = self._deleted = 0
        self._imported: dict[str, bool] = {}
        """For each player, whether all of its games were imported, judging by the games up to the last serial number
        that was read."""

    def known(self) -> PlayerNames:
        """Return the names of all players. Each game is read only once. If an experiment was deleted, all games are
        read again, since its players may no longer exist and SQLite reuses the serial numbers of its games."""
        with self._lock, self._database.reading() as connection:
            deleted_count = select(func.count()).select_from(experiments).where(experiments.c.kind == DELETED)
            deleted = connection.execute(deleted_count).scalar_one()
            if deleted != self._deleted:
                self._last, self._deleted, self._imported = 0, deleted, {}
            query = select(games.c.seats, games.c.id, games.c.serial, games.c.source.is_(None).label("own"))
            for row in connection.execute(query.where(games.c.serial > self._last).order_by(games.c.serial)):
                self._last = row.serial
                with suppress(OstromError):  # The damage is reported when the game itself is read.
                    for player in players_and_labels(row.id, row.seats)[0]:
                        self._imported[player] = self._imported.get(player, True) and not row.own
            labels_by_player = {
                row.player: row.name for row in connection.execute(select(labels).order_by(labels.c.player))
            }
            imported = frozenset(player for player, only in self._imported.items() if only)
            return PlayerNames(tuple(self._imported), imported, labels_by_player)

    def give(self, player: str, name: str) -> str:
        """Give a player a new name; return the name as it is stored."""
        name = self.known().check(player, name)
        with self._database.writing() as connection:
            touch(connection)
            connection.execute(delete(labels).where(labels.c.player == player))
            connection.execute(insert(labels), [{"player": player, "name": name}])
        return name

    def clear(self, player: str) -> bool:
        """Remove a player's name; return whether it had one."""
        with self._database.writing() as connection:
            touch(connection)
            return connection.execute(delete(labels).where(labels.c.player == player)).rowcount > 0


_PROVIDERS: Final = (
    *("openai", "anthropic", "google", "google-gla", "google-vertex", "groq", "mistral", "mistralai"),
    *("deepseek", "deepseek-ai", "openrouter", "together", "fireworks", "ollama", "azure", "bedrock"),
    *("xai", "x-ai", "cohere", "huggingface", "moonshotai", "moonshot", "meta-llama", "meta", "qwen"),
    *("alibaba", "cerebras", "github", "perplexity", "nebius", "vercel", "microsoft", "z-ai", "minimax"),
    *("amazon", "vllm", "lmstudio"),
)
_FAMILIES: Final = {
    "gpt": "GPT-",
    "chatgpt": "ChatGPT-",
    "claude": "Claude",
    "gemini": "Gemini",
    "gemma": "Gemma",
    "llama": "Llama",
    "mistral": "Mistral",
    "mixtral": "Mixtral",
    "ministral": "Ministral",
    "magistral": "Magistral",
    "codestral": "Codestral",
    "pixtral": "Pixtral",
    "deepseek": "DeepSeek",
    "qwen": "Qwen",
    "qwq": "QwQ",
    "grok": "Grok",
    "command": "Command",
    "phi": "Phi",
    "kimi": "Kimi",
    "glm": "GLM",
    "nova": "Nova",
}
"""Families of models by the first word of a model's id. The version may follow this word directly: 'llama3.1'."""
_CAPITALISED: Final = (
    *("pro", "flash", "lite", "turbo", "preview", "exp", "thinking", "instruct", "chat", "large"),
    *("medium", "small", "tiny", "max", "plus", "opus", "sonnet", "haiku", "instant", "reasoner"),
    *("reasoning", "fast", "high", "low", "nemo", "maverick", "scout", "vision", "coder", "next", "base"),
    *("distill", "ultra", "codex", "premier", "micro", "terminus", "experimental"),
)
_WORDS: Final = {
    **{word: word for word in ("mini", "nano")},
    **{word: word.capitalize() for word in _CAPITALISED},
    **{word: word.upper() for word in ("it", "vl", "oss")},
    "r": "R",
}
_NUMBERED: Final = re.compile(r"(?:[vrmke]?\d+(?:\.\d+)?[ok]?|\d+(?:x\d+)?(?:\.\d+)?b|a\d+b|e\d+b|\d{3,4})")
_FAMILY_AND_VERSION: Final = re.compile(r"([a-z]+)(\d+(?:\.\d+)?)?")
_SERIES_O: Final = re.compile(r"o\d(?:-(?:mini|pro|preview))?")
_DAY: Final = re.compile(r"[-_@](?:20\d\d)[-_]?(?:[01]\d)[-_]?(?:[0-3]\d)(?=$|[-_])")
_LATEST: Final = re.compile(r"[-_:](?:latest|free)$")
_MAX_CHARACTERS: Final = 100
"""The length of the longest text that is treated as an id."""
_COLOURED_FAMILIES: Final = {
    **dict.fromkeys(("claude",), "Claude"),
    **dict.fromkeys(("gpt", "chatgpt", "o"), "GPT"),
    **dict.fromkeys(("gemini", "gemma"), "Gemini"),
    **dict.fromkeys(("llama",), "Llama"),
    **dict.fromkeys(("mistral", "mixtral", "ministral", "magistral", "codestral", "pixtral"), "Mistral"),
    **dict.fromkeys(("deepseek",), "DeepSeek"),
    **dict.fromkeys(("qwen", "qwq"), "Qwen"),
    **dict.fromkeys(("grok",), "Grok"),
}
"""The families that have their own colour, by the first word of a model's id or name."""


def model_name(model: str) -> str | None:
    """Return the usual name of the model with a provider's id; None for an unknown id.

    'openai/gpt-4o-2024-08-06' is GPT-4o. Every word of an id must be known, so that a bot called 'claude-the-careful'
    keeps its own name. Providers and release dates are left out."""
    if len(model) > _MAX_CHARACTERS or not model.isascii():
        return None
    bare = _LATEST.sub("", _DAY.sub("", _without_provider(model.lower())))
    if _SERIES_O.fullmatch(bare):
        return bare
    first, *words = re.split(r"[-_: ]", bare)
    match = _FAMILY_AND_VERSION.fullmatch(first)
    if match is None or match[1] not in _FAMILIES:
        return None
    words = [*([match[2]] if match[2] else []), *words]
    if not words or not all(word in _WORDS or _NUMBERED.fullmatch(word) for word in words):
        return None
    parts = [_WORDS.get(word) or _figure(word) for word in _join_versions(words, match[1])]
    family = _FAMILIES[match[1]]
    return f"{family}{' '.join(parts)}" if family.endswith("-") else " ".join([family, *parts])


def provider_family(player: str) -> str | None:
    """Return the family of a player whose id names a provider and one of its models: 'openai:gpt-5'. A name without a
    provider is not enough, since a bot may have any name: 'echo-sonnet' has no family."""
    provider, separator, _ = player.lower().replace("/", ":").partition(":")
    return named_family(_without_provider(player.lower())) if separator and provider in _PROVIDERS else None


def named_family(name: str) -> str | None:
    """Return the family of a model by its name, such as 'Claude 3.5 Sonnet'. The caller must know that the name is that
    of a model."""
    first = re.match(r"[a-z]+", name.lower())
    family = None if first is None else _COLOURED_FAMILIES.get(first[0])
    # Many words begin with the letter o, but names of this series have a digit.
    return family if first is None or first[0] != "o" or re.match(r"o\d", name.lower()) else None


def _without_provider(model: str) -> str:
    bare = model.rpartition("/")[2]
    while ":" in bare and bare.partition(":")[0] in _PROVIDERS:
        bare = bare.partition(":")[2]
    return bare


def _join_versions(words: list[str], family: str) -> list[str]:
    """Return the words of an id. Two words are joined if together they form a version or a date, such as 4-5 in
    Claude's ids and 03-25 in Gemini's."""
    joined: list[str] = []
    for word in words:
        before = joined[-1] if joined else ""
        if family == "claude" and re.fullmatch(r"\d", before) and re.fullmatch(r"\d", word):
            joined[-1] = f"{before}.{word}"
        elif re.fullmatch(r"\d\d", before) and re.fullmatch(r"\d\d", word):
            joined[-1] = f"{before}-{word}"
        elif word == "lite" and before == "flash":
            joined[-1] = "Flash-Lite"
        else:
            joined.append(word)
    return joined


def _figure(word: str) -> str:
    """Return a size or a generation in its usual spelling, such as 70B or V3. A version such as 4o is returned
    unchanged."""
    return word.upper().replace("X", "x") if re.fullmatch(r"[vrmke]\d.*|.*b", word) else word
