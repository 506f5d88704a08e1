"""Summaries of ended games, so that lists need not decode events: the winners, the highlights, a line that shows the
course of the game, and the messages. The journal stores summaries but does not compute them. A game counts as
unsummarised if it has no summary or if its summary has an older format."""

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, func, insert, select
from sqlalchemy.exc import IntegrityError

from ostrom.core.effects import Quote, SeatSpan, Sentence
from ostrom.core.errors import InputError
from ostrom.journal.engine import Database
from ostrom.journal.rows import as_json
from ostrom.journal.schema import FINISHED, MESSAGES_A_GAME, games, message_texts, messages, summaries
from ostrom.journal.write import touch

FORM: Final = 2
"""The version of the format of summaries. Raise it when summaries are computed differently. Stored summaries of other
versions are then replaced."""
LONGEST_TEXT: Final = 100_000
"""The largest number of characters of a message that can be searched for. PostgreSQL limits a message in the index to a
megabyte."""
LABEL: Final = re.compile("[a-z]*")
"""The pattern of labels, which are plain words so that the full-text index can find them."""
_CONTROL_CHARACTERS: Final = {code: "\ufffd" for code in range(32) if chr(code) not in "\n\t"}
"""Replacements for control characters. The index cannot store some of them, and others mark matches."""


@dataclass(frozen=True, slots=True)
class SaidLine:
    """A message of a game, with the label and the details that the game's analysis gives it."""

    event: int
    """The index of the message's event among the game's events, from 0."""
    turn: int
    place: int
    """The position of the message within the turn, from 1."""
    seat: int
    player: str
    text: str
    label: str = ""
    """A lower-case word by which messages are filtered; empty if the message has no label."""
    details: Mapping[str, Any] | None = None
    """Further values about the message, as JSON. The game's analysis defines their meaning for each label."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The summary of a game."""

    serial: int
    """The serial number of the game."""
    winners: tuple[tuple[int, str], ...]
    """The seats and players with the best final result; empty if the game has no final results."""
    best: float | None
    """The final result of the winners."""
    highlights: tuple[str, ...]
    """The kinds of notable events by which the game can be found."""
    course: tuple[float, ...]
    """The values of a small line chart that lists show."""
    course_mean: float | None
    said: Sequence[SaidLine] = ()
    title: Sentence = ()
    """The title of the game as a sentence, in which seats are shown by their names."""
    drama: float = 0.0
    """The drama score. A higher score means more turns of events."""
    reasons: tuple[str, ...] = ()
    """The reasons for the drama score in words, the strongest first."""


class UnsummarisedGame(NamedTuple):
    """A finished game without a summary."""

    serial: int
    id: str
    game: str
    """The game's name in records."""


def searchable(text: str) -> str:
    """Return a text in the form in which the full-text index stores it."""
    encodable = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    return encodable.translate(_CONTROL_CHARACTERS)


def winners_json(winners: Iterable[tuple[int, str]]) -> str:
    """Return winners in the same JSON format as seats, so that the same pattern finds a player in both. The player
    comes first, since lists of games are sorted by the winner."""
    return as_json([{"player": player, "seat": seat} for seat, player in winners], "the winners of a game")


def forget(connection: Connection, serials: Collection[int]) -> None:
    """Remove the summaries and messages of games, by their serial numbers."""
    for table in (messages, summaries):
        connection.execute(delete(table).where(table.c.game.in_(list(serials))))


def _has_summary() -> ColumnElement[bool]:
    return exists().where(and_(summaries.c.game == games.c.serial, summaries.c.form == FORM))


