"""What was found in games that are over, kept beside them so that no list decodes an event: who won, what is worth
finding a game by, how it went, and what was said. The journal does not know how it is found, and is handed it; a game
without a summary, or with one of an older form, is `lacking`."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, select
from sqlalchemy.exc import IntegrityError

from ostrom.core.errors import InputError
from ostrom.journal.engine import Database
from ostrom.journal.rows import as_json
from ostrom.journal.schema import FINISHED, MESSAGES_A_GAME, games, message_texts, messages, summaries
from ostrom.journal.write import touch

FORM: Final = 1
"""Raised when summaries are made in another way: those that are there are then made again."""
LONGEST_TEXT: Final = 100_000
"""Characters of a message that can be searched; PostgreSQL's index takes no more than a megabyte."""
LABEL: Final = re.compile("[a-z]*")
"""Labels are plain words, so that the index of words finds them."""
_UNFIT: Final = {code: "\ufffd" for code in range(32) if chr(code) not in "\n\t"}
"""What stands in no search index, and what marks finds in it."""


@dataclass(frozen=True, slots=True)
class SaidLine:
    """A message of a game, with the label and the details that its study gives it."""

    event: int
    """Its place among the game's events, from 0."""
    turn: int
    place: int
    """Its place within the turn, from 1."""
    seat: int
    player: str
    text: str
    label: str = ""
    """One lower-case word by which messages are filtered; empty for none."""
    details: Mapping[str, Any] | None = None
    """Values that belong to the label, as JSON."""


@dataclass(frozen=True, slots=True)
class Summary:
    """What was found in a game."""

    serial: int
    """The game's."""
    winners: tuple[tuple[int, str], ...]
    """Seats and players that ended best; none where the game has no finals."""
    best: float | None
    """What they ended with."""
    highlights: tuple[str, ...]
    """What the game is worth finding by."""
    course: tuple[float, ...]
    """How it went, in a line that a list can draw."""
    course_mean: float | None
    said: Sequence[SaidLine] = ()


class UnsummarisedGame(NamedTuple):
    """A finished game that has no summary."""

    serial: int
    id: str
    game: str
    """What records call it."""


def searchable(text: str) -> str:
    """A text as an index of either database holds it."""
    whole = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    return whole.translate(_UNFIT)


def winners_json(winners: Iterable[tuple[int, str]]) -> str:
    """Winners, written like the seats of a game, so that a player is looked for in both alike. The name comes
    first: lists are sorted by it."""
    return as_json([{"player": player, "seat": seat} for seat, player in winners], "the winners of a game")


def forget(connection: Connection, serials: Collection[int]) -> None:
    """Remove what was found in games, by their serial numbers."""
    for table in (messages, summaries):
        connection.execute(delete(table).where(table.c.game.in_(list(serials))))


def _is_there() -> ColumnElement[bool]:
    return exists().where(and_(summaries.c.game == games.c.serial, summaries.c.form == FORM))


class Summaries:
    """The summaries of a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def unsummarised(self, limit: int) -> list[UnsummarisedGame]:
        """Some of the finished games without a summary, of one kind, the newest first: they are looked at first."""
        missing = (games.c.state == FINISHED, ~_is_there())
        newest = select(games.c.game).where(*missing).order_by(games.c.serial.desc()).limit(1).scalar_subquery()
        wanted = select(games.c.serial, games.c.id, games.c.game).where(*missing, games.c.game == newest)
        with self._database.glancing() as connection:
            rows = connection.execute(wanted.order_by(games.c.serial.desc()).limit(limit))
            return [UnsummarisedGame(*row) for row in rows]

    def count_unsummarised(self) -> int:
        """How many finished games have none."""
        finished = select(func.count()).select_from(games).where(games.c.state == FINISHED).scalar_subquery()
        made = select(func.count()).select_from(summaries).where(summaries.c.form == FORM).scalar_subquery()
        with self._database.glancing() as connection:
            return max(0, int(connection.execute(select(finished - made)).scalar_one()))

    def keep(self, found: Sequence[Summary]) -> None:
        """Keep summaries, in one transaction; those of games that are gone meanwhile are not."""
        try:
            self._keep(found)
        except IntegrityError:
            with self._database.glancing() as connection:
                wanted = select(games.c.serial).where(games.c.serial.in_([one.serial for one in found]))
                there = set(connection.execute(wanted).scalars())
            self._keep([one for one in found if one.serial in there])

    def _keep(self, found: Sequence[Summary]) -> None:
        with self._database.writing() as connection:
            # First of all, as it is the lock that keeps two writers from entering one game.
            touch(connection)
            wanted = select(summaries.c.game).where(
                summaries.c.game.in_([one.serial for one in found]), summaries.c.form == FORM
            )
            known = set(connection.execute(wanted).scalars())
            new = [one for one in found if one.serial not in known]
            if not new:
                return
            forget(connection, [one.serial for one in new])
            connection.execute(insert(summaries), [_row(one) for one in new])
            said = [(one, place, line) for one in new for place, line in enumerate(one.said[:MESSAGES_A_GAME])]
            if said:
                connection.execute(insert(messages), [_message(*each) for each in said])
                connection.execute(insert(message_texts), [_text(*each) for each in said])


def _row(one: Summary) -> dict[str, Any]:
    return {
        "game": one.serial,
        "form": FORM,
        "winners": winners_json(one.winners),
        "winner_count": len(one.winners),
        "highlights": as_json(list(one.highlights), "the highlights of a game"),
        "course": as_json(list(one.course), "the course of a game"),
        "best": one.best,
        "course_mean": one.course_mean,
    }


def _serial(one: Summary, place: int) -> int:
    return one.serial * MESSAGES_A_GAME + place


def _text(one: Summary, place: int, line: SaidLine) -> dict[str, Any]:
    """What can be searched of a message."""
    return {
        "serial": _serial(one, place),
        "text": searchable(line.text),
        "player": searchable(line.player),
        "label": line.label,
    }


def _message(one: Summary, place: int, line: SaidLine) -> dict[str, Any]:
    if not LABEL.fullmatch(line.label):
        raise InputError(f"invalid label of a message: {line.label!r} must be one word of lower-case letters")
    return {
        "serial": _serial(one, place),
        "game": one.serial,
        "event": line.event,
        "turn": line.turn,
        "place": line.place,
        "seat": line.seat,
        "player": searchable(line.player),
        "label": line.label,
        "details": None if line.details is None else as_json(line.details, "the details of a message"),
    }


def seats_pattern(player: str) -> str:
    """What stands in the seats, or among the winners, of a game with this player and in no other: a quotation mark
    within a name is written with a backslash."""
    return f'"player":{json.dumps(player)}'
