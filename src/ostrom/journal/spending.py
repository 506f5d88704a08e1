"""The cost of calls of models: dollars, tokens and faults, by experiment, game and player. This module also sums up
calls that were sent and have no response. Only sums are read; replies are never read. Each function works within a
transaction of the caller."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, Select, Table, and_, case, exists, func, or_, select, update

from ostrom.core import Fault, Provenance, RecordError
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.journal.read import Columns
from ostrom.journal.rows import Batch, now
from ostrom.journal.schema import TOKEN_FIELDS, answers, batches, calls, games, sent_calls


@dataclass(frozen=True, slots=True)
class SentCalls:
    """Calls that are in flight, or that were in flight when a process died. Such a call counts with its maximum cost
    until its cost is settled, that is, set to a known amount."""

    calls: int = 0
    dollars: float = 0.0
    tokens: int = 0
    unsettled: int = 0
    """The number of single calls that are not settled. Calls of batches are not included, since they are settled when
    the results of their batch are read."""


class SentCall(NamedTuple):
    """A call of a game that was in flight when its process ended, with the maximum of its cost and tokens."""

    at: str
    dollars: float
    tokens: int
    seat: int
    serial: int = 0
    place: int = 0
    attempt: int = 0
    batch: int | None = None
    """The batch in which the call was sent. The result can still be collected from this batch."""
    settled: str | None = None


NONE_SENT: Final = SentCalls()
_UNSETTLED: Final = (sent_calls.c.settled.is_(None), sent_calls.c.batch.is_(None))
SENT: Final = (
    func.count().label("calls"),
    func.sum(sent_calls.c.dollars).label("dollars"),
    func.sum(sent_calls.c.tokens).label("tokens"),
    func.sum(case((and_(*_UNSETTLED), 1), else_=0)).label("unsettled"),
)
"""The columns with the sums over calls that were sent."""


def sent_in(row: Row[Any]) -> SentCalls:
    """Return the sums in a row that has the columns `SENT`."""
    return SentCalls(row.calls, float(row.dollars or 0.0), int(row.tokens or 0), int(row.unsettled or 0))


def sent_by_experiment(connection: Connection) -> dict[int, SentCalls]:
    """Return the calls in flight of each experiment that has any, by experiment."""
    source = sent_calls.join(games, sent_calls.c.game == games.c.serial)
    query = select(games.c.experiment, *SENT).select_from(source).group_by(games.c.experiment)
    return {row.experiment: sent_in(row) for row in connection.execute(query)}


def sent_in_game(connection: Connection, game: int) -> tuple[SentCall, ...]:
    """Return the calls of one game that are in flight."""
    columns = (sent_calls.c[name] for name in SentCall._fields)
    return tuple(SentCall(*row) for row in connection.execute(select(*columns).where(sent_calls.c.game == game)))


def open_batches(connection: Connection) -> dict[int, list[Batch]]:
    """Return the batches with unsettled calls, by experiment, the oldest first."""
    by_experiment: dict[int, list[Batch]] = defaultdict(list)
    unsettled = select(sent_calls.c.batch).where(sent_calls.c.batch.is_not(None), sent_calls.c.settled.is_(None))
    # A process may be killed before it records that a batch is closed. Therefore the calls of the batch are decisive,
    # not its state.
    query = select(batches).where(batches.c.serial.in_(unsettled)).order_by(batches.c.at)
    for row in connection.execute(query):
        state = Columns(f"the batch {row.serial}").json(row.state, "state")
        batch = Batch(row.serial, row.model, row.at, row.calls, str(state), row.name, row.seen)
        by_experiment[row.experiment].append(batch)
    return by_experiment


def settle(connection: Connection, experiment: int, dollars: float, tokens: int) -> tuple[SentCalls, SentCalls]:
    """Set the total cost of the calls of an experiment that are in flight; return their sums before and after. Calls
    that are already settled are not changed."""
    before = sent_by_experiment(connection).get(experiment, NONE_SENT)
    of_experiment = sent_calls.c.game.in_(select(games.c.serial).where(games.c.experiment == experiment))
    query = select(sent_calls.c.serial).where(of_experiment, *_UNSETTLED).order_by(sent_calls.c.serial)
    serials = list(connection.execute(query).scalars())
    for place, serial in enumerate(serials):
        # The first call gets the whole amount, so that the sum is exact.
        amounts = {"dollars": dollars, "tokens": tokens} if place == 0 else {"dollars": 0.0, "tokens": 0}
        connection.execute(update(sent_calls).where(sent_calls.c.serial == serial).values(**amounts, settled=now()))
    return before, sent_by_experiment(connection).get(experiment, NONE_SENT)


@dataclass(frozen=True, slots=True)
class Spending:
    """The amounts that an experiment has spent."""

    calls: int
    cost: float
    """The dollars of calls whose cost is known."""
    reserved: float
    """The dollars that are reserved for calls whose cost is unknown."""
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int = 0
    """The number of input tokens that providers read from their caches."""
    cache_write_tokens: int = 0
    """The number of input tokens that providers wrote to their caches."""
    reserved_tokens: int = 0
    """The number of tokens that are reserved for calls whose usage is unknown."""
    out: SentCalls = NONE_SENT
    """The calls that were sent and have no response."""
    reused: int = 0
    """The number of replies that were reused from another journal. They are not counted as calls."""
    saved: float = 0.0
    """The dollars that the reused replies would have cost, as far as their prices are known."""

    @property
    def dollars(self) -> float:
        """All dollars that count towards a budget, including reserved ones."""
        return self.cost + self.reserved + self.out.dollars

    @property
    def tokens(self) -> int:
        """All tokens that count towards a budget, including reserved ones."""
        return self.input_tokens + self.output_tokens + self.reserved_tokens + self.out.tokens


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """The calls of one model."""

    model: str
    calls: int
    faults: dict[Fault, int]
    """The number of failed calls, by the kind of fault."""
    retries: int
    """The number of calls that failed in transit and were repeated."""
    reasked: int
    """The number of replies that had no legal answer and led to another call."""
    defaulted: int
    """The number of questions that were answered by the game's fallback."""
    cost: float
    """The dollars of calls whose cost is known."""
    reserved: float
    """The dollars that are reserved for calls whose cost is unknown."""
    input_tokens: int
    output_tokens: int
    cache_read_tokens: int
    """The number of input tokens that the provider read from its cache."""
    cache_write_tokens: int
    """The number of input tokens that the provider wrote to its cache."""
    latency: float
    """The mean duration of a call, in seconds."""
    unpriced: int = 0
    """The number of calls that used tokens but have no known price."""
    reused: int = 0
    """The number of replies that were reused from another journal. They are not counted as calls."""
    saved: float = 0.0
    """The dollars that the reused replies would have cost, as far as their prices are known."""

    @property
    def refused(self) -> int:
        """The number of calls that the model, or a filter before it, declined."""
        return self.faults.get(Fault.REFUSED, 0)


