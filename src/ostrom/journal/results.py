"""How finished games ended, by their columns alone: no event is decoded for it. And tidy tables of finished games that
were made once, kept as bytes in blocks of games. Each function works within a transaction that it is handed."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

from pydantic_core import from_json
from sqlalchemy import Connection, delete, insert, select

from ostrom.journal.read import Columns
from ostrom.journal.rows import digest_of
from ostrom.journal.schema import FINISHED, experiments, games, tidy_tables

BLOCK: Final = 64
"""Games of one block at most: those whose serial numbers are neighbours."""


class FinishedGame(NamedTuple):
    """How a finished game ended."""

    serial: int
    id: str
    experiment: str
    game: str
    """What records call it."""
    package: str | None
    version: str | None
    """The game's own version; not known of games that an older Ostrom kept."""
    rules: str
    """As JSON."""
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
    """For each seat how many answers it gave, and how many of these were defaulted, repaired and imported."""
    decisions: str
    """A digest of all that was decided."""


_KINDS: Final = 4
"""Figures of one seat in `Result.tallies`."""
_LARGEST: Final = 1e100
"""What a seat can end with at most; squares of it are still figures."""
_SEED: Final = re.compile("-?[0-9]{1,20}")
_COLUMNS: Final = ("serial", "id", "game", "package", "game_version", "rules", "seed", "number", "source", "rounds")
_READ: Final = (*_COLUMNS, "finished", "ostrom", "seats", "finals", "tallies", "decisions")
_WANTED: Final = select(*(games.c[name] for name in _READ), experiments.c.id.label("label")).join(experiments)


def results_of(connection: Connection, names: Collection[str], experiment: int | None = None) -> list[FinishedGame]:
    """The finished games that records call so, of one experiment or all, in the order in which they were begun."""
    wanted = _WANTED.where(games.c.state == FINISHED, games.c.game.in_(names)).order_by(games.c.serial)
    if experiment is not None:
        wanted = wanted.where(games.c.experiment == experiment)
    rows = connection.execute(wanted).all()
    finals = _figures([(row.id, row.finals) for row in rows], "finals")
    tallies = _figures([(row.id, row.tallies) for row in rows], "tallies")
    seated: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}
    found = []
    for row, ended, tally in zip(rows, finals, tallies, strict=True):
        if row.seats not in seated:
            seated[row.seats] = players_and_labels(row.id, row.seats)
        players, labels = seated[row.seats]
        _check(row, len(players), ended, tally)
        every = tuple(tuple(each) for each in tally or ()) + ((0, 0, 0, 0),) * (len(players) - len(tally or ()))
        last = None if ended is None else tuple(ended)
        head = (row.serial, row.id, row.label, *row[2:10], row.finished, row.ostrom)
        found.append(FinishedGame(*head, players, labels, last, every, row.decisions))
    return found


def _check(row: Any, seats: int, finals: list[Any] | None, tally: list[Any] | None) -> None:
    """Refuse figures that nothing could be made of."""
    columns = Columns.of_game(row.id)
    if tally is None or row.decisions is None or len(tally) > seats or not all(map(_are_counts, tally)):
        raise columns.damage("tallies: they are missing or of other seats")
    if finals is not None and not (len(finals) == seats and all(map(_is_figure, finals))):
        raise columns.damage("finals: they are no figures, or of other seats")
    if not isinstance(row.finished, str):
        raise columns.damage("finished: it does not say when it ended")
    columns.whole(row.number, "number")
    seed_of(columns, row.seed)


def check_result(row: Any) -> None:
    """Refuse columns of a finished game from which no result can be read."""
    players, _ = players_and_labels(row.id, row.seats)
    [finals], [tally] = _figures([(row.id, row.finals)], "finals"), _figures([(row.id, row.tallies)], "tallies")
    _check(row, len(players), finals, tally)


def seed_of(columns: Columns, text: str | None) -> int | None:
    """The seed that stands in a column of text, since databases have no whole numbers up to 2⁶⁴."""
    if text is not None and not _SEED.fullmatch(str(text)):
        raise columns.damage("seed: it is no whole number")
    return None if text is None else int(text)


def _is_figure(each: Any) -> bool:
    return each is None or (type(each) in (int, float) and abs(each) <= _LARGEST)  # false for what is no number


def _are_counts(each: Any) -> bool:
    """Whether it says of a seat how many answers it gave, and of what kinds."""
    return isinstance(each, list) and len(each) == _KINDS and all(type(count) is int and count >= 0 for count in each)


def _figures(columns: Sequence[tuple[str, str | None]], where: str) -> list[list[Any] | None]:
    """What many columns hold, each a list as JSON; read at once, which takes a tenth of the time."""
    joined = ",".join(text or "null" for _, text in columns)
    try:
        values = from_json(f"[{joined}]", allow_inf_nan=False)
        if len(values) == len(columns) and all(value is None or type(value) is list for value in values):
            return list(values)
    except ValueError:
        pass
    found = []
    for game, text in columns:
        value = None if text is None else Columns.of_game(game).json(text, where)
        if value is not None and not isinstance(value, list):
            raise Columns.of_game(game).damage(f"{where}: they are no figures")
        found.append(value)
    return found


def players_and_labels(game: str, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who held the seats, and what they were called, from seat 0 on."""
    columns = Columns.of_game(game)
    try:
        seats = sorted(columns.json(text, "seats"), key=lambda seat: int(seat["seat"]))
        return tuple(str(seat["player"]) for seat in seats), tuple(str(seat["label"]) for seat in seats)
    except (LookupError, TypeError, ValueError):
        raise columns.damage("seats: they name no players") from None


def blocks_of(results: Sequence[FinishedGame]) -> Iterator[tuple[int, list[FinishedGame]]]:
    """Games in blocks of neighbours, each with its number."""
    for block, mine in groupby(results, key=lambda result: (result.serial - 1) // BLOCK):
        yield block, list(mine)


def digest_of_block(results: Sequence[FinishedGame], version: str) -> str:
    """What names the tables of these games, as this version makes them."""
    return digest_of("\n".join([version, *(f"{one.id} {one.decisions} {one.version}" for one in results)]))


def stored_tables(connection: Connection, game: str, block: int, digest: str) -> dict[str, bytes]:
    """The tables of a block by their names; none where they are not there, or of other games or another version."""
    mine = (tidy_tables.c.game == game, tidy_tables.c.block == block, tidy_tables.c.digest == digest)
    wanted = select(tidy_tables.c.name, tidy_tables.c.content).where(*mine)
    return {name: bytes(content) for name, content in connection.execute(wanted)}


def store_tables(connection: Connection, game: str, block: int, digest: str, tables: Mapping[str, bytes]) -> None:
    """Keep the tables of a block in place of those that were there. The journal's revision stays: nothing is said that
    was not said before."""
    connection.execute(delete(tidy_tables).where(tidy_tables.c.game == game, tidy_tables.c.block == block))
    rows = [
        {"game": game, "block": block, "name": name, "digest": digest, "content": content}
        for name, content in tables.items()
    ]
    connection.execute(insert(tidy_tables), rows)
