"""Experiments, their runs, games in rows, and what the calls of models came to, without what happened in the games:
sums alone are read, never a reply. Each function works within a transaction that it is handed."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    Table,
    and_,
    case,
    exists,
    func,
    select,
)

from ostrom.core import Fault, Provenance, RecordError
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.journal import schema
from ostrom.journal.read import Columns
from ostrom.journal.rows import TALLIED
from ostrom.journal.schema import FINISHED, PLAYING, VOID, answers, calls, events, experiments, games, runs, sent_calls
from ostrom.journal.sent import NONE_SENT, SENT, SentCalls, sent_by_experiment, sent_in


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


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """An experiment and how far it is."""

    id: str
    name: str
    kind: str
    created: str
    """The moment, in UTC."""
    settings: dict[str, Any]
    planned: int | None
    """How many games it is to have; not known of what is imported."""
    games: int
    """How many are finished."""
    playing: int
    """How many were begun and are not finished."""
    answers: int
    events: int
    provenance: dict[Provenance, int]
    """How many answers there are of each kind."""
    void: int = 0
    """How many games came to nothing; they count as played, and in no measure."""
    runs: int = 0
    """How often it was begun or gone on with."""
    models: tuple[ModelCalls, ...] = ()
    """How the calls of each model went."""
    out: SentCalls = NONE_SENT
    """Calls that were sent and have not come back."""
    suspended: dict[str, int] = field(default_factory=dict)
    """Why games do not go on for now, and how many."""

    @property
    def state(self) -> str:
        """Whether anything is left to do; whether anybody is doing it, a journal cannot know."""
        if self.playing or (self.planned is not None and self.games + self.void < self.planned):
            return "unfinished"
        return "open" if self.planned is None else "finished"


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game without what happened in it."""

    id: str
    experiment: str
    key: str
    """What the experiment calls it."""
    game: str
    players: tuple[str, ...]
    """By seat."""
    rounds: int | None
    """How many were played, of a game that is finished."""
    state: str
    """'playing', 'finished' or 'void'."""
    source: str | None
    reason: str | None = None
    """Why a game is void, or does not go on for now."""
    code: str | None = None
    """The same as a word that programs read."""
    seat: int | None = None
    """The seat at which that happened, where it was one."""
    package: str | None = None
    """Which package brought the game; not known of games that an older Ostrom kept."""
    version: str | None = None
    """The game's own version, likewise."""
    finals: tuple[float | None, ...] | None = None
    """What each seat of a finished game ended with; None where the game has no finals, or nobody has filled them in."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One time that an experiment was begun or gone on with."""

    number: int
    """Counted from 1."""
    at: str
    """The moment, in UTC."""
    settings: dict[str, Any]
    """Its limits."""


def experiment_rows(connection: Connection, known: Mapping[str, ExperimentRow]) -> list[ExperimentRow]:
    """All experiments, the oldest first. Of those `known` by their ids, in which nothing is being played and no game
    and no run has been added since, the row is taken as it is: counting takes its time."""
    states = _counts(connection, games, games.c.state)
    counted = select(runs.c.experiment, func.count()).group_by(runs.c.experiment)
    begun = {row[0]: row[1] for row in connection.execute(counted)}
    there = experiments.c.kind != schema.DELETED
    heads = connection.execute(select(experiments).where(there).order_by(experiments.c.serial)).all()
    rows = {
        head.serial: before
        for head in heads
        if (before := known.get(head.id))
        and (before.planned, before.name) == (head.planned, head.name)
        and before.settings == Columns(f"the experiment {head.id}").mapping(head.settings, "settings")
        and _still(before, states[head.serial], begun.get(head.serial, 0))
    }
    new = [head for head in heads if head.serial not in rows]
    models = model_calls(connection, [head.serial for head in new])
    mine = games.c.experiment.in_([head.serial for head in new])
    kinds = _kinds(connection, [head.serial for head in new])
    happened = _events(connection, mine)
    for head in new:
        state, kind = states[head.serial], kinds[head.serial]
        columns = Columns(f"the experiment {head.id}")
        rows[head.serial] = ExperimentRow(
            **{name: getattr(head, name) for name in ("id", "name", "kind", "created")},
            planned=columns.whole(head.planned, "planned"),
            settings=columns.mapping(head.settings, "settings"),
            games=state[FINISHED],
            playing=state[PLAYING],
            void=state[VOID],
            runs=begun.get(head.serial, 0),
            models=models.get(head.serial, ()),
            answers=kind.total(),
            events=happened.get(head.serial, 0),
            provenance={one: kind[one] for one in Provenance if one in kind},
        )
    out, waiting = sent_by_experiment(connection), _suspended(connection)
    return [
        replace(rows[head.serial], out=out.get(head.serial, NONE_SENT), suspended=waiting.get(head.serial, {}))
        for head in heads
    ]


