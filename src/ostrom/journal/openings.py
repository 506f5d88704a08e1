"""Games that are opened to be played: begun, or found where they were left. Many at once cost a few statements."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, func, insert, select

from ostrom.journal.schema import experiments, games
from ostrom.journal.writing import touch


class Opening(NamedTuple):
    """A game that is to be begun, or to be gone on with where its experiment has begun it before."""

    experiment: int
    head: dict[str, Any]
    """Its row, but for id and place."""


class OpenGame(NamedTuple):
    """A game as it stands in the journal."""

    serial: int
    id: str
    state: str
    begun: bool
    """Whether it was there before."""
    parted: str | None = None
    """In what it differs from the game that was to be opened."""


def open_games(connection: Connection, wanted: Sequence[Opening]) -> list[OpenGame]:
    """Enter those games that are not there yet, and find them all: a few statements an experiment, however many."""
    found: dict[tuple[int, str], OpenGame] = {}
    for serial in sorted({one.experiment for one in wanted}):
        heads = {one.head["key"]: one.head for one in wanted if one.experiment == serial}
        # As in `start`: locked until the games are in.
        locked = select(experiments.c.id).where(experiments.c.serial == serial).with_for_update()
        label = connection.execute(locked).scalar_one()
        mine = (games.c.experiment == serial, games.c.key.in_(list(heads)))
        for row in connection.execute(select(games).where(*mine)):
            parted = _parted(heads.pop(row.key), row)
            found[serial, row.key] = OpenGame(row.serial, row.id, row.state, True, parted)
        if heads:
            last = connection.execute(select(func.max(games.c.place)).where(games.c.experiment == serial)).scalar() or 0
            new = [{**head, "place": last + i, "id": f"{label}.{last + i}"} for i, head in enumerate(heads.values(), 1)]
            connection.execute(insert(games), new)
            entered = select(games.c.serial, games.c.id, games.c.key, games.c.state).where(*mine)
            for row in connection.execute(entered):
                found.setdefault((serial, row.key), OpenGame(row.serial, row.id, row.state, False))
            touch(connection)
    return [found[one.experiment, one.head["key"]] for one in wanted]


def _parted(head: Mapping[str, Any], row: Row[Any]) -> str | None:
    same = ("game", "seed", "number", "rules", "seats", "orders")
    return next((name for name in same if head[name] != row._mapping[name]), None)
