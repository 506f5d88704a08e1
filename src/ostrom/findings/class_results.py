"""The results of a session of people, to be shown to the class: its own figures by treatment and turn, beside published
figures of people and those of models in the same journal. There are no names in them.

People whose seat was taken over by a player, players at the table and practice tables are left out of the class's
figures."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from ostrom.analysis.measures import GAME, Measure, by_player
from ostrom.analysis.published_figures import PublishedFigure
from ostrom.analysis.study import Study, study_of_game
from ostrom.core.errors import InputError
from ostrom.core.game import Game
from ostrom.core.text import number_of
from ostrom.experiment.session.file import SessionFile
from ostrom.experiment.session.file_parts import SessionGame
from ostrom.experiment.session.participants import Participant
from ostrom.experiment.session.state import SessionState, TableState
from ostrom.journal.record import GameRecord
from ostrom.journal.schema import FINISHED
from ostrom.journal.sql import Journal

_COUNTED: Final = "counted"
_OTHER: Final = "other"
"""The names of the seats whose figures are computed, and of all others."""
_HUMAN: Final = "human"
MAX_MODEL_GAMES: Final = 200
"""The largest number of models' games that are compared with a game of a session, the latest ones."""
_MAX_MEASURES: Final = 8
_COMMON: Final = "mean_final"
"""The common measure that is shown of every game."""

GroupKind = Literal["class", "people", "models"]


@dataclass(frozen=True)
class GroupFigures:
    """The figures of one group of players for one measure."""

    name: str
    """The treatment, or who they are."""
    kind: GroupKind
    """The origin: the session, a publication, or models' games in the journal."""
    mean: float | None
    low: float | None = None
    high: float | None = None
    """The 95% interval of the mean, or the range that a publication gives."""
    by_turn: tuple[float | None, ...] = ()
    games: int | None = None
    source: str | None = None
    note: str = ""


@dataclass(frozen=True)
class MeasuredGroups:
    """One measure of a game, for all groups."""

    name: str
    title: str
    definition: str
    unit: str
    groups: tuple[GroupFigures, ...]


@dataclass(frozen=True)
class GameOfClass:
    """The results of one game of a session."""

    name: str
    """The name of the game in the session's file."""
    game: str
    """The command of the game."""
    title: str
    clock: str
    tables: int
    measures: tuple[MeasuredGroups, ...]


@dataclass(frozen=True)
class SessionResults:
    """The results of a session."""

    title: str
    participants: int
    """The number of people who sat at a finished table."""
    games: tuple[GameOfClass, ...]


class _Group(NamedTuple):
    """Records of one group, with the seats that count."""

    name: str
    kind: GroupKind
    records: Sequence[GameRecord]
    source: str | None = None


class _Figures(NamedTuple):
    mean: float | None
    low: float | None
    high: float | None
    by_turn: tuple[float | None, ...]


def class_results(journal: Journal, file: SessionFile, state: SessionState, experiment: str) -> SessionResults:
    """Return the results of a session whose tables are the games of an experiment."""
    finished = [table for table in state.tables.values() if table.ending == FINISHED and not table.group.practice]
    played = [table for table in finished if table.game_id is not None]
    games = (_game_of_class(journal, file, state, part, played, experiment) for part in file.games)
    people = {person for table in played for person in table.people}
    return SessionResults(file.session.title, len(people), tuple(game for game in games if game is not None))


def _game_of_class(
    journal: Journal,
    file: SessionFile,
    state: SessionState,
    part: SessionGame,
    played: Sequence[TableState],
    experiment: str,
) -> GameOfClass | None:
    """Return the results of one game of a session, or None if it has no finished table or no finals."""
    tables = [table for table in played if table.group.game == part.name]
    game = file.game_of(part)
    study = study_of_game(game)
    if not tables or not isinstance(study, Study):
        return None
    groups, published = [], []
    models = _models_games(journal, game, experiment)
    several = len(file.treatments) > 1
    for treatment in file.treatments:
        own = [table for table in tables if table.group.treatment == treatment.name]
        if not own:
            continue
        rules = file.rules_of(part, treatment)
        records = [_of_people(journal, state, table) for table in own]
        groups.append(_Group(treatment.name if several else file.session.title, "class", records))
        name = f"models, {treatment.name}" if several else "models"
        groups += _models_group(name, game, models, rules, records)
        published += [figure for figure in _published(study) if figure.applies(rules) and figure not in published]
    measures = _measured(study, groups, published)
    return GameOfClass(part.name, game.command, game.title, game.clock, len(tables), tuple(measures))


def _of_people(journal: Journal, state: SessionState, table: TableState) -> GameRecord:
    """Return the record of a table, in which only the seats of people who decided to its end count."""
    record = journal.record(str(table.game_id))
    people = [(seat, who) for seat, who in enumerate(table.group.seats) if isinstance(who, int)]
    return _with_counted(record, {seat for seat, who in people if _decided(state.participants[who], table.group.key)})


def _decided(person: Participant, key: str) -> bool:
    """Return whether a person decided to the end of a table, and no player took the seat before."""
    if person.replaced_by is None:
        return True
    before = next((place for place, own in enumerate(person.tables) if own in person.points_at_replacement), 0)
    return key in person.tables[:before]


def _with_counted(record: GameRecord, counted: Collection[int]) -> GameRecord:
    """Return a copy of a record in which the players of the seats that count have one name, and all others another."""
    seats = [
        seat.model_copy(update={"player": _COUNTED if place in counted else _OTHER, "name": None})
        for place, seat in enumerate(record.seats)
    ]
    return record.model_copy(update={"seats": seats})


