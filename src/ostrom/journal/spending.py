"""The cost of calls of models: dollars, tokens, faults, by experiment, game and player; and calls that were sent
without a response. Only sums are read, never a reply. Each function works within a transaction of the caller."""

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
    """Calls in flight, or that were when a process died. They count at their bound until they are settled."""

    calls: int = 0
    dollars: float = 0.0
    tokens: int = 0
    unsettled: int = 0
    """The number of calls that are not settled."""


class SentCall(NamedTuple):
    """A call of a game that was in flight when its process ended, with its bounds."""

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
"""The columns of their sum."""


def sent_in(row: Row[Any]) -> SentCalls:
    """Return the calls that such columns sum up."""
    return SentCalls(row.calls, float(row.dollars or 0.0), int(row.tokens or 0), int(row.unsettled or 0))


def sent_by_experiment(connection: Connection) -> dict[int, SentCalls]:
    """Return the calls in flight by experiment, where there are any."""
    source = sent_calls.join(games, sent_calls.c.game == games.c.serial)
    query = select(games.c.experiment, *SENT).select_from(source).group_by(games.c.experiment)
    return {row.experiment: sent_in(row) for row in connection.execute(query)}


def sent_in_game(connection: Connection, game: int) -> tuple[SentCall, ...]:
    """Return the calls of one game that are in flight."""
    columns = (sent_calls.c[name] for name in SentCall._fields)
    return tuple(SentCall(*row) for row in connection.execute(select(*columns).where(sent_calls.c.game == game)))


def settle(connection: Connection, experiment: int, dollars: float, tokens: int) -> tuple[SentCalls, SentCalls]:
    """Set the total cost of the calls of an experiment that are in flight; return what they counted before, and after.
    Settled calls stay as they are."""
    before = sent_by_experiment(connection).get(experiment, NONE_SENT)
    of_experiment = sent_calls.c.game.in_(select(games.c.serial).where(games.c.experiment == experiment))
    query = (
        select(sent_calls.c.serial).where(of_experiment, sent_calls.c.settled.is_(None)).order_by(sent_calls.c.serial)
    )
    serials = list(connection.execute(query).scalars())
    for place, serial in enumerate(serials):
        # The first carries the whole amount, so that the sum is exact.
        amounts = {"dollars": dollars, "tokens": tokens} if place == 0 else {"dollars": 0.0, "tokens": 0}
        connection.execute(update(sent_calls).where(sent_calls.c.serial == serial).values(**amounts, settled=now()))
    return before, sent_by_experiment(connection).get(experiment, NONE_SENT)


@dataclass(frozen=True, slots=True)
class Spending:
    """The spending of an experiment."""

    calls: int
    cost: float
    """Dollars of the calls with a known cost."""
    reserved: float
    """Dollars reserved for calls whose cost is unknown."""
    input_tokens: int
    output_tokens: int
    reserved_tokens: int = 0
    """Tokens reserved for calls whose usage is unknown."""
    out: SentCalls = NONE_SENT
    """Calls that were sent without a response."""

    @property
    def dollars(self) -> float:
        """All dollars, as a budget counts them."""
        return self.cost + self.reserved + self.out.dollars

    @property
    def tokens(self) -> int:
        """All tokens, as a budget counts them."""
        return self.input_tokens + self.output_tokens + self.reserved_tokens + self.out.tokens


@dataclass(frozen=True, slots=True)
class ModelCalls:
    """The calls of one model."""

    model: str
    calls: int
    faults: dict[Fault, int]
    """The number of failed calls by fault."""
    retries: int
    """Calls that failed in transit and were repeated."""
    reasked: int
    """Replies that were no legal answer and led to another call."""
    defaulted: int
    """Questions that got the game's fallback."""
    cost: float
    """Dollars of the calls with a known cost."""
    reserved: float
    """Dollars reserved for calls whose cost is unknown."""
    input_tokens: int
    output_tokens: int
    latency: float
    """Mean seconds of a call."""
    unpriced: int = 0
    """Calls that used tokens without a known price."""

    @property
    def refused(self) -> int:
        """Calls that the model, or a filter before it, declined."""
        return self.faults.get(Fault.REFUSED, 0)


@dataclass(frozen=True, slots=True)
class GameSpending:
    """The spending of a game, failed calls included."""

    cost: float | None
    """Dollars, including those reserved where the cost is unknown; None if a call has no price."""
    tokens: int


def spending(connection: Connection, experiment: int, keys: Sequence[str] | None = None) -> Spending:
    """Return the spending of an experiment, or of its games with these keys, failed calls included."""

    def restrict(query: Any, table: Table = calls) -> Any:
        query = query.select_from(table.join(games, table.c.game == games.c.serial))
        query = query.where(games.c.experiment == experiment)
        return query if keys is None else query.where(games.c.key.in_(list(keys)))

    row = connection.execute(restrict(select(*_SUMS))).one()
    # Few calls have unknown usage; what is reserved for them is in `extra`.
    used = func.coalesce(calls.c.input_tokens, 0) + func.coalesce(calls.c.output_tokens, 0)
    unknown = connection.execute(restrict(select(calls.c.extra)).where(used == 0, calls.c.extra != "{}")).scalars()
    reserved = sum(_reserved_tokens(extra) for extra in unknown)
    out = sent_in(connection.execute(restrict(select(*SENT), sent_calls)).one())
    return Spending(
        row.calls, row.cost or 0.0, row.reserved or 0.0, int(row.input or 0), int(row.output or 0), reserved, out
    )