def _kinds(connection: Connection, serials: Sequence[int]) -> dict[int, Counter[str]]:
    """How many answers of each kind experiments have: by the tallies of their games where these say it all, as they do
    of imported games; else by counting answers, which takes its time."""
    wanted = select(games.c.experiment, games.c.state, games.c.tallies).where(games.c.experiment.in_(serials))
    kinds: dict[int, Counter[str]] = defaultdict(Counter)
    uncertain: set[int] = set()
    known: dict[str, tuple[int, ...]] = {}
    for experiment, state, tallies in connection.execute(wanted):
        if state != FINISHED or tallies is None:
            uncertain.add(experiment)
            continue
        if tallies not in known:
            known[tallies] = _summed_tallies(tallies)
        total, *counts = known[tallies]
        if total != sum(counts):  # what is left was answered or replayed
            uncertain.add(experiment)
        kinds[experiment].update({kind: count for kind, count in zip(TALLIED, counts, strict=True) if count})
    if uncertain:
        mine = games.c.experiment.in_(sorted(uncertain))
        counted = _counts(connection, answers.join(games), answers.c.provenance, mine)
        kinds.update({one: counted[one] for one in uncertain})
    return kinds


def _summed_tallies(tallies: str) -> tuple[int, ...]:
    """All answers of a game, and those of each kind that is tallied; where they cannot be read, the answers themselves
    are to be counted."""
    found = Columns("a game").json(tallies, "tallies")
    try:
        return tuple(sum(int(seat[place]) for seat in found) for place in range(len(TALLIED) + 1))
    except (LookupError, TypeError, ValueError):
        return (1, *(0 for _ in TALLIED))


def _events(connection: Connection, which: ColumnElement[bool]) -> dict[int, int]:
    """How much happened in the games of experiments. Events are numbered without a gap, so that the last one of a game
    tells how many it has, and none of the others is read."""
    last = select(func.max(events.c.number) + 1).where(events.c.game == games.c.serial).scalar_subquery()
    counted = select(games.c.experiment, last.label("events")).where(which).subquery()
    sums = select(counted.c.experiment, func.coalesce(func.sum(counted.c.events), 0)).group_by(counted.c.experiment)
    return {row[0]: int(row[1]) for row in connection.execute(sums)}


def _suspended(connection: Connection) -> dict[int, dict[str, int]]:
    """Why games that are begun do not go on for now, and how many, by experiment."""
    wanted = select(games.c.experiment, games.c.reason, func.count().label("games"))
    wanted = wanted.where(games.c.state == PLAYING, games.c.reason.is_not(None))
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for row in connection.execute(wanted.group_by(games.c.experiment, games.c.reason).order_by(games.c.reason)):
        reason = Columns("a game").text(row.reason, "reason")
        found[row.experiment][reason or ""] = row.games
    return dict(found)


def _still(before: ExperimentRow, states: Counter[str], begun: int) -> bool:
    """Whether what was counted holds: what is said of a game that is over never changes."""
    now = (states[FINISHED], states[PLAYING], states[VOID], begun)
    return now == (before.games, 0, before.void, before.runs) and not before.playing


def short_headers() -> Select[Any]:
    """The headers of games with no more than a `GameRow` tells: rules and orders may be long."""
    columns = (games.c[name] for name in (*_COPIED.values(), "seats", "reason", "finals") if name in games.c)
    return select(*columns, experiments.c.id.label("label")).select_from(games.join(experiments))


_COPIED: Final = {
    **{name: name for name in ("id", "key", "game", "rounds", "state", "source", "package")},
    **{"experiment": "label", "code": "reason_code", "seat": "reason_seat", "version": "game_version"},
}
"""The fields of a `GameRow`, and the columns of a header that they are."""


def game_row(head: Row[Any]) -> GameRow:
    """The game of a header."""
    columns = Columns.of_game(head.id)
    finals = None if head.finals is None else columns.json(head.finals, "finals")
    if finals is not None and not (
        isinstance(finals, list) and all(one is None or type(one) in (int, float) for one in finals)
    ):
        raise columns.damage("finals: they are not numbers")
    try:
        players = tuple(str(seat["player"]) for seat in columns.json(head.seats, "seats"))
    except (LookupError, TypeError):
        raise columns.damage("seats: they name no players") from None
    copied = {name: getattr(head, column) for name, column in _COPIED.items()}
    reason = columns.text(head.reason, "reason")
    return GameRow(**copied, players=players, reason=reason, finals=None if finals is None else tuple(finals))


def _counts(
    connection: Connection, source: FromClause, column: Column[str], *which: ColumnElement[bool]
) -> dict[int, Counter[str]]:
    """How many rows there are, by experiment and by what stands in the column."""
    wanted = select(games.c.experiment, column, func.count()).select_from(source).where(*which)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for experiment, value, count in connection.execute(wanted.group_by(games.c.experiment, column)):
        counts[experiment][value] = count
    return counts


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
