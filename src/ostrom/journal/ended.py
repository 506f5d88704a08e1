"""Games that are over: how many there are, which, and their records. What is said of one never changes, so that who
studies them need read none twice."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import Connection, Row, func, select

from ostrom.core import Provenance, RecordError
from ostrom.core.validation import first_problem
from ostrom.journal import reading
from ostrom.journal.damage import from_json
from ostrom.journal.engine import Database
from ostrom.journal.overview import GameRow, game_row, headers, short_headers
from ostrom.journal.record import GameRecord, RecordedSeat
from ostrom.journal.schema import answers, events, experiments, games
from ostrom.journal.writing import PLAYING

_PAGE: Final = 4
"""Games that are read at once; so many are in memory, and between them a reader can be told to stop."""
_SEATS: Final = TypeAdapter(list[RecordedSeat])
_PROVENANCE: Final = {one.value: one for one in Provenance}

_STAGE: Final = select(
    select(func.count()).select_from(games).where(games.c.state != PLAYING).scalar_subquery()
    + select(func.count()).select_from(experiments).scalar_subquery()
)


class Given(NamedTuple):
    """That an answer was given, and whose it is; what was answered is told by the events."""

    turn: int
    phase: str
    seat: int
    provenance: Provenance


class Studied(NamedTuple):
    """A game that is over, as studies read it."""

    game: str
    experiment: str
    record: GameRecord
    """Its answers are `Given`; it has neither seed, orders nor series."""


class Ended:
    """The games of a journal that are over."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def stage(self) -> int:
        """A number that grows with every game that ends and with every experiment that is entered, and with nothing
        else."""
        with self._database.glancing() as connection:
            return int(connection.execute(_STAGE).scalar_one())

    def experiments(self) -> dict[str, str]:
        """The names of all experiments by their ids, the oldest first."""
        wanted = select(experiments.c.id, experiments.c.name).order_by(experiments.c.serial)
        with self._database.glancing() as connection:
            return {row.id: row.name for row in connection.execute(wanted)}

    def games(self, named: str = "") -> list[GameRow]:
        """Finished and void games whose name in records begins so, in the order in which they were begun."""
        wanted = short_headers().where(games.c.state != PLAYING, games.c.game.startswith(named, autoescape=True))
        with self._database.glancing() as connection:
            return [game_row(head) for head in connection.execute(wanted.order_by(games.c.serial))]

    def records(self, ids: Sequence[str]) -> Iterator[Studied]:
        """These games, a few at a time, each time in a transaction of its own. What was checked when it was written is
        not checked once more, and what no study asks for is not read: that takes a third of the time."""
        for first in range(0, len(ids), _PAGE):
            with self._database.reading() as connection:
                page = _studied(connection, ids[first : first + _PAGE])
            yield from page


def _studied(connection: Connection, ids: Sequence[str]) -> list[Studied]:
    heads = connection.execute(headers().where(games.c.id.in_(ids)).order_by(games.c.serial)).all()
    names = {head.serial: head.id for head in heads}
    given: dict[int, list[Given]] = defaultdict(list)
    columns = (answers.c[name] for name in ("game", "turn", "phase", "seat", "provenance"))
    chosen = select(*columns).where(answers.c.game.in_(names)).order_by(answers.c.game, answers.c.number)
    for game, turn, phase, seat, provenance in connection.execute(chosen).all():
        given[game].append(Given(turn, phase, seat, _PROVENANCE[provenance]))
    told: dict[int, list[dict[str, Any]]] = defaultdict(list)
    happened = select(events).where(events.c.game.in_(names)).order_by(events.c.game, events.c.number)
    rows = connection.execute(happened).all()
    for row, event in zip(rows, reading.events_in(rows, lambda row: names[row.game]), strict=True):
        told[row.game].append(event)
    return [Studied(head.id, head.label, _record(head, given[head.serial], told[head.serial])) for head in heads]


def _record(head: Row[Any], given: list[Given], told: list[dict[str, Any]]) -> GameRecord:
    game = f"the game {head.id}"
    try:
        seats = _SEATS.validate_python(from_json(head.seats, game, "seats"))
    except ValidationError as error:
        raise RecordError(f"{game} of the journal cannot be read: seats: {first_problem(error)}") from None
    content: dict[str, Any] = {
        "ostrom": head.ostrom,
        "game": head.game,
        "seed": None,
        "number": head.number,
        "source": head.source,
        "rules": from_json(head.rules, game, "rules"),
        "seats": seats,
        "answers": given,
        "events": told,
        "series": {},
    }
    return GameRecord.model_construct(**content)
