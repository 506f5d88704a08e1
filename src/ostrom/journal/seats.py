"""The links of people's seats, as a host that was restarted knows them again: never the links themselves but their
digests, and how much time the open question of a seat had left."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from ostrom.journal.engine import Database
from ostrom.journal.read import experiment_named
from ostrom.journal.schema import experiments, seat_links


class KeptSeat(NamedTuple):
    """A person's seat, as it was when it was last written."""

    seat: int
    digest: str
    """Of the token in the link: 256 bits of SHA-256, hexadecimal. No slow hash is needed where there are no guesses: a
    token has 192 random bits."""
    opened: bool = False
    """Whether somebody ever opened the link."""
    question: str | None = None
    """The question that was open."""
    left: float | None = None
    """Seconds that were left for it."""


class SeatLinks:
    """The links of all experiments that people sit at."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, experiment: str, digests: Mapping[int, str], place: str | None) -> None:
        """Keep the links of some seats of an experiment in place of those that they had, and where they lead: host and
        port."""
        with self._database.writing() as connection:
            serial = experiment_named(connection, experiment)[0]
            mine = seat_links.c.experiment == serial
            connection.execute(delete(seat_links).where(mine, seat_links.c.seat.in_(list(digests))))
            if digests:
                rows = [{"experiment": serial, "seat": seat, "digest": one} for seat, one in digests.items()]
                connection.execute(insert(seat_links), [{**row, "opened": 0} for row in rows])
            connection.execute(update(seat_links).where(mine).values(place=place))

    def keep_clocks(self, experiment: str, seats: Iterable[KeptSeat]) -> None:
        """Keep how far seats are. The revision stays: no page shows it."""
        with self._database.writing() as connection:
            serial = experiment_named(connection, experiment)[0]
            for one in seats:
                mine = (seat_links.c.experiment == serial, seat_links.c.seat == one.seat)
                now = {"opened": int(one.opened), "question": one.question, "seconds_left": one.left}
                connection.execute(update(seat_links).where(*mine).values(now))

    def of(self, experiment: str) -> list[KeptSeat]:
        """The seats of an experiment; none where it was begun by an Ostrom that kept no links."""
        columns = [seat_links.c[name] for name in ("seat", "digest", "opened", "question", "seconds_left")]
        with self._database.reading() as connection:
            mine = seat_links.c.experiment == experiment_named(connection, experiment)[0]
            rows = connection.execute(select(*columns).where(mine).order_by(seat_links.c.seat)).all()
        return [KeptSeat(row.seat, row.digest, bool(row.opened), row.question, row.seconds_left) for row in rows]

    def place(self, experiment: str) -> str | None:
        """Where the links of an experiment lead: host and port."""
        with self._database.reading() as connection:
            mine = seat_links.c.experiment == experiment_named(connection, experiment)[0]
            return connection.execute(select(seat_links.c.place).where(mine).limit(1)).scalar()

    def experiments(self) -> dict[str, str]:
        """The ids of experiments by the digests of their links."""
        wanted = select(seat_links.c.digest, experiments.c.id).join(experiments)
        with self._database.glancing() as connection:
            return {row.digest: row.id for row in connection.execute(wanted)}
