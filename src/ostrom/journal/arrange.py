"""Keeping experiments in order: their names and tags, which are archived, and deleting one with all that hangs on it.
Tags and the archive stand among an experiment's settings; of a deleted one the id alone stays, so that no other gets
it."""

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
)
from ostrom.journal.write import check_name, touch

ARCHIVED: Final = "archived"
TAGS: Final = "tags"
_LONGEST: Final = 40

IN_ARCHIVE: Final = select(experiments.c.serial).where(experiments.c.settings.like(f'%"{ARCHIVED}":true%'))
"""The serial numbers of archived experiments, within a statement that sees one moment."""


def rename(connection: Connection, serial: int, name: str) -> None:
    """Give an experiment another name."""
    touch(connection)
    check_name(connection, name)
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(name=name))


def archive(connection: Connection, serial: int, *, archived: bool) -> None:
    """Leave an experiment out of lists and pools, or take it in again."""
    _set(connection, serial, {ARCHIVED: True if archived else None})


def tags_of(settings: Mapping[str, Any]) -> list[str]:
    """The tags among an experiment's settings."""
    found = settings.get(TAGS)
    return [each for each in found if isinstance(each, str)] if isinstance(found, list) else []


def tag(connection: Connection, serial: int, add: Sequence[str], remove: Sequence[str]) -> list[str]:
    """Add tags to an experiment and take others off; the tags that it has then."""
    for each in add:
        if not each.strip() or not each.isprintable() or len(each) > _LONGEST:
            raise InputError(f"{each!r} cannot be a tag: use one line of at most {_LONGEST} characters")
    kept = tags_of(_settings(connection, serial))
    tags = [each for each in dict.fromkeys([*kept, *add]) if each not in remove]
    _set(connection, serial, {TAGS: tags or None})
    return tags


def extend(connection: Connection, serial: int, changes: Mapping[str, Any], planned: int) -> None:
    """Add to the plan of an experiment: settings, and how many games it is to have."""
    _set(connection, serial, changes)
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(planned=planned))


def delete_experiment(connection: Connection, serial: int) -> None:
    """Delete an experiment with its games, calls, links and attachments. Texts that others may have too stay."""
    touch(connection)
    mine = select(games.c.serial).where(games.c.experiment == serial)
    for table in reversed(metadata.sorted_tables):
        for key in table.foreign_keys:
            if key.column.table is games:
                connection.execute(delete(table).where(key.parent.in_(mine)))
    for table in reversed(metadata.sorted_tables):
        for key in table.foreign_keys:
            if key.column.table is experiments:
                connection.execute(delete(table).where(key.parent == serial))
    gone: dict[str, Any] = {"name": DELETED, "kind": DELETED, "settings": "{}", "planned": None}
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(**gone))


def _settings(connection: Connection, serial: int) -> dict[str, Any]:
    text = connection.execute(select(experiments.c.settings).where(experiments.c.serial == serial)).scalar_one()
    found: dict[str, Any] = json.loads(text)
    return found


def _set(connection: Connection, serial: int, changes: Mapping[str, Any]) -> None:
    touch(connection)
    settings = {**_settings(connection, serial), **changes}
    text = as_json({name: value for name, value in settings.items() if value is not None}, "the settings")
    connection.execute(update(experiments).where(experiments.c.serial == serial).values(settings=text))


MOST_BYTES = 32 * 2**20
"""All attachments of an experiment together."""


