"""What the calls of models came to: dollars, tokens, faults. Sums alone are read, never a reply. Each function works
within a transaction that it is handed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, Select, Table, and_, case, exists, func, select, update

from ostrom.core import Fault, Provenance, RecordError
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.journal.read import Columns
from ostrom.journal.rows import now
from ostrom.journal.schema import answers, calls, games, sent_calls


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


@dataclass(frozen=True, slots=True)
class Spending:
    """What an experiment has used up."""

    calls: int
    cost: float
    """Dollars, of the calls whose cost is known."""
    reserved: float
    """Dollars that were set aside for calls whose cost cannot be known."""
    input_tokens: int
    output_tokens: int
    reserved_tokens: int = 0
    """Tokens that were set aside for calls whose usage cannot be known."""
    out: SentCalls = NONE_SENT
    """Calls that were sent and have not come back."""

    @property
    def dollars(self) -> float:
        """All together, as a budget counts them."""
        return self.cost + self.reserved + self.out.dollars

    @property
    def tokens(self) -> int:
        """Likewise."""
        return self.input_tokens + self.output_tokens + self.reserved_tokens + self.out.tokens


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """How the calls of one model went."""

    model: str
    calls: int
    faults: dict[Fault, int]
    """How many calls came to nothing, by the reason."""
    retries: int
    """Calls that failed on their way and were followed by another one."""
    reasked: int
    """Replies that were no legal answer and were followed by another call."""
    defaulted: int
    """Questions that the game's fallback answered in the end."""
    cost: float
    """Dollars, of the calls whose cost is known."""
    reserved: float
    """Dollars that were set aside for calls whose cost cannot be known."""
    input_tokens: int
    output_tokens: int
    latency: float
    """Seconds that a call took on average."""
    unpriced: int = 0
    """Calls that used tokens of which nobody knows the price."""

    @property
    def refused(self) -> int:
        """Calls that the model, or a filter before it, declined to answer."""
        return self.faults.get(Fault.REFUSED, 0)


@dataclass(frozen=True, slots=True)
class GameSpending:
    """What the calls of a game used up, failed ones included."""

    cost: float | None
    """Dollars, with those that were set aside where the cost cannot be known; None where a call has no price."""
    tokens: int


def spending(connection: Connection, experiment: int, keys: Sequence[str] | None = None) -> Spending:
    """What an experiment, or its games with these keys, has used up, failed calls included."""

    def mine(wanted: Any, table: Table = calls) -> Any:
        wanted = wanted.select_from(table.join(games, table.c.game == games.c.serial))
        wanted = wanted.where(games.c.experiment == experiment)
        return wanted if keys is None else wanted.where(games.c.key.in_(list(keys)))

    row = connection.execute(mine(select(*_SUMS))).one()
    # Few calls are of unknown usage, and what was set aside for them stands in no column of its own.
    used = func.coalesce(calls.c.input_tokens, 0) + func.coalesce(calls.c.output_tokens, 0)
    unknown = connection.execute(mine(select(calls.c.extra)).where(used == 0, calls.c.extra != "{}")).scalars()
    reserved = sum(_reserved_tokens(extra) for extra in unknown)
    out = sent_in(connection.execute(mine(select(*SENT), sent_calls)).one())
    return Spending(
        row.calls, row.cost or 0.0, row.reserved or 0.0, int(row.input or 0), int(row.output or 0), reserved, out
    )


def spending_by_game(connection: Connection, experiment: int | None) -> dict[str, GameSpending]:
    """What the calls of each game used up, of an experiment or of all; games without a call are not among them."""
    wanted = select(games.c.id, *_SUMS).select_from(calls.join(games, calls.c.game == games.c.serial))
    if experiment is not None:
        wanted = wanted.where(games.c.experiment == experiment)
    return {
        row.id: GameSpending(
            None if row.unpriced else (row.cost or 0.0) + (row.reserved or 0.0),
            int((row.input or 0) + (row.output or 0)),
        )
        for row in connection.execute(wanted.group_by(games.c.id))
    }


def _reserved_tokens(extra: str) -> int:
    found = Columns("a call").mapping(extra, "extra").get(RESERVED_TOKENS, 0)
    return found if isinstance(found, int) else 0


