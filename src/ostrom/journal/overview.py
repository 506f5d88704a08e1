"""Experiments, their runs, and games in rows, without what happened in them; each function within a transaction that it
is handed."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Connection, FromClause, Row, Select, func, select

from ostrom.journal.accounts import ModelCalls, model_calls
from ostrom.journal.damage import from_json, object_from_json
from ostrom.journal.schema import answers, events, experiments, games, runs
from ostrom.journal.writing import FINISHED, PLAYING, VOID
from ostrom.table import Provenance, RecordError


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


@dataclass(frozen=True, slots=True)
class RunRow:
    """One time that an experiment was begun or gone on with."""

    number: int
    """Counted from 1."""
    at: str
    """The moment, in UTC."""
    settings: dict[str, Any]
    """Its limits."""


def experiment_rows(connection: Connection) -> list[ExperimentRow]:
    """All experiments, the oldest first."""
    models = model_calls(connection)
    states = _counts(connection, games, games.c.state)
    kinds = _counts(connection, answers.join(games), answers.c.provenance)
    happened = _counts(connection, events.join(games), games.c.game)
    counted = select(runs.c.experiment, func.count()).group_by(runs.c.experiment)
    begun = {row[0]: row[1] for row in connection.execute(counted)}
    return [
        ExperimentRow(
            id=row.id,
            name=row.name,
            kind=row.kind,
            created=row.created,
            settings=object_from_json(row.settings, f"the experiment {row.id}", "settings"),
            planned=row.planned,
            games=states[row.serial].get(FINISHED, 0),
            playing=states[row.serial].get(PLAYING, 0),
            void=states[row.serial].get(VOID, 0),
            runs=begun.get(row.serial, 0),
            models=models.get(row.serial, ()),
            answers=sum(kinds[row.serial].values()),
            events=sum(happened[row.serial].values()),
            provenance={kind: kinds[row.serial][kind] for kind in Provenance if kind in kinds[row.serial]},
        )
        for row in connection.execute(select(experiments).order_by(experiments.c.serial))
    ]


def run_rows(connection: Connection, experiment: int, name: str) -> list[RunRow]:
    """How often an experiment was begun or gone on with, and how."""
    wanted = select(runs).where(runs.c.experiment == experiment).order_by(runs.c.number)
    return [
        RunRow(
            row.number, row.at, object_from_json(row.settings, f"the experiment {name}", f"runs.{row.number}.settings")
        )
        for row in connection.execute(wanted)
    ]


def keys_of(connection: Connection, experiment: int, states: Sequence[str]) -> set[str]:
    """The keys of an experiment's games in one of these states."""
    wanted = select(games.c.key).where(games.c.experiment == experiment, games.c.state.in_(states))
    return set(connection.execute(wanted).scalars())


def game_rows(connection: Connection, experiment: int | None, state: str | None = None) -> list[GameRow]:
    """The games of one experiment or of all, in any state or in one, in the order in which they were begun."""
    wanted = headers().order_by(games.c.serial)
    if state is not None:
        wanted = wanted.where(games.c.state == state)
    if experiment is not None:
        wanted = wanted.where(games.c.experiment == experiment)
    return [
        GameRow(
            id=row.id,
            experiment=row.label,
            key=row.key,
            game=row.game,
            players=_players(row),
            rounds=row.rounds,
            state=row.state,
            source=row.source,
            reason=None if row.reason is None else str(from_json(row.reason, f"the game {row.id}", "reason")),
        )
        for row in connection.execute(wanted)
    ]


def headers() -> Select[Any]:
    """The headers of games."""
    return select(games, experiments.c.id.label("label")).join(experiments)


def _players(head: Row[Any]) -> tuple[str, ...]:
    game = f"the game {head.id}"
    seats = from_json(head.seats, game, "seats")
    try:
        return tuple(str(seat["player"]) for seat in seats)
    except (LookupError, TypeError):
        raise RecordError(f"{game} of the journal cannot be read: seats: they name no players") from None


def _counts(connection: Connection, source: FromClause, column: Column[str]) -> dict[int, dict[str, int]]:
    """How many rows there are, by experiment and by what stands in the column."""
    wanted = select(games.c.experiment, column, func.count()).select_from(source).group_by(games.c.experiment, column)
    counts: dict[int, dict[str, int]] = defaultdict(dict)
    for experiment, value, count in connection.execute(wanted):
        counts[experiment][value] = count
    return counts
