"""Results of finished games, and tidy tables of finished games. Results are read from the journal's columns without
decoding events. Tables are stored as bytes for blocks of games. Each function works within a transaction of the
caller."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from pydantic_core import from_json
from sqlalchemy import Connection, delete, insert, select

from ostrom.core.text import digest_of
from ostrom.journal.read import Columns
from ostrom.journal.schema import FINISHED, experiments, games, tidy_tables
from ostrom.journal.session_seats import PRACTICE, replaced_seats

BLOCK: Final = 64
"""The largest number of games in a block. A block has games with consecutive serial numbers."""


class FinishedGame(NamedTuple):
    """The result of a finished game."""

    serial: int
    id: str
    experiment: str
    game: str
    """The name in records of the game that was played."""
    package: str | None
    version: str | None
    """The game's own version."""
    rules: str
    """The rules of the game as JSON."""
    seed: str | None
    number: int
    source: str | None
    rounds: int | None
    finished: str
    ostrom: str
    players: tuple[str, ...]
    labels: tuple[str, ...]
    finals: tuple[float | None, ...] | None
    tallies: tuple[tuple[int, ...], ...]
    """Four counts for each seat: all its answers, and the defaulted, the repaired and the imported ones."""
    decisions: str
    """A digest of all decisions. It is equal for games with the same decisions."""
    practice: bool = False
    """True for a practice table of a session."""
    replaced: tuple[int, ...] = ()
    """The seats of a session's table in which another player, or no player, decided in a person's place."""


_COUNTS_PER_SEAT: Final = 4
"""The number of counts for each seat in `FinishedGame.tallies`."""
_MAX_FINAL: Final = 1e100
"""The largest absolute value of a final result. Its square is still a valid float."""
_SEED: Final = re.compile("-?[0-9]{1,20}")
_COLUMNS: Final = ("serial", "id", "game", "package", "game_version", "rules", "seed", "number", "source", "rounds")
_READ: Final = (*_COLUMNS, "finished", "ostrom", "seats", "finals", "tallies", "decisions")
_RESULT_COLUMNS: Final = select(
    *(games.c[name] for name in _READ),
    games.c.key,
    experiments.c.id.label("label"),
    experiments.c.serial.label("owner"),
).join(experiments)


def results_of(
    connection: Connection, names: Collection[str], experiment: int | None = None, game: str | None = None
) -> list[FinishedGame]:
    """Return the finished games with these names in records, in the order of their start. The games are those of one
    experiment, or of all; or the one game with an id."""
    query = _RESULT_COLUMNS.where(games.c.state == FINISHED, games.c.game.in_(names)).order_by(games.c.serial)
    if experiment is not None:
        query = query.where(games.c.experiment == experiment)
    if game is not None:
        query = query.where(games.c.id == game)
    rows = connection.execute(query).all()
    replaced = replaced_seats(connection)
    finals = _figures([(row.id, row.finals) for row in rows], "finals")
    tallies = _figures([(row.id, row.tallies) for row in rows], "tallies")
    seats_by_text: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    results = []
    for row, final, tally in zip(rows, finals, tallies, strict=True):
        if row.seats not in seats_by_text:
            seats_by_text[row.seats] = players_and_labels(row.id, row.seats)
        players, labels = seats_by_text[row.seats]
        _check(row, len(players), final, tally)
        all_counts = tuple(tuple(counts) for counts in tally or ()) + ((0, 0, 0, 0),) * (
            len(players) - len(tally or ())
        )
        last = None if final is None else tuple(final)
        head = (row.serial, row.id, row.label, *row[2:10], row.finished, row.ostrom)
        practice = row.owner in replaced and row.key.startswith(PRACTICE)
        away = replaced.get(row.owner, {}).get(row.key, ())
        results.append(FinishedGame(*head, players, labels, last, all_counts, row.decisions, practice, away))
    return results


def _check(row: Any, seats: int, finals: list[Any] | None, tally: list[Any] | None) -> None:
    """Raise RecordError for invalid numbers."""
    columns = Columns.of_game(row.id)
    if tally is None or row.decisions is None or len(tally) > seats or not all(map(_are_counts, tally)):
        raise columns.damage("tallies: they are missing or belong to other seats")
    if finals is not None and not (len(finals) == seats and all(map(_is_figure, finals))):
        raise columns.damage("finals: they are not numbers, or belong to other seats")
    if not isinstance(row.finished, str):
        raise columns.damage("finished: the time of its end is missing")
    columns.whole(row.number, "number")
    seed_of(columns, row.seed)