def model_calls(connection: Connection, experiments: Sequence[int]) -> dict[int, tuple[ModelCalls, ...]]:
    """The calls of these experiments, by model."""
    if connection.dialect.name == "postgresql":
        # Making machine code of these statements takes the server longer than carrying them out.
        connection.exec_driver_sql("SET LOCAL jit = off")
    rows: dict[tuple[int, str], list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(_by_fault(experiments)):
        rows[row.experiment, row.model].append(row)
    defaulted = Counter[tuple[int, str]]()
    if rows:
        for row in connection.execute(_defaulted(experiments)):
            defaulted[row.experiment, row.model] += row.answers
    found: dict[int, list[ModelCalls]] = defaultdict(list)
    for (experiment, model), mine in sorted(rows.items()):
        found[experiment].append(_summed(model, mine, defaulted[experiment, model]))
    return {experiment: tuple(models) for experiment, models in found.items()}


def _tokens(counts: Iterable[int | float | None]) -> int:
    """Their sum; SQLite adds up figures that no call comes to, too."""
    try:
        return int(sum(count or 0 for count in counts))
    except (OverflowError, ValueError):
        raise RecordError("the calls of the journal cannot be added up; 'ostrom journal check' says why") from None


def _summed(model: str, rows: list[Row[Any]], defaulted: int) -> ModelCalls:
    count = int(sum(row.calls for row in rows))
    by_fault = {row.fault: row for row in rows}
    return ModelCalls(
        model=model,
        calls=count,
        faults={fault: int(by_fault[fault].calls) for fault in Fault if fault in by_fault},
        retries=sum(int(by_fault[fault].followed) for fault in Fault if fault in by_fault and fault.of_transport),
        reasked=sum(int(by_fault[fault].followed) for fault in Fault if fault in by_fault and fault.of_reply),
        defaulted=defaulted,
        cost=sum(row.cost or 0.0 for row in rows),
        reserved=sum(row.reserved or 0.0 for row in rows),
        input_tokens=_tokens(row.input for row in rows),
        output_tokens=_tokens(row.output for row in rows),
        latency=sum(row.latency for row in rows) / count,
        unpriced=int(sum(row.unpriced for row in rows)),
    )


_SUMS = (
    func.count().label("calls"),
    func.sum(calls.c.cost).label("cost"),
    # What was reserved for a call is of no interest once its cost is known.
    func.sum(case((calls.c.cost.is_(None), calls.c.reserved), else_=0.0)).label("reserved"),
    func.sum(calls.c.input_tokens).label("input"),
    func.sum(calls.c.output_tokens).label("output"),
    func.sum(calls.c.latency).label("latency"),
    func.sum(case((and_(calls.c.cost.is_(None), calls.c.output_tokens > 0), 1), else_=0)).label("unpriced"),
)


def _by_fault(experiments: Sequence[int]) -> Select[Any]:
    later = calls.alias()
    next_one = and_(later.c.game == calls.c.game, later.c.place == calls.c.place, later.c.attempt > calls.c.attempt)
    # Looked up for failed calls alone.
    followed = case((calls.c.fault.is_(None), 0), (exists().where(next_one), 1), else_=0)
    # By game first, in the order of SQLite's index, so that it need not sort all calls.
    mine = (calls.c.game, calls.c.model, calls.c.fault)
    wanted = select(games.c.serial).where(games.c.experiment.in_(experiments))
    summed_up = select(*mine, func.sum(followed).label("followed"), *_SUMS).where(calls.c.game.in_(wanted))
    each = summed_up.group_by(*mine).subquery()
    group = (games.c.experiment, each.c.model, each.c.fault)
    summed = ("followed", *(one.name for one in _SUMS))
    source = each.join(games, each.c.game == games.c.serial)
    return select(*group, *(func.sum(each.c[name]).label(name) for name in summed)).select_from(source).group_by(*group)


def _defaulted(experiments: Sequence[int]) -> Select[Any]:
    # A question is put to one model, so its first call tells which.
    first = and_(calls.c.game == answers.c.game, calls.c.place == answers.c.number, calls.c.attempt == 1)
    group = (games.c.experiment, calls.c.model)
    source = answers.join(calls, first).join(games, answers.c.game == games.c.serial)
    wanted = select(*group, func.count().label("answers")).select_from(source)
    wanted = wanted.where(answers.c.provenance == Provenance.DEFAULTED.value, games.c.experiment.in_(experiments))
    return wanted.group_by(*group)


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
