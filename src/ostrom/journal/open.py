"""Open the journals that commands, the library and the pages use."""

from ostrom.core.outlets import complain
from ostrom.journal.engine import store_url
from ostrom.journal.sql import Journal

_opened: dict[str, None] = {}
"""The addresses of the journals that this process has opened."""


def open_journal(store: str | None, *, create: bool = False) -> Journal:
    """Open the journal at a URL or path, or the default one; an upgrade from an older schema is reported."""
    url = store_url(store)
    journal = Journal.open(url, create=create)
    _opened[url] = None
    if journal.upgraded is not None:
        complain(f"the journal {journal.label} was {journal.upgraded}")
    return journal


def damage_of_journals() -> str | None:
    """Return the damage of a journal that this process has opened, or None. It is the likely reason for an unexpected
    error."""
    for url in _opened:
        with Journal.open(url) as journal:
            if (damage := journal.damage()) is not None:
                return damage
    return None
