"""Repair a journal that cannot be read. The journal is copied first. Then one transaction fixes the problems that
`check` reports, row by row. No data is invented: an invalid number becomes unknown, a game with damaged decisions
becomes void, and damaged events are computed again from the decisions when the game is resumed."""

import json
import os
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, func, insert, select, text, update

from ostrom.core import InputError
from ostrom.core.questions import RESERVED_TOKENS
from ostrom.journal.check import REBUILD, RECOVER, REMOVE, RENAME, SET_ASIDE, RowProblem, damage_of_file, problems
from ostrom.journal.engine import Database
from ostrom.journal.migrations import keep_copy
from ostrom.journal.rows import as_json, now
from ostrom.journal.schema import FINISHED, PLAYING, TOKEN_FIELDS, VOID, calls, events, experiments, games, sent_calls
from ostrom.journal.schema import texts as texts_table
from ostrom.journal.summaries import forget
from ostrom.journal.write import touch

_MAX_ROUNDS: Final = 4
"""The largest number of rounds of repair. Fixing one problem may reveal another. Problems that remain after the last
round are reported."""
_FIGURES: Final = (*TOKEN_FIELDS, "cost", "reserved")
_FIRST_RECOVERED_PLACE: Final = 10**6
"""The first position in an experiment for games whose own position is lost."""
REASON: Final = "its record was damaged and could not be mended"
CODE: Final = "damaged"


class RepairReport(NamedTuple):
    """The result of a repair."""

    problems: Sequence[RowProblem]
    copy: Path | None
    """The copy that was made before the repair. For a file, it is a copy of the whole file; for a database server, it
    has the rows that were changed, in their old form."""
    left: Sequence[RowProblem]
    """The problems that remain."""


def repair(database: Database) -> RepairReport:
    """Fix the problems that can be fixed. If there are no problems, nothing is written."""
    damaged = damage_of_file(database)
    open_problems = [] if damaged else list(problems(database))
    if not damaged and not open_problems:
        return RepairReport((), None, ())
    copy = _backup(database, open_problems)
    if damaged:
        _reindex(database)
        open_problems = list(problems(database))
    mended: list[RowProblem] = []
    for _ in range(_MAX_ROUNDS):
        if not open_problems:
            break
        with database.writing() as connection:
            _mend(connection, open_problems)
            touch(connection)
        mended += open_problems
        open_problems = list(problems(database))
    return RepairReport(mended, copy, open_problems)


def _backup(database: Database, open_problems: Sequence[RowProblem]) -> Path:
    """Copy an SQLite file; on a server, write the rows that are about to be changed to a file. Return the path of the
    copy."""
    file = database.location.file
    if file is not None:
        return keep_copy(file, "damaged")
    path = Path(f"ostrom-repair-{now().replace(':', '-')}.jsonl").resolve()
    with database.reading() as connection, path.open("x", encoding="utf-8") as backup:
        os.chmod(path, 0o600)
        for problem in open_problems:
            rows = [] if problem.row is None else _rows_at(connection, problem.table, problem.row)
            backup.write(
                json.dumps({"problem": str(problem), "table": problem.table, "rows": rows}, default=str) + "\n"
            )
    return path


def _rows_at(connection: Connection, table: str, place: str) -> list[dict[str, Any]]:
    rows = connection.execute(text(f"SELECT * FROM {table} WHERE ctid = CAST(:place AS tid)"), {"place": place})
    return [dict(row) for row in rows.mappings()]


def _reindex(database: Database) -> None:
    """Rebuild the indexes of an SQLite file. Raise InputError if the file is still damaged."""
    with database.writing() as connection:
        connection.exec_driver_sql("REINDEX")
    if damage := damage_of_file(database):
        raise InputError(
            f"the file {database.location.label} itself is damaged ({damage[0]}) and not repairable here; "
            f"try: sqlite3 {database.location.label} .recover | sqlite3 recovered.db"
        )


def _mend(connection: Connection, open_problems: Sequence[RowProblem]) -> None:
    by_row: dict[tuple[str, Any], list[RowProblem]] = defaultdict(list)
    aside: set[int] = set()
    rebuilt: set[int] = set()
    for problem in open_problems:
        if problem.table == "texts" and problem.row is None:
            _add_text(connection, problem)
        elif problem.row is not None:
            by_row[problem.table, problem.row].append(problem)
        if problem.game is not None and problem.instead in (SET_ASIDE, REMOVE) and problem.table in _OF_GAMES:
            aside.add(problem.game)
        if problem.game is not None and problem.instead == REBUILD:
            rebuilt.add(problem.game)
            if problem.table == "events" and problem.row is None:  # It is unknown which of these events is valid.
                connection.execute(events.delete().where(events.c.game == problem.game))
    for (table, row), row_problems in by_row.items():
        _mend_row(connection, table, row, row_problems)
    for game in sorted(rebuilt - aside):
        _rebuild(connection, game, aside)
    for game in sorted(aside):
        _set_aside(connection, game)


_OF_GAMES: Final = ("games", "answers")
"""The tables for which a lost row makes its game void."""
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
"""Neutral values that replace damaged columns of a game that becomes void or is computed again."""