def spending_by_game(connection: Connection, experiment: int | None) -> dict[str, GameSpending]:
    """Return the spending of each game with calls, of an experiment or of all."""
    query = select(games.c.id, *_SUMS).select_from(calls.join(games, calls.c.game == games.c.serial))
    if experiment is not None:
        query = query.where(games.c.experiment == experiment)
    return {
        row.id: GameSpending(
            None if row.unpriced else (row.cost or 0.0) + (row.reserved or 0.0),
            int((row.input or 0) + (row.output or 0)),
        )
        for row in connection.execute(query.group_by(games.c.id))
    }


def _reserved_tokens(extra: str) -> int:
    tokens = Columns("a call").mapping(extra, "extra").get(RESERVED_TOKENS, 0)
    return tokens if isinstance(tokens, int) else 0


def model_calls(connection: Connection, experiments: Sequence[int]) -> dict[int, tuple[ModelCalls, ...]]:
    """Return the calls of these experiments, by model."""
    if connection.dialect.name == "postgresql":
        # Compiling these statements takes the server longer than executing them.
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
    """Return the sum. Raise RecordError for invalid figures, which SQLite adds up too."""
    try:
        return int(sum(count or 0 for count in counts))
    except (OverflowError, ValueError):
        raise RecordError("the calls of the journal have invalid figures; check and repair it") from None


def _model_sum(model: str, rows: list[Row[Any]], defaulted: int) -> ModelCalls:
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
    # A reservation does not count once the cost is known.
    func.sum(case((calls.c.cost.is_(None), calls.c.reserved), else_=0.0)).label("reserved"),
    func.sum(calls.c.input_tokens).label("input"),
    func.sum(calls.c.output_tokens).label("output"),
    func.sum(calls.c.latency).label("latency"),
    func.sum(case((and_(calls.c.cost.is_(None), calls.c.output_tokens > 0), 1), else_=0)).label("unpriced"),
)


def _by_fault(experiments: Sequence[int]) -> Select[Any]:
    later = calls.alias()
    next_one = and_(later.c.game == calls.c.game, later.c.place == calls.c.place, later.c.attempt > calls.c.attempt)
    # Looked up for failed calls only.
    followed = case((calls.c.fault.is_(None), 0), (exists().where(next_one), 1), else_=0)
    # Grouped by game first, in the order of SQLite's index, which avoids a sort of all calls.
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
    # A question goes to one model, so its first call names it.
    first = and_(calls.c.game == answers.c.game, calls.c.place == answers.c.number, calls.c.attempt == 1)
    group = (games.c.experiment, calls.c.model)
    source = answers.join(calls, first).join(games, answers.c.game == games.c.serial)
    query = select(*group, func.count().label("answers")).select_from(source)
    query = query.where(answers.c.provenance == Provenance.DEFAULTED.value, games.c.experiment.in_(experiments))
    return query.group_by(*group)


@dataclass(slots=True)
class PlayerSpending:
    """The spending of one player, failed calls included; unknown amounts count at their bound."""

    calls: int = 0
    """Calls with a response."""
    tokens: int = 0
    dollars: float = 0.0
    seconds: float = 0.0
    """The total duration of the calls."""
    sent: int = 0
    """Calls without a response; their dollars and tokens are in the sums, their time is not."""


@dataclass(slots=True)
class _Players:
    """Sums of calls by player."""

    seats: dict[int, tuple[str, ...]]
    sums: dict[str, PlayerSpending] = field(default_factory=lambda: defaultdict(PlayerSpending))

    def of(self, row: Row[Any]) -> PlayerSpending:
        """Return the sums of the player in a seat; a row with an invalid seat gets sums that are discarded."""
        names = self.seats.get(row.game, ())
        return self.sums[names[row.seat]] if 0 <= row.seat < len(names) else PlayerSpending()


def spending_by_player(
    connection: Connection, experiment: int, keys: Sequence[str] | None = None
) -> dict[str, PlayerSpending]:
    """Return the spending of the players with calls, of an experiment or of its games with these keys, in all its
    runs."""
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
    for row in rows(calls, calls=func.count(), tokens=func.sum(used), dollars=cost, seconds=func.sum(calls.c.latency)):
        player = players.of(row)
        player.calls += row.calls
        player.tokens += int(row.tokens or 0)
        player.dollars += float(row.dollars or 0.0)
        player.seconds += float(row.seconds or 0.0)
    # Few calls have unknown usage; what is reserved for them is in `extra`.
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
