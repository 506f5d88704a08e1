"""The events of a record, read and checked for what drawing and telling rely on: every seat they name is at the table.
Whether they follow from the rules is for a replay to find out."""

from collections.abc import Iterator
from typing import Any

from ostrom.core import Event, RecordError
from ostrom.core.plugins import GAMES
from ostrom.journal.record import GameRecord

_SEATS = ("seat", "punisher", "target")
"""Fields that hold one seat."""
_NAMED = ("winners", "votes")
"""Fields that hold a list of seats; `votes` holds a number where an event counts them."""
_PER_SEAT = ("start", "contributions", "balances", "present", "lobby", "shares", "gains", "capitals", "votes")
"""Fields that hold one entry a seat."""


def events_of(record: GameRecord) -> list[Event]:
    """The events in order; what does not fit the record's table is refused with the reason."""
    game = GAMES[record.game]
    if [seat.seat for seat in record.seats] != list(range(len(record.seats))):
        raise RecordError("the record's seats are not numbered from 0 on")
    if not record.seats:
        raise RecordError("nobody sits at the record's table")
    events = [game.events.decode(data) for data in record.events]
    for number, event in enumerate(events, start=1):
        for fault in _faults(event.model_dump(), len(record.seats)):
            raise RecordError(f"event {number} of the record ({event.tag}) does not fit its table: {fault}")
    return events


def _faults(fields: dict[str, Any], seats: int) -> Iterator[str]:
    for name, value in fields.items():
        if name in _PER_SEAT and isinstance(value, list) and len(value) != seats:
            yield f"{name} has {len(value)} entries for {seats} seats"
        named = [value] if name in _SEATS else value if name in _NAMED and isinstance(value, list) else []
        for seat in named:
            if seat is not None and not 0 <= seat < seats:
                yield f"{name} names seat {seat}, and there are {seats}"
        if name == "winners" and not value:
            yield "nobody wins"