class Summaries:
    """Stores and reads the summaries of finished games in a journal."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def unsummarised(self, limit: int) -> list[UnsummarisedGame]:
        """Return some finished games without a summary, the newest first. All of them are records of the same game."""
        conditions = (games.c.state == FINISHED, ~_has_summary())
        newest = select(games.c.game).where(*conditions).order_by(games.c.serial.desc()).limit(1).scalar_subquery()
        query = select(games.c.serial, games.c.id, games.c.game).where(*conditions, games.c.game == newest)
        with self._database.glancing() as connection:
            rows = connection.execute(query.order_by(games.c.serial.desc()).limit(limit))
            return [UnsummarisedGame(*row) for row in rows]

    def count_unsummarised(self) -> int:
        """Return the number of finished games without a summary."""
        finished = select(func.count()).select_from(games).where(games.c.state == FINISHED).scalar_subquery()
        summarised = select(func.count()).select_from(summaries).where(summaries.c.form == FORM).scalar_subquery()
        with self._database.glancing() as connection:
            return max(0, int(connection.execute(select(finished - summarised)).scalar_one()))

    def keep(self, new: Sequence[Summary]) -> None:
        """Store summaries in one transaction, except those of games that were deleted meanwhile."""
        try:
            self._keep(new)
        except IntegrityError:
            with self._database.glancing() as connection:
                query = select(games.c.serial).where(games.c.serial.in_([summary.serial for summary in new]))
                present = set(connection.execute(query).scalars())
            self._keep([summary for summary in new if summary.serial in present])

    def _keep(self, offered: Sequence[Summary]) -> None:
        with self._database.writing() as connection:
            # This statement comes first, since its lock prevents two writers from entering the same game.
            touch(connection)
            query = select(summaries.c.game).where(
                summaries.c.game.in_([summary.serial for summary in offered]), summaries.c.form == FORM
            )
            stored = set(connection.execute(query).scalars())
            new = [summary for summary in offered if summary.serial not in stored]
            if not new:
                return
            forget(connection, [summary.serial for summary in new])
            connection.execute(insert(summaries), [_row(summary) for summary in new])
            lines = [
                (summary, place, line) for summary in new for place, line in enumerate(summary.said[:MESSAGES_A_GAME])
            ]
            if lines:
                connection.execute(insert(messages), [_message(*line) for line in lines])
                connection.execute(insert(message_texts), [_text(*line) for line in lines])


def _row(summary: Summary) -> dict[str, Any]:
    return {
        "game": summary.serial,
        "form": FORM,
        "winners": winners_json(summary.winners),
        "winner_count": len(summary.winners),
        "highlights": as_json(list(summary.highlights), "the highlights of a game"),
        "course": as_json(list(summary.course), "the course of a game"),
        "best": summary.best,
        "course_mean": summary.course_mean,
        "title": as_json([_span(part) for part in summary.title], "the title of a game"),
        "drama": summary.drama,
        "reasons": as_json(list(summary.reasons), "the reasons of a drama score"),
    }


def _span(part: str | SeatSpan | Quote) -> str | dict[str, Any]:
    return part if isinstance(part, str) else part.model_dump()


def _serial(summary: Summary, place: int) -> int:
    return summary.serial * MESSAGES_A_GAME + place


def _text(summary: Summary, place: int, line: SaidLine) -> dict[str, Any]:
    """Return the searchable part of a message."""
    return {
        "serial": _serial(summary, place),
        "text": searchable(line.text),
        "player": searchable(line.player),
        "label": line.label,
    }


def _message(summary: Summary, place: int, line: SaidLine) -> dict[str, Any]:
    if not LABEL.fullmatch(line.label):
        raise InputError(f"invalid label of a message: {line.label!r} must be one word of lower-case letters")
    return {
        "serial": _serial(summary, place),
        "game": summary.serial,
        "event": line.event,
        "turn": line.turn,
        "place": line.place,
        "seat": line.seat,
        "player": searchable(line.player),
        "label": line.label,
        "details": None if line.details is None else as_json(line.details, "the details of a message"),
    }


def seats_pattern(player: str) -> str:
    """Return a search pattern for a player. The pattern occurs in the stored seats or winners of a game only if the
    player is among them. Quotation marks within names are escaped."""
    return f'"player":{json.dumps(player)}'
