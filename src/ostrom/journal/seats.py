"""The links of people's seats, for a host that was restarted: digests of the links, never the links themselves, and the
remaining time of each open question."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from sqlalchemy import delete, insert, select, update

from ostrom.journal.engine import Database
from ostrom.journal.read import experiment_named
from ostrom.journal.schema import experiments, seat_links


class StoredSeat(NamedTuple):
    """A person's seat, as it was last stored."""

    seat: int
    digest: str
    """SHA-256 of the token in the link, hexadecimal. No slow hash is needed, since a token has 192 random bits."""
    opened: bool = False
    """True if the link was ever opened."""
    question: str | None = None
    """The question that was open."""
    left: float | None = None
    """Its remaining seconds."""


class SeatLinks:
    """The links of all experiments with people."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def keep(self, experiment: str, digests: Mapping[int, str], place: str | None) -> None:
        """Replace the links of some seats of an experiment, and their address: host and port."""
        with self._database.writing() as connection:
            serial = experiment_named(connection, experiment)[0]
            of_experiment = seat_links.c.experiment == serial
            connection.execute(delete(seat_links).where(of_experiment, seat_links.c.seat.in_(list(digests))))
            if digests:
                rows = [{"experiment": serial, "seat": seat, "digest": digest} for seat, digest in digests.items()]
                connection.execute(insert(seat_links), [{**row, "opened": 0} for row in rows])
            connection.execute(update(seat_links).where(of_experiment).values(place=place))

    def keep_clocks(self, experiment: str, seats: Iterable[StoredSeat]) -> None:
        """Store the progress of seats. The revision stays, since no page shows it."""
        with self._database.writing() as connection:
            serial = experiment_named(connection, experiment)[0]
            for seat in seats:
                chosen = (seat_links.c.experiment == serial, seat_links.c.seat == seat.seat)
                state = {"opened": int(seat.opened), "question": seat.question, "seconds_left": seat.left}
                connection.execute(update(seat_links).where(*chosen).values(state))

    def of(self, experiment: str) -> list[StoredSeat]:
        """Return the seats of an experiment."""
        columns = [seat_links.c[name] for name in ("seat", "digest", "opened", "question", "seconds_left")]
        with self._database.reading() as connection:
            of_experiment = seat_links.c.experiment == experiment_named(connection, experiment)[0]
            rows = connection.execute(select(*columns).where(of_experiment).order_by(seat_links.c.seat)).all()
        return [StoredSeat(row.seat, row.digest, bool(row.opened), row.question, row.seconds_left) for row in rows]

    def place(self, experiment: str) -> str | None:
        """Return the address of the links of an experiment: host and port."""
        with self._database.reading() as connection:
            of_experiment = seat_links.c.experiment == experiment_named(connection, experiment)[0]
            return connection.execute(select(seat_links.c.place).where(of_experiment).limit(1)).scalar()

    def experiments(self) -> dict[str, str]:
        """Return the ids of experiments by the digests of their links."""
        query = select(seat_links.c.digest, experiments.c.id).join(experiments)
        with self._database.glancing() as connection:
            return {row.digest: row.id for row in connection.execute(query)}
