"""Records of any game as rows of tidy tables: what is read alike whatever was played. The events, of which every game
has its own, are left to its `rows.py`."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import polars as pl

from ostrom.core import EventRegistry, Provenance, RecordError
from ostrom.journal.record import GameRecord

Row = tuple[Any, ...]


class Records(Protocol):
    """Whatever hands out the records of games, such as a journal."""

    def records(self, experiment: str | None = None) -> Iterable[tuple[str, str, GameRecord]]:
        """Every game's id, its experiment's id and its record."""


@dataclass(slots=True)
class GameRows:
    """Rows as they come, one list a table."""

    games: list[Row] = field(default_factory=list)
    seats: list[Row] = field(default_factory=list)


_Rows = TypeVar("_Rows", bound=GameRows)


def add_games(
    made: _Rows,
    records: Iterable[tuple[str, str, GameRecord]],
    kind: str,
    add: Callable[[_Rows, str, str, GameRecord], None],
) -> _Rows:
    """Add the rows of every game of this kind to every table; other games are passed over."""
    for game, experiment, record in records:
        if record.game == kind:
            try:
                add(made, str(game), str(experiment), record)
            except (KeyError, IndexError, TypeError, ValueError) as error:
                reason = f"{type(error).__name__} {error}"
                raise RecordError(f"the record of the game {game} cannot be read: {reason}") from error
    return made


def players_of(game: str, record: GameRecord) -> list[str]:
    """Who held the seats, from seat 0 on."""
    numbers = [seat.seat for seat in record.seats]
    if numbers != list(range(len(numbers))):
        raise RecordError(f"the game {game} lists its seats as {numbers}; they must count from 0")
    return [seat.player for seat in record.seats]


def events_of(record: GameRecord, known: EventRegistry) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every event with its tag. They are read by plain access, for speed: they were checked when the record was
    written. Their versions are checked here."""
    versions = {tag: event.version for tag, event in known.items()}
    for event in record.events:
        tag = str(event.get("event"))
        if tag not in versions or event.get("version") != versions[tag]:
            known.decode(event)  # says what is wrong with it
        yield tag, event


def sources_of(record: GameRecord, phase: str) -> dict[tuple[int, int], str]:
    """The provenance of the answers of a phase, by turn and seat."""
    return {(one.turn, one.seat): one.provenance.value for one in record.answers if one.phase == phase}


def add_result(
    made: GameRows,
    game: str,
    experiment: str,
    record: GameRecord,
    *,
    turns: int,
    settings: Row,
    ended: Sequence[Sequence[Any]],
) -> None:
    """Add the row of the game and those of its seats. `settings` are the rules as the table of games has them, `ended`
    the columns of the table of seats that tell how they ended."""
    players = players_of(game, record)
    seats = range(len(players))
    counts: list[Counter[Provenance]] = [Counter() for _ in seats]
    for one in record.answers:
        counts[one.seat][one.provenance] += 1
    defaulted = [count[Provenance.DEFAULTED] for count in counts]
    repaired = [count[Provenance.REPAIRED] for count in counts]
    imported = [count[Provenance.IMPORTED] for count in counts]
    answers = [count.total() for count in counts]
    columns = (seats, players, *ended, defaulted, repaired, answers, imported)
    made.seats.extend((game, *row) for row in zip(*columns, strict=True))
    sums = (sum(defaulted), sum(repaired), sum(answers))
    made.games.append((game, experiment, record.game, len(players), turns, *settings, record.source, *sums))


def frame(rows: list[Row], schema: dict[str, Any]) -> pl.DataFrame:
    """Rows as a table of these columns."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return pl.DataFrame([_column(name, kind, of) for (name, kind), of in zip(schema.items(), columns, strict=True)])


def _column(name: str, kind: Any, values: Sequence[Any]) -> pl.Series:
    try:
        return pl.Series(name, values, dtype=kind)
    except UnicodeEncodeError:
        # Half a character can be said, and be kept in a journal, but stands in no table.
        whole = [None if text is None else text.encode("utf-8", "replace").decode() for text in values]
        return pl.Series(name, whole, dtype=kind)