def _mend_row(connection: Connection, table: str, row: Any, row_problems: Sequence[RowProblem]) -> None:
    sqlite = connection.dialect.name == "sqlite"
    at = "rowid = :row" if sqlite else "ctid = CAST(:row AS tid)"
    events_too = table == "events" and any(problem.instead == REBUILD for problem in row_problems)
    if events_too or any(problem.instead == REMOVE for problem in row_problems):
        connection.execute(text(f"DELETE FROM {table} WHERE {at}"), {"row": row})
        return
    values: dict[str, Any] = {}
    if any(problem.instead in (RECOVER, RENAME) for problem in row_problems):
        values |= _new_names(connection, table, at, row, {problem.column for problem in row_problems})
    for problem in (problem for problem in row_problems if problem.instead not in (RECOVER, RENAME)):
        column = (table, problem.column)
        values[problem.column] = _NEUTRAL.get(column, problem.instead) if column in _NEUTRAL else problem.instead
    if table == "texts":
        values["text"] = _replacement_text(connection, at, row)
    if table in ("calls", "sent_calls"):
        values |= _replacement_figures(connection, table, at, row, row_problems)
    assignments = ", ".join(f"{name} = :{name}" for name in values)
    connection.execute(text(f"UPDATE {table} SET {assignments} WHERE {at}"), {**values, "row": row})


def _new_names(connection: Connection, table: str, at: str, row: Any, spoiled: set[str]) -> dict[str, Any]:
    """Return new names for a row whose names are damaged. If the experiment of a game is damaged, the game is assigned
    to the experiment that its id names. If that experiment is lost, it is added again without its plan, so that the
    game's decisions are not lost."""
    number = connection.execute(text(f"SELECT serial FROM {table} WHERE {at}"), {"row": row}).scalar_one()
    values: dict[str, Any] = {name: f"damaged-{number}" for name in ("id", "key", "code") if name in spoiled}
    if table != games.name:
        return values
    if "experiment" in spoiled:
        game_id = connection.execute(text(f"SELECT id FROM {table} WHERE {at}"), {"row": row}).scalar()
        experiment = game_id.rpartition(".")[0] if isinstance(game_id, str) else ""
        values["experiment"] = _experiment(connection, experiment or f"damaged-{number}")
        values.setdefault("key", f"recovered-{number}")
    # The game is placed after all others, since its own position is lost.
    return values | {"place": _FIRST_RECOVERED_PLACE + number}


def _experiment(connection: Connection, name: str) -> int:
    serial: int | None = connection.execute(select(experiments.c.serial).where(experiments.c.id == name)).scalar()
    if serial is None:
        serial = 1 + (connection.execute(select(func.max(experiments.c.serial))).scalar() or 0)
        fields = {"id": name, "name": name, "kind": name.rpartition("-")[0] or name, "created": now()}
        connection.execute(insert(experiments), {"serial": serial, **fields, "settings": "{}"})
    return serial


def _replacement_text(connection: Connection, at: str, row: Any) -> str:
    """Return the replacement for a damaged text. Settings and scenes are replaced by JSON objects."""
    used = "SELECT 1 FROM calls WHERE settings = texts.digest UNION SELECT 1 FROM games WHERE scene = texts.digest"
    objects = connection.execute(text(f"SELECT EXISTS ({used}) FROM texts WHERE {at}"), {"row": row}).scalar()
    return as_json("{}" if objects else "(lost)", "a text")


def _replacement_figures(
    connection: Connection, table: str, at: str, row: Any, row_problems: Sequence[RowProblem]
) -> dict[str, Any]:
    """Return the replacements for damaged numbers of a call, such as its cost. They are the numbers of the most
    expensive valid call of the same model, so that a repair never lowers spending. The old values are stored in
    `extra`."""
    spoiled = [problem for problem in row_problems if problem.column in (*_FIGURES, "dollars", "tokens")]
    if not spoiled:
        return {}
    spoiled_names = {problem.column for problem in spoiled}
    dollars, tokens = _dearest(connection, table, at, row)
    if table == "sent_calls":
        values = {"dollars": dollars, "tokens": tokens}
        return {name: value for name, value in values.items() if name in spoiled_names}
    extra: dict[str, Any] = {"repaired": {problem.column: problem.what for problem in spoiled}}
    figures: dict[str, Any] = {"cost": None, "reserved": dollars}
    if spoiled_names & set(TOKEN_FIELDS):
        figures |= dict.fromkeys(TOKEN_FIELDS)
        extra[RESERVED_TOKENS] = tokens
    return figures | {"extra": as_json(extra, "what came along with a reply")}


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


def _add_text(connection: Connection, problem: RowProblem) -> None:
    present = select(texts_table.c.digest).where(texts_table.c.digest == problem.column)
    if connection.execute(present).first() is None:
        connection.execute(insert(texts_table), {"digest": problem.column, "text": problem.instead})


def _rebuild(connection: Connection, game: int, aside: set[int]) -> None:
    """Prepare a game to be computed again from its decisions. An imported game cannot be computed again, so it becomes
    void."""
    source, state = connection.execute(select(games.c.source, games.c.state).where(games.c.serial == game)).one()
    if source is not None or state == VOID:
        aside.add(game)
        return
    query = select(events.c.number).where(events.c.game == game).order_by(events.c.number)
    numbers = list(connection.execute(query).scalars())
    intact = next((place for place, number in enumerate(numbers) if place != number), len(numbers))
    connection.execute(events.delete().where(events.c.game == game, events.c.number >= intact))
    forget(connection, [game])
    nothing = dict.fromkeys(("finished", "rounds", "finals", "tallies", "decisions"))
    connection.execute(
        update(games)
        .where(games.c.serial == game, games.c.state.in_((FINISHED, PLAYING)))
        .values(state=PLAYING, **nothing)
    )


def _set_aside(connection: Connection, game: int) -> None:
    forget(connection, [game])
    end = {"state": VOID, "reason": as_json(REASON, "a reason"), "reason_code": CODE, "finals": None}
    connection.execute(update(games).where(games.c.serial == game).values(**end, tallies=None, decisions=None))
