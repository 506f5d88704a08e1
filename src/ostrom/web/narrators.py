"""Who tells the games that readers follow. A game's tellings depend on all that happened before, so a narrator stays
where its readers are, and a page of events costs its own events only."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Any, Final

from ostrom.core.effects import Telling
from ostrom.core.plugins import GAMES
from ostrom.journal.record import Narrator, rules_of
from ostrom.journal.sql import Journal

_MOST: Final = 50
"""So many games are followed at once without being told again from the beginning."""


class Narrators:
    """A narrator for each game that was read last."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._narrators: OrderedDict[str, Narrator] = OrderedDict()
        self._lock = Lock()

    def told(self, game: str, first: int, events: Sequence[Mapping[str, Any]]) -> list[Telling]:
        """How these events of a game are told, of which the first has the place `first`; nothing where the game is not
        installed."""
        head = self._journal.pages.game(game)
        if head.row.game not in GAMES:
            return []
        kind = GAMES[head.row.game]
        with self._lock:
            narrator = self._narrators.pop(head.row.id, None)
        if narrator is None or narrator.count != first:
            narrator = Narrator(kind, rules_of(kind, head.rules), len(head.labels))
            before = self._journal.pages.events(head.row.id, 0, first).events if first else []
            narrator.tell([kind.events.decode(event) for event in before])
        tellings = narrator.tell([kind.events.decode(event) for event in events])
        with self._lock:
            self._narrators[head.row.id] = narrator
            while len(self._narrators) > _MOST:
                self._narrators.popitem(last=False)
        return tellings