def _models_games(journal: Journal, game: Game, experiment: str) -> list[GameRecord]:
    """Return the latest finished games of models in the journal, outside the session. Only the seats of models
    count. Games with people are left out."""
    known = journal.names.known()
    records: list[GameRecord] = []
    rows = [row for row in journal.games(state=FINISHED) if row.game == game.name and row.experiment != experiment]
    remote: dict[str, set[str]] = {}
    for row in reversed(rows):
        if len(records) == MAX_MODEL_GAMES:
            break
        if row.experiment not in remote:
            spending = journal.spending_by_player(row.experiment)
            remote[row.experiment] = {player for player, spent in spending.items() if spent.calls}
        record = journal.record(row.id)
        players = [seat.player for seat in record.seats]
        models = remote[row.experiment] | set(known.families(players))
        counted = {seat for seat, player in enumerate(players) if player in models}
        if counted and not any(player.partition(":")[0] == _HUMAN for player in players):
            records.append(_with_counted(record, counted))
    return records


def _models_group(
    name: str, game: Game, records: Iterable[GameRecord], rules: Any, own: Sequence[GameRecord]
) -> list[_Group]:
    """Return the group of models' games under the same rules, at tables of the same sizes; nothing if there are
    none."""
    sizes = {len(record.seats) for record in own}
    same = [record for record in records if len(record.seats) in sizes and _same_rules(game, record, rules)]
    if not same:
        return []
    return [_Group(name, "models", same, f"{number_of(len(same), 'game')} under the same rules in this journal")]


def _same_rules(game: Game, record: GameRecord, rules: Any) -> bool:
    try:
        return bool(game.rules.model_validate(record.rules) == rules)
    except ValueError:  # The record is of another version of the game.
        return False


def _published(study: Study[Any]) -> tuple[PublishedFigure, ...]:
    return () if study.own is None else study.own.published


def _measured(
    study: Study[Any], groups: Sequence[_Group], published: Sequence[PublishedFigure]
) -> Iterable[MeasuredGroups]:
    """Yield the measures of a game for all groups, if the class has a figure."""
    tables = [
        study.tables((f"{place}.{number}", "", record) for number, record in enumerate(group.records))
        for place, group in enumerate(groups)
    ]
    for measure in shown_measures(study):
        by_clock = study.measures.get(f"{measure.name}_by_{study.game.clock}")
        by_group = [_figures(measure, by_clock, some, study.game.clock) for some in tables]
        for name, title in dict.fromkeys(key for found in by_group for key in found):
            own = [
                GroupFigures(group.name, group.kind, *found[name, title], len(group.records), group.source)
                for group, found in zip(groups, by_group, strict=True)
                if (name, title) in found
            ]
            if any(group.kind == "class" and (group.mean is not None or group.by_turn) for group in own):
                people = [_as_group(figure) for figure in published if figure.measure == name]
                yield MeasuredGroups(name, title, measure.definition, measure.unit, (*own, *people))


def _as_group(figure: PublishedFigure) -> GroupFigures:
    return GroupFigures(
        figure.people,
        "people",
        figure.value,
        figure.low,
        figure.high,
        figure.by_turn,
        source=figure.source,
        note=figure.note,
    )


def shown_measures(study: Study[Any]) -> list[Measure[Any]]:
    """Return the measures of a game that a class sees: those that the game names, or its own measures of players and
    of whole games; and the mean final result."""
    measures = study.measures
    if study.own is not None and study.own.lesson:
        missing = [name for name in study.own.lesson if name not in measures]
        if missing:
            raise InputError(f"the lesson of {study.command} names the measure {missing[0]!r}, which it does not have")
        chosen = [measures[name] for name in study.own.lesson]
    else:
        own: Mapping[str, Measure[Any]] = {} if study.own is None else study.own.measures
        shapes = {("player",), GAME}
        chosen = [measure for measure in own.values() if measure.by in shapes][:_MAX_MEASURES]
    finals = "final_by_role" if "final_by_role" in measures else _COMMON
    named = {measure.name for measure in chosen}
    return chosen if finals in named else [*chosen, measures[finals]]


def _figures(
    measure: Measure[Any], by_clock: Measure[Any] | None, tables: Any, clock: str
) -> dict[tuple[str, str], _Figures]:
    """Return the figures of the counted seats, by the name and the title of the measure. A measure by role has a
    figure for each role."""
    frame = measure.function(tables)
    turns = () if by_clock is None else _by_turn(by_clock.function(tables), clock)
    if clock in measure.by:
        return {(measure.name, measure.title): _Figures(None, None, None, _by_turn(frame, clock))}
    parts = by_player(measure, frame) if "player" in measure.by else [(measure, frame)]
    figures = {}
    for part, rows in parts:
        counted = [row for row in rows.iter_rows(named=True) if row.get("player", _COUNTED) == _COUNTED]
        if counted and counted[0]["value"] is not None:
            row = counted[0]
            ends = (row.get("low"), row.get("high"))
            figures[part.name, part.title] = _Figures(float(row["value"]), *ends, turns)
    return figures


def _by_turn(frame: Any, clock: str) -> tuple[float | None, ...]:
    """Return the values of the counted seats by turn, from the first turn on."""
    values = {
        row[clock]: row["value"]
        for row in frame.iter_rows(named=True)
        if row.get("player", _COUNTED) == _COUNTED and row["value"] is not None
    }
    return tuple(values.get(turn) for turn in range(1, max(values, default=0) + 1))
