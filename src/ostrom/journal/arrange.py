"""Arrange experiments: names, tags, the archive, deletion with all games, attachments, and copies into another journal.
The settings of an experiment store its tags, and whether it is archived. The id of a deleted experiment stays reserved,
so that no other experiment gets it."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, delete, func, insert, select, update

from ostrom.core.command import without_places
from ostrom.core.errors import InputError, UnknownName
from ostrom.core.redaction import Redactor
from ostrom.journal import write
from ostrom.journal.engine import Database
from ostrom.journal.read import experiment_named
from ostrom.journal.results import players_and_labels
from ostrom.journal.rows import as_json
from ostrom.journal.schema import (
    DELETED,
    FINISHED,
    PLAIN_CALL_FIELDS,
    VOID,
    answers,
    attachments,
    calls,
    events,
    experiments,
    games,
    labels,
    metadata,
    runs,
    sessions,
)
from ostrom.journal.write import check_name, touch

ARCHIVED: Final = "archived"
TAGS: Final = "tags"
DATES: Final = "dates"
"""The name of the setting that has the first and the last day on which the games of an import were played, according to
its logs."""
_MAX_TAG_CHARACTERS: Final = 40

IN_ARCHIVE: Final = select(experiments.c.serial).where(experiments.c.settings.like(f'%"{ARCHIVED}":true%'))
"""A subquery that selects the serial numbers of archived experiments."""


def rename(connection: Connection, serial: int, name: str) -> None:
    """Give an experiment another name."""
    touch(connection)
    check_name(connection, name)
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(name=name))


def archive(connection: Connection, serial: int, *, archived: bool) -> None:
    """Archive an experiment, or restore an archived one. Lists and pooled results leave out archived experiments."""
    _set(connection, serial, {ARCHIVED: True if archived else None})


def tags_of(settings: Mapping[str, Any]) -> list[str]:
    """Return the tags that an experiment's settings contain."""
    tags = settings.get(TAGS)
    return [entry for entry in tags if isinstance(entry, str)] if isinstance(tags, list) else []


def tag(connection: Connection, serial: int, add: Sequence[str], remove: Sequence[str]) -> list[str]:
    """Add and remove tags of an experiment; return its tags."""
    for entry in add:
        if not entry.strip() or not entry.isprintable() or len(entry) > _MAX_TAG_CHARACTERS:
            raise InputError(f"{entry!r} is not a valid tag: use one line of at most {_MAX_TAG_CHARACTERS} characters")
    present = tags_of(_settings(connection, serial))
    tags = [entry for entry in dict.fromkeys([*present, *add]) if entry not in remove]
    _set(connection, serial, {TAGS: tags or None})
    return tags


def extend(connection: Connection, serial: int, changes: Mapping[str, Any], planned: int) -> None:
    """Add settings to an experiment, and games to its plan."""
    _set(connection, serial, changes)
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(planned=planned))


def delete_experiment(connection: Connection, serial: int) -> None:
    """Delete an experiment with its games, calls, links, attachments and session. Texts are not deleted, since other
    games may use them."""
    touch(connection)
    own_games = select(games.c.serial).where(games.c.experiment == serial)
    own_sessions = select(sessions.c.serial).where(sessions.c.experiment == serial)
    for table in reversed(metadata.sorted_tables):
        for key in table.foreign_keys:
            if key.column.table is games:
                connection.execute(delete(table).where(key.parent.in_(own_games)))
            if key.column.table is sessions:
                connection.execute(delete(table).where(key.parent.in_(own_sessions)))
    for table in reversed(metadata.sorted_tables):
        for key in table.foreign_keys:
            if key.column.table is experiments:
                connection.execute(delete(table).where(key.parent == serial))
    deleted: dict[str, Any] = {"name": DELETED, "kind": DELETED, "settings": "{}", "planned": None}
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(**deleted))


def widen_dates(connection: Connection, serial: int, days: Sequence[str]) -> None:
    """Extend the period of an import so that it includes these days, on which imported games were played."""
    before = dates_of(_settings(connection, serial))
    every = sorted([*before, *days])
    if every and before != [every[0], every[-1]]:
        _set(connection, serial, {DATES: [every[0], every[-1]]})


def dates_of(settings: Mapping[str, Any]) -> list[str]:
    """Return the first and the last day of an import, from its settings; empty if unknown."""
    dates = settings.get(DATES)
    if isinstance(dates, list) and len(dates) == 2 and all(isinstance(day, str) for day in dates):
        return dates
    return []


def _settings(connection: Connection, serial: int) -> dict[str, Any]:
    text = connection.execute(select(experiments.c.settings).where(experiments.c.serial == serial)).scalar_one()
    settings: dict[str, Any] = json.loads(text)
    return settings


def _set(connection: Connection, serial: int, changes: Mapping[str, Any]) -> None:
    touch(connection)
    settings = {**_settings(connection, serial), **changes}
    text = as_json({name: value for name, value in settings.items() if value is not None}, "the settings")
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(settings=text))


MAX_ATTACHMENT_BYTES = 32 * 2**20
"""The largest total size of an experiment's attachments, in bytes."""


