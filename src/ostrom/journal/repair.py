"""Mends a journal that cannot be read: what `check` finds is put right, row by row, in one transaction, after a copy
was kept. Nothing is made up: a figure that cannot be becomes unknown, a game whose decisions are damaged becomes void,
and events are made again from the decisions when the game is resumed."""

import json
import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, text, update

from ostrom.core import InputError
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.journal.check import REBUILD, RECOVER, REMOVE, RENAME, SET_ASIDE, Problem, damage_of_file, problems
from ostrom.journal.engine import Database
from ostrom.journal.migrations import keep_copy
from ostrom.journal.rows import as_json, now
from ostrom.journal.schema import FINISHED, PLAYING, VOID, calls, events, experiments, games, sent_calls
from ostrom.journal.schema import texts as texts_table
from ostrom.journal.summaries import forget
from ostrom.journal.write import touch

_ROUNDS: Final = 4
"""Mending one thing may show another; a journal in which that goes on is beyond this."""
_FIGURES: Final = ("input_tokens", "output_tokens", "cost", "reserved")
_RECOVERED: Final = 10**6
"""Places of games from here on are of games whose own is not known."""
REASON: Final = "its record was damaged and could not be mended"
CODE: Final = "damaged"


class Repaired(NamedTuple):
    """What was done."""

    problems: Sequence[Problem]
    copy: Path | None
    """The journal as it was, or, of a database server, the rows that were changed as they were."""
    left: Sequence[Problem]
    """What is wrong still."""


def repair(database: Database) -> Repaired:
    """Mend what can be mended; nothing is written where nothing is wrong."""
    damaged = damage_of_file(database)
    found = [] if damaged else list(problems(database))
    if not damaged and not found:
        return Repaired((), None, ())
    copy = _kept(database, found)
    if damaged:
        _reindex(database)
        found = list(problems(database))
    mended: list[Problem] = []
    for _ in range(_ROUNDS):
        if not found:
            break
        with database.writing() as connection:
            _mend(connection, found)
            touch(connection)
        mended += found
        found = list(problems(database))
    return Repaired(mended, copy, found)


def _kept(database: Database, found: Sequence[Problem]) -> Path:
    """A copy of an SQLite file; of a server's database, the rows that are about to change."""
    file = database.location.file
    if file is not None:
        return keep_copy(file, "damaged")
    path = Path(f"ostrom-repair-{now().replace(':', '-')}.jsonl").resolve()
    with database.reading() as connection, path.open("x", encoding="utf-8") as kept:
        os.chmod(path, 0o600)
        for problem in found:
            rows = [] if problem.row is None else _rows_at(connection, problem.table, problem.row)
            kept.write(json.dumps({"problem": str(problem), "table": problem.table, "rows": rows}, default=str) + "\n")
    return path


def _rows_at(connection: Connection, table: str, place: str) -> list[dict[str, Any]]:
    found = connection.execute(text(f"SELECT * FROM {table} WHERE ctid = CAST(:place AS tid)"), {"place": place})
    return [dict(row) for row in found.mappings()]


def _reindex(database: Database) -> None:
    """Make the indexes of a file again, which is all that can be mended in one."""
    with database.writing() as connection:
        connection.exec_driver_sql("REINDEX")
    if left := damage_of_file(database):
        raise InputError(
            f"the file {database.location.label} itself is damaged ({left[0]}), which cannot be mended here; "
            f"try: sqlite3 {database.location.label} .recover | sqlite3 recovered.db"
        )


def _mend(connection: Connection, found: Sequence[Problem]) -> None:
    by_row: dict[tuple[str, Any], list[Problem]] = defaultdict(list)
    aside: set[int] = set()
    again: set[int] = set()
    for problem in found:
        if problem.table == "texts" and problem.row is None:
            _add_text(connection, problem)
        elif problem.row is not None:
            by_row[problem.table, problem.row].append(problem)
        if problem.game is not None and problem.instead in (SET_ASIDE, REMOVE) and problem.table in _OF_GAMES:
            aside.add(problem.game)
        if problem.game is not None and problem.instead == REBUILD:
            again.add(problem.game)
            if problem.table == "events" and problem.row is None:  # none of them is known to be the one that is right
                connection.execute(events.delete().where(events.c.game == problem.game))
    for (table, row), mine in by_row.items():
        _mend_row(connection, table, row, mine)
    for game in sorted(again - aside):
        _rebuild(connection, game, aside)
    for game in sorted(aside):
        _set_aside(connection, game)


