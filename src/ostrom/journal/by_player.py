"""What each player of an experiment has used up, by the name under which results list it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, Select, Table, case, func, select

from ostrom.core.questions import RESERVED_TOKENS
from ostrom.journal.read import Columns
from ostrom.journal.schema import calls, games, sent_calls


@dataclass(slots=True)
class PlayerSpending:
    """What the calls of one player came to, failed ones included; what cannot be known counts at its bound."""

    calls: int = 0
    """Calls that are back."""
    tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0
    """How long the calls took, added up."""
    sent: int = 0
    """Calls that were sent and have not come back; their dollars and tokens are in the sums, their time is not."""


@dataclass(slots=True)
class _Players:
    """Sums of calls, by who sat where."""

    seats: dict[int, tuple[str, ...]]
    found: dict[str, PlayerSpending] = field(default_factory=lambda: defaultdict(PlayerSpending))

    def of(self, row: Row[Any]) -> PlayerSpending:
        """Whose calls these are; a row that names no seat of its game is nobody's."""
        names = self.seats.get(row.game, ())
        return self.found[names[row.seat]] if 0 <= row.seat < len(names) else PlayerSpending()


def spending_by_player(
    connection: Connection, experiment: int, keys: Sequence[str] | None = None
) -> dict[str, PlayerSpending]:
    """What the players of an experiment, or of its games with these keys, have used up in all its runs; those who made
    no call are not among them."""
    mine = [games.c.experiment == experiment, *([] if keys is None else [games.c.key.in_(list(keys))])]

    def rows(table: Table, **sums: Any) -> Sequence[Row[Any]]:
        columns = (table.c.game, table.c.seat)
        wanted = select(*columns, *(column.label(name) for name, column in sums.items())).group_by(*columns)
        return connection.execute(wanted.join(games, table.c.game == games.c.serial).where(*mine)).all()

    seated: Select[Any] = select(games.c.serial, games.c.id, games.c.seats)
    heads = connection.execute(seated.where(*mine))
    players = _Players({head.serial: _names(head) for head in heads})
    used = func.coalesce(calls.c.input_tokens, 0) + func.coalesce(calls.c.output_tokens, 0)
    cost = func.sum(case((calls.c.cost.is_(None), calls.c.reserved), else_=calls.c.cost))
    for row in rows(calls, calls=func.count(), tokens=func.sum(used), dollars=cost, seconds=func.sum(calls.c.latency)):
        one = players.of(row)
        one.calls += row.calls
        one.tokens += int(row.tokens or 0)
        one.dollars += float(row.dollars or 0.0)
        one.seconds += float(row.seconds or 0.0)
    # What was set aside for calls of unknown usage, which are few, stands in no column of its own.
    wanted: Select[Any] = select(calls.c.game, calls.c.seat, calls.c.extra).join(games, calls.c.game == games.c.serial)
    for row in connection.execute(wanted.where(*mine, used == 0, calls.c.extra != "{}")):
        reserved = Columns("a call").mapping(row.extra, "extra").get(RESERVED_TOKENS, 0)
        players.of(row).tokens += reserved if isinstance(reserved, int) else 0
    most = {name: func.sum(sent_calls.c[name]) for name in ("dollars", "tokens")}
    for row in rows(sent_calls, sent=func.count(), **most):
        one = players.of(row)
        one.sent += row.sent
        one.dollars += float(row.dollars or 0.0)
        one.tokens += int(row.tokens or 0)
    return dict(players.found)


def _names(head: Row[Any]) -> tuple[str, ...]:
    columns = Columns.of_game(head.id)
    try:
        return tuple(str(seat["player"]) for seat in columns.json(head.seats, "seats"))
    except (LookupError, TypeError):
        raise columns.damage("seats: they name no players") from None