def check_result(row: Any) -> None:
    """Raise RecordError if the columns of a finished game have no valid result."""
    players, _ = players_and_labels(row.id, row.seats)
    [finals], [tally] = _figures([(row.id, row.finals)], "finals"), _figures([(row.id, row.tallies)], "tallies")
    _check(row, len(players), finals, tally)


def seed_of(columns: Columns, text: str | None) -> int | None:
    """Return the seed. It is stored as text, because databases have no integers up to 2⁶⁴."""
    if text is not None and not _SEED.fullmatch(str(text)):
        raise columns.damage("seed: it is not a whole number")
    return None if text is None else int(text)


def _is_figure(value: Any) -> bool:
    # The comparison is false for NaN, so NaN is rejected too.
    return value is None or (type(value) in (int, float) and abs(value) <= _MAX_FINAL)


def _are_counts(value: Any) -> bool:
    """Return whether a value is a valid list of one seat's counts."""
    return (
        isinstance(value, list)
        and len(value) == _COUNTS_PER_SEAT
        and all(type(count) is int and count >= 0 for count in value)
    )


def _figures(columns: Sequence[tuple[str, str | None]], column: str) -> list[list[Any] | None]:
    """Return the lists in many JSON columns. Parsing them together takes a tenth of the time of parsing each
    separately."""
    document = ",".join(text or "null" for _, text in columns)
    try:
        values = from_json(f"[{document}]", allow_inf_nan=False)
        if len(values) == len(columns) and all(value is None or type(value) is list for value in values):
            return list(values)
    except ValueError:
        pass
    lists = []
    for game, text in columns:
        value = None if text is None else Columns.of_game(game).json(text, column)
        if value is not None and not isinstance(value, list):
            raise Columns.of_game(game).damage(f"{column}: they are no figures")
        lists.append(value)
    return lists


def players_and_labels(game: str, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the players and the labels of all seats, in the order of seats."""
    columns = Columns.of_game(game)
    try:
        seats = sorted(columns.json(text, "seats"), key=lambda seat: int(seat["seat"]))
        return tuple(str(seat["player"]) for seat in seats), tuple(str(seat["label"]) for seat in seats)
    except (LookupError, TypeError, ValueError):
        raise columns.damage("seats: they name no players") from None


def blocks_of(results: Sequence[FinishedGame]) -> Iterator[tuple[int, list[FinishedGame]]]:
    """Yield games in blocks of consecutive serial numbers, each with the number of the block."""
    for block, block_results in groupby(results, key=lambda result: (result.serial - 1) // BLOCK):
        yield block, list(block_results)


def digest_of_block(results: Sequence[FinishedGame], version: str) -> str:
    """Return a digest of these games and of `version`. Stored tables are still valid if they have the same digest."""
    return digest_of("\n".join([version, *(f"{result.id} {result.decisions} {result.version}" for result in results)]))


def stored_tables(connection: Connection, game: str, block: int, digest: str) -> dict[str, bytes]:
    """Return the stored tables of a block by name. The result is empty if there are none, or if they were computed from
    other games or by another version."""
    conditions = (tidy_tables.c.game == game, tidy_tables.c.block == block, tidy_tables.c.digest == digest)
    query = select(tidy_tables.c.name, tidy_tables.c.content).where(*conditions)
    return {name: content for name, content in connection.execute(query) if isinstance(content, bytes)}


def store_tables(connection: Connection, game: str, block: int, digest: str, tables: Mapping[str, bytes]) -> None:
    """Replace the stored tables of a block. The journal's revision is not raised, since tables contain no new
    content."""
    connection.execute(delete(tidy_tables).where(tidy_tables.c.game == game, tidy_tables.c.block == block))
    rows = [
        {"game": game, "block": block, "name": name, "digest": digest, "content": content}
        for name, content in tables.items()
    ]
    connection.execute(insert(tidy_tables), rows)