_OF_GAMES: Final = ("games", "answers")
"""Tables without whose rows a game is none."""
_NEUTRAL: Final = {
    ("games", "state"): VOID,
    ("games", "rules"): "{}",
    ("games", "seats"): "[]",
    ("games", "orders"): "[]",
    ("games", "tallies"): None,
    ("games", "decisions"): None,
    ("answers", "value"): "null",
    ("answers", "provenance"): "defaulted",
}
"""What stands in the columns of a game that is set aside, or made again."""


def _mend_row(connection: Connection, table: str, row: Any, mine: Sequence[Problem]) -> None:
    sqlite = connection.dialect.name == "sqlite"
    at = "rowid = :row" if sqlite else "ctid = CAST(:row AS tid)"
    events_too = table == "events" and any(problem.instead == REBUILD for problem in mine)
    if events_too or any(problem.instead == REMOVE for problem in mine):
        connection.execute(text(f"DELETE FROM {table} WHERE {at}"), {"row": row})
        return
    values: dict[str, Any] = {}
    if any(problem.instead in (RECOVER, RENAME) for problem in mine):
        values |= _named_anew(connection, table, at, row, {problem.column for problem in mine})
    for problem in (problem for problem in mine if problem.instead not in (RECOVER, RENAME)):
        kept = (table, problem.column)
        values[problem.column] = _NEUTRAL.get(kept, problem.instead) if kept in _NEUTRAL else problem.instead
    if table == "texts":
        values["text"] = _lost_text(connection, at, row)
    if table in ("calls", "sent_calls"):
        values |= _counted(connection, table, at, row, mine)
    given = ", ".join(f"{name} = :{name}" for name in values)
    connection.execute(text(f"UPDATE {table} SET {given} WHERE {at}"), {**values, "row": row})


def _named_anew(connection: Connection, table: str, at: str, row: Any, spoiled: set[str]) -> dict[str, Any]:
    """Names for a row whose own are damaged. A game without an experiment goes to the one that its id names; one that
    is gone is entered again, without its plan: what was decided is kept."""
    number = connection.execute(text(f"SELECT serial FROM {table} WHERE {at}"), {"row": row}).scalar_one()
    values: dict[str, Any] = {name: f"damaged-{number}" for name in ("id", "key") if name in spoiled}
    if table != games.name:
        return values
    if "experiment" in spoiled:
        given = connection.execute(text(f"SELECT id FROM {table} WHERE {at}"), {"row": row}).scalar()
        named = given.rpartition(".")[0] if isinstance(given, str) else ""
        values["experiment"] = _experiment(connection, named or f"damaged-{number}")
        values.setdefault("key", f"recovered-{number}")
    # Beyond all that are there: nobody knows which one it was.
    return values | {"place": _RECOVERED + number}


def _experiment(connection: Connection, name: str) -> int:
    found: int | None = connection.execute(select(experiments.c.serial).where(experiments.c.id == name)).scalar()
    if found is None:
        found = 1 + (connection.execute(select(func.max(experiments.c.serial))).scalar() or 0)
        told = {"id": name, "name": name, "kind": name.rpartition("-")[0] or name, "created": now()}
        connection.execute(insert(experiments), {"serial": found, **told, "settings": "{}"})
    return found


def _lost_text(connection: Connection, at: str, row: Any) -> str:
    """What stands in place of a text: settings and scenes are JSON objects."""
    used = "SELECT 1 FROM calls WHERE settings = texts.digest UNION SELECT 1 FROM games WHERE scene = texts.digest"
    objects = connection.execute(text(f"SELECT EXISTS ({used}) FROM texts WHERE {at}"), {"row": row}).scalar()
    return as_json("{}" if objects else "(lost)", "a text")


