"""What an application serves: a journal, what was computed from it, and the games that are played in this process."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from fastapi.concurrency import run_in_threadpool

from ostrom.core.effects import Telling
from ostrom.core.plugins import GAMES
from ostrom.experiment.hosting import Host
from ostrom.journal.record import Narrator, rules_of
from ostrom.journal.sql import Journal
from ostrom.web.cache import AnswerCache, Cache, StudyCache
from ostrom.web.revision import Feed, Revision

_MOST_NARRATORS: Final = 50
"""So many games are followed at once without being told again from the beginning."""


class Narrators:
    """A narrator for each game that was read last. A game's tellings depend on all that happened before, so a narrator
    stays where its readers are, and a page of events costs its own events only."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._narrators: OrderedDict[str, Narrator] = OrderedDict()
        self._lock = Lock()

    def tell(self, game: str, first: int, events: Sequence[Mapping[str, Any]]) -> list[Telling]:
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
            while len(self._narrators) > _MOST_NARRATORS:
                self._narrators.popitem(last=False)
        return tellings


@dataclass
class Service:
    """One for each application."""

    journal: Journal
    host: Host
    """Plays games in this process: those that people sit at, and those that are started from a page."""
    laboratory: bool = True
    """Whether the journal is shown at all. Where people only take their seats it is not: they would see who sits
    beside them."""
    token: str | None = None
    """What a request must carry to see the journal, on a server that others can reach. A seat has its own."""
    address: str | None = None
    """Where others in the network find these pages; missing where this machine alone does."""
    revision: Revision = field(init=False)
    answers: AnswerCache = field(init=False)
    """Answers that the journal alone decides; they stay until it changes."""
    names: Cache[str] = field(init=False)
    """The ids of experiments by what readers call them."""
    event_pages: Cache[Any] = field(init=False)
    """What live games told last: many readers have seen the same, and wait for the same."""
    studies: StudyCache = field(init=False)
    """What was computed from games that are over; games that are being played do not disturb it."""
    narrators: Narrators = field(init=False)
    """Tell what happens in games as it happens."""
    feed: Feed = field(init=False)
    """Tells when the journal has changed, whoever writes it."""

    def __post_init__(self) -> None:
        self.revision = Revision(self.journal)
        self.answers = AnswerCache(self.revision, threads=8)
        self.names = Cache(self.revision.now, 1000)
        self.event_pages = Cache(self.revision.now, 200)
        self.studies = StudyCache(self.journal, self.revision)
        self.narrators = Narrators(self.journal)
        # The same number as the caches go by: who is told of a change finds what has changed.
        self.feed = Feed(self.revision.now)

    @property
    def starts(self) -> bool:
        return self.laboratory and not self.journal.only_read

    async def experiment_id(self, name: str) -> str:
        """The id of the experiment that is meant by an id or a name."""
        # The journal is asked in a thread, or not at all.
        found = self.names.get(name, await self.revision.soon())
        if found is None:
            found = await run_in_threadpool(self.names.get_or_make, name, lambda: self.journal.experiment_id(name))
        return found