class Attachments:
    """The attachments of a journal's experiments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sizes(self, experiment: str) -> dict[str, int]:
        """Return the size in bytes of each attachment of an experiment, by name."""
        with self._database.reading() as connection:
            of_experiment = attachments.c.experiment == experiment_named(connection, experiment)[0]
            query = select(attachments.c.name, func.length(attachments.c.content)).where(of_experiment)
            return {name: int(size) for name, size in connection.execute(query.order_by(attachments.c.name))}

    def read(self, experiment: str, name: str) -> bytes:
        """Return one attachment of an experiment."""
        with self._database.reading() as connection:
            serial, experiment_id = experiment_named(connection, experiment)
            conditions = (attachments.c.experiment == serial, attachments.c.name == name)
            content = connection.execute(select(attachments.c.content).where(*conditions)).scalar()
        if content is None:
            raise UnknownName("attachment", name, [], text=f"the experiment {experiment_id} has no attachment {name!r}")
        return bytes(content)


def add_attachments(connection: Connection, experiment: str, content: Mapping[str, bytes]) -> None:
    """Store the attachments of an experiment, in the transaction that adds the experiment."""
    if not content:
        return
    if sum(map(len, content.values())) > MAX_ATTACHMENT_BYTES:
        limit = MAX_ATTACHMENT_BYTES // 2**20
        raise InputError(f"the attachments of an experiment may have {limit} MiB at most")
    serial = connection.execute(select(experiments.c.serial).where(experiments.c.id == experiment)).scalar_one()
    rows = [{"experiment": serial, "name": name, "content": data} for name, data in content.items()]
    connection.execute(insert(attachments), rows)


_BATCH_SIZE: Final = 2000
"""The largest number of rows that are in memory at the same time."""
_EMPTY_CALL_TEXTS: Final = {
    **dict.fromkeys(name for name, kind in PLAIN_CALL_FIELDS.items() if kind is str),
    **{"settings": "{}", "prompt": "", "extra": "{}"},
}
"""Empty values for all texts of calls. When a call is copied, its texts are left out; its tokens, costs and times are
kept."""


def copy_experiments(source: Database, target: Database, ids: Collection[str], redact: Redactor) -> int:
    """Copy the experiments with these ids, and their ended games, into an empty journal; return the number of games.
    Prompts, replies and the links of people's seats are not copied, and keys are removed from settings and reasons."""
    with source.reading() as read, target.writing() as target_connection:
        selected = select(experiments.c.serial).where(experiments.c.id.in_(ids))
        over = select(games.c.serial).where(games.c.experiment.in_(selected), games.c.state.in_((FINISHED, VOID)))
        parts: Sequence[tuple[Table, ColumnElement[bool]]] = (
            (experiments, experiments.c.serial.in_(selected)),
            (runs, runs.c.experiment.in_(selected)),
            (attachments, attachments.c.experiment.in_(selected)),
            (games, games.c.serial.in_(over)),
            (answers, answers.c.game.in_(over)),
            (events, events.c.game.in_(over)),
            (calls, calls.c.game.in_(over)),
        )
        counts = {table.name: _copy(read, target_connection, table, condition, redact) for table, condition in parts}
        # Only the names of players in these games are copied.
        players = {
            player
            for row in read.execute(select(games.c.id, games.c.seats).where(games.c.serial.in_(over)))
            for player in players_and_labels(row.id, row.seats)[0]
        }
        names = [dict(row) for row in read.execute(select(labels)).mappings() if row["player"] in players]
        if names:
            target_connection.execute(insert(labels), names)
        write.touch(target_connection)
    return counts[games.name]


def _copy(
    read: Connection, target_connection: Connection, table: Table, condition: ColumnElement[bool], redact: Redactor
) -> int:
    count = 0
    for rows in _blocks(read, table, condition):
        if table is calls:
            rows = [{**row, **_EMPTY_CALL_TEXTS} for row in rows]
        hidden = [name for name in ("settings", "reason") if name in table.c and table is not calls]
        for row in rows if hidden else ():
            row.update({name: redact.shaped(row[name]) for name in hidden if row[name] is not None})
            if "settings" in hidden:
                row["settings"] = _without_places(row["settings"])
        target_connection.execute(insert(table), rows)
        count += len(rows)
    return count


def _without_places(settings: str) -> str:
    """Return settings without the paths of files on this machine, and without the mark of archived experiments."""
    parsed = json.loads(settings)
    if isinstance(parsed, dict) and parsed.pop(ARCHIVED, None) is not None:
        settings = json.dumps(parsed)
    origin = parsed.get("made") if isinstance(parsed, dict) else None
    if not isinstance(origin, dict) or not isinstance(origin.get("command"), str):
        return settings
    return json.dumps({**parsed, "made": {**origin, "command": without_places(origin["command"])}})


def _blocks(read: Connection, table: Table, condition: ColumnElement[bool]) -> Iterator[list[dict[str, Any]]]:
    result = read.execution_options(yield_per=_BATCH_SIZE).execute(select(table).where(condition))
    for rows in result.mappings().partitions(_BATCH_SIZE):
        yield [dict(row) for row in rows]
