"""Experiments, their runs, and their games as rows, without the games' events. Each function works within a transaction
of the caller."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    func,
    select,
)

from ostrom.core import Provenance
from ostrom.journal import schema
from ostrom.journal.public import public_settings
from ostrom.journal.read import Columns
from ostrom.journal.rows import TALLIED, Batch
from ostrom.journal.schema import FINISHED, PLAYING, VOID, answers, events, experiments, games, runs
from ostrom.journal.spending import NONE_SENT, ModelCalls, SentCalls, model_calls, open_batches, sent_by_experiment


@dataclass(frozen=True, slots=True)
class ExperimentRow:
    """An experiment and its progress."""

    id: str
    name: str
    kind: str
    created: str
    """The time when the experiment was created, in UTC."""
    settings: dict[str, Any]
    planned: int | None
    """The planned number of games; None for imports, where it is unknown."""
    games: int
    """The number of finished games."""
    playing: int
    """The number of unfinished games."""
    answers: int
    events: int
    provenance: dict[Provenance, int]
    """The number of answers by their provenance, such as answered, repaired or defaulted."""
    void: int = 0
    """The number of void games. They count as played, but are not included in any measure."""
    runs: int = 0
    """The number of starts and resumptions."""
    models: tuple[ModelCalls, ...] = ()
    """The calls of each model."""
    out: SentCalls = NONE_SENT
    """The calls that were sent and have no response."""
    suspended: dict[str, int] = field(default_factory=dict)
    """The number of suspended games by reason."""
    batches: Sequence[Batch] = ()
    """The batches at providers whose results have not been read yet."""

    @property
    def state(self) -> str:
        """The state of the experiment. It is `unfinished` while games are missing; the journal does not know whether a
        process is playing these games at the moment."""
        if self.playing or (self.planned is not None and self.games + self.void < self.planned):
            return "unfinished"
        return "open" if self.planned is None else "finished"

    @property
    def public_settings(self) -> dict[str, Any]:
        """The settings that the public may see. They have no seeds and no sealed rules until all games are over, since
        a seed determines every private value."""
        settings: dict[str, Any] = public_settings(self.settings) if self.state == "unfinished" else self.settings
        return settings


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game without its events."""

    id: str
    experiment: str
    key: str
    """The name of the game within its experiment."""
    game: str
    players: tuple[str, ...]
    """The ids of the players, by seat."""
    rounds: int | None
    """The number of rounds of a finished game."""
    state: str
    """'playing', 'finished' or 'void'."""
    source: str | None
    reason: str | None = None
    """The reason why a game is void or suspended."""
    code: str | None = None
    """The reason as a code for programs."""
    seat: int | None = None
    """The seat that caused the game to be void or suspended, if a seat did."""
    package: str | None = None
    """The package that provides the game."""
    version: str | None = None
    """The game's own version."""
    finals: tuple[float | None, ...] | None = None
    """The final result of each seat of a finished game; None if the game has no finals."""


@dataclass(frozen=True, slots=True)
class RunRow:
    """One start or resumption of an experiment."""

    number: int
    """The number of the run, from 1."""
    at: str
    """The time when the run began, in UTC."""
    settings: dict[str, Any]
    """The limits of the run, such as its budget."""


def experiment_rows(connection: Connection, known: Mapping[str, ExperimentRow]) -> list[ExperimentRow]:
    """Return all experiments, the oldest first. Counting is slow. So a row in `known` is reused if no game of the
    experiment is under way and neither a game nor a run was added since the row was read."""
    states = _counts(connection, games, games.c.state)
    run_counts = select(runs.c.experiment, func.count()).group_by(runs.c.experiment)
    runs_by_experiment = {row[0]: row[1] for row in connection.execute(run_counts)}
    not_deleted = experiments.c.kind != schema.DELETED
    heads = connection.execute(select(experiments).where(not_deleted).order_by(experiments.c.serial)).all()
    rows = {
        head.serial: before
        for head in heads
        if (before := known.get(head.id))
        and (before.planned, before.name) == (head.planned, head.name)
        and before.settings == Columns(f"the experiment {head.id}").mapping(head.settings, "settings")
        and _is_unchanged(before, states[head.serial], runs_by_experiment.get(head.serial, 0))
    }
    new = [head for head in heads if head.serial not in rows]
    models = model_calls(connection, [head.serial for head in new])
    of_new = games.c.experiment.in_([head.serial for head in new])
    kinds = _kinds(connection, [head.serial for head in new])
    event_counts = _events(connection, of_new)
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
            runs=runs_by_experiment.get(head.serial, 0),
            models=models.get(head.serial, ()),
            answers=kind.total(),
            events=event_counts.get(head.serial, 0),
            provenance={provenance: kind[provenance] for provenance in Provenance if provenance in kind},
        )
    out, waiting, batches = sent_by_experiment(connection), _suspended(connection), open_batches(connection)
    return [
        replace(
            rows[head.serial],
            out=out.get(head.serial, NONE_SENT),
            suspended=waiting.get(head.serial, {}),
            batches=batches.get(head.serial, ()),
        )
        for head in heads
    ]


