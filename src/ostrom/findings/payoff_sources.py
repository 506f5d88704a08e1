"""The sources of payoff tables. A table comes from games that are played for it, from a file with a matrix, or from the
games of an experiment in the journal."""

import csv
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import BaseModel, Field

from ostrom.core import InputError
from ostrom.core.errors import field
from ostrom.core.files import MAX_SETTINGS_BYTES, parse_json, read_bounded_text
from ostrom.core.game import Game, imported, make_rules
from ostrom.core.listing import brief
from ostrom.core.settings import Display, Settings
from ostrom.core.verb import Reporter
from ostrom.players.roster import choose, load_players_file, names_of, strategies_of
from ostrom.players.strategy import StrategyEntry
from ostrom.sim.payoff_games import play_groups
from ostrom.sim.payoffs import Groups, PayoffTable

DEFAULT_GAMES = 50
"""The default number of games of every composition of a group."""
USUAL_GROUP = 4
MOST_CELLS = 1_000_000
"""The largest number of payoffs in a file."""


class Source(NamedTuple):
    """A payoff table, and a description of its source."""

    table: PayoffTable
    title: str
    unit: str = ""
    slow: tuple[str, ...] = ()
    """The players that play one game at a time in plain Python, which is slow."""
    game: Game | None = None
    """The game that was played for the table, if one was played."""
    rules: BaseModel | None = None
    used: str = ""
    """A text that says which games of an experiment are used, and why. The text is empty if all games are used."""

    def __repr__(self) -> str:
        return f"<Source: {brief([self.title])}: {self.table!r}>"


class PayoffSettings(Settings):
    """Settings of the source of payoffs: a game that is played, a file, or an experiment."""

    players: Annotated[tuple[Any, ...], Display("NAME|FILE.py", alias="include")] = Field(
        (), description="A player, or a file that defines players; repeatable. By default, all players."
    )
    exclude: Annotated[tuple[str, ...], Display("NAME", group="Table")] = Field(
        (), description="Leave this player out; repeatable."
    )
    matrix: Annotated[Path | None, Display("FILE")] = Field(
        None, description="Take payoffs from this matrix, CSV or JSON; no game is played."
    )
    from_: Annotated[str | None, Display("EXPERIMENT")] = Field(
        None, description="Take payoffs from the games of this experiment."
    )
    games: Annotated[int | None, Display(default=f"{DEFAULT_GAMES}")] = Field(
        None, ge=1, description="Number of games of every composition of a group."
    )
    seed: int | None = Field(None, description="Seed of all random draws; drawn and shown if omitted.")
    workers: int | None = Field(
        None, ge=1, description="Number of processes; by default one per core, if that is faster."
    )


def source_without_game(
    settings: Any,
    game: Game | None,
    rules: Mapping[str, Any] | BaseModel | None,
    store: str | None,
    of_games: Sequence[str],
    *,
    read: bool = True,
) -> Source | None:
    """Return the payoffs of a matrix, an experiment or a table. Return None if a game must be played to obtain payoffs.
    Raise InputError for settings that would have no effect. If `read` is False, only check the settings."""
    names = {"matrix": settings.matrix, "from_": settings.from_, "table": settings.table}
    name = next((name for name, value in names.items() if value is not None), None)
    if name is None:
        return None
    if game is not None:
        raise InputError(f"{field(name)} brings the payoffs, so no game is played; leave out {game.command}")
    if name != "from_" and settings.players:
        raise InputError(f"{field(name)} has its own players; leave out {field('players')}")
    if rules:
        raise InputError(f"{field(name)} brings the payoffs; leave out {field(first_rule(rules))}")
    for setting in of_games:
        if setting in settings.model_fields_set and getattr(settings, setting) is not None:
            raise InputError(f"{field(name)} brings the payoffs; leave out {field(setting)}")
    if not read:
        return None
    if settings.matrix is not None:
        return of_file(settings.matrix)
    if settings.from_ is not None:
        load = imported("ostrom.findings.payoffs:of_experiment")
        stored: Source = load(settings.from_, store, names_of(_names(settings.players)))
        return stored
    return Source(settings.table, "payoff table")


def first_rule(rules: Mapping[str, Any] | BaseModel) -> str:
    """Return the name of a rule that the user set, for an error message."""
    return next(iter(rules), "rules") if isinstance(rules, Mapping) else "rules"


