"""Some experiments of a journal, copied into another: the games that are over, with all that pages show of them. What
was sent to models and came back stays behind, and so do the links of people's seats."""

import json
from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Table, insert, select

from ostrom.core.command import without_places
from ostrom.core.redaction import Redactor
from ostrom.journal import write
from ostrom.journal.arrange import ARCHIVED
from ostrom.journal.engine import Database
from ostrom.journal.results import seated_of
from ostrom.journal.schema import FINISHED, VOID, answers, attachments, calls, events, experiments, games, labels, runs

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
            for player in seated_of(row.id, row.seats)[0]
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