def _kinds(connection: Connection, serials: Sequence[int]) -> dict[int, Counter[str]]:
    """Return the number of answers by experiment and provenance. The stored tallies of games are added up if they are
    complete, as for imported games. Otherwise answers are counted, which is slower."""
    query = select(games.c.experiment, games.c.state, games.c.tallies).where(games.c.experiment.in_(serials))
    kinds: dict[int, Counter[str]] = defaultdict(Counter)
    uncertain: set[int] = set()
    sums: dict[str, tuple[int, ...]] = {}
    for experiment, state, tallies in connection.execute(query):
        if state != FINISHED or tallies is None:
            uncertain.add(experiment)
            continue
        if tallies not in sums:
            sums[tallies] = _summed_tallies(tallies)
        total, *counts = sums[tallies]
        if total != sum(counts):  # All other answers have a provenance that is not tallied.
            uncertain.add(experiment)
        kinds[experiment].update({kind: count for kind, count in zip(TALLIED, counts, strict=True) if count})
    if uncertain:
        chosen = games.c.experiment.in_(sorted(uncertain))
        answer_counts = _counts(connection, answers.join(games), answers.c.provenance, chosen)
        kinds.update({kind: answer_counts[kind] for kind in uncertain})
    return kinds


def _summed_tallies(tallies: str) -> tuple[int, ...]:
    """Return the number of all answers of a game, and the number for each tallied provenance. If tallies are invalid,
    the numbers do not add up; the caller then counts the answers instead."""
    seats = Columns("a game").json(tallies, "tallies")
    try:
        return tuple(sum(int(seat[place]) for seat in seats) for place in range(len(TALLIED) + 1))
    except (LookupError, TypeError, ValueError):
        return (1, *(0 for _ in TALLIED))


def _events(connection: Connection, condition: ColumnElement[bool]) -> dict[int, int]:
    """Return the number of events by experiment. The events of a game are numbered without gaps, so only the number of
    the last event is read."""
    last = select(func.max(events.c.number) + 1).where(events.c.game == games.c.serial).scalar_subquery()
    by_game = select(games.c.experiment, last.label("events")).where(condition).subquery()
    sums = select(by_game.c.experiment, func.coalesce(func.sum(by_game.c.events), 0)).group_by(by_game.c.experiment)
    return {row[0]: int(row[1]) for row in connection.execute(sums)}


def _suspended(connection: Connection) -> dict[int, dict[str, int]]:
    """Return the number of suspended games by experiment and reason."""
    query = select(games.c.experiment, games.c.reason, func.count().label("games"))
    query = query.where(games.c.state == PLAYING, games.c.reason.is_not(None))
    suspended: dict[int, dict[str, int]] = defaultdict(dict)
    for row in connection.execute(query.group_by(games.c.experiment, games.c.reason).order_by(games.c.reason)):
        reason = Columns("a game").text(row.reason, "reason")
        suspended[row.experiment][reason or ""] = row.games
    return dict(suspended)


def _is_unchanged(before: ExperimentRow, states: Counter[str], run_count: int) -> bool:
    """Return whether an experiment is unchanged since its row was read. Games that are over never change."""
    now = (states[FINISHED], states[PLAYING], states[VOID], run_count)
    return now == (before.games, 0, before.void, before.runs) and not before.playing


def short_headers() -> Select[Any]:
    """Return a statement that selects games with only the columns of a `GameRow`. Other columns, such as rules and
    orders, may be long."""
    columns = (games.c[name] for name in (*_COPIED.values(), "seats", "reason", "finals") if name in games.c)
    return select(*columns, experiments.c.id.label("label")).select_from(games.join(experiments))


_COPIED: Final = {
    **{name: name for name in ("id", "key", "game", "rounds", "state", "source", "package")},
    **{"experiment": "label", "code": "reason_code", "seat": "reason_seat", "version": "game_version"},
}
"""The fields of a `GameRow`, and the columns from which their values are copied."""


def game_row(head: Row[Any]) -> GameRow:
    """Return the `GameRow` of a selected row."""
    columns = Columns.of_game(head.id)
    finals = None if head.finals is None else columns.json(head.finals, "finals")
    if finals is not None and not (
        isinstance(finals, list) and all(final is None or type(final) in (int, float) for final in finals)
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
    connection: Connection, source: FromClause, column: Column[str], *conditions: ColumnElement[bool]
) -> dict[int, Counter[str]]:
    """Return the number of rows for each experiment and each value of the column."""
    query = select(games.c.experiment, column, func.count()).select_from(source).where(*conditions)
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for experiment, value, count in connection.execute(query.group_by(games.c.experiment, column)):
        counts[experiment][value] = count
    return counts
