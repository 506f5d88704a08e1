"""The journal that a command works on, opened so that whole records come out of it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ostrom.journal.sql import Journal


def open_journal(store: str | None, *, create: bool = False) -> "Journal":
    """Open the journal that is meant; its records come with their series."""
    from ostrom.journal.engine import store_url
    from ostrom.journal.sql import Journal

    return Journal.open(store_url(store), create=create, series=series_of)


def series_of(game: str, events: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A game's events as arrays over turns, by the rules of this installation; none where the game is not installed."""
    from ostrom.core.plugins import GAMES

    if game not in GAMES:
        return {}
    return GAMES[game].series([GAMES[game].events.decode(event) for event in events])
