"""What belongs to an experiment and is no game of it, as named bytes: the tables and charts of a simulation. They are
entered with their experiment and never change."""

from collections.abc import Mapping

from sqlalchemy import Connection, func, insert, select

from ostrom.core import InputError, UnknownName
from ostrom.journal.engine import Database
from ostrom.journal.read import experiment_named
from ostrom.journal.schema import attachments, experiments

MOST_BYTES = 32 * 2**20
"""All attachments of an experiment together."""


class Attachments:
    """The attachments of a journal's experiments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sizes(self, experiment: str) -> dict[str, int]:
        """The attachments of an experiment by their names, with how many bytes each has."""
        with self._database.reading() as connection:
            mine = attachments.c.experiment == experiment_named(connection, experiment)[0]
            wanted = select(attachments.c.name, func.length(attachments.c.content)).where(mine)
            return {name: int(size) for name, size in connection.execute(wanted.order_by(attachments.c.name))}

    def read(self, experiment: str, name: str) -> bytes:
        """One attachment of an experiment."""
        with self._database.reading() as connection:
            serial, known = experiment_named(connection, experiment)
            mine = (attachments.c.experiment == serial, attachments.c.name == name)
            found = connection.execute(select(attachments.c.content).where(*mine)).scalar()
        if found is None:
            raise UnknownName("attachment", name, [], text=f"the experiment {known} has no attachment {name!r}")
        return bytes(found)


def add_attachments(connection: Connection, experiment: str, content: Mapping[str, bytes]) -> None:
    """Enter the attachments of an experiment that is entered in the same transaction."""
    if not content:
        return
    if sum(map(len, content.values())) > MOST_BYTES:
        raise InputError(f"what is attached to an experiment may have {MOST_BYTES // 2**20} MiB at most")
    serial = connection.execute(select(experiments.c.serial).where(experiments.c.id == experiment)).scalar_one()
    rows = [{"experiment": serial, "name": name, "content": each} for name, each in content.items()]
    connection.execute(insert(attachments), rows)
