"""Names of players, for every table, page, chart, film and export.

A player has one name: the one given in this journal (table `labels`); else the one in the source of its games; else the
usual name of its id; else its id. If two names would be equal, ids are shown: of two of these kinds the first keeps the
name, of two of one kind neither does. Data is keyed by ids."""

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
from ostrom.core.model_names import model_name
from ostrom.core.text import LONGEST_NAME
from ostrom.journal.engine import Database
from ostrom.journal.results import players_and_labels
from ostrom.journal.rows import storable
from ostrom.journal.schema import DELETED, experiments, games, labels
from ostrom.journal.write import touch

Namer: TypeAlias = Mapping[str, str] | Callable[[str], str | None]
"""An entry point of the group `ostrom.names`: names by id, or a function from an id to a name."""
_GREEK: Final = {"delta": "δ", "beta": "β", "alpha": "α", "gamma": "γ", "noise": "μ"}
_UNPRINTABLE: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@cache
def _sources() -> list[Namer]:
    return [namer for _, namer in loaded(NAMES_GROUP)]


def _sourced(player: str) -> str | None:
    """Return a player's name in the source of an imported game; its short ids mean nothing elsewhere."""
    names = (namer(player) if callable(namer) else namer.get(player) for namer in _sources())
    return next((name for name in names if name is not None), None)


def suggested(player: str) -> str | None:
    """Return the usual name of an id, or None."""
    return model_name(player) or _with_settings(player)


def _with_settings(player: str) -> str | None:
    """Return a strategy or subject with settings as papers write them: 'exponential:delta=0.9' is exponential δ .9."""
    name, colon, settings = player.partition(":")
    parts = [part.partition("=") for part in settings.split(",")]
    if not colon or not all(equals and key and value for key, equals, value in parts):
        return None
    values = (f"{_GREEK.get(key, key)} {value.removeprefix('0') if '.' in value else value}" for key, _, value in parts)
    return f"{name} {' '.join(values)}"


def check_label(name: str) -> str:
    """Return a given name without surrounding space. Raise InputError if it is not printable in one line."""
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
    """Return a key that is equal for names that readers confuse."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True)
class PlayerNames:
    """The names of the players of a journal or a record."""

    players: tuple[str, ...] = ()
    """All of them by id, in the order of their first game."""
    imported: frozenset[str] = frozenset()
    """Players of imported games only."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Given names."""

    @classmethod
    def of_players(cls, players: Iterable[str], *, imported: bool = False) -> "PlayerNames":
        """Return the names of players outside a journal, as of a record in a file."""
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
                # A name may equal the player's own id, but no other id.
                others = uses[_alike(name)] - (_alike(name) == _alike(player))
                if frequency[_alike(name)] == 1 and not others:
                    names_by_id[player] = name
            uses.update(
                _alike(names_by_id[player]) for player in names if _alike(names_by_id[player]) != _alike(player)
            )
        return names_by_id

    def of(self, player: str) -> str:
        """Return a player's name. A suffix that distinguishes players of one name is kept: 'llama (temperature 0)'."""
        if player in self._names:
            return self._names[player]
        base, opened, apart = player.partition(" (")
        if opened and base in self._names:
            return f"{self._names[base]}{opened}{apart}"
        return self._with(player)

    def _with(self, player: str) -> str:
        """Return the name of a player who has not played here yet."""
        name = suggested(player)
        used = {_alike(text) for text in (*self._names, *self._names.values())}
        return player if name is None or _alike(name) in used else name

    def suggestion(self, player: str) -> str | None:
        """Return the usual name of a player, or None."""
        return (_sourced(player) if player in self.imported else None) or suggested(player)

    def all_of(self, players: Iterable[str]) -> dict[str, str]:
        """Return the names of these players by id."""
        return {player: self.of(player) for player in players}

    @property
    def differing(self) -> dict[str, str]:
        """The names of all players whose name is not their id."""
        return {player: name for player, name in self._names.items() if name != player}

    def player(self, text: str) -> str:
        """Return the player with an id or a name. Raise UnknownName if there is none."""
        if text in self.players or text in self.labels:
            return text
        matches = [player for player, name in self._names.items() if _alike(name) == _alike(text)]
        if len(matches) == 1:
            return matches[0]
        nearest = get_close_matches(text, dict.fromkeys([*self.players, *self._names.values()]), n=3)
        raise UnknownName("player", text, nearest, catalogue="the list of labels shows all players")

    def check(self, player: str, name: str) -> str:
        """Return a name for a player. Raise InputError if it belongs to another."""
        name = check_label(name)
        for other in self._names:
            # A player with this usual name is shown by its id from now on.
            if other != player and _alike(name) in (_alike(other), _alike(self.labels.get(other, other))):
                raise InputError(f"{name!r} is what {other!r} is called; give {player!r} another name")
        return name


class Names:
    """The names of a journal's players."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = Lock()
        self._last = self._deleted = 0
        self._imported: dict[str, bool] = {}
        """True for players all of whose games, up to the last serial number, were imported."""

    def known(self) -> PlayerNames:
        """Return all names. Each game is read once, until an experiment is deleted: its players may be gone, and SQLite
        reuses the serial numbers of its games."""
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
        """Give a player a name in place of its old one; return the stored name."""
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
