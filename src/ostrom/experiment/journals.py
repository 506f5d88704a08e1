"""Opens the journals that commands, the library and the pages read."""

from collections.abc import Mapping, Sequence
from typing import Any

from ostrom.core.outlets import complain
from ostrom.core.plugins import GAMES
from ostrom.journal.engine import store_url
from ostrom.journal.sql import Journal


def open_journal(store: str | None, *, create: bool = False) -> Journal:
    """Open the journal that is meant; its records come with their series. One of an older schema is upgraded, and says
    so."""
    url = store_url(store)
    journal = Journal.open(url, create=create, series=series_of)
    _opened[url] = None
    if journal.upgraded is not None:
        complain(f"the journal {journal.label} was {journal.upgraded}")
    return journal


_opened: dict[str, None] = {}
"""The addresses of the journals that this command has opened."""


def damage_of_journals() -> str | None:
    """What is wrong with a journal that this command read from: where something failed that should not, this is the
    likely reason, and no fault of the program."""
    for url in _opened:
        with Journal.open(url) as journal:
            if (found := journal.damage()) is not None:
                return found
    return None


def series_of(game: str, events: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """A game's events as arrays over turns, by the rules of this installation; none where the game is not installed."""
    if game not in GAMES:
        return {}
    return GAMES[game].series([GAMES[game].events.decode(event) for event in events])