def _counted(connection: Connection, table: str, at: str, row: Any, mine: Sequence[Problem]) -> dict[str, Any]:
    """What a call counts for whose figures are damaged: as much as the dearest sound one of its model, so that what is
    spent does not become less by a repair. The figures as they were stay in `extra`."""
    spoiled = [problem for problem in mine if problem.column in (*_FIGURES, "dollars", "tokens")]
    if not spoiled:
        return {}
    spoiled_names = {problem.column for problem in spoiled}
    dollars, tokens = _dearest(connection, table, at, row)
    if table == "sent_calls":
        known = {"dollars": dollars, "tokens": tokens}
        return {name: value for name, value in known.items() if name in spoiled_names}
    extra: dict[str, Any] = {"repaired": {problem.column: problem.what for problem in spoiled}}
    counted: dict[str, Any] = {"cost": None, "reserved": dollars}
    if spoiled_names & {"input_tokens", "output_tokens"}:
        counted |= {"input_tokens": None, "output_tokens": None}
        extra[RESERVED_TOKENS] = tokens
    return counted | {"extra": as_json(extra, "what came along with a reply")}


def _dearest(connection: Connection, table: str, at: str, row: Any) -> tuple[float, int]:
    model = connection.execute(text(f"SELECT model FROM {table} WHERE {at}"), {"row": row}).scalar()
    used = func.coalesce(calls.c.input_tokens, 0) + func.coalesce(calls.c.output_tokens, 0)
    bound = calls.c.input_tokens.between(0, 10**9), calls.c.output_tokens.between(0, 10**9)
    sound = select(func.max(calls.c.cost), func.max(used)).where(calls.c.model == model, *bound, calls.c.cost <= 1e6)
    out = select(func.max(sent_calls.c.dollars), func.max(sent_calls.c.tokens)).where(
        sent_calls.c.model == model, sent_calls.c.dollars <= 1e6, sent_calls.c.tokens <= 10**9
    )
    unpriced = select(func.max(used)).where(calls.c.model == model, *bound).scalar_subquery()
    dollars, tokens = connection.execute(sound).one()
    more_dollars, more_tokens = connection.execute(out).one()
    any_tokens = connection.execute(select(unpriced)).scalar()
    return max(dollars or 0.0, more_dollars or 0.0), max(tokens or 0, more_tokens or 0, any_tokens or 0)


def _add_text(connection: Connection, problem: Problem) -> None:
    there = select(texts_table.c.digest).where(texts_table.c.digest == problem.column)
    if connection.execute(there).first() is None:
        connection.execute(insert(texts_table), {"digest": problem.column, "text": problem.instead})


def _rebuild(connection: Connection, game: int, aside: set[int]) -> None:
    """Let a game be played again by its decisions. Of one that was imported there is nothing to play it by."""
    source, state = connection.execute(select(games.c.source, games.c.state).where(games.c.serial == game)).one()
    if source is not None or state == VOID:
        aside.add(game)
        return
    wanted = select(events.c.number).where(events.c.game == game).order_by(events.c.number)
    numbers = list(connection.execute(wanted).scalars())
    whole = next((place for place, number in enumerate(numbers) if place != number), len(numbers))
    connection.execute(events.delete().where(events.c.game == game, events.c.number >= whole))
    forget(connection, [game])
    nothing = dict.fromkeys(("finished", "rounds", "finals", "tallies", "decisions"))
    connection.execute(
        update(games)
        .where(games.c.serial == game, games.c.state.in_((FINISHED, PLAYING)))
        .values(state=PLAYING, **nothing)
    )


def _set_aside(connection: Connection, game: int) -> None:
    forget(connection, [game])
    told = {"state": VOID, "reason": as_json(REASON, "a reason"), "reason_code": CODE, "finals": None}
    connection.execute(update(games).where(games.c.serial == game).values(**told, tallies=None, decisions=None))