def chosen_strategies(game: Game, settings: PayoffSettings, reporter: Reporter) -> list[StrategyEntry]:
    """Return the strategies that the settings name. If they name none, return all strategies of the game. Files of
    players are loaded, and a note names slow players. Raise InputError if there are no strategies."""
    names = _names(settings.players)
    if all(isinstance(name, str) for name in names):
        entries = choose(names, list(settings.exclude), game=game.name)
    else:
        entries = strategies_of(game, names)
    if not entries:
        raise InputError(f"{game.command} has no strategies to choose from; a plugin can add some")
    slow = slow_players(game, entries)
    if slow:
        reporter.note(f"{', '.join(slow)}: played in plain Python, one game at a time, which is slower.")
    return entries


def slow_players(game: Game, entries: Sequence[StrategyEntry]) -> tuple[str, ...]:
    """Return the players that play one game at a time in plain Python."""
    return tuple(entry.name for entry in entries if entry.rows is None or game.step is None)


def _names(players: Sequence[Any]) -> list[Any]:
    """Load the files among the players, and return the names of all players."""
    for name in players:
        if isinstance(name, str) and name.endswith(".py"):
            load_players_file(Path(name))
    return [name for name in players if not (isinstance(name, str) and name.endswith(".py"))]


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
    """Play every group of players `games` times, and return the payoffs. If `pairs` is true, play only groups with at
    most two different players."""
    if not entries:
        raise InputError(f"{game.command} has no strategies to choose from; a plugin can add some")
    groups = groups_of(game, [entry.name for entry in entries], seats, pairs=pairs)
    table = play_groups(
        game, entries, groups, games=games, seed=seed, rules=rules, workers=workers, files=files, progress=progress
    )
    return Source(table, game.title, game.unit, slow_players(game, entries), game, make_rules(game, rules))


def groups_of(game: Game, players: Sequence[str], seats: int | None, *, pairs: bool) -> Groups:
    """Return the groups to play."""
    return (Groups.pairs_of if pairs else Groups.all_of)(players, group_seats(game, seats))


def group_seats(game: Game, seats: int | None) -> int:
    """Return the size of a group: the requested size, or by default 4 or the nearest size that the game allows."""
    return seats if seats is not None else game.seats.largest(USUAL_GROUP)


def of_file(path: Path) -> Source:
    """Return the matrix in a file. A CSV file begins with a line of the players' names. Then each player has a line
    with its payoffs against all players. The line may begin with the player's name. A JSON file has `players`, and
    `payoffs` as nested lists for any number of seats."""
    try:
        text = read_bounded_text(path, MAX_SETTINGS_BYTES)
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is not text; write the matrix as CSV or JSON") from error
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
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
        matrix = np.asarray(payoffs, dtype=np.float64)
    except (ValueError, TypeError):
        raise InputError(f"{path}: payoffs must be numbers, equally many in each row") from None
    if matrix.size > MOST_CELLS:
        raise InputError(f"{path}: a matrix has at most {MOST_CELLS:,} payoffs, this one has {matrix.size:,}")
    return players, matrix


def _csv_matrix(path: Path, text: str) -> tuple[list[str], Any]:
    rows = [[cell.strip() for cell in row] for row in csv.reader(text.splitlines()) if any(map(str.strip, row))]
    if len(rows) < 2:
        raise InputError(f"{path}: a matrix needs a line of names and a line for each player")
    # Lines may start with names. Then the first cell of a line is not a number, and the header may start with an extra
    # cell.
    named = not _is_number(rows[1][0])
    head = rows[0][1:] if named and len(rows[0]) == len(rows[1]) else rows[0]
    if named and [row[0] for row in rows[1:]] != head:
        raise InputError(f"{path}: the lines must be named as the columns are, in the same order: {', '.join(head)}")
    payoffs: list[list[float]] = []
    for number, row in enumerate(rows[1:], start=2):
        cells = row[1:] if named else row
        if len(cells) != len(head) or len(rows) - 1 != len(head):
            raise InputError(
                f"{path}, line {number}: {len(head)} players need {len(head)} lines with {len(head)} payoffs each; "
                f"there are {len(rows) - 1} lines, and this one has {len(cells)}"
            )
        payoffs.append([_number(path, number, cell) for cell in cells])
    return head, payoffs


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
        raise InputError(f"{path}, line {line}: {cell!r} is not a valid payoff")
    return value
