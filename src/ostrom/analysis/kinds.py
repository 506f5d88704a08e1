"""The games that can be studied: for each its tables, what can be left out of them, and its measures."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from ostrom.analysis.left_out import By
from ostrom.analysis.measures import Measure
from ostrom.analysis.played import Played
from ostrom.core import Registry
from ostrom.games.commons import tables as commons
from ostrom.games.commons.measures import COMMONS_MEASURES
from ostrom.games.contribute_punish import tables as punish
from ostrom.games.contribute_punish.measures.registry import MEASURES
from ostrom.journal.record import GameRecord

GameTables = TypeVar("GameTables", bound=Played)
AnyTables = punish.Tables | commons.CommonsTables


@dataclass(frozen=True)
class Kind(Generic[GameTables]):
    """A game that can be studied."""

    command: str
    """What the command line calls it."""
    title: str
    record: str
    """What records call it."""
    tables_of: Callable[[Iterable[tuple[str, str, GameRecord]]], GameTables]
    without_defaulted: Callable[[GameTables, By], GameTables]
    pooled: Callable[[GameTables], GameTables]
    """The same games as if one player had held every seat."""
    measures: Registry[Measure[GameTables]]
    unit: str
    """What games end with."""


PUNISH: Final = Kind(
    "punish",
    "Contribute & Punish",
    punish.KIND,
    punish.tables_of,
    punish.without_defaulted,
    punish.pooled,
    MEASURES,
    "tokens",
)
COMMONS: Final = Kind(
    "commons",
    "the Commons",
    commons.KIND,
    commons.tables_of,
    commons.without_defaulted,
    commons.pooled,
    COMMONS_MEASURES,
    "capital",
)
KINDS: Final[Mapping[str, Kind[Any]]] = {kind.command: kind for kind in (PUNISH, COMMONS)}
"""By what the command line calls them; the first is studied where none is named and a journal holds several."""


def kind_of(tables: AnyTables) -> Kind[Any]:
    """Which game these are tables of."""
    return COMMONS if isinstance(tables, commons.CommonsTables) else PUNISH
