"""Games that are over: how many there are, which, and their records. What is said of one never changes, so that who
studies them need read none twice."""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import func, select

from ostrom.journal import reading
from ostrom.journal.engine import Database
from ostrom.journal.overview import GameRow, game_row, headers
from ostrom.journal.reading import Kept
from ostrom.journal.schema import experiments, games
from ostrom.journal.writing import PLAYING

_PAGE: Final = 16
"""Games that are read at once; so many are in memory, however many there are."""


class Ended:
    """The games of a journal that are over."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stage(self) -> int:
        """A number that grows with every game that ends and with every experiment that is entered, and with nothing
        else."""
        over = select(func.count()).select_from(games).where(games.c.state != PLAYING)
        begun = select(func.count()).select_from(experiments)
        with self._database.reading() as connection:
            return int(connection.execute(over).scalar_one()) + int(connection.execute(begun).scalar_one())

    def experiments(self) -> dict[str, str]:
        """The names of all experiments by their ids, the oldest first."""
        wanted = select(experiments.c.id, experiments.c.name).order_by(experiments.c.serial)
        with self._database.reading() as connection:
            return {row.id: row.name for row in connection.execute(wanted)}

    def games(self, named: str = "") -> list[GameRow]:
        """Finished and void games whose name in records begins so, in the order in which they were begun."""
        wanted = headers().where(games.c.state != PLAYING, games.c.game.startswith(named, autoescape=True))
        with self._database.reading() as connection:
            return [game_row(head) for head in connection.execute(wanted.order_by(games.c.serial))]

    def records(self, ids: Sequence[str]) -> Iterator[Kept]:
        """The records of these games, a few at a time, each time in a transaction of its own, without their series."""
        for first in range(0, len(ids), _PAGE):
            wanted = headers().where(games.c.id.in_(ids[first : first + _PAGE])).order_by(games.c.serial)
            with self._database.reading() as connection:
                page = reading.kept(connection, wanted, None)
            yield from page
