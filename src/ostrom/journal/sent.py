"""Calls that were sent and have not come back: what they count for, and what somebody says that they came to."""

from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, case, func, select, update

from ostrom.journal.rows import now
from ostrom.journal.schema import games, sent_calls


@dataclass(frozen=True, slots=True)
class SentCalls:
    """Calls that are out right now, or were when a process died. They count at the most that they can come to, until
    somebody says what they did come to."""

    calls: int = 0
    dollars: float = 0.0
    tokens: int = 0
    unsettled: int = 0
    """How many of them nobody has said anything about."""


class SentCall(NamedTuple):
    """A call of a game that was out when its process ended, at the most that it can have come to."""

    at: str
    dollars: float
    tokens: int
    seat: int


NONE_SENT: Final = SentCalls()
SENT: Final = (
    func.count().label("calls"),
    func.sum(sent_calls.c.dollars).label("dollars"),
    func.sum(sent_calls.c.tokens).label("tokens"),
    func.sum(case((sent_calls.c.settled.is_(None), 1), else_=0)).label("unsettled"),
)
"""The columns of a sum of them."""


def sent_in(row: Row[Any]) -> SentCalls:
    """The calls that such columns sum up."""
    return SentCalls(row.calls, float(row.dollars or 0.0), int(row.tokens or 0), int(row.unsettled or 0))


def sent_by_experiment(connection: Connection) -> dict[int, SentCalls]:
    """The calls that are out, by experiment; experiments without any are not among them."""
    source = sent_calls.join(games, sent_calls.c.game == games.c.serial)
    wanted = select(games.c.experiment, *SENT).select_from(source).group_by(games.c.experiment)
    return {row.experiment: sent_in(row) for row in connection.execute(wanted)}


def sent_in_game(connection: Connection, game: int) -> tuple[SentCall, ...]:
    """The calls of one game that are out."""
    columns = (sent_calls.c[name] for name in SentCall._fields)
    return tuple(SentCall(*row) for row in connection.execute(select(*columns).where(sent_calls.c.game == game)))


def settle(connection: Connection, experiment: int, dollars: float, tokens: int) -> tuple[SentCalls, SentCalls]:
    """Say what the calls of an experiment that are out came to, all together; what they counted for before, and after.
    What was said of calls before is left as it is."""
    before = sent_by_experiment(connection).get(experiment, NONE_SENT)
    mine = sent_calls.c.game.in_(select(games.c.serial).where(games.c.experiment == experiment))
    wanted = select(sent_calls.c.serial).where(mine, sent_calls.c.settled.is_(None)).order_by(sent_calls.c.serial)
    out = list(connection.execute(wanted).scalars())
    for place, serial in enumerate(out):
        # One of them stands for all: together they come to what was said, to the last cent.
        said = {"dollars": dollars, "tokens": tokens} if place == 0 else {"dollars": 0.0, "tokens": 0}
        connection.execute(update(sent_calls).where(sent_calls.c.serial == serial).values(**said, settled=now()))
    return before, sent_by_experiment(connection).get(experiment, NONE_SENT)
