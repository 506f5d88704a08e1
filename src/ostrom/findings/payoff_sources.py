"""Where a payoff table comes from: games that are played for it, a file with a matrix, or the games of an experiment in
the journal."""

import csv
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pydantic import BaseModel

from ostrom.analysis.pooling import Pooling, pools_of
from ostrom.analysis.stored import result_tables, study_tables
from ostrom.analysis.study import Study, most_first
from ostrom.analysis.tables import GameTables
from ostrom.core import InputError
from ostrom.core.files import parse_json
from ostrom.core.game import Game, make_rules
from ostrom.core.listing import brief
from ostrom.journal.open import open_journal
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.payoff_games import play_groups
from ostrom.sim.payoffs import Groups, PayoffTable

USUAL_GROUP = 4
MOST_CELLS = 1_000_000
"""Payoffs that a file may hold."""


class Source(NamedTuple):
    """A payoff table, and in words where it is from."""

    table: PayoffTable
    title: str
    unit: str = ""
    slow: tuple[str, ...] = ()
    """Players that played one game at a time in plain Python."""
    game: Game | None = None
    """The game that was played for it."""
    rules: BaseModel | None = None

    def __repr__(self) -> str:
        return f"<Source: {brief([self.title])}: {self.table!r}>"


def of_game(
    game: Game,
    entries: Sequence[StrategyEntry],
    *,
    seats: int | None,
    pairs: bool,
    games: int,
    seed: int,
    rules: Mapping[str, Any] | BaseModel | None = None,
    workers: int | None = None,
    files: Sequence[Path] = (),
    progress: Callable[[int], None] = lambda done: None,
) -> Source:
    """Play every group, or those of one or two players alone, so many times."""
    if not entries:
        raise InputError(f"{game.command} has no strategies to choose from; add some with --plugin FILE.py")
    groups = groups_of(game, [entry.name for entry in entries], seats, pairs=pairs)
    table = play_groups(
        game, entries, groups, games=games, seed=seed, rules=rules, workers=workers, files=files, progress=progress
    )
    slow = tuple(entry.name for entry in entries if entry.rows is None or game.step is None)
    return Source(table, game.title, game.unit, slow, game, make_rules(game, rules))


def groups_of(game: Game, players: Sequence[str], seats: int | None, *, pairs: bool) -> Groups:
    """The groups that are to be played."""
    return (Groups.pairs_of if pairs else Groups.all_of)(players, group_seats(game, seats))


def group_seats(game: Game, seats: int | None) -> int:
    """How many sit in a group: as asked, or 4, or what the game has."""
    return seats if seats is not None else max(game.seats.fewest, min(USUAL_GROUP, game.seats.most))


def of_file(path: Path) -> Source:
    """The matrix of a file. As CSV: a line with the players' names, then for each player a line with its name and what
    it earns against each. As JSON: `players`, and `payoffs` as nested lists, of any number of seats."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no text; write the matrix as CSV or JSON") from error
    players, payoffs = _json_matrix(path, text) if text.lstrip().startswith("{") else _csv_matrix(path, text)
    try:
        return Source(PayoffTable.of_matrix(players, payoffs), path.name)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _json_matrix(path: Path, text: str) -> tuple[list[str], Any]:
    try:
        read = parse_json(text)
    except ValueError as error:
        raise InputError(f"{path}: {error}") from error
    players, payoffs = read.get("players"), read.get("payoffs")
    if not isinstance(players, list) or not all(isinstance(name, str) for name in players) or payoffs is None:
        raise InputError(f'{path}: a matrix in JSON has "players", a list of names, and "payoffs", a list of rows')
    try:
        made = np.asarray(payoffs, dtype=np.float64)
    except (ValueError, TypeError):
        raise InputError(f"{path}: payoffs must be numbers, as many in each row") from None
    if made.size > MOST_CELLS:
        raise InputError(f"{path}: a matrix has at most {MOST_CELLS:,} payoffs, this has {made.size:,}")
    return players, made


def _csv_matrix(path: Path, text: str) -> tuple[list[str], Any]:
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines()) if any(map(str.strip, row))]
    if len(rows) < 2:
        raise InputError(f"{path}: a matrix needs a line of names and a line for each player")
    # Lines may bear names: then their first cell is no number, and the line of names may begin with a corner.
    named = not _is_number(rows[1][0])
    head = rows[0][1:] if named and len(rows[0]) == len(rows[1]) else rows[0]
    if named and [row[0] for row in rows[1:]] != head:
        raise InputError(f"{path}: the lines must be named as the columns are, in the same order: {', '.join(head)}")
    found: list[list[float]] = []
    for number, row in enumerate(rows[1:], start=2):
        cells = row[1:] if named else row
        if len(cells) != len(head) or len(rows) - 1 != len(head):
            raise InputError(
                f"{path}, line {number}: {len(head)} players need {len(head)} lines of as many payoffs, got "
                f"{len(rows) - 1} lines, this one with {len(cells)}"
            )
        found.append([_number(path, number, cell) for cell in cells])
    return head, found


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def _number(path: Path, line: int, cell: str) -> float:
    try:
        value = float(cell)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputError(f"{path}, line {line}: {cell!r} is no payoff")
    return value


def of_experiment(name: str, store: str | None = None, players: Sequence[str] = ()) -> Source:
    """What the games of an experiment paid, of these players or of all; models' games as well as others'."""
    with open_journal(store) as journal:
        over = journal.ended.states(name)
        studies = most_first(Counter(game for _, game, state in over if state == "finished"), journal)
        study = next((one for one in studies if isinstance(one, Study)), None)
        if study is None:
            raise InputError(f"the experiment {name} holds no finished game whose seats earn anything")
        results = journal.ended.results(study.records, name)
        pool = pools_of(study.game, results, journal.ended.settings(), Pooling(single=True))[0]
        plain = all(result.finals is not None for result in pool.results)
        tables = result_tables(study, pool.results) if plain else study_tables(journal, study, pool.results)
        tables = pool.applied(tables)
    sign = 1.0 if study.game.better == "higher" else -1.0
    return Source(of_tables(tables, players, sign), f"{study.title}: {name}", study.game.unit)


def of_tables(tables: GameTables, players: Sequence[str] = (), sign: float = 1.0) -> PayoffTable:
    """The payoff table of games as tidy tables; games in which others sat, or some seat has no final, are passed
    over."""
    names = list(players) or sorted(set(tables.seats["player"]))
    place = {name: number for number, name in enumerate(names)}
    missing = [name for name in names if name not in set(tables.seats["player"])]
    if missing:
        raise InputError(f"{missing[0]} holds no seat in these games; those who do are {', '.join(sorted(place))}")
    games = [
        rows.sort("seat")
        for _, rows in tables.seats.group_by("game", maintain_order=True)
        if all(name in place for name in rows["player"]) and not rows["final"].null_count()
    ]
    if not games:
        raise InputError(f"there is no game of {', '.join(names)} alone")
    seats, _ = Counter(len(rows) for rows in games).most_common(1)[0]
    games = [rows for rows in games if len(rows) == seats]
    seating = np.asarray([[place[name] for name in rows["player"]] for rows in games]).T
    paid = sign * np.asarray([rows["final"].to_list() for rows in games], dtype=np.float64).T
    return PayoffTable.of_games(names, seats, seating, paid)
