"""What users call an experiment or a game, looked up: an id, an experiment's name, a game's key."""

import difflib

from sqlalchemy import Connection, or_, select

from ostrom.core import InputError, UnknownName
from ostrom.journal.schema import experiments, games

_MANY = 100
"""So many names at most are compared with one that is not known."""


def experiment_named(connection: Connection, name: str) -> tuple[int, str]:
    """The serial number and the id of the experiment with this id, or else of the only one with this name."""
    columns = (experiments.c.serial, experiments.c.id)
    wanted = select(*columns, experiments.c.name).order_by(experiments.c.serial.desc())
    sought = or_(experiments.c.id == name, experiments.c.name == name)
    found = connection.execute(wanted.where(sought)).all() if is_text(name) else []
    chosen = [row for row in found if row.id == name] or found
    if len(chosen) == 1:
        return chosen[0].serial, chosen[0].id
    if chosen:
        ids = ", ".join(row.id for row in reversed(chosen[:5]))
        raise InputError(f"{len(chosen)} experiments are called {name!r}; name one by its id: {ids}")
    recent = connection.execute(wanted.limit(_MANY)).all()
    near = _nearest(name, [text for row in recent for text in (row.id, row.name)])
    raise not_kept("experiment", name, near, "'ostrom list experiments' shows every experiment")


def game_named(connection: Connection, name: str) -> str:
    """The id of the game with this id, or else of the only one with this key."""
    wanted = select(games.c.id, games.c.key).order_by(games.c.serial)
    sought = or_(games.c.id == name, games.c.key == name)
    found = connection.execute(wanted.where(sought)).all() if is_text(name) else []
    chosen = [row.id for row in found if row.id == name] or [row.id for row in found]
    if len(chosen) == 1:
        return str(chosen[0])
    if chosen:
        ids = ", ".join(chosen[:5])
        raise InputError(f"{len(chosen)} games have the key {name!r}; name one by its id: {ids}")
    some = connection.execute(wanted.limit(_MANY)).all()
    near = _nearest(name, [text for row in some for text in row])
    raise not_kept("game in the journal", name, near, "'ostrom list journal' shows every game in the journal")


def not_kept(kind: str, name: str, nearest: list[str], shown: str) -> UnknownName:
    """The error for a name that the journal does not hold; `shown` says where to look if no other name is near."""
    error = UnknownName(kind, name, nearest)
    if not nearest:
        error.args = (f"there is no {kind} called {name!r}; {shown}",)
    return error


def is_text(name: str) -> bool:
    """Whether a database can be asked for a name; what it cannot hold it has not."""
    return "\x00" not in name and name.encode(errors="ignore").decode() == name


def _nearest(name: str, names: list[str]) -> list[str]:
    return difflib.get_close_matches(name, dict.fromkeys(names), n=3, cutoff=0.6)
