"""Experiments, their runs, and games in rows, without what happened in them; each function within a transaction that it
is handed."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, FromClause, Row, func, select

from ostrom.core import Provenance, RecordError
from ostrom.journal.accounts import ModelCalls, model_calls
from ostrom.journal.read import from_json, object_from_json, short_headers
from ostrom.journal.schema import FINISHED, PLAYING, VOID, answers, events, experiments, games, runs


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
    """Why a game is void."""
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


def experiment_rows(connection: Connection, known: Mapping[str, ExperimentRow] | None = None) -> list[ExperimentRow]:
    """All experiments, the oldest first. Of those `known` by their ids, in which nothing is being played and no game
    and no run has been added since, the row is taken as it is: counting takes its time."""
    states = _counts(connection, games, games.c.state)
    counted = select(runs.c.experiment, func.count()).group_by(runs.c.experiment)
    begun = {row[0]: row[1] for row in connection.execute(counted)}
    heads = connection.execute(select(experiments).order_by(experiments.c.serial)).all()
    rows = {
        head.serial: before
        for head in heads
        if (before := (known or {}).get(head.id)) and _still(before, states[head.serial], begun.get(head.serial, 0))
    }
    new = [head.serial for head in heads if head.serial not in rows]
    models = model_calls(connection, new)
    mine = games.c.experiment.in_(new)
    kinds = _counts(connection, answers.join(games), answers.c.provenance, mine)
    happened = _counts(connection, events.join(games), games.c.game, mine)
    for head in heads:
        if head.serial in rows:
            continue
        rows[head.serial] = ExperimentRow(
            id=head.id,
            name=head.name,
            kind=head.kind,
            created=head.created,
            settings=object_from_json(head.settings, f"the experiment {head.id}", "settings"),
            planned=head.planned,
            games=states[head.serial].get(FINISHED, 0),
            playing=states[head.serial].get(PLAYING, 0),
            void=states[head.serial].get(VOID, 0),
            runs=begun.get(head.serial, 0),
            models=models.get(head.serial, ()),
            answers=sum(kinds[head.serial].values()),
            events=sum(happened[head.serial].values()),
            provenance={kind: kinds[head.serial][kind] for kind in Provenance if kind in kinds[head.serial]},
        )
    return [rows[head.serial] for head in heads]


def _still(before: ExperimentRow, states: Mapping[str, int], begun: int) -> bool:
    """Whether what was counted holds: what is said of a game that is over never changes."""
    now = (states.get(FINISHED, 0), states.get(PLAYING, 0), states.get(VOID, 0), begun)
    return now == (before.games, 0, before.void, before.runs) and not before.playing


def run_rows(connection: Connection, experiment: int, name: str) -> list[RunRow]:
    """How often an experiment was begun or gone on with, and how."""
    wanted = select(runs).where(runs.c.experiment == experiment).order_by(runs.c.number)
    return [
        RunRow(
            row.number, row.at, object_from_json(row.settings, f"the experiment {name}", f"runs.{row.number}.settings")
        )
        for row in connection.execute(wanted)
    ]


def game_rows(connection: Connection, experiment: int | None, state: str | None = None) -> list[GameRow]:
    """The games of one experiment or of all, in any state or in one, in the order in which they were begun."""
    wanted = short_headers().order_by(games.c.serial)
    if state is not None:
        wanted = wanted.where(games.c.state == state)
    if experiment is not None:
        wanted = wanted.where(games.c.experiment == experiment)
    return [game_row(row) for row in connection.execute(wanted)]


def game_row(head: Row[Any]) -> GameRow:
    """The game of a header."""
    return GameRow(
        id=head.id,
        experiment=head.label,
        key=head.key,
        game=head.game,
        players=_players(head),
        rounds=head.rounds,
        state=head.state,
        source=head.source,
        reason=None if head.reason is None else str(from_json(head.reason, f"the game {head.id}", "reason")),
        code=head.reason_code,
        seat=head.reason_seat,
        package=head.package,
        version=head.game_version,
        finals=None if head.finals is None else _finals(head),
    )


def _finals(head: Row[Any]) -> tuple[float | None, ...]:
    game = f"the game {head.id}"
    finals = from_json(head.finals, game, "finals")
    if not isinstance(finals, list) or not all(one is None or type(one) in (int, float) for one in finals):
        raise RecordError(f"{game} of the journal cannot be read: finals: they are no figures")
    return tuple(finals)


def _players(head: Row[Any]) -> tuple[str, ...]:
    game = f"the game {head.id}"
    seats = from_json(head.seats, game, "seats")
    try:
        return tuple(str(seat["player"]) for seat in seats)
    except (LookupError, TypeError):
        raise RecordError(f"{game} of the journal cannot be read: seats: they name no players") from None


def _counts(
    connection: Connection, source: FromClause, column: Column[str], *which: ColumnElement[bool]
) -> dict[int, dict[str, int]]:
    """How many rows there are, by experiment and by what stands in the column."""
    wanted = select(games.c.experiment, column, func.count()).select_from(source).where(*which)
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for experiment, value, count in connection.execute(wanted.group_by(games.c.experiment, column)):
        counts[experiment][value] = count
    return counts
