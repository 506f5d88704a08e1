"""Experiments, their runs, and games in rows, without what happened in the games. Each function works within a
transaction that it is handed."""

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
from ostrom.journal.read import Columns
from ostrom.journal.rows import TALLIED
from ostrom.journal.schema import FINISHED, PLAYING, VOID, answers, events, experiments, games, runs
from ostrom.journal.spending import NONE_SENT, ModelCalls, SentCalls, model_calls, sent_by_experiment


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
