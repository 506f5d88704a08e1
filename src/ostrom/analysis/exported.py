"""The tidy tables of a journal by the names of their files: what a program reads that studies games by itself."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import polars as pl

from ostrom.analysis.kinds import KINDS, Kind
from ostrom.games.battery.tables import PREFIX, tables_by_task
from ostrom.journal.record import GameRecord

Records = Iterable[tuple[str, str, GameRecord]]


@dataclass(frozen=True, slots=True)
class Exported:
    """Games that have tables."""

    command: str
    """What the command line calls them, and the folder where there are several kinds."""
    title: str
    holds: Callable[[str], bool]
    """Whether a game is one of them, by what records call it."""
    tables: Callable[[Records], Mapping[str, pl.DataFrame]]
    """Their tables by name; records of other games are passed over."""


def _of_kind(kind: Kind[Any]) -> Exported:
    def tables(records: Records) -> dict[str, pl.DataFrame]:
        made = kind.tables_of(records)
        return {name: getattr(made, name) for name in ("games", "seats", *made.ACTORS)}

    return Exported(kind.command, kind.title, lambda game: game == kind.record, tables)


EXPORTED: Final = (
    *(_of_kind(kind) for kind in KINDS.values()),
    Exported("battery", "the battery", lambda game: game.startswith(PREFIX), tables_by_task),
)