class Attachments:
    """The attachments of a journal's experiments."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def sizes(self, experiment: str) -> dict[str, int]:
        """The attachments of an experiment by their names, with how many bytes each has."""
        with self._database.reading() as connection:
            mine = attachments.c.experiment == experiment_named(connection, experiment)[0]
            wanted = select(attachments.c.name, func.length(attachments.c.content)).where(mine)
            return {name: int(size) for name, size in connection.execute(wanted.order_by(attachments.c.name))}

    def read(self, experiment: str, name: str) -> bytes:
        """One attachment of an experiment."""
        with self._database.reading() as connection:
            serial, known = experiment_named(connection, experiment)
            mine = (attachments.c.experiment == serial, attachments.c.name == name)
            found = connection.execute(select(attachments.c.content).where(*mine)).scalar()
        if found is None:
            raise UnknownName("attachment", name, [], text=f"the experiment {known} has no attachment {name!r}")
        return bytes(found)


def add_attachments(connection: Connection, experiment: str, content: Mapping[str, bytes]) -> None:
    """Enter the attachments of an experiment that is entered in the same transaction."""
    if not content:
        return
    if sum(map(len, content.values())) > MOST_BYTES:
        raise InputError(f"what is attached to an experiment may have {MOST_BYTES // 2**20} MiB at most")
    serial = connection.execute(select(experiments.c.serial).where(experiments.c.id == experiment)).scalar_one()
    rows = [{"experiment": serial, "name": name, "content": each} for name, each in content.items()]
    connection.execute(insert(attachments), rows)


_AT_ONCE: Final = 2000
"""Rows that are in memory at once."""
_SILENT: Final = {"settings": "{}", "prompt": "", "finish_reason": None, "error": None, "extra": "{}", "reply": None}
"""Of a call its accounts alone are copied."""


def copy_experiments(source: Database, target: Database, ids: Collection[str], redact: Redactor) -> int:
    """Copy the experiments of these ids into an empty journal; the number of their games. Keys are taken out of
    settings and reasons, of what is entered by hand and by servers."""
    with source.reading() as read, target.writing() as written:
        chosen = select(experiments.c.serial).where(experiments.c.id.in_(ids))
        over = select(games.c.serial).where(games.c.experiment.in_(chosen), games.c.state.in_((FINISHED, VOID)))
        parts: Sequence[tuple[Table, ColumnElement[bool]]] = (
            (experiments, experiments.c.serial.in_(chosen)),
            (runs, runs.c.experiment.in_(chosen)),
            (attachments, attachments.c.experiment.in_(chosen)),
            (games, games.c.serial.in_(over)),
            (answers, answers.c.game.in_(over)),
            (events, events.c.game.in_(over)),
            (calls, calls.c.game.in_(over)),
        )
        counts = {table.name: _copy(read, written, table, wanted, redact) for table, wanted in parts}
        # Of those who sit at these games alone: another's name is nobody's business there.
        seated = {
            player
            for row in read.execute(select(games.c.id, games.c.seats).where(games.c.serial.in_(over)))
            for player in players_and_labels(row.id, row.seats)[0]
        }
        given = [dict(row) for row in read.execute(select(labels)).mappings() if row["player"] in seated]
        if given:
            written.execute(insert(labels), given)
        write.touch(written)
    return counts[games.name]


def _copy(read: Connection, written: Connection, table: Table, wanted: ColumnElement[bool], redact: Redactor) -> int:
    count = 0
    for rows in _blocks(read, table, wanted):
        if table is calls:
            rows = [{**row, **_SILENT} for row in rows]
        hidden = [name for name in ("settings", "reason") if name in table.c and table is not calls]
        for row in rows if hidden else ():
            row.update({name: redact.shaped(row[name]) for name in hidden if row[name] is not None})
            if "settings" in hidden:
                row["settings"] = _without_places(row["settings"])
        written.execute(insert(table), rows)
        count += len(rows)
    return count


def _without_places(settings: str) -> str:
    """Settings that do not tell where somebody keeps files. What is handed on is to be seen, archived or not."""
    found = json.loads(settings)
    if isinstance(found, dict) and found.pop(ARCHIVED, None) is not None:
        settings = json.dumps(found)
    made = found.get("made") if isinstance(found, dict) else None
    if not isinstance(made, dict) or not isinstance(made.get("command"), str):
        return settings
    return json.dumps({**found, "made": {**made, "command": without_places(made["command"])}})


def _blocks(read: Connection, table: Table, wanted: ColumnElement[bool]) -> Iterator[list[dict[str, Any]]]:
    found = read.execution_options(yield_per=_AT_ONCE).execute(select(table).where(wanted))
    for rows in found.mappings().partitions(_AT_ONCE):
        yield [dict(row) for row in rows]
