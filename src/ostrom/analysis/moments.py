"""Where among a game's events its messages stand, so that a message leads to its moment."""

from collections.abc import Iterator
from typing import Final

import polars as pl

from ostrom.journal.record import GameRecord

MOMENTS: Final = {"game": pl.String, "round": pl.Int64, "order": pl.Int64, "event": pl.Int64}
"""`order` is that of the table of messages; `event` counts from 0."""


def moments_of(game: str, record: GameRecord) -> Iterator[tuple[str, int, int, int]]:
    """The rows of a game. Silence has its place too, as it counts in the order of speaking."""
    order, last = 0, None
    for place, event in enumerate(record.events):
        if event.get("event") == "message_said":
            order = order + 1 if event["round"] == last else 1
            last = event["round"]
            yield game, event["round"], order, place