@dataclass(frozen=True, slots=True)
class GameSpending:
    """The amounts that a game has spent, including failed calls."""

    cost: float | None
    """The dollars, including those reserved for calls of unknown cost; None if the price of a call is unknown."""
    tokens: int


def spending(connection: Connection, experiment: int, keys: Sequence[str] | None = None) -> Spending:
    """Return the spending of an experiment, or of its games with these keys, including failed calls."""

    def restrict(query: Any, table: Table = calls) -> Any:
        query = query.select_from(table.join(games, table.c.game == games.c.serial))
        query = query.where(games.c.experiment == experiment)
        return query if keys is None else query.where(games.c.key.in_(list(keys)))

    row = connection.execute(restrict(select(*_SUMS))).one()
    # Only a few calls have unknown usage. The tokens reserved for them are in `extra`.
    used = func.coalesce(calls.c.input_tokens, 0) + func.coalesce(calls.c.output_tokens, 0)
    unknown = connection.execute(restrict(select(calls.c.extra)).where(used == 0, calls.c.extra != "{}")).scalars()
    reserved = sum(_reserved_tokens(extra) for extra in unknown)
    out = sent_in(connection.execute(restrict(select(*SENT), sent_calls)).one())
    tokens = {name: int(getattr(row, name) or 0) for name in TOKEN_FIELDS}
    dollars, unknown_dollars = row.cost or 0.0, row.reserved or 0.0
    sums = Spending(int(row.calls or 0), dollars, unknown_dollars, **tokens, reserved_tokens=reserved, out=out)
    return replace(sums, reused=int(row.reused or 0), saved=float(row.saved or 0.0))


def spending_by_game(connection: Connection, experiment: int | None) -> dict[str, GameSpending]:
    """Return the spending of each game that has calls, in one experiment or in all."""
    query = select(games.c.id, *_SUMS).select_from(calls.join(games, calls.c.game == games.c.serial))
    if experiment is not None:
        query = query.where(games.c.experiment == experiment)
    return {
        row.id: GameSpending(
            None if row.unpriced else (row.cost or 0.0) + (row.reserved or 0.0),
            int((row.input_tokens or 0) + (row.output_tokens or 0)),
        )
        for row in connection.execute(query.group_by(games.c.id))
    }


