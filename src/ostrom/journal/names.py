"""What players are called, said in one place: every table, page, chart, film and export asks here.

A player has one name: what somebody gave it in this journal (the table `labels`); else what the source of its games
calls it; else what its id is known as; else its id. Where two names would be the same, ids are shown: of two of these
kinds the first keeps the name, of two of one kind neither does. Ids stay what data are keyed by."""

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
"""What an entry point of the group `ostrom.names` is: names by id, or what makes a name of an id."""
_GREEK: Final = {"delta": "δ", "beta": "β", "alpha": "α", "gamma": "γ", "noise": "μ"}
_UNSEEN: Final = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


@cache
def _sources() -> list[Namer]:
    return [namer for _, namer in loaded(NAMES_GROUP)]


def _sourced(player: str) -> str | None:
    """What the source of an imported game calls a player; its short ids mean nothing elsewhere."""
    found = (namer(player) if callable(namer) else namer.get(player) for namer in _sources())
    return next((name for name in found if name is not None), None)


def suggested(player: str) -> str | None:
    """What a player is known as, by its id alone; None where nobody knows."""
    return model_name(player) or _with_settings(player)


def _with_settings(player: str) -> str | None:
    """A strategy or subject with settings, these as papers write them: 'exponential:delta=0.9' is exponential δ .9."""
    name, colon, settings = player.partition(":")
    parts = [part.partition("=") for part in settings.split(",")]
    if not colon or not all(equals and key and value for key, equals, value in parts):
        return None
    said = (f"{_GREEK.get(key, key)} {value.removeprefix('0') if '.' in value else value}" for key, _, value in parts)
    return f"{name} {' '.join(said)}"


def check_label(name: str) -> str:
    """A name that somebody gives a player, without space around it; refused where it could not be shown."""
    name = name.strip()
    if not name:
        raise InputError("a player needs a name; 'ostrom label clear' takes one away")
    if any(unicodedata.category(sign) in _UNSEEN for sign in name):
        raise InputError(f"{name[:60]!r} cannot be a player's name: use one line without control characters")
    if len(name) > LONGEST_NAME:
        raise InputError(f"a player's name has at most {LONGEST_NAME} characters, got {len(name)}")
    storable(name, "a player's name")
    return name


def _alike(name: str) -> str:
    """The same for names that a reader takes for one."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True)
class PlayerNames:
    """What the players of a journal, or of a record, are called."""

    players: tuple[str, ...] = ()
    """All of them by id, in the order in which they first sat down."""
    imported: frozenset[str] = frozenset()
    """Those who sit in imported games only."""
    labels: Mapping[str, str] = field(default_factory=dict)
    """Names that somebody gave."""

    @classmethod
    def of_players(cls, players: Iterable[str], *, imported: bool = False) -> "PlayerNames":
        """The names of players that no journal knows, as of a record in a file."""
        known = tuple(dict.fromkeys(players))
        return cls(known, frozenset(known if imported else ()))

    @cached_property
    def _shown(self) -> dict[str, str]:
        ids = dict.fromkeys([*self.players, *self.labels])
        sourced = {player: _sourced(player) for player in self.imported if player not in self.labels}
        known = {player: suggested(player) for player in ids if player not in self.labels and not sourced.get(player)}
        shown = {player: player for player in ids}
        taken = Counter(map(_alike, ids))
        for tier in (self.labels, sourced, known):
            names = {player: name for player, name in tier.items() if name is not None}
            often = Counter(map(_alike, names.values()))
            for player, name in names.items():
                # A name may be the player's own id, and nobody else's.
                others = taken[_alike(name)] - (_alike(name) == _alike(player))
                if often[_alike(name)] == 1 and not others:
                    shown[player] = name
            taken.update(_alike(shown[player]) for player in names if _alike(shown[player]) != _alike(player))
        return shown

    def of(self, player: str) -> str:
        """What to call a player. One that a board tells apart from others of its name keeps what tells it apart:
        'llama (temperature 0)'."""
        if player in self._shown:
            return self._shown[player]
        base, opened, apart = player.partition(" (")
        if opened and base in self._shown:
            return f"{self._shown[base]}{opened}{apart}"
        return self._with(player)

    def _with(self, player: str) -> str:
        """What to call one who has not sat down here yet."""
        name = suggested(player)
        shown = {_alike(one) for one in (*self._shown, *self._shown.values())}
        return player if name is None or _alike(name) in shown else name

    def suggestion(self, player: str) -> str | None:
        """What a player is known as."""
        return (_sourced(player) if player in self.imported else None) or suggested(player)

    def all_of(self, players: Iterable[str]) -> dict[str, str]:
        """The names of these players by id."""
        return {player: self.of(player) for player in players}

    @property
    def differing(self) -> dict[str, str]:
        """The names of all players who are not called by their ids."""
        return {player: name for player, name in self._shown.items() if name != player}

    def player(self, text: str) -> str:
        """The player that is meant by an id or by a name; refused in one line where there is none."""
        if text in self.players or text in self.labels:
            return text
        meant = [player for player, name in self._shown.items() if _alike(name) == _alike(text)]
        if len(meant) == 1:
            return meant[0]
        near = get_close_matches(text, dict.fromkeys([*self.players, *self._shown.values()]), n=3)
        raise UnknownName("player", text, near, catalogue="'ostrom label' lists all who have played")

    def check(self, player: str, name: str) -> str:
        """A name that somebody wants to give a player; refused where it is another's."""
        name = check_label(name)
        for other in self._shown:
            # One that is only known as that is shown by its id from now on.
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
        """By player whether all its games were imported, up to the last serial."""

    def known(self) -> PlayerNames:
        """What everybody is called now. Each game is read once, until an experiment is deleted: its players may be
        gone, and SQLite gives the serial numbers of its games to others."""
        with self._lock, self._database.reading() as connection:
            gone = select(func.count()).select_from(experiments).where(experiments.c.kind == DELETED)
            deleted = connection.execute(gone).scalar_one()
            if deleted != self._deleted:
                self._last, self._deleted, self._imported = 0, deleted, {}
            seated = select(games.c.seats, games.c.id, games.c.serial, games.c.source.is_(None).label("own"))
            for row in connection.execute(seated.where(games.c.serial > self._last).order_by(games.c.serial)):
                self._last = row.serial
                with suppress(OstromError):  # who reads the game itself is told that it is damaged
                    for player in players_and_labels(row.id, row.seats)[0]:
                        self._imported[player] = self._imported.get(player, True) and not row.own
            given = {row.player: row.name for row in connection.execute(select(labels).order_by(labels.c.player))}
            imported = frozenset(player for player, only in self._imported.items() if only)
            return PlayerNames(tuple(self._imported), imported, given)

    def give(self, player: str, name: str) -> str:
        """Give a player a name, in place of the one that it had; the name as it is kept."""
        name = self.known().check(player, name)
        with self._database.writing() as connection:
            touch(connection)
            connection.execute(delete(labels).where(labels.c.player == player))
            connection.execute(insert(labels), [{"player": player, "name": name}])
        return name

    def clear(self, player: str) -> bool:
        """Take a player's name away; whether it had one."""
        with self._database.writing() as connection:
            touch(connection)
            return connection.execute(delete(labels).where(labels.c.player == player)).rowcount > 0
