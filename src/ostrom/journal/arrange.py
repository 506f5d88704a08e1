"""Keeping experiments in order: their names and tags, which are archived, and deleting one with all that hangs on it.
Tags and the archive stand among an experiment's settings; of a deleted one the id alone stays, so that no other gets
it."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, select, update

from ostrom.core.errors import InputError
from ostrom.journal.rows import as_json
from ostrom.journal.schema import DELETED, experiments, games, metadata
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