def _reserved_tokens(extra: str) -> int:
    tokens = Columns("a call").mapping(extra, "extra").get(RESERVED_TOKENS, 0)
    return tokens if isinstance(tokens, int) else 0


def model_calls(connection: Connection, experiments: Sequence[int]) -> dict[int, tuple[ModelCalls, ...]]:
    """Return the calls of these experiments, by model."""
    if connection.dialect.name == "postgresql":
        # The server takes longer to compile these statements than to execute them.
        connection.exec_driver_sql("SET LOCAL jit = off")
    rows: dict[tuple[int, str], list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(_by_fault(experiments)):
        rows[row.experiment, row.model].append(row)
    defaulted = Counter[tuple[int, str]]()
    if rows:
        for row in connection.execute(_defaulted(experiments)):
            defaulted[row.experiment, row.model] += row.answers
    models: dict[int, list[ModelCalls]] = defaultdict(list)
    for (experiment, model), model_rows in sorted(rows.items()):
        models[experiment].append(_model_sum(model, model_rows, defaulted[experiment, model]))
    return {experiment: tuple(calls_by_model) for experiment, calls_by_model in models.items()}


def _tokens(counts: Iterable[int | float | None]) -> int:
    """Return the sum of numbers of tokens. Raise RecordError if it is invalid, since SQLite also adds up invalid
    values."""
    try:
        return int(sum(count or 0 for count in counts))
    except (OverflowError, ValueError):
        raise RecordError("the calls of the journal have invalid figures; check and repair it") from None


def _model_sum(model: str, rows: list[Row[Any]], defaulted: int) -> ModelCalls:
    count = int(sum(row.calls for row in rows))
    by_fault = {row.fault: row for row in rows if row.calls}
    return ModelCalls(
        model=model,
        calls=count,
        faults={fault: int(by_fault[fault].calls) for fault in Fault if fault in by_fault},
        retries=sum(int(by_fault[fault].followed) for fault in Fault if fault in by_fault and fault.of_transport),
        reasked=sum(int(by_fault[fault].followed) for fault in Fault if fault in by_fault and fault.of_reply),
        defaulted=defaulted,
        cost=sum(row.cost or 0.0 for row in rows),
        reserved=sum(row.reserved or 0.0 for row in rows),
        **{name: _tokens(getattr(row, name) for row in rows) for name in TOKEN_FIELDS},
        latency=sum(row.latency for row in rows) / count if count else 0.0,
        unpriced=int(sum(row.unpriced for row in rows)),
        reused=int(sum(row.reused for row in rows)),
        saved=sum(row.saved or 0.0 for row in rows),
    )


_MADE = func.sum(case((calls.c.reused.is_(None), 1), else_=0))
"""The number of calls that were made. Reused replies are not counted."""
_SUMS = (
    _MADE.label("calls"),
    func.count(calls.c.reused).label("reused"),
    func.sum(calls.c.saved).label("saved"),
    func.sum(calls.c.cost).label("cost"),
    # A reserved amount does not count once the cost is known.
    func.sum(case((calls.c.cost.is_(None), calls.c.reserved), else_=0.0)).label("reserved"),
    *(func.sum(calls.c[name]).label(name) for name in TOKEN_FIELDS),
    func.sum(calls.c.latency).label("latency"),
    func.sum(case((and_(calls.c.cost.is_(None), calls.c.output_tokens > 0), 1), else_=0)).label("unpriced"),
)


def _by_fault(experiments: Sequence[int]) -> Select[Any]:
    later = calls.alias()
    next_one = and_(later.c.game == calls.c.game, later.c.place == calls.c.place, later.c.attempt > calls.c.attempt)
    # This is looked up only for failed calls.
    followed = case(
        (or_(calls.c.fault.is_(None), calls.c.reused.is_not(None)), 0), (exists().where(next_one), 1), else_=0
    )
    # The rows are grouped by game first, which is the order of SQLite's index. This avoids sorting all calls.
    group_columns = (calls.c.game, calls.c.model, calls.c.fault)
    chosen_games = select(games.c.serial).where(games.c.experiment.in_(experiments))
    summed_up = select(*group_columns, func.sum(followed).label("followed"), *_SUMS).where(
        calls.c.game.in_(chosen_games)
    )
    by_game = summed_up.group_by(*group_columns).subquery()
    group = (games.c.experiment, by_game.c.model, by_game.c.fault)
    summed = ("followed", *(column.name for column in _SUMS))
    source = by_game.join(games, by_game.c.game == games.c.serial)
    return (
        select(*group, *(func.sum(by_game.c[name]).label(name) for name in summed)).select_from(source).group_by(*group)
    )


def _defaulted(experiments: Sequence[int]) -> Select[Any]:
    # All calls for a question go to the same model, so the first call is enough to learn the model.
    first = and_(calls.c.game == answers.c.game, calls.c.place == answers.c.number, calls.c.attempt == 1)
    group = (games.c.experiment, calls.c.model)
    source = answers.join(calls, first).join(games, answers.c.game == games.c.serial)
    query = select(*group, func.count().label("answers")).select_from(source)
    query = query.where(answers.c.provenance == Provenance.DEFAULTED.value, games.c.experiment.in_(experiments))
    return query.group_by(*group)


@dataclass(slots=True)
class PlayerSpending:
    """The spending of one player, including failed calls. Unknown amounts count with their maximum."""

    calls: int = 0
    """The number of calls with a response."""
    tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0
    """The total duration of the calls."""
    sent: int = 0
    """The number of calls without a response. The sums include the dollars and tokens of these calls, but not their
    time."""


@dataclass(slots=True)
class _Players:
    """Sums of calls by player."""

    seats: dict[int, tuple[str, ...]]
    sums: dict[str, PlayerSpending] = field(default_factory=lambda: defaultdict(PlayerSpending))

    def of(self, row: Row[Any]) -> PlayerSpending:
        """Return the sums of the player in a seat. If the seat is invalid, return sums that are later discarded."""
        names = self.seats.get(row.game, ())
        return self.sums[names[row.seat]] if 0 <= row.seat < len(names) else PlayerSpending()


def spending_by_player(
    connection: Connection, experiment: int, keys: Sequence[str] | None = None
) -> dict[str, PlayerSpending]:
    """Return the spending of each player that has calls, over all runs. It covers an experiment, or its games with
    these keys."""
    conditions = [games.c.experiment == experiment, *([] if keys is None else [games.c.key.in_(list(keys))])]

    def rows(table: Table, **sums: Any) -> Sequence[Row[Any]]:
        columns = (table.c.game, table.c.seat)
        query = select(*columns, *(column.label(name) for name, column in sums.items())).group_by(*columns)
        return connection.execute(query.join(games, table.c.game == games.c.serial).where(*conditions)).all()

    headers: Select[Any] = select(games.c.serial, games.c.id, games.c.seats)
    heads = connection.execute(headers.where(*conditions))
    players = _Players({head.serial: _names(head) for head in heads})
    used = func.coalesce(calls.c.input_tokens, 0) + func.coalesce(calls.c.output_tokens, 0)
    cost = func.sum(case((calls.c.cost.is_(None), calls.c.reserved), else_=calls.c.cost))
    for row in rows(calls, calls=_MADE, tokens=func.sum(used), dollars=cost, seconds=func.sum(calls.c.latency)):
        player = players.of(row)
        player.calls += row.calls
        player.tokens += int(row.tokens or 0)
        player.dollars += float(row.dollars or 0.0)
        player.seconds += float(row.seconds or 0.0)
    # Only a few calls have unknown usage. The tokens reserved for them are in `extra`.
    query: Select[Any] = select(calls.c.game, calls.c.seat, calls.c.extra).join(games, calls.c.game == games.c.serial)
    for row in connection.execute(query.where(*conditions, used == 0, calls.c.extra != "{}")):
        reserved = Columns("a call").mapping(row.extra, "extra").get(RESERVED_TOKENS, 0)
        players.of(row).tokens += reserved if isinstance(reserved, int) else 0
    bounds = {name: func.sum(sent_calls.c[name]) for name in ("dollars", "tokens")}
    for row in rows(sent_calls, sent=func.count(), **bounds):
        player = players.of(row)
        player.sent += row.sent
        player.dollars += float(row.dollars or 0.0)
        player.tokens += int(row.tokens or 0)
    return dict(players.sums)


def _names(head: Row[Any]) -> tuple[str, ...]:
    columns = Columns.of_game(head.id)
    try:
        return tuple(str(seat["player"]) for seat in columns.json(head.seats, "seats"))
    except (LookupError, TypeError):
        raise columns.damage("seats: they name no players") from None
